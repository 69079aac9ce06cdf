"""Texts of settings files as plain values: JSON, TOML, the block form of YAML, `NAME=value`.

    parse_json('{"dir": "out"}')        {"dir": "out"}
    parse_yaml("paths:\\n  dir: out\\n")  {"paths": {"dir": "out"}}
    parse_env("export DIR='out'\\n")     {"DIR": "out"}

What cannot be read gives None: a wrong value would be worse than an unknown one.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import cast

from signoff.actions.action import Json
from signoff.actions.vocabulary import lazy_re

MAX_CHARS = 20_000
MAX_LINES = 600
MAX_DEPTH = 20
_ENTRY = lazy_re(r"(?P<key>[\w./-]+|\"[^\"]*\"|'[^']*')[ \t]*:(?:[ \t]+(?P<value>\S.*))?")
_VARIABLE = lazy_re(r"[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)")
# Anchors, references, tags, blocks of text, lists and mappings in one line: not read.
_NOT_READ = ("&", "*", "!", "|", ">", "{", "[", "@", "`", "%")


def parse_json(text: str) -> Json:
    """Return the value of a JSON text, None if it is none."""
    if len(text) > MAX_CHARS:
        return None
    try:
        return cast("Json", json.loads(text))
    except (ValueError, RecursionError):
        return None


def parse_toml(text: str) -> Json:
    """Return the tables of a TOML text, None if it is none."""
    if len(text) > MAX_CHARS:
        return None
    try:
        # Dates come as objects; only what is no date is ever looked at.
        return cast("Json", tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def parse_env(text: str) -> dict[str, str]:
    """Return the variables of a text of `NAME=value` lines."""
    found: dict[str, str] = {}
    for line in text[:MAX_CHARS].splitlines()[:MAX_LINES]:
        match = _VARIABLE.fullmatch(line)
        if match is not None:
            found[match[1]] = _scalar_text(match[2])
    return found


def parse_yaml(text: str) -> Json:
    """Return the value of a text in the block form of YAML, None if it has any other part."""
    if text.lstrip()[:1] in ("{", "["):
        return parse_json(text)
    rows: list[tuple[int, str]] = []
    for line in text[:MAX_CHARS].splitlines():
        body = line.strip()
        if body and body[:1] != "#" and body != "---":
            rows.append((len(line) - len(line.lstrip(" ")), body))
    if len(text) > MAX_CHARS or not rows or len(rows) > MAX_LINES:
        return None
    try:
        value, end = _block(rows, 0, MAX_DEPTH)
    except ValueError:
        return None
    return value if end == len(rows) else None


def parse_settings(text: str) -> Json:
    """Return the value of a text whose form is not known: JSON, TOML or YAML."""
    readers: tuple[Callable[[str], Json], ...] = (parse_json, parse_toml, parse_yaml)
    return next((found for read in readers if (found := read(text)) is not None), None)


_Rows = list[tuple[int, str]]


def _block(rows: _Rows, at: int, depth: int) -> tuple[Json, int]:
    """Return the value that begins at a row, and the row behind it."""
    if depth <= 0:
        raise ValueError
    indent, body = rows[at]
    return _list(rows, at, depth) if _is_item(body) else _mapping(rows, at, indent, depth)


def _list(rows: _Rows, at: int, depth: int) -> tuple[Json, int]:
    indent, items = rows[at][0], list[Json]()
    while at < len(rows) and rows[at][0] == indent and _is_item(rows[at][1]):
        body = rows[at][1][1:]
        inner = body.strip()
        if not inner:
            value, at = _block(rows, at + 1, depth - 1)
        elif _ENTRY.fullmatch(inner) is not None:
            # `- name: x`: a mapping that begins behind the dash.
            rows[at] = (indent + 1 + len(body) - len(body.lstrip()), inner)
            value, at = _block(rows, at, depth - 1)
        else:
            value, at = _scalar(inner), at + 1
        items.append(value)
    return items, at


def _mapping(rows: _Rows, at: int, indent: int, depth: int) -> tuple[Json, int]:
    found: dict[str, Json] = {}
    while at < len(rows) and rows[at][0] == indent and not _is_item(rows[at][1]):
        match = _ENTRY.fullmatch(rows[at][1])
        if match is None:
            raise ValueError
        key, given = match["key"].strip("\"'"), match["value"]
        at += 1
        if given is not None and given[:1] != "#":
            found[key] = _scalar(given)
            continue
        is_below = at < len(rows) and (
            rows[at][0] > indent or (rows[at][0] == indent and _is_item(rows[at][1]))
        )
        if is_below:
            found[key], at = _block(rows, at, depth - 1)
        else:
            found[key] = None
    return found, at


def _is_item(body: str) -> bool:
    return body == "-" or body.startswith("- ")


def _scalar(given: str) -> Json:
    if given[:1] in ("{", "["):
        value = parse_json(given)
        if value is not None or given in ("{}", "[]"):
            return value
    if given.startswith(("|", ">")):
        raise ValueError  # the lines behind it are its text
    if given.startswith(_NOT_READ):
        return None
    return _scalar_text(given)


def _scalar_text(given: str) -> str:
    """Return a value without its quotes and without a comment behind it."""
    text = given.strip()
    quote = text[:1]
    if quote in ('"', "'") and (end := text.find(quote, 1)) > 0:
        return text[1:end]
    return text.partition(" #")[0].strip()
