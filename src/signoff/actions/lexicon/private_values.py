"""Values in a text that belong to one person: accounts with a valid check sum, dates of birth ...

A single one is in every payment. Two kinds together say who somebody is and what is only theirs.

    private_kinds("IBAN DE89 3704 0044 0532 0130 00, born 1981-04-03")   {"account", "birth"}
    private_kinds("order 4111111111111112 of 2025-04-03")               set()
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re

MOST_TEXT = 20_000
MOST_FOUND = 20

_ACCOUNT = lazy_re(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_CARD = lazy_re(
    r"(?i)(?<![a-z])(?:cards?|visa|master ?card|amex|pan|kart(?:e|ennummer)|carte|tarjeta|carta)\b"
    r"[^\d\n]{0,24}([3-6](?:[ -]?\d){12,18})\b"
)
_OTHERS = {
    "birth": lazy_re(
        r"(?i)(?<![a-z])(?:born|dob|date.of.birth|birth\w*|geb(?:oren|urtsdatum)?|naissance|n[ée]e?|nacid[oa]"
        r"|nat[oa]|urodzon[ya])\b[^\w\n]{0,6}(?:on |am |le |el |il )?"
        r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b"
    ),
    "number": lazy_re(r"(?i)(?<![a-z])(?:ssn|social.security)\b[^\d\n]{0,16}\d{3}-?\d{2}-?\d{4}\b"),
    # ICD-10: a letter and two digits.
    "illness": lazy_re(
        r"(?i)(?<![a-z])(?:diag|diagnos(?:[ei]s|e|ed)|icd(?:-?10)?)\b[^\w\n]{0,6}[a-z]\d{2}(?:\.\d{1,2})?\b"
    ),
    "pay": lazy_re(
        r"(?i)(?<![a-z])(?:salary|wage|gehalt|lohn|salaire|salario|stipendio)\b[^\w\n]{0,6}[€$£]?\d{3,6}\b"
    ),
}


def private_kinds(text: str) -> set[str]:
    """Return which kinds of values of a person stand in a text."""
    text = text[:MOST_TEXT]
    found = {kind for kind, pattern in _OTHERS.items() if pattern.search(text) is not None}
    if any([_is_account(one[0]) for one in islice(_ACCOUNT.finditer(text), MOST_FOUND)]):
        found.add("account")
    if any([_is_card(one[1]) for one in islice(_CARD.finditer(text), MOST_FOUND)]):
        found.add("card")
    return found


def _is_account(text: str) -> bool:
    """Tell an IBAN by its check sum (ISO 13616): the number modulo 97 is 1."""
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    moved = plain[4:] + plain[:4]
    return int("".join([str(int(char, 36)) for char in moved])) % 97 == 1


def _is_card(text: str) -> bool:
    """Tell the number of a card by its check digit (ISO 7812, Luhn)."""
    digits = [int(char) for char in text if char.isdecimal()]
    doubled = [sum(divmod(2 * one, 10)) for one in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0
