"""Descriptions in force follow their folders, and only good files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from signoff.errors import BadProgram
from signoff.storage.reloading.own_programs import (
    FILES_LIMIT,
    OwnProgramFiles,
    ProgramFolder,
)
from signoff.storage.reloading.periodic_check import CHECK_EVERY_S


class SetClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def write(path: Path, name: str, *, age_s: float = 10.0, more: str = "") -> None:
    """Describe one program as it would have been some seconds ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"programs:\n  - names: {name}\n    does: inspect\n{more}")
    then = time.time() - age_s
    os.utime(path, (then, then))


@pytest.fixture
def clock() -> SetClock:
    """Give a clock."""
    return SetClock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Name the user's folder."""
    return tmp_path / "config" / "programs"


@pytest.fixture
def programs(folder: Path, clock: SetClock) -> OwnProgramFiles:
    """Follow the user's folder."""
    return OwnProgramFiles(user=ProgramFolder(path=str(folder)), clock=clock)


def names(programs: OwnProgramFiles) -> set[str]:
    """Return every name described now."""
    found = programs.current()
    return set(found.names) if found else set()


def test_without_a_folder_nothing_is_described(programs: OwnProgramFiles) -> None:
    """The default folder need not be there."""
    assert (programs.current(), programs.problem) == (None, "")


def test_a_change_is_in_force_at_the_next_look(
    programs: OwnProgramFiles, folder: Path, clock: SetClock
) -> None:
    """A new folder, a new file, and a changed one, each within the second."""
    seen = [names(programs)]
    for step, (file, name) in enumerate([("a.yaml", "frob"), ("b.yml", "brof"), ("a.yaml", "bar")]):
        write(folder / file, name, age_s=10 - step)
        clock.now += CHECK_EVERY_S
        seen.append(names(programs))

    assert seen == [set(), {"frob"}, {"frob", "brof"}, {"bar", "brof"}]


def test_folders_are_not_looked_at_with_every_call(
    programs: OwnProgramFiles, folder: Path, clock: SetClock
) -> None:
    """Between two looks the same object is given, so that kept answers stay."""
    write(folder / "a.yaml", "frob")
    first = programs.current()
    write(folder / "a.yaml", "bar", age_s=5)

    assert programs.current() is first


def test_an_unchanged_folder_gives_the_same_object(
    programs: OwnProgramFiles, folder: Path, clock: SetClock
) -> None:
    """A look that finds no change replaces nothing."""
    write(folder / "a.yaml", "frob")
    first = programs.current()
    clock.now += CHECK_EVERY_S

    assert programs.current() is first


def test_a_bad_file_leaves_the_last_good_ones_in_force(
    programs: OwnProgramFiles, folder: Path, clock: SetClock
) -> None:
    """All of them, and the problem says where; a good file ends it."""
    write(folder / "a.yaml", "frob")
    seen = [(names(programs), programs.problem)]
    write(folder / "a.yaml", "bar", age_s=5, more="    doez: inert\n")
    write(folder / "b.yaml", "brof")
    clock.now += CHECK_EVERY_S
    assert names(programs) == {"frob"}
    assert programs.problem.startswith(f"{folder}/a.yaml:4:5: unknown field of a program `doez`")
    write(folder / "a.yaml", "bar", age_s=4)
    clock.now += CHECK_EVERY_S
    seen.append((names(programs), programs.problem))

    assert seen == [({"frob"}, ""), ({"bar", "brof"}, "")]


def test_bad_from_the_start_is_refused(programs: OwnProgramFiles, folder: Path) -> None:
    """There is nothing good that could stay in force."""
    write(folder / "a.yaml", "frob", more="    handler: vcs.git_work.reset\n")

    with pytest.raises(BadProgram, match=r"a\.yaml:4:14: only signoff's own"):
        programs.current()


def test_what_vanishes_stays_in_force_and_is_said(
    programs: OwnProgramFiles, folder: Path, clock: SetClock
) -> None:
    """A file, and the whole folder; also at every later look."""
    write(folder / "a.yaml", "frob")
    programs.current()
    (folder / "a.yaml").unlink()
    seen = []
    for _ in range(2):
        clock.now += CHECK_EVERY_S
        seen.append((names(programs), "a.yaml: is gone" in programs.problem))
    folder.rmdir()
    clock.now += CHECK_EVERY_S
    seen.append((names(programs), "a.yaml: is gone" in programs.problem))

    assert seen == [({"frob"}, True)] * 3


def test_a_file_written_this_moment_is_read_a_moment_later(
    programs: OwnProgramFiles, folder: Path, clock: SetClock
) -> None:
    """It may be half written."""
    write(folder / "a.yaml", "frob")
    programs.current()
    write(folder / "a.yaml", "bar", age_s=0)
    clock.now += CHECK_EVERY_S
    first = names(programs)
    write(folder / "a.yaml", "bar", age_s=1)
    clock.now += CHECK_EVERY_S

    assert (first, names(programs)) == ({"frob"}, {"bar"})


def test_a_named_folder_must_be_there(tmp_path: Path) -> None:
    """Settings that name one expect something of it."""
    user = ProgramFolder(path=str(tmp_path / "none"), is_named=True)

    with pytest.raises(BadProgram, match="none: no such folder"):
        OwnProgramFiles(user=user).current()


def test_a_folder_of_a_project_lies_inside_it(tmp_path: Path) -> None:
    """A link that leads out of the project is refused."""
    (tmp_path / "project").mkdir()
    (tmp_path / "else").mkdir()
    link = tmp_path / "project" / "programs"
    link.symlink_to(tmp_path / "else")
    project = ProgramFolder(path=str(link), is_named=True, inside=str(tmp_path / "project"))

    with pytest.raises(BadProgram, match="leads out of the project"):
        OwnProgramFiles(project=project).current()


def test_a_folder_has_so_many_files(programs: OwnProgramFiles, folder: Path) -> None:
    """And not more."""
    for n in range(FILES_LIMIT + 1):
        write(folder / f"f{n}.yaml", f"frob{n}")

    with pytest.raises(BadProgram, match="more than 64 files"):
        programs.current()


def test_other_files_are_left_alone(programs: OwnProgramFiles, folder: Path) -> None:
    """A note beside the descriptions is none."""
    write(folder / "a.yaml", "frob")
    (folder / "README.md").write_text("no YAML: {")

    assert names(programs) == {"frob"}
