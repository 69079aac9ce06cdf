"""Configurations of other guards, read into rules: one function a tool, listed in `FORMATS`.

read_foreign(text, "claude-code", file="settings.json", home="/home/dev").yaml
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from signoff.actions.action import Json
from signoff.assess.rules.load import FORM
from signoff.documents.reading import read_yaml
from signoff.errors import BadRules
from signoff.frontends.importing.imported import Importing, ImportResult
from signoff.values import replace

ENTRIES_LIMIT = 2_000
ENTRY = re.compile(r"(?P<tool>[A-Za-z_][\w*-]*)(?:\((?P<what>.*)\))?", re.DOTALL)
# `npm run test:*` and `npm run test *`: both cover whatever begins with these words.
PREFIXED = re.compile(r"(?P<words>.*?)(?::\*| \*)", re.DOTALL)
# Claude Code applies a rule for `Read` to all its tools that read, one for `Edit` to all that
# write.
FILE_TOOLS = {
    "Read": "Read|NotebookRead",
    "Edit": "Edit|MultiEdit|Write|NotebookEdit",
    "Write": "Write|Edit|MultiEdit|NotebookEdit",
}
# What `*` stands for in a domain: nothing that ends the host, or begins it anew.
IN_HOST = r"[^/:?#@\\\s]*"
# What may stand around a host. An allow covers plain addresses only, anything else all of them.
USER_INFO = r"(?:[^/?#\\\s]*@)?"
HOST_ENDS = r"(?:[/?#\\]|$)"
ACTIONS = {"allow": "allow", "deny": "deny", "ask": "escalate"}
NAH_ACTIONS = {"allow": "allow", "ask": "escalate", "block": "deny"}
CUBE_FIELDS = frozenset({"name", "action", "tool", "match", "reason"})


def read_foreign(text: str, kind: str, *, file: str, home: str) -> ImportResult:
    """Import the configuration of another tool.

    Args:
        kind: one of `FORMATS`.
        home: for `~` in paths.

    Raises:
        BadRules: it is not valid for that tool.
    """
    result = Importing(PurePosixPath(file).name)
    FORMATS[kind](text, file, home, result)
    return result.result()


def _claude_code(text: str, file: str, home: str, result: Importing) -> None:
    """Claude Code's settings: `permissions` with `allow`, `deny` and `ask`."""
    try:
        said = json.loads(text)
    except ValueError as error:
        raise BadRules(f"{file}: no JSON: {error}") from error
    permissions = _mapping(_mapping(said, file).get("permissions", {}), file)
    for key, value in permissions.items():
        if key not in ACTIONS:
            result.leave_out(f"permissions.{key}", "not a list of rules")
            continue
        for entry in _texts(value, file):
            _permission(ACTIONS[key], entry, home, result)


def _permission(action: str, entry: str, home: str, result: Importing) -> None:
    """Read one entry: `Bash(npm run test:*)`, `Read(~/.zshrc)`, `mcp__server__tool`."""
    found = ENTRY.fullmatch(entry.strip())
    if found is None:
        result.leave_out(entry, "not a rule of Claude Code")
        return
    tool, what = found["tool"], found["what"]
    if tool == "Bash" and what not in (None, "", "*", ":*"):
        prefix = PREFIXED.fullmatch(what or "")
        words = prefix["words"] if prefix else what or ""
        result.add_command(action, entry, words, is_exact=prefix is None and "*" not in words)
    elif tool in FILE_TOOLS and what:
        glob = _path_glob(what, home)
        if action == "allow" and not glob.startswith("/"):
            result.leave_out(entry, "it holds below whatever folder the agent is in")
        else:
            result.add(action, entry, tool=FILE_TOOLS[tool], match={"file_path": [{"glob": glob}]})
    elif tool == "WebFetch" and what and what.startswith("domain:"):
        host = re.escape(what.removeprefix("domain:").lower()).replace(r"\*", IN_HOST)
        begin, end = ("", "(?:/|$)") if action == "allow" else (USER_INFO, HOST_ENDS)
        pattern = {"regex": rf"(?i)^https?://{begin}{host}(?::[0-9]*)?{end}"}
        result.add(action, entry, tool="WebFetch", match={"url": [pattern]})
    elif what in (None, "", "*", ":*"):
        # `mcp__github` stands for every tool of that server.
        is_server = tool.startswith("mcp__") and tool.count("__") == 1
        result.add(action, entry, tool=f"{tool}__*" if is_server else tool)
    else:
        result.leave_out(entry, "this form of entry is not known")


def _path_glob(path: str, home: str) -> str:
    """Return a path of Claude Code as a glob: `//etc`, `~/x`, `src/**`."""
    if path.startswith("//"):
        # In Claude Code's rules `//etc` is absolute; `/etc` begins at the folder of the settings.
        return path[1:]
    if path.startswith("~/"):
        return f"{home}{path[1:]}"
    return f"**/{path.removeprefix('./').lstrip('/')}"


