"""Events: a new request and its end are told by themselves, to those who are signed in."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

from inbox_station import HIGH, MEDIUM, WITHIN_S, Browser, Station

from signoff.frontends.web.live import HELLO, LISTENERS_LIMIT, Live
from signoff.storage.approvals.database import IN_MEMORY, Database
from signoff.storage.approvals.requests import SqliteRequests


class Listening:
    """A stream of events."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer

    def next(self, kind: str) -> dict[str, object]:
        """Return the next event of a kind."""
        deadline = time.monotonic() + WITHIN_S
        while (line := self.answer.readline()) and time.monotonic() < deadline:
            if line == f"event: {kind}\n".encode():
                said = json.loads(self.answer.readline().removeprefix(b"data: "))
                assert isinstance(said, dict)
                return said
        raise AssertionError("it was not told in time")

    def has_ended(self) -> bool:
        """Tell whether the stream comes to its end."""
        while self.answer.readline():
            pass
        return True


@contextmanager
def listening(browser: Browser) -> Iterator[Listening]:
    """Listen as a page does."""
    link = http.client.HTTPConnection("127.0.0.1", browser.station.port, timeout=60)
    link.request("GET", "/web/events", headers=browser.headers)
    answer = link.getresponse()
    try:
        assert 200 == answer.status
        yield Listening(answer)
    finally:
        answer.close()
        link.close()


def test_a_new_request_is_told(station: Station) -> None:
    """By its id and state, and nothing of its text."""
    with listening(station.signed_in("vic")) as events:
        events.next("hello")
        call = station.ask(MEDIUM)

        assert {"id": call.request_id, "state": "pending", "step": 0} == events.next("change")
    station.signed_in("ada").answer_at_once(call, "deny")


def test_requests_are_looked_at_before_the_greeting() -> None:
    """Else one that comes between the greeting and the first look is told to nobody."""
    looked: list[str] = []

    def look() -> dict[str, int]:
        looked.append("look")
        return {}

    async def greeted() -> tuple[bytes, list[str]]:
        live = Live(SqliteRequests(Database(IN_MEMORY)), look)
        stream = live.stream(is_over=lambda: False)
        piece, before = await anext(stream), list(looked)
        live.close()
        return piece, before

    assert (HELLO, ["look"]) == asyncio.run(greeted())


def test_its_end_is_told(station: Station) -> None:
    """With how it ended."""
    call = station.ask(f"{HIGH} --tag ended")
    with listening(station.signed_in("vic")) as events:
        events.next("hello")
        station.signed_in("bob").answer_at_once(call, "deny")
        said = events.next("change")
        while said["id"] != call.request_id or said["state"] == "pending":
            said = events.next("change")

        assert "denied" == said["state"]


def test_a_request_of_another_process_is_told(station: Station) -> None:
    """It rings no bell here, but the store is looked at."""
    call = station.ask(f"{HIGH} --tag other")
    with listening(station.signed_in("vic")) as events:
        events.next("hello")
        other = Database(str(station.folder / "state" / "approvals.db"))
        with other.writing() as db:
            db.execute("UPDATE requests SET state = 'withdrawn' WHERE id = ?", (call.request_id,))
        other.close()
        said = events.next("change")
        while said["id"] != call.request_id or said["state"] == "pending":
            said = events.next("change")

        assert "withdrawn" == said["state"]


def test_who_signs_out_hears_no_more(station: Station) -> None:
    """The next event ends the stream."""
    ada = station.signed_in("ada")
    with listening(ada) as events:
        events.next("hello")
        ada.post("/web/sign-out")
        station.ask(f"{HIGH} --tag after")

        assert events.has_ended()


def test_only_so_many_listen(station: Station) -> None:
    """One more is told to come back."""
    ada, full = station.signed_in("ada"), LISTENERS_LIMIT
    links = []
    for _ in range(full):
        link = http.client.HTTPConnection("127.0.0.1", station.port, timeout=60)
        link.request("GET", "/web/events", headers=ada.headers)
        links.append((link, link.getresponse()))
    for _, answer in links:
        answer.readline()
    try:
        assert 503 == ada.get("/web/events").status
    finally:
        for link, answer in links:
            answer.close()
            link.close()
