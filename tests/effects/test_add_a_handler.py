"""The recipe "Add a handler" in CONTRIBUTING.md works, and each step that is left out is named."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

from signoff.effects import handlers
from signoff.effects.pipeline import Handler

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a handler\n")[2]
SECTION = SECTION.partition("\n## ")[0]
FILE = dedent("".join(re.findall(r'\n\n( {7}"""Handler.*?)(?=\n\n2\. )', SECTION, re.S)))
LISTED = re.findall(r'add `("worst": WorstHandler,)` to', SECTION)
PIPELINE = "from signoff.effects.pipeline import PipelineDecision\n"
IMPORT = "from signoff.effects.handlers.worst import WorstHandler\n"
ROW = "| `WorstHandler` | keeps the highest score |\n"
FOLDER = Path("signoff") / "effects" / "handlers"
NAMES = "test_a_handler_can_be_found"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that handlers are imported from as well; what comes from it is forgotten."""
    src = tmp_path / "src"
    shutil.copytree(
        Path(handlers.__path__[0]), src / FOLDER, ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(handlers, "__path__", [*handlers.__path__, str(src / FOLDER)])
    for part in ("", "effects"):
        monkeypatch.syspath_prepend(str(ROOT / "tests" / part))
    yield src
    sys.modules.pop("signoff.effects.handlers.worst", None)


def follow(src: Path, *left_out: str, edit: tuple[str, str] = ("", "")) -> type[Handler]:
    """Follow the recipe with one change, without the steps named; return the handler."""
    assert edit[0] in FILE
    (src / FOLDER / "worst.py").write_text(FILE.replace(*edit) if edit[0] else FILE, "utf-8")
    if "table" not in left_out:
        table = src / FOLDER / "registry.py"
        text = table.read_text("utf-8")
        for before, line in ((PIPELINE, IMPORT), ("}\n", f"    {LISTED[0]}\n")):
            assert before in text
            text = text.replace(before, line + before, 1)
        table.write_text(text, "utf-8")
    kind: type[Handler] = import_module("signoff.effects.handlers.worst").WorstHandler
    return kind


@pytest.fixture
def failed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Callable[..., set[str]]:
    """Return what follows the recipe and gives the tests of the contract that fail."""
    contract, tables = import_module("test_every_handler"), import_module("test_registries")

    def run(*left_out: str, edit: tuple[str, str] = ("", "")) -> set[str]:
        kind = follow(folder, *left_out, edit=edit)
        page = contract.PAGE.read_text("utf-8") + ("" if "row" in left_out else ROW)
        found = {NAMES} if contract.broken_terms("worst", kind, page) else set()
        monkeypatch.setitem(contract.HANDLERS, "worst", kind)
        for test, given in (
            (contract.test_many_threads_may_call_a_handler, ("worst", "", folder)),
            (contract.test_a_handler_logs_no_input, ("worst", "", folder, caplog)),
        ):
            try:
                test(*given)
            except (AssertionError, ArithmeticError):
                found.add(test.__name__)
        return found | (
            {"test_every_part_is_listed"} if tables.unlisted_handlers(folder) else set()
        )

    return run


def test_the_recipe_makes_a_handler(failed: Callable[..., set[str]]) -> None:
    """It keeps the whole contract."""
    assert failed() == set()


@pytest.mark.parametrize(("step", "test"), [("table", "test_every_part_is_listed"), ("row", NAMES)])
def test_a_step_that_is_left_out_is_named(
    failed: Callable[..., set[str]], step: str, test: str
) -> None:
    """By the test of the table that lacks it."""
    assert failed(step) == {test}


SCORE = "self._score = max(self._score, decision.threat.score)"


@pytest.mark.parametrize(
    ("edit", "test"),
    [
        (
            (SCORE, "self._score = 1 / decision.threat.score"),
            "test_many_threads_may_call_a_handler",
        ),
        (
            (SCORE, "__import__('logging').warning('%s', decision.action)"),
            "test_a_handler_logs_no_input",
        ),
        (("Handler `worst`:", "The handler"), NAMES),
    ],
    ids=["it raises", "it logs the input", "it has no name"],
)
def test_a_mistake_is_named(
    failed: Callable[..., set[str]], edit: tuple[str, str], test: str
) -> None:
    """By the test of what it breaks."""
    assert test in failed(edit=edit)
