"""A value of a YAML or JSON file that knows where it is.

Every refusal says file, line, column, what was found and what is expected:

    signoff.yaml:3:10: files: 300 is not between 0 and 256
    signoff.yaml:1:1: unknown field of settings `pakc` (version, pack); did you mean `pack`?

A YAML scalar counts as it is written: where text is expected, `5`, `yes` and `off` are text. A
JSON value has the type it is written with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from signoff.documents.nearest import suggest
from signoff.documents.raw import LIST, MAPPING, SCALAR, RawNode
from signoff.errors import BadFile
from signoff.values import Json

NULL = "tag:yaml.org,2002:null"
BOOL = "tag:yaml.org,2002:bool"
INT = "tag:yaml.org,2002:int"
FLOAT = "tag:yaml.org,2002:float"
STR = "tag:yaml.org,2002:str"
KINDS = {NULL: "nothing", BOOL: "true or false", INT: "a number", FLOAT: "a number"}
SHOWN_LIMIT = 60  # characters of a value in a message
READ_LIMIT = 2 << 20  # characters read of one file; what aliases repeat counts every time


class FileForm(msgspec.Struct, frozen=True, kw_only=True):
    """How messages describe one kind of file, and the limits it is read with.

    Args:
        what: name of the kind of file: `a rules file`.
        expected: what it must contain: "`version: 1` and `rules`".
        hint: advice added to the message when something is missing.
        bytes_limit: largest size in bytes.
        has_aliases: True if YAML anchors and aliases are allowed.
        is_typed: True if only quoted text counts as text, as in JSON.
    """

    what: str
    expected: str
    error: type[BadFile]
    hint: str = ""
    bytes_limit: int = 1_000_000
    has_aliases: bool = False
    is_typed: bool = False


class Document:
    """The YAML or JSON file that nodes belong to: its name, its limits, its error class."""

    __slots__ = ("_left", "file", "form")

    def __init__(self, file: str, form: FileForm) -> None:
        self.file, self.form = file, form
        self._left = READ_LIMIT

    def refuse(self, message: str, line: int = 1, column: int = 1) -> BadFile:
        """Return the error for a place in this file, line and column counted from 1."""
        return self.form.error(message, file=self.file, line=line, column=column)

    def is_used_up(self, characters: int) -> bool:
        """Add to the count of characters read; True once the limit for the file is passed."""
        self._left -= characters
        return self._left < 0


class Node:
    """One value of a YAML or JSON file that knows its line and column.

    Args:
        name: how messages name it: its field, or the field of the list it is in.
        key: the node of its field's name; None for list items and the whole file.
    """

    __slots__ = ("document", "key", "name", "raw")

    def __init__(
        self, raw: RawNode, document: Document, name: str, key: Node | None = None
    ) -> None:
        self.raw, self.document, self.name, self.key = raw, document, name, key

    # -- place

    @property
    def line(self) -> int:
        """The line it starts on, counted from 1."""
        return int(self.raw.start_mark.line) + 1

    @property
    def column(self) -> int:
        """The column it starts at, counted from 1."""
        return int(self.raw.start_mark.column) + 1

    @property
    def end_line(self) -> int:
        """The line its text ends on, or the line after it; counted from 1."""
        return int(self.raw.end_mark.line) + 1

    @property
    def start(self) -> int:
        """Offset of its first character in the file."""
        return int(self.raw.start_mark.index)

    @property
    def end(self) -> int:
        """Offset of the first character after it."""
        return int(self.raw.end_mark.index)

    @property
    def place(self) -> str:
        """Its position as `file:line:column`."""
        return f"{self.document.file}:{self.line}:{self.column}"

    def refuse(self, message: str) -> BadFile:
        """Return the error that says `message` at this position; the caller raises it."""
        return self.document.refuse(message, self.line, self.column)

    def expected(self, what: str, *, hint: str = "") -> BadFile:
        """Return the error that says what was expected here and what was found instead."""
        return self.refuse(f"{self.name}: expected {what}, got {self.kind}{hint}")

    def unknown(self, what: str, allowed: Iterable[str]) -> BadFile:
        """Return the error for an unknown word: which are allowed, and the nearest one."""
        shown = self.written[:SHOWN_LIMIT]
        return self.refuse(f"unknown {what} `{shown}`{suggest(self.written, allowed)}")

    # -- what it is

    @property
    def identity(self) -> int:
        """A number that is equal for YAML aliases of one value, while its file is in memory."""
        return id(self.raw)

    @property
    def kind(self) -> str:
        """Its type, in words for people."""
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        return KINDS.get(self.raw.tag, f"`{self.written[:SHOWN_LIMIT]}`")

    @property
    def is_mapping(self) -> bool:
        """True if it is a mapping."""
        return self.raw.id == MAPPING

    @property
    def is_list(self) -> bool:
        """True if it is a list."""
        return self.raw.id == LIST

    @property
    def is_scalar(self) -> bool:
        """True if it is a single value."""
        return self.raw.id == SCALAR

    @property
    def is_blank(self) -> bool:
        """True if it is empty text or only white space."""
        return self.raw.tag == STR and not self.written.strip()

    @property
    def may_be_number(self) -> bool:
        """True for a number; true for text too, except in JSON, where text is quoted."""
        tag = self.raw.tag
        return tag in (INT, FLOAT) or (tag in (STR, BOOL) and not self.document.form.is_typed)

    @property
    def is_in_braces(self) -> bool:
        """True if it is written as `{...}` or `[...]`."""
        return bool(getattr(self.raw, "flow_style", False))

    @property
    def written(self) -> str:
        """A scalar's text as written in the file; "" for mappings and lists."""
        return str(self.raw.value) if self.raw.id == SCALAR else ""

    # -- what it holds

    def pairs(self) -> list[tuple[Node, Node]]:
        """Return (name, value) nodes in order; a name may occur twice.

        Raises:
            BadFile: it is not a mapping.
        """
        if self.raw.id != MAPPING:
            raise self.expected("a mapping")
        found: list[tuple[Node, Node]] = []
        for raw_key, raw in self.raw.value:
            key = Node(raw_key, self.document, self.name)
            found.append((key, Node(raw, self.document, key.written or self.name, key)))
        return found

    def fields(self, *, allowed: Iterable[str] | None = None, what: str = "") -> dict[str, Node]:
        """Return the values of a mapping by name.

        Args:
            allowed: the names it may have; None = any.
            what: what has the fields, for messages; "" = the node's name.

        Raises:
            BadFile: it is not a mapping, or a name is unknown, given twice or not text.
        """
        what = what or self.name
        words = None if allowed is None else tuple(allowed)
        found: dict[str, Node] = {}
        for key, value in self.pairs():
            name = key.written
            # `? [a, b]` and `~` are keys in YAML, and none in a settings file.
            if key.raw.tag == NULL or not name:
                raise key.refuse(f"{what}: a field's name must be text, got {key.kind}")
            key._count(len(name))
            if name in found:
                first = found[name].key
                line = first.line if first else self.line
                raise key.refuse(f"{what}: `{name}` is given twice, first in line {line}")
            if words is not None and name not in words:
                raise key.unknown(f"field of {what}", words)
            found[name] = value
        return found

    def needed(self, name: str, fields: dict[str, Node]) -> Node:
        """Return the field `name`, which is required.

        Raises:
            BadFile: the field is missing.
        """
        if name not in fields:
            hint = "" if self.key else self.document.form.hint
            raise self.refuse(f"{self.name}: `{name}` is missing{hint}")
        return fields[name]

    def items(self) -> list[Node]:
        """Return the items of a list.

        Raises:
            BadFile: it is not a list.
        """
        if self.raw.id != LIST:
            raise self.expected("a list")
        return [Node(raw, self.document, self.name) for raw in self.raw.value]

    def one_or_more(self, *, limit: int) -> list[Node]:
        """Return the 1 to `limit` items of a list; a value that is no list is one item.

        Raises:
            BadFile: the list is empty or too long.
        """
        if not self.is_list and not self.document.form.is_typed:
            return [self]
        items = self.items()
        if not items:
            raise self.refuse(f"{self.name}: the list is empty; leave the field out instead")
        if len(items) > limit:
            raise self.refuse(f"{self.name}: {len(items)} entries (at most {limit})")
        return items

    def text(self, *, limit: int = READ_LIMIT) -> str:
        """Return the text of a scalar as written.

        Raises:
            BadFile: it is not a scalar, is empty, or is longer than `limit` characters.
        """
        value, tag = self.written, self.raw.tag
        if not self.is_scalar or tag == NULL or (self.document.form.is_typed and tag != STR):
            raise self.expected("text", hint="; put it in quotes" if value else "")
        if not value.strip():
            raise self.refuse(f"{self.name}: expected text, got nothing")
        if len(value) > limit:
            raise self.refuse(f"{self.name}: {len(value)} characters (at most {limit})")
        self._count(len(value))
        return value

    def words(self) -> tuple[str, ...]:
        """Return the blank-separated words of a scalar, () if it is empty.

        Raises:
            BadFile: it is not a scalar.
        """
        if not self.is_scalar:
            raise self.expected("words on one line")
        self._count(len(self.written))
        return tuple(self.written.split())

    def word(self, allowed: Sequence[str], *, what: str = "") -> str:
        """Return the scalar if it is one of the `allowed` words.

        Args:
            what: the kind of word, for the message; "" = the node's name.

        Raises:
            BadFile: it is another word, or not a scalar.
        """
        if not self.is_scalar or self.raw.tag == NULL:
            raise self.expected("one word")
        if self.written not in allowed:
            raise self.unknown(what or self.name, allowed)
        return self.text()

    def flag(self) -> bool:
        """Return the value of a boolean.

        Raises:
            BadFile: it is neither.
        """
        text = self.written.lower()
        if text not in ("true", "false") or (self.document.form.is_typed and self.raw.tag != BOOL):
            raise self.refuse(f"{self.name}: expected true or false, got {self._shown()}")
        return text == "true"

    def _count(self, characters: int) -> None:
        # Each value counts a little more than its text: a million empty ones cost memory as well.
        if self.document.is_used_up(characters + 8):
            raise self.refuse(f"more than {READ_LIMIT} characters, aliases written out")

    def _shown(self) -> str:
        return f"`{self.written[:SHOWN_LIMIT]}`" if self.written else self.kind

    def json(self) -> Json:
        """Return the value as JSON data; text that only looks like a number stays text.

        Raises:
            BadFile: a mapping has the same name twice.
        """
        if self.is_mapping:
            return {name: value.json() for name, value in self.fields().items()}
        if self.is_list:
            return [item.json() for item in self.items()]
        return _plain(self.written, self.raw.tag)


def _plain(text: str, tag: str) -> Json:
    """Return a scalar as JSON has it."""
    if tag == NULL:
        return None
    # YAML 1.1, as PyYAML reads it: `yes` and `on` are true.
    if tag == BOOL:
        return text.lower() in ("true", "yes", "on")
    try:
        if tag == INT:
            return int(text)
        return float(text) if tag == FLOAT else text
    except ValueError:
        return text
