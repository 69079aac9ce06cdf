"""The real Claude Code binary, in a home of its own, before a Messages API of our own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fake_messages_api import FakeMessagesApi, ToolCall, fake_messages_api

from signoff_start import run_signoff

QUIET = {
    "ANTHROPIC_API_KEY": "sk-ant-not-a-key",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "ENABLE_TOOL_SEARCH": "false",  # every tool is offered at once
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One finished session: what the agent was told of each call, in order."""

    results: Sequence[str]
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCode:
    """Claude Code with a home and a project of its own."""

    binary: Path
    home: Path
    project: Path

    @property
    def settings(self) -> Path:
        """The user's settings."""
        return self.home / ".claude" / "settings.json"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything that runs in this home."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), **QUIET}

    def signoff(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run our command line in this home."""
        return run_signoff(*arguments, env=self.environment, cwd=self.project)

    def run(self, *calls: ToolCall, options: Sequence[str] = ()) -> Session:
        """Run one session without a person, in which the model makes these calls."""
        with fake_messages_api(calls) as api:
            return self._session(api, options)

    def _session(self, api: FakeMessagesApi, options: Sequence[str]) -> Session:
        done = subprocess.run(
            [str(self.binary), "-p", "Go on.", *options],
            cwd=self.project,
            env={**self.environment, "ANTHROPIC_BASE_URL": api.url},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return Session(results=api.tool_results(), output=done.stdout + done.stderr)
