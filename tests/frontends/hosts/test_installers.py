"""Every installer changes its files whole, keeps what is there, and can be undone."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from signoff.errors import BadSettings
from signoff.frontends.hosts.installers import INSTALLERS
from signoff.frontends.hosts.installing.hook_lists import commands_in, put_in, take_out
from signoff.frontends.hosts.installing.installer import Installer, install, uninstall
from signoff.frontends.hosts.launch import is_ours

BY_HOST = pytest.mark.parametrize("installer", INSTALLERS.values(), ids=INSTALLERS.keys())
BY_PLACE = pytest.mark.parametrize("is_user", [True, False], ids=["user", "project"])
# Settings that are shared with others, and something of theirs in the host's own shape.
THEIR_HOOK: dict[str, Any] = {"command": "their-guard", "timeout": 5}
SHARED: dict[str, tuple[str, dict[str, Any]]] = {
    "codex": (".codex/hooks.json", {"hooks": {"PreToolUse": [{"hooks": [THEIR_HOOK]}]}}),
    "cursor": (".cursor/hooks.json", {"version": 1, "hooks": {"preToolUse": [THEIR_HOOK]}}),
    "gemini": (
        ".gemini/settings.json",
        {"theme": "größer", "hooks": {"enabled": True, "BeforeTool": [{"hooks": [THEIR_HOOK]}]}},
    ),
    "antigravity": (
        ".gemini/config/hooks.json",
        {"theirs": {"PreToolUse": [{"hooks": [THEIR_HOOK]}]}},
    ),
    "windsurf": (".codeium/windsurf/hooks.json", {"hooks": {"pre_run_command": [THEIR_HOOK]}}),
    "kiro": (
        ".kiro/agents/mine.json",
        {"name": "mine", "tools": ["*"], "hooks": {"preToolUse": [THEIR_HOOK]}},
    ),
}
OWN_FILES = {
    "cline": "Documents/Cline/Hooks/PreToolUse",
    "opencode": ".config/opencode/plugin/signoff.js",
    "openclaw": ".openclaw/extensions/signoff/index.ts",
}


def files_in(folder: Path) -> dict[str, str]:
    """Return every file of a folder with its text, but for kept copies."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".bak"
    }


@BY_HOST
@BY_PLACE
def test_a_fresh_home_gets_our_commands(
    installer: Installer, tmp_path: Path, *, is_user: bool
) -> None:
    """Every adapter of the host is called, for its owner's eyes only."""
    install(installer, tmp_path, is_user=is_user)
    targets = installer.targets(tmp_path, is_user=is_user)

    commands = [c for target in targets for c in target.commands(target.path.read_text("utf-8"))]
    assert all(any(is_ours(c, adapter) for c in commands) for adapter in installer.canaries)
    assert {stat.S_IMODE(target.path.stat().st_mode) & 0o077 for target in targets} == {0}


@BY_HOST
@BY_PLACE
def test_twice_is_once(installer: Installer, tmp_path: Path, *, is_user: bool) -> None:
    """A second installation changes no byte and keeps no copy."""
    install(installer, tmp_path, is_user=is_user)
    before = files_in(tmp_path)
    changes = install(installer, tmp_path, is_user=is_user)

    assert before == files_in(tmp_path)
    assert [(False, None)] * len(changes) == [(c.is_needed, c.backup) for c in changes]


@BY_HOST
@BY_PLACE
def test_there_and_back_again(installer: Installer, tmp_path: Path, *, is_user: bool) -> None:
    """Taken away from where nothing was, nothing is left."""
    install(installer, tmp_path, is_user=is_user)
    uninstall(installer, tmp_path, is_user=is_user)

    assert {} == files_in(tmp_path)


@BY_HOST
def test_a_dry_run_writes_nothing(installer: Installer, tmp_path: Path) -> None:
    """A dry run says what would be written."""
    changes = install(installer, tmp_path, is_user=True, is_dry=True)

    assert all(change.is_needed and change.after for change in changes)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("host", SHARED)
