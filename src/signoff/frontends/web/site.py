"""The inbox's routes in one table, and what each request must show before a page sees it.

    cookie          for every page; it lets a browser see
    Origin, token   for whatever changes something, always by POST; the token is not in the cookie
    role            what the page says

Host and size are checked before, by the daemon. Every answer carries headers that keep
other pages, scripts and frames out; nothing is loaded from anywhere else.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from signoff.challenge.terms.approver import ApproverRole
from signoff.errors import SignoffError
from signoff.frontends.web.drawing import PageFrame, draw, static_files
from signoff.frontends.web.forms import FormData, read_form, read_query
from signoff.frontends.web.pages import (
    answer,
    audit,
    history,
    inbox,
    locks,
    passkeys,
    policies,
    question,
    request,
    rules,
    sessions,
    sign_in,
)
from signoff.frontends.web.pages.reports import (
    costs,
    learned,
    oversight,
    overview,
    softer_line,
    timeline,
    trust,
)
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.visit import RANKS, Visit

log = logging.getLogger(__name__)

Page: TypeAlias = Callable[[Visit], Awaitable[Response]]
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
PRIVATE = "no-store"
FOREVER = "max-age=31536000, immutable"
STRANGER = "sign in: run `signoff open` in a terminal on this machine"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRoute:
    """One route.

    Args:
        least: the role it takes.
    """

    path: str
    page: Page
    least: ApproverRole = ApproverRole.VIEWER
    method: str = "GET"


ENDPOINTS = (
    WebRoute(path="/web/", page=inbox.show),
    WebRoute(path="/web/inbox/list", page=inbox.show_list),
    WebRoute(path="/web/events", page=inbox.events),
    WebRoute(path="/web/requests/{id}", page=request.show),
    WebRoute(path="/web/requests/{id}/seen", page=answer.see, method="POST"),
    WebRoute(
        path="/web/requests/{id}/answer",
        page=answer.take,
        least=ApproverRole.APPROVER,
        method="POST",
    ),
    WebRoute(path="/web/questions/{id}", page=question.show),
    WebRoute(
        path="/web/requests/{id}/passkey",
        page=passkeys.prove_request,
        least=ApproverRole.APPROVER,
        method="POST",
    ),
    WebRoute(path="/web/passkeys", page=passkeys.show),
    WebRoute(path="/web/passkeys/prove", page=passkeys.prove, method="POST"),
    WebRoute(path="/web/passkeys/options", page=passkeys.begin_adding, method="POST"),
    WebRoute(path="/web/passkeys/add", page=passkeys.finish_adding, method="POST"),
    WebRoute(path="/web/passkeys/remove", page=passkeys.remove, method="POST"),
    WebRoute(path="/web/passkeys/codes", page=passkeys.renew_codes, method="POST"),
    WebRoute(
        path="/web/questions/{id}/answer",
        page=question.take,
        least=ApproverRole.APPROVER,
        method="POST",
    ),
    WebRoute(path="/web/overview", page=overview.show),
    WebRoute(path="/web/overview/{name}.csv", page=overview.table),
    WebRoute(path="/web/lines/{name}", page=softer_line.show, least=ApproverRole.ADMIN),
    WebRoute(
        path="/web/softer-lines/keep",
        page=softer_line.keep,
        least=ApproverRole.ADMIN,
        method="POST",
    ),
    WebRoute(
        path="/web/softer-lines/remove",
        page=softer_line.take_back,
        least=ApproverRole.ADMIN,
        method="POST",
    ),
    WebRoute(path="/web/oversight", page=oversight.show),
    WebRoute(path="/web/oversight.csv", page=oversight.table),
    WebRoute(path="/web/timeline", page=timeline.show),
    WebRoute(path="/web/timeline.csv", page=timeline.table),
    WebRoute(path="/web/history", page=history.show),
    WebRoute(path="/web/history/{seq:int}", page=history.show_entry),
    WebRoute(path="/web/audit", page=audit.show),
    WebRoute(path="/web/audit/export", page=audit.export),
    WebRoute(path="/web/rules", page=rules.show),
    WebRoute(path="/web/policies", page=policies.show),
    WebRoute(path="/web/policies/add", page=policies.add, least=ApproverRole.ADMIN, method="POST"),
    WebRoute(
        path="/web/policies/edit", page=policies.edit, least=ApproverRole.ADMIN, method="POST"
    ),
    WebRoute(
        path="/web/policies/remove", page=policies.remove, least=ApproverRole.ADMIN, method="POST"
    ),
    WebRoute(
        path="/web/grants/revoke", page=policies.revoke, least=ApproverRole.APPROVER, method="POST"
    ),
    WebRoute(path="/web/mode", page=policies.set_mode, least=ApproverRole.ADMIN, method="POST"),
    WebRoute(
        path="/web/changes/confirm",
        page=policies.confirm,
        least=ApproverRole.ADMIN,
        method="POST",
    ),
    WebRoute(path="/web/learned", page=learned.show),
    WebRoute(
        path="/web/learned/accept", page=learned.accept, least=ApproverRole.ADMIN, method="POST"
    ),
    WebRoute(
        path="/web/learned/dismiss", page=learned.dismiss, least=ApproverRole.ADMIN, method="POST"
    ),
    WebRoute(
        path="/web/learned/remove", page=learned.remove, least=ApproverRole.ADMIN, method="POST"
    ),
    WebRoute(path="/web/trust", page=trust.show),
    WebRoute(
        path="/web/trust/incident", page=trust.incident, least=ApproverRole.APPROVER, method="POST"
    ),
    WebRoute(
        path="/web/trust/revoke", page=trust.revoke, least=ApproverRole.APPROVER, method="POST"
    ),
    WebRoute(
        path="/web/trust/restore", page=trust.restore, least=ApproverRole.ADMIN, method="POST"
    ),
    WebRoute(path="/web/costs", page=costs.show),
    WebRoute(path="/web/sessions", page=sessions.show),
    WebRoute(path="/web/locks", page=locks.show),
    WebRoute(path="/web/locks/add", page=locks.add, least=ApproverRole.APPROVER, method="POST"),
    WebRoute(path="/web/sign-out", page=sign_in.leave, method="POST"),
)


def build_site(parts: InboxServices) -> ASGIApp:
    """Build the inbox; it must stand behind a middleware that checks the Host."""
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
        Route("/web/proof", _open(sign_in.prove, parts), methods=["POST"]),
        *(
            Route(one.path, _fenced(one, parts), methods=[one.method], name=one.page.__name__)
            for one in ENDPOINTS
        ),
    ]
    return _with_headers(Starlette(routes=routes))


def is_ours(path: str) -> bool:
    """Tell whether the inbox answers for a path."""
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
            if is_change and not (is_same_origin(request) and visitor.has(_token(form))):
                return _said(request, parts, "this browser has no token: sign in again", 403)
            if RANKS[approver.role] < RANKS[endpoint.least]:
                words = f"that takes the role `{endpoint.least}`; yours is `{approver.role}`"
                return _said(request, parts, words, 403)
            visit = Visit(
                parts=parts, request=request, approver=approver, visitor=visitor, form=form
            )
            return await endpoint.page(visit)
        except SignoffError as error:
            return _said(request, parts, str(error), 400)

    return serve


def _open(page: Open, parts: InboxServices) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page anybody sees; its changes are of one origin all the same."""

    async def serve(request: Request) -> Response:
        if request.method == "POST" and not is_same_origin(request):
            return _said(request, parts, "this does not come from the inbox itself", 403)
        try:
            return await page(parts, request)
        except SignoffError as error:
            return _said(request, parts, str(error), 400)

    return serve


def is_same_origin(request: Request) -> bool:
    """Tell whether a change comes from a page of this very host and port."""
    origins = request.headers.getlist("origin")
    # Exactly one Origin, and it must be there: browsers send it with every POST.
    return origins == [f"http://{request.headers.get('host', '')}"]


def _token(form: FormData) -> str:
    return form.text("token", limit=100)


def _stranger(request: Request) -> Response:
    """Send who is not signed in to the page that says how to; programs get the words."""
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    return RedirectResponse("/web/sign-in", 303) if is_page else PlainTextResponse(STRANGER, 401)


def _said(request: Request, parts: InboxServices, words: str, status: int) -> Response:
    """Return one sentence as a page."""
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


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Put our headers on every answer."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", PRIVATE)
            await send(message)

        await app(scope, receive, send_with_headers)

    return serve
