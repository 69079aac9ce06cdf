"""Takes masks off text that only a model would read.

Spaced letters, digits for letters, base64, hexadecimal, and sentences written from right to left.

Each mask that is found gives one more text to scan; ordinary text gives none. Only short texts
are looked at: a mask needs no megabyte.

    unmasked("i g n o r e  t h i s")  ->  ("ignore this",)
"""

from __future__ import annotations

import base64
import binascii
from itertools import islice
from urllib.parse import unquote

from signoff.actions.vocabulary import lazy_re
from signoff.assess.patterns.decoding import forms
from signoff.assess.patterns.pattern import SEPARATOR

TEXT_LIMIT = 20_000
TOKEN_LIMIT = 20
BASE64_AT_LEAST = 40
# Frequent words from right to left; three of them in a line are no accident.
_BACKWARDS = frozenset(
    (
        *("eht", "dna", "rof", "uoy", "ruoy", "htiw", "morf", "siht", "taht", "lla", "ton", "resu"),
        *("tnega", "dnes", "tnatsissa"),
    )
)
_BACKWARDS_AT_LEAST = 3

_HEX_RUN = lazy_re(r"\b(?:[0-9a-fA-F]{2}){24,}\b")
_PASSAGES = lazy_re(r'[\n"]')

# `1` stands for `i` or `l`: nobody can tell which, so both are read.
_LEET = str.maketrans("0134578@$!", "oieastbasi")
_LEET_L = str.maketrans("0134578@$!", "oleastbasi")


def unmasked(text: str) -> tuple[str, ...]:
    """Return what a disguised text says (spaced, leet, Base64, encoded); () if none is found."""
    if len(text) > TEXT_LIMIT:
        return ()
    found = [*_spaced(text), *_leet(text), *carried(text)]
    if text.count("&#") > 5 or text.count("%") > 5:
        found.extend(forms(text)[1:])
    return tuple(found)


def carried(text: str) -> tuple[str, ...]:
    """Give the sentences a text carries in base64, in hexadecimal or from right to left."""
    if len(text) > TEXT_LIMIT:
        return ()
    return (*_base64(text), *_hex(text), *_reversed(text))


def without_leet(text: str) -> str:
    """Drop copies with letters for digits from joined texts: digits of a secret are its own."""
    if SEPARATOR not in text:
        return text
    parts = text.split(SEPARATOR)
    copies = {
        part.translate(table)
        for part in parts
        for table in (_LEET, _LEET_L)
        if len(part) <= TEXT_LIMIT and part.translate(table) != part
    }
    return SEPARATOR.join(part for part in parts if part not in copies)


def _spaced(text: str) -> list[str]:
    """Join letters that stand alone: `s e n d  i t`, and groups of four of one run of letters."""
    parts = text.split()
    if len(parts) < 12:
        return []
    if sum(len(part) == 1 and part.isalnum() for part in parts) > 0.7 * len(parts):
        # Two blanks or a line end part the words where one blank parts the letters.
        words = text.replace("\n", "  ").split("  ")
        return [" ".join("".join(word.split()) for word in words)]
    if sum(len(part) == 4 for part in parts) > 0.8 * len(parts):
        return ["".join(parts), "".join(parts).translate(_LEET)]
    return []


def _leet(text: str) -> list[str]:
    mixed = sum(
        any(letter.isalpha() for letter in part) and any(letter in "013457@$" for letter in part)
        for part in text.split()[:400]
    )
    # A few words with digits are ordinary: `base64`, `oauth2.0`, `utf-16`.
    return [text.translate(_LEET), text.translate(_LEET_L)] if mixed >= 4 else []


def _base64(text: str) -> list[str]:
    found: list[str] = []
    for token in text.split()[:2000]:
        if len(token) >= BASE64_AT_LEAST and len(found) < TOKEN_LIMIT and token.isascii():
            try:
                plain = base64.b64decode(token + "=" * (-len(token) % 4), validate=True).decode()
            except (binascii.Error, ValueError):
                continue
            # Keys, pictures and hashes decode to bytes or to one word; only sentences are of
            # interest.
            if plain.isprintable() and " " in plain:
                found.append(unquote(plain))
    return found


def _hex(text: str) -> list[str]:
    found: list[str] = []
    for match in islice(_HEX_RUN.finditer(text), TOKEN_LIMIT):
        run = match[0]
        plain = bytes.fromhex(run[: len(run) // 2 * 2]).decode("utf-8", "replace")
        # Keys and hashes decode to bytes; only sentences are of interest.
        if plain.isprintable() and plain.count(" ") > 2 and plain.isascii():
            found.append(plain)
    return found


def _reversed(text: str) -> list[str]:
    found: list[str] = []
    for line in _PASSAGES.split(text):
        words = line.split()
        if sum(word.strip(",.:;!") in _BACKWARDS for word in words) >= _BACKWARDS_AT_LEAST:
            found.append(line[::-1])
    return found[:TOKEN_LIMIT]
