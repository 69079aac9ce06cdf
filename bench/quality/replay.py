"""Replays one session of a corpus, on a scratch disk that knows links, through the payload door.

with Replay(guard, home="/home/dev", project="/home/dev/project") as replay:
    replay.judge(document).outcome.verdict
"""

from __future__ import annotations

from bench.quality.disk import ScratchDisk
from bench.quality.guard import Guard, Step
from signoff.frontends.replay.session import SessionReplay


class Replay:
    """One session, call by call."""

    def __init__(self, guard: Guard, *, home: str, project: str) -> None:
        self._guard = guard
        self.disk = ScratchDisk(home=home, project=project)
        self._session = SessionReplay(
            guard.assess,
            self.disk,
            home=home,
            guard_paths=(f"{home}/.config/signoff", f"{home}/.local/state/signoff"),
        )

    def __enter__(self) -> Replay:
        """Begin the session."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Forget the session and its files."""
        self.disk.__exit__()

    def judge(self, document: bytes) -> Step:
        """Judge the next call and remember it as the daemon would."""
        step = self._guard.judge_step(document, self._session.facts)
        if step.assessment is not None:
            self._session.remember(step.assessment)
        return step
