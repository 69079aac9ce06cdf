"""Combinations of a call with what its session did before; sessions are in tests/corpus."""

from __future__ import annotations

from signoff.assess.combined import facts
from signoff.assess.combined.row import Row
from signoff.assess.finding import Severity
from signoff.assess.remembered import (
    choices,
    login_codes,
    placed,
    private_data,
    safety_nets,
    told,
)
from signoff.assess.remembered.secrets import sent_secrets

REMEMBERED_ROWS = (
    Row(
        ("destroying-plan", Severity.CRITICAL),
        act=facts.ACTS_AT_ALL,
        target=choices.applies_destroying_plan,
        evidence=facts.is_anything,
        is_argued=True,
        because="this session saved that plan, and it destroys everything",
    ),
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
    Row(
        ("secret-copy-out", Severity.CRITICAL),
        act=facts.ACTS_AT_ALL,
        target=sent_secrets.leaves_machine,
        evidence=sent_secrets.takes_secret,
        is_argued=True,
        because="this session put a secret into it",
    ),
    Row(
        ("login-code-out", Severity.CRITICAL),
        act=facts.SENDS_OUT,
        target=login_codes.tells_code,
        evidence=facts.is_anything,
        is_argued=True,
        because="it tells a login code that this session looked for in a mailbox",
    ),
    Row(
        ("placed-and-run", Severity.CRITICAL),
        act=facts.RUNS,
        target=placed.runs_placed,
        evidence=facts.is_anything,
        is_argued=True,
        because="this session put it there from the network, and nobody has read it",
    ),
    Row(
        ("told-to-run", Severity.CRITICAL),
        act=facts.ACTS_AT_ALL,
        target=told.starts_unread,
        evidence=facts.is_anything,
        is_argued=True,
        because="it has a file run later that came from the network, and nobody has read it",
    ),
)
