"""Codex's `config.toml`: switch terminals of running programs off, and back on; nothing else.

A program started in a terminal of its own takes what the model types later, and that reaches no
hook: an interactive shell would be a way around every rule. Pure: text in, text out; one line is
put in, known by its comment, and everything else stays as it was.

    without_terminals("")  ->  "[features] # signoff\\nunified_exec_tty = false # signoff: ...\\n"
"""

from __future__ import annotations

import tomllib

from signoff.errors import BadSettings

TABLE = "features"
KEY = "unified_exec_tty"
LINE = f"{KEY} = false # signoff: what is typed into a running program reaches no hook"
HEADER = f"[{TABLE}]"
OUR_HEADER = f"{HEADER} # signoff"
OUR_HOOK = "hooks.json:pre_tool_use:"  # in the name under which Codex keeps its trust


def without_terminals(text: str) -> str:
    """Return the settings with terminals switched off; the same text if they are.

    Raises:
        BadSettings: the settings cannot be read, or say otherwise themselves.
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
    if _read(after) != {**before, TABLE: {**features, KEY: False}}:
        raise BadSettings(f"write `{KEY} = false` under [{TABLE}] yourself: it is in no known form")
    return after


def with_terminals(text: str) -> str:
    """Return the settings without our line; the same text if it is not there."""
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if line.rstrip("\n") != LINE]
    if kept == lines:
        return text
    left = "".join(kept)
    if not _read(left).get(TABLE):
        left = "".join(line for line in kept if line.rstrip("\n") != OUR_HEADER)
    return left.rstrip("\n") + "\n" if left.strip() else ""


def problems_in(text: str) -> tuple[str, ...]:
    """Say what in the settings keeps Codex from calling hooks, or lets calls go by them.

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
