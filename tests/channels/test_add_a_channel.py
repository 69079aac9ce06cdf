"""The recipe "Add a channel" in CONTRIBUTING.md works, and each step that is left out is named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("websockets")

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a channel\n")[2]
BLOCKS = re.findall(
    r'\n\n( {7}"""Pager.*?)(?=\n\n ?\S|\n\n\d\. )', SECTION.partition("\n## ")[0], re.S
)
FILES = dict(zip(("service.py", "opening.py", "manifest.py"), map(dedent, BLOCKS), strict=True))
SIDE = Path(__file__).with_name("pager_side.txt")
LISTED = (
    (
        "CHANNELS: tuple",
        "from signoff.channels.pager.manifest import MANIFEST as PAGER\n\nCHANNELS: tuple",
    ),
    ("    MATRIX,\n", "    MATRIX,\n    PAGER,\n"),
)
PAGE = "Write `pager.yaml`, and reply to what comes.\n"
LINK = "[`pager.yaml`](../how-to/pager.md)\n"


def follow(folder: Path, *left_out: str, edit: tuple[str, str] = ("", "")) -> Path:
    """Follow the recipe in a copy of the project, with one change, without the steps named."""
    for part in ("src", "tests/channels", "docs/how-to", "docs/reference"):
        skipped = shutil.ignore_patterns("test_add_a_channel.py")
        shutil.copytree(ROOT / part, folder / part, ignore=skipped)
    shutil.copy(ROOT / "tests" / "test_registries.py", folder / "tests")
    pager = folder / "src" / "signoff" / "channels" / "pager"
    pager.mkdir()
    (pager / "__init__.py").touch()
    for name, text in FILES.items():
        (pager / name).write_text(text.replace(*edit) if edit[0] else text, "utf-8")
    if "tuple" not in left_out:
        table = pager.parent / "registry.py"
        text = table.read_text("utf-8")
        for old, new in LISTED:
            assert old in text
            text = text.replace(old, new, 1)
        table.write_text(text, "utf-8")
    if "page" not in left_out:
        (folder / "docs" / "how-to" / "pager.md").write_text(PAGE, "utf-8")
        with (folder / "docs" / "reference" / "settings.md").open("a", encoding="utf-8") as page:
            page.write(LINK)
    if "side" not in left_out:
        with (folder / "tests" / "channels" / "sides.py").open("a", encoding="utf-8") as sides:
            sides.write(SIDE.read_text("utf-8"))
    return folder


def failed(folder: Path, only: str) -> set[str]:
    """Run a part of the contract on the copy; return the tests that failed, by name."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", only),
            *("--rootdir", str(folder), "-c", os.devnull, "-rfE", "--tb=line"),
            *("tests/channels/test_contract.py", "tests/test_registries.py"),
        ],
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert "passed" in done.stdout or "failed" in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)", done.stdout, re.M))


def test_the_recipe_makes_a_channel(tmp_path: Path) -> None:
    """Every term of the contract is kept."""
    assert failed(follow(tmp_path), "pager or listed or side") == set()


@pytest.mark.parametrize(
    ("steps", "terms"),
    [
        (("tuple",), {"test_every_part_is_listed"}),
        (("page", "side"), {"test_it_is_documented", "test_every_messenger_has_a_side"}),
    ],
    ids=["tuple", "page and side"],
)
def test_a_step_that_is_left_out_is_named(
    tmp_path: Path, steps: tuple[str, ...], terms: set[str]
) -> None:
    """By the terms that it breaks."""
    assert terms <= failed(follow(tmp_path, *steps), "documented or listed or has_a_side")


@pytest.mark.parametrize(
    ("edit", "term"),
    [
        (
            ('await self._call("PUT", f"/texts/{message}", text)', "return"),
            "test_silence_is_no_and_the_card_says_so",
        ),
        (
            ('pattern=r"\\A[a-z]+\\Z", ', ""),
            "test_a_bad_settings_file_is_told_with_its_place",
        ),
    ],
    ids=["cards are not edited", "any id is taken"],
)
def test_a_mistake_is_named(tmp_path: Path, edit: tuple[str, str], term: str) -> None:
    """Each kind of mistake in the folder breaks its term."""
    assert any(edit[0] in text for text in FILES.values())
    assert term in failed(follow(tmp_path, edit=edit), f"pager and {term.removeprefix('test_')}")
