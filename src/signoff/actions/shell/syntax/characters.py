"""Characters that show a person something else than the shell sees, and digits that look like some.

odd_character("rm -rf /\u202e")  ->  "a direction override (U+202E)"
"""

from __future__ import annotations

import re

from signoff.actions.shell.syntax.tree import Unreadable

# Control characters, direction overrides (CVE-2021-42574), and tag characters, which never show.
_NEVER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069"
    "\U000e0000-\U000e007f]"
)
# Blanks and marks of no width that look like nothing, or like a space, but part no words.
_BARE = re.compile(
    "[\x1b\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200f"
    "\u2028\u2029\u202f\u205f-\u2064\u206a-\u206f\u3000\u3164\ufeff\uffa0\ue000-\uf8ff\U000e0100-\U000e01ef]"
)
_QUOTED = re.compile(r"\\.|'[^']*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\"", re.DOTALL)
_NAMES = {"\0": "a NUL character", "\u202e": "a direction override"}


def odd_character(text: str) -> str | None:
    """Return a character that must not be in a line, even in quotes; None if there is none."""
    if text.isprintable():  # none of them is
        return None
    found = _NEVER.search(text)
    return _named(found.group()) if found else None


def without_odd(text: str) -> str:
    """Return the text without such characters, as the shell would see it."""
    return _NEVER.sub("", text)


def refuse_odd(raw: str) -> None:
    """Check that invisible characters only occur in quotes, where they are data.

    Raises:
        Unreadable: one is outside quotes.
    """
    # Of ASCII only ESC is among them; nearly every word ends here.
    if raw.isascii() and "\x1b" not in raw:
        return
    found = _BARE.search(_QUOTED.sub("", raw))
    if found:
        raise Unreadable(_named(found.group()))


def _named(character: str) -> str:
    name = _NAMES.get(character, "an invisible character")
    return f"{name} (U+{ord(character):04X})"


def is_digits(text: str) -> bool:
    """Tell whether a text is all ASCII digits, as the shell defines a number."""
    return text.isascii() and text.isdigit()
