"""Conditions on records, which programs of many trades take where others take code.

The first two are filters, the third calls something:

    FILTER="PASS" || INFO/DP<10
    status = "open" and total > 50
    system("rm -rf x") == 0
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re

LONGEST = 400
# A call is none of these, but for names in capitals: `MAX(AF) > 0.05`.
_FIELD = (
    r"(?:[A-Za-z][\w:]*(?:[./][A-Za-z_]\w*)*(?:\[[\w*,:-]{1,12}\])?"
    r"|[A-Z_]{2,12}\([\w/,.*]{0,40}\))"
)
_NUMBER = r"-?\d[\d.eE+-]{0,20}%?"
_TEXT = r"\"[^\"`$;\n]{0,80}\"|'[^'`$;\n]{0,80}'"
# Only a number is compared by size: `x > "file"` would be a redirection of a shell.
_COMPARED = rf"(?:(?:[=!]=?|=~|!?~)\s*(?:{_NUMBER}|{_TEXT})|[<>]=?\s*{_NUMBER})"
_TERM = rf"\(*\s*(?:!|(?:not|NOT)\s+)?{_FIELD}\s*{_COMPARED}\s*\)*"
_FILTER = lazy_re(rf"\s*{_TERM}(?:\s*(?:\|\|?|&&?|\b(?:and|AND|or|OR)\b)\s*{_TERM}){{0,20}}\s*")


def is_filter(text: str) -> bool:
    """Return whether a text is a condition on the fields of records and nothing else."""
    return len(text) < LONGEST and _FILTER.fullmatch(text) is not None
