"""Answers for programs: the option `--json`, and one JSON value on standard output.

A command that lists or shows something takes `json_option` and prints what it found. Every other
command that ends with a result is given the option by `answer_in_json`, and its answer is one
object: `ok`, `said` (the lines it prints for people), `error` where it failed, and what
`answer_with` adds. With it the lines themselves go to standard error, where a question is seen.

    {"ok": true, "said": ["kept as pol_3"], "id": "pol_3"}
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from contextvars import ContextVar
from functools import wraps

import click

from signoff.assess.verdict import Verdict
from signoff.frontends.cli.exits import EXIT_CODES

json_option = click.option("--json", "is_json", is_flag=True, help="Answer in JSON.")

# What these print is a stream, a file, a dialogue or another program's output, and no result.
WITHOUT_ANSWER = frozenset(
    {
        *("completion", "demo", "exec", "hook", "open", "run", "service init"),
        *("mcp proxy", "mcp-server", "proxy", "serve", "witness serve"),
        *("audit export", "audit query", "audit prove"),  # JSON, or the form that `--format` names
    }
)
_FACTS: ContextVar[dict[str, object] | None] = ContextVar("facts", default=None)


def echo_json(value: object) -> None:
    """Print a value as indented JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def answer_with(**facts: object) -> None:
    """Add facts to the running command's JSON answer; does nothing without `--json`."""
    if (kept := _FACTS.get()) is not None:
        kept.update(facts)


def is_answering() -> bool:
    """Return whether the running command answers in JSON."""
    return _FACTS.get() is not None


def answer_in_json(words: str, command: click.Command) -> click.Command:
    """Give a command the option `--json`, unless it has its own or prints no result.

    Args:
        words: what it is called by, as `approvers add`.
    """
    has_option = any("--json" in parameter.opts for parameter in command.params)
    is_without = has_option or words in WITHOUT_ANSWER
    if command.callback is None or isinstance(command, click.Group) or is_without:
        return command
    said = "Answer in JSON."
    command.params.append(click.Option(["--json", "is_json"], is_flag=True, help=said))
    command.callback = _answering(command.callback)
    return command


def is_alone(context: click.Context, *, is_json: bool) -> bool:
    """Return whether a group is called without a subcommand, and so answers itself.

    Raises:
        UsageError: `--json` stands before a subcommand, which would not see it.
    """
    name = context.invoked_subcommand
    if name is not None and is_json:
        raise click.UsageError(f"give --json behind the subcommand: `{name} --json`")
    return name is None


class AnsweringGroup(click.Group):
    """A command group whose commands have `--json`; `name` is its full name."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand with the option `--json` added."""
        found = self.find_command(ctx, cmd_name)
        return found and answer_in_json(f"{self.name} {cmd_name}", found)

    def find_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a subcommand without `--json`; subclasses load it here."""
        return super().get_command(ctx, name)


class _Lines(io.StringIO):
    """Keeps what is printed, and passes it on to standard error."""

    def write(self, text: str) -> int:
        sys.stderr.write(text)
        sys.stderr.flush()
        return super().write(text)


def _answering(callback: Callable[..., object]) -> Callable[..., object]:
    @wraps(callback)
    def answered(*args: object, is_json: bool = False, **options: object) -> object:
        return _answer(callback, *args, **options) if is_json else callback(*args, **options)

    return answered


def _answer(callback: Callable[..., object], *args: object, **options: object) -> object:
    facts: dict[str, object] = {}
    lines, error, status = _Lines(), "", 0
    before = _FACTS.set(facts)
    try:
        with redirect_stdout(lines):
            return callback(*args, **options)
    except click.ClickException as problem:
        error, status = problem.format_message(), problem.exit_code
        raise
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise
    except BaseException as problem:
        error, status = str(problem) or type(problem).__name__, EXIT_CODES[Verdict.DENY]
        raise
    finally:
        _FACTS.reset(before)
        said = [line for line in click.unstyle(lines.getvalue()).splitlines() if line.strip()]
        failed = {"error": error} if error else {}
        echo_json({"ok": status == 0, "said": said, **failed, **facts})
