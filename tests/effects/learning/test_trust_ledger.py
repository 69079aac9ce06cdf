"""Trust in agents, from what people answered and what they set."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from signoff.effects.learning.trust_ledger import (
    ALL_DOMAINS,
    ALL_REVOKED,
    KEYS_LIMIT,
    TrustLedger,
    TrustMark,
)
from signoff.effects.store import RecordEntry

NOW_S = 1_900_000_000.0


def entry(seq: int = 1, at_s: float = NOW_S, **said: str) -> RecordEntry:
    """Return an entry: a question about a database that Ada approved."""
    content = {
        "ts": datetime.fromtimestamp(at_s, UTC).isoformat(),
        "source": "claude-code",
        "verdict": "allow",
        "decided_by": "web",
        "leaning": "ask",
        "approver": "ada",
        "operations": [{"thing": "database", "verb": "write"}],
        **said,
    }
    return RecordEntry(seq=seq, prev=b"", hash=b"", leaf=b"", body=json.dumps(content).encode())


def book(*entries: RecordEntry, marks: tuple[TrustMark, ...] = ()) -> TrustLedger:
    """Return a book that knows these entries."""
    made = TrustLedger(lambda: marks, now=lambda: NOW_S)
    made.load(entries)
    return made


def test_an_unknown_agent_is_a_stranger_everywhere() -> None:
    """0.3 in every domain."""
    assert dict.fromkeys(ALL_DOMAINS, pytest.approx(0.3)) == book().of("x")


def test_approvals_count_in_their_domain() -> None:
    """Ten of them give 0.65 with databases, and nothing with files."""
    found = book(*(entry(n) for n in range(10))).of("claude-code")
    assert pytest.approx((0.65, 0.3)) == (found["databases"], found["files"])


@pytest.mark.parametrize(
    "said",
    [
        {"leaning": "allow", "decided_by": "score", "approver": ""},
        {"decided_by": "llm"},
        {"decided_by": "grant"},
        {"decided_by": "nap"},
        {"verdict": "deny", "decided_by": "timeout", "approver": ""},
        {"source": "another"},
        {"source": "another", "agent": "claude-code"},
    ],
)
def test_only_answers_of_people_count(said: dict[str, str]) -> None:
    """What passed alone, and what a model or a grant let through, earns nothing."""
    found = book(*(entry(n, NOW_S, **said) for n in range(50))).of("claude-code")
    assert pytest.approx(0.3) == found["databases"]


def test_a_refusal_costs_a_little() -> None:
    """By a quarter of what an approval brings."""
    plain = book(*(entry(n) for n in range(10)))
    refused = book(*(entry(n) for n in range(10)), entry(11, verdict="deny"))
    found = plain.of("claude-code")["databases"], refused.of("claude-code")["databases"]
    assert 0 < found[0] - found[1] < 0.02


def test_trust_fades_without_use() -> None:
    """A hundredth a day; a call that passed alone is a use."""
    month = NOW_S - 30 * 86_400
    faded = book(*(entry(n, month) for n in range(10))).of("claude-code")["databases"]
    used = book(
        *(entry(n, month) for n in range(10)),
        entry(11, leaning="allow", decided_by="score", approver=""),
    ).of("claude-code")["databases"]
    assert pytest.approx((0.65 * 0.7, 0.65)) == (faded, used)


@pytest.mark.parametrize(
    ("mark", "databases", "files"),
    [
        (TrustMark(agent="claude-code", incidents=1), 0.65 * 0.7, 0.3 * 0.7),
        (TrustMark(agent="claude-code", domain="databases", incidents=2), 0.65 * 0.49, 0.3),
        (TrustMark(agent="*", incidents=1), 0.65 * 0.7, 0.3 * 0.7),
        (TrustMark(agent="other", is_revoked=True), 0.65, 0.3),
        (TrustMark(agent="claude-code", is_revoked=True), 0.0, 0.0),
        (ALL_REVOKED, 0.0, 0.0),
        (TrustMark(agent="claude-code", since_s=NOW_S + 1), 0.3, 0.3),
    ],
)
def test_what_people_set_holds_at_once(mark: TrustMark, databases: float, files: float) -> None:
    """Incidents, revocation, a new start."""
    found = book(*(entry(n) for n in range(10)), marks=(mark,)).of("claude-code")
    assert pytest.approx((databases, files)) == (found["databases"], found["files"])


def test_the_curve_rises_with_each_approval() -> None:
    """And ends at the trust there is now."""
    (row,) = book(*(entry(n) for n in range(5)), marks=(TrustMark(agent="*", incidents=1),)).rows()
    rising = [point.trust for point in row.curve[:-1]]
    assert 5 == len(rising) and rising == sorted(rising)
    assert (row.trust, 5, 0, 1) == (row.curve[-1].trust, row.approved, row.denied, row.incidents)


def test_a_record_that_is_no_decision_is_passed_over() -> None:
    """What is wrong with it is for `audit verify` to say."""
    bad = RecordEntry(seq=1, prev=b"", hash=b"", leaf=b"", body=b"nothing")
    assert pytest.approx(0.3) == book(bad, entry(2, ts="soon")).of("claude-code")["databases"]


def test_names_of_agents_do_not_fill_the_memory() -> None:
    """The oldest are forgotten: to be a stranger again is no gain."""
    made = book(*(entry(n, source=f"a{n}") for n in range(KEYS_LIMIT + 50)))
    assert KEYS_LIMIT == len(made.rows())
