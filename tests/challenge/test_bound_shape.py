"""What binds a grant for a session to the programs it is about."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.challenge.terms.binding import (
    FileRole,
    Operand,
    across_machines,
    bound_shape,
    digest_of_files,
    unmatched_shape,
)
from signoff.values import replace

SHAPE = "Bash\n/srv/app\ndocker restart\nweb\n"
DOCKER = Operand(path="docker", role=FileRole.PROGRAM, place="/usr/bin/docker", sha256="a" * 64)
CAT = Operand(path="cat", role=FileRole.PROGRAM, place="/usr/bin/cat", sha256="b" * 64)
NODE = Operand(path="node", role=FileRole.INTERPRETER, place="/usr/bin/node", sha256="c" * 64)
FILE = Operand(path="notes.txt", real_path="/srv/app/notes.txt", kind="file", sha256="d" * 64)


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "e" * 64},
        {"place": "/tmp/docker"},
        {"kind": "file"},
        {"mode": "755 0 0"},
        {"inode": 7},
        {"device": 7},
        {"version": "7"},
        {"real_path": "/tmp/docker"},
        {"path": "podman"},
        {"role": FileRole.INTERPRETER},
    ],
)
def test_another_program_is_another_shape(change: dict[str, object]) -> None:
    """Whatever about the program differs."""
    other = replace(DOCKER, **change)  # type: ignore[arg-type]  # fields of an operand

    assert bound_shape(SHAPE, (DOCKER,)) == bound_shape(SHAPE, (DOCKER,))
    assert bound_shape(SHAPE, (DOCKER,)) != bound_shape(SHAPE, (other,))


def test_a_shape_is_bound_to_programs_in_its_own_lines() -> None:
    """Written behind what it says, as a digest of 64 hex digits over the programs alone."""
    bound = bound_shape(SHAPE, (DOCKER, NODE))

    assert f"{SHAPE}\nby {digest_of_files((DOCKER, NODE))}" == bound
    assert 64 == len(bound.rpartition(" ")[2])
    assert bound_shape(SHAPE, (DOCKER, FILE, NODE)) == bound
    assert bound_shape(SHAPE, (DOCKER,)) != bound


def test_programs_that_only_shorten_output_do_not_count() -> None:
    """They differ from line to line; where one is the command itself, it counts."""
    quiet = SHAPE.replace("docker restart", "cat notes")
    behind = SHAPE.replace("\nweb\n", "\ncat\n")

    assert bound_shape(SHAPE, (DOCKER, CAT)) == bound_shape(SHAPE, (DOCKER,))
    for shape in (quiet, behind):
        assert bound_shape(shape, (DOCKER, CAT)) != bound_shape(shape, (DOCKER,))


@pytest.mark.parametrize("at", [0, 1, 4])
def test_only_the_lines_with_the_words_name_a_program(at: int) -> None:
    """Neither the tool, nor the folder, nor what stands behind."""
    lines = SHAPE.split("\n")
    lines[at] = "cat"
    shape = "\n".join(lines)

    assert bound_shape(shape, (DOCKER, CAT)) == bound_shape(shape, (DOCKER,))


def test_an_unmatched_shape_says_the_same_and_is_of_no_program() -> None:
    """Whoever reads it sees nothing of that."""
    bound = bound_shape(SHAPE, (DOCKER,))
    drawn = unmatched_shape(bound, "f" * 64)

    assert (SHAPE, len(bound)) == (drawn.rpartition("\nby ")[0], len(drawn))
    assert drawn != bound
    assert "" == unmatched_shape("", "f" * 64)


def test_no_shape_stays_none() -> None:
    """A call that is like no other is bound to nothing more."""
    assert "" == bound_shape("", (DOCKER,))


def test_the_same_file_of_another_machine_is_the_same() -> None:
    """Where nodes share requests; what was not read is told by where it lies as before."""
    action = Action(tool="Bash", arguments={})
    here = replace(FILE, inode=1, device=2)
    there = replace(FILE, inode=3, device=4)
    unread, other = (replace(one, sha256="", kind="folder") for one in (here, there))

    def told(one: Operand) -> str:
        return digest_of_files(across_machines(lambda _: (one,))(action))

    assert told(here) == told(there)
    assert told(unread) != told(other)
    assert told(here) != told(replace(there, mode="644 0"))
