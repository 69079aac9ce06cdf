"""Signing in by a one-time link, and out.

The page alone changes nothing, so whatever looks at links before people do uses none up: its
script takes the code out of the fragment and sends it.
"""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from signoff.frontends.web.drawing import PageFrame, draw
from signoff.frontends.web.forms import read_form
from signoff.frontends.web.link import CODE_LIMIT, Claim
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.visit import Visit, go
from signoff.frontends.web.visitors import LASTS_S

log = logging.getLogger(__name__)

# What may lie at this origin from before: caches, storage and service workers; cookies stay.
CLEARED = '"cache", "storage"'
NONCE_LIMIT = 100
USED = "this link was used, is older than two minutes, or was made before the daemon started"


async def show(parts: InboxServices, request: Request) -> Response:
    """GET /web/sign-in: how to sign in."""
    frame = PageFrame(
        page="sign-in", title="Sign in", approver=None, now_s=parts.requests.moment().wall_s
    )
    passkeys = parts.passkeys
    has_passkeys = passkeys.is_available and bool(passkeys.file.all())
    return HTMLResponse(draw("sign_in.html", frame, has_passkeys=has_passkeys))


async def enter(parts: InboxServices, request: Request) -> Response:
    """POST /web/sign-in: take a code, once."""
    form = await read_form(request)
    claim = parts.links.take(form.text("code", limit=CODE_LIMIT))
    if claim is None:
        return JSONResponse({"words": f"{USED}: make a new one with `signoff open`"}, 403)
    return signed_in(parts, request, claim, way=f"a link `{claim.made_by}` made")


def signed_in(parts: InboxServices, request: Request, claim: Claim, *, way: str) -> Response:
    """Sign a browser in; return what it is to keep.

    Args:
        way: what let it in, in words for the log.
    """
    # They may have been removed since the code was made.
    if all(one.id != claim.approver for one in parts.people.listed()):
        return JSONResponse({"words": f"`{claim.approver}` is no approver here"}, 403)
    # A new cookie for each sign-in: one that was known before is worth nothing (CWE-384).
    parts.visitors.end(request.cookies.get(parts.origin.cookie, ""))
    cookie, visitor = parts.visitors.begin(claim)
    parts.statistics.warm_up()
    log.info("`%s` signed in on the web by %s", claim.approver, way)
    response = JSONResponse(
        {"token": visitor.token, "key": parts.origin.key}, headers={"clear-site-data": CLEARED}
    )
    response.set_cookie(
        parts.origin.cookie,
        cookie,
        max_age=int(LASTS_S),
        path="/web",
        httponly=True,
        # No link or form of another site brings it along (T-42).
        samesite="strict",
    )
    return response


async def prove(parts: InboxServices, request: Request) -> Response:
    """POST /web/proof: prove to a page that the daemon it signed in at still answers.

    Nobody need be signed in: pages ask without their cookie, before they know who answers.
    """
    nonce = (await read_form(request)).text("nonce", limit=NONCE_LIMIT)
    return JSONResponse({"proof": parts.origin.prove(nonce)})


async def leave(visit: Visit) -> Response:
    """POST /web/sign-out: forget this browser."""
    cookie = visit.parts.origin.cookie
    visit.parts.visitors.end(visit.request.cookies.get(cookie, ""))
    response = go("/web/sign-in")
    response.delete_cookie(cookie, path="/web", httponly=True, samesite="strict")
    return response
