"""Recipes of task runners that have a language of their own: just and Snakemake.

just_lines("d := '~/x'\\nclean:\\n    rm -rf {{d}}\\n") == ("rm -rf ~/x",)
"""

from __future__ import annotations

import re
from textwrap import dedent

from signoff.actions.vocabulary import lazy_re

LINES_LIMIT = 400
LONGEST = 2_000
_SET = lazy_re(r"^(?:export\s+)?([\w-]+)\s*:=\s*[\"'`]?([^\"'`\n]*)[\"'`]?\s*$")
_USED = lazy_re(r"\{\{\s*([\w-]+)\s*\}\}")
_HEAD = lazy_re(r"^@?[\w-]+(?:\s[^:=]*)?:(?!=)")
# Blocks of Snakemake that are Python (`run:`, `onsuccess:`); others name files and options.
_CODE_BLOCK = lazy_re(r"^(\s*)(?:run|onstart|onsuccess|onerror)\s*:\s*$")


def just_lines(text: str) -> tuple[str, ...]:
    """Return the lines of all recipes of a justfile, with its variables put in."""
    known: dict[str, str] = {}
    found: list[str] = []
    is_recipe = False
    for line in text.replace("\\\n", " ").split("\n")[:LINES_LIMIT]:
        if (given := _SET.match(line)) is not None:
            known[given[1]] = given[2]
        elif line[:1] in (" ", "\t"):
            found += [line.strip().lstrip("@-")[:LONGEST]] if is_recipe else []
        elif line.strip() and not line.startswith("#"):
            is_recipe = _HEAD.match(line) is not None

    def value(match: re.Match[str]) -> str:
        return known.get(match[1], match[0])

    return tuple([_USED.sub(value, line) for line in found if line and line[0] != "#"])


def snakemake_code(text: str) -> str:
    """Return the Python of a Snakefile's blocks of code and of its first level of imports."""
    lines = text.split("\n")
    found = [line for line in lines if line.startswith(("import ", "from "))]
    at = 0
    while at < len(lines):
        head = _CODE_BLOCK.match(lines[at])
        at += 1
        if head is None:
            continue
        begin = at
        while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > len(head[1])):
            at += 1
        found.append(dedent("\n".join(lines[begin:at])))
    return "\n".join(found)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
