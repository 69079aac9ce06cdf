"""The installation changes one file, whole, and keeps a copy."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.install import HOST
from signoff.frontends.hosts.claude_code.kinds import version_warnings
from signoff.frontends.hosts.host import install as install_host
from signoff.frontends.hosts.host import warnings_of
from signoff.frontends.hosts.installing.files import FileChange


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Return the path of a settings file that does not exist yet."""
    return tmp_path / ".claude" / "settings.json"


def install(path: Path, kind: str = "") -> FileChange:
    """Put the hooks into a settings file of a home."""
    (change,) = install_host(HOST, path.parents[1], is_user=True, kind=kind)
    return change


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file with its folder."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def test_a_new_file_names_this_interpreter(settings: Path) -> None:
    """The hook runs with the Python that installed it, by its absolute path."""
    change = install(settings, kind="in_process")

    hook = json.loads(settings.read_text(encoding="utf-8"))["hooks"]["PreToolUse"][0]["hooks"][0]
    assert change.is_needed
    assert f"{sys.executable} -I -m signoff hook claude-code" in hook["command"]
    assert hook["onFailure"] == "block"
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600


def test_the_old_file_is_kept_once(settings: Path) -> None:
    """A change leaves a copy of what was there; a second run changes and copies nothing."""
    write(settings, '{"a": 1}', mode=0o640)

    first, second = install(settings), install(settings)

    copies = [path for path in settings.parent.iterdir() if path.name != "settings.json"]
    assert copies == [first.backup]
    assert copies[0].read_text(encoding="utf-8") == '{"a": 1}'
    assert {stat.S_IMODE(p.stat().st_mode) for p in (settings, *copies)} == {0o640}
    assert (second.is_needed, second.backup) == (False, None)


def test_a_folder_in_its_place_is_named(settings: Path) -> None:
    """An error of the file system comes out as ours."""
    settings.mkdir(parents=True)

    with pytest.raises(BadSettings, match="cannot be read"):
        install(settings)


def test_a_link_is_followed(settings: Path, tmp_path: Path) -> None:
    """Settings kept elsewhere and linked stay linked."""
    real = tmp_path / "dotfiles.json"
    write(real, "{}")
    settings.parent.mkdir()
    settings.symlink_to(real)

    install(settings)

    assert settings.is_symlink()
    assert "signoff" in real.read_text(encoding="utf-8")


def test_hooks_that_are_off_are_warned_of(settings: Path) -> None:
    """Installed but never called must not look like guarded."""
    write(settings, '{"disableAllHooks": true}')

    assert any(
        "disableAllHooks" in said for said in warnings_of(HOST, [install(settings)], is_user=True)
    )


@pytest.mark.parametrize(
    ("says", "warned"),
    [
        ("echo '2.1.329 (Claude Code)'", ""),
        ("echo '2.1.295 (Claude Code)'", ""),
        ("echo '10.0.0 (Claude Code)'", ""),
        ("echo '2.1.294 (Claude Code)'", "ignores `onFailure`"),
        ("echo '1.0.93 (Claude Code)'", "ignores `onFailure`"),
        ("echo hello", "does not name a version"),
        ("exit 1", "does not name a version"),
    ],
)
def test_an_old_version_is_warned_of(says: str, warned: str, tmp_path: Path) -> None:
    """Versions before 2.1.295 run the tool when the hook is killed."""
    claude = tmp_path / "claude"
    write(claude, f"#!/bin/sh\n{says}\n", mode=0o755)

    warnings = version_warnings(str(claude))

    assert bool(warnings) == bool(warned)
    assert all(warned in warning for warning in warnings)


def test_no_claude_is_no_warning() -> None:
    """signoff may be installed first."""
    assert version_warnings(None) == ()
