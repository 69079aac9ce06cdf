"""Is Claude Code really guarded: looks at its settings and lets the installed command refuse.

The canary is a call nobody ever wants, sent through the command that is installed, as the host
would send it. Only a hook that is ours to the letter is tried: settings of a project are somebody
else's text.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from signoff.challenge.words.stopping import StopMode
from signoff.errors import BadSettings
from signoff.frontends.client.words import MARK
from signoff.frontends.hosts.claude_code.adapter import ADAPTER
from signoff.frontends.hosts.claude_code.kinds import (
    STOP,
    Hook,
    HookKind,
    hooks_of,
    version_warnings,
)
from signoff.frontends.hosts.claude_code.plugin_use import own_command_of, plugins_in_use
from signoff.frontends.hosts.claude_code.settings_file import (
    EVENT,
    decides,
    own_hooks,
    switches_off,
    with_hooks,
)
from signoff.frontends.hosts.host import HookCheck
from signoff.frontends.hosts.wording import UNJUDGED
from signoff.settings import load_settings

ANSWER_LIMIT = 65_536
GUARDS = "blocks and asks; closed on failure, from 2.1.295 also at the host's time limit"
BELOW = "fix what is bad below (daemon, rules, record); if nothing is, run"
REINSTALL = f"{BELOW} `signoff install claude-code`"
TWICE = "note: hook and plugin are both installed, so each call is judged twice: take one away"
NEW_PLUGIN = "update the plugin, or write it again: `signoff install claude-code --plugin FOLDER`"
MANAGED_FOLDERS = {"darwin": "/Library/Application Support/ClaudeCode"}  # else as on Linux
MANAGED = Path(MANAGED_FOLDERS.get(sys.platform, "/etc/claude-code"), "managed-settings.json")
TIMEOUT_S = 60  # nobody is asked about the canary


def check_up(home: Path, project: Path) -> Iterator[HookCheck]:
    """Yield checks of the user's and project's settings, and send a test call once."""
    settings = load_settings()
    kinds = [hooks_of(kind, settings) for kind in HookKind]
    deciding, stops = list[Hook](), list[Hook]()
    for path in settings_files(home, project):
        try:
            text = path.read_text(encoding="utf-8")
            off, found = switches_off(text), _deciding(text, kinds)
            yield from _hooks_in(path, text, kinds)
            stops += own_hooks(text, STOP)
        except (OSError, UnicodeError, BadSettings) as error:
            yield HookCheck(is_good=False, said=f"{path} cannot be read: {error}")
            continue
        # The same hook may stand in several files, and is tried once.
        deciding += [hook for hook in found if hook not in deciding]
        for name in off:
            said = f"`{name}` is true in {path}: Claude Code does not call signoff"
            yield HookCheck(is_good=False, said=said)
    for hook in deciding:
        is_http = hook["type"] == "http"
        yield fire_http_canary(hook) if is_http else fire_canary(str(hook["command"]))
    plugged = list(_plugins(home, project))
    yield from plugged
    yield from _ways(by_hook=bool(deciding), by_plugin=bool(plugged))
    if settings.stops.mode is not StopMode.OFF:
        yield _stop_hook(stops, dict(hooks_of(HookKind.COMMAND, settings)[STOP]))
    for warning in version_warnings(shutil.which("claude")):
        yield HookCheck(is_good=False, said=warning)


def _ways(*, by_hook: bool, by_plugin: bool) -> Iterator[HookCheck]:
    """Say so where signoff is called by no way, or by two."""
    if by_hook and by_plugin:
        yield HookCheck(is_good=True, said=TWICE)
    if not by_hook and not by_plugin:
        said = "no hook of this environment is called for every tool: not guarded from here"
        yield HookCheck(is_good=False, said=said)


def _plugins(home: Path, project: Path) -> Iterator[HookCheck]:
    """Look at the plugin, if it is switched on, and fire the canary through its command."""
    try:
        for plugin in plugins_in_use(home, project, (MANAGED, *own_settings(home, project))):
            command = own_command_of(plugin)
            if not command:
                said = f"the hook of the plugin, {plugin.hooks}, is not as this version has it"
                yield HookCheck(is_good=False, said=said, fix=NEW_PLUGIN)
                continue
            yield HookCheck(is_good=True, said=f"guarded: {GUARDS}")
            yield HookCheck(
                is_good=True, said=f"the hook is of the plugin {plugin.id}, {plugin.hooks}"
            )
            yield fire_canary(command)
    except BadSettings as error:
        yield HookCheck(is_good=False, said=str(error))


def is_used(home: Path, project: Path) -> bool:
    """Return whether Claude Code's settings exist."""
    return bool(settings_files(home, project))


