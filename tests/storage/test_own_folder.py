"""The state folder is closed to others, and nobody else's folder is changed for that."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.errors import StoreError
from signoff.frontends.client.places import Places
from signoff.frontends.server.telemetry.logs import open_log
from signoff.redaction.redact import Redactor
from signoff.storage.text_file import make_own_folder
from signoff.testing import TEST_KEY


@pytest.fixture(autouse=True)
def _no_mask() -> Iterator[None]:
    """Let every mode through, and keep the handlers of this process."""
    mask, handlers = os.umask(0), logging.getLogger().handlers
    yield
    os.umask(mask)
    logging.getLogger().handlers = handlers


def mode_of(path: Path) -> int:
    """Return the permissions of a path."""
    return stat.S_IMODE(path.stat().st_mode)


def test_folders_are_made_closed_under_any_mask(tmp_path: Path) -> None:
    """Those above the state, too."""
    state = tmp_path / "local" / "state" / "signoff"
    Places(str(state)).make()

    made = (state / "log", state, state.parent, state.parent.parent)
    assert {mode_of(folder) for folder in made} == {0o700}


@pytest.mark.parametrize("mode", [0o755, 0o777, 0o770, 0o1777])
def test_a_folder_with_foreign_files_is_left_alone(tmp_path: Path, mode: int) -> None:
    """It is refused with what to do."""
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "notes.txt").write_text("theirs", encoding="utf-8")
    shared.chmod(mode)

    with pytest.raises(StoreError, match="not signoff's own"):
        Places(str(shared)).make()
    assert mode_of(shared) == mode


def test_an_empty_sticky_folder_is_left_alone(tmp_path: Path) -> None:
    """It is meant for everybody."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)

    with pytest.raises(StoreError, match="not signoff's own"):
        make_own_folder(str(shared))


@pytest.mark.parametrize("name", ["", "record.db"])
def test_a_folder_of_its_own_is_tightened(tmp_path: Path, name: str) -> None:
    """An empty one, and one that was opened since."""
    state = tmp_path / "state"
    state.mkdir()
    if name:
        (state / name).touch()
    state.chmod(0o755)
    make_own_folder(str(state))

    assert mode_of(state) == 0o700


def test_a_closed_folder_with_other_files_is_used(tmp_path: Path) -> None:
    """Nobody else can read it."""
    (tmp_path / "notes.txt").touch()
    tmp_path.chmod(0o700)
    make_own_folder(str(tmp_path))

    assert mode_of(tmp_path) == 0o700


def test_a_log_that_is_a_link_is_not_written(tmp_path: Path) -> None:
    """What it leads to keeps its content and mode."""
    victim, log = tmp_path / "victim", tmp_path / "daemon.log"
    victim.write_text("mine", encoding="utf-8")
    victim.chmod(0o644)
    log.symlink_to(victim)

    with pytest.raises(StoreError, match="cannot use the log"):
        open_log(str(log), Redactor(TEST_KEY), tell=lambda _: None)
    assert (victim.read_text(encoding="utf-8"), mode_of(victim)) == ("mine", 0o644)
