"""Proposals from what people approved, and rules that come and go with what they answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from recorded import LearningHome

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, build_rules
from signoff.errors import StoreError
from signoff.frontends.learning.asked_calls import AskedCalls, policy_hits
from signoff.frontends.learning.formatting import learning_lines, proposal_lines
from signoff.frontends.learning.service import NotLearned, backtested
from signoff.settings import tightened

PUSH = "git push --force-with-lease origin topic"


@pytest.fixture
def at(tmp_path: Path) -> LearningHome:
    """Return a home with an empty audit log."""
    return LearningHome(tmp_path)


def judged(at: LearningHome, command: str, project: str = "") -> Assessed:
    """Judge a line in a project as the daemon does now."""
    root = project or at.project
    settings = tightened(at.settings, root)
    judge = build_judge(settings, rules=build_rules(settings))
    action = Action(tool="Bash", arguments={"command": command}, cwd=root, session="s9")
    return judge(action, Facts(home=str(at.home), project=root))


def test_three_equal_approvals_are_proposed_and_accepted(at: LearningHome) -> None:
    """The rule lets through what was approved, in this project, and nothing else."""
    at.record(*(at.asked(PUSH, session=f"s{n}") for n in range(3)))
    learning = at.learning()
    (proposal,) = learning.look().proposals
    assert (3, ("ada",), 3, 3) == (
        proposal.approvals,
        proposal.people,
        proposal.sessions,
        proposal.silenced,
    )

    words = learning.accept(proposal.id, by="ada (web)")

    assert [words] == at.told
    assert Verdict.ALLOW is judged(at, PUSH).preliminary
    others = (PUSH.replace("topic", "main"), f"{PUSH} --tags", PUSH.replace("-with-lease", ""))
    assert [Verdict.ASK] * 3 == [judged(at, one).preliminary for one in others]
    assert Verdict.ASK is judged(at, PUSH, str(at.home / "other")).preliminary
    assert () == at.learning().look().proposals
    assert "accepted by ada (web)" in at.rules.read_text()


def test_an_entry_that_cannot_be_read_counts_no_other_twice(at: LearningHome) -> None:
    """One approval stays one, however often it is looked at."""
    at.record(at.asked(PUSH), {"ts": 1})
    learning = at.learning()
    for _ in range(3):
        with pytest.raises(StoreError, match="entry 2 is no decision"):
            learning.look()
    with pytest.raises(StoreError, match="entry 2 is no decision"):
        policy_hits(at.store.entries())
    calls = AskedCalls(at.store, at.settings)
    for _ in range(3):
        with pytest.raises(StoreError):
            calls.refresh()
    assert 1 == len(calls.listed())


def test_two_approvals_are_too_few(at: LearningHome) -> None:
    """Nothing is proposed."""
    at.record(*(at.asked(PUSH) for _ in range(2)))
    assert () == at.learning().look().proposals


@pytest.mark.parametrize(
    "decided",
    [{"decided_by": "grant"}, {"decided_by": "nap"}, {"decided_by": "llm"}, {"approver": ""}],
)
def test_only_answers_of_people_count(at: LearningHome, decided: dict[str, Any]) -> None:
    """A grant, a nap or a model is no approval of a person."""
    at.record(*(at.asked(PUSH, **decided) for _ in range(4)))
    assert () == at.learning().look().proposals


def test_what_a_person_refused_once_is_never_proposed(at: LearningHome) -> None:
    """However often it was approved."""
    at.record(*(at.asked(PUSH) for _ in range(5)), at.asked(PUSH, verdict="deny"))
    view = at.learning().look()
    assert () == view.proposals
    assert view.refused


def test_a_word_that_differs_is_left_open_after_three_values(at: LearningHome) -> None:
    """Branches differ, the remote does not."""
    at.record(*(at.asked(PUSH.replace("topic", f"topic-{n}")) for n in range(3)))
    (proposal,) = at.learning().look().proposals
    assert ("git push --force-with-lease origin [a-zA-Z0-9]* $",) == proposal.rule.commands

    at.learning().accept(proposal.id, by="ada")

    assert Verdict.ALLOW is judged(at, PUSH.replace("topic", "another")).preliminary
    # Another kind of word, protected branches, another repository.
    words = ("main", "x:main", "--all")
    others = [PUSH.replace("topic", one) for one in words]
    others.append(PUSH.replace("origin", "https://x.example/y"))
    assert [Verdict.ASK] * 4 == [judged(at, one).preliminary for one in others]
    assert Verdict.DENY is judged(at, PUSH.replace("topic", "+main")).preliminary


NEVER = [
    "bash deploy.sh --now",
    "python3 -c 'import os; os.remove(\"x\")'",
    "sudo apt-get install jq",
    "env FOO=1 ./tool --frob",
    "frobnicate --all",
    "xargs rm < list",
    "ssh prod systemctl restart web",
    "docker exec web sh -c 'rm x'",
    "signoff approve req_1",
    "npx some-tool",
    "kubectl delete ns prod --all",
    "psql -c 'drop table users' production",
]


@pytest.mark.parametrize("command", NEVER)
def test_what_runs_others_is_opaque_or_critical_is_never_learned(
    at: LearningHome, command: str
) -> None:
    """Shells, interpreters, wrapper commands, unknown programs, CRITICAL, signoff itself."""
    at.record(*(at.asked(command) for _ in range(6)))
    view = at.learning().look()
    assert () == view.proposals
    assert view.never


def test_secrets_in_a_call_are_never_learned(at: LearningHome) -> None:
    """Where a mask stands the call itself is not known."""
    line = "curl -X POST -H 'x: hmac:0123456789abcdef' https://api.example.com/x -d a=1"
    at.record(*(at.asked(line) for _ in range(4)))
    assert () == at.learning().look().proposals


def test_other_tools_are_learned_by_their_target(at: LearningHome) -> None:
    """The same channel, whatever the text; another one is asked about."""
    messages = [{"channel": "builds", "text": f"build {n} is green"} for n in range(3)]
    at.record(*(at.asked_about("mcp__slack__post_message", one) for one in messages))
    (proposal,) = at.learning().look().proposals

    at.learning().accept(proposal.id, by="ada")

    settings = tightened(at.settings, at.project)
    judge = build_judge(settings, rules=build_rules(settings))
    found = [
        judge(
            Action(
                tool="mcp__slack__post_message",
                arguments={"channel": channel, "text": "hi"},
                cwd=at.project,
            ),
            Facts(home=str(at.home), project=at.project),
        ).preliminary
        for channel in ("builds", "customers")
    ]
    assert [Verdict.ALLOW, Verdict.ASK] == found


def test_a_rule_ends(at: LearningHome) -> None:
    """After its last day it lets nothing through, and is shown as ended."""
    at.record(*(at.asked(PUSH) for _ in range(3)))
    learning = at.learning()
    learning.accept(learning.look().proposals[0].id, by="ada", days=1)
    text = at.rules.read_text()
    last = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
    assert f"expires: {last}" in text

    at.rules.write_text(text.replace(last, "2020-01-01"))

    assert Verdict.ASK is judged(at, PUSH).preliminary
    assert [True] == [one.is_over for one in at.learning().look().rules]


@pytest.mark.parametrize("days", [0, 31, 4_000])
def test_no_rule_holds_longer_than_thirty_days(at: LearningHome, days: int) -> None:
    """The time is refused."""
    at.record(*(at.asked(PUSH) for _ in range(3)))
    learning = at.learning()
    with pytest.raises(NotLearned, match="1 to 30 days"):
        learning.accept(learning.look().proposals[0].id, by="ada", days=days)


def test_unused_rules_are_shown_until_they_are_used(at: LearningHome) -> None:
    """Uses are counted in the audit log."""
    at.record(*(at.asked(PUSH) for _ in range(3)))
    learning = at.learning()
    learning.accept(learning.look().proposals[0].id, by="ada")
    (unused,) = learning.look().rules
    used = {"leaning": "allow", "decided_by": "rule", "approver": "", "rule": unused.rule.name}
    at.record(at.asked(PUSH, **used))

    (rule,) = learning.look().rules

    assert (True, False, 1) == (unused.is_unused, rule.is_unused, rule.use.count)
    assert any("used 1 time" in line for line in learning_lines(learning.look()))


def test_a_proposal_can_be_dismissed_and_a_rule_removed(at: LearningHome) -> None:
    """Neither comes back by itself."""
    at.record(*(at.asked(PUSH) for _ in range(3)), *(at.asked("docker push me/app:1"),) * 3)
    learning = at.learning()
    first, second = learning.look().proposals
    learning.dismiss(first.id, by="ada")
    learning.accept(second.id, by="ada")
    learning.remove(second.rule.name, by="ada")

    view = at.learning().look()

    assert ((), ()) == (view.proposals, view.rules)
    assert [second.rule.name] == [one.name for one in view.state.withdrawn]


def test_what_is_proposed_to_nobody_is_not_accepted(at: LearningHome) -> None:
    """An id that names no proposal now is refused."""
    with pytest.raises(NotLearned, match="no proposal `prop_00000000`"):
        at.learning().accept("prop_00000000", by="ada")


def test_the_backtest_of_a_proposal_is_that_of_replay(at: LearningHome) -> None:
    """It judges the whole log with the rule and without."""
    at.record(*(at.asked(PUSH) for _ in range(3)), at.asked("git status", leaning="allow"))
    (proposal,) = at.learning().look().proposals

    result = backtested(at.settings, proposal.rule, jobs=1)

    assert (4, {"ask -> allow": 3}, ()) == (result.calls, result.moved, result.overruled)
    assert any("expires: " in line for line in proposal_lines(proposal))


def test_comments_on_pull_requests_are_learned_with_any_text(at: LearningHome) -> None:
    """Of this repository, by this sub-command; an upload or another repository is asked about."""
    texts = ["Done in 1a2b3c.", "Fixed:\n- a\n- b", "looks good to me"]
    lines = [f"gh pr comment {n} --body '{text}'" for n, text in enumerate(texts, start=7)]
    at.record(*map(at.asked, lines))
    (proposal,) = at.learning().look().proposals

    at.learning().accept(proposal.id, by="ada")

    assert Verdict.ALLOW is judged(at, "gh pr comment 12 --body 'All tests pass.'").preliminary
    others = ("gh pr close 12 --comment 'no'", "gh pr comment 1 --body x --repo other/repo")
    assert [Verdict.ASK] * 2 == [judged(at, one).preliminary for one in others]


def test_going_to_the_project_first_is_part_of_a_rule(at: LearningHome) -> None:
    """So is a shortened output; another folder, or another command behind it, is not."""
    line = f"cd {at.project} && {PUSH} 2>&1 | tail -3"
    at.record(*(at.asked(line) for _ in range(3)))
    at.learning().accept(at.learning().look().proposals[0].id, by="ada")

    longer = line.replace("tail -3", "tail -20")
    lines = (line, longer, PUSH, line.replace(at.project, f"{at.home}/other"))
    found = [judged(at, one).preliminary.value for one in (*lines, f"{line}; docker push me/x")]

    assert ["allow", "allow", "allow", "ask", "ask"] == found


def test_a_word_stays_open_behind_what_all_values_begin_with(at: LearningHome) -> None:
    """A field keeps its name, a path its folder."""
    lines = [
        f"gh api repos/acme/app/pulls/7/comments -f in_reply_to={n} -f 'body=Done {n}.'"
        for n in range(3)
    ]
    at.record(*map(at.asked, lines), *(at.asked(f"docker push acme/app:{n}") for n in "abc"))

    found = {one.rule.commands for one in at.learning().look().proposals}

    assert {
        ("gh api repos/acme/app/pulls/7/comments -f in_reply_to=* -f body=* $",),
        ("docker push acme/app:* $",),
    } == found


def test_a_policy_is_promoted_from_what_the_model_let_through_by_it(at: LearningHome) -> None:
    """One call is enough, since an admin asks for it; other policies count for nothing."""
    by_model = {"decided_by": "llm", "approver": "haiku"}
    at.record(
        at.asked(PUSH, **by_model, model="allow, confident: [pol_3] covers topic branches"),
        at.asked("docker push me/x:1", **by_model, model="allow, confident: [pol_4] says so"),
    )
    learning = at.learning()

    (proposal,) = learning.look(policy="pol_3").proposals

    assert ((f"{PUSH} $",), "pol_3") == (proposal.rule.commands, proposal.policy)
    assert (1, {"pol_3": 1, "pol_4": 1}) == (
        learning.used("pol_3").count,
        policy_hits(at.store.entries()),
    )
    assert () == learning.look().proposals
    assert "holds until" in learning.accept(proposal.id, by="ada")
