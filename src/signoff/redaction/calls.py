"""Which secrets a call holds, by what its tool and its programs do with what they are given.

secrets_of_call(Action(tool="Bash", arguments={"command": "docker login -u me -p tulip"}))
    -> ("tulip",)
redactor_of(redactor, action).text("what `docker login -p tulip` does")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import re2

from signoff.actions.action import Action, Json
from signoff.actions.programs.own import OwnPrograms
from signoff.actions.programs.secret_names import is_secret_name
from signoff.actions.programs.secret_places import secrets_of_command
from signoff.actions.shell.command import Command, Word
from signoff.actions.tools.shell_tool_names import SHELL_TOOLS
from signoff.assess.assessed import Assessed
from signoff.redaction.contents import secrets_in_file
from signoff.redaction.redact import Redactor

# `s/x/y/` of sed and others; RE2 knows no back references, so each mark stands by itself.
_SUBSTITUTION = re2.compile(
    r"\bs(?:/[^/\n]*/([^/\n]+)/|\|[^|\n]*\|([^|\n]+)\||#[^#\n]*#([^#\n]+)#)"
)
# As far as `Redactor.value` goes: what lies beyond is cut off there.
DEPTH_LIMIT = 24
ITEMS_LIMIT = 500
# As much of a line as is written down (`redact.TEXT_LIMIT`).
LINE_LIMIT = 32_768
SHORTEST_FOUND = 6  # characters of what is found by name and then looked for everywhere
LINES = frozenset({"command", "cmd", "script", "code", "shell", "line", "bash"})
CONTENTS = ("content", "new_string", "old_string", "new_source", "text", "data", "body")
PATHS = ("file_path", "path", "notebook_path", "filename", "file")
# How a pair of name and value is called in the arguments of tools.
NAMES = ("name", "key", "field", "selector", "label", "element", "variable", "id")
VALUES = ("value", "text", "content", "val", "new_value")
SECRET_TOOL_WORDS = ("secret", "password", "credential", "passphrase")


def redactor_of(redactor: Redactor, action: Action, assessment: Assessed | None = None) -> Redactor:
    """Return a copy of the redactor that also masks every secret found in this call."""
    known = redactor.knowing(secrets_of_call(action, assessment))
    collector = _Collector(redactor.key, redactor.text_limit, known.known)
    collector.value(action.arguments)
    collector.text(action.description)
    for replacement in _replacements(action.text("command")):
        collector.text(replacement)
    found = [one for one in collector.found if len(one) >= SHORTEST_FOUND]
    return known.knowing(found) if found or known.known else redactor


def _replacements(line: str) -> Iterator[str]:
    """Yield what `s/x/y/` puts in place of something, apart from the pattern before it."""
    if len(line) > LINE_LIMIT:
        return
    for found in _SUBSTITUTION.finditer(line):
        yield found.group(1) or found.group(2) or found.group(3) or ""


def masks_of(redactor: Redactor, action: Action) -> dict[str, str]:
    """Return the secrets of a call, keyed by the mask that replaces each when it is shown."""
    known = redactor_of(redactor, action)
    collector = _Collector(known.key, known.text_limit, known.known)
    collector.value(action.arguments)
    return {redactor.mask(secret): secret for secret in collector.found}


def secrets_of_call(action: Action, assessment: Assessed | None = None) -> tuple[str, ...]:
    """Return the secrets that the meaning of a call reveals, both decoded and as written."""
    commands: Sequence[Command] | None = None
    own: OwnPrograms | None = None
    if assessment is not None:
        commands = assessment.commands
        programs = assessment.facts.programs
        own = programs if isinstance(programs, OwnPrograms) else None
    found: list[str] = []
    if action.tool in SHELL_TOOLS:
        text = action.text("command")
        if not commands:
            commands = _commands_of(text, cwd=action.cwd or "/")
        found.extend(_of_commands(commands, own))
        if len(action.arguments) == 1 or not _has_more(action.arguments):
            return tuple(found)
    found.extend(_of_value(action.arguments, own, 0))
    if any(word in action.tool.lower() for word in SECRET_TOOL_WORDS):
        found.extend(_of_named_tool(action.arguments))
    return tuple(found)


def _has_more(arguments: Mapping[str, Json]) -> bool:
    """Tell whether a shell tool was given more than plain words beside its line."""
    return any(
        not isinstance(value, bool | int | float | None)
        for name, value in arguments.items()
        if name not in {"command", "description"}
    )


def _commands_of(line: str, *, cwd: str) -> Sequence[Command]:
    """Return the commands of a shell line."""
    # Much is loaded to read a line; most who know of secrets read none.
    from signoff.actions.shell.reader import read_shell  # noqa: PLC0415 - see above

    return read_shell(line[:LINE_LIMIT], cwd=cwd).commands


def _of_commands(commands: Iterable[Command], own: OwnPrograms | None) -> Iterator[str]:
    """Yield the secrets of commands, and of the files they write."""
    for command in commands:
        described = own.find(command.program) if own is not None else None
        yield from secrets_of_command(command, described)
        if own is not None:
            for one in own.additions(command.program):
                yield from secrets_of_command(command, one)
        for redirect in command.redirects:
            if redirect.text:
                yield from secrets_in_file(redirect.target.text, redirect.text)
        if command.program == "tee" and command.stdin and command.stdin.text:
            for word in command.words[1:]:
                yield from secrets_in_file(word.text, command.stdin.text)


def _of_value(value: Json, own: OwnPrograms | None, depth: int) -> Iterator[str]:
    """Yield the secrets in arguments, however deep."""
    if depth >= DEPTH_LIMIT:
        return
    match value:
        case None | str() | bool() | int() | float():
            return
        case Mapping():
            yield from _of_mapping(value, own, depth)
        case _:
            yield from _of_words(value, own)
            for item in value[:ITEMS_LIMIT]:
                yield from _of_value(item, own, depth + 1)


def _of_mapping(value: Mapping[str, Json], own: OwnPrograms | None, depth: int) -> Iterator[str]:
    path = next((v for n in PATHS if isinstance(v := value.get(n), str)), "")
    if path:
        for name in CONTENTS:
            if isinstance(text := value.get(name), str):
                yield from secrets_in_file(path, text)
    yield from _of_pair(value)
    for count, (name, item) in enumerate(value.items()):
        if count == ITEMS_LIMIT:
            return
        if isinstance(item, str) and item and name in LINES:
            yield from _of_commands(_commands_of(item, cwd="/"), own)
        yield from _of_value(item, own, depth + 1)


def _of_pair(value: Mapping[str, Json]) -> Iterator[str]:
    """Yield the value of a pair whose name is that of a secret: `{"key": .., "value": ..}`."""
    if any(isinstance(name := value.get(n), str) and is_secret_name(name) for n in NAMES):
        for key in VALUES:
            if isinstance(item := value.get(key), str) and item:
                yield item


def _of_named_tool(arguments: Mapping[str, Json]) -> Iterator[str]:
    """Yield the value a tool keeps whose own name speaks of secrets: `set_secret`."""
    for key in VALUES:
        if isinstance(item := arguments.get(key), str) and item:
            yield item


def _of_words(value: Sequence[Json], own: OwnPrograms | None) -> Iterator[str]:
    """Yield the secrets of a list of words, read as a command and as its arguments."""
    texts = [item for item in value[:ITEMS_LIMIT] if isinstance(item, str)]
    if len(texts) < 2 or len(texts) != len(value[:ITEMS_LIMIT]):
        return
    words = tuple(Word(text=text) for text in texts)
    yield from _of_commands((Command(words=words), Command(words=(Word(text="_"), *words))), own)


@dataclass(frozen=True, slots=True)
class _Collector(Redactor):
    """A redactor that records the secrets it masks."""

    found: list[str] = field(default_factory=list, repr=False)

    def mask(self, secret: str) -> str:
        """Record a secret and return its mask."""
        self.found.append(secret)
        return Redactor.mask(self, secret)
