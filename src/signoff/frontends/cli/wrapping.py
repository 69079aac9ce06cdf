"""Text for a terminal: wrapped at words, at 80 columns or what the terminal has if that is less.

echo_wrapped("questions go to ...", label="asked")
"""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

from signoff.challenge.channels.columns import in_columns
from signoff.challenge.visible import visible_lines

WIDTH = 80
LEAST_WIDTH = 40
LABEL_WIDTH = 10


def width(*, is_terminal: bool | None = None) -> int:
    """Return the number of columns that text may use.

    Args:
        is_terminal: None = whether standard output is one.
    """
    if not (sys.stdout.isatty() if is_terminal is None else is_terminal):
        return WIDTH
    return max(LEAST_WIDTH, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


def wrapped(text: str, *, label: str = "", indent: int | None = None) -> str:
    """Return text wrapped at blanks.

    Args:
        label: stands before the first line, in a column of its own.
        indent: columns before each further line; None = the label's width.
    """
    column = (LABEL_WIDTH if label else 0) if indent is None else indent
    first = f"{label:<{column}}" if label else " " * column
    return textwrap.fill(
        text,
        width(),
        initial_indent=first,
        subsequent_indent=" " * column,
        break_long_words=False,  # a path or a command is copied whole
        break_on_hyphens=False,
    )


def say(text: str, *, err: bool = False, colour: str = "", indent: int | None = None) -> None:
    """Print lines of any text: made visible, and on a terminal broken at words.

    What goes to a file or a program stays as it is: it is searched, not read.

    Args:
        err: print on standard error.
        colour: a name that click knows, "" for the terminal's own.
        indent: where lines after the first begin; None = behind the label of each.
    """
    echo_in_columns("\n".join(visible_lines(text)), err=err, colour=colour, indent=indent)


def echo_in_columns(
    shown: str, *, err: bool = False, colour: str = "", indent: int | None = None
) -> None:
    """Like `say`, for text that is visible already and may have colours."""
    is_terminal = (sys.stderr if err else sys.stdout).isatty()
    if is_terminal:
        shown = in_columns(shown, width(is_terminal=True), indent=indent)
    click.secho(shown, fg=colour or None, reset=bool(colour), err=err)


def echo_wrapped(text: str, *, indent: int | None = None) -> None:
    """Print `wrapped` text."""
    click.echo(wrapped(text, indent=indent))
