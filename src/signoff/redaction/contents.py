"""Secrets in the contents of files, by the form of the file: where a name does not stand beside it.

secrets_in_file("/home/dev/.pgpass", "db:5432:app:app:tulip")    -> tulip
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import re2

LINES_LIMIT = 2_000

_SECRET_DATA = re2.compile(r"(?m)^([ \t]*)(?:stringData|data)\s*:\s*$")
# `|` and `>` begin a block of lines in YAML, each of which is a value here.
_ENTRY = re2.compile(
    r"^(\s*)[\"']?[0-9A-Za-z._-]+[\"']?\s*:\s*[\"']?([^\s\"'|>][^\"']*?)[\"']?\s*$"
)
_BLOCK = re2.compile(r"^(\s*)[\"']?[0-9A-Za-z._-]+[\"']?\s*:\s*[|>][-+0-9]*\s*(?:#.*)?$")
# In JSON that stands in a text of JSON, quotes have backslashes.
_JSON_DATA = re2.compile(r"\\?[\"'](?:stringData|data)\\?[\"']\s*:\s*\{([^}]*)\}")
_JSON_VALUE = re2.compile(r":\s*\\?[\"']([^\"'\\]+)\\?[\"']")


def secrets_of_manifest(text: str) -> Iterator[str]:
    """Yield the values in a Kubernetes `Secret` manifest, YAML or JSON."""
    for found in _JSON_DATA.finditer(text):
        for value in _JSON_VALUE.finditer(found.group(1)):
            yield value.group(1)
    for found in _SECRET_DATA.finditer(text):
        lines = text[found.end() :].splitlines()[1:LINES_LIMIT]
        yield from _values_below(len(found.group(1)), lines)


def _values_below(depth: int, lines: list[str]) -> Iterator[str]:
    """Yield the values of a YAML mapping, of a block each of its lines."""
    block: int | None = None  # how far in the name stands that the block belongs to
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if not text:
            continue
        if block is not None and indent > block:
            yield text
            continue
        block = None
        if text.startswith("#"):
            continue
        if indent <= depth:
            return
        if _BLOCK.match(line):
            block = indent
        elif entry := _ENTRY.match(line):
            yield entry.group(2)


def secrets_in_file(path: str, text: str) -> Iterator[str]:
    """Yield the secrets in a file's text, for formats recognised by file name.

    Args:
        path: only its last part counts.
        text: its first lines are read, up to a limit.
    """
    read = _FORMS.get(path.rsplit("/", 1)[-1])
    if read is not None:
        for line in text.splitlines()[:LINES_LIMIT]:
            yield from read(line.strip())


def _last_field(line: str) -> Iterator[str]:
    """Yield what follows the last colon, as in `.pgpass`."""
    if line.count(":") >= 4 and not line.startswith("#"):
        # The password comes last and may hold colons itself.
        yield line.split(":", 4)[4]


def _whole_line(line: str) -> Iterator[str]:
    """Yield the line: the file is one secret."""
    if line:
        yield line


_FORMS: Mapping[str, Callable[[str], Iterator[str]]] = {
    ".pgpass": _last_field,
    "pgpass.conf": _last_field,
    ".vault-token": _whole_line,
    ".vault_pass": _whole_line,
    ".vault_pass.txt": _whole_line,
    "token": _whole_line,
}
