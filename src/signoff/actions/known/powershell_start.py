"""How PowerShell is started: which of its words are the text it runs, encoded or plain.

-nop -w hidden -enc SQBFAFgA   ->  (ENCODED, 4): the word at 4 is base64 of UTF-16
-c Get-ChildItem               ->  (TEXT, 1)
-NoLogo build.ps1              ->  (OPERAND, 1)
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from enum import Enum, auto

from signoff.actions.vocabulary import words

SWITCHES = words(
    "noprofile nop noprofileloadtime noninteractive noni nologo nol noexit noe sta mta login l "
    "interactive i help h ? version v"
)
_COMMAND = words("command c commandwithargs cwa")
_ENCODED = words("encodedcommand enc ec e encoded")
_FILE = words("file f")
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{16,}")


class Given(Enum):
    """What PowerShell is given to run."""

    TEXT = auto()
    ENCODED = auto()
    FILE = auto()
    OPERAND = auto()
    INPUT = auto()


def given_to_powershell(texts: Sequence[str]) -> tuple[Given, int]:
    """Say what the words behind the name of PowerShell hand over, and from which word on."""
    at = 0
    while at < len(texts) and is_option(texts[at]):
        name = texts[at].lstrip("-/\u2013\u2014\u2015").lower()
        at += 1
        kind = _kind_of(name)
        if kind is not None:
            return kind, at
        at += name not in SWITCHES  # all others take a value
    return (Given.OPERAND, at) if at < len(texts) else (Given.INPUT, at)


def is_option(text: str) -> bool:
    """Whether a word is an option: PowerShell takes dashes of print for a hyphen."""
    return text[:1] in {"-", "\u2013", "\u2014", "\u2015"} or (
        text[:1] == "/" and "/" not in text[1:]
    )


def _kind_of(name: str) -> Given | None:
    if name in _COMMAND or (len(name) > 2 and "command".startswith(name)):
        return Given.TEXT
    if name in _ENCODED or (len(name) > 1 and "encodedcommand".startswith(name)):
        return Given.ENCODED
    if name in _FILE or (len(name) > 1 and "file".startswith(name)):
        return Given.FILE
    return None


def decoded_command(text: str) -> str | None:
    """Return the text of an encoded command, None if it is none."""
    if not _BASE64.fullmatch(text):
        return None
    try:
        plain = base64.b64decode(text, validate=True).decode("utf-16-le")
    except (binascii.Error, ValueError):
        return None
    return plain if plain.isprintable() or "\n" in plain else None
