"""Values in a text that belong to one person, and numbers that only look so."""

from __future__ import annotations

import pytest

from signoff.actions.lexicon.private_values import private_kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("IBAN DE89 3704 0044 0532 0130 00, born 1981-04-03", {"account", "birth"}),
        ("iban=GB29NWBK60161331926819&dob=12.03.1981", {"account", "birth"}),
        ("Patient, geb. 12.03.1981, ICD-10 F32.1", {"birth", "illness"}),
        ("card: 4012 8888 8888 1881, ssn 219-45-6789", {"card", "number"}),
        ("Mme Faure, née le 3.4.1981; né 1981-04-03", {"birth"}),
        ("date_naissance: 1981-04-03; salaire: 43000", {"birth", "pay"}),
    ],
)
def test_values_of_a_person_are_told_by_check_sum_and_word(text: str, kinds: set[str]) -> None:
    """Accounts and cards by their check digits, the rest by the word before it."""
    assert private_kinds(text) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "IBAN DE88 3704 0044 0532 0130 00",
        "card 4012 8888 8888 1882",
        "order 4012888888881881 of 2025-04-03",
        "built 1981-04-03, version 12.03.1981",
        "diagnostics E10 port 8080",
        "AB12CDEF3456GHIJ7890",
    ],
)
def test_other_numbers_are_nobodys(text: str) -> None:
    """A wrong check digit, an order, a build date, an error code."""
    assert private_kinds(text) == set()
