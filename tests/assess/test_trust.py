"""Trust and what it does to a risk."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.assess.trust import TrustRecord, effective_risk, recency, trust_of


def test_a_stranger_starts_at_three_tenths() -> None:
    """Nothing known is 0.3."""
    assert trust_of(TrustRecord()) == pytest.approx(0.3)


def test_trust_never_passes_its_cap() -> None:
    """A million successes are 0.9."""
    assert trust_of(TrustRecord(successes=1e6)) == 0.9


def test_success_lifts_and_failure_lowers() -> None:
    """Ten good calls give 0.65; a failure takes some back."""
    good = trust_of(TrustRecord(successes=10))
    assert good == pytest.approx(0.65)
    assert trust_of(TrustRecord(successes=10, failures=1)) < good


def test_a_denial_lowers_a_little() -> None:
    """A denial costs less than a failure, but it costs."""
    good = trust_of(TrustRecord(successes=10))
    denied = trust_of(TrustRecord(successes=10, denials=1))
    failed = trust_of(TrustRecord(successes=10, failures=1))
    assert failed < denied < good


@pytest.mark.parametrize(("incidents", "left"), [(1, 0.7), (2, 0.49), (3, 0.343)])
def test_an_incident_takes_three_tenths_at_once(incidents: int, left: float) -> None:
    """0.7 to the power of the incidents."""
    assert trust_of(TrustRecord(incidents=incidents)) == pytest.approx(0.3 * left)


@pytest.mark.parametrize(("days", "expected"), [(0, 1.0), (1, 0.99), (30, 0.7), (100, 0), (999, 0)])
def test_trust_fades_a_hundredth_a_day(days: float, expected: float) -> None:
    """Down to nothing and no further."""
    assert recency(days) == pytest.approx(expected)


def test_revoked_trust_is_gone() -> None:
    """Success does not outweigh a revocation."""
    assert trust_of(TrustRecord(successes=1e6, is_revoked=True)) == 0.0


@pytest.mark.parametrize(
    "record",
    [
        TrustRecord(successes=nan),
        TrustRecord(successes=inf),
        TrustRecord(failures=-50),
        TrustRecord(idle_days=-1),
        TrustRecord(incidents=-3),
    ],
)
def test_a_broken_record_earns_nothing(record: TrustRecord) -> None:
    """What is no proper number cannot raise trust."""
    assert trust_of(record) == 0.0


@pytest.mark.parametrize(
    ("raw", "trust", "expected"),
    [
        (0.5, 0.5, 0.5),
        (0.5, 0.9, 0.44),
        (0.5, 0.3, 0.53),
        (0.5, 0.0, 0.575),
        (0.8, 0.9, 0.8),
        (0.95, 0.9, 0.95),
        (0.9, 0.0, 1.0),
        (0.0, 0.0, 0.0),
        (nan, 0.9, 1.0),
        (0.1, nan, 1.0),
    ],
)
def test_trust_changes_a_risk_by_the_formula(raw: float, trust: float, expected: float) -> None:
    """The formula of the specification, and CRITICAL as it was."""
    assert effective_risk(raw, trust) == pytest.approx(expected)


@given(
    st.builds(
        TrustRecord,
        successes=st.floats(0, 1e9),
        failures=st.floats(0, 1e9),
        denials=st.integers(0, 10**6),
        incidents=st.integers(0, 1000),
        idle_days=st.floats(0, 1e5),
    ),
    st.floats(0, 1),
)
def test_trust_and_risk_stay_in_their_ranges(record: TrustRecord, raw: float) -> None:
    """Whatever happened, trust is 0..0.9 and risk 0..1."""
    trust = trust_of(record)
    assert 0.0 <= trust <= 0.9
    assert 0.0 <= effective_risk(raw, trust) <= 1.0
