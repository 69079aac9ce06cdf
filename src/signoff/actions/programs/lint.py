"""Finds likely mistakes in descriptions that can be read.

for note in lint_descriptions(text, file="frob.yaml"):
    print(note.place, note.message)        # frob.yaml:4:5 `-f` is in ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from signoff.actions.programs.source import FORM
from signoff.documents.node import Node
from signoff.documents.reading import read_yaml

# Of each pair one option cannot be both: nobody could tell which counts.
EXCLUSIVE: tuple[tuple[str, str, str], ...] = (
    ("switches", "values", "takes a value, and does not"),
    ("switches", "writes", "takes a value, and does not"),
    ("switches", "reads", "takes a value, and does not"),
    ("switches", "runs", "takes a value, and does not"),
    ("switches", "flags", "is described by `flags` already"),
    ("switches", "instead", "is described by `instead` already"),
    ("switches", "harmless", "is described by `harmless` already"),
    ("values", "writes", "is described by `writes` already"),
    ("values", "reads", "is described by `reads` already"),
    ("values", "runs", "is described by `runs` already"),
    ("writes", "reads", "is written and read"),
    ("writes", "runs", "is written and run"),
    ("reads", "runs", "is read and run"),
    ("harmless", "writes", "does nothing, and writes a file"),
    ("harmless", "runs", "does nothing, and runs a program"),
    ("harmless", "instead", "does nothing, and does something else instead"),
    ("harmless", "flags", "does nothing, and adds a trait"),
)
BY_KEY = ("flags", "instead")  # options are the keys of a mapping
ROLES = ("values", "switches", "writes", "reads", "runs", "harmless", *BY_KEY)


class ProgramNote(msgspec.Struct, frozen=True, kw_only=True):
    """A likely mistake in a description; `place` is `file:line:column`."""

    place: str
    message: str


def lint_descriptions(text: str, *, file: str, wants_examples: bool = True) -> list[ProgramNote]:
    """Return likely mistakes in one description file.

    Args:
        wants_examples: an entry without examples is a note.

    Raises:
        BadProgram: the file is no YAML list of programs.
    """
    linter = _Linter()
    root = read_yaml(text, file=file, form=FORM).fields(allowed=("programs",))
    for node in root["programs"].items() if "programs" in root else ():
        linter.entry(node)
        if wants_examples and not any(key.written == "examples" for key, _ in node.pairs()):
            linter.note(
                node, "no `examples`; add a line that changes something and one that only reads"
            )
    return linter.notes


class _Linter:
    """Collects likely mistakes in the entries of one file."""

    def __init__(self) -> None:
        self.notes: list[ProgramNote] = []
        self._seen: set[int] = set()  # nodes; aliases repeat them

    def note(self, node: Node, message: str) -> None:
        self.notes.append(ProgramNote(place=node.place, message=message))

    def entry(self, node: Node) -> None:
        # Each alias of YAML would repeat its notes.
        if node.identity in self._seen:
            return
        self._seen.add(node.identity)
        parts = {key.written: value for key, value in node.pairs()}
        self._options(parts)
        for inner in self._inner(parts):
            self.entry(inner)

    def _inner(self, parts: dict[str, Node]) -> Iterator[Node]:
        """Give the sub-commands that are entries themselves."""
        for key in ("commands", "subs"):
            for left, right in parts[key].pairs() if key in parts else ():
                what = left if key == "commands" else right
                names = {k.written for k, _ in what.pairs()} if what.is_mapping else {"act"}
                if "act" not in names:
                    yield what

    def _options(self, parts: dict[str, Node]) -> None:
        roles = {
            role: dict(self._named(parts[role], by_key=role in BY_KEY))
            for role in ROLES
            if role in parts
        }
        for first, second, why in EXCLUSIVE:
            both = roles.get(first, {}).keys() & roles.get(second, {}).keys()
            for option in sorted(both):
                said = f"`{option}` stands in `{first}` and in `{second}`: it {why}; keep one"
                self.note(roles[first][option], said)

    def _named(self, node: Node, *, by_key: bool) -> Iterable[tuple[str, Node]]:
        nodes = [key for key, _ in node.pairs()] if by_key else [node]
        for one in nodes:
            for option in one.words():
                yield option, one
