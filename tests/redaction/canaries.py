"""Calls with a canary in every place of a secret: the written ways, and every described place.

A canary is made of plain letters, so that nothing but its place tells that it is a secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signoff.actions.action import Action, ActionKind
from signoff.actions.programs.registry import index
from signoff.actions.programs.secret_notation import PlaceKind, SecretPlace, read_places

FOLDER = Path(__file__).parent
MARK = "@@"
CANARY = "plumkettle"
FUNCTION = "function:"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCall:
    """One call; `keep` are parts that must stay readable."""

    id: str
    tool: str
    input: dict[str, Any]
    keep: tuple[str, ...] = ()

    @property
    def action(self) -> Action:
        """The call as a value."""
        if self.tool.startswith(FUNCTION):
            name = self.tool.removeprefix(FUNCTION)
            return Action(tool=name, arguments=self.input, kind=ActionKind.FUNCTION)
        return Action(tool=self.tool, arguments=self.input, cwd="/home/dev/project")

    @property
    def payload(self) -> dict[str, Any]:
        """The call as the API takes it."""
        if self.tool.startswith(FUNCTION):
            return {"function": self.tool.removeprefix(FUNCTION), "kwargs": self.input}
        return {"tool_name": self.tool, "tool_input": self.input, "cwd": "/home/dev/project"}


def secret_ways() -> tuple[WrittenCall, ...]:
    """Return the ways to write a secret, each with a canary of its own."""
    return tuple(
        WrittenCall(id=said["id"], tool=said["tool"], input=_filled(said["input"], _canary(number)))
        for number, said in enumerate(_lines("secret_ways.jsonl"), 1)
    )


def look_alikes() -> tuple[WrittenCall, ...]:
    """Return calls without a secret that look as if they had one."""
    return tuple(
        WrittenCall(id=one["id"], tool=one["tool"], input=one["input"], keep=tuple(one["keep"]))
        for one in _lines("look_alikes.jsonl")
    )


def described_places() -> tuple[WrittenCall, ...]:
    """Return a command for each place that the shipped descriptions name."""
    return tuple(
        WrittenCall(id=f"place-{number}", tool="Bash", input={"command": line})
        for number, line in enumerate(_described_lines(), 1)
    )


def _described_lines() -> Iterator[str]:
    number = 10_000
    for program, lines in sorted(index().secret_places.items()):
        for path, places in lines:
            for place in read_places(places):
                for said in path.split(","):
                    number += 1
                    words = (program, said.strip(), place.only_with)
                    start = " ".join(word for word in words if word)
                    yield _line(start, place, _canary(number))


def _line(start: str, place: SecretPlace, canary: str) -> str:
    """Return a line with the canary in the place."""
    mark = place.mark
    match place.kind:
        case PlaceKind.AFTER_WORD:
            line = f"{start} {place.name} {canary}"
        case PlaceKind.BEGINNING:
            line = f"{start} '{place.name}{canary}'"
        case PlaceKind.INPUT:
            line = f"echo '{'name' + mark if mark else ''}{canary}' | {start}"
        case PlaceKind.OPTION:
            line = f"{start} {place.name}{_value(mark, canary)}"
        case PlaceKind.OPERAND:
            fill = ["word"] * max(0, place.number - 1)
            line = " ".join((start, *fill, f"name{mark}{canary}" if mark else canary))
            line = f"{start} my.token {canary}" if mark == ">" else line
    return line


def _value(mark: str, canary: str) -> str:
    """Return what follows the name of an option."""
    if mark in {"", "!"}:
        return canary if mark else f" {canary}"
    if mark == "==":
        return f" name={canary}"
    return f" {mark[1:] if mark[0] == '=' else f'name{mark}'}{canary}"


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as source:
        yield from map(json.loads, source)


def _canary(number: int) -> str:
    """Return a canary of plain letters, another one for each number."""
    letters, left = "", number * 7919
    for _ in range(4):
        left, place = divmod(left, 26)
        letters += chr(ord("a") + place)
    return CANARY + letters


def _filled(value: Any, canary: str) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return value.replace(MARK, canary)
        case dict():
            return {name: _filled(item, canary) for name, item in value.items()}
        case list():
            return [_filled(item, canary) for item in value]
        case _:
            return value
