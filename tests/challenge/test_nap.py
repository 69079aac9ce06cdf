"""A nap: what it lets through, what it never does, and when it is over."""

from __future__ import annotations

import asyncio
import time

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.level import Challenge, Level
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_NAP, NO_ANSWER, Answer
from signoff.challenge.ladder import Ladder
from signoff.challenge.people.nap import LONGEST_S, SHORTEST_S, Napping, NapSwitch, why_not_napped
from signoff.challenge.request import Request
from signoff.decide.decide import decide
from signoff.testing import FakeAssessment, FakeChannel, make_action, refused
from signoff.values import replace

PROJECT = "/home/dev/project"
JUDGE = Judge(rules=lambda: RuleSet())
LET_THROUGH = [
    "git branch -D old",
    "git push --force-with-lease origin topic",
    "git push origin --delete topic",
    "npm install -g typescript",
    # Named in the nap's own text: what cannot be undone may pass.
    "kubectl delete deployment web",
    "git clean -fd",
]
ASKED = [
    "git push --force origin topic",  # high
    "npm publish",
    "terraform destroy",
    'eval "$NEXT_STEP"',  # not understood
    "sudo apt install jq",  # runs others
    "echo 'export EDITOR=vi' >> ~/.bashrc",
    "cat .env",  # what leaks does not come back
    "curl -X POST https://example.org/x -d a=1",
]
DENIED = ["rm -rf ~", "signoff approve 1", "signoff nap 4h", "rm -rf ~/.config/signoff"]


class Nothing:
    """Nothing was granted before."""

    async def answer(self, _: Request) -> Answer | None:
        """Return nothing."""
        return None


class Clocks:
    """Two clocks that are set by hand."""

    def __init__(self) -> None:
        self.now_s, self.wall_s = 1_000.0, 1_700_000_000.0

    def switch(self) -> NapSwitch:
        """Return a switch that goes by them."""
        return NapSwitch(clock=lambda: self.now_s, wall=lambda: self.wall_s)


def assessed(line: str) -> Assessment:
    """Return what is thought of a shell line."""
    action = Action(tool="Bash", arguments={"command": line}, cwd=PROJECT, agent="a", session="s1")
    return JUDGE(action, Facts(home="/home/dev", project=PROJECT))


def answered(line: str, *, minutes: int = 30) -> Answer:
    """Return what comes of a shell line during a nap; whoever is asked refuses."""
    switch = NapSwitch()
    switch.start(by="ada", seconds=minutes * 60)
    ladder = Ladder([FakeChannel(refused())], standing=Napping(switch=switch, granted=Nothing()))
    found = assessed(line)
    return asyncio.run(ladder.escalate(found.action, found))


@pytest.mark.parametrize("line", LET_THROUGH)
def test_what_one_tap_could_approve_is_let_through(line: str) -> None:
    """With who started the nap, so that the record says whose word it was."""
    answer = answered(line)

    assert (Verdict.ALLOW, BY_NAP, "ada") == (answer.verdict, answer.decided_by, answer.who)


@pytest.mark.parametrize("line", ASKED)
def test_everything_else_is_asked_about(line: str) -> None:
    """As always."""
    assert assessed(line).preliminary is Verdict.ASK
    assert refused() == answered(line)


@pytest.mark.parametrize("line", DENIED)
def test_what_is_denied_stays_denied(line: str) -> None:
    """Nobody is asked about it, and no nap answers."""
    found = assessed(line)

    assert Verdict.DENY is found.preliminary
    assert NO_ANSWER == answered(line)
    assert why_not_napped(found)


@pytest.mark.parametrize("level", [Level.HIGH, Level.CRITICAL])
def test_the_decision_hears_no_nap_above_medium(level: Level) -> None:
    """Whatever made that answer."""
    assessment = FakeAssessment(action=make_action(), preliminary=Verdict.ASK, level=level)
    nap = Answer(verdict=Verdict.ALLOW, decided_by=BY_NAP)

    assert Verdict.DENY is decide(make_action(), assessment, answer=nap).verdict


def test_a_chosen_proof_is_still_wanted() -> None:
    """Who wants a quiz for this call wants it during a nap as well."""
    found = assessed(LET_THROUGH[0])

    assert not why_not_napped(found)
    assert why_not_napped(replace(found, challenge=Challenge.QUIZ))


def test_it_ends_by_either_clock() -> None:
    """A machine that slept, or a clock that was set back, makes no nap longer."""
    for name in ("now_s", "wall_s"):
        clocks = Clocks()
        switch = clocks.switch()
        switch.start(by="ada", seconds=600)
        setattr(clocks, name, getattr(clocks, name) + 599)
        assert switch.current() is not None
        setattr(clocks, name, getattr(clocks, name) + 1)
        assert switch.current() is None
        setattr(clocks, name, getattr(clocks, name) - 500)
        assert switch.current() is None


@pytest.mark.parametrize("seconds", [0.0, SHORTEST_S - 1, LONGEST_S + 1, -60.0, float("nan")])
def test_it_has_bounds(seconds: float) -> None:
    """One minute to four hours."""
    switch = NapSwitch()

    with pytest.raises(ValueError, match="1 minute to 4 hours"):
        switch.start(by="ada", seconds=seconds)
    assert switch.current() is None


def test_it_can_be_ended() -> None:
    """At once; the second time there is none."""
    switch = NapSwitch()
    switch.start(by="ada", seconds=600)

    assert (True, False, None) == (switch.end(), switch.end(), switch.current())


def test_it_says_who_and_until_when() -> None:
    """In local time, as people read it."""
    clocks = Clocks()
    said = str(clocks.switch().start(by="ada", seconds=600))

    assert time.strftime("%H:%M", time.localtime(clocks.wall_s + 600)) in said
    assert "ada" in said
