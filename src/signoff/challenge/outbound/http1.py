"""One HTTP/1.1 request and its answer, over a connection of its own, with a bound on everything.

No redirects, no proxies, no cookies, nothing from the environment: what the settings say is
called, and nothing else. The name is resolved right before the call, every address it stands for
is looked at, and the call goes to the very one that was looked at: a name that changes its mind
in between leads nowhere. How long it may take is the caller's (`asyncio.timeout`); how much may
come is bound here. An answer that is cut off is a failure, never a shorter answer.

    answer = await post(endpoint, "/v1/messages", headers={"x-api-key": key}, body=b"{}")
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Mapping

from msgspec import Struct, field

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint, may_call

LINE_LIMIT = 8_192  # bytes; the stream itself refuses a longer line, so no head fills the memory
HEADERS_LIMIT = 100
BODY_LIMIT = 1 << 20  # no answer we ask for comes near it; a larger one is refused, not cut
PIECE = 65_536
INTERIM_LIMIT = 5  # of 1xx answers (RFC 9110, 15.2): a server could send them for ever
CONNECT_S = 3.0  # for one address


class HttpAnswer(Struct, frozen=True, kw_only=True):
    """An HTTP response; header names in lower case."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


async def post(
    endpoint: OutboundEndpoint, path: str, *, headers: Mapping[str, str], body: bytes
) -> HttpAnswer:
    """Send a POST request and return the response, whatever its status.

    Raises:
        CallFailed: there was no whole answer.
    """
    return await call(endpoint, "POST", path, headers=headers, body=body)


async def call(
    endpoint: OutboundEndpoint, method: str, path: str, *, headers: Mapping[str, str], body: bytes
) -> HttpAnswer:
    """Send an HTTP request and return the response, whatever its status.

    Args:
        method: `GET`, `POST` or `PUT`.

    Raises:
        CallFailed: there was no whole answer.
    """
    async with opened(endpoint, method, path, headers=headers, body=body) as stream:
        return HttpAnswer(
            status=stream.status, headers=stream.headers, body=b"".join([p async for p in stream])
        )


class HttpStream(Struct, frozen=True, kw_only=True):
    """A response whose body is still to be read; header names in lower case.

    Args:
        limit: bytes of the whole body, None = as many as come.
    """

    status: int
    headers: Mapping[str, str]
    reader: asyncio.StreamReader
    limit: int | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body in pieces, as they come.

        Raises:
            CallFailed, OSError, EOFError: it is cut off or too long.
        """
        size, told = 0, self.headers.get("content-length")
        # Before anything is read: asking again would bring the same.
        if self.limit is not None and told is not None and _size(told, base=10) > self.limit:
            raise CallFailed("the answer is too long")
        async for piece in _pieces(self.reader, self.headers):
            size += len(piece)
            if self.limit is not None and size > self.limit:
                raise CallFailed("the answer is too long")
            yield piece


@contextlib.asynccontextmanager
async def opened(
    endpoint: OutboundEndpoint,
    method: str,
    path: str,
    *,
    headers: Mapping[str, str],
    body: bytes,
    limit: int | None = BODY_LIMIT,
) -> AsyncIterator[HttpStream]:
    """Send a request and yield the response as soon as its headers are there.

    Args:
        limit: largest body in bytes, None = any.

    Raises:
        CallFailed: there was no whole answer.
    """
    request = _request(endpoint, f"{method} {endpoint.path}{path}", headers, body)
    try:
        reader, writer = await _connect(endpoint)
        try:
            writer.write(request)
            await writer.drain()
            status, told = await _head(reader)
            yield HttpStream(status=status, headers=told, reader=reader, limit=limit)
        finally:
            # `close` would wait for a TLS goodbye that a stalled server never sends.
            writer.transport.abort()
    # Before OSError, which it is a kind of: a certificate does not get better by trying again.
    except ssl.SSLError as error:
        raise CallFailed("its certificate is not accepted") from error
    except (OSError, EOFError, ValueError) as error:
        raise CallFailed(f"the connection failed: {type(error).__name__}", may_pass=True) from error


def _request(
    endpoint: OutboundEndpoint, line: str, headers: Mapping[str, str], body: bytes
) -> bytes:
    """Return the bytes of a request.

    Raises:
        CallFailed: it holds characters that cannot be sent.
    """
    head = {
        "Host": endpoint.authority,
        "Accept": "application/json",
        # A small compressed answer could expand to gigabytes.
        "Accept-Encoding": "identity",
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers,
    }
    lines = [f"{line} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items())]
    # A line end in a key or path would inject headers.
    if any(not line.isascii() or not line.isprintable() for line in lines):
        raise CallFailed("the key or address holds characters that cannot be sent")
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


async def resolve(endpoint: OutboundEndpoint) -> tuple[str, ...]:
    """Return the host's current IP addresses, each checked against `may_call`.

    Raises:
        CallFailed: it has none, or one of them must not be called.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CallFailed("its name is not known", may_pass=True) from error
    addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses:
        raise CallFailed("its name is not known", may_pass=True)
    # All of them: one private address among public ones is DNS rebinding, not a spare server.
    if not all(may_call(address, is_https=endpoint.is_https) for address in addresses):
        raise CallFailed("its name leads to an address that is not called")
    return addresses