def test_everything_else_stays(host: str, tmp_path: Path) -> None:
    """Others' hooks and settings are kept, and come back as they were, with a copy beside."""
    name, theirs = SHARED[host]
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    text = json.dumps(theirs, indent=2, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    changes = install(INSTALLERS[host], tmp_path, is_user=True)

    with_ours = path.read_text(encoding="utf-8")
    assert "their-guard" in with_ours
    assert is_ours(with_ours, *INSTALLERS[host].canaries)
    (backup,) = (change.backup for change in changes if change.backup)
    assert text == backup.read_text(encoding="utf-8")
    uninstall(INSTALLERS[host], tmp_path, is_user=True)
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("host", SHARED)
@pytest.mark.parametrize("text", ['{"a": 1,}', "[]", '{"a": 1, "a": 2}', "\x00"])
def test_what_cannot_be_read_is_left_alone(host: str, text: str, tmp_path: Path) -> None:
    """Broken settings are named, not overwritten, and nothing else is written either."""
    path = tmp_path / SHARED[host][0]
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadSettings, match=r"left as they are"):
        install(INSTALLERS[host], tmp_path, is_user=True)

    assert {SHARED[host][0]: text} == files_in(tmp_path)


@pytest.mark.parametrize("host", OWN_FILES)
def test_a_file_of_somebody_else_is_left_alone(host: str, tmp_path: Path) -> None:
    """Where the host knows one file only, another's is neither replaced nor removed."""
    path = tmp_path / OWN_FILES[host]
    path.parent.mkdir(parents=True)
    path.write_text("theirs\n", encoding="utf-8")

    with pytest.raises(BadSettings, match="somebody else"):
        install(INSTALLERS[host], tmp_path, is_user=True)
    uninstall(INSTALLERS[host], tmp_path, is_user=True)

    assert {OWN_FILES[host]: "theirs\n"} == files_in(tmp_path)


def test_a_hook_of_cline_can_be_run(tmp_path: Path) -> None:
    """Cline runs a file by its name."""
    install(INSTALLERS["cline"], tmp_path, is_user=True)

    assert (tmp_path / OWN_FILES["cline"]).stat().st_mode & stat.S_IXUSR


FAIL_CLOSED = {
    "cursor": ("failClosed", True),
    "copilot": ("timeoutSec", 600),
    "codex": ("timeout", 620),
    "gemini": ("timeout", 620_000),
    "kiro": ("timeout_ms", 620_000),
}


@pytest.mark.parametrize("host", FAIL_CLOSED)
def test_limits_and_closing_keys_are_set(host: str, tmp_path: Path) -> None:
    """The host waits longer than the guard takes, and is told to close on failure."""
    install(INSTALLERS[host], tmp_path, is_user=True)
    text = "".join(files_in(tmp_path).values())
    key, value = FAIL_CLOSED[host]

    assert f'"{key}": {json.dumps(value)}' in text
    assert "cache_ttl" not in text


def ours(command: str) -> bool:
    """Tell a command of ours in these tests."""
    return command.startswith("ours")


def test_an_old_hook_of_ours_is_replaced() -> None:
    """A moved environment leaves no dead hook behind, in a group or alone."""
    old = {
        "E": [{"hooks": [{"command": "ours old"}, THEIR_HOOK]}, {"command": "ours older"}],
        "Gone": [{"bash": "ours"}],
    }
    text = put_in(json.dumps({"hooks": old}), {"E": {"command": "ours new"}}, is_ours=ours)

    assert {
        "E": [{"hooks": [THEIR_HOOK]}, {"command": "ours new"}],
    } == json.loads(text)["hooks"]
    assert ("ours new",) == commands_in(text, ours)


@pytest.mark.parametrize("hooks", ["x", [], {"E": "x"}, {"E": ["x"]}])
def test_hooks_in_an_unknown_form_are_left_alone(hooks: Any) -> None:  # noqa: ANN401 - any JSON
    """What is not understood is not rewritten."""
    with pytest.raises(BadSettings, match="left as they are"):
        put_in(json.dumps({"hooks": hooks}), {"E": {"command": "ours"}}, is_ours=ours)


def test_nothing_of_ours_changes_nothing() -> None:
    """Taking out what is not there gives back the very text."""
    text = '{ "hooks": {"E": [{"command": "theirs"}]} }'

    assert text == take_out(text, is_ours=ours)
