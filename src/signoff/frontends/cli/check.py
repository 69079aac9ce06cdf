"""`signoff check`: judge one call, or a stream of them.

    signoff check -- rm -rf build        words, as a shell would pass them on
    signoff check "git push -f"          a whole shell line
    signoff check --tool Write --input '{"file_path": "/etc/hosts", "content": ""}'
    echo '{"tool_name": ...}' | signoff check
    signoff check --batch < calls.jsonl > answers.jsonl

Exit status 0 is allow, 1 ask, 2 deny; what cannot be read is 2. Nothing is asked, recorded or run.
"""

from __future__ import annotations

import gc
import os
import shlex
import sys

import click

from signoff.actions.action import Action
from signoff.errors import BadPayload
from signoff.frontends.assessed_json import assessed_json
from signoff.frontends.cli.batch import answer_lines
from signoff.frontends.cli.exits import EXIT_CODES, errors_as_messages
from signoff.frontends.cli.judging import judge_and_explain, judge_of_this_user
from signoff.frontends.cli.shaping import shaped_by
from signoff.frontends.cli.styled_lines import print_lines
from signoff.frontends.cli.verdict_text import verdict_lines
from signoff.frontends.payloads import Names, Payload, parse_object, read_call
from signoff.frontends.strict_json import MAX_BYTES

SOURCE = "cli"
COLLECT_AFTER = 20_000  # new objects; answers leave nothing behind that waits for the collector


@click.command("check", short_help="Judge one call, or many with --batch.")
@click.argument("line", nargs=-1)
@click.option("--tool", default="Bash", show_default=True, help="The tool that is called.")
@click.option("--input", "tool_input", metavar="JSON", help="The tool's arguments.")
@click.option("--cwd", type=click.Path(), help="The folder it would run in (default: this one).")
@click.option(
    "--batch",
    "is_batch",
    is_flag=True,
    help="Read one JSON call per line, write one JSON answer per line.",
)
@click.option("--json", "is_json", is_flag=True, help="Answer in JSON.")
@click.option(
    "--explain",
    "is_explained",
    is_flag=True,
    help="Show operations, findings, scores, and all settings and rules that shaped them.",
)
@click.option("--agent", default="", help="Judge with the trust in this agent, where it is used.")
def command(  # noqa: PLR0913 - one parameter an option, as click calls it
    *,
    line: tuple[str, ...],
    tool: str,
    tool_input: str | None,
    cwd: str | None,
    is_batch: bool,
    is_json: bool,
    is_explained: bool,
    agent: str,
) -> None:
    """Judge one call without running it; exit status 0 is allow, 1 ask, 2 deny.

    LINE is a shell line, or words as a shell would pass them on. Without it the call is read as
    JSON from standard input; --cwd is its folder where it names none.
    """
    with errors_as_messages():
        if is_batch:
            if line or tool_input or cwd or agent:
                raise click.UsageError("--batch takes no line, --input, --cwd or --agent")
            _answer_batch()
            return
        call = _call(line, tool, tool_input=tool_input, cwd=os.path.abspath(cwd) if cwd else "")
        judged = judge_and_explain(call.action, agent=agent)
    assessed = judged.assessed
    shaped = shaped_by(assessed, judged.shaping) if is_explained else ()
    if is_json:
        click.echo(assessed_json(assessed, id=call.id, shaped=shaped))
    else:
        print_lines(verdict_lines(assessed, is_explained=is_explained, shaped=shaped))
    sys.exit(EXIT_CODES[assessed.preliminary])


def _answer_batch() -> None:
    """Answer every line of standard input."""
    judge = judge_of_this_user()
    # What was built by now stays to the end: the collector need not walk through it each time.
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    answer_lines(lambda size: os.read(0, size), _write, judge)


def _call(line: tuple[str, ...], tool: str, *, tool_input: str | None, cwd: str) -> Payload:
    """Make a call of what was given on the command line.

    Raises:
        BadPayload: it cannot be read.
    """
    if line and tool_input:
        raise click.UsageError("give a line or --input, not both")
    if not line and not tool_input:
        if sys.stdin.isatty():
            raise click.UsageError("give a line, --input, or a call as JSON on standard input")
        given = sys.stdin.buffer.read(MAX_BYTES + 1)
        if not given.strip():
            raise BadPayload(
                "no call was given: pass a shell line (`signoff check -- ls`) or a JSON call on"
                " standard input"
            )
        return _json_call(parse_object(given), cwd)
    if tool_input:
        arguments = parse_object(tool_input)
    else:
        # One word is a whole line; several were split by a shell already, and keep their borders.
        arguments = {"command": _text(line[0] if len(line) == 1 else shlex.join(line))}
    if not tool.isprintable():
        raise BadPayload("the tool's name must be printable")
    action = Action(tool=tool, arguments=arguments, cwd=cwd or os.getcwd(), source=SOURCE)
    return Payload(action=action)


def _json_call(names: Names, cwd: str) -> Payload:
    """Read a call whose folder is its own `cwd`, else the given one, else this one.

    Raises:
        BadPayload: it cannot be read, or its folder is not the given one.
    """
    own = names.get("cwd")
    if not own:
        return read_call({**names, "cwd": cwd or os.getcwd()}, source=SOURCE)
    if cwd and own != cwd:
        raise BadPayload(f"--cwd is `{cwd}`, but the call has another `cwd`; leave one of them out")
    return read_call(names, source=SOURCE)


def _text(line: str) -> str:
    """Return the line if it is text; bytes the terminal could not decode cannot be judged."""
    try:
        line.encode()
    except UnicodeError as error:
        raise BadPayload("the line is not UTF-8 text") from error
    return line


def _write(answers: bytes) -> None:
    """Write all of it to standard output."""
    while answers:
        answers = answers[os.write(1, answers) :]
