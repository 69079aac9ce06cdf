"""Is Claude Code really guarded: looks at its settings and lets the installed command refuse.

The canary is a call nobody ever wants, sent through the command that is installed, as the host
would send it. Only a hook that is ours to the letter is tried: settings of a project are somebody
else's text.
"""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from signoff.challenge.words.stopping import StopMode
from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.install import version_warnings
from signoff.frontends.hosts.claude_code.kinds import STOP, Hook, Kind, hooks_of
from signoff.frontends.hosts.claude_code.settings_file import EVENT, own_hooks, switches_off
from signoff.settings import load_settings

ANSWER_LIMIT = 65_536
TIMEOUT_S = 60  # nobody is asked about the canary
CANARY = {
    "hook_event_name": "PreToolUse",
    "session_id": "signoff-doctor",
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": "rm -rf /"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, and what is to be said of it."""

    is_good: bool
    said: str


def check_up(home: Path, project: Path) -> Iterator[Check]:
    """Look at the settings of this user and project, and fire the canary once."""
    settings = load_settings()
    own = [dict(hooks_of(kind, settings)[EVENT]) for kind in Kind]
    installed, stops = list[Hook](), list[Hook]()
    for path in settings_files(home, project):
        try:
            text = path.read_text(encoding="utf-8")
            found, waiting, off = own_hooks(text), own_hooks(text, STOP), switches_off(text)
        except (OSError, UnicodeError, BadSettings) as error:
            yield Check(is_good=False, said=f"{path} cannot be read: {error}")
            continue
        installed += found
        stops += waiting
        yield from (_hook(path, is_own=hook in own) for hook in found)
        for name in off:
            said = f"`{name}` is true in {path}: Claude Code does not call signoff"
            yield Check(is_good=False, said=said)
    for hook in (hook for hook in own if hook in installed):
        is_http = hook["type"] == "http"
        yield fire_http_canary(hook) if is_http else fire_canary(str(hook["command"]))
    if not any(hook in installed for hook in own):
        said = "not installed from this environment: run `signoff install claude-code`"
        yield Check(is_good=False, said=said)
    if settings.stops.mode is not StopMode.OFF:
        yield _stop_hook(stops, dict(hooks_of(Kind.COMMAND, settings)[STOP]))
    for warning in version_warnings(shutil.which("claude")):
        yield Check(is_good=False, said=warning)


def settings_files(home: Path, project: Path) -> tuple[Path, ...]:
    """Return the settings files there are, those that hold for all first."""
    files = (
        Path("/etc/claude-code/managed-settings.json"),
        home / ".claude" / "settings.json",
        project / ".claude" / "settings.json",
        project / ".claude" / "settings.local.json",
    )
    return tuple(dict.fromkeys(path for path in files if path.exists()))


def fire_canary(command: str) -> Check:
    """Send a call that must be refused through the command; tell whether it was, and how fast."""
    started = time.perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - our own command, to the letter
            ["/bin/sh", "-c", command],
            input=json.dumps(CANARY).encode(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(is_good=False, said=f"the hook does not answer: {error}")
    took_ms = (time.perf_counter() - started) * 1000
    if _refused(done.stdout):
        return Check(is_good=True, said=f"the hook refuses what it must, in {took_ms:.0f} ms")
    said = done.stderr.decode(errors="replace").strip() or "it did not refuse"
    return Check(is_good=False, said=f"the hook cannot judge (status {done.returncode}): {said}")


def fire_http_canary(hook: Hook) -> Check:
    """Send a call that must be refused to the daemon, as the hook would."""
    url, headers = urlsplit(str(hook["url"])), hook["headers"]
    given = {str(k): str(v) for k, v in headers.items()} if isinstance(headers, Mapping) else {}
    link = http.client.HTTPConnection(url.hostname or "", url.port, timeout=TIMEOUT_S)
    try:
        link.request(
            "POST",
            url.path,
            json.dumps(CANARY).encode(),
            {**given, "Content-Type": "application/json"},
        )
        answer = link.getresponse().read(ANSWER_LIMIT)
    except (OSError, http.client.HTTPException) as error:
        said = f"the daemon does not answer: {error}; `signoff up` starts it"
        return Check(is_good=False, said=said)
    finally:
        link.close()
    if _refused(answer) and b"cannot decide" not in answer:
        return Check(is_good=True, said="the daemon refuses what it must")
    said = "the daemon cannot judge: run `signoff install claude-code --kind http` again"
    return Check(is_good=False, said=said)


def _hook(path: Path, *, is_own: bool) -> Check:
    if is_own:
        return Check(is_good=True, said=f"the hook is in {path}")
    said = f"the hook in {path} is not this environment's: run `signoff install claude-code`"
    return Check(is_good=False, said=said)


def _stop_hook(installed: list[Hook], own: Hook) -> Check:
    """Tell whether agents that stop are waited for as the settings say."""
    if own in installed:
        return Check(is_good=True, said="agents that stop are waited for")
    said = "`stops` has changed since the hooks were installed: run `signoff install claude-code`"
    return Check(is_good=False, said=said)


def _refused(answer: bytes) -> bool:
    """Tell whether an answer is a deny; a blocked call without a judgement is no success here."""
    try:
        said = json.loads(answer)["hookSpecificOutput"]["permissionDecision"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(said == "deny")
