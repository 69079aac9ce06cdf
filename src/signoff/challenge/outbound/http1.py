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
from collections.abc import Mapping

from msgspec import Struct, field

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint, may_call

LINE_LIMIT = 8_192
HEADERS_LIMIT = 100
BODY_LIMIT = 1 << 20
INTERIM_LIMIT = 5
CONNECT_S = 3.0  # for one address


class HttpAnswer(Struct, frozen=True, kw_only=True):
    """An HTTP response; header names in lower case."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


async def post(
    endpoint: OutboundEndpoint, path: str, *, headers: Mapping[str, str], body: bytes
) -> HttpAnswer:
    """Post a body and return the answer, whatever its status.

    Raises:
        CallFailed: there was no whole answer.
    """
    return await call(endpoint, "POST", path, headers=headers, body=body)


async def call(
    endpoint: OutboundEndpoint, method: str, path: str, *, headers: Mapping[str, str], body: bytes
) -> HttpAnswer:
    """Send a request and return the answer, whatever its status.

    Args:
        method: `GET`, `POST` or `PUT`.

    Raises:
        CallFailed: there was no whole answer.
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
    lines = [f"{method} {endpoint.path}{path} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items())]
    # A line end in a key or path would inject headers.
    if any(not line.isascii() or not line.isprintable() for line in lines):
        raise CallFailed("the key or address holds characters that cannot be sent")
    request = "\r\n".join([*lines, "", ""]).encode("ascii") + body
    try:
        reader, writer = await _connect(endpoint)
        try:
            writer.write(request)
            await writer.drain()
            return await _read(reader)
        finally:
            # `close` would wait for a TLS goodbye that a stalled server never sends.
            writer.transport.abort()
    except ssl.SSLError as error:
        raise CallFailed("its certificate is not accepted") from error
    except (OSError, EOFError, ValueError) as error:
        raise CallFailed(f"the connection failed: {type(error).__name__}", may_pass=True) from error


async def resolve(endpoint: OutboundEndpoint) -> tuple[str, ...]:
    """Return the addresses the host stands for now, all of them checked.

    Raises:
        CallFailed: it stands for none, or one of them must not be called.
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
    """Connect to the first of the checked addresses that takes the call.

    Raises:
        CallFailed: none may be called.
        OSError: none took it.
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


async def _read(reader: asyncio.StreamReader) -> HttpAnswer:
    """Read one answer; interim ones are passed over."""
    for _ in range(INTERIM_LIMIT):
        status = await _status(reader)
        headers = await _headers(reader)
        if status >= 200:
            break
    else:
        raise CallFailed("it never came to an answer")
    if headers.get("content-encoding", "identity") != "identity":
        raise CallFailed("the answer is packed, which was not asked for")
    return HttpAnswer(status=status, headers=headers, body=await _body(reader, headers))


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
        if not colon or ((name := name.lower()) in headers and name in _SINGLE):
            raise CallFailed("the answer's headers are not HTTP")
        headers[name] = value.strip()
    raise CallFailed("the answer has too many headers")


_SINGLE = frozenset({"content-length", "transfer-encoding", "content-encoding"})


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    """Read the body, however its length is told."""
    coding, length = headers.get("transfer-encoding"), headers.get("content-length")
    if coding is not None:
        if coding.lower() != "chunked" or length is not None:
            raise CallFailed("the answer's length is told in a way that is not taken")
        return await _chunks(reader)
    if length is not None:
        return await reader.readexactly(_size(length, base=10))
    body = bytearray()
    while piece := await reader.read(65_536):
        body += piece
        _size(len(body))
    return bytes(body)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    """Read a body that comes in pieces."""
    body = bytearray()
    while size := _size((await _line(reader)).partition(";")[0].strip(), base=16):
        _size(len(body) + size)
        body += await reader.readexactly(size)
        if await _line(reader):
            raise CallFailed("the answer's pieces fail verification")
    await _headers(reader)
    return bytes(body)


def _size(said: str | int, *, base: int = 10) -> int:
    """Return a length within its limit."""
    if isinstance(said, str):
        if not said.isascii() or not said.isalnum() or len(said) > 9:
            raise CallFailed("the answer's length is no number")
        said = int(said, base)
    if said > BODY_LIMIT:
        raise CallFailed("the answer is too long")
    return said
