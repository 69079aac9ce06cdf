"""Reading what a model replied: one JSON object of the right form and nothing around it.

A second object, a code fence, a word before or after, a key given twice, a key or a type that was
not asked for: each is an error, and an error is never an approval (threats T-26).

    read_evaluation('{"allowed": true, "confident": true, "reason": "reads only"}', threshold=0.8)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

from signoff.actions.action import Json
from signoff.challenge.evaluator import Evaluation
from signoff.challenge.visible import visible
from signoff.errors import SignoffError

REPLY_LIMIT = 4_000  # characters; 256 tokens are far fewer
REASON_LIMIT = 1_000
KEYS = frozenset({"allowed", "confident", "confidence", "reason"})
NO_REASON = "No reason provided"
SPACE = " \t\r\n"


class BadReply(SignoffError):
    """A model's reply does not have the required form."""


def read_object(text: str, *, keys: frozenset[str]) -> Mapping[str, Json]:
    """Parse a model's reply that must be one JSON object with exactly these keys.

    Raises:
        BadReply: it is anything else, or has other keys.
    """
    if len(text) > REPLY_LIMIT:
        raise BadReply("the reply is too long")
    # JSON's own blanks only: `strip()` would take more, such as a no-break space.
    stripped = text.strip(SPACE)
    if not stripped.startswith("{"):
        raise BadReply("the reply is not one JSON object")
    try:
        # Of a key given twice Python takes the last, other readers the first (T-26).
        found = json.loads(stripped, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BadReply("the reply is not one JSON object") from error
    if not isinstance(found, dict) or not keys.issuperset(found):
        raise BadReply("the reply has keys that were not asked for")
    return found


def read_evaluation(text: str, *, threshold: float, model: str = "") -> Evaluation:
    """Parse a model's reply into an evaluation; missing fields count as no (spec 3).

    Args:
        threshold: least numeric confidence that counts as confident.

    Raises:
        BadReply: the reply does not have the required form.
    """
    found = read_object(text, keys=KEYS)
    allowed, confident = _flag(found, "allowed"), _flag(found, "confident")
    confidence = _confidence(found)
    sure = confidence is None or confidence >= threshold
    return Evaluation(
        allowed=allowed,
        confident=confident and sure,
        reason=text_in(found, "reason", REASON_LIMIT) or NO_REASON,
        confidence=confidence,
        model=model,
    )


def text_in(found: Mapping[str, Json], name: str, limit: int) -> str:
    """Return a field of a reply as one line of text, invisible characters escaped; "" if missing.

    Args:
        limit: greatest length in characters.

    Raises:
        BadReply: it is no text, or too long.
    """
    value = found.get(name, "")
    if not isinstance(value, str) or len(value) > limit:
        raise BadReply(f"`{name}` of the reply is no text of at most {limit} characters")
    return visible(value)


def _flag(found: Mapping[str, Json], name: str) -> bool:
    value = found.get(name, False)
    if not isinstance(value, bool):
        raise BadReply(f"`{name}` of the reply is neither true nor false")
    return value


def _confidence(found: Mapping[str, Json]) -> float | None:
    if "confidence" not in found:
        return None
    value = found["confidence"]
    # `true` is an integer in Python, and would be a confidence of 1.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadReply("`confidence` of the reply is no number")
    if not 0 <= value <= 1:
        raise BadReply("`confidence` of the reply is not between 0 and 1")
    return float(value)


def _unique(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is no JSON")
