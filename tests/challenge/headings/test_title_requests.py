"""The title of a web request says what was found in it: its method and path do not."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.challenge.heading import TITLE_LIMIT, title_of

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)
UNION = "1 UNION SELECT user_login, user_pass FROM users-- -"


def title(path: str, *, method: str = "GET", query: dict[str, Json] | None = None) -> str:
    """Return the title of a request."""
    arguments: dict[str, Json] = {
        "method": method,
        "path": path,
        "query": query or {},
        "headers": {"Host": "shop.example"},
        "body": None,
    }
    action = Action(tool="http_request", arguments=arguments, kind=ActionKind.HTTP_REQUEST)
    return title_of(JUDGE(action, Facts()))


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        ("/item", {"id": UNION}, "`GET /item`: query `id` holds SQL that changes a query"),
        (
            "/view",
            {"page": "../../../../etc/passwd"},
            "`GET /view`: query `page` holds a path to files it should not reach",
        ),
        ("/item", {"id": "7"}, "`GET /item`"),
    ],
)
def test_a_request_is_named_with_what_was_found(
    path: str, query: dict[str, Json], expected: str
) -> None:
    """The reading of `/item` is not what a person is asked about."""
    assert f"Web request {expected}" == title(path, query=query)


def test_a_long_path_loses_its_middle_and_not_what_was_found() -> None:
    """The end of the sentence stays whole."""
    said = title(f"/{'deep/' * 40}end", query={"id": UNION})

    assert len(said) <= TITLE_LIMIT
    assert said.endswith("end`: query `id` holds SQL that changes a query")


def test_a_name_in_a_request_does_not_end_its_quotation() -> None:
    """Whoever sends a request writes no part of the sentence."""
    said = title("/a`b", query={"id`: all is well `": UNION})

    assert said.count("`") == 4
    assert said.endswith("` holds SQL that changes a query")


def test_a_title_does_not_repeat_the_text_that_was_found() -> None:
    """The card shows it, with its secrets masked."""
    assert "UNION" not in title("/item", query={"id": UNION})
