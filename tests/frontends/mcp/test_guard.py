"""A daemon that is gone, hangs, ends or answers nonsense gives no verdict, so no call runs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from scripted import ScriptedGuard

from signoff.frontends.mcp import guard as guards
from signoff.frontends.mcp.guard import CallVerdict, DaemonGuard, GuardFailed, read_verdict
from signoff.frontends.results.inspecting import TextKind, TextToInspect
from signoff.sections import WithoutDaemon
from signoff.settings import Settings

ALLOWED = b'{"verdict": "allow", "reason": "fine", "is_followed": false}'
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def settings(folder: Path, without: WithoutDaemon = WithoutDaemon.REFUSE) -> Settings:
    """Return settings for a state folder."""
    return Settings(config_dir=str(folder), state_dir=str(folder), without_daemon=without)


def answering(
    body: bytes, *, head: bytes = b"signoff-exit: 0\r\n", status: bytes = b"200 OK"
) -> Handler:
    """Return a daemon that answers so."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        length = b"content-length: %d\r\n" % len(body)
        writer.write(b"HTTP/1.1 " + status + b"\r\n" + head + length + b"\r\n" + body)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        writer.close()

    return handle


def judged(folder: Path, handler: Handler, *, within_s: float = 2.0) -> CallVerdict:
    """Have a call judged by a daemon that behaves so."""

    async def play() -> CallVerdict:
        server = await asyncio.start_unix_server(handler, str(folder / "daemon.sock"))
        async with server:
            guard = DaemonGuard(settings(folder))
            try:
                return await guard.judge(b"{}", can_ask=False, within_s=within_s)
            finally:
                guard.close()
                await asyncio.sleep(0.02)  # the daemon sees the end of each connection

    return asyncio.run(play())


def test_a_whole_answer_is_a_verdict(tmp_path: Path) -> None:
    """The positive control."""
    assert judged(tmp_path, answering(ALLOWED)).verdict == "allow"


def test_a_socket_with_a_long_path_is_reached_from_its_folder(tmp_path: Path) -> None:
    """The system takes about a hundred bytes of a path."""
    folder = tmp_path / ("a" * 120)
    folder.mkdir()
    before = Path.cwd()

    async def play() -> CallVerdict:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with contextlib.chdir(folder):
            listening.bind("daemon.sock")
        server = await asyncio.start_unix_server(answering(ALLOWED), sock=listening)
        async with server:
            guard = DaemonGuard(settings(folder))
            try:
                return await guard.judge(b"{}", can_ask=False, within_s=2)
            finally:
                guard.close()
                await asyncio.sleep(0.02)

    assert asyncio.run(play()).verdict == "allow"
    assert Path.cwd() == before


@pytest.mark.parametrize(
    "handler",
    [
        answering(ALLOWED, status=b"500 Oops"),
        answering(ALLOWED, head=b"signoff-exit: 2\r\n"),
        answering(ALLOWED, head=b""),
        answering(b""),
        answering(b"{}"),
        answering(b"allow"),
        answering(ALLOWED[:-1]),
        answering(ALLOWED + ALLOWED),
        answering(b'{"verdict": "allow"}'),
        answering(b'{"verdict": "yes", "reason": ""}'),
        answering(b'{"verdict": "deny", "verdict": "allow", "reason": ""}'),
        answering(b'{"verdict": "deny", "reason": "", "arguments": {}}'),
        answering(b'{"verdict": "allow", "reason": "", "arguments": []}'),
    ],
)
def test_anything_else_is_none(tmp_path: Path, handler: Handler) -> None:
    """Wrong status, no exit status, half an answer, two, another language."""
    with pytest.raises(GuardFailed):
        judged(tmp_path, handler)


async def ending(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """End at once."""
    writer.close()


async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send half of an answer, and end."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nsignoff-exit: 0\r\ncontent-length: 60\r\n\r\n" + ALLOWED[:20])
    await writer.drain()
    writer.close()


