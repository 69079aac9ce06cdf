"""A decision that is not enforced says so, is recorded, and has an end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from signoff import Action, Gate, Verdict
from signoff.actions.canonical import Json
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.finding import FIXED_DETECTORS, Finding, Severity
from signoff.challenge.evaluator import Evaluation
from signoff.challenge.ladder import Ladder
from signoff.challenge.request import Request
from signoff.decide.decision import Enforcement
from signoff.effects.dispatch import Effects
from signoff.effects.store import RecordEntry
from signoff.frontends.cli.shadow import summary_of
from signoff.redaction.redact import Redactor
from signoff.storage.confirmed.head import ConfirmedHead, SealedEnforcement, StandingState
from signoff.storage.memory import MemoryStore
from signoff.testing import TEST_KEY, FakeAssessment, FakeChannel, StoreMemory

ACTION = Action(tool="Bash", arguments={"command": "x"}, source="cli")
KEY = b"k" * 32
FAR_S = 4e12


class Sure:
    """A model that is sure it is fine."""

    async def evaluate(self, request: Request) -> Evaluation:
        """Return that."""
        return Evaluation(allowed=True, confident=True, reason="fine", model="m")


def gate_of(
    preliminary: Verdict,
    mode: Enforcement = Enforcement.SHADOW,
    *,
    findings: tuple[Finding, ...] = (),
    model: bool | None = None,
) -> tuple[Gate, MemoryStore, FakeChannel]:
    """Return a gate in a mode, its store, and the person who must not be asked."""
    store, person = MemoryStore(), FakeChannel(None)

    def judge(action: Action, facts: Facts) -> Assessed:
        return FakeAssessment(
            action=action, facts=facts, preliminary=preliminary, findings=findings
        )

    ladder = Ladder((person,), evaluator=None if model is None else Sure())
    effects = Effects(store, Redactor(TEST_KEY))
    made = Gate(StoreMemory(store), judge, ladder=ladder, effects=effects, enforcement=lambda: mode)
    return made, store, person


def record_of(store: MemoryStore) -> Mapping[str, Json]:
    """Return the last entry."""
    said: Mapping[str, Json] = json.loads(list(store.entries())[-1].body)
    return said


@pytest.mark.parametrize("preliminary", [Verdict.DENY, Verdict.ASK])
@pytest.mark.parametrize("mode", [Enforcement.SHADOW, Enforcement.AUDIT_ONLY])
def test_what_is_not_enforced_runs_and_is_recorded(preliminary: Verdict, mode: Enforcement) -> None:
    """With the verdict that enforcing would give; nobody is asked."""
    gate, store, person = gate_of(preliminary, mode)

    decision = gate.check_now(ACTION)

    assert (Verdict.ALLOW, preliminary) == (decision.verdict, decision.would_be)
    assert f"not enforced (mode {mode.value})" in decision.reason
    assert ("allow", "shadow", preliminary.value) == tuple(
        record_of(store)[name] for name in ("verdict", "decided_by", "would_be")
    )
    assert [] == person.requests


def test_an_allowed_call_is_allowed_as_always() -> None:
    """Its record says nothing of a mode."""
    gate, store, _ = gate_of(Verdict.ALLOW)

    assert None is gate.check_now(ACTION).would_be
    assert "would_be" not in record_of(store)


@pytest.mark.parametrize(
    ("mode", "by"), [(Enforcement.SHADOW, "llm"), (Enforcement.AUDIT_ONLY, "shadow")]
)
def test_the_model_is_asked_in_shadow_mode_only(mode: Enforcement, by: str) -> None:
    """So the forecast says what the model would let through."""
    gate, _, _ = gate_of(Verdict.ASK, mode, model=True)

    assert by == gate.check_now(ACTION).decided_by


def test_what_protects_signoff_is_enforced() -> None:
    """In every mode."""
    own = Finding(
        detector=next(iter(FIXED_DETECTORS)),
        category="own.files",
        detected=True,
        severity=Severity.CRITICAL,
        confidence=1.0,
        evidence="e",
    )
    gate, _, _ = gate_of(Verdict.DENY, findings=(own,))

    assert Verdict.DENY is gate.check_now(ACTION).verdict


def test_what_cannot_be_judged_or_recorded_is_denied() -> None:
    """A mode never hides a failure."""
    gate, store, _ = gate_of(Verdict.ALLOW)

    def fails(*_: object) -> Assessed:
        raise RuntimeError("boom")

    gate.judge = fails
    assert Verdict.DENY is gate.check_now(ACTION).verdict

    gate, store, _ = gate_of(Verdict.DENY)

    async def full(*_: object) -> RecordEntry:
        raise OSError("full")

    store.append = full  # type: ignore[assignment,method-assign]  # the record fails
    assert Verdict.DENY is gate.check_now(ACTION).verdict


def test_nobody_waits_for_a_call_that_is_not_enforced() -> None:
    """`settle` records a denial that is not enforced, and asks for none."""
    gate, _, _ = gate_of(Verdict.DENY)

    decision = asyncio.run(gate.settle(ACTION))

    assert decision is not None
    assert (Verdict.ALLOW, Verdict.DENY) == (decision.verdict, decision.would_be)


def test_an_older_seal_holds_and_a_mode_has_an_end(tmp_path: Path) -> None:
    """Files sealed before there were modes read as they were; a forged mode is none."""
    file = tmp_path / "confirmed.json"
    head, sealed = ConfirmedHead(str(file), KEY), SealedEnforcement(str(file), lambda: KEY)
    assert Enforcement.ENFORCE is sealed()

    head.write(StandingState())
    said = json.loads(file.read_text())
    for name in ("enforcement", "enforced_from_s"):
        del said["standing"][name]
    file.write_text(json.dumps(said))
    assert head.read() == StandingState()

    said["standing"] |= {"enforcement": "shadow", "enforced_from_s": FAR_S}
    file.write_text(json.dumps(said))
    assert Enforcement.ENFORCE is sealed()

    head.write(StandingState(enforcement=Enforcement.SHADOW, enforced_from_s=FAR_S))
    assert Enforcement.SHADOW is sealed()
    head.write(StandingState(enforcement=Enforcement.SHADOW, enforced_from_s=1.0))
    assert Enforcement.ENFORCE is sealed()
    assert Enforcement.ENFORCE is SealedEnforcement(str(file), lambda: b"other" * 8)()


def test_the_report_counts_and_names_causes() -> None:
    """Most frequent first, with examples."""
    entries: list[Mapping[str, Json]] = [
        {"tool": "Bash", "would_be": "deny", "rule": "no-push", "action_redacted": {"c": n}}
        for n in range(5)
    ]
    entries.append({"tool": "Bash", "would_be": "ask", "findings": [{"category": "a.b"}]})
    lines = list(summary_of([*entries, {"tool": "Read"}]))

    assert "7 decisions. Enforcing would have denied 5 and asked about 1." == lines[0]
    assert ["deny", "5", "rule", "no-push"] == lines[1].split()
    assert 4 == [line.split()[0] for line in lines].index("ask") - 1
    assert ["0 decisions; shadow mode let no call through"] == list(summary_of([]))
