"""The page of threats names tests that are there, and leaves no threat out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (T-\d\d) \| (.+) \|$", PAGE, re.MULTILINE))
NUMBERS = (*range(1, 8), *range(25, 47), 52, *range(55, 59), *range(60, 76))
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
# Settings; the public evaluator's key; where hosts keep their files and which project they name;
# where programs are looked for; whether lines are coloured; whether a browser has a screen; the
# token of a messenger's bot; what `init` and a backtest of the inbox start other processes with.
READERS = {
    "settings.py",
    "storage/postgresql/address.py",  # the password, from the one variable that is named
    "channels/matrix/settings.py",
    "challenge/evaluators/llm.py",
    "frontends/cli/exec.py",
    "frontends/cli/init.py",
    "frontends/cli/mcp_login.py",
    "frontends/cli/open.py",
    "frontends/cli/replay.py",
    "frontends/cli/styled_lines.py",
    "frontends/client/exchange.py",
    "frontends/client/windows_calls.py",
    "frontends/mcp/guard.py",
    "frontends/mcp/proxy.py",
    "frontends/replay/transcripts.py",
    "frontends/service/becoming.py",
    "frontends/web/softening/softer_lines.py",
    "frontends/doctor/hosts.py",
    "frontends/hosts/connection.py",
    "frontends/hosts/host.py",
    "serving/passed_sockets.py",
    "storage/bindings/operands.py",
}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_threat_has_its_test(number: int) -> None:
    """One row, with what is done about it and at least one test."""
    assert "`tests/" in ROWS[f"T-{number:02}"]


def test_no_row_is_for_nothing() -> None:
    """A number that is not meant would hide one that is."""
    assert {f"T-{number:02}" for number in NUMBERS} == ROWS.keys()


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_named_test_is_there(file: str, name: str) -> None:
    """By file and name."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))

    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_environment_is_read_in_few_places() -> None:
    """T-56: no switch hides in a module; variables are read where settings and hosts are."""
    readers = {
        path.relative_to(ROOT / "src" / "signoff").as_posix()
        for path in (ROOT / "src").rglob("*.py")
        if reads_environment(ast.parse(path.read_text(encoding="utf-8")))
    }

    assert READERS == readers


def reads_environment(tree: ast.AST) -> bool:
    """Tell whether code reads variables of its process."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in {"environ", "environb", "getenv"}
        and isinstance(node.value, ast.Name)
        for node in ast.walk(tree)
    )
