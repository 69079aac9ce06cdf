"""Combinations of a call with what its session did before; sessions are in tests/corpus."""

from __future__ import annotations

from signoff.assess.combined import facts
from signoff.assess.combined.row import Row
from signoff.assess.finding import Severity
from signoff.assess.remembered import private_data, safety_nets

REMEMBERED_ROWS = (
    Row(
        ("safety-net-gone", Severity.CRITICAL),
        act=facts.DELETES_ANY,
        target=safety_nets.keeps_data,
        evidence=safety_nets.has_lost_net,
        is_argued=True,
        because="this session switched off what would have brought it back",
    ),
    Row(
        ("private-data-out", Severity.CRITICAL),
        act=facts.ACTS_AT_ALL,
        target=private_data.leaves,
        evidence=private_data.holds_private,
        is_argued=True,
        because="this session put private data of people into it",
    ),
)
