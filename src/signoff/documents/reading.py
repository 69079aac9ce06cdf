"""Text of a file to nodes: YAML or JSON, read once, strictly and within bounds.

Refused, each with line and column: what is no YAML or JSON, tabs as indentation, hidden characters,
anchors and aliases (where a form does not allow them), tags, several documents, deep nesting, too
big a file, an empty one. A byte order mark at the start is passed over.

    root = read_yaml("pack: strict", file="signoff.yaml", form=SETTINGS)
    root.fields()["pack"].text()
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from signoff.documents.node import BOOL, FLOAT, INT, NULL, STR, Document, FileForm, Node
from signoff.documents.raw import (
    DEPTH_LIMIT,
    LIST,
    MAPPING,
    SCALAR,
    Mark,
    PlainNode,
    RawNode,
)

BYTE_ORDER_MARK = "\ufeff"
HIDDEN = frozenset(
    "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
MAP, SEQ = "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"
_JSON_PART = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+')


def read_yaml(text: str, *, file: str, form: FileForm) -> Node:
    """Parse a YAML text into nodes that know their positions.

    Args:
        file: name of the file in messages.
        form: its limits, and the error class to raise.

    Raises:
        BadFile: it is not valid YAML, exceeds a limit, or has aliases that `form` forbids.
    """
    document, body = Document(file, form), text.removeprefix(BYTE_ORDER_MARK)
    _check_text(body, document)
    from signoff.documents.yaml_text import compose  # noqa: PLC0415 - see there

    return _root(compose(body, document), document)


def read_json(text: str, *, file: str, form: FileForm) -> Node:
    """Parse a JSON text into nodes that know their positions.

    Raises:
        BadFile: it is refused; of the class the form names.
    """
    document = Document(file, form)
    _check_size(text, document)
    if not text.strip():
        raise document.refuse(f"the file is empty; expected {form.expected}")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise document.refuse(what, error.lineno, error.colno) from error
    except (ValueError, RecursionError) as error:
        raise document.refuse(f"not JSON: {error}") from error
    return _root(_json_nodes(text, document), document)


def _root(raw: RawNode, document: Document) -> Node:
    node = Node(raw, document, document.form.what)
    if not node.is_mapping:
        raise node.refuse(f"expected {document.form.expected}, got {node.kind}")
    return node


def _check_size(text: str, document: Document) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        place = _line_column(text, error.start)
        raise document.refuse("not UTF-8 text; save the file as UTF-8", *place) from error
    if size > document.form.bytes_limit:
        most = document.form.bytes_limit
        raise document.refuse(f"the file has {size} bytes (at most {most}); split it")


def _check_text(text: str, document: Document) -> None:
    _check_size(text, document)
    for at, char in enumerate(text) if not HIDDEN.isdisjoint(text) else ():
        if char in HIDDEN:
            what = f"hidden character U+{ord(char):04X}; remove it, or write it as an escape"
            raise document.refuse(what, *_line_column(text, at))
    for number, line in enumerate(text.split("\n"), 1) if "\t" in text else ():
        indentation = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in indentation:
            what = "tab in the indentation; YAML is indented with spaces"
            raise document.refuse(what, number, indentation.index("\t") + 1)


def _line_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _json_nodes(text: str, document: Document) -> RawNode:
    """Build the nodes of a text that is known to be JSON."""
    waiting: list[list[PlainNode]] = [[]]  # what is read of each object or list that is open
    starts: list[Mark] = []
    for part, start, end in _json_parts(text):
        if part in "{[":
            waiting.append([])
            starts.append(start)
        elif part in "}]":
            waiting[-2].append(_json_collection(part, waiting.pop(), starts.pop(), end))
        elif part not in ",:":
            waiting[-1].append(_json_scalar(part, start, end))
        if len(starts) > DEPTH_LIMIT:
            place = start.line + 1, start.column + 1
            raise document.refuse(f"nested deeper than {DEPTH_LIMIT}", *place)
    return waiting[0][0]


def _json_parts(text: str) -> Iterator[tuple[str, Mark, Mark]]:
    """Give words, texts and marks with the places of their start and end."""
    line = at = 0
    for found in _JSON_PART.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        column, part = at - text.rfind("\n", 0, at) - 1, found.group()
        yield part, Mark(at, line, column), Mark(found.end(), line, column + len(part))


def _json_collection(close: str, parts: list[PlainNode], start: Mark, end: Mark) -> PlainNode:
    kind, tag = (LIST, SEQ) if close == "]" else (MAPPING, MAP)
    return PlainNode(id=kind, tag=tag, start_mark=start, end_mark=end, parts=tuple(parts))


def _json_scalar(part: str, start: Mark, end: Mark) -> PlainNode:
    value, text = json.loads(part), part
    match value:
        case str():
            tag, text = STR, value
        case None:
            tag = NULL
        case bool():
            tag = BOOL
        case _:
            tag = INT if isinstance(value, int) else FLOAT
    return PlainNode(id=SCALAR, tag=tag, start_mark=start, end_mark=end, text=text)
