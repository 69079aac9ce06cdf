"""Lines that are longer than a terminal is wide, broken at words.

What follows a label (`call:  `, `  - `) stands under its text. The call itself, behind `  | `, is
left as it is: nothing may look like a line of its own that is none.

    in_columns(text, columns_of(terminal))
"""

from __future__ import annotations

import os

from signoff.actions.vocabulary import lazy_re

EXACT = "  | "  # before each line of the call, as `challenge/card.py` writes it
LABEL = lazy_re(r" *(?:[a-z ]{1,12}: +|- |\d+\. )?")
COLOUR = lazy_re(r"\x1b\[[0-9;]*m")
LEAST = 20  # columns for text: with less, the terminal breaks it as well as we could


def columns_of(terminal: int) -> int:
    """Return the width of a terminal in columns, 0 if unknown.

    Args:
        terminal: its file descriptor.
    """
    try:
        return os.get_terminal_size(terminal).columns
    except OSError:
        return 0


def in_columns(text: str, columns: int, *, indent: int | None = None) -> str:
    """Break the lines of a text at blanks so that they fit; longer words stay whole.

    Args:
        columns: the width; 0 = no limit.
        indent: indentation of continued lines; None = below the text after a label.
    """
    if not columns:
        return text
    return "\n".join(_broken(line, columns, indent) for line in text.split("\n"))


def _broken(line: str, columns: int, indent: int | None) -> str:
    label = LABEL.match(line)
    under = indent if indent is not None else label.end() if label else 0
    if _length(line) <= columns or line.startswith(EXACT) or columns - under < LEAST:
        return line
    first, *words = line[under:].split(" ")
    lines, shown = [], line[:under] + first
    for word in words:
        # A word that is too long anyway stays behind its label.
        if _length(shown) + 1 + _length(word) <= columns or not shown[under:].strip():
            shown += f" {word}"
        else:
            lines.append(shown.rstrip())
            shown = " " * under + word
    return "\n".join([*lines, shown])


def _length(text: str) -> int:
    return len(COLOUR.sub("", text))
