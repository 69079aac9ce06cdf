"""Calls that are put to a component under a fault, and how what came of them is judged.

What a call may come to at most is part of the call: `rm -rf ~` must be refused, `git reset --hard`
may be asked about, `git status` may run. A call that gets further than it may is a silent pass, a
call that is asked about though it must be refused is wrong, a call without an answer in time
hangs. A cell whose fault did not happen shows nothing and counts as a failure.

    outcome_of(Observation(trials=(Trial(call=DANGER, seen=Seen.RUNS),), evidence="killed"))
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from signoff.values import replace


class Seen(IntEnum):
    """What became of a call, the strictest first."""

    REFUSED = 0
    ASKED = 1
    RUNS = 2
    HANGS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A shell line, and the most that may become of it."""

    command: str
    at_most: Seen

    def must_not_run(self) -> Call:
        """Return the same call where no judgement of it can be on record."""
        return replace(self, at_most=Seen.REFUSED)


DANGER = Call(command="rm -rf ~", at_most=Seen.REFUSED)
DOUBT = Call(command="git reset --hard", at_most=Seen.ASKED)
BENIGN = Call(command="git status", at_most=Seen.RUNS)
CALLS = (DANGER, DOUBT, BENIGN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One call under the fault."""

    call: Call
    seen: Seen
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a probe saw.

    Args:
        evidence: what shows that the fault did happen, "" if nothing does.
    """

    trials: tuple[Trial, ...]
    evidence: str


class Outcome(StrEnum):
    """How a cell ends, the best first."""

    CORRECT = "correct"
    REFUSED = "refused"
    NOT_EXERCISED = "NOT EXERCISED"
    BROKEN = "PROBE BROKEN"
    WRONG = "WRONG"
    HANGS = "HANGS"
    SILENT_PASS = "SILENT PASS"

    @property
    def is_good(self) -> bool:
        """Whether nothing was let through and the fault was there."""
        return self in (Outcome.CORRECT, Outcome.REFUSED)


def outcome_of(found: Observation) -> Outcome:
    """Judge what a probe saw; the worst of its calls counts."""
    if not found.evidence or not found.trials:
        return Outcome.NOT_EXERCISED
    worst = max((_judged(trial) for trial in found.trials), key=_BADNESS.index)
    if worst is not Outcome.REFUSED:
        return worst
    has_run = any(trial.seen is not Seen.REFUSED for trial in found.trials)
    return Outcome.CORRECT if has_run else Outcome.REFUSED


_BADNESS = (Outcome.CORRECT, Outcome.REFUSED, Outcome.WRONG, Outcome.HANGS, Outcome.SILENT_PASS)


def _judged(trial: Trial) -> Outcome:
    if trial.seen is Seen.HANGS:
        return Outcome.HANGS
    if trial.seen <= trial.call.at_most:
        return Outcome.REFUSED if trial.seen is Seen.REFUSED else Outcome.CORRECT
    return Outcome.SILENT_PASS if trial.seen is Seen.RUNS else Outcome.WRONG
