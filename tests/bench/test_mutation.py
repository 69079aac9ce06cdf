"""What mutation testing counts: a change of a text is none, and what is explained is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.mutation.__main__ import explained, report
from bench.mutation.groups import GROUPS
from bench.mutation.results import Mutant, Outcome, mutants_in

ROOT = Path(__file__).parents[2]
MUTATED = """
class Door:
    def xǁDoorǁopen__mutmut_orig(self, key):
        log.info("opened by %s", key)
        return key == "right"
    def xǁDoorǁopen__mutmut_1(self, key):
        log.info("opened by %s", None)
        return key == "right"
    def xǁDoorǁopen__mutmut_2(self, key):
        log.info("opened by %s", key)
        return key != "right"
def x__say__mutmut_orig(a):
    return a or "nobody is there"
def x__say__mutmut_1(a):
    return a or "XXnobody is thereXX"
def x__say__mutmut_2(a):
    return a and "nobody is there"
"""
CODES = {
    "house.xǁDoorǁopen__mutmut_1": 0,
    "house.xǁDoorǁopen__mutmut_2": 1,
    "house.x__say__mutmut_1": 0,
    "house.x__say__mutmut_2": 33,
}


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Mutant]:
    """Return the mutants of a run, by their names."""
    folder = tmp_path / "mutants"
    folder.mkdir()
    (folder / "house.py").write_text(MUTATED, encoding="utf-8")
    meta = json.dumps({"exit_code_by_key": CODES})
    (folder / "house.py.meta").write_text(meta, encoding="utf-8")
    return {one.name: one for one in mutants_in(tmp_path)}


def test_outcomes_are_read_and_texts_are_told_apart(found: dict[str, Mutant]) -> None:
    """A log line and a sentence for people are no behaviour; a comparison is."""
    outcomes = [found[name].outcome for name in CODES]

    assert outcomes == [Outcome.TEXT, Outcome.KILLED, Outcome.TEXT, Outcome.UNTESTED]
    killed = found["house.xǁDoorǁopen__mutmut_2"]
    assert killed.place == "house.Door.open"
    assert killed.change == "- return key == 'right'\n+ return key != 'right'"


def test_a_gap_fails_and_an_explained_survivor_does_not(found: dict[str, Mutant]) -> None:
    """As long as enough are killed."""
    killed, alive = found["house.xǁDoorǁopen__mutmut_2"], found["house.x__say__mutmut_2"]
    known = {(alive.place, alive.change): "why"}

    assert report("g", [killed] * 9 + [alive], known, shows_all=False)
    assert not report("g", [killed] * 9 + [alive], {}, shows_all=False)
    assert not report("g", [killed] * 8 + [alive], known, shows_all=False)
    assert not report("g", [], {}, shows_all=False)


def test_what_a_group_names_is_there() -> None:
    """A file that is gone would be mutated no more, and nobody would see it."""
    for group in GROUPS.values():
        assert all(any(ROOT.glob(pattern)) for pattern in group.sources), group.sources
        assert all((ROOT / name).exists() for name in group.tests), group.tests


def test_what_is_explained_names_a_module_that_is_mutated() -> None:
    """And says why."""
    modules = [
        path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
        for group in GROUPS.values()
        for pattern in group.sources
        for path in ROOT.glob(pattern)
    ]

    for (place, change), why in explained().items():
        assert why
        assert change
        assert any(place.startswith(f"{module}.") for module in modules), place
