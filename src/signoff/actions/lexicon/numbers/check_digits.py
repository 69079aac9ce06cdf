"""Check digits: whether a number can be one of its kind, or only looks like it.

    is_luhn("4012888888881881")                  True
    is_iban("DE89370400440532013000")            True
    weighted("123", (3, 2, 1))                   3*1 + 2*2 + 1*3 = 10

Each function takes digits (and letters, where the kind has them) without spaces or dashes.
"""

from __future__ import annotations

from collections.abc import Iterable

# The dihedral group of order 10, and the powers of its permutation (Verhoeff 1969).
_PRODUCTS = (
    *("0123456789", "1234067895", "2340178956", "3401289567", "4012395678"),
    *("5987604321", "6598710432", "7659821043", "8765932104", "9876543210"),
)
_PERMUTED = (
    *("0123456789", "1576283094", "5803796142", "8916043527"),
    *("9453126870", "4286573901", "2793806415", "7046913258"),
)


def is_luhn(digits: str) -> bool:
    """Return whether the last digit fits the others (ISO/IEC 7812: cards, and many others)."""
    values = [int(char) for char in digits]
    doubled = [sum(divmod(2 * one, 10)) for one in values[-2::-2]]
    return (sum(doubled) + sum(values[-1::-2])) % 10 == 0


def is_iban(number: str) -> bool:
    """Return whether 15 to 34 characters are an account number (ISO 13616): modulo 97 is 1."""
    if not 15 <= len(number) <= 34:
        return False
    moved = number[4:] + number[:4]
    return int("".join([str(int(char, 36)) for char in moved])) % 97 == 1


def is_iso7064_mod11_10(digits: str) -> bool:
    """Return whether the last digit fits the others (ISO 7064, MOD 11,10)."""
    product = 10
    for char in digits[:-1]:
        product = ((int(char) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def is_iso7064_mod11_2(digits: str) -> bool:
    """Return whether the last character, a digit or `X`, fits the others (ISO 7064, MOD 11-2)."""
    rest = 0
    for char in digits[:-1]:
        rest = (rest + int(char)) * 2 % 11
    return "10X98765432"[rest] == digits[-1].upper()


def is_verhoeff(digits: str) -> bool:
    """Return whether the last digit fits the others (Verhoeff's method)."""
    product = "0"
    for place, char in enumerate(reversed(digits)):
        product = _PRODUCTS[int(product)][int(_PERMUTED[place % 8][int(char)])]
    return product == "0"


def weighted(digits: str, weights: Iterable[int]) -> int:
    """Return the sum of the digits, each times its weight.

    Raises:
        ValueError: there are not as many weights as digits.
    """
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
