"""Lines with colours for a terminal, without Rich: loading it would cost a tenth of a start.

Colours follow the same variables as Rich does: `FORCE_COLOR`, `NO_COLOR`, `TTY_COMPATIBLE`, `TERM`.

    print_lines([StyledLine((StyledText("deny", colour="red", is_bold=True),))])
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping

import click
from msgspec import Struct

from signoff.challenge.channels.columns import in_columns
from signoff.frontends.cli.wrapping import width

DUMB_TERMINALS = ("dumb", "unknown")


class StyledText(Struct, frozen=True, gc=False):
    """A piece of a line; `colour` is a click colour name, "" for the default."""

    text: str
    colour: str = ""
    is_bold: bool = False
    is_dim: bool = False


class StyledLine(Struct, frozen=True, gc=False):
    """One line to print.

    Args:
        under: where a terminal goes on with what does not fit; 0 = it breaks the line itself.
    """

    pieces: tuple[StyledText, ...]
    under: int = 0

    @property
    def plain(self) -> str:
        """The line without colours."""
        return "".join(piece.text for piece in self.pieces)

    def ansi(self, *, has_colours: bool) -> str:
        """The line with escape sequences; bold and dim stay without colours."""
        return "".join(
            click.style(
                piece.text,
                fg=(piece.colour or None) if has_colours else None,
                # For False click writes a code that switches it off; for None it writes nothing.
                bold=piece.is_bold or None,
                dim=piece.is_dim or None,
                reset=piece.is_bold or piece.is_dim or (has_colours and bool(piece.colour)),
            )
            for piece in self.pieces
        )


def print_lines(lines: Iterable[StyledLine]) -> None:
    """Print lines, with escape sequences if the output is a terminal that supports them."""
    is_styled = understands_ansi(os.environ, is_terminal=sys.stdout.isatty())
    # Empty counts as not set: https://no-color.org
    has_colours = not os.environ.get("NO_COLOR")
    for line in lines:
        text = line.ansi(has_colours=has_colours) if is_styled else line.plain
        columns = width() if line.under and sys.stdout.isatty() else 0
        click.echo(in_columns(text, columns, indent=line.under), color=is_styled)


def shows_ansi(*, is_terminal: bool) -> bool:
    """Return whether this process may print escape sequences."""
    return understands_ansi(os.environ, is_terminal=is_terminal)


def understands_ansi(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether escape sequences may be printed.

    Args:
        environment: variables such as `NO_COLOR` and `TERM`.
    """
    if environment.get("TERM", "").lower() in DUMB_TERMINALS:
        return False
    compatible = environment.get("TTY_COMPATIBLE", "")
    if compatible in ("0", "1"):
        return compatible == "1"
    forced = environment.get("FORCE_COLOR")
    # Rich takes an empty FORCE_COLOR for a no.
    return is_terminal if forced is None else forced != ""
