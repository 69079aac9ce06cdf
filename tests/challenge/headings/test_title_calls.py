"""The title of a call of a tool or function: verb, object, receivers, amount and place in words."""

from __future__ import annotations

from typing import Any

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.challenge.heading import TITLE_LIMIT, title_of

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)


def title(tool: str, arguments: dict[str, Any], told: str | None = None) -> str:
    """Return the title of a call; one with a docstring is a function."""
    kind = ActionKind.TOOL if told is None else ActionKind.FUNCTION
    action = Action(tool=tool, arguments=arguments, kind=kind, description=told or "")
    return title_of(JUDGE(action, Facts()))


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (
            "mcp__forge__delete_branch",
            {"project": "atelier/press", "branch": "old-layout"},
            "Deletes branch `old-layout` in project `atelier/press`; cannot be undone",
        ),
        (
            "mcp__forge__add_project_member",
            {"project": "press", "user": "ada", "access_level": "owner"},
            "Adds member `ada` as `owner` to project `press`",
        ),
        (
            "mcp__forge__remove_team_member",
            {"team": "press", "username": "ada"},
            "Removes member `ada` from team `press`; cannot be undone",
        ),
        (
            "mcp__quarry__bulk_archive_products",
            {"filter": {"status": "active"}, "count": 6120},
            "Archives 6,120 products that match `status:active`",
        ),
        (
            "mcp__quarry__delete_products",
            {"product_ids": [str(one) for one in range(12)]},
            "Deletes 12 products (`0`, `1` and 10 more); cannot be undone",
        ),
        ("mcp__quarry__delete_zorbles", {"all": True}, "Deletes all `zorbles`"),
        (
            "mcp__quarry__delete_orders",
            {"older_than_days": 30},
            "Deletes orders older than `30 days`; cannot be undone",
        ),
        (
            "mcp__postbox__send_email",
            {"to": ["a@x.example", "b@x.example", "c@x.example"], "subject": "Rent"},
            "Sends an e-mail to `a@x.example`, `b@x.example` and 1 more: `Rent`; others",
        ),
        (
            "mcp__teamtalk__post_message",
            {"channel": "#ops", "text": "The mill stands still."},
            "Posts a message to `#ops`: `The mill stands still.`; others see it at once",
        ),
        (
            "mcp__desk__add_ticket_comment",
            {"ticket_id": 88, "body": "Sent again."},
            "Adds a comment to ticket `88`: `Sent again.`; others see it at once",
        ),
        (
            "mcp__agenda__create_event",
            {"calendar_id": "primary", "title": "Fair", "attendees": [{"email": "b@x.example"}]},
            "Creates event `Fair` with `b@x.example`",
        ),
        (
            "mcp__till__create_refund",
            {"payment": "pay_7", "amount": 19, "currency": "chf"},
            "Creates a refund of 19 CHF for payment `pay_7`; money is moved",
        ),
        (
            "mcp__identity__update_user_role",
            {"user": "ada", "role": "billing"},
            "Updates role of user `ada` to `billing`",
        ),
        (
            "mcp__identity__update_mfa",
            {"user": "ada", "enabled": False},
            "Switches off MFA of user `ada`",
        ),
        (
            "mcp__docstore__share_file",
            {"file_id": "f-1", "name": "Plan.odt", "type": "anyone"},
            "Shares file `Plan.odt`; everybody gets access",
        ),
        (
            "mcp__docstore__share_file",
            {"name": "Plan.odt", "email": "ada@x.example"},
            "Shares file `Plan.odt` with `ada@x.example`",
        ),
        (
            "mcp__cloudhub__manage_cluster",
            {"action": "delete", "cluster": "hall-7", "permanent": True},
            "Deletes cluster `hall-7` for good; cannot be undone",
        ),
        (
            "mcp__quarry__update_listings",
            {"query": "shelf:old", "listing_count": 480},
            "Updates 480 listings that match `shelf:old`",
        ),
        (
            "mcp__crane_hall__unlock",
            {"gateId": "g-2"},
            "Unlocks gate `g-2`",
        ),
        (
            "mcp__identity__grant_admin",
            {"email": "ada@x.example"},
            "Grants administrator rights to `ada@x.example`; somebody else gets access",
        ),
        (
            "mcp__archive__export_visitors",
            {"all": True, "email": "ada@x.example"},
            "Exports all visitors to `ada@x.example`",
        ),
        (
            "mcp__agenda__invite_guests",
            {"event": "e-4", "emails": ["a@x.example", "b@x.example"]},
            "Invites guests `a@x.example` and `b@x.example`",
        ),
        (
            "mcp__containerd__run_container",
            {"image": "busybox", "privileged": True},
            "Runs a privileged container",
        ),
        (
            "mcp__searchbox__request",
            {"method": "DELETE", "path": "/notes/7"},
            "Deletes `/notes/7` with `request`; cannot be undone",
        ),
    ],
)
def test_title_of_a_tool_no_set_has(tool: str, arguments: dict[str, Any], expected: str) -> None:
    """The verb in plain words, the object that fits the noun, then who, where and how much."""
    assert title(tool, arguments).startswith(expected)


