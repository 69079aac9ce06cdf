"""Links of messages that lead to one request: whose, how often, how long."""

from __future__ import annotations

import pytest

from signoff.frontends.web.sign_ins.request_links import (
    GOOD_FOR_S,
    OPEN_LIMIT,
    RequestLinks,
    request_link,
)


class Clock:
    """A clock that is set by hand."""

    now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_a_link_leads_to_its_request_once() -> None:
    """The second time it is over."""
    links = RequestLinks()
    code = links.make("r1", "ada")

    assert ["r1", None] == [links.take(code, "ada"), links.take(code, "ada")]


def test_a_link_is_good_for_its_person_alone() -> None:
    """Somebody else in the chat neither follows it nor uses it up."""
    links = RequestLinks()
    code = links.make("r1", "ada")

    assert [None, "r1"] == [links.take(code, "bob"), links.take(code, "ada")]


@pytest.mark.parametrize(("after_s", "found"), [(GOOD_FOR_S - 1, "r1"), (GOOD_FOR_S, None)])
def test_a_link_ends(after_s: float, found: str | None) -> None:
    """After ten minutes."""
    clock = Clock()
    links = RequestLinks(clock=clock)
    code = links.make("r1", "ada")
    clock.now_s = after_s

    assert found == links.take(code, "ada")


def test_only_so_many_links_are_open() -> None:
    """The oldest makes room."""
    links = RequestLinks()
    first = links.make("r1", "ada")
    for _ in range(OPEN_LIMIT):
        links.make("r2", "ada")

    assert links.take(first, "ada") is None


def test_the_code_stands_where_no_log_sees_it() -> None:
    """In the fragment, apart from codes that sign in."""
    assert "https://a.example.com/web/sign-in#ask-x" == request_link("https://a.example.com", "x")