def asks_daemon(home: Path, project: Path) -> bool | None:
    """Return whether its hook asks the daemon; None = signoff is not called at all.

    Raises:
        BadSettings: a settings file cannot be read.
    """
    files = settings_files(home, project)
    hooks = [hook for path in files for hook in own_hooks(path.read_text(encoding="utf-8"))]
    if any("url" in hook or MARK in str(hook.get("command", "")) for hook in hooks):
        return True
    if plugins_in_use(home, project, (MANAGED, *files)):
        return True
    return False if hooks else None


def has_plugin(home: Path, project: Path) -> bool:
    """Return whether signoff's plugin is installed and enabled.

    Raises:
        BadSettings: a settings file cannot be read.
    """
    return bool(plugins_in_use(home, project, (MANAGED, *settings_files(home, project))))


def settings_files(home: Path, project: Path) -> tuple[Path, ...]:
    """Return the existing settings files, managed ones first."""
    files = (MANAGED, *own_settings(home, project))
    return tuple(dict.fromkeys(path for path in files if path.exists()))


def own_settings(home: Path, project: Path) -> tuple[Path, ...]:
    """Return the possible settings files of a user and project, later ones taking precedence."""
    return (
        home / ".claude" / "settings.json",
        project / ".claude" / "settings.json",
        project / ".claude" / "settings.local.json",
    )


def fire_canary(command: str) -> HookCheck:
    """Send a test call through a hook command; report whether it was denied, and how fast."""
    started = time.perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - our own command, to the letter
            ["/bin/sh", "-c", command],
            input=json.dumps(ADAPTER.canary).encode(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        said = f"the hook does not answer: {error}"
        return HookCheck(is_good=False, said=said, fix=REINSTALL)
    took_ms = (time.perf_counter() - started) * 1000
    if _refused(done.stdout):
        return HookCheck(is_good=True, said=f"the hook denied the test call, in {took_ms:.0f} ms")
    said = (done.stderr or done.stdout).decode(errors="replace").strip() or "it did not refuse"
    said = f"the hook cannot judge (status {done.returncode}): {said}"
    return HookCheck(is_good=False, said=said, fix=REINSTALL)


def fire_http_canary(hook: Hook) -> HookCheck:
    """Send a test call to the daemon as an HTTP hook would; report whether it was denied."""
    import http.client  # noqa: PLC0415 - 10 ms of every start that asks for no such check

    url, headers = urlsplit(str(hook["url"])), hook["headers"]
    given = {str(k): str(v) for k, v in headers.items()} if isinstance(headers, Mapping) else {}
    link = http.client.HTTPConnection(url.hostname or "", url.port, timeout=TIMEOUT_S)
    try:
        link.request(
            "POST",
            url.path,
            json.dumps(ADAPTER.canary).encode(),
            {**given, "Content-Type": "application/json"},
        )
        answer = link.getresponse().read(ANSWER_LIMIT)
    except (OSError, http.client.HTTPException) as error:
        said = f"the daemon does not answer: {error}"
        return HookCheck(is_good=False, said=said, fix="run `signoff up`")
    finally:
        link.close()
    if _refused(answer):
        return HookCheck(is_good=True, said="the daemon denied the test call")
    fix = f"{BELOW} `signoff install claude-code --kind http`, which renews its token"
    return HookCheck(is_good=False, said="the daemon cannot judge", fix=fix)


def _deciding(text: str, kinds: Sequence[Mapping[str, Hook]]) -> list[Hook]:
    """Return the hook in the settings that decides, if it is ours to the letter and sees all."""
    return [dict(hooks[EVENT]) for hooks in kinds if decides(text, dict(hooks[EVENT]))]


def _hooks_in(path: Path, text: str, kinds: Sequence[Mapping[str, Hook]]) -> Iterator[HookCheck]:
    """Say what is in one file; nothing if no hook of ours does."""
    if not own_hooks(text):
        return
    # Nothing would change: the hooks are there to the letter.
    if any(with_hooks(text, hooks) == text for hooks in kinds):
        yield HookCheck(is_good=True, said=f"guarded: {GUARDS}")
        yield HookCheck(is_good=True, said=f"the hook is in {path}")
    elif _deciding(text, kinds):
        said = f"the hook is in {path}, but what reports beside it is not as this version has it"
        yield HookCheck(is_good=False, said=said)
    else:
        said = (
            f"the hook in {path} is not as this environment installs it: of another version or"
            " place, for some tools only, or changed"
        )
        yield HookCheck(is_good=False, said=said)


def _stop_hook(installed: list[Hook], own: Hook) -> HookCheck:
    """Tell whether agents that stop are waited for as the settings say."""
    if own in installed:
        return HookCheck(is_good=True, said="agents that stop are waited for")
    said = "`stops` has changed since the hooks were installed"
    return HookCheck(is_good=False, said=said)


def _refused(answer: bytes) -> bool:
    """Tell whether an answer is a deny; a blocked call without a judgement is no success here."""
    # Where the daemon fails over a call it denies it, too, and says so.
    if UNJUDGED.encode() in answer:
        return False
    try:
        said = json.loads(answer)["hookSpecificOutput"]["permissionDecision"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(said == "deny")
