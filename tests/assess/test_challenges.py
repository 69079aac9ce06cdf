"""The proof an approval takes: the most specific one that is said, never a lighter CRITICAL."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.challenges import AskedCall, ChallengeMap, ChosenProof
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Challenge, Level
from signoff.assess.pack import AdjustedPack
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict

CONFIRM, QUIZ, TEACH_BACK, MULTI = (
    Challenge.CONFIRM,
    Challenge.QUIZ,
    Challenge.TEACH_BACK,
    Challenge.MULTI_PARTY,
)
FORCED = "git push --force"  # destructive.history and remote-change.forced-push, HIGH


def judged(line: str, **said: ChallengeMap) -> Assessment:
    judge = Judge(rules=RuleSet, policy=AdjustedPack(**said))  # type: ignore[arg-type] # maps only
    return judge(Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/p"), Facts())


def finding(category: str, severity: Severity = Severity.HIGH) -> Finding:
    return Finding(detector=category.partition(".")[0], category=category, severity=severity)


def call(*found: str, tool: str = "Bash", level: Level = Level.HIGH, rule: str = "") -> AskedCall:
    findings = tuple(finding(category) for category in found)
    return AskedCall(tool, ActionKind.TOOL, level, findings, rule)


def test_nothing_said_is_the_proof_of_the_level() -> None:
    """MEDIUM takes a confirmation, HIGH a quiz; the answer says why."""
    assert (QUIZ, "level high") == (judged(FORCED).challenge, judged(FORCED).proof_because)
    assert CONFIRM is judged("git reset --hard").challenge


def test_a_level_a_tool_and_a_line_are_each_more_specific() -> None:
    """Each next one holds against those before it, up and down."""
    said = ChallengeMap(
        levels={Level.HIGH: TEACH_BACK},
        tools={"Bash": CONFIRM},
        lines={"destructive.history": QUIZ},
    )

    assert TEACH_BACK is said.proof(call("destructive.rows", tool="Write")).challenge
    assert CONFIRM is said.proof(call("destructive.rows")).challenge
    assert (QUIZ, "approval.challenges.lines `destructive.history`") == said.proof(
        call("destructive.history")
    )


def test_what_nothing_is_said_of_keeps_its_proof() -> None:
    """A lighter proof for one finding is none for another one in the same call."""
    said = ChallengeMap(lines={"destructive.history": CONFIRM})

    assert CONFIRM is said.proof(call("destructive.history")).challenge
    assert QUIZ is said.proof(call("destructive.history", "opaque.not-understood")).challenge
    assert QUIZ is judged(FORCED, challenges=said).challenge


def test_the_stronger_of_equals_holds() -> None:
    """Two lines of one call, and two patterns of one tool."""
    said = ChallengeMap(
        lines={"destructive": CONFIRM, "destructive.history": TEACH_BACK, "remote-change": QUIZ},
        tools={"mcp__*": QUIZ, "mcp__stripe__*": MULTI, "mcp__stripe__list": CONFIRM},
    )

    assert TEACH_BACK is judged(FORCED, challenges=said).challenge
    assert MULTI is said.proof(call(tool="mcp__stripe__pay")).challenge
    assert CONFIRM is said.proof(call(tool="mcp__stripe__list")).challenge


def test_a_function_holds_before_all_else() -> None:
    """And is no tool of the same name."""
    said = ChallengeMap(functions={"delete_user": TEACH_BACK}, levels={Level.HIGH: CONFIRM})
    named = AskedCall("delete_user", ActionKind.FUNCTION, Level.HIGH)

    assert TEACH_BACK is said.proof(named).challenge
    assert CONFIRM is said.proof(named._replace(kind=ActionKind.TOOL)).challenge


def test_a_rule_by_its_name() -> None:
    """The rule that asks has its proof."""
    said = ChallengeMap(rules={"deploys": TEACH_BACK})

    assert TEACH_BACK is said.proof(call(rule="deploys", level=Level.MEDIUM)).challenge
    assert CONFIRM is said.proof(call(rule="others", level=Level.MEDIUM)).challenge


@pytest.mark.parametrize(
    "said",
    [
        ChallengeMap(tools={"Bash": CONFIRM}),
        ChallengeMap(lines={"destructive": CONFIRM}),
        ChallengeMap(levels={Level.CRITICAL: CONFIRM}),
        ChallengeMap(rules={"all": CONFIRM}),
        ChallengeMap(functions={"Bash": CONFIRM}),
    ],
)
def test_critical_keeps_its_proof(said: ChallengeMap) -> None:
    """Whatever is said."""
    for kind in (ActionKind.TOOL, ActionKind.FUNCTION):
        critical = AskedCall("Bash", kind, Level.CRITICAL, (finding("destructive.disk"),), "all")
        assert ChosenProof(MULTI, "level critical") == said.proof(critical)


def test_a_critical_line_moved_to_ask_keeps_its_proof() -> None:
    """In a whole judgement as well."""
    found = Judge(
        rules=RuleSet,
        policy=AdjustedPack(
            lines={"destructive": Verdict.ASK},
            challenges=ChallengeMap(lines={"destructive": CONFIRM}, tools={"Bash": CONFIRM}),
        ),
    )(Action(tool="Bash", arguments={"command": "rm -rf ~"}, cwd="/home/dev/p"), Facts())

    assert (Verdict.ASK, MULTI) == (found.preliminary, found.challenge)


def test_a_project_only_makes_a_proof_stronger() -> None:
    """What it says lighter changes nothing."""
    mine = ChallengeMap(tools={"Bash": QUIZ})
    lighter = ChallengeMap(tools={"Bash": CONFIRM}, lines={"destructive": CONFIRM})
    heavier = ChallengeMap(tools={"Bash": TEACH_BACK})

    assert QUIZ is judged(FORCED, challenges=mine, stronger_challenges=lighter).challenge
    assert TEACH_BACK is judged(FORCED, challenges=mine, stronger_challenges=heavier).challenge


def test_what_is_let_through_takes_no_proof() -> None:
    """A proof for a tool asks about nothing."""
    found = judged("ls", challenges=ChallengeMap(tools={"Bash": TEACH_BACK}))

    assert (Verdict.ALLOW, Challenge.AUTO_APPROVE) == (found.preliminary, found.challenge)


def test_approvals_are_bound_to_the_proofs_in_force() -> None:
    """The policy digest changes with them; without any it is as it was."""
    said = ChallengeMap(tools={"Bash": CONFIRM})
    digests = {
        judged(FORCED).policy_digest,
        judged(FORCED, challenges=said).policy_digest,
        judged(FORCED, stronger_challenges=said).policy_digest,
    }

    assert 3 == len(digests)
