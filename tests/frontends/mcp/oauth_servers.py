"""A sign-in server and an MCP server that takes its tokens, on two ports of this machine.

The sign-in server speaks OAuth 2.1: metadata (RFC 8414), registration (RFC 7591), codes with PKCE
for one resource (RFC 8707), refresh tokens that hold once, revocation (RFC 7009). One that is sent
again ends the whole family, as for a stolen one. `wrong` makes either server misbehave.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import secrets
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

Wrong = dict[str, Any]


@dataclass
class OAuthServers:
    """Both servers, and what came to them."""

    issuer: str = ""
    resource: str = ""
    wrong: Wrong = field(default_factory=dict)
    expires_in: int = 3_600
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    access: dict[str, dict[str, str]] = field(default_factory=dict)
    refresh: dict[str, dict[str, str]] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    clients: dict[str, dict[str, Any]] = field(default_factory=dict)
    seen: list[tuple[str, str, dict[str, str], str]] = field(default_factory=list)
    replays: int = 0

    def sent_to(self, path: str) -> list[str]:
        """Return the bodies that came to a path."""
        return [body for _, one, _, body in self.seen if one == path]

    # The sign-in server.

    async def described(self, request: Request) -> Response:
        """Say what there is (RFC 8414)."""
        told: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "registration_endpoint": f"{self.issuer}/register",
            "revocation_endpoint": f"{self.issuer}/revoke",
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
        told |= self.wrong.get("server", {})
        return JSONResponse({k: v for k, v in told.items() if v is not None})

    async def register(self, request: Request) -> Response:
        """Register a client (RFC 7591)."""
        wanted = json.loads(await self._noted(request))
        id = f"client-{len(self.clients)}"
        self.clients[id] = wanted
        return JSONResponse({**wanted, "client_id": id}, 201)

    async def authorize(self, request: Request) -> Response:
        """Let the person in at once, and send the browser back."""
        await self._noted(request)
        asked = dict(request.query_params)
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        told = {"code": code, "state": asked["state"], "iss": self.issuer}
        told |= self.wrong.get("answer", {})
        kept = {k: v for k, v in told.items() if v is not None}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(kept)}", 302)

    async def token(self, request: Request) -> Response:
        """Give tokens for a code or a refresh token."""
        form = {k: v[0] for k, v in parse_qs(await self._noted(request)).items()}
        if "token_status" in self.wrong:
            return Response(status_code=self.wrong["token_status"])
        if form["grant_type"] == "refresh_token":
            given = form["refresh_token"]
            if given in self.spent:
                self.replays += 1
                self.refresh.clear()
                self.access.clear()
            known = self.refresh.pop(given, None)
            self.spent.add(given)
        else:
            known = self.codes.pop(form["code"], None)
            if known is not None:
                made = hashlib.sha256(form["code_verifier"].encode()).digest()
                proof = base64.urlsafe_b64encode(made).rstrip(b"=").decode()
                is_same = known["redirect_uri"] == form["redirect_uri"]
                known = known if is_same and known["code_challenge"] == proof else None
        if known is None or known["client_id"] != form["client_id"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        if form.get("resource") != known.get("resource"):
            return JSONResponse({"error": "invalid_target"}, 400)
        access, refresh = f"at-{secrets.token_hex(12)}", f"rt-{secrets.token_hex(12)}"
        self.access[access] = self.refresh[refresh] = known
        told = {"access_token": access, "refresh_token": refresh, "token_type": "Bearer"}
        return JSONResponse({**told, "expires_in": self.expires_in, **self.wrong.get("token", {})})

    async def revoke(self, request: Request) -> Response:
        """Forget a token (RFC 7009)."""
        form = parse_qs(await self._noted(request))
        self.refresh.pop(form["token"][0], None)
        return Response()

    # The MCP server.

    async def protected(self, request: Request) -> Response:
        """Say where tokens come from (RFC 9728)."""
        told = {"resource": self.resource, "authorization_servers": [self.issuer]}
        return JSONResponse({**told, **self.wrong.get("resource", {})})

    async def call(self, request: Request) -> Response:
        """Answer a request of MCP that bears a token for this server."""
        body = await self._noted(request)
        if to := self.wrong.get("redirect"):
            return RedirectResponse(to, 307)
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        known = self.access.get(token)
        if known is None or known.get("resource") != self.resource:
            origin = self.resource.removesuffix("/mcp")
            where = f"{origin}/.well-known/oauth-protected-resource/mcp"
            told = {"www-authenticate": f'Bearer resource_metadata="{where}"'}
            return Response(status_code=401, headers=told)
        if (scope := self.wrong.get("scope")) and scope not in known.get("scope", ""):
            told = {"www-authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'}
            return Response(status_code=403, headers=told)
        answer = {"jsonrpc": "2.0", "id": json.loads(body)["id"], "result": {"content": []}}
        return JSONResponse(answer)

    async def _noted(self, request: Request) -> str:
        body = (await request.body()).decode()
        self.seen.append((request.method, request.url.path, dict(request.headers), body))
        return body

    def sign_in_app(self) -> Starlette:
        """Return the sign-in server."""
        get = ["GET"]
        return Starlette(
            routes=[
                Route("/.well-known/oauth-authorization-server", self.described, methods=get),
                Route("/register", self.register, methods=["POST"]),
                Route("/authorize", self.authorize, methods=get),
                Route("/token", self.token, methods=["POST"]),
                Route("/revoke", self.revoke, methods=["POST"]),
            ]
        )

    def resource_app(self) -> Starlette:
        """Return the MCP server."""
        return Starlette(
            routes=[
                Route("/.well-known/oauth-protected-resource/mcp", self.protected),
                Route("/mcp", self.call, methods=["POST", "GET", "DELETE"]),
            ]
        )


@asynccontextmanager
async def oauth_servers() -> AsyncIterator[OAuthServers]:
    """Run both servers in this loop."""
    made = OAuthServers()
    listening = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    made.issuer, origin = (f"http://127.0.0.1:{one.getsockname()[1]}" for one in listening)
    made.resource = f"{origin}/mcp"
    apps = (made.sign_in_app(), made.resource_app())
    servers = [
        uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off")) for app in apps
    ]
    running = [
        asyncio.create_task(server._serve(sockets=[one]))
        for server, one in zip(servers, listening, strict=True)
    ]
    while not all(server.started for server in servers):
        await asyncio.sleep(0.01)
    try:
        yield made
    finally:
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*running)


class Browser:
    """What a person's browser does with the link, in a thread."""

    def __init__(self, before: Callable[[str], None] = lambda _: None) -> None:
        self.links: list[str] = []
        self.hosts: list[str] = []
        self.pages: list[int] = []
        self._before = before

    def ask(self, host: str, link: str) -> None:
        """Follow the link."""
        self.hosts.append(host)
        self.links.append(link)
        threading.Thread(target=self._follow, args=(link,), daemon=True).start()

    def _follow(self, link: str) -> None:
        self._before(link)
        self.pages.append(visit(link))


def visit(link: str) -> int:
    """Load a page, and where it leads to; return the status."""
    try:
        with urllib.request.urlopen(link, timeout=20) as page:
            return int(page.status)
    except urllib.error.HTTPError as error:
        return error.code


def redirect_of(link: str) -> str:
    """Return where the browser comes back to."""
    return parse_qs(urlsplit(link).query)["redirect_uri"][0]
