"""Text as it really is: nothing invisible stays invisible, and nothing shown can be misread.

Control, format, private, unassigned and separator characters come out as `\\u{..}`, and so do
fillers that look like blanks; runs of blanks come out counted. Nothing is cut off. What is shown
can be turned back into exactly what it stands for, so a card cannot show one thing and mean
another.

    visible("rm \\u202efdp.txt")  ->  "rm \\\\u{202E}fdp.txt"
"""

from __future__ import annotations

from itertools import groupby

BLANKS_LIMIT = 40  # more blanks than any indent push text out of sight (threat T-37)
# Characters that print as nothing or as a blank though they count as letters, marks or symbols.
FILLERS = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
    | set(range(0x180B, 0x1810))
    | set(range(0xFE00, 0xFE10))
    | set(range(0xE0100, 0xE01F0))
)


def visible(text: str) -> str:
    """Return `text` on one line, with control, format and invisible characters escaped."""
    # Nearly every text is such a one, and the walk over all characters is saved.
    if "  " not in text and text.isascii() and text.isprintable() and "\\u{" not in text:
        return text
    return "".join(_shown_run(char, len(list(run))) for char, run in groupby(_marked(text)))


def visible_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text, each with invisible characters escaped as in `visible`."""
    return tuple(visible(line) for line in text.split("\n"))


def restore(shown: str) -> str:
    """Undo `visible`: return the text with its escapes replaced by the characters."""
    pieces = shown.split("\\u{")
    restored = [pieces[0]]
    for piece in pieces[1:]:
        code, _, rest = piece.partition("}")
        digits, _, count = code.partition(" x")
        restored.append(chr(int(digits, 16)) * int(count or 1) + rest)
    return "".join(restored)


def _marked(text: str) -> list[str]:
    """Return the characters; a backslash that would look like our own marks is marked itself."""
    chars = list(text)
    at = text.find("\\u{")
    while at >= 0:
        # Else a call could hold the text of a mark, and be shown like what the mark stands for.
        chars[at] = "\\u{5C}"
        at = text.find("\\u{", at + 1)
    return chars


def _shown_run(char: str, count: int) -> str:
    """Return a run of one character as it is shown."""
    if len(char) > 1:
        return char * count
    if char == " " and count > BLANKS_LIMIT:
        return f"\\u{{20 x{count}}}"
    if char.isprintable() and ord(char) not in FILLERS:
        return char * count
    # Printable leaves out just the categories Cc, Cf, Cs, Co, Cn, Zl, Zp, and Zs but the blank.
    return f"\\u{{{ord(char):X}}}" * count
