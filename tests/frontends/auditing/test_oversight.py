"""Oversight figures, counted by hand."""

from __future__ import annotations

import json

import pytest

from signoff.effects.store import RecordEntry
from signoff.errors import TamperedRecord
from signoff.frontends.auditing.oversight import oversight
from signoff.frontends.cli.audit_oversight import oversight_lines
from signoff.frontends.hosts.canary import LINE, QUESTION, QUESTION_SESSIONS, SESSION


def entry(seq: int, **said: object) -> RecordEntry:
    """Return an entry: a question that Ada approved after ten seconds."""
    content = {
        "ts": f"2030-01-{seq:02}T00:00:00",
        "source": "claude-code",
        "tool": "Bash",
        "rule": "",
        "verdict": "allow",
        "leaning": "ask",
        "decided_by": "web",
        "approver": "ada",
        "answers": [{"approver": "ada", "answered_in_ms": 10_000 * seq, "was_fast": seq == 1}],
        **said,
    }
    return RecordEntry(seq=seq, prev=b"", hash=b"", leaf=b"", body=json.dumps(content).encode())


ALONE = {"leaning": "allow", "decided_by": "score", "approver": "", "answers": []}
ENTRIES = (
    *(entry(seq, model="allow, confident: fine") for seq in (1, 2)),
    entry(3, verdict="deny", model="allow, confident: fine"),
    entry(4, model="deny, unsure: who knows", tool="Write", rule="pushes"),
    entry(5, decided_by="llm", approver="haiku", answers=[]),
    entry(6, verdict="deny", decided_by="timeout", approver="", answers=[]),
    *(entry(seq, **ALONE) for seq in range(7, 11)),
)


def test_what_people_answered_is_counted() -> None:
    """Approvals, denials, median and 10th percentile, fast ones, and the model if it was sure."""
    (ada,) = oversight(ENTRIES).approvers
    assert ("ada", 3, 1, 1) == (ada.name, ada.approved, ada.denied, ada.fast)
    assert (25.0, 10.0) == (ada.median_s, ada.p10_s)
    assert (1, 2) == (ada.overruled, ada.agreed)


def test_questions_are_counted_by_agent_tool_and_rule() -> None:
    """Per hundred calls, those with most questions first."""
    found = oversight(ENTRIES)
    assert (10, 6, 1, 1) == (found.calls, found.asked, found.expired, found.by_model)
    assert [("claude-code", 60.0)] == [(one.name, one.asks_per_100) for one in found.agents]
    assert [("Bash", 9, 5), ("Write", 1, 1)] == [(o.name, o.calls, o.asked) for o in found.tools]
    assert ["no rule", "pushes"] == [one.name for one in found.rules]


def test_test_calls_of_signoff_are_no_use_of_it() -> None:
    """Neither the question of `signoff init` nor the call of `signoff doctor`; all else counts."""
    question = {"session": f"{QUESTION_SESSIONS}1", "action_redacted": {"command": QUESTION}}
    doctors = {"session": SESSION, "action_redacted": {"command": LINE}}
    others = ({**question, "session": "s"}, {**question, "action_redacted": {"command": "ls"}})
    entries = [entry(seq, **one) for seq, one in enumerate((question, doctors, *others), 1)]

    assert 2 == oversight(entries).calls


def test_what_still_waits_has_not_expired() -> None:
    """Its caller was denied, but people can still answer."""
    denied = {"verdict": "deny", "decided_by": "timeout", "approver": "", "answers": []}
    entries = [entry(1, **denied, approval_id="open"), entry(2, **denied, approval_id="over")]
    found = oversight(entries, waiting={"open", "other"})

    assert (2, 1, 1) == (found.asked, found.expired, found.open)
    assert "1 expired, 1 still open" in next(oversight_lines(found))


def test_only_a_time_counts() -> None:
    """Earlier entries do not."""
    assert 4 == oversight(ENTRIES, since="2030-01-07").calls


def test_several_people_count_each() -> None:
    """Each with the own time."""
    parts = [{"approver": name, "answered_in_ms": 1_000} for name in ("ada", "bob")]
    found = oversight([entry(1, answers=parts)]).approvers
    assert [("ada", 1), ("bob", 1)] == [(one.name, one.approved) for one in found]


def test_answers_that_did_not_count_are_counted() -> None:
    """Of everybody who tried, also where somebody else answered or nobody did."""
    tries = [
        {"approver": "ada", "kind": "quiz", "count": 2},
        {"approver": "bob", "kind": "fast", "count": 3},
        {"approver": "bob", "kind": "teach-back", "count": 1},
    ]
    unanswered = {"verdict": "deny", "decided_by": "timeout", "approver": "", "answers": []}
    found = oversight([entry(2, tries=tries), entry(3, tries=tries, **unanswered)])
    ada, bob = found.approvers

    assert (4, 0, 0, 1) == (ada.quiz_errors, ada.explanation_errors, ada.fast, ada.approved)
    assert (0, 2, 6, 0) == (bob.quiz_errors, bob.explanation_errors, bob.fast, bob.approved)
    assert "bob: approved 0, denied 0, reading time median 0.0 s, 10th percentile 0.0 s, 6 too" in (
        "\n".join(oversight_lines(found))
    )


def test_an_empty_record_has_no_figures() -> None:
    """Nothing is divided by nothing."""
    assert ["0 calls, 0 asked about (0.0 per 100), 0 settled by the model, 0 expired"] == list(
        oversight_lines(oversight([]))
    )


def test_what_is_no_decision_is_told() -> None:
    """With its number."""
    bad = RecordEntry(seq=7, prev=b"", hash=b"", leaf=b"", body=b"x")
    with pytest.raises(TamperedRecord, match="entry 7"):
        oversight([bad])
