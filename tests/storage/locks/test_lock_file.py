"""The panic switch: holds at once, for everybody, and a broken one is on."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.errors import StoreError
from signoff.storage.locks.lock import Lock, LockScope
from signoff.storage.locks.lock_file import LOCKS_LIMIT, LockFile

CALL = Action(tool="Bash", arguments={}, agent="helper", session="s-1", source="claude-code")
EVERYTHING = Lock(scope=LockScope.ALL)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the locks are kept; nothing is there yet."""
    return tmp_path / "state" / "locks.json"


def is_locked(path: Path, action: Action = CALL) -> bool:
    """Tell whether another process would refuse the call."""
    return bool(LockFile(str(path)).reason(action))


@pytest.mark.parametrize(
    ("scope", "name", "expected"),
    [
        (LockScope.ALL, "", True),
        (LockScope.AGENT, "helper", True),
        (LockScope.AGENT, "Claude-Code", True),
        (LockScope.AGENT, "codex", False),
        (LockScope.SESSION, "s-1", True),
        (LockScope.SESSION, "s-2", False),
        (LockScope.TOOL, "bash", True),
        (LockScope.TOOL, "Write", False),
    ],
)
def test_a_lock_holds_what_it_names(
    path: Path, scope: LockScope, name: str, *, expected: bool
) -> None:
    """By agent or host, session, tool; case makes no difference."""
    LockFile(str(path)).add(Lock(scope=scope, name=name))

    assert is_locked(path) == expected


def test_nothing_is_locked_without_a_file(path: Path) -> None:
    """The positive control."""
    assert not is_locked(path)


def test_a_lock_is_seen_by_whoever_looked_before(path: Path) -> None:
    """Nobody goes on with what they knew; nor after it was lifted."""
    watching = LockFile(str(path))
    seen = [bool(watching.reason(CALL))]

    LockFile(str(path)).add(EVERYTHING)
    seen.append(bool(watching.reason(CALL)))
    LockFile(str(path)).remove(EVERYTHING)
    seen.append(bool(watching.reason(CALL)))

    assert seen == [False, True, False]


def test_one_lock_is_lifted_and_the_others_stay(path: Path) -> None:
    """Only that on everything lifts all."""
    file = LockFile(str(path))
    tool, session = (
        Lock(scope=LockScope.TOOL, name="Bash"),
        Lock(scope=LockScope.SESSION, name="s-1"),
    )
    file.add(tool)
    file.add(session)

    assert file.remove(tool)
    assert [lock.target for lock in file.locks()] == [session.target]
    assert not file.remove(tool)
    assert file.remove(EVERYTHING)
    assert file.locks() == ()


BROKEN = {
    "empty": "",
    "cut off": '{"version": 1, "locks": [',
    "a list": "[]",
    "another version": '{"version": 2, "locks": []}',
    "no locks": '{"version": 1}',
    "locks that are none": '{"version": 1, "locks": 7}',
    "an unknown scope": '{"version": 1, "locks": [{"scope": "planet", "name": "x"}]}',
    "a scope without a name": '{"version": 1, "locks": [{"scope": "tool", "name": ""}]}',
    "a name that is no text": '{"version": 1, "locks": [{"scope": "tool", "name": 7}]}',
    "too deep": "[" * 100_000,
    "too large": " " * 300_000,
    "no text": "\udcff",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_switch_is_on(path: Path, text: str) -> None:
    """What cannot be read locks everything; a person can still lift it."""
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8", errors="surrogateescape")

    assert is_locked(path)
    LockFile(str(path)).remove(EVERYTHING)
    assert not is_locked(path)


@pytest.mark.parametrize("kind", ["folder", "link to nowhere", "pipe", "device"])
def test_what_is_no_file_is_on_too(path: Path, kind: str) -> None:
    """Something stands in its place."""
    path.parent.mkdir()
    match kind:
        case "folder":
            path.mkdir()
        case "link to nowhere":
            path.symlink_to("nowhere")
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to("/dev/zero")

    assert is_locked(path)


def test_adding_to_a_broken_switch_locks_everything(path: Path) -> None:
    """What stood there before may have been a lock."""
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")

    LockFile(str(path)).add(Lock(scope=LockScope.TOOL, name="Write"))

    assert is_locked(path)


def test_too_many_locks_are_one_on_everything(path: Path) -> None:
    """None is dropped."""
    file = LockFile(str(path))
    file.add(Lock(scope=LockScope.TOOL, name="first"))
    file._write([Lock(scope=LockScope.TOOL, name=f"t{n}") for n in range(LOCKS_LIMIT)])

    file.add(Lock(scope=LockScope.TOOL, name="one more"))

    assert is_locked(path)


def test_two_who_lock_at_once_both_hold(path: Path) -> None:
    """Neither writes over the other."""
    threads = [
        threading.Thread(
            target=LockFile(str(path)).add, args=(Lock(scope=LockScope.TOOL, name=f"t{n}"),)
        )
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(LockFile(str(path)).locks()) == 8


def test_a_switch_that_cannot_be_set_says_so(path: Path) -> None:
    """Nobody believes in a lock that is none."""
    path.parent.write_text("in the way", encoding="utf-8")

    with pytest.raises(StoreError):
        LockFile(str(path)).add(EVERYTHING)


def test_one_look_holds_for_a_moment_and_no_longer(path: Path) -> None:
    """As long as the same object is given; a lock of the next one is seen."""
    moments = iter([1, 1, 2])
    watching = LockFile(str(path), lambda: next(moments))
    seen = [bool(watching.reason(CALL))]

    LockFile(str(path)).add(EVERYTHING)
    seen += [bool(watching.reason(CALL)), bool(watching.reason(CALL))]

    assert [False, False, True] == seen


def test_a_lock_of_ours_holds_within_the_moment(path: Path) -> None:
    """Whoever sets it knows it, and whoever lifts it."""
    file = LockFile(str(path), lambda: 1)
    seen = [bool(file.reason(CALL))]

    file.add(EVERYTHING)
    seen.append(bool(file.reason(CALL)))
    file.remove(EVERYTHING)
    seen.append(bool(file.reason(CALL)))

    assert [False, True, False] == seen


def test_what_cannot_be_told_is_on_for_its_moment(path: Path) -> None:
    """A broken switch is no better known by looking twice."""
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")
    file = LockFile(str(path), lambda: 1)

    assert [True, True] == [bool(file.reason(CALL)) for _ in range(2)]