async def connected(endpoint: OutboundEndpoint) -> socket.socket:
    """Open a TCP connection to the first of the checked addresses that accepts one.

    Raises:
        CallFailed: none may be called.
        OSError: none accepted.
    """
    # Connect to a checked address, not to the name: a second lookup could give another one.
    *others, last = await resolve(endpoint)
    for address in others:
        with contextlib.suppress(OSError):
            return await _connected_to(address, endpoint.port)
    return await _connected_to(last, endpoint.port)


async def _connected_to(address: str, port: int) -> socket.socket:
    """Connect to one address; one that is silent must not use up the time of the others."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    line = socket.socket(family, socket.SOCK_STREAM)
    # `sock_connect` takes sockets that do not block.
    line.settimeout(0)
    try:
        async with asyncio.timeout(CONNECT_S):
            await asyncio.get_running_loop().sock_connect(line, (address, port))
    except BaseException:
        line.close()
        raise
    return line


async def _connect(endpoint: OutboundEndpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect, and where it is https make sure of who is there."""
    line = await connected(endpoint)
    try:
        return await asyncio.open_connection(
            sock=line,
            ssl=ssl.create_default_context() if endpoint.is_https else None,
            server_hostname=endpoint.host if endpoint.is_https else None,
            limit=LINE_LIMIT,
        )
    except BaseException:
        line.close()
        raise


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Read status and headers of one answer; interim ones are passed over."""
    for _ in range(INTERIM_LIMIT):
        status = await _status(reader)
        headers = await _headers(reader)
        if status >= 200:
            break
    else:
        raise CallFailed("it never came to an answer")
    # Sent all the same, it would be read as text that it is not.
    if headers.get("content-encoding", "identity") != "identity":
        raise CallFailed("the answer is packed, which was not asked for")
    return status, headers


async def _line(reader: asyncio.StreamReader) -> str:
    """Read one line without its end."""
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise CallFailed("the answer is cut off", may_pass=True)
    return line.rstrip(b"\r\n").decode("latin-1")


async def _status(reader: asyncio.StreamReader) -> int:
    version, _, rest = (await _line(reader)).partition(" ")
    code = rest[:3]
    if (
        version not in ("HTTP/1.1", "HTTP/1.0")
        or len(code) != 3
        or not (code.isascii() and code.isdigit())
    ):
        raise CallFailed("the answer is not HTTP")
    return int(code)


async def _headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    for _ in range(HEADERS_LIMIT):
        line = await _line(reader)
        if not line:
            return headers
        name, colon, value = line.partition(":")
        # Two lengths, or two codings, let two readers see two bodies (RFC 9112, 6.3; CWE-444).
        if not colon or ((name := name.lower()) in headers and name in _SINGLE):
            raise CallFailed("the answer's headers are not HTTP")
        headers[name] = value.strip()
    raise CallFailed("the answer has too many headers")


_SINGLE = frozenset({"content-length", "transfer-encoding", "content-encoding"})


async def _pieces(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> AsyncIterator[bytes]:
    """Yield the body, however its length is told."""
    coding, length = headers.get("transfer-encoding"), headers.get("content-length")
    if coding is not None:
        # A length beside a coding is the same ambiguity (RFC 9112, 6.1).
        if coding.lower() != "chunked" or length is not None:
            raise CallFailed("the answer's length is told in a way that is not taken")
        async for piece in _chunks(reader):
            yield piece
    elif length is not None:
        left = _size(length, base=10)
        while left:
            piece = await reader.read(min(left, PIECE))
            if not piece:
                raise EOFError
            left -= len(piece)
            yield piece
    else:
        # Neither length nor coding: the body ends with the connection (RFC 9112, 6.3).
        while piece := await reader.read(PIECE):
            yield piece


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield a body that comes in chunks, each in pieces of bounded size."""
    while left := _size((await _line(reader)).partition(";")[0].strip(), base=16):
        while left:
            piece = await reader.readexactly(min(left, PIECE))
            left -= len(piece)
            yield piece
        if await _line(reader):
            raise CallFailed("the answer's pieces fail verification")
    await _headers(reader)


def _size(said: str, *, base: int) -> int:
    """Return a length within its limit."""
    # `int` also reads `+5`, `1_000` and digits of other scripts; ten digits are no length of
    # an answer.
    if not said.isascii() or not said.isalnum() or len(said) > 9:
        raise CallFailed("the answer's length is no number")
    return int(said, base)
