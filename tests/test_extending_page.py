"""Every example of docs/how-to/extend.md runs as it stands, and does what the page says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from signoff import Action, Denied
from signoff.assess.risk.score import RiskContext
from signoff.frontends.python.chosen import _of_process

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "extend.md"
EXAMPLES = dict(re.findall(r"<!-- example: (\S+) -->\n```python\n(.*?)```", PAGE.read_text(), re.S))


def ran(name: str) -> tuple[str, dict[str, Any]]:
    """Run an example; return what it printed, and its names."""
    names: dict[str, Any] = {"__name__": "example"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(EXAMPLES[name], f"{PAGE.name}: {name}", "exec"), names)
    return printed.getvalue(), names


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give examples a home without a daemon."""
    for variable in ("SIGNOFF_CONFIG_DIR", "SIGNOFF_STATE_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    _of_process.cache_clear()


def test_each_example_has_a_test() -> None:
    """None is on the page only; that of a package is tested with its package."""
    assert {"scorer", "detector", "aggregator", "handler", "acme_signoff.py"} == set(EXAMPLES)


def test_a_scorer_of_ones_own_makes_a_call_riskier() -> None:
    """A few rows pass; many need a person."""
    printed, names = ran("scorer")

    assert "sales: 5\n" == printed
    with pytest.raises(Denied, match="nobody can be asked"):
        names["draw_chart"]("sales", 1_000)
    scorers = (names["highest"], names["half_and_half"])
    call = RiskContext(action=Action(tool="draw_chart", arguments={"rows": 1_000}))
    assert [True, True] == [0 < scorer.score(call) <= 1 for scorer in scorers]


def test_a_detector_of_ones_own_blocks() -> None:
    """With its own words."""
    printed, _ = ran("detector")

    assert printed.startswith("False ")
    assert "4 coupons in one request" in printed


def test_a_weight_makes_a_finding_milder() -> None:
    """It is logged, not blocked."""
    _, names = ran("aggregator")

    assert 0 < names["decision"].threat.score < 60
    assert "log" in names["decision"].do
    assert "block" not in names["decision"].do


def test_a_handler_is_given_what_was_blocked() -> None:
    """And nothing else."""
    printed, _ = ran("handler")

    assert printed.startswith("1 ")
