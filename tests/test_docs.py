"""The documents keep up with the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from signoff.frontends.cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_no_link_leads_nowhere() -> None:
    """Every relative link of a page leads to a file."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "dead_links.py"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "hook"])
def test_every_command_is_documented(name: str) -> None:
    """Every command a person types stands in a page."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)

    assert f"signoff {name}" in text


def test_the_glossary_is_in_order() -> None:
    """A word is found at a glance, and stands there once."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| \*\*(.+?)\*\* \|", text, flags=re.MULTILINE)

    assert words == sorted(set(words))


def test_every_decision_record_is_listed() -> None:
    """The list of decision records is whole."""
    folder = ROOT / "docs" / "adr"
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text("utf-8"))

    assert listed == sorted(path.name for path in folder.glob("0*.md"))


@pytest.mark.parametrize(
    "path",
    sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file()),
    ids=lambda p: p.name,
)
def test_every_script_is_well_formed(path: Path) -> None:
    """A script parses, and one without an ending can be started as it is."""
    if path.suffix == ".py":
        compile(path.read_text(encoding="utf-8"), path.name, "exec")
        return

    assert path.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
