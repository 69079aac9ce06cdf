"""Values in a text that belong to one person: accounts with a valid check sum, dates of birth ...

A single one is in every payment. Two kinds together say who somebody is and what is only theirs.

    private_kinds("IBAN DE89 3704 0044 0532 0130 00, born 1981-04-03")   {"account", "birth"}
    private_kinds("order 4111111111111112 of 2025-04-03")               set()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from signoff.actions.lexicon.numbers.check_digits import is_iban, is_luhn
from signoff.actions.lexicon.numbers.national_numbers import has_national_number
from signoff.actions.vocabulary import lazy_re2

MOST_TEXT = 20_000
MOST_FOUND = 20

# RE2 syntax; no letter beyond ASCII stands in a class, because patterns read bytes.
ACCOUNT = r"\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)()\b"
CARD = (
    r"(?i)(?:^|[^a-z])(?:cards?|visa|master ?card|amex|pan|kart(?:e|ennummer)|carte|tarjeta|carta)"
    r"(?:[ _-]?(?:number|no|nr|num))?\b[^\d\n]{0,24}([3-6](?:[ -]?\d){12,18})\b"
    r"|\b([3-6]\d{3}[ -]\d{4}[ -]\d{4}[ -]\d{4})\b"
)
BIRTH = (
    r"(?i)(?:^|[^a-z])(?:(?:born|dob|date.of.birth|birth\w*|geb(?:oren|urtsdatum)?|naissance|n(?:é|e)e"
    r"|nacid[oa]|nat[oa]|urodzon[ya])\b|né)[^\w\n]{0,6}(?:on |am |le |el |il )?"
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b"
)
# ICD-10: a letter and two digits.
ILLNESS = (
    r"(?i)(?:^|[^a-z])(?:diag|diagnos(?:[ei]s|e|ed)|icd(?:-?10)?)\b[^\w\n]{0,6}"
    r"[a-z]\d{2}(?:\.\d{1,2})?\b"
)
PAY = (
    r"(?i)(?:^|[^a-z])(?:salary|wage|gehalt|lohn|salaire|salario|stipendio)\b[^\w\n]{0,6}"
    r"(?:€|\$|£)?\d{3,6}\b"
)


def _is_in(expression: str) -> Callable[[str], bool]:
    compiled = lazy_re2(expression)
    return lambda text: compiled.search(text) is not None


def _holds(expression: str, is_valid: Callable[[str], bool]) -> Callable[[str], bool]:
    """Return the function that looks for a number with the right check digits."""
    compiled = lazy_re2(expression)

    def is_in(text: str) -> bool:
        numbers = (match[1] or match[2] for match in islice(compiled.finditer(text), MOST_FOUND))
        return any(is_valid("".join(filter(str.isalnum, number))) for number in numbers)

    return is_in


KINDS: Mapping[str, Callable[[str], bool]] = {
    "account": _holds(ACCOUNT, is_iban),
    "birth": _is_in(BIRTH),
    "card": _holds(CARD, is_luhn),
    "number": has_national_number,
    "illness": _is_in(ILLNESS),
    "pay": _is_in(PAY),
}


def private_kinds(text: str) -> set[str]:
    """Return which of `KINDS` stand in the first 20,000 characters of a text."""
    text = text[:MOST_TEXT]
    return {kind for kind, is_in in KINDS.items() if is_in(text)}
