"""Requests and grants as rows of the shared store: how they are written and read back.

Texts of people and agents are kept as bytes: PostgreSQL has no text with a NUL in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from signoff.challenge.pending import (
    ClockReading,
    NewRequest,
    PendingRequest,
)
from signoff.challenge.terms.grant import Grant
from signoff.storage.approvals.rows import asker, given_of, request_of, time_of
from signoff.storage.postgresql.link import Db

INSERT = """
    INSERT INTO requests (id, nonce, digest, action, card, level, challenge, steps, context,
        verifier, asker, asked_on, created, expires)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING *
    """
ANSWERS = "SELECT * FROM answers WHERE request_id = $1 ORDER BY step"


def new_row(new: NewRequest, now_s: float, node: str) -> Sequence[object]:
    """Return the values of a new request's row, in column order."""
    return (
        new.id,
        new.nonce,
        new.digest,
        new.action,
        msgspec.json.encode(new.card),
        new.level.value,
        new.challenge.value,
        msgspec.json.encode(new.steps),
        msgspec.json.encode(new.context),
        new.verifier,
        asker(new.context),
        node,
        now_s,
        now_s + new.ttl_s,
    )


async def read_request(db: Db, row: Db) -> PendingRequest:
    """Build a request from its row, with its accepted answers.

    Raises:
        ValueError, MsgspecError: the row is damaged.
    """
    given = await db.fetch(ANSWERS, row["id"])
    return request_of(
        row,
        created=ClockReading(wall_s=row["created"]),
        ends=ClockReading(wall_s=row["expires"]),
        decided_s=row["decided"],
        consumed_s=row["consumed"],
        words=text_of(row["words"]),
        answers=tuple(given_of(one, words=text_of(one["words"])) for one in given),
    )


def read_grant(row: Db) -> Grant:
    """Build a grant from its row."""
    return Grant(
        id=f"gr_{row['number']}",
        digest=row["digest"],
        shape=text_of(row["shape"]),
        session=text_of(row["session"]),
        agent=text_of(row["agent"]),
        said=text_of(row["said"]),
        author=text_of(row["author"]),
        channel=row["channel"],
        created_at=time_of(row["created"]),
        expires_s=row["expires"],
        uses=row["uses"],
        seal=row["seal"],
    )


def bytes_of(text: str) -> bytes:
    """Encode a text as the tables store it."""
    return text.encode("utf-8", "surrogatepass")


def text_of(kept: bytes) -> str:
    """Decode a text the tables stored.

    Raises:
        UnicodeError: it is not one.
    """
    return kept.decode("utf-8", "surrogatepass")
