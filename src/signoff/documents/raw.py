"""What a parser found in a file: one value with its tag and its place.

PyYAML's nodes have this shape. `PlainNode` is one that was made without PyYAML, whose import is
the twentieth part of a start: of JSON, and of files that ship with signoff (`stored.py`).
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

DEPTH_LIMIT = 24
SCALAR, LIST, MAPPING = "scalar", "sequence", "mapping"  # PyYAML's own words


class Mark(Struct, frozen=True, array_like=True, gc=False):
    """A position in a text: offset, line and column, all counted from 0."""

    index: int
    line: int
    column: int


class RawMark(Protocol):
    """A position in a text, as any YAML or JSON parser gives it."""

    @property
    def index(self) -> int:
        """Offset in characters, counted from 0."""

    @property
    def line(self) -> int:
        """Line, counted from 0."""

    @property
    def column(self) -> int:
        """Column, counted from 0."""


class RawNode(Protocol):
    """One YAML or JSON value, as any parser gives it."""

    @property
    def id(self) -> str:
        """SCALAR, LIST or MAPPING."""

    @property
    def tag(self) -> str:
        """Its YAML type tag, as `tag:yaml.org,2002:str`."""

    @property
    def value(self) -> Any:  # noqa: ANN401 - PyYAML's: a text, nodes, or pairs of nodes
        """A scalar's text, the nodes of a list, or the pairs of nodes of a mapping."""

    @property
    def start_mark(self) -> RawMark:
        """Where it starts."""

    @property
    def end_mark(self) -> RawMark:
        """Where it ends."""


class PlainNode(Struct, frozen=True, array_like=True):
    """One YAML or JSON value that was parsed without PyYAML.

    Args:
        text: of a scalar.
        parts: of a list its items, of a mapping each name with its value behind it.
        flow_style: whether it is written as `{...}` or `[...]`.
    """

    id: str
    tag: str
    start_mark: Mark
    end_mark: Mark
    text: str = ""
    parts: tuple[PlainNode, ...] = ()
    flow_style: bool = False

    @property
    def value(self) -> str | tuple[PlainNode, ...] | list[tuple[PlainNode, PlainNode]]:
        """The value in PyYAML's form: text, items, or (name, value) pairs."""
        if self.id == SCALAR:
            return self.text
        if self.id == LIST:
            return self.parts
        return list(zip(self.parts[::2], self.parts[1::2], strict=True))
