"""The routes in one table, what is checked before each of them, and their description.

Every request passes `RequestMiddleware`: who speaks, what is sent, how much, how many at once.
Requests for decisions are answered by it directly, all others by the router. Nothing behind it can
end in anything but an answer: an exception is a refusal, in the host's own form where a host's hook
asked. The inbox for browsers stands behind the same middleware and checks itself who
is signed in: its callers show a cookie where programs show the token.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from signoff.frontends.decision_json import undecided_json
from signoff.frontends.python.wire import CALLS, OUTCOMES
from signoff.frontends.server.api import ApiRoutes, host_response
from signoff.frontends.server.wire.bodies import JSON
from signoff.frontends.server.wire.calls import decide_call, note_outcome
from signoff.frontends.server.wire.probes import counted, health, ready
from signoff.frontends.server.wire.shield import HOOKS, PublicFence, Shield, is_json, looked_at
from signoff.frontends.strict_json import MAX_BYTES
from signoff.frontends.web.link import PATH as ENTRY
from signoff.frontends.web.oidc.building import BEGIN, CALLBACK
from signoff.frontends.web.site import is_ours
from signoff.serving.peer import PEER

log = logging.getLogger(__name__)

# Requests that wait for people are not among them: see `Metrics.waiting`.
OPEN_LIMIT = 512  # requests at once
OLD_ADDRESS = (
    "The inbox has a new address at each start of signoff, and this is not the present one."
    " Run `signoff open` in a terminal and follow the link it prints."
)

Answer: TypeAlias = Callable[[ApiRoutes, Request], Awaitable[Response]]


class ApiRoute(Struct, frozen=True, kw_only=True):
    """One route of the API: path, method, handler, and the statuses it answers with."""

    method: str
    path: str
    answer: Answer
    said: str
    statuses: Mapping[int, str]


REFUSED = {400: "cannot be read", 401: "no token", 403: "host, origin or scope", 503: "overload"}
RETURNS = frozenset({BEGIN, CALLBACK})
ENDPOINTS = (
    ApiRoute(
        method="POST",
        path="/v1/actions",
        answer=ApiRoutes.act,
        said="Decide about one action.",
        statuses={
            200: "decided",
            202: "somebody is asked; see `location`",
            409: "the request id was used for another action",
            413: "too large",
            415: "no JSON",
            **REFUSED,
        },
    ),
    ApiRoute(
        method="GET",
        path="/v1/actions/{id}",
        answer=ApiRoutes.wait,
        said="Wait up to `wait` seconds for the answer.",
        statuses={200: "decided", 202: "still asked", 404: "not known", **REFUSED},
    ),
    ApiRoute(
        method="POST",
        path=CALLS,
        answer=decide_call,
        said="Decide about one call of a Python program, which waits on this connection.",
        statuses={200: "decided", 409: "the key was used for another call", **REFUSED},
    ),
    ApiRoute(
        method="POST",
        path=OUTCOMES,
        answer=note_outcome,
        said="Note how a call ended that people approved.",
        statuses={200: "whether a request waited for it", **REFUSED},
    ),
    ApiRoute(
        method="POST",
        path="/hooks/{host}",
        answer=ApiRoutes.hook,
        said="Answer a host's hook in its own language; whatever goes wrong is its refusal.",
        statuses={200: "the host's answer", 404: "no such host", 403: "host or origin"},
    ),
    ApiRoute(
        method="POST",
        path="/v1/inspections",
        answer=ApiRoutes.inspect,
        said="Find orders to the model and secrets in texts; nothing is decided or recorded.",
        statuses={200: "what was found", 413: "too large", 415: "no JSON", **REFUSED},
    ),
    ApiRoute(
        method="GET",
        path="/v1/sessions",
        answer=ApiRoutes.listed_sessions,
        said="List the sessions that were seen.",
        statuses={200: "the sessions", **REFUSED},
    ),
    ApiRoute(
        method="GET",
        path="/v1/status",
        answer=ApiRoutes.status,
        said="Say what is in force.",
        statuses={200: "what is in force", **REFUSED},
    ),
    ApiRoute(
        method="GET",
        path="/metrics",
        answer=counted,
        said="Everything that is counted, for Prometheus.",
        statuses={200: "text format 0.0.4", **REFUSED},
    ),
    ApiRoute(
        method="GET",
        path="/healthz",
        answer=health,
        said="Tell that the process lives.",
        statuses={200: "it lives", 403: "host or origin"},
    ),
    ApiRoute(
        method="GET",
        path="/readyz",
        answer=ready,
        said="Tell whether a decision would be recorded now.",
        statuses={200: "it would", 403: "host or origin", 503: "it would not, and why"},
    ),
    ApiRoute(
        method="GET",
        path="/openapi.json",
        answer=ApiRoutes.described,
        said="This description.",
        statuses={200: "OpenAPI 3.1", **REFUSED},
    ),
)


def build_app(
    api: ApiRoutes,
    *,
    shield: Shield | PublicFence | None,
    site: ASGIApp | None = None,
    local: Sequence[Route] = (),
) -> ASGIApp:
    """Build the web application.

    Args:
        shield: checks requests; None for a socket that only its owner can use.
        site: the inbox; served only with a shield.
        local: routes served only without a shield.
    """
    routes = [
        Route(endpoint.path, _bound(endpoint.answer, api), methods=[endpoint.method])
        for endpoint in ENDPOINTS
    ]
    # Only on the Unix socket: its folder is readable by the owner alone, a port by every user.
    routes += local if shield is None else ()
    app = RequestMiddleware(Starlette(routes=routes), api, shield=shield)
    if shield is not None:
        app.site = site
    return app


def _bound(answer: Answer, api: ApiRoutes) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await answer(api, request)

    return endpoint


class DecisionRoute(Struct, frozen=True):
    """A route that asks for a decision, with the parameters found in its path."""

    answer: Callable[[Request], Awaitable[Response]]
    parameters: Mapping[str, str]


class RequestMiddleware:
    """Checks each request before it is served, and turns exceptions into responses."""

    def __init__(
        self, app: ASGIApp, api: ApiRoutes, *, shield: Shield | PublicFence | None
    ) -> None:
        self._app, self._shield, self._hosts, self._metrics = app, shield, api.hosts, api.metrics
        self._tracing = api.tracing
        self._asked = {
            "/v1/actions": DecisionRoute(api.act, {}),
            CALLS: DecisionRoute(partial(decide_call, api), {}),
            **{f"{HOOKS}{host}": DecisionRoute(api.hook, {"host": host}) for host in api.hosts},
        }
        self.site: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                # 1008: against the policy of this server (RFC 6455, 7.4.1).
                await send({"type": "websocket.close", "code": 1008})
            return
        # Decisions skip the router: it costs more than judging a known call.
        if scope["method"] == "POST" and scope["path"] in self._asked:
            response = await self.answer(scope, receive)
            await response(scope, receive, send)
            return
        status, why = self._objection(scope)
        if status:
            await self._refused(scope["path"], status, why)(scope, receive, send)
            return
        self._metrics.open_requests += 1
        try:
            await (self._site_of(scope["path"]) or self._app)(scope, receive, send)
        except Exception:  # noqa: BLE001 - as in `answer`
            # Where an answer was begun already, this raises and the connection is cut.
            await self._failed(scope["path"])(scope, receive, send)
        finally:
            self._metrics.open_requests -= 1

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """Answer a request for a decision, without the router; exceptions become responses."""
        path = scope["path"]
        status, why = self._objection(scope)
        if status:
            return self._refused(path, status, why)
        asked = self._asked[path]
        self._metrics.open_requests += 1
        try:
            # As the router sets it, which these requests do not pass.
            scope["path_params"] = asked.parameters
            with self._tracing.request(path, scope["headers"]):
                return await asked.answer(Request(scope, receive))
        except asyncio.CancelledError:
            # The server ends and waits no longer. A host reads a refusal, where it might take a cut
            # connection for a guard to start again or, worse, for nothing said.
            return self._refused(path, 503, "ending")
        except Exception:  # noqa: BLE001 - nothing ends in anything but an answer; it is logged
            return self._failed(path)
        finally:
            self._metrics.open_requests -= 1

    def _refused(self, path: str, status: int, why: str) -> Response:
        """Count and answer a request that is not served."""
        self._metrics.refused(why)
        return self._refusal(path, status, why)

    def _failed(self, path: str) -> Response:
        """Log, count and answer a request whose serving has failed just now."""
        log.exception("a request failed")
        return self._refused(path, 500, "failure")

    def _objection(self, scope: Scope) -> tuple[int, str]:
        """Say why a request is not served: a status and a word; 0 if it is."""
        shown, path = looked_at(scope["headers"]), scope["path"]
        is_page = self._site_of(path) is not None
        if self._shield is not None:
            is_entry = scope["method"] == "GET" and path == ENTRY
            # Before the token: a web page is turned away whatever it knows (CSRF, DNS rebinding).
            is_return = scope["method"] == "GET" and path in RETURNS
            foreign = self._shield.foreign(
                shown, is_page=is_page, is_entry=is_entry, is_return=is_return
            )
            if foreign:
                return 403, foreign
            if (user := self._shield.hook_user(scope, shown)) is not None:
                scope[PEER] = user
            elif not is_page and (why := self._shield.stranger(path, shown)):
                # Who is known and may not do this needs no other token's challenge (RFC 6750, 3.1).
                return 403 if why == "scope" else 401, why
        # A page of another site cannot send this type without a preflight, which nobody answers.
        if scope["method"] not in ("GET", "HEAD") and not is_page and not is_json(shown):
            return 415, "content-type"
        if any(map(_is_too_large, shown.get(b"content-length", ()))):
            return 413, "size"
        if self._metrics.open_requests >= OPEN_LIMIT:
            return 503, "overload"
        return 0, ""

    def _site_of(self, path: str) -> ASGIApp | None:
        """Return the inbox if the path is one of its own."""
        return self.site if is_ours(path) else None

    def _refusal(self, path: str, status: int, why: str) -> Response:
        """Return a refusal; to a host's hook in its own form, which it reads under 200 only."""
        if why == "host" and self._site_of(path) is not None:
            return PlainTextResponse(OLD_ADDRESS, status)
        said = SAID[why]
        adapter = self._hosts.get(path.removeprefix(HOOKS)) if path.startswith(HOOKS) else None
        # 403 is for web pages, which get nothing in a host's form.
        if adapter is not None and status != 403:
            response = host_response(adapter.failure(said))
            if why == "overload":
                response.headers["signoff-busy"] = "1"
            return response
        return Response(undecided_json(said), status, media_type=JSON)


SAID = {
    "host": "the Host header names no address of this server",
    "origin": "requests from web pages are not served",
    "sec-fetch-site": "requests from web pages are not served",
    "token": "no good token: `Authorization: Bearer ...` with the token of this installation",
    "scope": "this service token is not good for this route: see its scopes",
    "content-type": "expected `Content-Type: application/json`",
    "size": f"the body is over the limit of {MAX_BYTES} bytes",
    "overload": f"more than {OPEN_LIMIT} requests at once",
    "failure": "signoff failed; its log says more",
    "ending": "signoff's daemon ends, so nobody is waited for any more; ask again",
}


def _is_too_large(length: bytes) -> bool:
    # By length first: `int` raises on thousands of digits.
    return not length.isdigit() or len(length) > 9 or int(length) > MAX_BYTES
