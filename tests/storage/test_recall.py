"""What is gathered before a call is judged."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Denial, Facts, FileFact
from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.storage.fs_probe.files import look_at
from signoff.storage.fs_probe.probe import TickCache
from signoff.storage.fs_probe.project import Project, find_project
from signoff.storage.memory import MemoryStore
from signoff.storage.recall import FsSnapshot, Recall


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a home with a repository in it."""
    home = tmp_path / "home"
    (home / "project" / ".git").mkdir(parents=True)
    (home / "project" / "src").mkdir()
    return home


def recall(home: Path, command: str = "", *, store: MemoryStore | None = None) -> Facts:
    """Recall the facts for a shell line in the project's source folder."""
    memory = Recall(store=store or MemoryStore(), home=str(home), guard_paths=("/guard",))
    cwd = str(home / "project" / "src")
    action = Action(
        tool="Bash", arguments={"command": command}, cwd=cwd, agent="claude", session="s1"
    )
    return asyncio.run(memory.recall(action))


def test_folders_and_time_are_known(home: Path) -> None:
    """Home, the repository's root, signoff's own paths, now."""
    facts = recall(home)

    assert (facts.home, facts.project, facts.under_version_control, facts.guard_paths) == (
        str(home),
        str(home / "project"),
        True,
        ("/guard",),
    )
    assert facts.now is not None
    assert abs((datetime.now(UTC) - facts.now).total_seconds()) < 60


def test_the_sessions_past_is_known(home: Path) -> None:
    """Whatever the store remembers of it."""
    store = MemoryStore()
    denial = Denial(tool="Edit", target="/x", category="c")
    session_update = SessionUpdate(
        key=SessionKey(agent="claude", session="s1"),
        function="Bash",
        written=("/w",),
        downloaded=("/d",),
        secrets_read=("/s",),
        denials=(denial,),
    )
    asyncio.run(store.append(RecordDraft(session_update=session_update)))

    facts = recall(home, store=store)

    assert (facts.prior_calls, facts.written, facts.downloaded) == (
        1,
        frozenset({"/w"}),
        frozenset({"/d"}),
    )
    assert (facts.secrets_read, facts.denials) == (frozenset({"/s"}), (denial,))


def test_a_script_is_known_by_its_name_and_its_absolute_path(home: Path) -> None:
    """With what it says."""
    script = home / "project" / "src" / "run.sh"
    script.write_text("echo hi\n")
    seen = FileFact(real_path=str(script), text="echo hi\n")

    files = recall(home, "bash ./run.sh").files

    assert (files["./run.sh"], files[str(script)]) == (seen, seen)


def test_a_home_path_is_looked_up_there(home: Path) -> None:
    """The tilde is the agent user's home."""
    (home / "x.sh").write_text("true\n")

    assert recall(home, "sh ~/x.sh").files["~/x.sh"].text == "true\n"


def test_a_tilde_alone_is_the_home(home: Path) -> None:
    """A bare word all the same, it names no file of the folder."""
    facts = recall(home, "ls ~")

    assert FileFact(real_path=str(home), is_directory=True) == facts.files["~"]


@pytest.mark.parametrize("cwd", ["/", "//", "/usr/.."])
def test_a_bare_word_is_looked_for_in_the_root(cwd: str) -> None:
    """One slash stands between the folder and the name, as the system would join them."""
    action = Action(tool="Bash", arguments={"command": "ls usr"}, cwd=cwd)
    facts = asyncio.run(Recall(store=MemoryStore()).recall(action))

    assert os.path.normpath(f"{cwd.rstrip('/')}/usr" if cwd != "//" else "//usr") in facts.files


def test_a_bare_word_in_no_folder_is_not_looked_for() -> None:
    """What is not told where it lies could be anything."""
    action = Action(tool="Bash", arguments={"command": "ls usr"})

    assert {} == asyncio.run(Recall(store=MemoryStore()).recall(action)).files


def test_a_link_that_leads_nowhere_leads_on(home: Path) -> None:
    """Where a write would land is known though nothing is there."""
    (home / "project" / "src" / "away").symlink_to(home / ".bashrc")

    facts = [recall(home, f"tee {name}").files[name] for name in ("away", "./away")]

    assert [FileFact(real_path=str(home / ".bashrc"), exists=False)] * 2 == facts


def test_a_link_is_seen_through(home: Path) -> None:
    """By its real path; a protected file does not hide behind a name."""
    (home / "secret").write_text("k")
    (home / "project" / "src" / "notes.txt").symlink_to(home / "secret")

    assert recall(home, "cat notes.txt").files["notes.txt"].real_path == str(home / "secret")


def test_a_second_name_is_counted(home: Path) -> None:
    """Hard links cannot be seen through, so they are counted."""
    (home / "secret").write_text("k")
    os.link(home / "secret", home / "project" / "src" / "notes.txt")

    assert recall(home, "cat notes.txt").files["notes.txt"].link_count == 2


@pytest.mark.parametrize(
    ("name", "raw", "mode", "text"),
    [
        ("a.sh", b"true", 0o644, "true"),
        ("Makefile", b"all:", 0o644, "all:"),
        ("tool", b"#!/bin/sh", 0o755, "#!/bin/sh"),
        ("a.txt", b"plain", 0o644, None),
        ("a.sh", b"\xff\xfe\x00", 0o644, None),
        ("a.sh", b"x" * 101, 0o644, None),
        ("a.sh", b"x" * 100, 0o644, "x" * 100),
    ],
)
def test_only_what_would_run_is_read(
    tmp_path: Path, name: str, raw: bytes, mode: int, text: str | None
) -> None:
    """Scripts of limited size, as text."""
    (tmp_path / name).write_bytes(raw)
    (tmp_path / name).chmod(mode)

    assert look_at(str(tmp_path / name), text_limit=100).text == text


