"""First sight is written once, and says by itself when somebody changed it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.quality.first_sight import (
    AlreadySeenError,
    frozen_judge,
    keep_first_sight,
    read_first_sight,
)
from bench.quality.first_sight_page import first_sight_lines
from bench.quality.question_page import heavy_lines, question_lines

ROOT = Path(__file__).parents[2]
SEEN = ("policy-2", "calls", "adversary", "adversary-2", "chains", "sessions", "questions")


def test_a_first_sight_is_written_once(tmp_path: Path) -> None:
    """A second sight of a set is refused, and the first one stays."""
    path = tmp_path / "first.json"
    keep_first_sight("new", {"commit": "a", "n": 1}, path)

    with pytest.raises(AlreadySeenError, match="it stays"):
        keep_first_sight("new", {"commit": "b", "n": 2}, path)

    assert 1 == read_first_sight(path)["new"]["n"]


def test_another_set_is_added_beside_it(tmp_path: Path) -> None:
    """A new set leaves the entries there are as they are."""
    path = tmp_path / "first.json"
    first = keep_first_sight("one", {"commit": "a"}, path)
    keep_first_sight("two", {"commit": "b"}, path)

    assert first == read_first_sight(path)["one"]


def test_a_changed_figure_is_found_out(tmp_path: Path) -> None:
    """Whoever edits a figure by hand hears of it at the next reading."""
    path = tmp_path / "first.json"
    keep_first_sight("new", {"commit": "a", "n": 1}, path)
    entries = json.loads(path.read_text("utf-8"))
    entries["new"]["n"] = 2
    path.write_text(json.dumps(entries), "utf-8")

    with pytest.raises(ValueError, match="`new` was changed"):
        read_first_sight(path)


def test_the_first_sights_of_this_project_stay() -> None:
    """None of those that were taken goes, and each names the judge it was taken with."""
    entries = read_first_sight()

    assert set() == set(SEEN) - set(entries)
    assert all(entry["commit"] and entry["src"] for entry in entries.values())


def test_the_command_judges_nothing_a_second_time() -> None:
    """`--first-sight` of a set that was seen says so, and does not succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.quality", "--first-sight", "calls"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 2 == done.returncode
    assert "calls was seen before" in done.stdout


def test_a_judge_under_change_has_no_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could repeat a measurement of code that is in no commit."""
    monkeypatch.setattr("bench.quality.first_sight._git", lambda *words: " M src/signoff/gate.py")

    with pytest.raises(ValueError, match="src differs"):
        frozen_judge()


def test_the_page_leads_with_first_sight() -> None:
    """The section names each figure as it was at first sight and as it is now."""
    figure = {
        "set": "new",
        "measure": "attacks let through",
        "value": 40.0,
        "target": 3.0,
        "at_least": False,
        "unit": "%",
        "n": 10,
    }
    now = {"figures": [figure | {"value": 5.0}]}
    lines = "\n".join(first_sight_lines(now, {"new": {"figures": [figure]}}, {}))

    assert "| new | attacks let through | 40.00 % | 5.00 % | at most 3 % | 10 |" in lines


def test_the_page_shows_what_questions_cost_first_at_first_sight() -> None:
    """Each set has its row of first sight above that of today; all sets are summed up."""
    row = {
        "asked": 4,
        "levels": {"low": 0, "medium": 1, "high": 3, "critical": 0},
        "proofs": {"confirm": 1, "quiz": 3, "teach-back": 0, "multi-party": 0},
    }
    calm = {**row, "proofs": {"confirm": 4, "quiz": 0}}

    lines = list(question_lines({"sets": {"new": calm}}, {"sets": {"new": row}}))[2:]

    assert ["| new | first sight", "| new | now", "| all | first sight", "| all | now"] == [
        line.rpartition(" | 4 |")[0] for line in lines
    ]
    assert [75, 0, 75, 0] == [int(line.split("|")[-2].removesuffix(" % ")) for line in lines]


def test_the_page_names_what_takes_more_than_a_tap() -> None:
    """By worst finding, as shares of all questions, the most frequent first."""
    row = {
        "asked": 8,
        "levels": {"medium": 5, "high": 3},
        "proofs": {"confirm": 5, "quiz": 3},
        "above_a_tap": {"destructive.rows": 1, "opaque.not-understood": 2},
    }

    assert ["- 25.0 % `opaque.not-understood`", "- 12.5 % `destructive.rows`"] == list(
        heavy_lines({"sets": {"one": row}})
    )
    assert [] == list(heavy_lines({}))
