"""The attacks on signoff itself: what they name is there, and a broken build falls."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench.redteam.__main__ import tried
from bench.redteam.attacks import ATTACKS, RedteamAttack
from bench.redteam.broken_build import NothingToBreak, broken_build, broken_text

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
QUICK = next(one for one in ATTACKS if "flood" in one.name)


@pytest.mark.parametrize("attack", ATTACKS, ids=[one.name for one in ATTACKS])
def test_what_an_attack_names_is_there(attack: RedteamAttack) -> None:
    """Its tests, its threats, and exactly one place to break."""
    files = [one.partition("::")[0] for one in (*attack.tests, *attack.control.tests)]

    assert [one for one in files if not (ROOT / one).is_file()] == []
    assert [one for one in attack.threats if f"| {one} |" not in PAGE] == []
    assert broken_text(attack.control.file, attack.control.old, attack.control.new)


def test_a_place_that_is_gone_is_an_error() -> None:
    """Nothing would be broken, and the control would show nothing."""
    with pytest.raises(NothingToBreak):
        broken_text("gate.py", "no such text", "")


def test_a_build_without_its_protection_falls() -> None:
    """The control of an attack is seen, and the same test passes on signoff as it is."""
    control = QUICK.control
    tests = tuple(f"{one}::test_each_session_has_its_own_bound" for one in control.tests)
    with broken_build(control.file, control.old, control.new) as python:
        broken = tried(python, tests)
    found = tried(sys.executable, tests)

    assert (("test_each_session_has_its_own_bound",), 0) == (broken.through, broken.stopped)
    assert ((), 1) == (found.through, found.stopped)
