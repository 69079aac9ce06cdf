"""Entries of the audit log reach a receiver of syslog: framed, in order, and none is lost."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft
from signoff.errors import BadSettings
from signoff.frontends.auditing.pushing import (
    BOM,
    DATAGRAM_LIMIT,
    SyslogPush,
    SyslogTarget,
    syslog_message,
)
from signoff.storage.sqlite import SqliteStore
from signoff.values import replace

HEAD = re.compile(rb"^<(\d+)>1 (\S+) (\S+) signoff - (\S+) - " + BOM)
WAIT_S = 60


class Receiver:
    """Takes messages with their lengths before them, on a port of loopback."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self._tasks: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def listening(self, push: SyslogPush) -> AsyncIterator[None]:
        """Listen until the block ends, as the target of a push."""
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        push.target = replace(push.target, port=server.sockets[0].getsockname()[1])
        try:
            yield
        finally:
            push.close()
            server.close()
            await asyncio.gather(*self._tasks)

    async def until(self, count: int) -> list[int]:
        """Wait for so many messages; return the numbers of their entries."""
        async with asyncio.timeout(WAIT_S):
            while len(self.messages) < count:
                await asyncio.sleep(0.01)
        return [json.loads(one.partition(BOM)[2])["seq"] for one in self.messages]

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.append(task)
        while length := (await reader.read(1)):
            while (digit := await reader.readexactly(1)) != b" ":
                length += digit
            self.messages.append(await reader.readexactly(int(length)))
        writer.close()


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Return a port on which nobody listens, and nobody can."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an audit log."""
    store = SqliteStore(str(tmp_path / "record.db"))
    fill(store, 3)
    yield store
    store.close()


def fill(store: SqliteStore, n: int, text: str = "") -> None:
    """Add entries."""
    content = {"ts": "2026-03-01T10:00:00.000000+00:00", "host": "h 1", "verdict": "deny"}
    store.append_batch([RecordDraft(content={**content, "text": text, "n": k}) for k in range(n)])


def push_to(store: SqliteStore, port: int, transport: str = "tcp") -> SyslogPush:
    """Return what sends the log; the number it has sent is kept for this port."""
    target = SyslogTarget.parse(f"syslog+{transport}://127.0.0.1:{port}", "jsonl")
    return SyslogPush(store, target, folder=str(Path(store.path).parent / "push"))


def test_new_entries_are_sent_and_none_is_lost(store: SqliteStore, closed_port: int) -> None:
    """From the first start on; while nobody listens they wait, also for the next process."""

    async def day() -> list[int]:
        receiver, push = Receiver(), push_to(store, closed_port)
        await push.send_new()  # begins here: what is older is exported by hand
        async with receiver.listening(push):
            fill(store, 2)
            await push.send_new()
            await receiver.until(2)
        fill(store, 250)
        next_process = push_to(store, closed_port)
        with pytest.raises(OSError, match="onnect"):
            await next_process.send_new()
        async with receiver.listening(next_process):
            await next_process.send_new()
            return await receiver.until(252)

    assert [*range(4, 256)] == asyncio.run(day())


def test_a_receiver_that_is_away_is_told(store: SqliteStore, closed_port: int) -> None:
    """With the number of entries that wait; the loop goes on by itself."""

    async def day() -> tuple[str, str]:
        receiver, push = Receiver(), push_to(store, closed_port)
        await push.send_new()
        fill(store, 4)
        task = asyncio.create_task(push.run())
        said = await told(push, is_problem=True)
        async with receiver.listening(push):
            await receiver.until(4)
            after = await told(push, is_problem=False)
            task.cancel()
            await asyncio.wait([task])
        return said, after

    said, after = asyncio.run(day())
    assert said.startswith("4 entries wait for syslog+tcp://127.0.0.1:")
    assert after == ""


async def told(push: SyslogPush, *, is_problem: bool) -> str:
    """Wait until there is a problem, or none any more; return it."""
    async with asyncio.timeout(WAIT_S):
        while bool(push.problem()) is not is_problem:
            await asyncio.sleep(0.01)
    return push.problem()


def test_datagrams_are_sent_and_what_is_too_long_is_counted(store: SqliteStore) -> None:
    """One message a datagram, without a length before it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(WAIT_S)
        push = push_to(store, receiver.getsockname()[1], "udp")
        asyncio.run(push.send_new())
        fill(store, 1)
        fill(store, 1, text="x" * DATAGRAM_LIMIT)
        asyncio.run(push.send_new())
        message = receiver.recv(65_536)

    assert HEAD.match(message)
    assert "1 entry was too long" in push.problem()


@pytest.mark.parametrize("form", ["ocsf", "cef", "jsonl"])
def test_a_message_is_of_rfc_5424(form: str) -> None:
    """Priority of the audit facility, time, host without blanks, and the length in front."""
    target = SyslogTarget.parse("syslog+tls://siem.example.org", form)
    content = {"ts": "2026-03-01T10:00:00+00:00", "host": "my\nhost 1", "verdict": "allow"}
    length, _, message = syslog_message(content, target).partition(b" ")
    found = HEAD.match(message)

    assert (len(message), 6514) == (int(length), target.port)
    assert found
    assert (b"110", b"2026-03-01T10:00:00+00:00", b"myhost1", b"allow") == found.groups()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://h",
        "syslog://h",
        "syslog+tls://",
        "syslog+x://h",
        "syslog+tcp://h:0/",
        "syslog+tcp://u@h",
        "syslog+tcp://h/x",
        "syslog+tcp://h:x",
    ],
)
def test_another_address_is_refused(url: str) -> None:
    """And the message says what is expected."""
    with pytest.raises(BadSettings, match=r"expected `syslog\+tls"):
        SyslogTarget.parse(url, "ocsf")
