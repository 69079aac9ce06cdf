"""Files that a configuration file holds: cloud-init, config maps, playbooks, images of machines.

Such a text is put on a machine or into a container under the name beside it, and what it does
there is what the outer file does. Only blocks with a name are told; the format is read by its
indentation alone, so a template is read as well.

    write_files:                      ("/etc/cron.d/x", "* * * * * root sh\\n")
      - path: /etc/cron.d/x
        content: |
          * * * * * root sh
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from textwrap import dedent

from signoff.actions.vocabulary import lazy_re

MOST_FILES = 20
_SIBLINGS = 12  # lines before and behind a block in which its path is looked for
_BLOCK = lazy_re(r"^(\s*)(-\s+)?[\"']?([\w./-]{1,200})[\"']?\s*:\s*[|>][+-]?\d?\s*(?:#.*)?$")
_TEXT_KEY = lazy_re(r"(?i)(?:contents?|text|data|inline|source|body)$")
_PATH_KEY = lazy_re(
    r"(?i)^(\s*)(-\s+)?(?:path|dest|destination|file_?name|target)\s*:\s*[\"']?([\w./@-]+)"
)
_FILE_NAME = lazy_re(r"(?:/?[\w.-]+/)*[\w-]*\.[A-Za-z]\w{0,9}$|/[\w./-]+$")


def files_within(text: str) -> tuple[tuple[str, str], ...]:
    """Return the path and text of each named file that a configuration file holds."""
    lines = text.split("\n")
    return tuple(islice(_files(lines), MOST_FILES)) if "|" in text or ">" in text else ()


def _files(lines: list[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        match = _BLOCK.match(line)
        if match is None:
            continue
        key = match.group(3)
        indent = len(match.group(1)) + len(match.group(2) or "")
        body = _block(lines, number + 1, indent)
        if _TEXT_KEY.match(key) is not None:
            path = _path_beside(lines, number, number + 1 + len(body), indent)
        else:
            path = key if _FILE_NAME.match(key) is not None else ""
        if path:
            yield path, dedent("\n".join(body)) + "\n"


def _block(lines: list[str], start: int, indent: int) -> list[str]:
    """The lines that stand further in than their key."""
    body: list[str] = []
    for line in lines[start:]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        body.append(line)
    return body


def _path_beside(lines: list[str], start: int, end: int, indent: int) -> str:
    """The path that the same entry of a list gives, before or behind the block."""
    before = lines[max(start - _SIBLINGS, 0) : start + 1]
    for line in reversed(before):
        if (path := _path_in(line, indent)) is not None:
            return path
        if _column(line) == indent and line.lstrip().startswith("- "):
            break
    for line in lines[end : end + _SIBLINGS]:
        if _column(line) != indent or line.lstrip().startswith("- "):
            break
        if (path := _path_in(line, indent)) is not None:
            return path
    return ""


def _path_in(line: str, indent: int) -> str | None:
    match = _PATH_KEY.match(line)
    is_beside = match is not None and len(match.group(1)) + len(match.group(2) or "") == indent
    return match.group(3) if match is not None and is_beside else None


def _column(line: str) -> int:
    """The column of a line's key, behind the sign of a list."""
    stripped = line.lstrip()
    column = len(line) - len(stripped)
    return column + len(stripped) - len(stripped[1:].lstrip()) if stripped[:2] == "- " else column
