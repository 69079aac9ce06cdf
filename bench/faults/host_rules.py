"""What each host makes of its hook's answer, by its own rule and in its least careful version.

Everything a host does not honour as a no is a yes here, though newer versions of some hosts stop
at a failing hook: what is to be shown must hold without their help.

    seen_by("codex", Ended(status=1))  ->  Seen.RUNS
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from bench.faults.calls import Seen
from signoff.actions.action import Json

# The status that is a no, by host; where words on stderr are needed, without them it is a yes.
STATUS_2 = frozenset(
    {
        "claude-code",
        "codex",
        "codex-permission",
        "cursor",
        "cursor-tool",
        "gemini",
        "windsurf",
        "kiro",
    }
)
NEEDS_WORDS = frozenset({"codex", "codex-permission", "gemini", "kiro"})
PERMISSIONS: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("hookSpecificOutput", "permissionDecision"),
    "codex": ("hookSpecificOutput", "permissionDecision"),
    "codex-permission": ("hookSpecificOutput", "decision", "behavior"),
    "cursor": ("permission",),
    "cursor-tool": ("permission",),
    "copilot": ("permissionDecision",),
    "gemini": ("decision",),
    "antigravity": ("decision",),
    "cline": ("cancel",),
    "opencode": ("decision",),
    "openclaw": ("decision",),
}
ASKS = frozenset({("claude-code", "ask"), ("cursor", "ask"), ("copilot", "ask"),
                  ("antigravity", "force_ask"), ("openclaw", "ask")})  # fmt: skip
DENIALS = ("deny", True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a hook ended; status None = the host gave up waiting."""

    status: int | None
    stdout: str = ""
    stderr: str = ""


def seen_by(host: str, ended: Ended) -> Seen:
    """Tell what the host does with the call."""
    if ended.status is None:
        return Seen.HANGS
    if ended.status == 2 and host in STATUS_2:
        return Seen.RUNS if host in NEEDS_WORDS and not ended.stderr.strip() else Seen.REFUSED
    if ended.status:
        return Seen.RUNS
    return _seen_in(host, _object(ended.stdout))


def seen_over_http(status: int, body: bytes) -> Seen:
    """Tell what Claude Code does with the answer to an http hook with `onFailure: block`."""
    if not 200 <= status < 300:
        return Seen.REFUSED
    return _seen_in("claude-code", _object(body.decode(errors="replace")))


def _seen_in(host: str, said: Json) -> Seen:
    for name in PERMISSIONS.get(host, ("",)):
        said = said.get(name) if isinstance(said, Mapping) else None
    if said in DENIALS:
        return Seen.REFUSED
    return Seen.ASKED if (host, said) in ASKS else Seen.RUNS


def _object(text: str) -> Json:
    """Return the one JSON object a text is; anything else is no answer."""
    try:
        said: Json = json.loads(text)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None
