"""Carries the requests of the SDK's OAuth client: over our own connections, with their bounds.

An address that a server names is called only if signoff may call it: https, no metadata service, no
redirect, no proxy. A server elsewhere cannot have programs of this machine called.

    await carried(provider, first, Wire(is_local=False))
"""

from __future__ import annotations

from contextlib import aclosing

import httpx2
from msgspec import Struct

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint, may_call
from signoff.challenge.outbound.http1 import call, resolve
from signoff.frontends.mcp.oauth.signing_in import LoginFailed

CHALLENGE = "www-authenticate"
REQUESTS_MOST = 20  # of one sign-in: discovery asks at up to eight addresses
# What `call` says itself, or what would change how the answer is read.
OWN_HEADERS = frozenset({"host", "connection", "content-length", "accept-encoding", "user-agent"})


class Wire(Struct, frozen=True, kw_only=True):
    """Sends the requests of a sign-in.

    Args:
        is_local: the MCP server is on this machine, so other local addresses may be called too.
    """

    is_local: bool

    async def checked(self, url: httpx2.URL) -> OutboundEndpoint:
        """Return host and port of an address that a server named, if it may be called.

        Raises:
            LoginFailed: it is on this machine, and the server is not.
            SignoffError: it must not be called.
        """
        endpoint = OutboundEndpoint.parse(f"{url.scheme}://{url.netloc.decode('ascii')}")
        if url.userinfo:
            raise LoginFailed(f"`{endpoint.host}`: an address with a user's name is not called")
        if not self.is_local and any(_is_here(one) for one in await resolve(endpoint)):
            raise LoginFailed(f"`{endpoint.host}` leads to this machine, and the server does not")
        return endpoint

    async def sent(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and return its complete response.

        Raises:
            SignoffError: it must not be sent, or there was no whole answer.
        """
        endpoint = await self.checked(request.url)
        headers = {k: v for k, v in request.headers.items() if k.lower() not in OWN_HEADERS}
        # `httpx2` writes names in lower case; `call` has defaults under these.
        titled = {"-".join(part.title() for part in k.split("-")): v for k, v in headers.items()}
        path = request.url.raw_path.decode("ascii")
        body = await request.aread()
        answer = await call(endpoint, request.method, path, headers=titled, body=body)
        return httpx2.Response(
            answer.status, headers=dict(answer.headers), content=answer.body, request=request
        )


async def wire_to(resource: str) -> Wire:
    """Return the sender of requests for a server.

    Args:
        resource: the server's address.

    Raises:
        SignoffError: it must not be called.
    """
    addresses = await resolve(OutboundEndpoint.parse(resource))
    return Wire(is_local=all(_is_here(one) for one in addresses))


async def carried(
    auth: httpx2.Auth, first: httpx2.Request, wire: Wire, *, scope: str = ""
) -> httpx2.Response:
    """Send a request with its whole authentication flow; return the last response.

    Args:
        scope: what to ask for, "" = what the server's first answer says.

    Raises:
        SignoffError: a request must not be sent, or there was no whole answer.
    """
    async with aclosing(auth.async_auth_flow(first)) as flow:
        request = await anext(flow)
        for _ in range(REQUESTS_MOST):
            response = await wire.sent(request)
            if scope and request is first and CHALLENGE in response.headers:
                # The first `scope` counts.
                rest = response.headers[CHALLENGE].partition(" ")[2]
                response.headers[CHALLENGE] = f'Bearer scope="{scope}", {rest}'
            try:
                request = await flow.asend(response)
            except StopAsyncIteration:
                return response
    raise CallFailed("the server wants too many requests for one sign-in")


def _is_here(address: str) -> bool:
    # Plain http goes to this machine alone: the same table says which addresses those are.
    return may_call(address, is_https=False)
