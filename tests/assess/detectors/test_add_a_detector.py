"""The recipe "Add a detector" in CONTRIBUTING.md works, and each step that is left out is named."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

from bench import policy_lines as lines_in_source
from signoff.actions.action import ActionKind
from signoff.assess import detectors
from signoff.assess.detectors import registry
from signoff.assess.detectors.detector import Detector

ROOT = Path(__file__).parents[3]
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a detector\n")[2]
SECTION = SECTION.partition("\n## ")[0]
FILE = dedent("".join(re.findall(r'\n\n( {7}"""Programs.*?)(?=\n\n2\. )', SECTION, re.S)))
LISTED = re.findall(r"add `(temporary_program.DETECTOR,)` to", SECTION)
ROWS = re.findall(r"\n {7}(\| `temporary-program.*\|)\n", SECTION)
FOLDER = Path("signoff") / "assess" / "detectors"
# Who follows the recipe to the letter runs this file, too.
pytestmark = pytest.mark.skipif(
    (ROOT / "src" / FOLDER / "temporary_program.py").exists(), reason="the recipe was followed here"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that detectors are imported from as well; what comes from it is forgotten."""
    src = tmp_path / "src"
    shutil.copytree(
        Path(detectors.__path__[0]), src / FOLDER, ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(detectors, "__path__", [*detectors.__path__, str(src / FOLDER)])
    for part in ("", "assess", "assess/detectors"):
        monkeypatch.syspath_prepend(str(ROOT / "tests" / part))
    yield src
    sys.modules.pop("signoff.assess.detectors.temporary_program", None)
    registry._chosen.cache_clear()


def follow(
    src: Path, monkeypatch: pytest.MonkeyPatch, *left_out: str, edit: tuple[str, str] = ("", "")
) -> Detector:
    """Follow the recipe with one change, without the steps named; return the detector."""
    assert edit[0] in FILE
    changed = FILE.replace(*edit) if edit[0] else FILE
    (src / FOLDER / "temporary_program.py").write_text(changed, "utf-8")
    detector: Detector = import_module("signoff.assess.detectors.temporary_program").DETECTOR
    listed = (*registry.OPERATION_DETECTORS, detector)
    if "table" not in left_out:
        _list(src / FOLDER / "registry.py")
        of_calls = (*registry._BY_KIND[ActionKind.TOOL], detector)
        monkeypatch.setitem(registry._BY_KIND, ActionKind.TOOL, of_calls)
        monkeypatch.setattr(registry, "_ASKED", registry._ASKED | (detector.marks or set()))
        registry._chosen.cache_clear()
    monkeypatch.setattr(lines_in_source, "OPERATION_DETECTORS", listed)
    monkeypatch.setattr(import_module("test_policy_lines"), "OPERATION_DETECTORS", listed)
    page = import_module("test_defaults_doc")
    rows = page.PAGE if "row" in left_out else f"{page.PAGE}\n{ROWS[0]}\n"
    monkeypatch.setattr(page, "PAGE", rows)
    return detector


def _list(table: Path) -> None:
    """Add the detector to the copied table, as the recipe says."""
    text = table.read_text("utf-8")
    for before, line in (
        ("    workaround,\n", "    temporary_program,\n"),
        ("    workaround.DETECTOR,\n", f"    {LISTED[0]}\n"),
    ):
        assert before in text
        text = text.replace(before, line + before, 1)
    table.write_text(text, "utf-8")


def failed(src: Path, detector: Detector) -> set[str]:
    """Run the tests that the recipe names on the new detector; return those that fail."""
    examples, moved = import_module("test_examples"), import_module("test_policy_lines")
    page, tables = import_module("test_defaults_doc"), import_module("test_registries")
    of_detector = (examples.test_examples_hold, examples.test_detector_is_complete)
    of_tables = (
        moved.test_lines_of_operations_are_those_in_the_source,
        page.test_every_line_stands_in_the_table_with_its_verdict,
    )
    found = {one.__name__ for one in of_detector if _fails(one, detector)}
    found |= {one.__name__ for one in of_tables if _fails(one)}
    return found | ({"test_every_part_is_listed"} if tables.unlisted_detectors(src) else set())


def _fails(test: Callable[..., None], *given: object) -> bool:
    try:
        test(*given)
    except AssertionError:
        return True
    return False


def test_the_recipe_makes_a_detector(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its examples hold, and every table knows it."""
    assert failed(folder, follow(folder, monkeypatch)) == set()


@pytest.mark.parametrize(
    ("step", "test"),
    [
        ("table", "test_every_part_is_listed"),
        ("row", "test_every_line_stands_in_the_table_with_its_verdict"),
    ],
)
def test_a_step_that_is_left_out_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, test: str
) -> None:
    """By the test of the table that lacks it."""
    assert test in failed(folder, follow(folder, monkeypatch, step))


@pytest.mark.parametrize(
    ("edit", "test"),
    [
        (("op.verb is Verb.EXECUTE and ", ""), "test_examples_hold"),
        (("frozenset({Reach.TEMP})", "frozenset({Reach.HOME})"), "test_examples_hold"),
        (('        shell_call("rm /tmp/notes.txt"),\n', ""), "test_detector_is_complete"),
        ((', "run", ', ', "runs", '), "test_lines_of_operations_are_those_in_the_source"),
        (('    lines="run",\n', ""), "test_lines_of_operations_are_those_in_the_source"),
    ],
    ids=["finds too much", "wrong marks", "too few examples", "another line", "no line"],
)
def test_a_mistake_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, edit: tuple[str, str], test: str
) -> None:
    """By the test of what it breaks."""
    assert test in failed(folder, follow(folder, monkeypatch, edit=edit))
