"""`signoff programs`: check descriptions of programs before they decide anything.

    signoff programs lint                   can they be read, and what is likely a mistake
    signoff programs test                   do the examples beside the descriptions hold
    signoff programs explain frob destroy x what is described of it, and what the line does

Without FILE these are the files of your own folder and of the project around the working folder.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping

import click

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.actions.programs.compiling import read_family
from signoff.actions.programs.examples import Example, mismatches, spelled
from signoff.actions.programs.families import FAMILIES
from signoff.actions.programs.lint import lint_descriptions
from signoff.actions.programs.own import OwnPrograms, own_programs
from signoff.actions.programs.registry import find, read_source
from signoff.actions.programs.source import Described
from signoff.actions.shell.meaning import PURE_WRAPPERS
from signoff.actions.understand import understand
from signoff.build.judge import build_programs, load_settings_here, program_folders
from signoff.challenge.visible import visible_lines
from signoff.errors import BadProgram, BadSettings
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, echo_json, json_option
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import say
from signoff.settings import Settings
from signoff.storage.reloading.own_programs import (
    FILE_LIMIT,
    read_files,
    read_own_file,
    texts_of,
)
from signoff.storage.text_file import read_text
from signoff.values import count_of

# Where examples are set: they must say the same on every machine.
HOME, PROJECT = "/home/dev", "/home/dev/project"
SHOWN_LINES = 40  # of one description

programs_file = click.argument("file", required=False, type=click.Path(dir_okay=False))


@click.group("programs", cls=AnsweringGroup)
def command() -> None:
    """Check, test and explain descriptions of programs."""


@command.command("lint")
@programs_file
@json_option
def lint_command(*, file: str | None, is_json: bool) -> None:
    """Find mistakes in descriptions; exit status 1 if there are any."""
    with errors_as_messages():
        sources = _sources(file)
        programs = [one for texts in sources for one in read_files(texts)]
        notes = [
            note
            for texts in sources
            for name, text in texts.items()
            for note in lint_descriptions(text, file=name)
        ]
    if is_json:
        echo_json([{"place": str(note.place), "message": note.message} for note in notes])
        sys.exit(1 if notes else 0)
    for note in notes:
        say(f"{note.place}: {note.message}")
    for name in sorted({name for one in programs for name in one.names}):
        if name in PURE_WRAPPERS:
            say(f"note: signoff judges what `{name}` runs; a description of it changes nothing")
        elif find(name):
            say(f"note: signoff describes `{name}` too; yours only adds to it")
    say(f"{count_of(len(programs), 'description')}, {count_of(len(notes), 'mistake')}")
    sys.exit(1 if notes else 0)


@command.command("test")
@programs_file
@json_option
def test_command(*, file: str | None, is_json: bool) -> None:
    """Run the examples beside descriptions.

    Exit status 1 means that one does not hold.
    """
    with errors_as_messages():
        user, project = _sources(file)
        own = own_programs(read_files(user), read_files(project), digest="examples")
        texts = [*user.items(), *project.items()]
        examples = [one for name, text in texts for one in _described(name, text).examples]
    with progress("judging the examples"):
        judged = [(example, run_example(example, own)) for example in examples]
    wrong = [(example, differences) for example, differences in judged if differences]
    if is_json:
        told = [
            {"place": str(example.place), "line": example.line, "differences": differences}
            for example, differences in wrong
        ]
        echo_json({"examples": len(examples), "wrong": told})
        sys.exit(1 if wrong else 0)
    for example, differences in wrong:
        for said in differences:
            say(f"{example.place}: `{example.line}`: {said}")
    say(f"{count_of(len(examples), 'example')}, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


@command.command(
    "explain", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("name")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@json_option
def explain_command(*, name: str, args: tuple[str, ...], is_json: bool) -> None:
    """Show a program's description and what a line does.

    --json stands before its name: what follows the name belongs to the program.
    """
    with errors_as_messages():
        settings = load_settings_here()
        shown = [*_shipped(name), *_own(settings, name)]
        own = build_programs(settings).current()
        operations = operations_of(shlex.join([name, *args]), own)
    if is_json:
        does = [{"does": spelled(one), "target": one.target} for one in operations]
        echo_json({"program": name, "descriptions": shown, "operations": does})
        return
    if not shown:
        say(f"`{name}` is not described; it is judged by its words")
    for text in shown:
        say("\n".join(visible_lines(text)))
    for operation in operations:
        target = f"  {operation.target}" if operation.target else ""
        say(f"does      {spelled(operation)}{target}")


def operations_of(line: str, own: OwnPrograms | None) -> Operations:
    """Return the operations of a shell line, on a fixed imaginary machine.

    Args:
        own: further program descriptions; None = only shipped ones.
    """
    action = Action(tool="Bash", arguments={"command": line}, cwd=PROJECT)
    return understand(action, Facts(home=HOME, project=PROJECT, programs=own)).operations


def run_example(example: Example, own: OwnPrograms | None) -> list[str]:
    """Return how an example's result differs from the expected one; [] if it does not."""
    return list(mismatches(example, operations_of(example.line, own)))


def _sources(file: str | None) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Read one file, or the user's and the project's.

    Raises:
        BadProgram: there is nothing to read, or it cannot be read.
    """
    if file is not None:
        try:
            text = read_text(file, limit=FILE_LIMIT)
        except BadSettings as error:
            raise BadProgram(str(error)) from error
        if text is None:
            raise BadProgram(f"{file}: no such file")
        return {file: text}, {}
    settings = load_settings_here()
    user, project = map(texts_of, program_folders(settings))
    if not user and not project:
        raise BadProgram(
            f"{settings.programs_dir}: no file of descriptions (*.yaml); "
            "docs/how-to/own-programs.md shows how to write one"
        )
    return user, project


def _described(name: str, text: str) -> Described:
    return read_own_file(text, file=name)


def _shipped(name: str) -> Iterator[str]:
    """Yield signoff's own description of a program, as it is written."""
    if find(name) is None:
        return
    for family in FAMILIES:
        text = read_source(f"{family}.yaml").decode()
        # A cheap look first: most families do not name the program at all.
        if name in text:
            yield from _entries(name, text, read_family(read_source, family), f"{family}.yaml")


def _own(settings: Settings, name: str) -> Iterator[str]:
    """Yield the user's and the project's descriptions of a program, as they are written."""
    for folder in program_folders(settings):
        for file, text in texts_of(folder).items():
            yield from _entries(name, text, _described(file, text), file)


def _entries(name: str, text: str, described: Described, file: str) -> Iterator[str]:
    lines = text.splitlines()
    for one, (first, last) in zip(described.programs, described.lines, strict=True):
        if name in one.names:
            shown = lines[first - 1 : last][:SHOWN_LINES]
            left = last - first + 1 - len(shown)
            more = [f"... {count_of(left, 'more line')}"] if left > 0 else []
            yield "\n".join([f"described {os.path.normpath(file)}:{first}", *shown, *more])
