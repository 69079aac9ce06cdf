"""The documents as a site: every page is in it, no link leads nowhere, and the tutorial is true."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from bench.warm_home import give_patterns

ROOT = Path(__file__).parents[1]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", TUTORIAL, re.DOTALL)


@pytest.fixture(scope="module")
def staging() -> ModuleType:
    """Return the script that lays pages out."""
    spec = importlib.util.spec_from_file_location("stage_docs", ROOT / "scripts" / "stage_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(staging: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay the pages out; return their folder."""
    folder = tmp_path_factory.mktemp("site")
    staging.stage(folder / "site")
    return folder / "site" / "pages"


def listed(nav: list[Any]) -> Iterator[str]:
    """Yield the pages of the navigation."""
    for entry in nav:
        for value in [entry] if isinstance(entry, str) else entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from listed(value)


def test_every_page_is_in_the_navigation(pages: Path) -> None:
    """And every entry is a page; decisions are listed on a page of their own."""
    settings = (pages.parent / "zensical.toml").read_text(encoding="utf-8")
    nav = tomllib.loads(settings)["project"]["nav"]
    there = {path.relative_to(pages).as_posix() for path in pages.rglob("*.md")}

    assert set(listed(nav)) == {name for name in there if not re.match(r"adr/\d{4}-", name)}


def test_no_link_of_the_site_leads_nowhere(pages: Path, staging: ModuleType) -> None:
    """Whatever was moved, and links to files that are no page are text."""
    dead = [
        f"{page.relative_to(pages)}: {found[3]}"
        for page in pages.rglob("*.md")
        for found in staging.LINK.finditer(page.read_text(encoding="utf-8"))
        if "://" not in found[3]
        and not found[3].startswith("mailto:")
        and not (page.parent / found[3]).exists()
    ]

    assert dead == []


def test_links_lead_where_they_did(staging: ModuleType) -> None:
    """Up, down, with a part of the page, to a picture, to a file that is no page."""
    page = ROOT / "docs" / "how-to" / "approvals.md"
    before = "[a](../levels.md#x) ![b](../images/demo.svg) [c](../../SECURITY.md) [`d`](../../src)"
    after = "[a](../levels.md#x) ![b](../images/demo.svg) [c](../SECURITY.md) `d`"

    assert after == staging.staged(before, page)
    assert "[a](how-to/install.md)" == staging.staged(
        "[a](docs/how-to/install.md)", ROOT / "README.md"
    )
    assert "[a](https://example.org)" == staging.staged("[a](https://example.org)", page)


def test_no_picture_of_the_site_is_missing(pages: Path) -> None:
    """Also those that are written as HTML, for light and dark."""
    missing = [
        f"{page.name}: {address}"
        for page in pages.rglob("*.md")
        for address in re.findall(r'\b(?:src|srcset)="([^":\s]+)"', page.read_text())
        if not (page.parent / address).is_file()
    ]

    assert [] == missing
    assert "images/request-1280-dark.webp" in (pages / "index.md").read_text()


def test_the_site_builds_strictly_and_a_dead_link_fails(
    staging: ModuleType, tmp_path: Path
) -> None:
    """By the builder itself, in a copy."""
    pytest.importorskip("zensical", reason="zensical is not installed (group docs)")
    build = [sys.executable, "-m", "zensical", "build", "--strict"]
    staging.stage(tmp_path / "site")
    pages = tmp_path / "site" / "pages"
    good = subprocess.run(build, cwd=pages.parent, capture_output=True, check=False, timeout=120)
    (pages / "glossary.md").write_text("[gone](nowhere.md)\n", encoding="utf-8")
    bad = subprocess.run(build, cwd=pages.parent, capture_output=True, check=False, timeout=120)

    assert 0 == good.returncode, good.stderr
    assert (pages.parent / "html" / "how-to" / "install.html").is_file()
    assert 0 != bad.returncode


def test_the_commands_of_the_tutorial_do_what_it_shows(tmp_path: Path) -> None:
    """One after another, in an empty home with an agent; `...` stands for anything."""
    (tmp_path / ".claude").mkdir()
    give_patterns(tmp_path)
    try:
        shown = [(block, run(tmp_path, block.splitlines()[0])) for block in commands()]
    finally:
        run(tmp_path, "$ signoff down")

    assert 10 <= len(shown)
    for block, said in shown:
        assert matches(block.splitlines()[1:], said), f"{block}\n--- but:\n{said}"


def commands() -> Iterator[str]:
    """Yield each command of the tutorial with what stands below it."""
    for block in BLOCKS:
        yield from (f"$ {part}" for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part)


def run(home: Path, line: str) -> str:
    """Run a line of the tutorial in this home; return what it prints."""
    assert line.startswith("$ signoff ")
    done = subprocess.run(
        [sys.executable, "-I", "-m", "signoff", *line.removeprefix("$ signoff ").split()],
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout


def matches(lines: list[str], said: str) -> bool:
    """Tell whether a text is as the lines say."""
    parts = (".*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") for line in lines)
    pattern = r"\A\s*" + r"\s*".join(parts) + r"\s*\Z"
    return re.match(pattern, said, re.DOTALL) is not None
