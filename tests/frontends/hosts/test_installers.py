"""What installers share, and what a host's own files need; the contract tests the rest."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from signoff.errors import BadSettings
from signoff.frontends.hosts.host import install, uninstall
from signoff.frontends.hosts.installing.hook_lists import commands_in, put_in, take_out
from signoff.frontends.hosts.registry import BY_NAME

THEIR_HOOK: dict[str, Any] = {"command": "their-guard", "timeout": 5}
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


@pytest.mark.parametrize("host", OWN_FILES)
def test_a_file_of_somebody_else_is_left_alone(host: str, tmp_path: Path) -> None:
    """Where the host knows one file only, another's is neither replaced nor removed."""
    path = tmp_path / OWN_FILES[host]
    path.parent.mkdir(parents=True)
    path.write_text("theirs\n", encoding="utf-8")

    with pytest.raises(BadSettings, match="somebody else"):
        install(BY_NAME[host], tmp_path, is_user=True)
    uninstall(BY_NAME[host], tmp_path, is_user=True)

    assert {OWN_FILES[host]: "theirs\n"} == files_in(tmp_path)


def test_a_hook_of_cline_can_be_run(tmp_path: Path) -> None:
    """Cline runs a file by its name."""
    install(BY_NAME["cline"], tmp_path, is_user=True)

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
    install(BY_NAME[host], tmp_path, is_user=True)
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
