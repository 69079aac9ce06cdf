"""What a call of a tool or function acts on, as its arguments name it.

How much, when, where and why it happens is no object: `effective=2026-04-01`, `currency="eur"`,
`environment="production"`, unless the tool is named after it. Of money and goods that move, the
object is who gets them.

    wire_transfer(from_account="NL91", to_iban="FR14", amount=1250.0)   "FR14"
    dismiss_everybody(effective="today", notify=True)                    ""
    delete_environment(environment="staging")                            "staging"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from signoff.actions.action import Action
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.vocabulary import lazy_re

MOST_ARGUMENTS = 100
LONGEST_NAME = 100
LONGEST = 200
LARGEST_ID = 10**18
_CIRCUMSTANCES = vocabulary(
    "amount price total sum cents currency date since until before after effective when start end"
    " month year season term time day reason note notes comment env environment mode transition"
    " limit confirm"
)
_TIME_OR_AMOUNT = lazy_re(
    r"(?i)\d{4}-\d{1,2}(?:-\d{1,2})?(?:[t ].{0,30})?|\d+[.,]\d{1,2}|today|now|tomorrow|immediately"
)
_ORIGINS = vocabulary("from source sender")
# A call that names one of these moves something from an origin to it.
_DESTINATIONS = vocabulary("to recipient recipients destination payee beneficiary")


def named_object(action: Action, telling: Iterable[str] = ()) -> str:
    """Return the argument that most likely names what is acted on, "" if none does.

    Args:
        telling: words of names that tell most, the best first; a number counts there as well.
    """
    named = list(_objects(action))
    for wanted in telling:
        for words, value in named:
            if wanted in words:
                return str(value)[:LONGEST]
    texts = [(words, value) for words, value in named if isinstance(value, str) and value]
    moved = any(not _ORIGINS.isdisjoint(words) for words, _ in texts)
    to = (value for words, value in texts if moved and not _DESTINATIONS.isdisjoint(words))
    plain = (value for words, value in texts if _ORIGINS.isdisjoint(words))
    origin = (value for _, value in texts)
    return next((value for group in (to, plain, origin) for value in group), "")[:LONGEST]


def _objects(action: Action) -> Iterator[tuple[tuple[str, ...], str | int]]:
    """Yield the texts and numbers that are no circumstance, with the words of their names."""
    circumstances = _CIRCUMSTANCES.difference(split_words(action.tool[:LONGEST_NAME]))
    for name, value in islice(action.arguments.items(), MOST_ARGUMENTS):
        if isinstance(value, bool) or not isinstance(value, str | int):
            continue
        # `str` raises for a number of more than 4300 digits (CVE-2020-10735); no id is that long.
        if isinstance(value, int) and abs(value) >= LARGEST_ID:
            continue
        words = split_words(name[:LONGEST_NAME])
        if circumstances.isdisjoint(words) and not _is_time_or_amount(value):
            yield words, value


def _is_time_or_amount(value: str | int) -> bool:
    return isinstance(value, str) and _TIME_OR_AMOUNT.fullmatch(value[:LONGEST]) is not None