@pytest.mark.parametrize(
    ("tool", "arguments", "told", "expected"),
    [
        (
            "lower_drawbridge",
            {"bridge": "north", "ignore_traffic": True},
            "Lower a drawbridge of the harbour.",
            "Lowers a drawbridge (bridge `north`)",
        ),
        ("contract_void", {"contract": "C-9"}, "Void a contract.", "Voids contract `C-9`"),
        (
            "transfer_savings",
            {"to_iban": "CH93", "amount": 1200.5, "currency": "CHF"},
            "",
            "Transfers savings (1,200.50 CHF) to `CH93`",
        ),
        (
            "erase_recordings",
            {"cameras": "all"},
            "Erase recordings.",
            "Erases recordings: each of several machines loses its data, settings or program",
        ),
        (
            "list_stale_tenants",
            {},
            "Lists tenants without a contract and deletes them for good.",
            "Deletes tenants with `list_stale_tenants`",
        ),
        (
            "set_toll_price",
            {"gate": "G-2", "price": 3.2},
            "Set the price of a toll gate.",
            "Sets toll price",
        ),
        ("issue_voucher", {"value": 20}, "Issue a voucher.", "Issues a voucher"),
        (
            "set_speed_limit",
            {"road": "R-3", "limit": 50},
            "Set the limit of a road.",
            "Sets speed limit",
        ),
        (
            "email_rosters",
            {"teams": "all", "to": "ada@x.example"},
            "Mail the rosters.",
            "Sends rosters to `ada@x.example`",
        ),
        (
            "notify_residents",
            {"street": "Quay 4", "message": "Water is off."},
            "Write to the residents of a street.",
            "Notifies residents (street `Quay 4`): `Water is off.`",
        ),
    ],
)
def test_title_of_a_function_no_set_has(
    tool: str, arguments: dict[str, Any], told: str, expected: str
) -> None:
    """A verb that nobody listed is taken from the name, where the docstring begins with it."""
    assert title(tool, arguments, told).startswith(expected)


def test_a_foreign_tool_cannot_put_its_words_into_a_title() -> None:
    """A noun that is none of ours stays in quotation marks; a verb is always one of ours."""
    said = title("mcp__shady__delete_nothing_harmless_rehearsal", {"id": "x"})

    assert said.startswith("Deletes `x` (`")


def test_a_foreign_argument_cannot_name_what_it_holds() -> None:
    """The word of an argument stands in a title only if it is one of ours."""
    said = title("mcp__shady__disable_alarm", {"safe_harmless_rehearsal": "east"})

    assert said.startswith("Switches off an alarm (`east`)")


def test_a_secret_in_a_message_is_masked_before_the_first_words_are_cut() -> None:
    """A part of a secret is not found any more."""
    secret = "tok-" + "s3cr3t" * 12
    action = Action(
        tool="mcp__teamtalk__post_message", arguments={"channel": "#ops", "text": f"Use {secret}"}
    )

    said = title_of(JUDGE(action, Facts()), mask=lambda text: text.replace(secret, "***"))

    assert "`Use ***`" in said


def test_a_title_of_a_call_is_bounded_and_keeps_its_receivers() -> None:
    """The text and the place go first, then the middle of long names."""
    to = [f"{name * 6}@{'long' * 6}.example" for name in ("ada", "bob", "eve")]

    said = title("mcp__postbox__send_email", {"to": to, "subject": "Rent " * 20})

    assert len(said) <= TITLE_LIMIT
    assert "1 more" in said


@pytest.mark.parametrize("text", ["\u202e", "\u200b", "\x1b[2K", "\n", "`", "` and approves it"])
def test_nothing_in_an_argument_ends_its_quotation(text: str) -> None:
    """Every character is seen, and a name stays between its two marks."""
    said = title("mcp__forge__delete_branch", {"branch": f"a{text}b"})

    assert said.isprintable()
    assert said.count("`") == 2


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("mcp__forge__set_secret", {"name": "DB", "value": "plumkettle"}),
        ("mcp__forge__put_entry", {"key": "DB_PASSWORD", "value": "plumkettle"}),
        ("mcp__forge__put_entry", {"entry": {"key": "DB_PASSWORD", "value": "plumkettle"}}),
        ("mcp__forge__send_report", {"api_key": "plumkettle", "to": "ann@a.example"}),
        ("mcp__forge__update_user", {"user": "ann", "profile": {"password": "plumkettle"}}),
    ],
)
def test_no_title_shows_what_is_secret_by_a_name(tool: str, arguments: dict[str, Any]) -> None:
    """The name of the argument, of the tool, or of the entry says that the value is secret."""
    assert "plumkettle" not in title(tool, arguments)
