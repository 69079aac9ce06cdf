"""The files that recipes in CONTRIBUTING.md give pass `ruff`, as `./scripts/check` runs it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
# "Write `src/signoff/.../frob/adapter.py`", or "Write `frob/install.py`" in the folder of the last.
STEP = re.compile(
    r"^\d\. (?:Write|Export)[^`]*`([\w/]+\.py)`(?:.*\n)(?: {3}\S.*\n)*\n((?: {7}.*\n|\n)+)", re.M
)
FILES = [(place, dedent(text).strip() + "\n") for place, text in STEP.findall(PAGE)]


def complaints(place: str, text: str) -> str:
    """Return what the style checks say of a file with this text; empty if nothing."""
    at = str(ROOT / "src" / "signoff" / place)
    said = ""
    # The files are not there, so their imports must be told from those of other projects.
    own = "lint.isort.known-first-party=['signoff']"
    checks = (("check", "--config", own, "--output-format", "concise"), ("format", "--diff"))
    for words in checks:
        line = (sys.executable, "-m", "ruff", *words, "--no-cache", "--stdin-filename", at, "-")
        done = subprocess.run(line, input=text, capture_output=True, text=True, cwd=ROOT)
        said += done.stdout + done.stderr if done.returncode else ""
    return said


def test_every_recipe_with_files_is_read() -> None:
    """A host, a channel, a detector and a handler: eight files."""
    names = [Path(place).name for place, _ in FILES]

    assert names == [
        *("adapter.py", "install.py", "__init__.py"),
        *("service.py", "opening.py", "manifest.py"),
        *("temporary_program.py", "worst.py"),
    ]


@pytest.mark.parametrize(("place", "text"), FILES, ids=[place for place, _ in FILES])
def test_a_file_of_a_recipe_passes_the_style_checks(place: str, text: str) -> None:
    """Who follows a recipe to the letter finds `./scripts/check` green."""
    assert complaints(place, text) == ""


def test_a_file_that_does_not_is_named() -> None:
    """By rule, or by the form it lacks."""
    assert "E501" in complaints("x.py", f'"""A file."""\n\nX = "{"x" * 100}"\n')
    assert complaints("x.py", '"""A file."""\nX = 1\n') != ""