def test_nothing_waits_for_a_pipe_or_a_device(tmp_path: Path) -> None:
    """They are looked at, never opened."""
    os.mkfifo(tmp_path / "pipe.sh", 0o755)
    (tmp_path / "zero.sh").symlink_to("/dev/zero")

    found = [look_at(str(tmp_path / name), text_limit=9) for name in ("pipe.sh", "zero.sh")]

    assert [(fact.exists, fact.text) for fact in found] == [(True, None), (True, None)]


def test_what_is_not_there_is_said_so(tmp_path: Path) -> None:
    """With the path it would have behind the links before it; loops are not there either."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    missing = look_at(str(tmp_path / "link" / "x"), text_limit=9)

    assert (missing.exists, missing.real_path) == (False, str(tmp_path / "real" / "x"))
    assert not look_at(str(tmp_path / "loop"), text_limit=9).exists


def test_a_project_is_the_nearest_repository(home: Path) -> None:
    """Even where a nearer folder has a manifest."""
    (home / "project" / "src" / "package.json").write_text("{}")

    assert find_project(str(home / "project" / "src"), home=str(home)) == Project(
        root=str(home / "project"), is_under_version_control=True
    )


def test_without_a_repository_the_nearest_mark_counts(tmp_path: Path) -> None:
    """What is in no repository cannot be undone from one."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("")

    assert find_project(str(tmp_path / "a" / "b"), home="/home/dev") == Project(
        root=str(tmp_path / "a")
    )


@pytest.mark.parametrize("where", ["", "..", "relative"])
def test_a_home_is_no_project(home: Path, where: str) -> None:
    """Nor what is above it, nor what is no absolute folder, whatever lies there."""
    (home / ".git").mkdir()
    (home.parent / ".git").mkdir()
    folder = "relative" if where == "relative" else os.path.normpath(home / where)

    assert find_project(folder, home=str(home)) == Project()


def in_moments(home: Path, command: str, *, moments: list[int], change: Path) -> list[Facts]:
    """Recall a shell line's facts in these moments; after the first a file is written."""
    given = iter(moments)
    memory = Recall(
        store=MemoryStore(), home=str(home), seen=TickCache(FsSnapshot, lambda: next(given))
    )
    action = Action(tool="Bash", arguments={"command": command}, cwd=str(home / "folder"))
    seen = [asyncio.run(memory.recall(action))]
    change.parent.mkdir(parents=True, exist_ok=True)
    change.write_text("true\n")
    return [*seen, *(asyncio.run(memory.recall(action)) for _ in moments[1:])]


def test_a_project_is_looked_for_once_in_a_moment(home: Path) -> None:
    """The next moment sees what has changed."""
    facts = in_moments(home, "ls", moments=[1, 1, 2], change=home / "folder" / ".git")

    assert ["", "", str(home / "folder")] == [seen.project for seen in facts]


@pytest.mark.parametrize("name", ["tool", "./tool", "a.txt"])
def test_a_file_is_looked_at_once_in_a_moment(home: Path, name: str) -> None:
    """Be it there or not, by a bare word or a path."""
    facts = in_moments(home, f"cat {name}", moments=[1, 1, 2], change=home / "folder" / name)

    is_there = [name in seen.files and seen.files[name].exists for seen in facts]
    assert [False, False, True] == is_there


def test_the_same_name_in_another_folder_is_another_file(home: Path) -> None:
    """Within a moment as well."""
    memory = Recall(store=MemoryStore(), home=str(home), seen=TickCache(FsSnapshot, lambda: 1))
    (home / "project" / "a.txt").write_text("x")
    known = [
        asyncio.run(
            memory.recall(Action(tool="Bash", arguments={"command": "cat a.txt"}, cwd=str(folder)))
        )
        for folder in (home, home / "project")
    ]

    assert [False, True] == [facts.files["a.txt"].exists for facts in known]


def test_what_a_script_says_is_read_each_time(home: Path) -> None:
    """Texts are large: none is held."""
    script = home / "folder" / "a.sh"
    script.parent.mkdir()
    script.write_text("false\n")
    facts = in_moments(home, "sh a.sh", moments=[1, 1], change=script)

    assert ["false\n", "true\n"] == [seen.files["a.sh"].text for seen in facts]


def test_what_a_script_clears_or_makes_is_looked_at(home: Path) -> None:
    """Where the line runs it; what is missing is known to be missing."""
    source = home / "project" / "src"
    (source / "fresh.sh").write_text("rm -rf out\nmkdir -p out/deep\n", encoding="utf-8")
    (source / "kept").mkdir()

    facts = recall(home, "bash fresh.sh && mkdir kept")

    assert not facts.files[str(source / "out")].exists
    assert facts.files[str(source / "kept")].is_directory
    assert str(source / "out") not in recall(home, "cat fresh.sh").files


def test_folders_that_a_line_makes_are_known_to_be_missing(home: Path) -> None:
    """So that the session may take them away again."""
    facts = recall(home, "mkdir -p trial/deep plain")
    source = home / "project" / "src"

    assert [False, False, False] == [
        facts.files[str(source / name)].exists for name in ("trial", "trial/deep", "plain")
    ]
