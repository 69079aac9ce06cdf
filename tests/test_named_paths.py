"""Files, folders, modules and commands that the documents name exist.

Decision records and the changelog are left out: they tell of their day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from signoff.channels.registry import CHANNELS
from signoff.frontends.cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "adr"),
]
FOLDERS = (
    "src",
    "tests",
    "bench",
    "docs",
    "scripts",
    "plugins",
    "requirements",
    ".ci",
    ".github",
    "clients",
)
# `a/b.py`, `a/`, `<family>` and `*` for any name, `{a,b}` for each; in two pages `b.py` too.
IN_FOLDER = re.compile(
    r"`((?:[\w<>*{},-][\w.<>*{},-]*/)+(?:[\w.<>*{},-]+\.(?:py|yaml|md|txt|jsonl))?)`"
)
WITH_NAMES_ALONE = ("ARCHITECTURE.md", "find-a-change.md")
ALONE = re.compile(r"`([\w*]+\.py)`")
MODULE = re.compile(r"(?:python -m|^\s*from|^\s*import) ((?:signoff|bench|tests)(?:\.\w+)*)", re.M)
COMMAND = re.compile(r"(?:^\s{4,}|`|\$ |bin/)signoff ([a-z][\w-]*)", re.M)
# What the recipes of CONTRIBUTING make, and what belongs to users' projects.
MADE = ("frob", "pager", "temporary_program", "handlers/worst")


@cache
def named_files() -> frozenset[str]:
    """Return every file and folder by every ending of its path: `a/b/c.py`, `b/c.py`, `c.py`."""
    found = {path for folder in FOLDERS for path in (ROOT / folder).rglob("*")} | set(
        ROOT.iterdir()
    )
    parts = [path.relative_to(ROOT).parts for path in found if "__pycache__" not in path.parts]
    return frozenset("/".join(one[start:]) for one in parts for start in range(len(one)))


def missing(text: str, *, has_names_alone: bool = False) -> Iterator[str]:
    """Yield the paths and modules a text names that do not exist."""
    names = IN_FOLDER.findall(text) + (ALONE.findall(text) if has_names_alone else [])
    for name in names:
        if not name.startswith("<") and not any(made in name for made in MADE):
            yield from (one for one in _alternatives(name) if not _exists(one))
    for module in MODULE.findall(text):
        path = module.replace(".", "/")
        made = any(one in path for one in MADE)
        if not made and not _exists(path) and not _exists(f"{path}.py"):
            yield module


def _alternatives(name: str) -> list[str]:
    """Write the braces out."""
    start, brace, rest = name.partition("{")
    if not brace:
        return [name]
    inside, _, end = rest.partition("}")
    return [start + one + end for one in inside.split(",")]


def _exists(name: str) -> bool:
    wanted = name.rstrip("/")
    if not re.search(r"[<*]", wanted):
        return wanted in named_files()
    pattern = re.compile(re.sub(r"<\w+>|\\\*+", "[^/]+", re.escape(wanted)))
    return any(pattern.fullmatch(one) for one in named_files())


@pytest.mark.parametrize("page", PAGES, ids=lambda one: str(one.relative_to(ROOT)))
def test_what_a_page_names_exists(page: Path) -> None:
    """Files, folders and modules of this project."""
    text = page.read_text("utf-8")

    assert [] == list(missing(text, has_names_alone=page.name in WITH_NAMES_ALONE))


@pytest.mark.parametrize("page", PAGES, ids=lambda one: str(one.relative_to(ROOT)))
def test_a_command_that_a_page_shows_exists(page: Path) -> None:
    """`signoff NAME`, in examples and in the text."""
    known = {*COMMANDS, *(one.name for one in CHANNELS if one.commands())}

    assert set() == set(COMMAND.findall(page.read_text("utf-8"))) - known


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("go to `actions/shell/raeder.py`", "actions/shell/raeder.py"),
        ("the folder `cellar/`", "cellar/"),
        ("`actions/{shell,sqll}/self_test.py`", "actions/sqll/self_test.py"),
        ("`frontends/<host>/adapters.py`", "frontends/<host>/adapters.py"),
        ("`python -m bench.qualitty`", "bench.qualitty"),
        ("    from signoff.wiring import gate", "signoff.wiring"),
        ("the table in `raeder.py`", "raeder.py"),
    ],
)
def test_a_name_that_is_gone_is_found(text: str, named: str) -> None:
    """The check can fail: what was moved, and what was misspelt."""
    assert [named] == list(missing(text, has_names_alone=True))
