"""Answers under request ids in the shared store: one turn, one answer, and nothing forged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import pytest

from made_tables import made_address
from postgres_server import shared_server
from signoff.challenge.proofs.seal import Seal
from signoff.errors import TamperedRecord
from signoff.storage.approvals.answer_store import (
    AnswerLease,
    IdempotentRequest,
    LostLease,
    StoredAnswer,
)
from signoff.storage.postgresql.approvals import answers
from signoff.storage.postgresql.approvals.answers import PostgresAnswers
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare

ASKED = IdempotentRequest(key="k", ticket="t1", digest="d", files="f")
AGAIN = IdempotentRequest(key="k", ticket="t2", digest="d", files="f")
SEAL = Seal(b"k" * 32)

Two = tuple[PostgresAnswers, PostgresAnswers]


def with_two(
    steps: Callable[
        [PostgresAnswers, PostgresAnswers, Callable[[str], str]], Coroutine[None, None, None]
    ],
    *,
    held_s: float = 60.0,
) -> None:
    """Run a test's steps with two nodes, and a person at the database."""
    server = shared_server()
    address = made_address()
    links = [StoreLink(address, prepare=prepare) for _ in "ab"]
    first, second = (
        PostgresAnswers(RequestTables(link), seal=SEAL, held_s=held_s) for link in links
    )

    def sql(text: str) -> str:
        return server.sql(address.database, f"SET search_path = signoff; {text}")

    try:
        asyncio.run(steps(first, second, sql))
    finally:
        for link in links:
            link.close()


async def turn_of(node: PostgresAnswers, asked: IdempotentRequest = ASKED) -> AnswerLease:
    """Take the turn."""
    begun = await node.begin(asked)
    assert isinstance(begun, AnswerLease)
    return begun


def test_one_node_has_the_turn_and_all_find_its_answer() -> None:
    """By the request id as well as by the ticket."""

    async def steps(first: PostgresAnswers, second: PostgresAnswers, _: object) -> None:
        turn = await turn_of(first)
        at_it = await second.begin(AGAIN)
        await first.keep(turn, b"yes")

        assert StoredAnswer(digest="d", files="f", body=b"") == at_it
        assert b"yes" == (await second.begin(AGAIN)).body  # type: ignore[union-attr]  # kept
        assert b"yes" == (await second.find("t1")).body  # type: ignore[union-attr]  # kept
        assert await second.find("t2") is None

    with_two(steps)


def test_of_many_who_ask_at_once_one_gets_the_turn() -> None:
    """The database says which."""

    async def steps(first: PostgresAnswers, second: PostgresAnswers, _: object) -> None:
        # Tickets are drawn, so no two callers have one.
        asked = [
            IdempotentRequest(key="k", ticket=f"t{n}", digest="d", files="f") for n in range(20)
        ]
        begun = await asyncio.gather(
            *((first, second)[n % 2].begin(one) for n, one in enumerate(asked))
        )

        assert 1 == sum(isinstance(one, AnswerLease) for one in begun)

    with_two(steps)


def test_a_turn_nobody_holds_is_taken_over() -> None:
    """Whoever had it can keep nothing then."""

    async def steps(
        first: PostgresAnswers, second: PostgresAnswers, sql: Callable[[str], str]
    ) -> None:
        lost = await turn_of(first)
        sql("UPDATE kept_answers SET held_until = 1")
        turn = await turn_of(second, AGAIN)

        with pytest.raises(LostLease):
            await first.keep(lost, b"yes")
        await second.keep(turn, b"no")
        assert b"no" == (await first.begin(ASKED)).body  # type: ignore[union-attr]  # kept

    with_two(steps)


def test_a_turn_of_another_action_is_not_taken_over() -> None:
    """Else the id of a dead node's call could be given to another one."""

    async def steps(
        first: PostgresAnswers, second: PostgresAnswers, sql: Callable[[str], str]
    ) -> None:
        await turn_of(first)
        sql("UPDATE kept_answers SET held_until = extract(epoch FROM now()) - 1")
        other = IdempotentRequest(key="k", ticket="t2", digest="other", files="f")

        assert "d" == (await second.begin(other)).digest  # type: ignore[union-attr]  # kept

    with_two(steps)


def test_a_turn_is_held_as_long_as_its_node_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """People take longer than any turn."""
    monkeypatch.setattr(answers, "HOLD_EVERY_S", 0.05)

    async def steps(first: PostgresAnswers, second: PostgresAnswers, _: object) -> None:
        turn = await turn_of(first)
        for _ in range(6):
            await asyncio.sleep(0.3)
            assert isinstance(await second.begin(AGAIN), StoredAnswer)
        await first.keep(turn, b"yes")

    with_two(steps, held_s=1.0)


def test_a_turn_that_is_given_back_is_free() -> None:
    """At once: what failed is decided anew."""

    async def steps(first: PostgresAnswers, second: PostgresAnswers, _: object) -> None:
        await first.leave(await turn_of(first))

        await turn_of(second, AGAIN)

    with_two(steps)


@pytest.mark.parametrize(
    "change",
    [
        "answer = 'allow'",
        "seal = repeat('0', 64)",
        "key = 'other'",
        "digest = 'other'",
        "files = 'other'",
        "answered = answered + 1",
    ],
)
def test_a_row_that_was_changed_answers_nothing(change: str) -> None:
    """Who can write the database has not the key of the nodes."""

    async def steps(
        first: PostgresAnswers, second: PostgresAnswers, sql: Callable[[str], str]
    ) -> None:
        await first.keep(await turn_of(first), b"deny")
        sql(f"UPDATE kept_answers SET {change}")

        with pytest.raises(TamperedRecord):
            await second.find("t1")

    with_two(steps)


@pytest.mark.parametrize("answered", ["answered - 601", "answered + 3600"])
def test_an_answer_is_kept_for_a_while(answered: str) -> None:
    """One from before a clock was set back is over as well."""

    async def steps(
        first: PostgresAnswers, second: PostgresAnswers, sql: Callable[[str], str]
    ) -> None:
        await first.keep(await turn_of(first), b"yes")
        sql(f"UPDATE kept_answers SET answered = {answered}")

        await turn_of(second, AGAIN)

    with_two(steps)


def test_what_is_over_is_removed() -> None:
    """The table does not grow with every call there ever was."""

    async def steps(
        first: PostgresAnswers, second: PostgresAnswers, sql: Callable[[str], str]
    ) -> None:
        await first.keep(await turn_of(first), b"yes")
        sql("UPDATE kept_answers SET answered = answered - 601")
        await turn_of(second, IdempotentRequest(key="other", ticket="t3", digest="d", files="f"))

        assert "other" == sql("SELECT key FROM kept_answers")

    with_two(steps)
