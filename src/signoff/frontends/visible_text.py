"""Text from outside, made safe to show: nothing in it moves the cursor, hides or turns around.

Control, format, separator, private-use, surrogate and unassigned characters are written as
`\\u{..}`; tab and newline stay where the caller lays text out over lines.

    visible("rm \\x1b[8m-rf\\u202e")  ->  "rm \\\\u{1b}[8m-rf\\\\u{202e}"
"""

from __future__ import annotations

import unicodedata

UNSHOWN = frozenset({"Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"})


def visible(text: str, *, keep: str = "") -> str:
    """Return the text with every character that would not show as itself written out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char
        if char in keep or unicodedata.category(char) not in UNSHOWN
        else f"\\u{{{ord(char):x}}}"
        for char in text
    )
