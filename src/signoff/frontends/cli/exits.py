"""How the commands end: 0 is allow, 1 ask, 2 deny, and an error is a deny."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from signoff.assess.verdict import Verdict
from signoff.challenge.channels.columns import in_columns
from signoff.challenge.visible import visible_lines
from signoff.errors import SignoffError
from signoff.frontends.cli.wrapping import width

PREFIX = "Error: "  # which click puts before it
EXIT_CODES = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


class Refusal(click.ClickException):
    """A command-line error that exits with status 2, which hosts read as a denial."""

    exit_code = EXIT_CODES[Verdict.DENY]

    def format_message(self) -> str:
        """Return the message, wrapped if a terminal shows it."""
        columns = width() - len(PREFIX) if sys.stderr.isatty() else 0
        return in_columns(super().format_message(), columns)


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Print a SignoffError on standard error and exit with status 2, a denial for hosts."""
    try:
        yield
    except SignoffError as error:
        raise Refusal("\n".join(visible_lines(str(error)))) from error
