"""File tools mean operations."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import FileFact
from signoff.actions.operation import FileKind, Operation, Reach, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.tools.files import understand_file_tool

PROJECT = "/home/dev/project"
PLACE = Place(cwd=PROJECT, home="/home/dev", project=PROJECT)


def _all(tool: str, **arguments: Json) -> tuple[Operation, ...]:
    return understand_file_tool(Action(tool=tool, arguments=arguments), PLACE)


def test_a_write_in_the_project_is_plain() -> None:
    """Writing a source file is one reversible write."""
    (op,) = _all("Write", file_path="src/a.py", content="x = 1\n")
    assert (Verb.WRITE, Reach.PROJECT, True, frozenset()) == (
        op.verb, op.reach, op.reversible, op.traits,
    )  # fmt: skip


def test_without_version_control_a_write_is_not_reversible() -> None:
    """What no repository holds cannot be brought back."""
    place = Place(cwd=PROJECT, home="/home/dev", project=PROJECT, under_version_control=False)
    action = Action(tool="Write", arguments={"file_path": "a.py", "content": "x"})
    assert not understand_file_tool(action, place)[0].reversible


@pytest.mark.parametrize("path", ["/home/dev/.ssh/id_rsa", ".env", "/etc/shadow"])
def test_reading_a_secret_is_told(path: str) -> None:
    """Reading credentials carries the trait."""
    (op,) = _all("Read", file_path=path)
    assert Trait.READS_SECRET in op.traits


def test_searching_in_keys_reads_them() -> None:
    """A content search in a folder of keys reads secrets; listing it does not."""
    told = [_all(tool, path="~/.ssh", pattern="x*")[0] for tool in ("Grep", "Glob")]
    assert [Trait.READS_SECRET in op.traits for op in told] == [True, False]


def test_a_login_key_is_a_way_in() -> None:
    """Writing authorized keys is a backdoor."""
    assert (
        Trait.BACKDOOR in _all("Write", file_path="~/.ssh/authorized_keys", content="k")[0].traits
    )


def test_every_edit_of_several_counts() -> None:
    """The second file of a multi-edit is seen."""
    edits: Json = [
        {"file_path": "README.md", "old_string": "a", "new_string": "b"},
        {"file_path": ".claude/settings.json", "old_string": "a", "new_string": "b"},
    ]
    assert FileKind.AGENT_CONFIG in {op.file_kind for op in _all("MultiEdit", edits=edits)}


def test_a_patch_names_its_files() -> None:
    """Added, deleted and moved files of a patch are operations."""
    patch = (
        "*** Begin Patch\n*** Add File: src/n.py\n+x = 1\n*** Delete File: old.py\n"
        "*** Update File: a.py\n*** Move to: ../b.py\n-x\n+y\n*** End Patch"
    )
    told = [(op.verb, op.path) for op in _all("apply_patch", input=patch)]
    assert [
        (Verb.WRITE, f"{PROJECT}/src/n.py"),
        (Verb.DELETE, f"{PROJECT}/old.py"),
        (Verb.WRITE, f"{PROJECT}/a.py"),
        (Verb.WRITE, "/home/dev/b.py"),
    ] == told


def test_a_unified_diff_names_its_files() -> None:
    """A plain diff is read too."""
    diff = "--- a/src/x.py\n+++ b/src/x.py\n@@ -1 +1 @@\n-a\n+get(u, verify=False)\n"
    assert any(Trait.WEAKENS in op.traits for op in _all("apply_patch", patch=diff))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"content": "x"}),
        ("Read", {}),
        ("apply_patch", {"input": "nothing of a patch"}),
        ("str_replace_based_edit_tool", {"command": "explode", "path": "a"}),
    ],
)
def test_what_cannot_be_read_is_not_understood(tool: str, arguments: dict[str, Json]) -> None:
    """A call without a path or a readable patch is not understood."""
    assert not _all(tool, **arguments)[0].understood


def test_deleting_the_project_is_broad() -> None:
    """Deleting a root of a reach is broad and recursive."""
    (op,) = _all("delete_file", path=".")
    assert {Trait.BROAD, Trait.RECURSIVE} <= op.traits


def test_moving_names_both_ends() -> None:
    """Source and destination of a move are both changed."""
    paths = {op.path for op in _all("move_file", source="a.py", destination="~/.bashrc")}
    assert {f"{PROJECT}/a.py", "/home/dev/.bashrc"} == paths


def test_a_hard_link_is_not_understood() -> None:
    """A file with another name may be any file."""
    facts = {"a.txt": FileFact(real_path=f"{PROJECT}/a.txt", link_count=2)}
    place = Place(cwd=PROJECT, home="/home/dev", project=PROJECT, files=facts)
    action = Action(tool="Write", arguments={"file_path": "a.txt", "content": "x"})
    assert not understand_file_tool(action, place)[0].understood


def test_content_under_an_unknown_name_is_examined() -> None:
    """New content counts whatever its argument is called."""
    told = _all("write_file", path="src/a.py", blob="requests.get(u, verify=False)")
    assert any(Trait.WEAKENS in op.traits for op in told)
