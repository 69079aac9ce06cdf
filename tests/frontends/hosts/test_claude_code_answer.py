"""What Claude Code is told, and what it is not told."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Operations, Verb
from signoff.actions.understand import understand
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.decide.decision import BY_RULE, BY_SCORE, Decision
from signoff.frontends.hosts.claude_code.adapter import ADAPTER, preceded
from signoff.settings import HostsAllow
from signoff.testing import FakeAssessment
from signoff.values import replace

NO_DECISION = "{}"
ACTION = Action(tool="Bash", arguments={"command": "ls"})
READ = Operation(verb=Verb.READ)
OPAQUE = Operation(verb=Verb.EXECUTE, understood=False, why="eval of unknown text")


def decision(
    verdict: Verdict,
    *operations: Operation,
    decided_by: str = BY_SCORE,
    reason: str = "reads the project",
) -> Decision:
    """Build a decision over these operations."""
    return Decision(
        action=ACTION,
        verdict=verdict,
        decided_by=decided_by,
        reason=reason,
        level=Level.LOW,
        challenge=Challenge.AUTO_APPROVE,
        digest="",
        assessment=FakeAssessment(action=ACTION, operations=operations),
    )


def answer(told: Decision, hosts_allow: HostsAllow) -> str:
    """Return what the hook prints."""
    return ADAPTER.render(told, hosts_allow).stdout


def said(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what an answer says to the event."""
    return json.loads(text)["hookSpecificOutput"]


@pytest.mark.parametrize("verdict", Verdict)
def test_each_verdict_has_its_form(verdict: Verdict) -> None:
    """Allow, ask and deny are told in the host's words, with the reason."""
    assert said(answer(decision(verdict, READ), HostsAllow.SCORE)) == {
        "hookEventName": "PreToolUse",
        "permissionDecision": verdict.value,
        "permissionDecisionReason": "signoff: reads the project",
    }


@pytest.mark.parametrize(
    ("tell", "decided_by", "operations", "told"),
    [
        (HostsAllow.SCORE, BY_SCORE, (READ,), True),
        (HostsAllow.SCORE, BY_SCORE, (READ, OPAQUE), False),
        (HostsAllow.SCORE, BY_SCORE, (), False),
        (HostsAllow.SCORE, BY_RULE, (OPAQUE,), True),
        (HostsAllow.RULE, BY_SCORE, (READ,), False),
        (HostsAllow.RULE, BY_RULE, (READ,), True),
        (HostsAllow.RULE, "telegram", (OPAQUE,), True),
        (HostsAllow.NEVER, BY_RULE, (READ,), False),
    ],
)
def test_which_allows_are_told(
    tell: HostsAllow, decided_by: str, operations: Operations, *, told: bool
) -> None:
    """The setting says which allows keep the host from asking again."""
    allowed = decision(Verdict.ALLOW, *operations, decided_by=decided_by)

    assert (answer(allowed, tell) != NO_DECISION) == told


@pytest.mark.parametrize("tell", HostsAllow)
@pytest.mark.parametrize("verdict", [Verdict.ASK, Verdict.DENY])
def test_no_setting_keeps_a_refusal_from_the_host(tell: HostsAllow, verdict: Verdict) -> None:
    """Asks and denies are always told."""
    text = answer(decision(verdict, OPAQUE), tell)

    assert said(text)["permissionDecision"] == verdict.value


def test_a_reason_cannot_forge_the_prompt() -> None:
    """Escape sequences in a reason are spelled, an endless one says how much is missing."""
    forged = decision(Verdict.ASK, READ, reason="\x1b[2J" + "x" * 5000)
    reason = said(answer(forged, HostsAllow.SCORE))["permissionDecisionReason"]

    assert reason.startswith("signoff: \\u{1B}[2J")
    assert reason.endswith("more characters]")
    assert len(reason) < 4_100


def test_what_people_approved_is_preceded_by_the_last_look() -> None:
    """In the whole input; the command itself stays, for the host's own rules to see."""
    action = Action(
        tool="Bash",
        arguments={"command": "git push\necho 'a b'", "timeout": 9},
        description="Pushes",
    )
    approved = Answer(
        verdict=Verdict.ALLOW, decided_by="web", request_id="9f", has_execution_token=True
    )
    told = said(
        answer(
            replace(decision(Verdict.ALLOW, READ), action=action, answer=approved), HostsAllow.SCORE
        )
    )

    look, _, command = told["updatedInput"].pop("command").partition("\n")
    assert shlex.split(look)[1:] == ["-I", "-m", "signoff", "exec", "9f", "||", "exit", "126"]
    assert os.path.isabs(shlex.split(look)[0])
    assert command == "git push\necho 'a b'"
    assert told["updatedInput"] == {"timeout": 9, "description": "Pushes"}


def test_without_a_slip_the_input_stays_as_it_is() -> None:
    """And so it does where a slip was left for what is then refused."""
    plain = Answer(verdict=Verdict.ALLOW, decided_by="web", request_id="9f")
    slip = replace(plain, has_execution_token=True)
    decisions = (
        replace(decision(Verdict.ALLOW, READ), answer=plain),
        replace(decision(Verdict.DENY), answer=slip),
    )

    assert ["updatedInput" in said(answer(one, HostsAllow.SCORE)) for one in decisions] == [
        False,
        False,
    ]


@pytest.mark.parametrize(
    "line", ["rm -rf ~", "cat <<'E'\nexit 126\nE\ngit push -f", "# x\nsudo reboot", "x=1; eval $y"]
)
def test_the_look_hides_nothing_of_the_command(line: str) -> None:
    """Whoever judges the line the host is given finds all that the command would do."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    given = replace(action, arguments=preceded(action, "9f"))
    bare, whole = (
        {(op.verb, op.target, op.program) for op in understand(one, Facts()).operations}
        for one in (action, given)
    )

    assert bare <= whole
