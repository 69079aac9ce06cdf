"""`signoff cost`: totals and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from signoff.challenge.evaluators.model import TokenUsage
from signoff.effects.costs import Costs
from signoff.frontends.cli.app import app
from signoff.storage.costs.cost_file import CostFile


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give signoff folders of its own."""
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def cost(*options: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["cost", *options])


def spend(state: Path) -> None:
    """Record one call of a cent and a half."""
    usage = TokenUsage(input_tokens=10_000, output_tokens=1_000)
    Costs(CostFile(str(state / "costs.db"))).record(
        model="claude-haiku-4-5", purpose="tool-eval", usage=usage
    )


def test_without_calls_nothing_was_spent(state: Path) -> None:
    """And nothing is made."""
    done = cost("--json")

    assert {"today": {"calls": 0, "cents": 0.0}, "month": {"calls": 0, "cents": 0.0}} == json.loads(
        done.output
    )
    assert not state.exists()


def test_today_and_this_month_are_shown(state: Path) -> None:
    """Calls and cents."""
    spend(state)
    lines = cost().output.splitlines()

    assert [
        ["today", "1", "call", "1.5000", "cents"],
        ["month", "1", "call", "1.5000", "cents"],
    ] == [line.split() for line in lines]


@pytest.mark.parametrize(("budget", "said"), [(50, "50.0000 cents a day"), (1, "people are asked")])
def test_the_budget_of_the_day_is_shown(state: Path, budget: int, said: str) -> None:
    """Where a model is configured; once it is spent, what that means."""
    config = state.parent / "config"
    config.mkdir()
    (config / "signoff.yaml").write_text(f"evaluator: {{daily_budget_cents: {budget}}}\n")
    spend(state)
    last = cost().output.splitlines()[-1]

    assert (True, budget < 2) == (said in last, "spent" in last)


def test_the_month_alone(state: Path) -> None:
    """As JSON."""
    spend(state)

    assert {"month": {"calls": 1, "cents": 1.5}} == json.loads(cost("--month", "--json").output)


def test_calls_are_exported(state: Path, tmp_path: Path) -> None:
    """One file a day, named on the way."""
    spend(state)
    done = cost("--export", str(tmp_path / "out"))
    file = Path(done.output.strip())

    assert 0 == done.exit_code
    assert "tool-eval" == json.loads(file.read_text())["purpose"]


def test_a_damaged_book_is_told(state: Path) -> None:
    """As a message, with the status of an error."""
    state.mkdir()
    (state / "costs.db").write_bytes(b"no database" * 1_000)
    done = cost()

    assert 2 == done.exit_code
    assert "cannot use the costs" in done.output
