"""What an agent is told to do instead is milder than what was refused, and no way around."""

from __future__ import annotations

import json

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.assess.advice import LINES, TABLE, advice_of
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.detectors.registry import OPERATION_DETECTORS
from signoff.assess.rules.rule import RuleSet
from signoff.assess.safe_forms.safe_form import SafeForm

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)


def assessed(command: str) -> Assessment:
    """Judge a shell line without any rules."""
    return JUDGE(shell_call(command), Facts())


def judged(row: SafeForm) -> Assessment:
    """Judge the example of a row: a shell line, or a tool that is called."""
    if not row.is_called:
        return assessed(row.example)
    tool, _, given = row.example.partition(" ")
    return JUDGE(Action(tool=tool, arguments=json.loads(given or '{"id": "x"}')), Facts())


def is_narrow(row: SafeForm) -> bool:
    """Return whether a row is for some calls of its lines only."""
    return bool(row.verbs or row.things or row.is_called or row.programs)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.says)
def test_the_example_has_the_finding_and_its_advice(row: SafeForm) -> None:
    """So a row that no call can lead to is found."""
    found = judged(row)

    assert {one.category for one in found.findings} & set(row.lines.split())
    assert advice_of(found.findings, found.operations) in {
        row.says,
        *[row.said_of(op) for op in found.operations],
    }


@pytest.mark.parametrize(
    ("row", "safer"),
    [pytest.param(row, line, id=f"{row.says}: {line}") for row in TABLE for line in row.safer],
)
def test_each_safer_command_is_milder_than_the_example(row: SafeForm, safer: str) -> None:
    """By verdict and by threat."""
    mild, refused = assessed(safer), assessed(row.example)

    assert mild.preliminary.severity < refused.preliminary.severity
    assert mild.threat.score < refused.threat.score


def test_every_line_is_a_policy_line() -> None:
    """And each has a row for every kind of call that has no row of its own."""
    known = {f"{one.id}.{line}" for one in OPERATION_DETECTORS for line in one.lines.split()}

    assert set() == set(LINES) - known
    general = [row for row in TABLE if not is_narrow(row)]
    lines = [line for row in general for line in row.lines.split()]
    assert sorted(LINES) == sorted(lines)


@pytest.mark.parametrize("name", ["self-protection", "defence-tampering", "workaround"])
def test_nobody_is_told_how_to_get_around_the_guard(name: str) -> None:
    """What protects has no safe form."""
    assert not [line for line in LINES if line.startswith(f"{name}.")]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.lines.split()[0])
def test_advice_is_one_short_sentence(row: SafeForm) -> None:
    """That follows `Instead: `."""
    assert len(row.says) <= 100
    assert row.says[0].islower()
    assert not row.says.endswith(".")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.says)
def test_what_a_tool_is_told_names_no_command(row: SafeForm) -> None:
    """Whoever calls a tool may have no shell; files may be named."""
    says = row.says.replace("`.env`", "").replace("`.env.example`", "")

    assert row.is_shell == ("`" in says or "dry run" in says or "write out in full" in says)


def test_a_payout_is_not_told_to_list_what_would_be_deleted() -> None:
    """The loss of a call that deletes nothing is another one."""
    call = Action(
        tool="mcp__hr__approve_raises", arguments={"environment": "production", "all": True}
    )
    found = JUDGE(call, Facts())

    assert "deleted" not in advice_of(found.findings, found.operations)


def test_a_tool_without_a_server_is_told_no_shell_line() -> None:
    """Its call says what it does, although its name is no MCP name."""
    call = Action(tool="assign_role", arguments={"user": "bob", "role": "admin"})
    found = JUDGE(call, Facts())

    assert "sudo" not in advice_of(found.findings, found.operations)


def test_what_the_words_of_a_call_add_leaves_the_advice() -> None:
    """The other finding says what is done."""
    judged = assessed("pbxctl recordings purge --all-tenants --no-archive --force --env production")

    assert judged.findings[-1].detector == "call-classifier"
    assert advice_of(judged.findings, judged.operations).startswith("show what would be deleted")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("git branch -D feature/login", "`git branch feature/login-backup feature/login`"),
        ("git branch -D a b", "`git branch a-backup a`"),
        ("git branch -f main HEAD~3", "`git branch main-backup main`"),
        ("git branch -C old new", "`git branch new-backup new`"),
        ('git branch -D "$OLD"', "`git branch old-backup old`"),
        ("git branch -D 'x;y'", "`git branch old-backup old`"),
        ("docker system prune -f", "`docker system df -v`"),
        ("podman system prune -af --volumes", "`podman system df -v`"),
        ("podman volume prune", "`podman volume ls`"),
        ("docker compose down -v", "`docker volume ls`"),
    ],
)
def test_advice_names_what_the_call_names(command: str, told: str) -> None:
    """A command of the advice runs as it stands, and keeps what the call would lose."""
    found = assessed(command)

    assert told in advice_of(found.findings, found.operations)


@pytest.mark.parametrize("command", ["git stash drop", "git worktree remove --force ../old"])
def test_what_a_stash_cannot_keep_is_not_stashed(command: str) -> None:
    """`git stash push` keeps the changes of this working tree, and nothing else."""
    found = assessed(command)

    assert "git stash push" not in advice_of(found.findings, found.operations)


def test_nothing_found_gives_no_advice() -> None:
    """An empty list is no row."""
    assert advice_of(()) == ""


def test_facts_that_make_it_worse_leave_the_advice() -> None:
    """What is done has a safe form, whatever else is known of it."""
    judged = assessed("kubectl delete constrainttemplates --all")
    found = judged.findings

    assert found[0].detector != found[-1].detector
    assert advice_of(found, judged.operations).startswith("show what would be deleted")


@pytest.mark.parametrize(
    ("tool", "unfit"),
    [("mcp__kb__update_page", "terraform"), ("grant_admin", "chmod"), ("delete_user", "command")],
)
def test_a_tool_is_not_told_a_shell_line(tool: str, unfit: str) -> None:
    """What it can do instead is no command of a program."""
    is_tool = tool.startswith("mcp__")
    kind = ActionKind.TOOL if is_tool else ActionKind.FUNCTION
    found = JUDGE(Action(tool=tool, kind=kind, arguments={"user": "bob"}), Facts())

    assert (said := advice_of(found.findings, found.operations))
    assert unfit not in said
