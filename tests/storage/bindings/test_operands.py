"""What a call names and would start is looked at as the shell would find it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.challenge.terms.binding import Binding, FileRole, Operand
from signoff.storage.bindings.file_hashes import FILE_BYTES, FileHashes
from signoff.storage.bindings.operands import found_on, interpreter_words, operands_of


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    """Make a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def call(line: str, cwd: Path, search_path: str = "") -> Action:
    """Return a call of a shell line."""
    return Action(
        tool="Bash", arguments={"command": line}, cwd=str(cwd), search_path=search_path or "/none"
    )


def by_role(action: Action, role: FileRole) -> list[tuple[str, str, str]]:
    """Return name, place and kind of the operands of a role."""
    return [(o.path, o.place, o.kind) for o in operands_of(action) if o.role is role]


def test_a_program_is_the_first_on_the_path(tmp_path: Path) -> None:
    """Of two, and a file that cannot be started is none."""
    program(tmp_path / "b/tool")
    program(tmp_path / "c/tool")
    program(tmp_path / "a/tool").chmod(0o644)
    path = ":".join(str(tmp_path / name) for name in "abc")

    found = by_role(call("tool x", tmp_path, path), FileRole.PROGRAM)

    assert found == [("tool", str(tmp_path / "b/tool"), "file")]


def test_a_program_found_nowhere_is_missing(tmp_path: Path) -> None:
    """And is bound as that."""
    assert by_role(call("no-such", tmp_path), FileRole.PROGRAM) == [("no-such", "", "missing")]


def test_every_program_of_a_line_is_looked_for(tmp_path: Path) -> None:
    """Behind wrappers, in substitutions, and by the folder the line changes to."""
    line = "sudo make $(helper) && cd sub && ./gradlew build | xargs rm"
    program(tmp_path / "sub/gradlew")

    names = {name: kind for name, _, kind in by_role(call(line, tmp_path), FileRole.PROGRAM)}

    assert {"sudo", "make", "helper", "./gradlew", "xargs", "rm"} <= names.keys()
    assert names["./gradlew"] == "file"


def test_a_path_the_line_sets_is_looked_through_as_well(tmp_path: Path) -> None:
    """With the PATH of the call standing for what it is made of."""
    program(tmp_path / "bin/tool")
    program(tmp_path / "own/tool")

    found = by_role(
        call("PATH=./own:$PATH tool", tmp_path, str(tmp_path / "bin")), FileRole.PROGRAM
    )

    assert [place for _, place, _ in found] == [
        str(tmp_path / "bin/tool"),
        str(tmp_path / "own/tool"),
    ]


def test_a_file_is_found_in_the_folder_of_its_command(tmp_path: Path) -> None:
    """Not only in the one the line starts in."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/run.sh").write_text("echo\n")

    found = operands_of(call("cd sub && sh run.sh", tmp_path))

    assert str(tmp_path / "sub/run.sh") in {o.real_path for o in found}


def test_a_script_brings_its_interpreter(tmp_path: Path) -> None:
    """And the program `env` starts for it, and theirs in turn."""
    program(tmp_path / "bin/inner", "#!/bin/sh\n")
    program(tmp_path / "bin/run", "#!/usr/bin/env inner\n")

    found = by_role(call("run", tmp_path, str(tmp_path / "bin")), FileRole.INTERPRETER)

    assert [path for path, _, _ in found] == ["/usr/bin/env", "inner", "/bin/sh"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"#!/bin/sh\nx", ("/bin/sh",)),
        (b"#! /usr/bin/python3 -I\n", ("/usr/bin/python3",)),
        (b"#!/usr/bin/env python3\n", ("/usr/bin/env", "python3")),
        (b"#!/usr/bin/env -S A=1 node --x\n", ("/usr/bin/env", "node")),
        (b"#!\n", ()),
        (b"#", ()),
        (b"\x7fELF", ()),
    ],
)
def test_a_first_line_names_an_interpreter(line: bytes, words: tuple[str, ...]) -> None:
    """With the program that `env` looks for."""
    assert interpreter_words(line) == words


def test_an_empty_folder_of_the_path_is_the_current_one(tmp_path: Path) -> None:
    """As in every shell."""
    program(tmp_path / "tool")

    assert found_on("/none:", "tool", str(tmp_path)) == str(tmp_path / "tool")


def test_the_mode_is_bound(tmp_path: Path) -> None:
    """A file that may be started now is another one."""
    script = tmp_path / "run.sh"
    script.write_text("echo\n")
    before = operands_of(call("sh ./run.sh", tmp_path))
    script.chmod(0o4755)

    assert operands_of(call("sh ./run.sh", tmp_path)) != before


def test_what_is_too_large_is_told_by_size_and_times(tmp_path: Path) -> None:
    """A sparse file is not read."""
    with open(tmp_path / "large.bin", "wb") as file:
        file.truncate(FILE_BYTES + 1)
    action = call("cat ./large.bin", tmp_path)
    (before,) = [o for o in operands_of(action) if o.role is FileRole.OPERAND]
    os.utime(tmp_path / "large.bin", (1, 1))
    (after,) = [o for o in operands_of(action) if o.role is FileRole.OPERAND]

    assert (before.sha256, before.version == after.version) == ("", False)


def test_a_hash_is_not_kept_for_what_this_user_can_write(tmp_path: Path) -> None:
    """Not even where size and times are set back."""
    hashes = FileHashes()
    script = tmp_path / "run.sh"
    script.write_text("echo a\n")
    times = (script.stat().st_atime_ns, script.stat().st_mtime_ns)
    before = operands_of(call("sh ./run.sh", tmp_path), hashes)
    script.write_text("echo b\n")
    os.utime(script, ns=times)

    assert operands_of(call("sh ./run.sh", tmp_path), hashes) != before


def test_names_that_are_no_text_can_be_bound() -> None:
    """A file system allows any bytes in them."""
    odd = Operand(path="run.sh", real_path=os.fsdecode(b"/w/\xff.sh"), kind="file")

    digest = Binding(action=call("x", Path("/w")), operands=(odd,)).digest

    assert len(digest) == 64


def test_a_call_without_a_line_names_no_program(tmp_path: Path) -> None:
    """Files it names are looked at all the same."""
    (tmp_path / "a").write_text("x")
    action = Action(tool="Write", arguments={"file_path": str(tmp_path / "a")}, cwd=str(tmp_path))

    assert [(o.role, o.kind) for o in operands_of(action)] == [(FileRole.OPERAND, "file")]
