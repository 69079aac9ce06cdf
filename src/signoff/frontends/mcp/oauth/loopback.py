"""Takes the browser's answer after a sign-in, on a port of this machine, once (RFC 8252, 7.3).

Only a request for this very address and path counts, and only with the state that was sent out:
anything else is answered 400 and waited past, so that no page and no program of this machine can
end a sign-in or put its own code in place of the person's.

    async with listening(0) as redirect:
        redirect.uri                      http://127.0.0.1:40123/callback
        await redirect.answer(state, within_s=300.0)
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from signoff.errors import BadSettings
from signoff.frontends.mcp.oauth.signing_in import LoginFailed
from signoff.ids import is_same_secret

HOST = "127.0.0.1"
PATH = "/callback"
HEAD_LIMIT = 16_384  # bytes
HEAD_WITHIN_S = 10.0
FIELDS_MOST = 20
START = "<!doctype html><meta charset=utf-8><title>signoff</title><p>"
PAGE = f"{START}signoff has the answer. You can close this page."
NO_PAGE = f"{START}This is no answer to a sign-in."
HEADERS = (
    "content-type: text/html; charset=utf-8\r\ncache-control: no-store\r\n"
    "content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n"
    "referrer-policy: no-referrer\r\nx-content-type-options: nosniff\r\nconnection: close\r\n"
)


class BrowserReturn:
    """A loopback address that the browser is redirected to after the sign-in."""

    def __init__(self, port: int) -> None:
        self._authority = f"{HOST}:{port}"
        self._state = ""
        self._found: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()

    @property
    def uri(self) -> str:
        """The redirect URI for the sign-in server."""
        return f"http://{self._authority}{PATH}"

    async def answer(self, state: str, *, within_s: float) -> Mapping[str, str]:
        """Wait for the redirect with this `state` and return its query fields.

        Raises:
            LoginFailed: none came in time, or the person or the server refused.
        """
        self._state = state
        try:
            async with asyncio.timeout(within_s):
                found = await self._found
        except TimeoutError:
            raise LoginFailed("nobody signed in in time: run the command again") from None
        if "error" in found:
            raise LoginFailed(f"the sign-in server refuses: `{found['error'][:60]}`")
        return found

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one HTTP request of a browser."""
        with contextlib.suppress(OSError, EOFError, ValueError, asyncio.LimitOverrunError):
            async with asyncio.timeout(HEAD_WITHIN_S):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                fields = read_answer(head, authority=self._authority, state=self._state)
                page = PAGE if fields else NO_PAGE
                status = "200 OK" if fields else "400 Bad Request"
                size = f"content-length: {len(page)}\r\n\r\n"
                writer.write(f"HTTP/1.1 {status}\r\n{HEADERS}{size}{page}".encode())
                await writer.drain()
                if fields and not self._found.done():
                    self._found.set_result(fields)
        writer.close()


def read_answer(head: str, *, authority: str, state: str) -> Mapping[str, str]:
    """Return the query fields of a redirect, {} if the request is another one.

    Args:
        head: the request's line and headers.
        authority: expected `Host`.

    Raises:
        ValueError: it is no HTTP request.
    """
    line, *headers = head.split("\r\n")
    method, _, rest = line.partition(" ")
    hosts = [h.partition(":")[2].strip() for h in headers if h.lower().startswith("host:")]
    # A name that leads here by DNS is not the address that was sent out (DNS rebinding).
    if method != "GET" or hosts != [authority] or not state:
        return {}
    parts = urlsplit(rest.rpartition(" ")[0])
    pairs = parse_qsl(parts.query, max_num_fields=FIELDS_MOST)
    fields = dict(pairs)
    # A field given twice could be read in two ways (RFC 6749, 3.1).
    if parts.path != PATH or parts.netloc or len(fields) != len(pairs):
        return {}
    is_ours = is_same_secret(state, fields.get("state", ""))
    return fields if is_ours and ("code" in fields or "error" in fields) else {}


@contextlib.asynccontextmanager
async def listening(port: int) -> AsyncIterator[BrowserReturn]:
    """Listen for the browser's redirect while the block runs.

    Args:
        port: 0 = any free port.

    Raises:
        BadSettings: the port is taken.
    """
    made: list[BrowserReturn] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await made[0].take(reader, writer)

    try:
        server = await asyncio.start_server(take, HOST, port, limit=HEAD_LIMIT)
    except OSError as error:
        raise BadSettings(f"cannot listen on port {port} of {HOST}: {error.strerror}") from error
    made.append(BrowserReturn(server.sockets[0].getsockname()[1]))
    try:
        yield made[0]
    finally:
        server.close()
