"""Requests as rows: how they are written and read back."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Card
from signoff.challenge.pending import (
    ClockReading,
    Context,
    Given,
    NewRequest,
    PendingRequest,
    RequestState,
)
from signoff.challenge.terms.step import ProofStep


class Columns(Protocol):
    """Port: one row of a database, values by column name."""

    def __getitem__(self, name: str, /) -> Any:  # noqa: ANN401 - each column has a type of its own
        """Return the value of a column."""


LATEST_S = 253_402_214_400.0  # 9999-12-31, the last day a time can name


def new_row(new: NewRequest, now: ClockReading) -> dict[str, str | bytes | float]:
    """Return the values of a new request's row, by column."""
    return {
        "id": new.id,
        "nonce": new.nonce,
        "digest": new.digest,
        "action": new.action,
        "card": msgspec.json.encode(new.card),
        "level": new.level.value,
        "challenge": new.challenge.value,
        "steps": msgspec.json.encode(new.steps),
        "context": msgspec.json.encode(new.context),
        "verifier": new.verifier,
        "asker": asker(new.context),
        "created_wall": now.wall_s,
        "created_running": now.running_s,
        "created_boot": now.boot_id,
        **expiry(now, new.ttl_s),
    }


def asker(context: Context) -> str:
    """Return the key under which a session's open requests are counted: host and session."""
    return msgspec.json.encode((context.host, context.session)).decode()


def state_of(text: str) -> RequestState:
    """Parse a stored state; an unknown one becomes a state that allows nothing (T-61)."""
    try:
        return RequestState(text)
    except ValueError:
        return RequestState.EXPIRED


def expiry(now: ClockReading, ttl_s: float) -> dict[str, str | bytes | float]:
    """Return the end, by both clocks, of something that begins now and lasts `ttl_s` seconds."""
    return {
        "expires_wall": now.wall_s + ttl_s,
        "expires_running": now.running_s + ttl_s,
        "expires_boot": now.boot_id,
    }


def read_request(db: sqlite3.Connection, row: sqlite3.Row) -> PendingRequest:
    """Build a request from its row, with the answers stored for it."""
    answers = db.execute(
        "SELECT step, approver, channel, verdict, proof, words, took_s, was_fast, at_s, seal"
        " FROM given WHERE request_id = ? ORDER BY step",
        (row["id"],),
    )
    return request_of(
        row,
        created=ClockReading(
            wall_s=row["created_wall"],
            running_s=row["created_running"],
            boot_id=row["created_boot"],
        ),
        ends=ClockReading(
            wall_s=row["expires_wall"],
            running_s=row["expires_running"],
            boot_id=row["expires_boot"],
        ),
        decided_s=row["decided_wall"],
        consumed_s=row["consumed_wall"],
        words=row["words"],
        answers=tuple(given_of(given, words=given["words"]) for given in answers),
    )


def request_of(  # noqa: PLR0913 - what the stores keep each in a way of its own
    row: Columns,
    *,
    created: ClockReading,
    ends: ClockReading,
    decided_s: float | None,
    consumed_s: float | None,
    words: str,
    answers: tuple[Given, ...],
) -> PendingRequest:
    """Build a request from a row of any database.

    Args:
        decided_s, consumed_s: seconds since the epoch, None while it has not come to that.
        answers: the accepted answers, in order.
    """
    return PendingRequest(
        id=row["id"],
        nonce=row["nonce"],
        digest=row["digest"],
        action=row["action"],
        card=msgspec.json.decode(row["card"], type=Card),
        level=Level(row["level"]),
        challenge=Challenge(row["challenge"]),
        steps=msgspec.json.decode(row["steps"], type=tuple[ProofStep, ...]),
        context=msgspec.json.decode(row["context"], type=Context),
        state=RequestState(row["state"]),
        created_at=time_of(created.wall_s),
        expires_at=time_of(ends.wall_s),
        created=created,
        ends=ends,
        decided_by=row["decided_by"],
        channel=row["channel"],
        decided_at=_time_if_any(decided_s),
        consumed_at=_time_if_any(consumed_s),
        answers=answers,
        words=words,
        edited=row["edited"],
        verifier=row["verifier"],
    )


def given_of(row: Columns, *, words: str) -> Given:
    """Build an accepted answer from its row in any database."""
    return Given(
        step=row["step"],
        approver=row["approver"],
        channel=row["channel"],
        verdict=row["verdict"],
        proof=row["proof"],
        words=words,
        took_s=row["took_s"],
        was_fast=bool(row["was_fast"]),
        at_s=row["at_s"],
        seal=row["seal"],
    )


def time_of(wall_s: float) -> datetime:
    """Return seconds since the epoch as an aware time, limited to what `datetime` can hold."""
    # A row edited to a time no calendar has would else raise wherever requests are listed (T-61).
    return datetime.fromtimestamp(min(max(wall_s, 0.0), LATEST_S), UTC)


def _time_if_any(wall_s: float | None) -> datetime | None:
    """Return a time that may not have come yet."""
    return None if wall_s is None else time_of(wall_s)
