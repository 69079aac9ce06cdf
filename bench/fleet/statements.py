"""What a node says to the shared store, kept as statements, and said again to newer tables.

While machines are upgraded one after the other, nodes of the version before go on beside new ones.
So that a test can be such a node, `record` lets this version live on its tables and keeps every
statement with its values. `replay` says them to other tables, and what comes back is compared.

    .venv/bin/python -m bench.fleet.statements       writes the file of the newest table change
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from bench.approval_races import race_request
from postgres_server import PostgresServer
from signoff.challenge.pending import Given, RequestState, Settlement
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.grant import NewGrant
from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.storage.approvals.answer_store import AnswerLease, IdempotentRequest
from signoff.storage.confirmed.fleet import SharedRow
from signoff.storage.postgresql.approvals.answers import PostgresAnswers
from signoff.storage.postgresql.approvals.grants import PostgresExecutionTokens, PostgresGrants
from signoff.storage.postgresql.approvals.requests import PostgresRequests
from signoff.storage.postgresql.approvals.standing import PostgresRows
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import Db, StoreLink
from signoff.storage.postgresql.migrating import migrations, prepare
from signoff.storage.postgresql.record import PostgresRecord

FOLDER = Path(__file__).parents[2] / "tests" / "storage" / "postgresql" / "older"
RESET = "SELECT pg_advisory_unlock_all"  # the driver's own, between two users of a connection


class Statement(msgspec.Struct, frozen=True):
    """One statement and its values; bytes as `{"base64": ...}`."""

    sql: str
    values: tuple[Any, ...]


class Reply(msgspec.Struct, frozen=True):
    """What the store said: which rows, and what was done."""

    rows: tuple[dict[str, Any], ...]
    done: str


class RecordingLink(StoreLink):
    """Keeps what is said on its connections."""

    said: list[Statement]

    async def acquire(self, until_s: float | None = None) -> Db:
        """Return a connection that is listened to."""
        db = await super().acquire(until_s)
        db.add_query_logger(self._note)
        return db

    async def release(self, db: Db, *, is_broken: bool = False) -> None:
        """Give it back: what the driver says then is its own."""
        db.remove_query_logger(self._note)
        await super().release(db, is_broken=is_broken)

    def _note(self, query: Any) -> None:  # noqa: ANN401 - asyncpg declares no types
        self.said.append(Statement(query.query.strip(), tuple(map(_kept, query.args))))


def record(server: PostgresServer) -> list[Statement]:
    """Live on a new database; return what was said."""
    link = RecordingLink(server.address(), prepare=prepare)
    link.said = []
    try:
        link.run(_nothing)
        asyncio.run(_live(link))
    finally:
        link.close()
    return [one for one in link.said if not one.sql.startswith(RESET)]


async def replay(db: Db, said: Iterable[Statement]) -> list[Reply]:
    """Say statements again; return what came back."""
    replies = []
    for one in said:
        prepared = await db.prepare(one.sql)
        rows = await prepared.fetch(*map(_meant, one.values))
        replies.append(Reply(tuple(map(dict, rows)), prepared.get_statusmsg()))
    return replies


def read_kept(path: Path) -> list[Statement]:
    """Read what a version said."""
    return msgspec.json.decode(path.read_bytes(), type=list[Statement])


async def _live(link: StoreLink) -> None:
    """Do everything a node does with its store."""
    tables = RequestTables(link, fingerprint="a key")
    requests = PostgresRequests(tables)
    await requests.recover()
    await _decide(link)
    await _ask(tables, requests)
    await _stand(tables, requests)
    await _answer(tables)


async def _decide(link: StoreLink) -> None:
    """Write entries, read and verify them, remove the contents of some."""
    chain, key = PostgresRecord(link), SessionKey(agent="claude", session="s1")
    await asyncio.to_thread(chain.check_writable)
    for number in range(3):
        update = SessionUpdate(key=key, function="f", written=("/a",))
        await chain.append(RecordDraft(content={"n": number}, session_update=update))
    await chain.remembered(key, "f")
    everything = FleetRecord(link)

    def read() -> None:
        list(everything.entries())
        everything.head()
        list(chain.leaves())
        for one in everything.chains():
            one.verify()
        chain.remove_contents(upto=1)
        list(chain.removed_entries())
        chain.verify()

    await asyncio.to_thread(read)


async def _ask(tables: RequestTables, requests: PostgresRequests) -> None:
    """Ask, answer with yes and no, use what was approved."""
    for number in range(3):
        await requests.open(race_request(number))
    await requests.get("r0")
    await requests.by_nonce((await requests.listed())[0].nonce)
    await requests.shown("r0", "ada")
    await requests.missed("r0", "ada")
    await requests.tried("r0", "ada", "code")
    await requests.tries("r0")
    for number, to in enumerate((RequestState.APPROVED, RequestState.DENIED)):
        verdict = "deny" if number else "allow"
        given = Given(step=0, approver="ada", channel="web", verdict=verdict, seal="s")
        settlement = Settlement(given=given, to=to, use_s=60.0)
        assert await requests.settle(f"r{number}", settlement, digest=f"d{number}")
    moved = RequestState.APPROVED, RequestState.EXECUTING, RequestState.DONE
    tokens = PostgresExecutionTokens(tables)
    await asyncio.to_thread(tokens.leave, "r0", "files")
    for start, to in pairwise(moved):
        assert await requests.move("r0", to, start=start, digest="d0")
    assert await asyncio.to_thread(tokens.take, "r0")
    await requests.move("r2", RequestState.WITHDRAWN, start=RequestState.PENDING)
    assert not await requests.recover()


async def _stand(tables: RequestTables, requests: PostgresRequests) -> None:
    """Give a grant, use and revoke it; hold a lock on all nodes."""

    def stand() -> None:
        grants = PostgresGrants(tables, requests.watch)
        until_s = requests.moment().wall_s + 60.0
        new = NewGrant(
            digest="d9", shape="", agent="claude", session="s1", said="yes", author="ada",
            channel="web", expires_s=until_s, seal="g",
        )  # fmt: skip
        grant = grants.add(new)
        assert grants.find(digest="d9", shape="", agent="claude", session="s1")
        grants.seal(grant.id, "h")
        assert grants.revoke(grant.id)
        rows = PostgresRows(tables, requests.watch)
        row = SharedRow(kind="locks", version=1, content=b"[]", seal="s")
        assert rows.put([row], {"locks": 0})
        assert rows.put([msgspec.structs.replace(row, version=2)], {"locks": 1})
        requests.watch.look()

    await asyncio.to_thread(stand)


async def _answer(tables: RequestTables) -> None:
    """Keep an answer under a request id, and give a turn back."""
    answers = PostgresAnswers(tables, seal=Seal(b"k" * 32))
    for ticket, is_kept in (("t1", True), ("t2", False)):
        asked = IdempotentRequest(key=f"k-{ticket}", ticket=ticket, digest="d", files="f")
        turn = await answers.begin(asked)
        assert isinstance(turn, AnswerLease)
        await (answers.keep(turn, b"{}") if is_kept else answers.leave(turn))
    assert await answers.find("t1")


async def _nothing(_: object) -> None:
    """Connect, so that the tables are made and nothing of that is recorded."""


def _kept(value: object) -> object:
    """Return a value as JSON can hold it."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    return [_kept(one) for one in value] if isinstance(value, list | tuple) else value


def _meant(value: object) -> object:
    """Return a kept value as it was."""
    if isinstance(value, dict):
        return base64.b64decode(value["base64"])
    return [_meant(one) for one in value] if isinstance(value, list) else value


def main() -> None:
    """Write what this version says."""
    server = PostgresServer()
    try:
        server.make()
        server.start()
        said = record(server)
    finally:
        server.remove()
    path = FOLDER / f"{migrations()[-1].name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(said), indent=1) + b"\n")
    print(f"{path.name}: {len(said)} statements")


if __name__ == "__main__":
    main()
