"""What was probably meant by a word nobody knows.

suggest("strikt", ("strict", "balanced"))     (strict, balanced); did you mean `strict`?
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WORD_LIMIT = 100  # characters that are compared


def suggest(word: str, allowed: Iterable[str]) -> str:
    """Return a hint for a message about an unknown word.

    It lists the allowed words and names the most similar one.
    """
    words = tuple(allowed)
    near = _nearest(word, words)
    listed = f" ({', '.join(words)})"
    return f"{listed}; did you mean `{near}`?" if near else listed


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """Return a hint with the most similar allowed word, "" if none is similar.

    For lists too long to show.
    """
    near = _nearest(word, sorted(allowed))
    return f" (did you mean `{near}`?)" if near else ""


def _nearest(word: str, allowed: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - errors only: the import costs 4 ms

    return next(iter(get_close_matches(word[:WORD_LIMIT], allowed, n=1)), "")
