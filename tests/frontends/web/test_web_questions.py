"""Questions of agents on the web: shown, answered once, and no approval of anything."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from inbox_station import MEDIUM, Browser, Station, wait_until

from signoff.challenge.words.asking import About, AgentQuestion, AnswerOption
from signoff.frontends.web.questions import WaitingQuestion

ABOUT = About(agent="claude", session="s1", cwd="/w/shop")
COLOUR = AgentQuestion(
    text="Which colour?",
    options=(AnswerOption(label="Red"), AnswerOption(label="Blue", description="cold")),
)
MANY = AgentQuestion(
    text="Which parts?", options=tuple(AnswerOption(label=name) for name in "ABC"), takes_many=True
)
EVIL = "<script>alert(1)</script>\u202e"


def asked(
    station: Station, question: AgentQuestion, *, timeout_s: float = 20
) -> tuple[Future[Any], WaitingQuestion]:
    """Let an agent ask; return its answer to come, and the question as it stands."""
    work = station.parts.questions.ask((question,), about=ABOUT, timeout_s=timeout_s)
    return _begun(station, work)


def stopped(
    station: Station, summary: str, *, timeout_s: float = 20
) -> tuple[Future[Any], WaitingQuestion]:
    """Let an agent stop; return what it is told, to come, and the stop as it stands."""
    work = station.parts.questions.ask_next(summary, about=ABOUT, timeout_s=timeout_s)
    return _begun(station, work)


def _begun(station: Station, work: Any) -> tuple[Future[Any], WaitingQuestion]:  # noqa: ANN401 - a coroutine
    before = {one.id for one in station.parts.questions.listed()}
    future = asyncio.run_coroutine_threadsafe(work, station.loop)

    def fresh() -> Sequence[WaitingQuestion]:
        return [one for one in station.parts.questions.listed() if one.id not in before]

    wait_until(lambda: bool(fresh()))
    return future, fresh()[0]


def answer(person: Browser, waiting: WaitingQuestion, **fields: str) -> int:
    """Answer as the page does; return the status."""
    return person.post(f"/web/questions/{waiting.id}/answer", **fields).status


@pytest.mark.parametrize(
    ("question", "fields", "given"),
    [
        (COLOUR, {"option": "1"}, "Blue"),
        (COLOUR, {"words": "green, please"}, "green, please"),
        (MANY, {"option0": "1", "option2": "1"}, "A, C"),
        (MANY, {"option1": "1", "words": "and D"}, "B, and D"),
    ],
)
def test_an_answer_reaches_the_agent(
    station: Station, question: AgentQuestion, fields: dict[str, str], given: str
) -> None:
    """An option, several, words, or both."""
    coming, waiting = asked(station, question)
    status = answer(station.signed_in("bob"), waiting, **fields)

    assert (303, (given,)) == (status, coming.result(10))


def test_a_question_stands_in_the_inbox_and_leaves_it(station: Station) -> None:
    """With its page; once answered neither is there."""
    coming, waiting = asked(station, COLOUR)
    ada, path = station.signed_in("ada"), f"/web/questions/{waiting.id}"
    listed, page = ada.get("/web/").text, ada.get(path).text
    answer(ada, waiting, option="0")
    coming.result(10)

    assert path in listed
    assert "Blue" in page and "cold" in page
    assert (404, False) == (ada.get(path).status, path in ada.get("/web/").text)


def test_an_agent_that_stopped_is_told_what_is_next(station: Station) -> None:
    """In the person's words."""
    coming, waiting = stopped(station, "all tests pass")
    page = station.signed_in("bob").get(f"/web/questions/{waiting.id}").text
    answer(station.signed_in("bob"), waiting, words="now write the docs")

    assert "all tests pass" in page
    assert "now write the docs" == coming.result(10)


def test_an_agent_that_stopped_may_stay_so(station: Station) -> None:
    """By its button, whatever else the form says."""
    coming, waiting = stopped(station, "all done")
    answer(station.signed_in("bob"), waiting, stop="1")

    assert "" == coming.result(10)


@pytest.mark.parametrize(("person", "status"), [("vic", 403), ("bob", 303)])
def test_who_may_not_approve_may_not_answer(station: Station, person: str, status: int) -> None:
    """A viewer reads it and sees no form."""
    coming, waiting = asked(station, COLOUR)
    browser = station.signed_in(person)
    has_form = "/answer" in browser.get(f"/web/questions/{waiting.id}").text

    assert (status == 303, status) == (has_form, answer(browser, waiting, option="0"))
    answer(station.signed_in("ada"), waiting, option="1")
    assert ("Red" if has_form else "Blue",) == coming.result(10)


def test_without_the_token_nothing_is_answered(station: Station) -> None:
    """The cookie alone lets a browser see."""
    coming, waiting = asked(station, COLOUR)
    ada = station.signed_in("ada")
    path, fields = f"/web/questions/{waiting.id}/answer", {"option": "0", "token": "0" * 43}
    reply = station.post(path, fields, {"Cookie": f"{station.cookie_name}={ada.cookie}"})

    assert 403 == reply.status
    assert (303, ("Blue",)) == (answer(ada, waiting, option="1"), coming.result(10))


@pytest.mark.parametrize("fields", [{}, {"option": "7"}, {"words": "  "}, {"option": "-1"}])
def test_an_empty_answer_is_none(station: Station, fields: dict[str, str]) -> None:
    """Nor is an option that is not there; the question stands."""
    coming, waiting = asked(station, COLOUR)
    bob = station.signed_in("bob")

    assert answer(bob, waiting, **fields) in (400, 422)
    assert (303, ("Blue",)) == (answer(bob, waiting, option="1"), coming.result(10))


def test_the_first_answer_is_the_answer(station: Station) -> None:
    """The second is told that it came too late."""
    coming, waiting = asked(station, COLOUR)
    first = answer(station.signed_in("ada"), waiting, option="0")
    second = answer(station.signed_in("bob"), waiting, option="1")

    assert ((303, 410), ("Red",)) == ((first, second), coming.result(10))


def test_a_question_is_no_request(station: Station) -> None:
    """Its page answers no call, and a call's page no question."""
    call = station.ask(MEDIUM)
    coming, waiting = asked(station, COLOUR)
    bob = station.signed_in("bob")
    crossed = bob.post(f"/web/questions/{call.request_id}/answer", option="0", answer="approve")
    wrong = bob.post(f"/web/requests/{waiting.id}/answer", answer="approve", option="0")

    assert (410, 404) == (crossed.status, wrong.status)
    assert call.request.state.is_open
    assert (303, ("Blue",)) == (answer(bob, waiting, option="1"), coming.result(10))


def test_silence_answers_nothing(station: Station) -> None:
    """The question ends with its time."""
    coming, waiting = asked(station, COLOUR, timeout_s=1)

    assert coming.result(10) is None
    assert answer(station.signed_in("bob"), waiting, option="0") in (404, 410)


def test_what_the_agent_writes_is_shown_safely(station: Station) -> None:
    """Nothing of it is a tag, and nothing hidden stays hidden."""
    question = AgentQuestion(
        text=EVIL, header=EVIL, options=(AnswerOption(label=EVIL, description=EVIL),)
    )
    coming, waiting = asked(station, question)
    ada = station.signed_in("ada")
    pages = ada.get("/web/").text + ada.get(f"/web/questions/{waiting.id}").text

    assert "<script>alert" not in pages
    assert "\u202e" not in pages
    answer(ada, waiting, words="no")
    assert ("no",) == coming.result(10)
