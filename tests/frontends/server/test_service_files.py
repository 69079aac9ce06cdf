"""What the service is installed from, without installing it."""

from __future__ import annotations

import os
import plistlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from signoff.frontends.client import found
from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT, LINUX, MACOS, ServiceLayout
from signoff.frontends.service.steps import (
    InstallStep,
    command_of_service,
    install_steps,
    launch_daemon,
    start_steps,
    stop_steps,
    system_unit,
    uninstall_steps,
)
from signoff.frontends.service.trust import untrusted
from signoff.values import replace

COMMAND = ["/opt/signoff/bin/python", "-I", "-m", "signoff", "serve"]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root owns files as root does")


def test_a_launchd_daemon_runs_as_its_user() -> None:
    """On the service's folders."""
    said = plistlib.loads(launch_daemon(MACOS, COMMAND).encode())

    assert (MACOS.user, COMMAND) == (said["UserName"], said["ProgramArguments"])
    assert MACOS.state == said["EnvironmentVariables"]["SIGNOFF_STATE_DIR"]


def test_a_unit_keeps_one_capability_and_writes_to_its_folders() -> None:
    """It must read what calls name, and change nothing of it."""
    unit = system_unit(LINUX, COMMAND).splitlines()

    assert {"NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=read-only"} <= {*unit}
    assert "CapabilityBoundingSet=CAP_DAC_READ_SEARCH" in unit
    assert f"User={LINUX.user}" in unit


def test_every_step_is_said() -> None:
    """A dry run shows the user, folders with their modes, the unit, and what is run."""
    said = [
        step.said.splitlines()[0] for step in install_steps(LINUX, command_of_service(), port=4440)
    ]

    assert any(LINUX.state in one and "0700" in one for one in said)
    assert any(one.startswith(f"write {LINUX.unit}") for one in said)


LAUNCHCTL = """#!/bin/sh
echo "$1" >> {log}
case $1 in
  print) test -e {loaded} ;;
  bootstrap) test ! -e {loaded} || exit 5; : > {loaded} ;;
  bootout) rm {loaded} || exit 3 ;;
esac
"""


@pytest.mark.parametrize(
    ("steps", "is_loaded", "expected"),
    [
        (start_steps, False, ["bootstrap"]),
        (start_steps, True, ["bootout", "bootstrap"]),
        (stop_steps, False, []),
        (stop_steps, True, ["bootout"]),
        (uninstall_steps, False, []),
        (uninstall_steps, True, ["bootout"]),
    ],
)
def test_launchd_takes_an_update(
    steps: Callable[[ServiceLayout], Iterable[InstallStep]],
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_loaded: bool,
) -> None:
    """It loads no daemon twice, and ends none that it does not know."""
    loaded, log, program = tmp_path / "loaded", tmp_path / "log", tmp_path / "launchctl"
    log.write_text("")
    program.write_text(LAUNCHCTL.format(loaded=loaded, log=log))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    if is_loaded:
        loaded.write_text("")

    for step in steps(MACOS):
        if step.said.startswith("run "):
            step.act()

    assert expected == [word for word in log.read_text().split() if word != "print"]


@as_root
@pytest.mark.parametrize("mode", [0o755, 0o775, 0o777])
def test_code_that_others_can_write_is_not_trusted(tmp_path: Path, mode: int) -> None:
    """Nor what lies in a folder that belongs to somebody else."""
    code = tmp_path / "code.py"
    code.write_text("")
    os.chown(code, 0, 1)
    code.chmod(mode)

    assert bool(mode & 0o022) == bool(untrusted([str(code)]))
    code.chmod(0o755)
    os.chown(tmp_path, 1, 1)
    assert "belongs to user 1" in untrusted([str(code)])


@as_root
def test_a_link_is_trusted_as_its_end_is(tmp_path: Path) -> None:
    """The folders above both ends count."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    (theirs / "code.py").write_text("")
    (ours / "code.py").symlink_to(theirs / "code.py")
    before = untrusted([str(ours / "code.py")])
    theirs.chmod(0o777)

    assert ("", True) == (before, bool(untrusted([str(ours / "code.py")])))


@as_root
def test_a_link_in_the_middle_of_a_chain_is_looked_at(tmp_path: Path) -> None:
    """Whoever owns it decides what its end is."""
    end, middle, first = tmp_path / "end", tmp_path / "middle", tmp_path / "first"
    for folder in (end, middle, first):
        folder.mkdir()
    (end / "code").mkdir()
    (middle / "link").symlink_to(end / "code")
    (first / "link").symlink_to(middle / "link")
    before = untrusted([str(first / "link")])
    middle.chmod(0o777)

    assert ("", True) == (before, bool(untrusted([str(first / "link")])))


@as_root
def test_a_sticky_folder_of_code_is_open_to_all(tmp_path: Path) -> None:
    """Anybody can add a module there; above the code nobody can replace what root has put in."""
    (tmp_path / "code").mkdir()
    tmp_path.chmod(0o1777)

    assert ("", True) == (untrusted([str(tmp_path / "code")]), bool(untrusted([str(tmp_path)])))


def test_chosen_folders_are_not_those_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables choose another daemon for commands; hooks name their socket instead."""
    unit = tmp_path / "unit"
    unit.write_text("")
    monkeypatch.setattr(found, "LAYOUT", replace(LAYOUT, unit=str(unit)))
    monkeypatch.delenv("SIGNOFF_STATE_DIR", raising=False)
    monkeypatch.delenv("SIGNOFF_CONFIG_DIR", raising=False)
    service = found.daemon_places()
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path))

    assert (LAYOUT.state, LAYOUT.socket) == (service.state, service.socket)
    assert (str(tmp_path), False) == (found.daemon_places().state, Places(str(tmp_path)).is_service)
