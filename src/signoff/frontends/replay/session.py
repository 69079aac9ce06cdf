"""Replays one session: each call is judged with the facts a daemon would have had at the time.

The session's history is the store's, its files are those it wrote itself. A call that is asked
about counts as approved, since the session went on; a denied call did not happen.

    replay = SessionReplay(judge, disk, home="/home/dev")
    for action in actions:
        assessment = replay.judge(action)
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, TypeVar

from signoff.actions.action import Action
from signoff.actions.facts import GUARD_PORT, Facts, FileFact, ProgramDescriptions
from signoff.actions.known.test_runs import to_look_at
from signoff.actions.lookups import may_make_folders, paths_to_look_at
from signoff.assess.assessed import Assessed
from signoff.assess.verdict import Verdict
from signoff.decide.decision import BY_SCORE, Decision
from signoff.effects.session_updates import session_update_of
from signoff.effects.store import SessionKey, SessionMemory
from signoff.frontends.replay.written import ReplayDisk, files_written
from signoff.storage.fs_probe.project import Project
from signoff.storage.recall import Recall, absolute_path
from signoff.storage.sessions.session_history import MemoryLimits, SessionHistory
from signoff.values import replace

Result = TypeVar("Result")
# All calls are judged at one time of one day: a replay gives the same answer whenever it runs.
NOW = datetime(2026, 3, 4, 10, 30, tzinfo=UTC)


LIMITS = MemoryLimits()


class ReplayHistory:
    """The history of the agents in one replayed session, in memory."""

    def __init__(self) -> None:
        self._past: dict[SessionKey, SessionHistory] = {}

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return an agent's history, and how often it called `function`."""
        past = self._past.get(key)
        return SessionMemory() if past is None else past.remembered(function)

    def learn(self, decision: Decision) -> None:
        """Add what one decision changes."""
        session_update = session_update_of(decision)
        past = self._past.setdefault(session_update.key, SessionHistory())
        past.learn(session_update, LIMITS)


class ReplayRecall(Recall, frozen=True, kw_only=True):
    """A `Recall` that reads the session's simulated files, not this machine's."""

    disk: ReplayDisk

    def _look(
        self, action: Action, written: frozenset[str], own: frozenset[str]
    ) -> tuple[Project, dict[str, FileFact]]:
        project = self.disk.project_around(action.cwd)
        files: dict[str, FileFact] = {}
        # What the session did not make may well exist: only a line that takes nothing away is
        # taken to make its folders where nothing was.
        are_made = may_make_folders(action) and "rm " not in action.text("command")
        for path in paths_to_look_at(action)[: self.file_limit]:
            absolute = absolute_path(path, action.cwd, self.home)
            fact = self.disk.look(absolute, text_limit=self.script_bytes) if absolute else None
            if fact is not None:
                files[path] = files[absolute] = fact
            elif absolute and are_made:
                files[absolute] = FileFact(real_path=absolute, exists=False)
        named = [path for path in files if path in own]
        for path in (*named, *(to_look_at(written, project.root or action.cwd) if written else ())):
            fact = self.disk.look(path, text_limit=self.script_bytes, is_read=True)
            if fact is not None:
                files[path] = fact
        return project, files


class SessionReplay:
    """Judges one session, call by call.

    Args:
        judge: gives the assessment of a call; not used by who judges elsewhere (see `facts`).
        home: the home folder of the session's user, absolute.
        guard_paths: signoff's own files and folders, absolute.
    """

    def __init__(
        self,
        judge: Callable[[Action, Facts], Assessed],
        disk: ReplayDisk,
        *,
        home: str,
        guard_paths: tuple[str, ...] = (),
        guard_port: int = GUARD_PORT,
        programs: Callable[[], ProgramDescriptions | None] = lambda: None,
    ) -> None:
        self.disk = disk
        self._judge = judge
        self._history = ReplayHistory()
        self._recall = ReplayRecall(
            store=self._history,
            home=home,
            guard_paths=guard_paths,
            guard_ports=frozenset({guard_port}),
            programs=programs,
            disk=disk,
        )

    def judge(self, action: Action) -> Assessed:
        """Judge the next call; remember it and the files it wrote."""
        assessment = self._judge(action, self.facts(action))
        self.remember(assessment)
        if assessment.preliminary is not Verdict.DENY:
            for path, text in files_written(action, self.disk):
                self.disk.write(path, text)
        return assessment

    def facts(self, action: Action) -> Facts:
        """Return the facts a daemon would know, at a fixed time."""
        return replace(_finished(self._recall.recall(action)), now=NOW)

    def remember(self, assessment: Assessed) -> None:
        """Add a judged call to the session's history, as the daemon would."""
        self._history.learn(_decision(assessment))


def _decision(assessment: Assessed) -> Decision:
    """Make the decision of a session in which a person approves whatever is asked."""
    refused = assessment.preliminary is Verdict.DENY
    return Decision(
        action=assessment.action,
        verdict=Verdict.DENY if refused else Verdict.ALLOW,
        decided_by=BY_SCORE,
        reason=assessment.reason,
        level=assessment.level,
        challenge=assessment.challenge,
        digest="",
        assessment=assessment,
    )


def _finished(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine that never waits to its end, without an event loop.

    Raises:
        RuntimeError: it waits for something.
    """
    try:
        work.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    work.close()
    raise RuntimeError("recalling or storing waited for something; expected it to be immediate")
