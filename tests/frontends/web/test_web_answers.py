"""Answers given on pages: what counts, what does not, and what the agent is told."""

from __future__ import annotations

import json
import time

import pytest
from inbox_station import CRITICAL, HIGH, MEDIUM, PEOPLE, REVIEW_S, Station, wait_until

EXPLAINED = (
    "This deletes all of the accounts with delete_all_users in the production database,"
    " every row of the table users, and nobody can bring * back afterwards"
)


def test_an_approval_lets_exactly_that_call_go_on(empty: Station) -> None:
    """It is recorded with who gave it."""
    call, other = empty.ask(MEDIUM), empty.ask(HIGH)
    reply = empty.signed_in("bob").answer(call, "approve")
    said = call.result()

    assert (303, call.page) == (reply.status, reply.location)
    assert ("allow", "web", "executing") == (
        said["verdict"],
        said["decided_by"],
        call.request.state.value,
    )
    assert "pending" == other.request.state.value


def test_a_denial_takes_its_words_to_the_agent(empty: Station) -> None:
    """At once: a refusal needs no proof and no time."""
    call = empty.ask(HIGH)
    empty.signed_in("bob").answer_at_once(call, "deny", words="use a branch, please")
    said = call.result()

    assert "deny" == said["verdict"]
    assert "use a branch, please" in said["reason"]


def test_an_answer_that_comes_too_fast_is_refused(empty: Station) -> None:
    """The clock runs from when the page was in view."""
    call, bob = empty.ask(MEDIUM), empty.signed_in("bob")
    bob.post(f"{call.page}/seen")
    reply = bob.answer_at_once(call, "approve")

    assert (425, "pending") == (reply.status, call.request.state.value)
    assert "too fast" in reply.text


def test_a_page_that_was_only_loaded_starts_no_clock(empty: Station) -> None:
    """However long ago, by whoever had the cookie."""
    call, bob = empty.ask(MEDIUM), empty.signed_in("bob")
    bob.get(call.page)
    time.sleep(REVIEW_S + 0.1)

    assert 425 == bob.answer_at_once(call, "approve").status


def test_how_long_is_left_to_read_is_told(empty: Station) -> None:
    """By the approval service's own clock."""
    call, bob = empty.ask(MEDIUM), empty.signed_in("bob")
    first = bob.post(f"{call.page}/seen").said["left_s"]
    time.sleep(REVIEW_S + 0.05)

    assert 0 < first <= REVIEW_S
    assert 0 == bob.post(f"{call.page}/seen").said["left_s"]


def test_a_quiz_must_be_answered(empty: Station) -> None:
    """No answer is no proof."""
    call = empty.ask(HIGH)
    reply = empty.signed_in("bob").answer(call, "approve")

    assert (422, "pending") == (reply.status, call.request.state.value)


def test_a_wrong_answer_does_not_count(empty: Station) -> None:
    """And after some of them somebody else must answer."""
    call, bob = empty.ask(HIGH), empty.signed_in("bob")
    wrong = {name: str((int(n) + 1) % 4) for name, n in call.right_choices().items()}
    found = [bob.answer(call, "approve", **wrong).status for _ in range(3)]

    assert [422, 422, 422] == found
    assert 403 == bob.answer(call, "approve", **call.right_choices()).status


def test_the_right_answers_count(empty: Station) -> None:
    """All of them."""
    call = empty.ask(HIGH)
    empty.signed_in("bob").answer(call, "approve", **call.right_choices())

    assert "allow" == call.result()["verdict"]


def test_what_is_critical_takes_two_people(empty: Station) -> None:
    """One explains, another one takes the quiz."""
    call, ada, bob = empty.ask(CRITICAL), empty.signed_in("ada"), empty.signed_in("bob")
    first = ada.answer(call, "approve", explanation=EXPLAINED)
    waiting = call.result(0.1).get("status", "")
    again = ada.answer(call, "approve", **call.right_choices())
    second = bob.answer(call, "approve", **call.right_choices())

    assert [303, 403, 303] == [first.status, again.status, second.status]
    assert "decided" != waiting
    assert "allow" == call.result()["verdict"]


def test_one_admin_is_not_two_people(empty: Station) -> None:
    """T-43: a link for somebody else gives no part of what takes several people."""
    call, ada = empty.ask(CRITICAL), empty.signed_in("ada")
    as_bob = empty.signed_in("bob", made_by="ada")
    early = as_bob.answer(call, "approve", explanation=EXPLAINED)
    ada.answer(call, "approve", explanation=EXPLAINED)
    late = as_bob.answer(call, "approve", **call.right_choices())

    assert ([403, 403], True) == ([early.status, late.status], "ada` signed you in" in late.text)
    assert "pending" == call.request.state.value


def test_the_record_says_who_signed_them_in(empty: Station) -> None:
    """T-43: what is approved by a link of somebody else has both names in the record."""
    call = empty.ask(MEDIUM)
    empty.signed_in("bob", made_by="ada").answer(call, "approve", words="go on")
    call.result()
    bodies = [json.loads(entry.body) for entry in empty.store.entries()]

    assert [("bob", "go on [signed in by ada]")] == [(b["approver"], b["words"]) for b in bodies]


