"""The help of every command fits a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from signoff.frontends.cli.app import COMMANDS, app

WIDTH = 80


def helps(command: click.Command, path: str, above: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the help of a command and of all below it."""
    context = click.Context(command, info_name=path, parent=above, terminal_width=WIDTH)
    yield f"{above.command_path} {path}", command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from helps(below, name, context)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_help_is_cut_or_broken_by_a_terminal(name: str) -> None:
    """A list of choices is one word to whoever wraps lines: it is written as text."""
    above = click.Context(app, info_name="signoff")
    command = app.get_command(above, name)
    assert command is not None

    long = [
        (path, line)
        for path, text in helps(command, name, above)
        for line in text.splitlines()
        if len(line) > WIDTH
    ]

    assert [] == long
