"""Policy lines made softer from the inbox: tried on the audit log first, then written.

A line is written only after a backtest a moment ago in which no person had denied a call that
would now pass. The backtest runs in a process of its own, so hooks do not wait for it.

    preview = await softer.preview("remote-change.pushed", now_s=now_s)
    preview.spared                                 questions that would not be asked
    softer.keep("remote-change.pushed", now_s=now_s)
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from msgspec import Struct

from signoff.assess.policy_lines import line_problem
from signoff.assess.verdict import Verdict
from signoff.challenge.visible import visible
from signoff.errors import BadPayload
from signoff.frontends.hosts.installing.files import FileChange, changed
from signoff.frontends.replay.backtest import (
    BacktestResult,
    ChangedCall,
)
from signoff.frontends.web.softening import trial
from signoff.frontends.web.softening.line_setting import with_line, without_line
from signoff.settings import CONFIG_DIR, STATE_DIR, USER_FILE, Settings

DAYS = 30
BACKTEST_S = 120.0
GOOD_FOR_S = 600.0
SHOWN = 20  # calls
BUSY = "another backtest runs: try again in a moment"
TOO_LONG = (
    "the backtest of {days} days took longer than {limit:g} s and was ended; run"
    " `signoff replay --config FOLDER` in a terminal"
)
NOT_TRIED = "look at the backtest of `{line}` first; it counts for 10 minutes"
OVERRULED = "people denied {count} calls that would pass: `{line}` keeps asking"


class LinePreview(Struct, frozen=True, kw_only=True):
    """What a softer policy line would have changed.

    Args:
        calls: judged again; `cut`: calls that were not kept whole and could not be judged.
        changes: the newest calls that would pass without a question.
        overruled: calls a person had denied that would pass.
        made_s: when it was made, seconds since the epoch.
    """

    line: str
    calls: int
    cut: int
    spared: int
    changes: tuple[ChangedCall, ...]
    overruled: tuple[ChangedCall, ...]
    made_s: float


class SofterLines:
    """Tries softer policy lines and writes them.

    Args:
        settings: returns the user's present settings.
    """

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._running = asyncio.Lock()
        self._tried: dict[str, LinePreview] = {}

    def softened(self) -> tuple[str, ...]:
        """Return the policy lines that the user's settings allow."""
        lines = self._settings().lines
        return tuple(sorted(name for name, said in lines.items() if said is Verdict.ALLOW))

    async def preview(self, line: str, *, now_s: float) -> LinePreview:
        """Judge the last days again with this line allowed.

        Raises:
            BadPayload: the line cannot be moved, another backtest runs, or this one failed or took
                too long.
        """
        if problem := line_problem(line):
            raise BadPayload(problem)
        # Refused, not queued: each one may take minutes, and a page would wait for all before it.
        if self._running.locked():
            raise BadPayload(BUSY)
        async with self._running:
            result = await asyncio.to_thread(self._backtest, line, now_s)
        spared = [one for one in result.changes if (one.was, one.would) == ("ask", "allow")]
        made = LinePreview(
            line=line,
            calls=result.calls,
            cut=result.cut,
            spared=len(spared),
            changes=tuple(reversed(spared[-SHOWN:])),
            overruled=result.overruled,
            made_s=now_s,
        )
        self._tried[line] = made
        return made

    def keep(self, line: str, *, now_s: float) -> FileChange:
        """Allow a line in the settings, from the next call on.

        Raises:
            BadPayload: it was not tried recently, or people denied calls that would pass.
            BadSettings: the settings cannot be changed.
        """
        tried = self._tried.get(line)
        if tried is None or not 0 <= now_s - tried.made_s <= GOOD_FOR_S:
            raise BadPayload(NOT_TRIED.format(line=line))
        if tried.overruled:
            raise BadPayload(OVERRULED.format(count=len(tried.overruled), line=line))
        return changed(self._file, lambda text: with_line(text, line))

    def take_back(self, line: str) -> FileChange:
        """Remove a line from the settings again.

        Raises:
            BadSettings: the settings do not allow it, or cannot be changed.
        """
        return changed(self._file, lambda text: without_line(text, line))

    @property
    def _file(self) -> Path:
        return Path(self._settings().config_dir, USER_FILE)

    def _backtest(self, line: str, now_s: float) -> BacktestResult:
        """Run the backtest in a process of its own."""
        settings = self._settings()
        since = datetime.fromtimestamp(now_s, UTC) - timedelta(days=DAYS)
        folders = {CONFIG_DIR: settings.config_dir, STATE_DIR: settings.state_dir}
        try:
            done = subprocess.run(  # noqa: S603 - our own program
                # `-I`: neither PYTHONPATH nor the working folder changes what runs.
                (sys.executable, "-I", "-m", trial.__name__, line, since.isoformat()),
                # The process reads the settings again: from the daemon's folders, whatever
                # variables name.
                env={**os.environ, **folders},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=BACKTEST_S,
            )
        except subprocess.TimeoutExpired as error:
            raise BadPayload(TOO_LONG.format(days=DAYS, limit=BACKTEST_S)) from error
        except OSError as error:
            raise BadPayload(f"the backtest cannot be started: {error}") from error
        if done.returncode:
            words = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise BadPayload(f"the backtest failed: {visible(words)}")
        return msgspec.json.decode(done.stdout, type=BacktestResult)
