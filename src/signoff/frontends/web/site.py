"""The inbox's routes in one table, and what each request must show before a page sees it.

    cookie          for every page; it lets a browser see
    Origin, token   for whatever changes something, always by POST; the token is not in the cookie
    role            what the page says

Host and size are checked before, by the daemon. Every answer carries headers that keep
other pages, scripts and frames out; nothing is loaded from anywhere else.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoff.challenge.terms.approver import Approver
from signoff.effects.admin_acts import AdminAct
from signoff.errors import SignoffError
from signoff.frontends.web.drawing import PageFrame, draw, static_files
from signoff.frontends.web.forms import FormData, read_form, read_query
from signoff.frontends.web.oidc.building import BEGIN, CALLBACK
from signoff.frontends.web.pages import passkeys, sign_in
from signoff.frontends.web.people import CHANNEL
from signoff.frontends.web.routes import ENDPOINTS, WebRoute, is_allowed
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.visit import Visit

log = logging.getLogger(__name__)

Open: TypeAlias = Callable[[InboxServices, Request], Awaitable[Response]]

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        # A service worker would stay in the browser and could answer in our place later.
        "worker-src 'none'",
    )
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: under it browsers send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
SECURE_HEADERS = {"strict-transport-security": "max-age=31536000"}
PRIVATE = "no-store"
FOREVER = "max-age=31536000, immutable"
ACT_FIELDS, ACT_FIELD = ("id", "name", "line", "mode", "agent", "domain", "target"), 2_000
STRANGER = "sign in: run `signoff open` in a terminal on this machine"


def build_site(parts: InboxServices) -> ASGIApp:
    """Build the inbox; it must be behind a middleware that checks `Host`."""
    routes = [
        Route("/", _home, methods=["GET"]),
        Route("/web", _home, methods=["GET"]),
        Route("/web/static/{name}", _static, methods=["GET"]),
        Route("/web/sign-in", _open(sign_in.show, parts), methods=["GET"]),
        Route("/web/sign-in", _open(sign_in.enter, parts), methods=["POST"]),
        Route(
            "/web/sign-in/passkey/options",
            _open(passkeys.begin_sign_in, parts),
            methods=["POST"],
        ),
        Route("/web/sign-in/passkey", _open(passkeys.sign_in, parts), methods=["POST"]),
        Route(BEGIN, _open(sign_in.begin_at_provider, parts), methods=["GET"]),
        Route(CALLBACK, _open(sign_in.come_back, parts), methods=["GET"]),
        Route("/web/proof", _open(sign_in.prove, parts), methods=["POST"]),
        *(
            Route(one.path, _fenced(one, parts), methods=[one.method], name=one.page.__name__)
            for one in ENDPOINTS
        ),
    ]
    more = SECURE_HEADERS if parts.origin.is_secure else {}
    return _with_headers(Starlette(routes=routes), {**HEADERS, **more})


def is_ours(path: str) -> bool:
    """Return whether the inbox serves a path."""
    return path in ("/", "/web") or path.startswith("/web/")


def _fenced(endpoint: WebRoute, parts: InboxServices) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page that only who may sees."""

    async def serve(request: Request) -> Response:
        try:
            visitor = parts.visitors.find(request.cookies.get(parts.origin.cookie, ""))
            # Looked up for each request: who is removed from the list is out at once.
            people = parts.people.listed() if visitor else ()
            approver = next((p for p in people if visitor and p.id == visitor.approver), None)
            if visitor is None or approver is None:
                return _stranger(request)
            is_change = endpoint.method == "POST"
            form = await read_form(request) if is_change else read_query(request)
            # Both: the token stops forged forms, the origin stops a page that learnt a token.
            if is_change and not (is_same_origin(parts, request) and visitor.has(_token(form))):
                return _said(request, parts, "this browser has no token: sign in again", 403)
            if not is_allowed(approver.role, endpoint):
                words = f"that takes the role `{endpoint.least}`; yours is `{approver.role}`"
                return _said(request, parts, words, 403)
            if endpoint.act:
                await parts.record_act(_act_of(endpoint, approver, form))
            visit = Visit(
                parts=parts, request=request, approver=approver, visitor=visitor, form=form
            )
            return await endpoint.page(visit)
        except SignoffError as error:
            return _said(request, parts, str(error), 400)

    return serve


def _act_of(endpoint: WebRoute, approver: Approver, form: FormData) -> AdminAct:
    """Return what the audit log is to hold, before it is done."""
    # Names and ids alone: texts may hold anything, and each is kept where it comes into force.
    told = [f"{name}={text}" for name in ACT_FIELDS if (text := form.text(name, limit=ACT_FIELD))]
    said = f"requested: {', '.join(told)}" if told else "requested"
    return AdminAct(act=endpoint.act, by=approver.id, said=said, channel=CHANNEL)


def _open(page: Open, parts: InboxServices) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page anybody sees; its changes are of one origin all the same."""

    async def serve(request: Request) -> Response:
        if request.method == "POST" and not is_same_origin(parts, request):
            return _said(request, parts, "this does not come from the inbox itself", 403)
        try:
            return await page(parts, request)
        except SignoffError as error:
            return _said(request, parts, str(error), 400)

    return serve


def is_same_origin(parts: InboxServices, request: Request) -> bool:
    """Return whether a change was sent by a page of this very host and port."""
    origins = request.headers.getlist("origin")
    # Exactly one Origin, and it must be there: browsers send it with every POST.
    return origins == [f"{parts.origin.scheme}://{request.headers.get('host', '')}"]


def _token(form: FormData) -> str:
    return form.text("token", limit=100)


def _stranger(request: Request) -> Response:
    """Send who is not signed in to the page that says how to; programs get the words."""
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    return RedirectResponse("/web/sign-in", 303) if is_page else PlainTextResponse(STRANGER, 401)


def _said(request: Request, parts: InboxServices, words: str, status: int) -> Response:
    """Return a page with one sentence."""
    frame = PageFrame(
        page="", title="Not done", approver=None, now_s=parts.requests.moment().wall_s
    )
    page = draw("said.html", frame, words=words)
    return Response(page, status, media_type="text/html")


async def _home(_: Request) -> Response:
    return RedirectResponse("/web/", 303)


async def _static(request: Request) -> Response:
    file = static_files().get(request.path_params["name"])
    if file is None:
        return PlainTextResponse("no such file", 404)
    caching = FOREVER if request.query_params.get("v") == file.digest else "no-cache"
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    # Files of the package alone are packed: pages hold nonces, whose size would tell of them.
    if not file.packed or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.content, media_type=file.kind, headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(file.packed, media_type=file.kind, headers=headers)


def _with_headers(app: ASGIApp, told: Mapping[str, str]) -> ASGIApp:
    """Put our headers on every answer."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(told)
                headers.setdefault("cache-control", PRIVATE)
            await send(message)

        await app(scope, receive, send_with_headers)

    return serve
