"""Agents that have stopped, and questions of agents, put to people on a channel.

An agent that stopped on an error is told to try another way, or people continue it. Both are
bounded, whatever the host does: a session is told of an error so many times in all its life, never
twice of the same call, and people send it on so many times in a row. Whatever cannot be told, read,
asked or counted lets the agent stop: a stop holds up nobody and allows nothing.

Whatever goes wrong with a question leaves it to the host's own prompt: it is no approval.

    words = await stops.words_for("claude-code", report, settings.stops, within_s=290)
    ""      it stops
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.challenge.words.asking import About, QuestionChannel
from signoff.challenge.words.stopping import (
    SessionTurn,
    StopMode,
    StopSettings,
    failed_call,
    try_another,
    users_words,
)
from signoff.errors import SignoffError
from signoff.frontends.hosts.adapter import AgentStop, HostAnswer, QuestionFormat, Report
from signoff.frontends.hosts.registry import ADAPTERS

log = logging.getLogger(__name__)


LOOKS, LOOK_EVERY_S = 40, 0.1
SENT_ON_KEPT = 1_000  # sessions whose transcript at their last stop is kept
SHORTEST_S = 5.0  # a hook that waits less long, as one that only reports, is no way to people


class Counts(Protocol):
    """Port: counts how often a stopped session was continued."""

    def told_of(self, host: str, session: str, call: str, *, at_most: int) -> int:
        """Count a message to a session about a failed call; return the count, 0 past `at_most`."""

    def may_go_on(self, host: str, session: str, *, is_again: bool, at_most: int) -> bool:
        """Return whether people may continue a session once more.

        Args:
            is_again: its last stop followed a continuation.
        """

    def sent_on(self, host: str, session: str) -> None:
        """Count that people continued a session."""


class TranscriptSource(Protocol):
    """Port: reads the transcripts of sessions, and summarises them."""

    async def turns(self, session: str) -> Sequence[SessionTurn]:
        """Return its last turns."""

    async def summary_of(self, turns: Sequence[SessionTurn]) -> str:
        """Return a summary of turns that is safe to show."""


class Stops(Struct, kw_only=True):
    """Decides how stopped agents continue.

    Args:
        people: who can be asked at this moment, None for nobody.
    """

    counts: Counts
    transcripts: TranscriptSource
    people: Callable[[], QuestionChannel | None]
    _asked: set[tuple[str, str]] = field(default_factory=set)
    _sent_on: dict[tuple[str, str], Sequence[SessionTurn]] = field(default_factory=dict)

    async def words_for(
        self, host: str, report: Report, settings: StopSettings, *, within_s: float
    ) -> str:
        """Return the text that continues a stopped agent, "" if it stays stopped.

        Args:
            within_s: how long its hook waits for this.
        """
        stop, key = report.stop, (host, report.session)
        if stop is None or stop.has_tasks or not report.session or within_s < SHORTEST_S:
            return ""
        # One question a session at a time.
        if settings.mode is StopMode.OFF or key in self._asked:
            return ""
        self._asked.add(key)
        try:
            return await self._words(host, report, stop, settings, min(within_s, settings.wait_s))
        except SignoffError as error:
            log.warning("an agent that has stopped is let be: %s", error)
            return ""
        finally:
            self._asked.discard(key)

    async def _words(
        self, host: str, report: Report, stop: AgentStop, settings: StopSettings, wait_s: float
    ) -> str:
        key = (host, report.session)
        turns, is_whole = await self._turns(key, stop.last_words)
        failed = failed_call(turns, last_words=stop.last_words) if is_whole else ""
        if failed:
            count = self.counts.told_of(host, report.session, failed, at_most=settings.tries)
            if count:
                log.info("session `%s` stopped on an error: told so", report.session)
                self._keep(key, turns)
                return try_another(count, settings.tries)
        people = self.people() if settings.mode is StopMode.ASK else None
        if people is None or not self.counts.may_go_on(
            host, report.session, is_again=stop.is_again, at_most=settings.rounds
        ):
            return ""
        about = About(host=host, agent=report.agent, session=report.session, cwd=report.cwd)
        said = await self.transcripts.summary_of(turns)
        words = await people.ask_next(said, about=about, timeout_s=wait_s)
        if not words.strip():
            return ""
        self.counts.sent_on(host, report.session)
        log.info("session `%s` stopped: people sent it on", report.session)
        self._keep(key, turns)
        return users_words(words)

    def _keep(self, key: tuple[str, str], turns: Sequence[SessionTurn]) -> None:
        """Keep the transcript of a continued session, of the newest sessions only."""
        self._sent_on.pop(key, None)
        self._sent_on[key] = turns
        while len(self._sent_on) > SENT_ON_KEPT:
            del self._sent_on[next(iter(self._sent_on))]

    async def _turns(self, key: tuple[str, str], words: str) -> tuple[Sequence[SessionTurn], bool]:
        """Return a session's turns to its last words, and whether its host has written all of them.

        A host may report a stop before it has written the last turns; an incomplete transcript
        decides nothing. The transcript at which the session was continued is an old one, even if it
        ends with the same words.
        """
        for _ in range(LOOKS if words else 1):
            turns = await self.transcripts.turns(key[1])
            if ends_with(turns, words) and turns != self._sent_on.get(key):
                return turns, True
            await asyncio.sleep(LOOK_EVERY_S)
        return ((*turns, SessionTurn(who="agent", text=words)) if words else turns), False


def ends_with(turns: Sequence[SessionTurn], words: str) -> bool:
    """Return whether the last turn has this text, as an agent's last message."""
    last = turns[-1].text.strip() if turns and turns[-1].who == "agent" else ""
    return bool(last) and last in words


def asks_its_user(action: Action) -> bool:
    """Return whether a call is a question of the agent to its user."""
    form = _form_of(action)
    return form is not None and form.tool == action.tool


def _form_of(action: Action) -> QuestionFormat | None:
    """Return how the host of a call asks its user, None if it is not known."""
    adapter = ADAPTERS.get(action.source)
    return adapter.questions if adapter else None


async def answer_for(
    people: QuestionChannel, action: Action, *, timeout_s: float
) -> HostAnswer | None:
    """Return the reply to the host if the call is a question that people answered."""
    form = _form_of(action)
    questions = form.questions_of(action) if form else ()
    if form is None or not questions:
        return None
    about = About(host=action.source, agent=action.agent, session=action.session, cwd=action.cwd)
    try:
        answers = await people.ask(questions, about=about, timeout_s=timeout_s)
    except SignoffError as error:
        log.warning("a question is left to the host: %s", error)
        return None
    return None if answers is None else form.answered(action, answers)
