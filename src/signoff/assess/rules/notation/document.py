"""A rules file as YAML nodes that know their place: what is allowed in it before it means anything.

Refused here, each with line and column: what is no YAML, tabs as indentation, hidden characters,
anchors and aliases, tags, several documents, deep nesting, too big a file, an empty one, keys that
are given twice or are no text. A byte order mark at the start is passed over.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import yaml

from signoff.errors import BadRules

FILE_LIMIT = 1_000_000  # bytes
DEPTH_LIMIT = 24
BYTE_ORDER_MARK = "\ufeff"
HIDDEN = frozenset(
    "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
NULL = "tag:yaml.org,2002:null"
BOOL = "tag:yaml.org,2002:bool"
INT = "tag:yaml.org,2002:int"
FLOAT = "tag:yaml.org,2002:float"


class TextPosition(Protocol):
    """A place in a text, both figures from zero."""

    @property
    def line(self) -> int:
        """Lines before it."""

    @property
    def column(self) -> int:
        """Characters before it in its line."""


@dataclass(frozen=True, slots=True)
class RuleFileErrors:
    """Builds the refusals of one file."""

    file: str

    def refuse(self, message: str, node: yaml.Node) -> BadRules:
        """Say what is wrong at a node."""
        return self.at(message, node.start_mark)

    def at(self, message: str, mark: TextPosition | None) -> BadRules:
        """Say what is wrong at a mark."""
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        return BadRules(message, file=self.file, line=line, column=column)

    def unknown(self, what: str, node: yaml.ScalarNode, allowed: Iterable[str]) -> BadRules:
        """Say that a word is not known, what is, and what was probably meant."""
        return self.refuse(f"unknown {what} `{node.value}`{suggest(node.value, allowed)}", node)


def suggest(word: str, allowed: Iterable[str]) -> str:
    """The allowed words, with the nearest one first."""
    words = tuple(allowed)
    near = difflib.get_close_matches(word[:100], words, n=1)
    listed = f" ({', '.join(words)})"
    return f"{listed}; did you mean `{near[0]}`?" if near else listed


def compose(text: str, place: RuleFileErrors) -> yaml.MappingNode:
    """Read a file into nodes.

    Raises:
        BadRules: it is not allowed, see the module.
    """
    body = text.removeprefix(BYTE_ORDER_MARK)
    _check_text(body, place)
    try:
        _check_events(body, place)
        root = yaml.compose(body, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise place.at(f"not YAML: {error.problem or error.context}", mark) from error
    except yaml.YAMLError as error:
        raise BadRules(f"not YAML: {error}", file=place.file, line=1, column=1) from error
    if root is None:
        raise BadRules(
            "the file is empty; a rules file has at least `version: 1` and `rules`",
            file=place.file,
            line=1,
            column=1,
        )
    if not isinstance(root, yaml.MappingNode):
        raise place.refuse(f"expected `version` and `rules`, got {kind_of(root)}", root)
    return root


def _check_text(text: str, place: RuleFileErrors) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        line, column = _line_column(text, error.start)
        raise BadRules(
            "not UTF-8 text; save the file as UTF-8", file=place.file, line=line, column=column
        ) from error
    if size > FILE_LIMIT:
        raise BadRules(
            f"the file has {size} bytes (at most {FILE_LIMIT}); split it or use patterns",
            file=place.file,
            line=1,
            column=1,
        )
    for at, char in enumerate(text) if not HIDDEN.isdisjoint(text) else ():
        if char in HIDDEN:
            line, column = _line_column(text, at)
            raise BadRules(
                f"hidden character U+{ord(char):04X}; remove it, or write it as an escape",
                file=place.file,
                line=line,
                column=column,
            )
    for number, line_text in enumerate(text.split("\n"), 1) if "\t" in text else ():
        indentation = line_text[: len(line_text) - len(line_text.lstrip(" \t"))]
        if "\t" in indentation:
            raise BadRules(
                "tab in the indentation; YAML is indented with spaces",
                file=place.file,
                line=number,
                column=indentation.index("\t") + 1,
            )


def _line_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _check_events(text: str, place: RuleFileErrors) -> None:
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise place.at("anchors and aliases are not allowed; write it out", event.start_mark)
        if isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None):
            raise place.at("tags are not allowed; put the text in quotes", event.start_mark)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > DEPTH_LIMIT:
            raise place.at(f"nested deeper than {DEPTH_LIMIT}", event.start_mark)
        if documents > 1:
            raise place.at("a second document; a rules file has one", event.start_mark)


def kind_of(node: yaml.Node) -> str:
    """Name what a node is, for people."""
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if node.tag == NULL:
        return "nothing"
    names = {BOOL: "true or false", INT: "a number", FLOAT: "a number"}
    return names.get(node.tag, f"`{str(node.value)[:60]}`")


def fields_of(
    node: yaml.Node, place: RuleFileErrors, *, what: str, allowed: Iterable[str] | None = None
) -> dict[str, tuple[yaml.ScalarNode, yaml.Node]]:
    """The entries of a mapping by key, with the key's own node.

    Raises:
        BadRules: it is no mapping, or a key is unknown, given twice or no text.
    """
    if not isinstance(node, yaml.MappingNode):
        raise place.refuse(f"{what}: expected a mapping, got {kind_of(node)}", node)
    words = None if allowed is None else tuple(allowed)
    found: dict[str, tuple[yaml.ScalarNode, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == NULL or not key.value:
            raise place.refuse(f"{what}: a field's name must be text, got {kind_of(key)}", key)
        if key.value in found:
            first = found[key.value][0].start_mark.line + 1
            raise place.refuse(f"{what}: `{key.value}` is given twice, first in line {first}", key)
        if words is not None and key.value not in words:
            raise place.unknown(f"field of {what}", key, words)
        found[key.value] = (key, value)
    return found


def text_of(node: yaml.Node, place: RuleFileErrors, *, what: str, limit: int) -> str:
    """The text of a scalar as written; numbers and `yes` or `no` are taken as text.

    Raises:
        BadRules: it is no scalar, nothing, or too long.
    """
    if not isinstance(node, yaml.ScalarNode) or node.tag == NULL:
        hint = "; put it in quotes" if isinstance(node, yaml.ScalarNode) and node.value else ""
        raise place.refuse(f"{what}: expected text, got {kind_of(node)}{hint}", node)
    value = str(node.value)
    if not value.strip():
        raise place.refuse(f"{what}: expected text, got nothing", node)
    if len(value) > limit:
        raise place.refuse(f"{what}: {len(value)} characters (at most {limit})", node)
    return value


def items_of(node: yaml.Node, place: RuleFileErrors, *, what: str, limit: int) -> list[yaml.Node]:
    """The items of a list; anything else is a list of one.

    Raises:
        BadRules: the list is empty or too long.
    """
    items = list(node.value) if isinstance(node, yaml.SequenceNode) else [node]
    if not items:
        raise place.refuse(f"{what}: the list is empty; leave the field out instead", node)
    if len(items) > limit:
        raise place.refuse(f"{what}: {len(items)} entries (at most {limit})", node)
    return items
