"""`signoff hook <host>`: named here for the help; `__main__` goes to the door itself."""

from __future__ import annotations

import sys

import click

from signoff.frontends.hosts.claude_code.hook import run


@click.group("hook")
def command() -> None:
    """Answer an agent's hook: one event on standard input, one answer on standard output."""


@command.command("claude-code")
@click.option("--deadline", metavar="SECONDS", help="End, and so refuse, after so long.")
def claude_code(deadline: str | None) -> None:
    """Answer Claude Code's PreToolUse hook."""
    sys.exit(run(["--deadline", deadline] if deadline else []))
