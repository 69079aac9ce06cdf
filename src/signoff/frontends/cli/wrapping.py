"""Text for a terminal: wrapped at words, at 80 columns or what the terminal has if that is less.

echo_wrapped("questions go to ...", label="asked")
"""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

from signoff.challenge.channels.columns import in_columns

WIDTH = 80
LEAST_WIDTH = 40
LABEL_WIDTH = 10


def width() -> int:
    """Return how many columns text may take."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(LEAST_WIDTH, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


def wrapped(text: str, *, label: str = "", indent: int | None = None) -> str:
    """Return text wrapped at words; lines after the first stand under the text, not the label.

    Args:
        label: what stands before the first line, in a column of its own.
        indent: columns before each line; None = the width of the label's column.
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


def wrapped_line(line: str, *, column: int = LABEL_WIDTH) -> str:
    """Return a line of the form `label     text` wrapped under its text, on a terminal.

    What goes to a file or a program stays one line: it is searched, not read.

    Args:
        column: where the text begins.
    """
    if not sys.stdout.isatty() or len(line) <= width():
        return line
    label, text = line[:column], line[column:]
    if not label.endswith(" "):
        return wrapped(line)
    shown = wrapped(text, indent=column)
    return f"{label}{shown[column:]}"


def echo_in_columns(text: str, *, indent: int | None = None) -> None:
    """Print lines as they are, on a terminal broken at words under the text of each.

    Args:
        indent: where lines after the first begin; None = behind the label of each.
    """
    click.echo(in_columns(text, width() if sys.stdout.isatty() else 0, indent=indent))


def echo_wrapped(text: str, *, label: str = "", indent: int | None = None) -> None:
    """Print text wrapped at words."""
    click.echo(wrapped(text, label=label, indent=indent))
