"""The last look: what people approved is looked at again where it is about to run, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.challenge.answer import Answer
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.people.recheck import Here, PreExecutionRecheck
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.request import Request
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.storage.approvals.execution_tokens import SqliteExecutionTokens
from signoff.storage.bindings.operands import operands_of
from signoff.sync import run_now
from signoff.testing import FakeAssessment, InMemoryApprovals, make_response
from signoff.values import replace

LINE = "./tool"
QUIET = ApprovalPlan(channels=(ChannelTerms(name="fake"),), review_s={}, proof_review_s={})


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Give everything people are asked with; files are looked at."""
    return InMemoryApprovals(plan=QUIET, operands=operands_of)


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """Give a program in the folder of the call."""
    path = tmp_path / "tool"
    path.write_text("#!/bin/sh\necho tool\n")
    path.chmod(0o755)
    return path


def approved(
    approvals: InMemoryApprovals,
    folder: Path,
    *,
    host: str = "claude-code",
    tool: str = "Bash",
    has_slips: bool = True,
) -> tuple[PendingRequest, Answer]:
    """Let somebody approve a call, and use the approval up, as the hook does."""
    action = Action(
        tool=tool, arguments={"command": LINE}, cwd=str(folder), session="s1", source=host
    )
    request = Request(action=action, assessment=FakeAssessment(action=action))

    async def both() -> Answer:
        execution_tokens = SqliteExecutionTokens(approvals.database) if has_slips else None
        asked = asyncio.create_task(
            replace(approvals.asking(), execution_tokens=execution_tokens).ask(request)
        )
        while not approvals.channel.announced:
            await asyncio.sleep(0.002)
        await approvals.approval_service.answer(make_response(approvals.channel.announced[-1]))
        answer = await asked
        assert answer is not None
        return answer

    answer = asyncio.run(both())
    return approvals.channel.announced[-1], answer


def look(approvals: InMemoryApprovals, id: str, here: Here) -> str:
    """Look once more."""
    last = PreExecutionRecheck(
        store=approvals.store,
        execution_tokens=SqliteExecutionTokens(approvals.database),
        seal=approvals.seal,
        operands=approvals.operands,
    )
    return run_now(last.why_not(id, here))


def here(folder: Path, *, session: str = "s1") -> Here:
    """Return the place the call was approved for."""
    return Here(cwd=str(folder), session=session)


def test_what_was_approved_may_run_once(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """The second look says no, whoever takes it."""
    pending, answer = approved(approvals, tmp_path)

    said = [look(approvals, pending.id, here(tmp_path)) for _ in range(2)]

    assert answer.has_execution_token
    assert said == ["", "it was looked at before: an approval is for one run"]


def test_seals_are_checked_beside_the_loop(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash of a typed code is slow, and every other call would wait for it."""
    pending, _ = approved(approvals, tmp_path)
    holds, has_loop = Seal.holds, []

    def noted(seal: Seal, one: PendingRequest) -> bool:
        has_loop.append(asyncio._get_running_loop() is not None)
        return holds(seal, one)

    monkeypatch.setattr(Seal, "holds", noted)

    assert "" == look(approvals, pending.id, here(tmp_path))
    assert [False] == has_loop


def rewritten(tool: Path) -> None:
    """Write something else into the program."""
    tool.write_text("#!/bin/sh\nrm -rf ~\n")


def closed(tool: Path) -> None:
    """Take the right to start it away."""
    tool.chmod(0o600)


def turned(tool: Path) -> None:
    """Turn it into a link."""
    tool.rename(tool.with_name("other"))
    tool.symlink_to("other")


@pytest.mark.parametrize("change", [rewritten, closed, turned, Path.unlink])
def test_what_changes_after_the_hook_has_answered_does_not_run(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path, change: Callable[[Path], None]
) -> None:
    """And the call is noted as failed."""
    pending, _ = approved(approvals, tmp_path)
    change(tool)

    said = look(approvals, pending.id, here(tmp_path))
    found = run_now(approvals.store.get(pending.id))

    assert "has changed since it was approved" in said
    assert found is not None
    assert found.state is RequestState.FAILED


def test_another_place_or_session_is_another_run(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """And does not use the look up."""
    pending, _ = approved(approvals, tmp_path)
    (tmp_path / "sub").mkdir()
    others = (here(tmp_path / "sub"), here(tmp_path, session="s2"), here(tmp_path, session=""))

    said = [look(approvals, pending.id, other) for other in others]

    assert said == [
        "it was approved in another folder",
        "it was approved in another session",
        "it was approved in another session",
    ]
    assert look(approvals, pending.id, here(tmp_path)) == ""


def test_an_approval_is_not_kept_for_later(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """It runs soon after it was let go, or not at all."""
    pending, _ = approved(approvals, tmp_path)
    approvals.clock.pass_(61)

    assert look(approvals, pending.id, here(tmp_path)) == "it was let go too long ago"


def test_what_was_never_approved_does_not_run(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """Neither an unknown id nor a request that waits."""
    action = Action(
        tool="Bash", arguments={"command": LINE}, cwd=str(tmp_path), session="s1", source="x"
    )
    approvals.ask(Request(action=action, assessment=FakeAssessment(action=action)))
    waiting = approvals.channel.announced[-1].id

    assert look(approvals, "0" * 32, here(tmp_path)) == "there is no such request"
    assert "it is pending" in look(approvals, waiting, here(tmp_path))


def test_a_row_that_says_executing_runs_nothing(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """T-43: the seal of the approval service is checked here as well."""
    pending, _ = approved(approvals, tmp_path)
    with approvals.database.writing() as db:
        db.execute("UPDATE given SET seal = 'x'")

    assert "was not approved" in look(approvals, pending.id, here(tmp_path))


def test_what_a_restart_left_uncertain_does_not_run(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """T-48: it may have run already."""
    pending, _ = approved(approvals, tmp_path)
    run_now(approvals.store.recover())

    assert "it is uncertain" in look(approvals, pending.id, here(tmp_path))


@pytest.mark.parametrize(
    ("host", "tool_name", "has_slips"),
    [("codex", "Bash", True), ("claude-code", "Write", True), ("claude-code", "Bash", False)],
)
def test_only_where_it_can_be_put_before_a_call_a_look_is_wanted(
    approvals: InMemoryApprovals,
    tmp_path: Path,
    tool: Path,
    host: str,
    tool_name: str,
    has_slips: object,
) -> None:
    """Elsewhere the hook's own look is the last one."""
    _, answer = approved(approvals, tmp_path, host=host, tool=tool_name, has_slips=bool(has_slips))

    assert not answer.has_execution_token


def test_two_looks_at_once_are_one_yes(
    approvals: InMemoryApprovals, tmp_path: Path, tool: Path
) -> None:
    """T-32: one of them is told so."""
    pending, _ = approved(approvals, tmp_path)
    execution_tokens = SqliteExecutionTokens(approvals.database)

    async def both() -> list[str]:
        takes = [asyncio.to_thread(execution_tokens.take, pending.id) for _ in range(8)]
        return await asyncio.gather(*takes)

    assert [bool(files) for files in sorted(asyncio.run(both()))] == [False] * 7 + [True]
