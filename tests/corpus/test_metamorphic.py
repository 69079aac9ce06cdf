"""The same act in other words is judged at least as strictly, and data is no act: a sample.

`python -m bench.metamorphic` tries all of it, more than 50,000 variants.
"""

from __future__ import annotations

import functools
import sys
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from signoff.values import replace

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.metamorphic import (
    Variant,
    as_data,
    failures,
    is_raised,
    is_weaker,
    known,
    shell_cases,
    wrapped,
)
from bench.quality.cases import Case
from bench.quality.guard import Guard, default_judge

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, Judge

ONE_OF = 9
AT_LEAST = 3_000
PARTS = 4  # of the wrapped acts, so that several test processes share them
CONTROLS = 60  # attacks are plenty to see that a judge is bad

Check = Callable[[Variant, str], bool]


def sample(*, attacks: bool, part: int | None = None) -> tuple[Case, ...]:
    """Return every ninth case or so, the same every time; or one of the `PARTS` of them."""
    cases = shell_cases(attacks=attacks)
    chosen = tuple(case for case in cases if zlib.crc32(case.id.encode()) % ONE_OF == 0)
    return chosen if part is None else chosen[part::PARTS]


@functools.cache
def guard() -> Guard:
    """Build one guard for all tests."""
    return Guard()


def wrong_names(variants: Iterable[Variant], is_wrong: Check) -> tuple[int, set[str]]:
    """Judge variants: how many there were, and the names of the wrong ones."""
    count, wrong = failures(variants, guard(), is_wrong)
    return count, {variant.name for variant, _ in wrong}


@pytest.mark.parametrize("part", range(PARTS))
def test_a_wrapped_act_is_judged_no_milder(part: int) -> None:
    """No wrapper lowers a verdict."""
    acts = sample(attacks=True, part=part)
    count, wrong = wrong_names(wrapped(acts, guard(), pairs=4), is_weaker)

    assert set() == wrong - known()
    assert count > AT_LEAST


@pytest.mark.parametrize("attacks", [True, False], ids=["attacks", "harmless"])
def test_data_is_no_act(attacks: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """A command in a message, a search or a note passes."""
    count, wrong = wrong_names(as_data(sample(attacks=attacks), guard()), is_raised)

    assert set() == wrong - known()
    assert count > 500


class BlindJudge(Judge):
    """The default judgement, but what `eval` and `trap` run is not looked at."""

    def __call__(self, action: Action, facts: Facts) -> Assessment:
        """Judge a call; pretend that the word is harmless."""
        line = action.text("command")
        if line.startswith(("eval ", "trap ")):
            action = replace(action, arguments={"command": "true"})
        return super().__call__(action, facts)


class JumpyJudge(Judge):
    """The default judgement, but the words of a quoted text are judged as a line."""

    def __call__(self, action: Action, facts: Facts) -> Assessment:
        """Judge a call; take `echo` away from before its text."""
        line = action.text("command")
        if line.startswith("echo "):
            inner = line.removeprefix("echo ").strip("'")
            action = replace(action, arguments={"command": inner})
        return super().__call__(action, facts)


def weakened(kind: type[Judge]) -> Guard:
    """Build a guard with a judgement that is worse on purpose."""
    rules = default_judge()._rules  # the control shares the rules of the real one
    return Guard(assess=kind(rules=rules))


def test_a_judge_that_overlooks_a_wrapper_is_caught() -> None:
    """Positive control: the test can fail, and names the wrapper."""
    blind = weakened(BlindJudge)
    _, wrong = failures(wrapped(sample(attacks=True)[:CONTROLS], blind, pairs=0), blind, is_weaker)

    assert {"eval", "trap"} <= {variant.way[0] for variant, _ in wrong}


def test_a_judge_that_takes_data_for_acts_is_caught() -> None:
    """Positive control: the test can fail, and names the place."""
    jumpy = weakened(JumpyJudge)
    _, wrong = failures(as_data(sample(attacks=True)[:CONTROLS], jumpy), jumpy, is_raised)

    assert "echo" in {variant.way[0] for variant, _ in wrong}
