"""YAML nodes of one file, read strictly: errors say file, line, column and what is expected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import yaml

from signoff.actions.vocabulary import Vocabulary
from signoff.errors import BadProgram

BYTES_LIMIT = 2 << 20
READ_LIMIT = 2 << 20  # characters read; an alias is read wherever it stands
V = TypeVar("V", bound=Vocabulary)
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlNodes:
    """Reads nodes and keeps its place for errors."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._left = READ_LIMIT

    def wrong(self, node: yaml.Node, what: str) -> BadProgram:
        """Make the error for a place."""
        mark = node.start_mark
        return BadProgram(f"{self._file}:{mark.line + 1}:{mark.column + 1}: {what}")

    def parse(self, text: str) -> yaml.Node:
        """Parse the YAML; only its plain parts are taken (no tags)."""
        if len(text) > BYTES_LIMIT:
            raise BadProgram(
                f"{self._file}:1:1: more than {BYTES_LIMIT} characters; split the file"
            )
        try:
            node = yaml.compose(text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            at = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
            raise BadProgram(f"{self._file}:{at}: not YAML: {error.problem}") from error
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise BadProgram(f"{self._file}:1:1: not YAML: {error}") from error
        if node is None:
            raise BadProgram(f"{self._file}:1:1: empty; expected `programs:` with entries")
        return node

    def pairs(self, node: yaml.Node) -> Iterable[tuple[yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self.wrong(node, "expected a mapping (`key: value` lines)")
        return node.value  # type: ignore[no-any-return]  # pairs, by the class

    def mapping(self, node: yaml.Node, allowed: set[str]) -> dict[str, yaml.Node]:
        """Give the values by key; refuse an unknown key and one that stands twice."""
        found: dict[str, yaml.Node] = {}
        for key, value in self.pairs(node):
            name = self.text(key)
            if name not in allowed:
                near = nearest(name, allowed)
                raise self.wrong(
                    key, f"unknown key `{name}`{near}; allowed: {spelled_out(allowed)}"
                )
            if name in found:
                raise self.wrong(key, f"`{name}` stands twice; keep one")
            found[name] = value
        return found

    def items(self, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.wrong(node, "expected a list (`- ` lines)")
        return node.value  # type: ignore[no-any-return]  # nodes, by the class

    def text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self.wrong(node, "expected words on one line")
        self._left -= len(node.value) + 8
        if self._left < 0:
            raise self.wrong(node, f"more than {READ_LIMIT} characters, aliases written out")
        return str(node.value)

    def words(self, node: yaml.Node) -> tuple[str, ...]:
        return tuple(self.text(node).split())

    def flag(self, node: yaml.Node) -> bool:
        text = self.text(node)
        if text not in {"true", "false"}:
            raise self.wrong(node, f"expected `true` or `false`, got `{text}`")
        return text == "true"

    def one_of(self, kind: type[V], text: str, node: yaml.Node) -> V:
        try:
            return kind(text)
        except ValueError:
            allowed = {str(member) for member in kind}
            raise self.wrong(
                node, f"unknown {term_of(kind)} `{text}`{nearest(text, allowed)}"
            ) from None


def term_of(kind: type[Vocabulary]) -> str:
    """Name a vocabulary: `ResourceType` is a resource type."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in kind.__name__).strip()


def spelled_out(names: Iterable[str]) -> str:
    """List names for an error."""
    return ", ".join(f"`{name}`" for name in sorted(names))


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Say which allowed name is meant, "" where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - errors only: the import costs 4 ms

    near = get_close_matches(name, sorted(allowed), n=1)
    return f" (did you mean `{near[0]}`?)" if near else ""
