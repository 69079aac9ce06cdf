"""What sessions did, as rows of the shared store: a fact, how often, and in which order.

All nodes write to the same rows, so an agent that moves to another machine is the same agent.
Texts are kept as bytes: PostgreSQL has no text with a NUL in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from signoff.actions.facts import Denial
from signoff.effects.store import SessionKey, SessionUpdate
from signoff.storage.postgresql.link import Db
from signoff.storage.sessions.session_history import KINDS, MemoryLimits, SessionHistory, counted

Item = TypeVar("Item")
CALL, DENIED = "call", "denied"
PRUNING = 7_306_080_002  # an advisory lock: one node of a tenant at a time forgets
TRY_PRUNING = "SELECT pg_try_advisory_xact_lock(own_lock($1))"
READ = "SELECT kind, item, count FROM session_facts WHERE agent = $1 AND session = $2 ORDER BY at"
# Rows that others are writing stay for the next time: else two could wait for each other.
FORGET_SESSIONS = """
    DELETE FROM session_facts WHERE ctid IN (
        SELECT fact.ctid FROM session_facts AS fact JOIN (
            SELECT agent, session FROM session_facts GROUP BY agent, session
            ORDER BY max(at) DESC OFFSET $1
        ) AS old USING (agent, session) FOR UPDATE OF fact SKIP LOCKED)
    """
FORGET_FACTS = """
    DELETE FROM session_facts WHERE ctid IN (
        SELECT fact.ctid FROM session_facts AS fact JOIN (
            SELECT agent, session, kind, item, row_number() OVER (
                PARTITION BY agent, session, kind
                ORDER BY CASE WHEN kind = 'call' THEN count ELSE at END DESC, item) AS place
            FROM session_facts
        ) AS numbered USING (agent, session, kind, item)
        WHERE place > CASE kind WHEN 'call' THEN $1::int WHEN 'denied' THEN $2::int ELSE $3::int END
        FOR UPDATE OF fact SKIP LOCKED)
    """


class Fact(NamedTuple):
    """The key of one fact about a session."""

    agent: bytes
    session: bytes
    kind: str
    item: bytes


def columns(updates: Iterable[SessionUpdate], tenant: str = "") -> tuple[Sequence[object], ...]:
    """Return the facts of a batch as columns: agent, session, kind, item, count, order.

    Sorted by key, so that two nodes that write the same rows never wait for each other in a ring.
    """
    found: dict[Fact, tuple[int, int]] = {}
    for place, fact in enumerate(fact for update in updates for fact in _facts(update, tenant)):
        count, _ = found.get(fact, (0, 0))
        found[fact] = count + 1, place
    rows = [(*fact, *found[fact]) for fact in sorted(found)]
    return tuple(zip(*rows, strict=True)) if rows else ((),) * 6


def _facts(update: SessionUpdate, tenant: str) -> Iterable[Fact]:
    if not update.key.session:
        return
    who = _agent(update.key, tenant), update.key.session.encode()
    for what in counted(update):
        yield Fact(*who, CALL, what.encode())
    for kind in KINDS:
        for path in getattr(update, kind):
            yield Fact(*who, kind, path.encode())
    for denial in update.denials:
        yield Fact(*who, DENIED, msgspec.json.encode((denial.tool, denial.target, denial.category)))


def _agent(key: SessionKey, tenant: str) -> bytes:
    """Return an agent as the table of all tenants names it: no text in UTF-8 has the byte FF."""
    agent = key.agent.encode()
    return b"\xff" + tenant.encode() + b"\xff" + agent if tenant else agent


async def read_past(
    db: Db, key: SessionKey, limits: MemoryLimits, tenant: str = ""
) -> SessionHistory:
    """Return the history of a session, within the limits."""
    past = SessionHistory()
    if not key.session:
        return past
    rows = await db.fetch(READ, _agent(key, tenant), key.session.encode())
    for kind, item, count in rows:
        if kind == CALL:
            past.calls[item.decode()] = count
        elif kind == DENIED:
            tool, target, category = msgspec.json.decode(item, type=tuple[str, str, str])
            past.denials[Denial(tool=tool, target=target, category=category)] = None
        else:
            getattr(past, kind)[item.decode()] = None
    for kept, most in ((getattr(past, kind), limits.paths) for kind in KINDS):
        _cut(kept, most)
    _cut(past.denials, limits.denials)
    return past


def _cut(kept: dict[Item, None], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]


async def forget(db: Db, limits: MemoryLimits) -> None:
    """Delete the sessions unused for longest, and what single ones have beyond the limits."""
    async with db.transaction():
        # Tried, not waited for: if another node forgets just now, nothing is left to do.
        if await db.fetchval(TRY_PRUNING, PRUNING):
            await db.execute(FORGET_SESSIONS, limits.sessions)
            await db.execute(FORGET_FACTS, limits.functions, limits.denials, limits.paths)
