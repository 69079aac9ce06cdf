"""Calls as the rules see them, built by hand: a plain line into Commands and one Operation each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation, Operations, Reach, Verb
from signoff.actions.shell.command import Command, Redirect, RedirectKind, Word
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleMatch, RuleSet
from signoff.values import replace

UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def rules_of(text: str, *, file: str = "rules.yaml") -> RuleSet:
    """Read rules given without their head."""
    return load_rules(f"version: 1\nrules:\n{text}", file=file)


def word(text: str) -> Word:
    """A word; `$NAME` is not known, a star is a glob."""
    is_known = not text.startswith("$")
    return Word(text=text if is_known else UNKNOWN, is_known=is_known, has_glob="*" in text)


def command(text: str, index: int = 0) -> Command:
    """One simple command, perhaps with `> file` at its end and `NAME=value` at its start."""
    body, _, target = text.partition(" > ")
    words = shlex.split(body)
    assignments = []
    while words and re.match(r"^[A-Z_]+=", words[0]):
        name, _, value = words.pop(0).partition("=")
        assignments.append((name, word(value)))
    redirect = Redirect(kind=RedirectKind.WRITE, target=word(target.strip()))
    return Command(
        words=tuple(map(word, words)),
        assignments=tuple(assignments),
        redirects=(redirect,) if target else (),
        cwd="/home/dev/project",
        index=index,
        source=text,
    )


def line(text: str) -> tuple[Command, ...]:
    """The commands of a line joined by `;`, `&&` or `|`."""
    parts = re.split(r"\s*(?:;|&&|\|)\s*", text)
    return tuple(command(part, index) for index, part in enumerate(parts))


def under(carrier: str, inner: str) -> tuple[Command, ...]:
    """A carrier with what it runs, e.g. `sudo` and `apt update`."""
    outer = command(f"{carrier} {inner}")
    name = carrier.split()[0]
    return (outer, replace(command(inner, 1), parent=0, carriers=(name,)))


def reads(commands: tuple[Command, ...]) -> Operations:
    """One harmless operation for each command."""
    return tuple(read(group=c.index, program=c.program) for c in commands)


def read(*, group: int = 0, program: str = "") -> Operation:
    """An operation that reads in the project."""
    return Operation(verb=Verb.READ, reach=Reach.PROJECT, group=group, program=program)


def bash(text: str) -> Action:
    """A shell call."""
    return Action(tool="Bash", arguments={"command": text}, cwd="/home/dev/project")


def call(tool: str, arguments: Mapping[str, Json]) -> Action:
    """Any other call."""
    return Action(tool=tool, arguments=arguments, cwd="/home/dev/project")


def judge_line(rules: RuleSet, text: str, operations: Operations | None = None) -> RuleMatch | None:
    """Judge a plain line."""
    commands = line(text)
    mine = reads(commands) if operations is None else operations
    return evaluate(rules, bash(text), mine, commands)


def verdict(match: RuleMatch | None) -> str:
    """The action of the rule that settled it, or `none`."""
    return "none" if match is None else match.action.value