def test_one_refusal_ends_what_takes_two(empty: Station) -> None:
    """Whoever's turn it is."""
    call, ada, bob = empty.ask(CRITICAL), empty.signed_in("ada"), empty.signed_in("bob")
    ada.answer(call, "approve", explanation=EXPLAINED)
    bob.answer_at_once(call, "deny")

    assert "deny" == call.result()["verdict"]


def test_what_was_typed_and_did_not_count_is_not_lost(empty: Station) -> None:
    """It stands in the page again."""
    call = empty.ask(CRITICAL)
    reply = empty.signed_in("ada").answer(call, "approve", explanation="too <short>\nby far")

    assert 422 == reply.status
    assert "too &lt;short&gt;\nby far</textarea>" in reply.text


def test_an_approval_for_the_session_covers_the_like_of_it(empty: Station) -> None:
    """Which the page says and lists."""
    call, ada = empty.ask(MEDIUM), empty.signed_in("ada")
    page = ada.get(f"/web/requests/{call.request_id}").text
    ada.answer(call, "approve", scope="once", button="session")
    call.result()

    assert "For this session covers: " in page

    assert "Approvals that still hold" in ada.get("/web/policies").text
    assert 1 == len(empty.parts.grants.listed())


def test_a_grant_is_ended_by_a_press(empty: Station) -> None:
    """It covers nothing after."""
    call, bob = empty.ask(MEDIUM), empty.signed_in("bob")
    bob.answer(call, "approve", scope="exact", minutes="15")
    before = empty.parts.grants.listed()
    bob.post("/web/grants/revoke", id=before[0].id)

    assert (1, 0) == (len(before), len(empty.parts.grants.listed()))


def test_an_approval_may_bring_a_policy(empty: Station) -> None:
    """It is kept for the tool, under the name of who said it."""
    call, ada = empty.ask(MEDIUM), empty.signed_in("ada")
    reply = ada.answer(call, "approve", policy="pruning is fine on Fridays")
    kept = empty.parts.policies.listed()

    assert [("pruning is fine on Fridays", "Bash", "ada")] == [
        (policy.text, policy.tool, policy.author) for policy in kept
    ]
    assert "kept as pol_0" in ada.get(reply.location).text


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "maybe"},
        {"answer": ""},
        {"scope": "forever"},
        {"minutes": "-1"},
        {"minutes": "1000000"},
        {"choice0": "x"},
        {"edited": "{not json"},
        {"words": "x" * 5_000},
    ],
)
def test_a_form_that_makes_no_sense_changes_nothing(empty: Station, fields: dict[str, str]) -> None:
    """And is told what is wrong with it."""
    call = empty.ask(MEDIUM)
    given = {"nonce": call.request.nonce, "answer": "approve", **fields}
    reply = empty.signed_in("ada").post(f"{call.page}/answer", **given)

    assert (422, "pending") == (reply.status, call.request.state.value)


def test_an_old_or_copied_card_counts_for_nothing(empty: Station) -> None:
    """The number on it must be that of the request."""
    call, bob = empty.ask(MEDIUM), empty.signed_in("bob")
    reply = bob.post(f"{call.page}/answer", nonce="0" * 32, answer="deny")

    assert (404, "pending") == (reply.status, call.request.state.value)


def test_who_comes_second_is_told_so(empty: Station) -> None:
    """By name of who was first."""
    call, ada, bob = empty.ask(MEDIUM), empty.signed_in("ada"), empty.signed_in("bob")
    ada.answer_at_once(call, "deny")
    reply = bob.answer(call, "approve")

    assert 409 == reply.status
    assert "already denied by ada" in reply.text


def test_a_request_that_is_not_there_cannot_be_answered(empty: Station) -> None:
    """Nor is it seen."""
    bob = empty.signed_in("bob")

    assert 404 == bob.post("/web/requests/none/answer", answer="deny").status
    assert 404 == bob.get("/web/requests/none").status


def test_only_those_who_may_answer_are_told_the_code(empty: Station) -> None:
    """The code for a terminal approves as much as a press: who only looks gets neither."""
    call = empty.ask(MEDIUM)
    replies = {name: empty.signed_in(name).post(f"{call.page}/seen") for name in PEOPLE}
    told = {who: it.status == 200 and bool(it.said["code"]) for who, it in replies.items()}

    assert {who for who, is_told in told.items() if is_told} == {"ada", "bob"}


def test_the_code_leaves_memory_with_its_request(empty: Station) -> None:
    """The daemon keeps the codes of open requests only."""
    call, other = empty.ask(MEDIUM), empty.ask(HIGH)
    before = [empty.parts.codes.of(one.request_id) for one in (call, other)]
    empty.signed_in("bob").answer_at_once(call, "deny")
    wait_until(lambda: not empty.parts.codes.of(call.request_id))

    assert all(before)
    assert before[1] == empty.parts.codes.of(other.request_id)
