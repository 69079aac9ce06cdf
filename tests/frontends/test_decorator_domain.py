"""What the code states of a call's field of work: a profile makes it stricter, never milder."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff import Action, Denied, Gate, Verdict, gate
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.challenge.ladder import Ladder
from signoff.effects.dispatch import Effects
from signoff.errors import BadSettings
from signoff.redaction.redact import Redactor
from signoff.storage.memory import MemoryStore
from signoff.testing import TEST_KEY, FakeAssessment, StoreMemory

BLOCKING = """
name: vault
escalations:
  - {from_risk: 0, block: true, reason: never by an agent}
"""


@pytest.fixture
def seen() -> list[Action]:
    """Return what the gate was asked."""
    return []


@pytest.fixture
def allowing(seen: list[Action]) -> Gate:
    """Return a gate that allows everything."""
    store = MemoryStore()

    def judge(action: Action, facts: Facts) -> Assessed:
        seen.append(action)
        return FakeAssessment(action=action, facts=facts, preliminary=Verdict.ALLOW)

    effects = Effects(store, Redactor(TEST_KEY))
    return Gate(StoreMemory(store), judge, ladder=Ladder(), effects=effects)


@pytest.fixture
def own_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the user's own profiles."""
    folder = tmp_path / "config" / "profiles"
    folder.mkdir(parents=True)
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(folder.parent))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "state"))
    return folder


@pytest.mark.usefixtures("own_profiles")
def test_a_domain_states_the_least_risk(allowing: Gate, seen: list[Action]) -> None:
    """What moves money is riskier in finance, and what a profile always asks about is critical."""

    @gate(gate=allowing)
    def pay_out(order: str) -> None: ...

    @gate(gate=allowing, domain="finance", name="pay_out")
    def pay_out_in_finance(order: str) -> None: ...

    @gate(gate=allowing, domain=["development", "finance"], risk=0.1)
    def wire_transfer(amount: int) -> None: ...

    pay_out("A1")
    pay_out_in_finance("A1")
    wire_transfer(3)

    least = [action.least_risk for action in seen]
    assert 0.0 == least[0]
    assert 0.2 < least[1] < 0.8
    assert 0.8 <= least[2]


def test_a_call_that_a_profile_blocks_is_denied(
    allowing: Gate, seen: list[Action], own_profiles: Path
) -> None:
    """Though the gate would allow it."""
    (own_profiles / "vault.yaml").write_text(BLOCKING, encoding="utf-8")
    ran: list[str] = []

    @gate(gate=allowing, domain="vault")
    def read(name: str) -> None:
        ran.append(name)

    with pytest.raises(Denied, match="profile vault: never by an agent"):
        read("x")

    assert ([], []) == (ran, seen)


@pytest.mark.usefixtures("own_profiles")
def test_a_profile_nobody_has_is_refused_where_it_is_named(allowing: Gate) -> None:
    """Not at the first call."""
    with pytest.raises(BadSettings, match="finanse"):

        @gate(gate=allowing, domain="finanse")
        def pay_out(order: str) -> None: ...


def test_the_code_cannot_switch_enforcing_off(allowing: Gate) -> None:
    """The words name what can."""
    options: dict[str, str] = {"mode": "shadow"}

    with pytest.raises(TypeError, match="signoff shadow"):
        gate(**options)  # type: ignore[call-overload]  # it is no keyword
