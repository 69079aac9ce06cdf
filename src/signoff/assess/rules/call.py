"""A call as the engine looks at it: its field values as texts, and what a look may cost.

Rules kept here: a field that is missing has no values; a list stands for each of its elements and
a mapping for each value in it; nothing is looked at beyond the limits, and where a limit was met
the call says so (`is_incomplete`), so that nothing is let through unread.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation, Operations
from signoff.actions.shell.command import Command, Word
from signoff.assess.rules.pattern import Text
from signoff.values import replace

SCAN_BUDGET = 6_000_000  # bytes put before expressions in one call, about 10 ms
VALUE_LIMIT = 2_000  # values of one field
WORD_LIMIT = 3_000  # words of all commands
GLOB_LIMIT = 262_144  # characters of a value that is held against globs
PART_LIMIT = 2_000  # operations, commands
TARGET_LIMIT = 65_536  # characters of one target, path or program


class Values:
    """The texts found at one field path of a call."""

    __slots__ = ("is_flat", "texts")

    def __init__(self, texts: tuple[Text, ...], *, is_flat: bool) -> None:
        self.texts = texts
        self.is_flat = is_flat  # False where a mapping had to be opened to reach them


class Spoken(NamedTuple):
    """A command with the keys by which patterns are looked up."""

    command: Command
    program: str  # in lower case
    words: frozenset[str]  # and "", which stands for no word


class RuleInput:
    """One call while rules are tested on it; caches what they read, within a budget."""

    __slots__ = (
        "_budget",
        "_nested",
        "_spoken",
        "_values",
        "action",
        "commands",
        "is_incomplete",
        "operations",
    )

    def __init__(
        self, action: Action, *, operations: Operations, commands: tuple[Command, ...]
    ) -> None:
        self.action = action
        self.operations = _fitting(operations)
        words = sum([len(command.words) for command in commands])
        self.commands = commands[:PART_LIMIT] if words <= WORD_LIMIT else _trimmed(commands)
        self._spoken: tuple[Spoken, ...] | None = None
        self._nested: tuple[Spoken, ...] | None = None
        self._values: dict[tuple[str, ...], Values] = {}
        self._budget = SCAN_BUDGET
        self.is_incomplete = (
            len(self.operations) < len(operations)
            or len(commands) > PART_LIMIT
            or words > WORD_LIMIT
        )

    def can_glob(self, text: Text) -> bool:
        """Spend budget on one glob; False if it is used up. Overlong texts match no glob."""
        if len(text.value) > GLOB_LIMIT:
            self.is_incomplete = True
            return False
        return self.can_scan(text, size=0)

    @property
    def spoken(self) -> tuple[Spoken, ...]:
        """The commands with their lookup keys, computed once."""
        if self._spoken is None:
            self._spoken = tuple(map(speak, self.commands))
        return self._spoken

    @property
    def nested(self) -> tuple[Spoken, ...]:
        """Commands inside code of other languages, as far as their text shows.

        Only for loose matching: the text is split at blanks, whatever the quotes.
        """
        if self._nested is None:
            depths = {command.index: len(command.carriers) for command in self.commands}
            self._nested = tuple(
                speak(_cut(operation))
                for operation in self.operations
                if operation.program
                and len(operation.carriers) > depths.get(operation.group, -1)
                and operation.source.startswith(operation.program.split(" ", 1)[0])
            )
        return self._nested

    def values(self, path: tuple[str, ...]) -> Values:
        """Return the texts at a field path of the arguments, cached."""
        found = self._values.get(path)
        if found is None:
            found = self._values[path] = self._read(path)
        return found

    def can_scan(self, text: Text, *, size: int) -> bool:
        """Spend budget on one search in a text; `size` is that of the pattern."""
        # The larger an expression, the more each character costs.
        self._budget -= len(text.value) * (1 + size // 256)
        if self._budget >= 0:
            return True
        self.is_incomplete = True
        return False

    def _read(self, path: tuple[str, ...]) -> Values:
        if len(path) == 1:
            value = self.action.arguments.get(path[0], ())
            if isinstance(value, str):
                return Values((Text(value),), is_flat=True)
        return self._read_nested(path)

    def _read_nested(self, path: tuple[str, ...]) -> Values:
        nodes: list[Json] = [self.action.arguments]
        for name in path:
            nodes = [
                node[name]
                for node in self._elements(nodes)
                if isinstance(node, Mapping) and name in node
            ]
        texts: list[Text] = []
        is_flat = True
        waiting = list(reversed(nodes))
        for _ in range(VALUE_LIMIT):
            if not waiting:
                break
            node = waiting.pop()
            if isinstance(node, str):
                texts.append(Text(node))
            elif isinstance(node, Mapping):
                is_flat = False
                waiting.extend(reversed(tuple(node.values())))
            elif isinstance(node, Sequence):
                waiting.extend(reversed(node))
            else:
                # Numbers and truth values as JSON writes them: `3`, `true`, `null`.
                texts.append(Text(json.dumps(node)))
        self.is_incomplete = self.is_incomplete or bool(waiting)
        return Values(tuple(texts), is_flat=is_flat and not waiting)

    def _elements(self, nodes: list[Json]) -> list[Json]:
        """The nodes, with every list (of lists) taken apart."""
        found: list[Json] = []
        waiting = list(reversed(nodes))
        for _ in range(VALUE_LIMIT):
            if not waiting:
                return found
            node = waiting.pop()
            if isinstance(node, Sequence) and not isinstance(node, str):
                waiting.extend(reversed(node))
            else:
                found.append(node)
        self.is_incomplete = self.is_incomplete or bool(waiting)
        return found


def speak(command: Command) -> Spoken:
    """Compute the lookup keys of a command."""
    words = frozenset(("", *(word.text for word in command.words)))
    return Spoken(command, command.program.lower(), words)


def _fitting(operations: Operations) -> Operations:
    """The operations up to the limit, without those whose names are longer than any."""
    fitting = [
        one
        for one in operations[:PART_LIMIT]
        if len(one.target) <= TARGET_LIMIT
        and len(one.path) <= TARGET_LIMIT
        and len(one.program) <= TARGET_LIMIT
    ]
    return operations if len(fitting) == len(operations) else tuple(fitting)


def _trimmed(commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """The commands up to the limit of words."""
    kept: list[Command] = []
    left = WORD_LIMIT
    for command in commands[:PART_LIMIT]:
        kept.append(replace(command, words=command.words[:left]))
        left -= len(kept[-1].words)
    return tuple(kept)


def _cut(operation: Operation) -> Command:
    words = (Word(text=word.strip("'\"")) for word in operation.source.split())
    return Command(words=tuple(words), index=operation.group, source=operation.source)
