"""Replays one session: every call is judged with the facts a daemon would have of the calls before.

The session's memory is the store's, files are those the session made (on a scratch disk), nothing
of this machine is read. What is asked about is taken as approved, as the session went on; what is
refused does not happen.

    with Replay(guard, home="/home/dev", project="/home/dev/project") as replay:
        replay.judge(document).outcome.verdict
"""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any, TypeVar

from bench.quality.disk import ScratchDisk
from bench.quality.guard import Guard, Step
from signoff.actions.action import Action
from signoff.actions.facts import Facts, FileFact
from signoff.actions.known.test_runs import to_look_at
from signoff.actions.lookups import paths_to_look_at
from signoff.assess.assessment import Assessment
from signoff.assess.verdict import Verdict
from signoff.decide.decision import BY_SCORE, Decision
from signoff.effects.lesson import session_update_of
from signoff.effects.store import RecordDraft
from signoff.storage.fs_probe.project import Project
from signoff.storage.memory import MemoryStore
from signoff.storage.recall import Recall, _absolute
from signoff.values import replace

Result = TypeVar("Result")
NOW = datetime(2026, 3, 4, 10, 30, tzinfo=UTC)


class ScratchRecall(Recall, frozen=True, kw_only=True):
    """Recall that looks at a scratch disk instead of this machine's."""

    disk: ScratchDisk

    def _look(self, action: Action, written: frozenset[str]) -> tuple[Project, dict[str, FileFact]]:
        project = self.disk.project_around(action.cwd)
        files: dict[str, FileFact] = {}
        for path in paths_to_look_at(action)[: self.file_limit]:
            absolute = _absolute(path, action.cwd, self.home)
            fact = self.disk.look(absolute, text_limit=self.script_bytes) if absolute else None
            if fact is not None:
                files[path] = files[absolute] = fact
        for path in to_look_at(written, project.root or action.cwd):
            fact = self.disk.look(path, text_limit=self.script_bytes, is_read=True)
            if fact is not None:
                files[path] = fact
        return project, files


class Replay:
    """One session, call by call."""

    def __init__(self, guard: Guard, *, home: str, project: str) -> None:
        self._guard = guard
        self._store = MemoryStore()
        self.disk = ScratchDisk(home=home, project=project)
        self._recall = ScratchRecall(
            store=self._store,
            home=home,
            guard_paths=(f"{home}/.config/signoff", f"{home}/.local/state/signoff"),
            disk=self.disk,
        )

    def __enter__(self) -> Replay:
        """Begin the session."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Forget the session and its files."""
        self.disk.__exit__()

    def judge(self, document: bytes) -> Step:
        """Judge the next call and remember it as the daemon would."""
        step = self._guard.judge_step(document, self._facts)
        if step.assessment is not None:
            session_update = session_update_of(_decision(step.assessment))
            finished(self._store.append(RecordDraft(session_update=session_update)))
        return step

    def _facts(self, action: Action) -> Facts:
        """Recall what is known, at a time that is always the same."""
        return replace(finished(self._recall.recall(action)), now=NOW)


def _decision(assessment: Assessment) -> Decision:
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


def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """Run what never waits to its end, without a loop.

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
