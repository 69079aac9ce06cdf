"""Colours of the command line follow the variables that Rich follows."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from signoff.frontends.cli.styled_lines import StyledLine, StyledText, understands_ansi

LINE = StyledLine(
    (
        StyledText("deny", colour="red", is_bold=True),
        StyledText(" rm [red]x"),
        StyledText(" dim", is_dim=True),
    )
)


class Terminal(io.StringIO):
    """A file that is a terminal or none."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Tell what it was made as."""
        return self._is_terminal


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"TERM": "xterm-256color"},
        {"TERM": "dumb"},
        {"TERM": "unknown", "FORCE_COLOR": "1"},
        {"FORCE_COLOR": "1"},
        {"FORCE_COLOR": ""},
        {"TTY_COMPATIBLE": "1"},
        {"TTY_COMPATIBLE": "0", "FORCE_COLOR": "1"},
        {"TTY_COMPATIBLE": "x"},
        {"NO_COLOR": "1"},
    ],
    ids=str,
)
def test_escape_sequences_are_printed_where_rich_prints_them(
    environment: dict[str, str], *, is_terminal: bool
) -> None:
    """Whether the output is a terminal, is made to be one, or is a dumb one."""
    out = Terminal(is_terminal=is_terminal)
    Console(file=out, _environ=environment).print("x", style="bold")

    assert ("\x1b" in out.getvalue()) == understands_ansi(environment, is_terminal=is_terminal)


def test_a_line_is_the_same_without_its_colours() -> None:
    """Nothing in a text is taken for markup."""
    assert "deny rm [red]x dim" == LINE.plain
    assert LINE.plain == re.sub(r"\x1b\[\d+m", "", LINE.ansi(has_colours=True))


def test_bold_and_dim_stay_without_colours() -> None:
    """`NO_COLOR` takes the colours alone."""
    assert "\x1b[31m" in LINE.ansi(has_colours=True)
    assert "\x1b[1mdeny\x1b[0m rm [red]x\x1b[2m dim\x1b[0m" == LINE.ansi(has_colours=False)
