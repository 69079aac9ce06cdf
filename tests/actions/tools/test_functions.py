"""Plain functions, and what they mean."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.operation import Operation, Reach, Verb
from signoff.actions.tools.functions import understand_function

R, N, P = Reach.REMOTE, Reach.NONE, Reach.PROJECT


def only(name: str, arguments: dict[str, Json] | None = None, description: str = "") -> Operation:
    (operation,) = understand_function(
        Action(
            tool=name,
            arguments=arguments or {},
            kind=ActionKind.FUNCTION,
            description=description,
        )
    )
    return operation


CASES: tuple[tuple[str, dict[str, Json], Verb, Reach], ...] = (
    ("calculate_total", {"items": [1, 2]}, Verb.INERT, N),
    ("add", {"a": 1, "b": 2}, Verb.INERT, N),
    ("format_date", {"date": "2024-01-01"}, Verb.INERT, N),
    ("parse_json", {"text": "{}"}, Verb.INERT, N),
    ("remove_whitespace", {"text": " a"}, Verb.INERT, N),
    ("drop_nulls", {"frame": "df"}, Verb.INERT, N),
    ("truncate_words", {"text": "a b", "count": 1}, Verb.INERT, N),
    ("validateEmail", {"email": "a@b.c"}, Verb.READ, N),
    ("convert_currency", {"amount": 5}, Verb.INERT, N),
    ("translate_text", {"text": "delete"}, Verb.INERT, N),
    ("summarize_document", {"text": "x"}, Verb.READ, N),
    ("get_weather", {"city": "Bern"}, Verb.READ, N),
    ("list_files", {"directory": "src"}, Verb.READ, P),
    ("search_products", {"query": "lamp"}, Verb.READ, N),
    ("is_valid", {"x": 1}, Verb.READ, N),
    ("hasPermission", {"user": "a"}, Verb.READ, N),
    ("set_cache", {"key": "a"}, Verb.WRITE, N),
    ("save_draft", {"text": "a"}, Verb.WRITE, N),
    ("log_event", {"name": "a"}, Verb.WRITE, N),
    ("write_file", {"path": "out.txt", "content": "x"}, Verb.WRITE, P),
    ("delete_file", {"path": "out.txt"}, Verb.DELETE, P),
    ("read_file", {"path": "out.txt"}, Verb.READ, P),
    ("delete_user", {"user_id": "u1"}, Verb.DELETE, N),
    ("purge_records", {"before": "2020"}, Verb.DELETE, N),
    ("send_email", {"to": "a@b.c"}, Verb.NETWORK_OUT, R),
    ("notify_customer", {"id": "1"}, Verb.NETWORK_OUT, R),
    ("invite_user", {"email": "a@b.c"}, Verb.NETWORK_OUT, R),
    ("transfer_funds", {"amount": 5000}, Verb.SPEND, R),
    ("issue_refund", {"amount": 5000}, Verb.SPEND, R),
    ("process_payment", {"amount": 5}, Verb.SPEND, R),
    ("create_payment", {"amount": 5}, Verb.SPEND, R),
    ("buy_stock", {"symbol": "X"}, Verb.SPEND, R),
    ("deploy_service", {"version": "1"}, Verb.PUBLISH, R),
    ("grant_role", {"role": "viewer"}, Verb.PRIVILEGE, N),
    ("revoke_token", {"id": "1"}, Verb.PRIVILEGE, N),
    ("disable_mfa", {"user": "a"}, Verb.CONFIGURE, N),
    ("restart_server", {"name": "a"}, Verb.CONTROL, R),
    ("deploy", {"env": "production"}, Verb.PUBLISH, Reach.PRODUCTION),
    ("frobnicate", {"x": 1}, Verb.EXECUTE, N),
)


@pytest.mark.parametrize(("name", "arguments", "verb", "reach"), CASES)
def test_a_function_comes_down_to_its_verb_and_reach(
    name: str, arguments: dict[str, Json], verb: Verb, reach: Reach
) -> None:
    """The name and the arguments tell what a function does."""
    operation = only(name, arguments)
    assert (operation.verb, operation.reach, operation.understood) == (verb, reach, True)


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Deletes old rows.", Verb.DELETE),
        ("Sending mail to all.", Verb.NETWORK_OUT),
        ("Compute the mean.", Verb.INERT),
        ("A helper.", Verb.EXECUTE),
    ],
)
def test_a_docstring_explains_a_name_that_says_nothing(description: str, expected: Verb) -> None:
    """The developer's own docstring tells where the name does not."""
    assert only("nightly", description=description).verb is expected


def test_more_arguments_than_can_be_read_are_said_so() -> None:
    """The rest of a huge call is not understood."""
    action = Action(tool="get_a", arguments={"a": [0] * 9_000}, kind=ActionKind.FUNCTION)
    assert [o.understood for o in understand_function(action)] == [True, False]
