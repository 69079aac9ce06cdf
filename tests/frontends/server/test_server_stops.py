"""Agents that have stopped: who is told what, how often, and what lets them be."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from signoff.challenge.words.asking import About, AgentQuestion, Unasked
from signoff.challenge.words.stopping import SessionTurn, StopMode, StopSettings
from signoff.errors import SignoffError
from signoff.frontends.hosts.adapter import AgentStop, Report, ReportKind
from signoff.frontends.server.people.stops import Stops, ends_with
from signoff.frontends.server.sessions import Sessions

ASK = StopSettings(mode=StopMode.ASK, tries=2, wait_s=30.0, rounds=2)
ERRORS = StopSettings(mode=StopMode.ERRORS, tries=2)
OFF = StopSettings()
FAILED = AgentStop(is_again=True, last_words="It failed.")
FINE = (SessionTurn(who="user", text="go"), SessionTurn(who="agent", text="Done."))


def failed(call: str) -> tuple[SessionTurn, ...]:
    """Return the turns of a session whose last call failed."""
    return (
        SessionTurn(who="user", text="go"),
        SessionTurn(who="tool", text="no such file", failure=call),
        SessionTurn(who="agent", text=FAILED.last_words),
    )


@dataclass(slots=True)
class People:
    """Somebody who says one thing."""

    words: str = ""
    error: SignoffError | None = None
    after_s: float = 0.0
    shown: list[str] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Answer nothing."""
        return None

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Say it."""
        self.shown.append(summary)
        self.waits_s.append(timeout_s)
        if self.error:
            raise self.error
        await asyncio.sleep(self.after_s)
        return self.words


@dataclass(slots=True)
class Transcripts:
    """A session's turns, told as they are."""

    said: Sequence[SessionTurn] = FINE

    async def turns(self, session: str) -> Sequence[SessionTurn]:
        """Return them."""
        return self.said

    async def summary_of(self, turns: Sequence[SessionTurn]) -> str:
        """Tell them."""
        return "; ".join(turn.text for turn in turns)


@dataclass(slots=True)
class Scene:
    """A daemon's knowledge of one session."""

    transcripts: Transcripts = field(default_factory=Transcripts)
    people: People | None = field(default_factory=lambda: People("now run the tests"))
    counts: Sessions = field(default_factory=Sessions)

    def stop(
        self,
        settings: StopSettings,
        *,
        stop: AgentStop | None = None,
        session: str = "s",
        within_s: float = 30.0,
    ) -> str:
        """Let the agent stop; return what it is told."""
        stops = Stops(counts=self.counts, transcripts=self.transcripts, people=lambda: self.people)
        report = Report(
            kind=ReportKind.STOP, session=session, stop=stop or AgentStop(is_again=False)
        )

        async def whole() -> str:
            return await stops.words_for("h", report, settings, within_s=within_s)

        return asyncio.run(whole())


def test_a_persons_words_go_to_the_agent() -> None:
    """With what it said last in what they are shown."""
    scene = Scene()
    words = scene.stop(ASK, stop=AgentStop(is_again=False, last_words="All is done."))

    assert "now run the tests" in words
    assert scene.people is not None
    assert ["go; Done.; All is done."] == scene.people.shown


@pytest.mark.parametrize(
    "scene",
    [
        Scene(people=None),
        Scene(people=People("")),
        Scene(people=People("   ")),
        Scene(people=People(error=Unasked("down"))),
    ],
    ids=["nobody", "stop", "blank", "down"],
)
def test_whatever_goes_wrong_it_stops(scene: Scene) -> None:
    """And nothing is counted."""
    assert "" == scene.stop(ASK)
    assert [0] == [one["rounds"] for one in scene.counts.listed()] or not scene.counts.listed()


@pytest.mark.parametrize("settings", [OFF, ERRORS])
def test_people_are_asked_only_where_that_is_wanted(settings: StopSettings) -> None:
    """A stop without an error is then one."""
    scene = Scene()

    assert "" == scene.stop(settings)
    assert scene.people is not None
    assert [] == scene.people.shown


