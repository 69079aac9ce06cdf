"""In which language a text that a program is handed is written, as far as its look tells.

language_of("rm -rf build")                     ->  shell
language_of("import os; os.system('ls')")       ->  python
language_of("foo(bar(1))")                      ->  code, of no language that is known here
language_of("Release notes for May")            ->  "", no code
"""

from __future__ import annotations

import re

from signoff.actions.known.shell_lines import starts_as_line
from signoff.actions.programs.registry import find

MAX_CHARS = 4_000

_PYTHON = re.compile(r"^\s*!?(?:import|from)\s+[\w.]+|__import__\(")
_SCRIPT = re.compile(r"\brequire\(|\bprocess\.|=>|\bawait\s")
_CODE = re.compile(r"\w\(|^\s*\(\w|[\w\]]\[[\w{\"]|\$\(|`[^`]+`|;\s*\w|\|\s*\w|&&")
_PRINTS = re.compile(
    r"\s*\(?(?:echo|print\w*|puts|say|display|console\.log)[\s(]+"
    r"(?:'[^']*'|\"[^\"]*\"|[\d +*/-]+)\s*\)?;?\s*"
)
_FIRST = re.compile(r"\s*(?:\w+=\S*\s+)*([\w./+-]+)")


def language_of(text: str) -> str:
    """Name the language of a text: `python`, `javascript`, `shell`, `code`, "" for no code."""
    text = text[:MAX_CHARS]
    if _PRINTS.fullmatch(text):
        return ""
    if _PYTHON.search(text):
        return "python"
    if _SCRIPT.search(text):
        return "javascript"
    if starts_as_line(text):
        return "shell"
    if " " in text.strip() and _is_program(text):
        return "shell"
    return "code" if _CODE.search(text) else ""


def _is_program(text: str) -> bool:
    first = _FIRST.match(text)
    return first is not None and find(first[1].rpartition("/")[2]) is not None
