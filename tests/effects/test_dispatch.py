"""Record first, handlers after; an allow without its record does not leave."""

from __future__ import annotations

import asyncio

import pytest

from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, Answer
from signoff.decide.decide import decide
from signoff.decide.decision import Decision
from signoff.effects.dispatch import Effects, Handler
from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError
from signoff.redaction.redact import Redactor
from signoff.storage.memory import MemoryStore
from signoff.testing import TEST_KEY, FakeAssessment, make_action


class FailingStore(MemoryStore):
    """A store on a broken disk."""

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Fail."""
        raise StoreError("disk I/O error")


def decided(verdict: Verdict) -> Decision:
    """Make a decision with this verdict."""
    action = make_action()
    answer = Answer(verdict=Verdict.ASK, decided_by=BY_HOST)
    return decide(action, FakeAssessment(action=action, preliminary=verdict), answer=answer)


def dispatch(effects: Effects, decision: Decision) -> None:
    """Dispatch a decision."""
    asyncio.run(effects.dispatch(decision))


def test_handlers_are_told_after_the_record_in_order() -> None:
    """What they see is on the record already."""
    store = MemoryStore()
    seen: list[tuple[str, int]] = []
    handlers: list[Handler] = [
        lambda decision: seen.append(("first", store.head().seq)),
        lambda decision: seen.append(("second", store.head().seq)),
    ]

    dispatch(Effects(store, Redactor(TEST_KEY), handlers=handlers), decided(Verdict.ALLOW))

    assert seen == [("first", 1), ("second", 1)]


@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.ASK])
def test_what_may_happen_without_its_record_is_an_error(verdict: Verdict) -> None:
    """Handed to the host counts as that; no handler is told."""
    told: list[Decision] = []
    effects = Effects(FailingStore(), Redactor(TEST_KEY), handlers=[told.append])

    with pytest.raises(StoreError):
        dispatch(effects, decided(verdict))

    assert told == []


def test_a_refusal_stands_without_its_record_and_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Handlers are told, as somebody should hear of it; the log names the call."""
    told: list[Decision] = []
    effects = Effects(FailingStore(), Redactor(TEST_KEY), handlers=[told.append])
    decision = decided(Verdict.DENY)

    dispatch(effects, decision)

    assert (effects.unaudited_denials, told) == (1, [decision])
    assert f"(StoreError): tool {decision.action.tool!r}, session" in caplog.text


def test_a_failing_handler_keeps_no_other_from_being_told() -> None:
    """And raises nothing."""
    told: list[Decision] = []

    def fails(decision: Decision) -> None:
        raise ValueError("webhook down")

    dispatch(
        Effects(MemoryStore(), Redactor(TEST_KEY), handlers=[fails, told.append]),
        decided(Verdict.ALLOW),
    )

    assert len(told) == 1