async def hanging(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say nothing."""
    with contextlib.suppress(ConnectionError):
        await reader.read()
    writer.close()


@pytest.mark.parametrize("handler", [ending, half, hanging])
def test_a_daemon_that_ends_or_hangs_gives_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handler: Handler
) -> None:
    """One that hangs is noticed before the call's own time is over."""
    monkeypatch.setattr(guards, "SILENCE_S", 0.1)
    monkeypatch.setattr(guards, "ALIVE_S", 0.1)
    started = time.monotonic()

    with pytest.raises(GuardFailed):
        judged(tmp_path, handler, within_s=30)

    assert time.monotonic() - started < 20


def test_a_slow_daemon_that_lives_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People take their time."""
    monkeypatch.setattr(guards, "SILENCE_S", 0.05)

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if b"healthz" not in (head := await reader.readuntil(b"\r\n\r\n")):
            await asyncio.sleep(0.4)
        assert head
        body = b"signoff-exit: 0\r\ncontent-length: %d\r\n\r\n" % len(ALLOWED) + ALLOWED
        writer.write(b"HTTP/1.1 200 OK\r\n" + body)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        writer.close()

    assert judged(tmp_path, slow).verdict == "allow"


def test_without_a_daemon_nothing_runs_where_the_settings_say_so(tmp_path: Path) -> None:
    """`without_daemon: refuse`."""
    with pytest.raises(GuardFailed, match="signoff up"):
        asyncio.run(DaemonGuard(settings(tmp_path)).judge(b"{}", can_ask=False, within_s=1))


def test_without_a_daemon_a_gate_of_this_process_judges(tmp_path: Path) -> None:
    """`without_daemon: in_process`."""
    instead = ScriptedGuard()
    guard = DaemonGuard(settings(tmp_path, WithoutDaemon.IN_PROCESS), instead)

    verdict = asyncio.run(guard.judge(b"{}", can_ask=True, within_s=1))

    assert (verdict.verdict, instead.can_ask) == ("allow", [True])


def test_an_inspection_says_of_every_text_what_is_in_it(tmp_path: Path) -> None:
    """An answer for fewer texts than were asked about is none."""
    text = TextToInspect(kind=TextKind.RESULT, tool="t", text="x")

    async def play(body: bytes, texts: Sequence[TextToInspect]) -> int:
        server = await asyncio.start_unix_server(answering(body), str(tmp_path / "daemon.sock"))
        async with server:
            guard = DaemonGuard(settings(tmp_path))
            try:
                return len(await guard.inspect(texts))
            finally:
                guard.close()
                await asyncio.sleep(0.02)

    one = json.dumps({"texts": [{"findings": []}]}).encode()
    assert asyncio.run(play(one, [text])) == 1
    for body, texts in ((one, [text, text]), (b"{}", [text]), (b"x", [text])):
        with pytest.raises(GuardFailed):
            asyncio.run(play(body, texts))


def test_only_plain_verdicts_are_read() -> None:
    """A followed one and one with other arguments, as the daemon says them."""
    said = read_verdict('{"verdict": "allow", "reason": "r", "arguments": {"a": 1}}')

    assert said == CallVerdict(verdict="allow", reason="r", arguments={"a": 1})


def test_an_answer_without_a_length_is_none(tmp_path: Path) -> None:
    """A call is refused; a report and an alert raise nothing."""

    async def without(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nsignoff-exit: 0\r\n\r\n" + ALLOWED)
        writer.close()

    async def told() -> None:
        async with await asyncio.start_unix_server(without, str(tmp_path / "daemon.sock")):
            guard = DaemonGuard(settings(tmp_path))
            await guard.report(b"{}")
            await guard.alert({"tool": "x"})

    with pytest.raises(GuardFailed):
        judged(tmp_path, without)
    (tmp_path / "daemon.sock").unlink(missing_ok=True)
    asyncio.run(told())
