"""Rows of the table in `combined_facts` about acts that the values of a call name."""

from __future__ import annotations

from signoff.actions.operation import Verb
from signoff.assess.combined import facts, gravity
from signoff.assess.combined.given import acts, retention
from signoff.assess.combined.row import Row
from signoff.assess.finding import Severity

_CHANGES = facts.ActPattern(frozenset(Verb) - {Verb.INERT, Verb.READ, Verb.NETWORK_IN})

GIVEN_ROWS = (
    Row(
        ("erased-in-a-loop", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.erases_machines,
        is_argued=True,
        because="each of several machines loses its data, settings or program",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.erases_all,
        is_argued=True,
        because="all that a service holds is erased",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.destroys_store,
        is_argued=True,
        because="a flag destroys a whole store",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.shuts_out_all,
        is_argued=True,
        because="everybody whom a condition selects is shut out",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=facts.is_no_file,
        evidence=retention.leaves_nothing,
        is_argued=True,
        because="by its new retention a store deletes all it holds",
        refused="mc ilm rule add lake/scans --expire-days 1 --noncurrent-expire-days 1",
        spared="mc ilm rule add lake/scans --expire-days 90 --noncurrent-expire-days 30",
    ),
)