def test_an_error_is_told_of_before_people_are_asked() -> None:
    """Each failed call once, so often and no more; then people are."""
    scene, told = Scene(people=People("")), []
    for call in ("a", "a", "b", "c"):
        scene.transcripts.said = failed(call)
        told.append("of at most 2" in scene.stop(ASK, stop=FAILED))

    assert [True, False, True, False] == told
    assert scene.people is not None
    assert 2 == len(scene.people.shown)


def test_off_is_off_for_errors_too() -> None:
    """By default nothing is told."""
    assert "" == Scene(transcripts=Transcripts(failed("a"))).stop(OFF, stop=FAILED)


@pytest.mark.parametrize("words", ["", "Something else."])
def test_an_incomplete_transcript_decides_nothing(words: str) -> None:
    """What the host has not written yet may be what went well."""
    stop = AgentStop(is_again=False, last_words=words)

    assert "" == Scene(transcripts=Transcripts(failed("a"))).stop(ERRORS, stop=stop)


@dataclass(slots=True)
class LateTranscripts(Transcripts):
    """A transcript whose second half the host writes at the third read."""

    later: Sequence[SessionTurn] = ()
    looks: int = 0

    async def turns(self, session: str) -> Sequence[SessionTurn]:
        """Return what is written by now."""
        self.looks += 1
        return self.said if self.looks < 3 else (*self.said, *self.later)


def test_a_transcript_of_an_earlier_stop_is_not_complete() -> None:
    """An agent may end with the same words twice; what lies between is waited for."""
    late = LateTranscripts(said=failed("a"), later=failed("b"))
    stops = Stops(counts=Sessions(), transcripts=late, people=lambda: None)
    report = Report(kind=ReportKind.STOP, session="s", stop=FAILED)

    async def twice() -> list[str]:
        return [await stops.words_for("h", report, ERRORS, within_s=30.0) for _ in range(2)]

    assert ["1 of at most 2", "2 of at most 2"] == [
        f"{count} of at most 2"
        for count, said in enumerate(asyncio.run(twice()), 1)
        if f"{count} of at most 2" in said
    ]


def test_people_send_it_on_so_often_in_a_row() -> None:
    """A host that says nothing of a row is taken to be in one."""
    scene = Scene()
    told = [bool(scene.stop(ASK, stop=AgentStop(is_again=again))) for again in (False, True, True)]

    assert [True, True, False] == told


@pytest.mark.parametrize(
    "stop", [AgentStop(is_again=False, has_tasks=True), None], ids=["has tasks", "no session"]
)
def test_what_is_no_end_or_cannot_be_counted_is_let_be(stop: AgentStop | None) -> None:
    """An agent with work in the background, and one without a name."""
    assert "" == Scene().stop(ASK, stop=stop, session="s" if stop else "")


def test_people_have_no_longer_than_the_hook_waits() -> None:
    """A hook that only reports is no way to them at all."""
    scene = Scene()
    scene.stop(ASK, within_s=12.0)

    assert scene.people is not None
    assert [12.0] == scene.people.waits_s
    assert "" == scene.stop(ASK, within_s=4.0)


def test_two_hooks_of_one_session_ask_once() -> None:
    """The second lets it stop."""
    scene = Scene(people=People("go", after_s=0.1))
    stops = Stops(counts=scene.counts, transcripts=scene.transcripts, people=lambda: scene.people)
    report = Report(kind=ReportKind.STOP, session="s", stop=AgentStop(is_again=False))

    async def both() -> list[str]:
        one = stops.words_for("h", report, ASK, within_s=30)
        two = stops.words_for("h", report, ASK, within_s=30)
        return list(await asyncio.gather(one, two))

    assert [True, False] == [bool(words) for words in asyncio.run(both())]


def test_last_words_that_stand_there_already_are_told_once() -> None:
    """Whether or not the host has written them yet."""
    assert ends_with(FINE, "Well.\n\nDone.")
    assert not ends_with(FINE, "More.")
    assert not ends_with((), "Done.")
