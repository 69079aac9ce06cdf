"""An audit log with answers of people in it, and what learns from it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.warm_home import give_patterns

from signoff.actions.action import Json
from signoff.effects.store import RecordDraft
from signoff.frontends.learning.service import Learning
from signoff.settings import Settings, load_settings
from signoff.storage.sqlite import SqliteStore


class LearningHome:
    """A home with a project, an audit log and settings."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = str(self.home / "app")
        (self.home / "app" / ".git").mkdir(parents=True)
        (self.home / "other" / ".git").mkdir(parents=True)
        (self.home / ".config/signoff").mkdir(parents=True)
        (self.home / ".local/state/signoff").mkdir(parents=True, mode=0o700)
        give_patterns(self.home)
        self.rules = self.home / ".config/signoff/rules.yaml"
        self.told: list[str] = []
        self.store = SqliteStore(self.settings.record_file)

    @property
    def settings(self) -> Settings:
        """The settings of this home."""
        folders = {
            "HOME": str(self.home),
            "SIGNOFF_CONFIG_DIR": str(self.home / ".config/signoff"),
            "SIGNOFF_STATE_DIR": str(self.home / ".local/state/signoff"),
        }
        return load_settings(environment=folders)

    def learning(self) -> Learning:
        """Return what learns, as it is built anew."""
        return Learning(self.settings, self.store, tell=self.told.append)

    def record(self, *contents: Mapping[str, Any]) -> None:
        """Add decisions to the log."""
        self.store.append_batch([RecordDraft(content=content) for content in contents])

    def asked(self, command: str, **said: Json) -> dict[str, Any]:
        """Return the content of a question about a shell line that Ada approved."""
        return {**self.asked_about("Bash", {"command": command}), **said}

    def asked_about(self, tool: str, arguments: Mapping[str, Json], **said: Json) -> dict[str, Any]:
        """Return the content of a question that Ada approved yesterday."""
        yesterday = datetime.now(UTC) - timedelta(days=1)
        return {
            "ts": yesterday.isoformat(timespec="microseconds"),
            "tool": tool,
            "agent": "claude-code",
            "session": "s1",
            "source": "claude-code",
            "cwd": self.project,
            "verdict": "allow",
            "decided_by": "web",
            "leaning": "ask",
            "approver": "ada",
            "action_redacted": dict(arguments),
            **said,
        }
