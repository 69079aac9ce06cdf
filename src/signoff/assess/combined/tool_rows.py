"""Combinations that a function's or a service's call holds: its name and arguments together.

A name alone is a guess and asked about. Where the arguments say the same, no guess is left.
Their calls, on both sides, stand in tests/corpus: functions-*.jsonl,
mcp-*.jsonl and tools-*.jsonl.
"""

from __future__ import annotations

from signoff.assess.combined import facts, functions, services, signs
from signoff.assess.combined.row import Row
from signoff.assess.finding import Severity

TOOL_ROWS = (
    Row(
        ("all-of-production", Severity.CRITICAL),
        act=facts.REMOVES_REMOTE,
        target=facts.is_production_of_tool,
        evidence=signs.deletes_all,
        is_argued=True,
        because="all of it is deleted, in production",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=facts.REMOVES_REMOTE,
        target=services.is_of_service,
        evidence=services.selects_everything,
        is_argued=True,
        because="everything of a service is deleted at once",
    ),
    Row(
        ("backups-for-good", Severity.CRITICAL),
        act=facts.REMOVES_REMOTE,
        target=services.is_of_service,
        evidence=services.takes_backups_for_good,
        is_argued=True,
        because="backups are deleted for good",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=facts.CHANGES_PEOPLE,
        target=services.is_of_service,
        evidence=services.shuts_everybody_out,
        is_argued=True,
        because="everybody loses access",
    ),
    Row(
        ("mail-led-away", Severity.CRITICAL),
        act=facts.SENDS,
        target=facts.is_remote,
        evidence=services.leads_mail_away,
        is_argued=True,
        because="a rule sends all mail to another address, or hides that it does",
    ),
    Row(
        ("people-handed-over", Severity.CRITICAL),
        act=facts.SENDS,
        target=facts.is_remote,
        evidence=services.hands_over_people,
        is_argued=True,
        because="the data of all people in it leaves the service",
    ),
    Row(
        ("secret-in-text", Severity.CRITICAL),
        act=facts.ASKS_AN_ADDRESS,
        target=facts.is_remote,
        evidence=services.address_holds_variable,
        because="an address carries a key",
    ),
    Row(
        ("secret-in-text", Severity.CRITICAL),
        act=facts.SENDS,
        target=facts.is_remote,
        evidence=services.text_holds_secret,
        because="the text that a tool sends holds a key",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=facts.REMOVES_REMOTE,
        target=functions.is_not_trial,
        evidence=functions.takes_all_for_good,
        is_argued=True,
        because="all of it is deleted for good",
    ),
    Row(
        ("paid-to-all", Severity.CRITICAL),
        act=facts.PAYS,
        target=functions.is_not_trial,
        evidence=functions.pays_all,
        is_argued=True,
        because="money goes out to many people at once",
    ),
    Row(
        ("protection-stopped", Severity.CRITICAL),
        act=facts.CHANGES_SAFEGUARD,
        target=functions.is_not_trial,
        evidence=functions.takes_protection,
        is_argued=True,
        because="what protects is switched off everywhere or where it counts",
    ),
    Row(
        ("protection-stopped", Severity.CRITICAL),
        act=facts.MOVES,
        target=functions.is_not_trial,
        evidence=functions.moves_machine_unguarded,
        is_argued=True,
        because="a machine moves with its protection overridden",
    ),
    Row(
        ("people-handed-over", Severity.CRITICAL),
        act=facts.HANDS_OVER,
        target=functions.is_not_trial,
        evidence=functions.leaks_personal_data,
        is_argued=True,
        because="data of people goes outside or to everybody",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=facts.ENDS,
        target=functions.is_not_trial,
        evidence=functions.removes_many_people,
        is_argued=True,
        because="work, home or access of several people ends at once",
    ),
    Row(
        ("unchecked-code", Severity.CRITICAL),
        act=facts.RUNS_FETCHED,
        target=functions.is_not_trial,
        evidence=functions.runs_unchecked,
        is_argued=True,
        because="what was fetched runs without a check",
    ),
    Row(
        ("approval-off", Severity.CRITICAL),
        act=facts.ACTS_AT_ALL,
        target=facts.is_of_tool,
        evidence=functions.stops_asking,
        is_argued=True,
        because="nobody is asked about what an agent does any more",
    ),
    Row(
        ("account-with-every-right", Severity.CRITICAL),
        act=facts.MAKES,
        target=functions.is_not_trial,
        evidence=functions.plants_admin,
        is_argued=True,
        because="an account with every right is made unseen or unchecked",
    ),
)
