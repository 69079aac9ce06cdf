"""Texts that read as a shell line which does something that counts.

Not every word with a blank in it is a line: a message, a title and a pattern are none. What starts
with a program that deletes, overwrites, fetches or starts a shell, with words that fit, is one.

    starts_as_line("rm -rf build")           ->  True
    starts_as_line("how to remove a file")   ->  False

How PowerShell is started stands here too: which of its words are the text it runs.

    -nop -w hidden -enc SQBFAFgA   ->  (ENCODED, 4): the word at 4 is base64 of UTF-16
    -c Get-ChildItem               ->  (TEXT, 1)
    -NoLogo build.ps1              ->  (OPERAND, 1)
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from enum import Enum, auto

from signoff.actions.vocabulary import lazy_re, words

_STARTS = lazy_re(
    r"\s*(?:(?:sudo|doas|exec|env|nohup|command|then)\s+)*(?:/[\w./-]*/)?"
    r"(?:rm\s+(?:--\s+)?-\w|rm\s+[/~]|shred\s+\S|wipefs\s|mkfs[.\w]*\s|dd\s+(?:if|of|bs)=|"
    r"(?:curl|wget)\s.*(?:\||https?:)|ncat?\s+-|(?:ba|z|da|k|a)?sh\s+-\w*c\s|"
    r"(?:chmod|chown)\s+-R\s|find\s.*\s-delete|kill(?:all)?\s+-|pkill\s|shutdown\b|reboot\b|"
    r"truncate\s+-s|crontab\s|base64\s+-d|:\s*>|>\s*[/~]|mv\s+[/~]|"
    r"python\d?\s+-c\s|git\s+(?:push|clean|reset)\s|signoff\s+\w)"
)
MAX_CHARS = 4_000
# Stands for lines beyond a limit; the shell understanding cannot tell what it runs either.
UNREAD_LINES = 'eval "$LINES_THAT_WERE_NOT_READ"'


def starts_as_line(text: str) -> bool:
    """Tell whether a text begins like a shell line with an effect worth checking."""
    # `match`, not `search`: a sentence may well name a command further on.
    return _STARTS.match(text[:MAX_CHARS]) is not None


SWITCHES = words(
    "noprofile nop noprofileloadtime noninteractive noni nologo nol noexit noe sta mta login l "
    "interactive i help h ? version v"
)
_COMMAND = words("command c commandwithargs cwa")
_ENCODED = words("encodedcommand enc ec e encoded")
_FILE = words("file f")
_BASE64 = lazy_re(r"[A-Za-z0-9+/=]{16,}")


class HandedText(Enum):
    """The kind of text that PowerShell is given to run."""

    TEXT = auto()
    ENCODED = auto()
    FILE = auto()
    OPERAND = auto()
    INPUT = auto()


def given_to_powershell(texts: Sequence[str]) -> tuple[HandedText, int]:
    """Return the kind of text PowerShell is given, and the index of its first word."""
    at = 0
    while at < len(texts) and is_option(texts[at]):
        name = texts[at].lstrip("-/\u2013\u2014\u2015").lower()
        at += 1
        kind = _kind_of(name)
        if kind is not None:
            return kind, at
        at += name not in SWITCHES  # all others take a value
    return (HandedText.OPERAND, at) if at < len(texts) else (HandedText.INPUT, at)


def is_option(text: str) -> bool:
    """Return whether a word is an option; PowerShell accepts typographic dashes."""
    return text[:1] in {"-", "\u2013", "\u2014", "\u2015"} or (
        text[:1] == "/" and "/" not in text[1:]
    )


def _kind_of(name: str) -> HandedText | None:
    if name in _COMMAND or (len(name) > 2 and "command".startswith(name)):
        return HandedText.TEXT
    if name in _ENCODED or (len(name) > 1 and "encodedcommand".startswith(name)):
        return HandedText.ENCODED
    if name in _FILE or (len(name) > 1 and "file".startswith(name)):
        return HandedText.FILE
    return None


def decoded_command(text: str) -> str | None:
    """Decode a PowerShell `-EncodedCommand` (Base64 of UTF-16), None if it is not valid."""
    if not _BASE64.fullmatch(text):
        return None
    try:
        plain = base64.b64decode(text, validate=True).decode("utf-16-le")
    except (binascii.Error, ValueError):
        return None
    return plain if plain.isprintable() or "\n" in plain else None
