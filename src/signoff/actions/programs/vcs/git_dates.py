"""Dates as git reads them: whether deleting what is older takes objects somebody may still want.

is_recent("now")           -> True       is_recent("2.weeks.ago")  -> False
is_recent("1 second ago")  -> True       is_recent("never")        -> False
is_recent("2024-01-01")    -> True       nobody here knows what day it is
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re

# git-gc(1) keeps objects that nothing refers to for two weeks.
DEFAULT_DAYS = 14
NEVER = frozenset({"never", "false"})
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_AGE = lazy_re(r"(\d{1,9})[ ._-]*(day|week|month|year)s?(?:[ ._-]*ago)?")


def is_recent(text: str) -> bool:
    """Return whether a date may be within the time for which git keeps objects by itself."""
    plain = text.strip().lower()
    if plain in NEVER:
        return False
    age = _AGE.fullmatch(plain)
    return age is None or int(age[1]) * _DAYS[age[2]] < DEFAULT_DAYS
