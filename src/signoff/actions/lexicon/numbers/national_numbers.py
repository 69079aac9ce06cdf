"""Numbers that a state gives to one person, told by their form and check digits.

A number whose form is its own (`RSSMRA85T10A562S`) counts wherever it stands; one that looks like
any other number counts behind its name (`SSN: 219-45-6789`).

    has_national_number("codice fiscale RSSMRA85T10A562S")   True
    has_national_number("invoice 219-45-6789")               False

Sources: the rules that the issuing states publish; SSN: 20 CFR 422.103; NINO: HMRC NIM39110;
resident identity number of China: GB 11643-1999; personnummer: SKV 704; Aadhaar: Verhoeff (1969).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import Struct

from signoff.actions.lexicon.numbers.check_digits import (
    is_iso7064_mod11_2,
    is_iso7064_mod11_10,
    is_luhn,
    is_verhoeff,
    weighted,
)
from signoff.actions.vocabulary import lazy_re2

MOST_FOUND = 20
# Numbers that were printed in advertisements, and that documents use as examples.
_SAMPLES = frozenset({"078051120", "219099999", "123456789", "987654321", "12345678909"})
_ITALIAN_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (
            *(1, 0, 5, 7, 9, 13, 15, 17, 19, 21),
            *(1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10),
            *(22, 25, 24, 23),
        ),
        strict=True,
    )
)


class NationalNumber(Struct, frozen=True):
    """The number of one state.

    Args:
        expression: RE2 syntax; group 1 is the number.
        is_valid: whether the letters and digits of a number, without what separates them, hold.
    """

    expression: str
    is_valid: Callable[[str], bool]


def _is_us(number: str) -> bool:
    area, group, serial = number[:3], number[3:5], number[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _is_british(number: str) -> bool:
    return number[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ") and number != "QQ123456C"


def _is_french(number: str) -> bool:
    """Compare the last two digits with the remainder; `2A` and `2B` are the parts of Corsica."""
    digits = number.replace("2A", "19").replace("2B", "18")
    return digits.isdecimal() and 97 - int(digits[:-2]) % 97 == int(digits[-2:])


def _is_italian(number: str) -> bool:
    total = sum(
        _ITALIAN_ODD[char] if place % 2 == 0 else int(char, 36) - (10 if char.isalpha() else 0)
        for place, char in enumerate(number[:15])
    )
    return chr(ord("A") + total % 26) == number[15]


def _is_spanish(number: str) -> bool:
    digits = number.translate(str.maketrans("XYZ", "012"))[:8]
    return digits.isdecimal() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]


def _is_brazilian(number: str) -> bool:
    return all(
        weighted(number[:count], range(count + 1, 1, -1)) * 10 % 11 % 10 == int(number[count])
        for count in (9, 10)
    )


def _is_polish(number: str) -> bool:
    return weighted(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def _is_dutch(number: str) -> bool:
    return weighted(number, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def _is_swedish(number: str) -> bool:
    return is_luhn(number[-10:])


NUMBERS: Sequence[NationalNumber] = (
    NationalNumber(
        r"\b(?i:ssn|social.security(?:.(?:number|no\.?|#))?)[^\d\n]{0,16}(\d{3}-?\d{2}-?\d{4})\b",
        _is_us,
    ),
    NationalNumber(
        r"\b(?i:nino|national.insurance(?:.(?:number|no\.?))?)[^\w\n]{0,8}"
        r"([A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D])\b",
        _is_british,
    ),
    NationalNumber(
        r"\b([12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2})\b", _is_french
    ),
    NationalNumber(r"\b([A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z])\b", _is_italian),
    NationalNumber(
        r"\b(?i:dni|nie|nif)\b[^\w\n]{0,8}([XYZ]?\d{7,8}-?[A-HJ-NP-TV-Z])\b", _is_spanish
    ),
    NationalNumber(
        r"(?i:steuer-?id\w*|identifikationsnummer|idnr)[^\w\n]{0,8}(\d{2} ?\d{3} ?\d{3} ?\d{3})\b",
        is_iso7064_mod11_10,
    ),
    NationalNumber(r"\b(\d{3}\.\d{3}\.\d{3}-\d{2})\b", _is_brazilian),
    NationalNumber(r"\b(?i:pesel)\b[^\w\n]{0,8}(\d{11})\b", _is_polish),
    NationalNumber(r"\b(?i:bsn|burgerservicenummer)\b[^\w\n]{0,8}(\d{9})\b", _is_dutch),
    NationalNumber(
        r"\b((?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[-+]\d{4})\b", _is_swedish
    ),
    NationalNumber(
        r"\b([1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx])\b",
        is_iso7064_mod11_2,
    ),
    NationalNumber(r"\b(?i:aadhaar|uidai)\b[^\d\n]{0,16}(\d{4} ?\d{4} ?\d{4})\b", is_verhoeff),
)
_COMPILED = [(lazy_re2(one.expression), one.is_valid) for one in NUMBERS]


def has_national_number(text: str) -> bool:
    """Return whether a text holds a valid number of a person; examples of documents do not count.

    At most 20 numbers of each state are looked at.
    """
    return any(
        _is_real(match[1], is_valid)
        for expression, is_valid in _COMPILED
        for match in islice(expression.finditer(text), MOST_FOUND)
    )


def _is_real(found: str, is_valid: Callable[[str], bool]) -> bool:
    """Return whether a number is valid and no stand-in: an example, one digit again and again."""
    number = "".join(filter(str.isalnum, found)).upper()
    return number not in _SAMPLES and len(set(number)) > 1 and is_valid(number)
