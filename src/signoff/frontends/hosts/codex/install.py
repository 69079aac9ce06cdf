"""Codex: `hooks.json` in its folder, for every tool and for its own approval prompt.

`config.toml` beside it gets one line, which switches terminals of running programs off. A program
started in a terminal of its own takes what the model types later, and that reaches no hook: an
interactive shell would be a way around every rule. The line is known by its comment; everything
else stays as it was.

    without_terminals("")  ->  "[features] # signoff\nunified_exec_tty = false # signoff: ...\n"
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.codex.adapter import ADAPTER, NAME, PERMISSION_ADAPTER
from signoff.frontends.hosts.codex.transcripts import FORMAT as TRANSCRIPTS
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line, stop_line
from signoff.frontends.hosts.results.lines import result_line
from signoff.frontends.hosts.waits import WAITING
from signoff.settings import load_settings

ADAPTERS = (NAME, PERMISSION_ADAPTER.name)
REPORT_LIMIT_S = 10

TABLE = "features"
KEY = "unified_exec_tty"
LINE = f"{KEY} = false # signoff: what is typed into a running program reaches no hook"
HEADER = f"[{TABLE}]"
OUR_HEADER = f"{HEADER} # signoff"
OUR_HOOK = "hooks.json:pre_tool_use:"  # in the name under which Codex keeps its trust


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the settings files to change, in the user's folder or the project's."""
    hooks = {
        "PreToolUse": _group(ADAPTER),
        "PermissionRequest": _group(PERMISSION_ADAPTER),
        "PostToolUse": _results(),
        **_stops(),
    }
    return (
        hooks_file(folder / ".codex" / "hooks.json", hooks, adapters=ADAPTERS),
        Target(
            path=folder / ".codex" / "config.toml",
            put=without_terminals,
            take=with_terminals,
            # Nothing of ours is started from this file.
            commands=lambda text: (),
        ),
    )


def problems(home: Path) -> tuple[str, ...]:
    """Return what in the user's settings keeps the hook from working.

    Raises:
        BadSettings: they cannot be read.
    """
    path = home / ".codex" / "config.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error
    return problems_in(text)


def _group(adapter: Adapter) -> Json:
    hook: Json = {
        "type": "command",
        "command": hook_line(adapter),
        "timeout": adapter.wait.host_s,
        "statusMessage": WAITING,
    }
    return {"matcher": "*", "hooks": [hook]}


def _stops() -> dict[str, Json]:
    """Return the hook that waits for the text to a stopped agent, if it is wanted."""
    found = stop_line(ADAPTER)
    if found is None:
        return {}
    hook: Json = {
        "type": "command",
        "command": found[0],
        "timeout": found[1],
        "statusMessage": "signoff: what next?",
    }
    return {"Stop": {"hooks": [hook]}}


def _results() -> Json:
    """Return the hook that has results read, and tells the daemon that a call has ended."""
    found = result_line(ADAPTER, load_settings()) or (report_line(ADAPTER), REPORT_LIMIT_S)
    hook: Json = {"type": "command", "command": found[0], "timeout": found[1]}
    return {"matcher": "*", "hooks": [hook]}


HOST = HostManifest(
    name=NAME,
    title="Codex CLI",
    adapters=(ADAPTER, PERMISSION_ADAPTER),
    programs=("codex",),
    folders=(".codex",),
    targets=targets,
    problems=problems,
    tried=(0, 169, 0),
    older="hooks of older versions see fewer tools",
    notes=(
        "Codex runs a hook only after you trusted it: start codex, enter /hooks and trust"
        " signoff's; do it again after every change of the file",
        "programs that run in a terminal are switched off in config.toml: what is typed into them"
        " reaches no hook",
    ),
    moved_by="CODEX_HOME",
    guards="blocks once trusted; has no ask; closed on failure by the installed command",
    transcripts=TRANSCRIPTS,
)


def without_terminals(text: str) -> str:
    """Return the settings with interactive terminals disabled, whose input no hook sees.

    The same text if they are.

    Raises:
        BadSettings: the settings cannot be read, or enable them explicitly.
    """
    before = _read(text)
    features = before.get(TABLE, {})
    if not isinstance(features, dict):
        raise BadSettings(f"`{TABLE}` is no table, so it is left as it is")
    if features.get(KEY) is False:
        return text
    if KEY in features:
        raise BadSettings(
            f"`{KEY}` is on under [{TABLE}]: what is typed into a running program reaches no hook;"
            " set it to false, or take the line away"
        )
    after = _with_line(text, has_table=TABLE in before)
    # Proven by reading it back: `[features]` may also stand in a multi-line text.
    if _read(after) != {**before, TABLE: {**features, KEY: False}}:
        raise BadSettings(f"write `{KEY} = false` under [{TABLE}] yourself: it is in no known form")
    return after


def with_terminals(text: str) -> str:
    """Undo `without_terminals`; the same text if there is nothing to undo."""
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if line.rstrip("\n") != LINE]
    if kept == lines:
        return text
    left = "".join(kept)
    # Under our header the user may have put switches of their own.
    if not _read(left).get(TABLE):
        left = "".join(line for line in kept if line.rstrip("\n") != OUR_HEADER)
    return left.rstrip("\n") + "\n" if left.strip() else ""


def problems_in(text: str) -> tuple[str, ...]:
    """Return what in the settings keeps Codex from calling hooks, or lets calls bypass them.

    Raises:
        BadSettings: the settings cannot be read.
    """
    settings = _read(text)
    features, hooks = settings.get(TABLE, {}), settings.get("hooks", {})
    switches = features if isinstance(features, dict) else {}
    state = hooks.get("state", {}) if isinstance(hooks, dict) else {}
    names = state if isinstance(state, dict) else {}
    found: list[str] = []
    if switches.get("hooks") is False:
        found.append(f"`hooks` is false under [{TABLE}]: Codex calls no hook at all")
    if switches.get(KEY) is not False:
        found.append(f"`{KEY}` is not false under [{TABLE}]: what is typed later reaches no hook")
    if not any(OUR_HOOK in name and _is_trusted(kept) for name, kept in names.items()):
        found.append("Codex was not told to trust the hook, so it runs every call without it")
    return tuple(found)


def _is_trusted(kept: object) -> bool:
    return (
        isinstance(kept, dict)
        and bool(kept.get("trusted_hash"))
        and kept.get("enabled") is not False
    )


def _read(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    # tomllib calls itself for each bracket, so `a = [[[[...` ends in a RecursionError.
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadSettings(f"settings cannot be read, so they are left as they are: {error}") from (
            error
        )


def _with_line(text: str, *, has_table: bool) -> str:
    lines = text.splitlines(keepends=True)
    if not has_table:
        gap = "\n" if text and not text.endswith("\n") else ""
        return f"{text}{gap}{OUR_HEADER}\n{LINE}\n"
    for number, line in enumerate(lines):
        if line.partition("#")[0].strip() == HEADER:
            end = "" if line.endswith("\n") else "\n"
            return "".join([*lines[:number], line, end, f"{LINE}\n", *lines[number + 1 :]])
    return text
