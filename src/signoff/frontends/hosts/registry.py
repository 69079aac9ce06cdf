"""The hosts there are doors for, and what a door is.

A door reads one event in the host's own JSON and puts a decision into the host's own words. It
says only what that host honours: where a host has no prompt for its user, an ask comes out as
its refusal, with words that say a person must approve and how. Pure: bytes in, text out.

    door = door_of("codex")
    payload = door.parse(raw)           # None: the event reports what has happened already
    answer = door.quiet if payload is None else door.render(gate.check_now(payload.action), ...)

Whoever runs a door turns every failure, of any kind, into `door.failure(reason)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.payloads import Payload
from signoff.settings import HostsAllow


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAnswer:
    """What a hook's process leaves behind: its output, its messages and its exit status."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


class Door(Protocol):
    """One host's language."""

    @property
    def name(self) -> str:
        """The host's name in commands and routes, `claude-code`."""

    @property
    def limit_s(self) -> float:
        """Seconds after which the host gives a hook up, as the installer sets it."""

    @property
    def can_ask(self) -> bool:
        """True if the host has a prompt of its own that a hook can call for."""

    @property
    def quiet(self) -> HostAnswer:
        """No decision: the host's own rules and prompts apply."""

    def parse(self, raw: bytes) -> Payload | None:
        """Read one event; None for one that leaves nothing to decide.

        Raises:
            BadPayload: it cannot be read; the call must be refused.
        """

    def render(
        self, decision: Decision, hosts_allow: HostsAllow, event: str = ""
    ) -> HostAnswer:
        """Put a decision into the host's words; `event` is the payload's."""

    def failure(self, reason: str) -> HostAnswer:
        """Return the host's refusal where nothing could be decided."""


# name: module with the door, called DOOR. Loaded on first use: a hook loads its own host only.
DOORS: Mapping[str, str] = {
    "claude-code": "claude_code.door",
    "codex": "codex.door",
    "cursor": "cursor.door",
    "copilot": "copilot.door",
    "vscode": "vscode.door",
    "gemini": "gemini.door",
    "antigravity": "antigravity.door",
    "opencode": "opencode.door",
    "windsurf": "windsurf.door",
    "cline": "cline.door",
    "kiro": "kiro.door",
    "openclaw": "openclaw.door",
}


def door_of(name: str) -> Door:
    """Return the door of a host.

    Raises:
        BadPayload: there is no such host.
    """
    if name not in DOORS:
        raise BadPayload(f"unknown host `{name[:40]}` ({', '.join(DOORS)})")
    door: Door = import_module(f"signoff.frontends.hosts.{DOORS[name]}").DOOR
    return door