def _claude_cube(text: str, file: str, home: str, result: Importing) -> None:
    """ClaudeCube's `rules.yaml`: patterns are `{pattern, type}`."""
    del home
    said = _mapping(_yaml(text, file), file)
    for key in said.keys() - {"version", "rules", "defaults"}:
        result.leave_out(key, "not known")
    for key, value in _mapping(said.get("defaults", {}), file).items():
        why = "set `defaults.unmatched` in rules.yaml" if key == "unmatched" else "not known"
        result.leave_out(f"defaults.{key}: {value}", why)
    for value in _list(said.get("rules", []), file):
        rule = _mapping(value, file)
        entry, action = str(rule.get("name", "")), str(rule.get("action", ""))
        if rule.keys() - CUBE_FIELDS or action not in ("allow", "deny", "escalate"):
            result.leave_out(entry or "a rule", "it has fields or an action that are not known")
            continue
        match = {
            field: [_cube_pattern(one, file) for one in _list(patterns, file)]
            for field, patterns in _mapping(rule.get("match", {}), file).items()
        }
        reason = str(rule.get("reason", ""))
        result.add(action, entry, tool=str(rule.get("tool", "")), match=match, reason=reason)


def _cube_pattern(value: Json, file: str) -> Mapping[str, str]:
    if isinstance(value, str):
        return {"literal": value}
    one = _mapping(value, file)
    return {str(one.get("type", "literal")): str(one.get("pattern", ""))}


def _dcg(text: str, file: str, home: str, result: Importing) -> None:
    """dcg's `config.toml` (`overrides`) and `allowlist.toml` (`[[allow]]`)."""
    del home
    try:
        said: Mapping[str, Json] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRules(f"{file}: no TOML: {error}") from error
    for key in said.keys() - {"overrides", "allow"}:
        result.leave_out(f"[{key}]", "signoff has its own defaults; see `lines` in signoff.yaml")
    overrides = _mapping(said.get("overrides", {}), file)
    for key, action in (("allow", "allow"), ("block", "deny")):
        for value in _list(overrides.get(key, []), file):
            one = {"pattern": value} if isinstance(value, str) else _mapping(value, file)
            pattern, reason = str(one.get("pattern", "")), str(one.get("reason", ""))
            match = {"command": [{"regex": pattern}]}
            result.add(action, f"{key} {pattern}", match=match, reason=reason)
    for value in _list(said.get("allow", []), file):
        _dcg_allowed(_mapping(value, file), result)


def _dcg_allowed(one: Mapping[str, Json], result: Importing) -> None:
    exact, prefix = one.get("exact_command"), one.get("command_prefix")
    reason = str(one.get("reason", ""))
    if isinstance(exact, str) and exact:
        expires = str(one.get("expires_at", one.get("expires", "")))[:10]
        match = {"command": [{"literal": exact}]}
        result.add("allow", exact, match=match, reason=reason, expires=expires)
    elif isinstance(prefix, str) and prefix:
        result.add_command("allow", prefix, prefix, is_exact=False)
    else:
        named = str(one.get("rule", one.get("pattern", "an entry")))
        result.leave_out(named, "it lets through whatever a rule of dcg blocks")


def _nah(text: str, file: str, home: str, result: Importing) -> None:
    """nah's `config.yaml`: commands by `classify` and `actions`, and `sensitive_paths`."""
    said = _mapping(_yaml(text, file), file)
    actions = _mapping(said.get("actions", {}), file)
    classes = _mapping(said.get("classify", {}), file)
    for kind, commands in classes.items():
        action = NAH_ACTIONS.get(str(actions.get(kind, "")))
        for words in _texts(commands, file):
            if action is None:
                result.leave_out(f"{kind}: {words}", "what nah does with this class is not said")
            else:
                result.add_command(action, f"{kind}: {words}", words, is_exact=False)
    for kind, policy in actions.items():
        if kind not in classes:
            said_so = f"actions.{kind}: {policy}"
            result.leave_out(said_so, "a class of nah; see `lines` in signoff.yaml for ours")
    _nah_paths(_mapping(said.get("sensitive_paths", {}), file), home, result)
    for key in said.keys() - {"actions", "classify", "sensitive_paths"}:
        result.leave_out(key, "not a list of rules")


def _nah_paths(paths: Mapping[str, Json], home: str, result: Importing) -> None:
    for path, policy in paths.items():
        action = NAH_ACTIONS.get(str(policy))
        if action in ("deny", "escalate"):
            glob = _path_glob(path if path.startswith("~") else f"/{path}", home).rstrip("/")
            result.add(
                action,
                f"sensitive path {path}",
                match={"operation": [{"path": glob}, {"path": f"{glob}/**"}]},
            )
        else:
            result.leave_out(f"sensitive_paths.{path}", "only `ask` and `block` are carried over")


FORMATS: Mapping[str, Callable[[str, str, str, Importing], None]] = {
    "claude-code": _claude_code,
    "claude-cube": _claude_cube,
    "dcg": _dcg,
    "nah": _nah,
}


def _yaml(text: str, file: str) -> Json:
    form = replace(FORM, what=f"`{file}`", expected="names with values")
    return read_yaml(text, file=file, form=form).json()


def _mapping(value: object, file: str) -> Mapping[str, Json]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadRules(f"{file}: expected names with values, got `{str(value)[:60]}`")
    return value


def _list(value: Json, file: str) -> Sequence[Json]:
    if value is None:
        return ()
    # A text is a sequence as well: of its letters.
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadRules(f"{file}: expected a list, got `{str(value)[:60]}`")
    if len(value) > ENTRIES_LIMIT:
        raise BadRules(f"{file}: {len(value)} entries (at most {ENTRIES_LIMIT})")
    return value


def _texts(value: Json, file: str) -> list[str]:
    return [str(one) for one in _list(value, file)]
