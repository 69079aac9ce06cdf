"""A server over HTTP that is slow, broken or hostile gives an error, and never another address."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.errors import BadSettings
from signoff.frontends.mcp.relay.http_link import HttpLink, headers_from

LIMIT = 10_000
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x"}}
RESULT = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
META = "io.modelcontextprotocol/"
Reply = Callable[[str, bytes], bytes]


def http(body: bytes, *, status: str = "200 OK", kind: str = "application/json") -> bytes:
    """Return a response."""
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def events(*messages: object, end: str = "\r\n") -> bytes:
    """Return a stream of events."""
    said = "".join(f"event: message{end}data: {json.dumps(one)}{end}{end}" for one in messages)
    return http(said.encode(), kind="text/event-stream")


def exchanged(
    reply: Reply, scene: Callable[[HttpLink], Awaitable[None]], **headers: str
) -> list[tuple[str, bytes]]:
    """Play a scene with a server that replies so; return what it was sent."""
    got: list[tuple[str, bytes]] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        size = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0])
        got.append((head, await reader.readexactly(size)))
        with contextlib.suppress(ConnectionError):
            writer.write(reply(*got[-1]))
            await writer.drain()
        writer.close()

    async def play() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            endpoint = OutboundEndpoint.parse(f"http://127.0.0.1:{port}/mcp")
            link = HttpLink(endpoint, headers, limit=LIMIT)
            try:
                async with asyncio.timeout(60):
                    await scene(link)
            finally:
                await link.close()
                await asyncio.sleep(0.02)

    asyncio.run(play())
    return got


async def told(link: HttpLink) -> Any:  # noqa: ANN401 - any message
    """Return the next message."""
    line = await link.receive()
    assert line is not None
    return json.loads(line)


@pytest.mark.parametrize(
    "reply",
    [http(json.dumps(RESULT, indent=1).encode()), events(RESULT), events(RESULT, end="\n")],
    ids=["json", "events", "events with bare line ends"],
)
def test_an_answer_comes_as_one_line(reply: bytes) -> None:
    """In either form."""

    async def scene(link: HttpLink) -> None:
        await link.send(json.dumps(CALL).encode())
        assert await told(link) == RESULT

    ((head, body),) = exchanged(lambda *_: reply, scene, Authorization="Bearer t")
    assert json.loads(body) == CALL
    assert "Authorization: Bearer t\r\n" in head
    assert "Accept: application/json, text/event-stream\r\n" in head


@pytest.mark.parametrize(
    "reply",
    [
        http(b"", status="401 Unauthorized"),
        http(b"<html>", status="502 Bad Gateway", kind="text/html"),
        b"HTTP/1.1 307 See\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
        b"nonsense\r\n\r\n",
        b"",
        events({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}),
        http(b'{"x": "' + b"a" * LIMIT + b'"}'),
        http(b"data: " + b"a" * LIMIT, kind="text/event-stream"),
    ],
)
def test_a_request_without_an_answer_gets_an_error(reply: bytes) -> None:
    """Whatever became of it; a redirect leads nowhere."""

    async def scene(link: HttpLink) -> None:
        await link.send(json.dumps(CALL).encode())
        said = await told(link)
        while "method" in said:
            said = await told(link)
        assert said["error"]["message"].startswith("signoff: ")

    assert len(exchanged(lambda *_: reply, scene)) == 1


def test_a_session_is_kept_and_ended() -> None:
    """Its id and the version go with every message, and the end of it is told."""
    result = {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25"}}

    def reply(head: str, body: bytes) -> bytes:
        if b"initialize" not in body:
            return http(b"", status="202 Accepted")
        return http(json.dumps(result).encode()).replace(
            b"content-type", b"mcp-session-id: s1\r\ncontent-type"
        )

    async def scene(link: HttpLink) -> None:
        await link.send(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}')
        await told(link)
        await link.send(b'{"jsonrpc":"2.0","method":"notifications/x"}')
        await asyncio.sleep(0.05)

    first, second, last = (head for head, _ in exchanged(reply, scene))
    assert "mcp-session-id" not in first
    assert "mcp-session-id: s1\r\n" in second
    assert "mcp-protocol-version: 2025-11-25\r\n" in second
    assert last.startswith("DELETE /mcp ")


def test_headers_of_the_newest_protocol_say_what_the_message_says() -> None:
    """Method, name and arguments that the schema wants in headers; odd ones in base64."""
    schema = {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    tools = {"tools": [{"name": "x\u00e4", "inputSchema": schema}]}
    meta = {f"{META}protocolVersion": "2026-07-28"}
    asked = {"name": "x\u00e4", "arguments": {"region": "eu"}, "_meta": meta}

    def reply(head: str, body: bytes) -> bytes:
        said = json.loads(body)
        return http(json.dumps({"jsonrpc": "2.0", "id": said["id"], "result": tools}).encode())

    async def scene(link: HttpLink) -> None:
        listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
        await link.send(json.dumps(listing).encode())
        await told(link)
        await link.send(json.dumps({**CALL, "params": asked}).encode())
        await told(link)

    head = exchanged(reply, scene)[1][0]
    assert "mcp-protocol-version: 2026-07-28\r\n" in head
    assert "mcp-method: tools/call\r\n" in head
    assert "mcp-name: =?base64?eMOk?=\r\n" in head
    assert "mcp-param-Region: eu\r\n" in head


def test_a_header_comes_from_a_variable() -> None:
    """A missing one, and one that would bring another header with it, are refused."""
    assert headers_from({"X": "V"}, {"V": "v"}) == {"X": "v"}
    for name, value in (("X", ""), ("X", "a\r\nY: b"), ("X: y", "v")):
        with pytest.raises(CallFailed):
            headers_from({name: "V"}, {"V": value})


def test_plain_http_leads_to_this_machine_only() -> None:
    """Everything else is https."""
    with pytest.raises(BadSettings):
        OutboundEndpoint.parse("http://example.com/mcp")
