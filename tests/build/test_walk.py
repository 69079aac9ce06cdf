"""The walk through one call in ARCHITECTURE.md: every step is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STEP = re.compile(r"`([A-Za-z_.]+)` in\s+`([a-z_/]+\.py)`")
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
STEPS = tuple(dict.fromkeys(STEP.findall(TEXT)))


def defined(tree: ast.AST) -> set[str]:
    """Return what a module defines: `name`, and `Class.name` for methods."""
    found = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            if isinstance(node, ast.ClassDef):
                found |= {f"{node.name}.{name}" for name in defined(node)}
    return found


def missing(name: str, file: str) -> bool:
    """Tell whether a file does not define a name."""
    path = ROOT / "src" / "signoff" / file
    return not path.exists() or name not in defined(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(("name", "file"), STEPS)
def test_every_step_is_defined_where_it_is_said_to_be(name: str, file: str) -> None:
    """Whoever follows it by go-to-definition arrives."""
    assert not missing(name, file)


def test_the_walk_goes_from_the_hook_to_the_record() -> None:
    """A list that is read by a pattern may lose its steps unseen."""
    files = [file for _, file in STEPS]

    assert len(STEPS) >= 18
    assert files[0] == "frontends/client/exchange.py"
    assert files.index("gate.py") < files.index("storage/sqlite.py")


def test_a_step_that_is_gone_is_seen() -> None:
    """The control: a name nobody defines, and a file that is not there."""
    assert missing("Gate.guess", "gate.py")
    assert missing("check", "gate.py")  # a method, not a function
    assert missing("run", "frontends/client/nowhere.py")
