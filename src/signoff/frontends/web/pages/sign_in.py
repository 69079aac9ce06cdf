"""Signing in by a one-time link or at an identity provider, and out.

The page alone changes nothing, so whatever looks at links before people do uses none up: its
script takes the code out of the fragment and sends it.
"""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from signoff.effects.admin_acts import AdminAct
from signoff.frontends.web.drawing import PageFrame, draw
from signoff.frontends.web.forms import read_form
from signoff.frontends.web.link import CODE_LIMIT, Claim, link_of
from signoff.frontends.web.oidc.building import BEGIN
from signoff.frontends.web.oidc.provider import OidcRefused
from signoff.frontends.web.oidc.sign_in import LASTS_S as FLOW_LASTS_S
from signoff.frontends.web.people import CHANNEL
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.sign_ins.visitors import LASTS_S
from signoff.frontends.web.visit import Visit, go

log = logging.getLogger(__name__)

# What may lie at this origin from before: caches, storage and service workers; cookies stay.
CLEARED = '"cache", "storage"'
NONCE_LIMIT = 100
COOKIE = "signoff_oidc"
NOT_HERE = "signing in at a provider is not configured here"
USED = "this link was used, is older than two minutes, or was made before the daemon started"


async def show(parts: InboxServices, request: Request) -> Response:
    """GET /web/sign-in: the page to sign in."""
    frame = PageFrame(
        page="sign-in", title="Sign in", approver=None, now_s=parts.requests.moment().wall_s
    )
    has_oidc = parts.oidc is not None
    page = draw(
        "sign_in.html",
        frame,
        has_passkeys=parts.passkeys.is_known(),
        is_public=parts.origin.is_secure,
        provider=f"{parts.origin.provider_address}{BEGIN}" if has_oidc else "",
    )
    return HTMLResponse(page)


async def enter(parts: InboxServices, request: Request) -> Response:
    """POST /web/sign-in: sign in with a one-time code."""
    form = await read_form(request)
    claim = parts.links.take(form.text("code", limit=CODE_LIMIT))
    if claim is None:
        return JSONResponse({"words": f"{USED}: make a new one with `signoff open`"}, 403)
    return signed_in(parts, request, claim, way=f"a link `{claim.made_by}` made")


def signed_in(
    parts: InboxServices, request: Request, claim: Claim, *, way: str, led_to: str = ""
) -> Response:
    """Sign a browser in; return the response with its cookie.

    Args:
        way: how it signed in, for the log.
        led_to: id of the request to open, "" for the inbox.
    """
    # They may have been removed since the code was made.
    if all(one.id != claim.approver for one in parts.people.listed()):
        return JSONResponse({"words": f"`{claim.approver}` is no approver here"}, 403)
    # A new cookie for each sign-in: one that was known before is worth nothing (CWE-384).
    parts.visitors.end(request.cookies.get(parts.origin.cookie, ""))
    known = parts.visitors.begin(claim)
    parts.statistics.warm_up()
    log.info("`%s` signed in on the web by %s", claim.approver, way)
    told = {"token": known.token, "key": parts.origin.key, "request": led_to}
    response = JSONResponse(told, headers={"clear-site-data": CLEARED})
    response.set_cookie(
        parts.origin.cookie,
        known.cookie,
        max_age=int(LASTS_S),
        path=parts.origin.cookie_path,
        httponly=True,
        secure=parts.origin.is_secure,
        # No link or form of another site brings it along (T-42).
        samesite="strict",
    )
    return response


async def begin_at_provider(parts: InboxServices, _: Request) -> Response:
    """GET /web/oidc/begin: redirect a browser to the provider."""
    if parts.oidc is None:
        raise OidcRefused(NOT_HERE)
    cookie, address = await parts.oidc.begin()
    response = RedirectResponse(address, 303)
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=int(FLOW_LASTS_S),
        path="/web/oidc",
        httponly=True,
        secure=parts.origin.is_secure,
        # The provider's page leads back here: a strict cookie would not come along.
        samesite="lax",
    )
    return response


async def come_back(parts: InboxServices, request: Request) -> Response:
    """GET /web/oidc/callback: sign in a person who returns from the provider."""
    if parts.oidc is None:
        raise OidcRefused(NOT_HERE)
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given:  # two readers could see two values
            raise OidcRefused(f"`{name[:50]}` is given twice")
        given[name] = value
    approver = await parts.oidc.finish(request.cookies.get(COOKIE, ""), given)
    said = f"role {approver.role}, groups {', '.join(approver.groups) or 'none'}"
    await parts.record_act(AdminAct(act="sign-in.oidc", by=approver.id, said=said, channel=CHANNEL))
    log.info("`%s` came back from the provider as %s", approver.id, approver.role)
    codes = parts.links.make(Claim(approver=approver.id, made_by=approver.id))
    response = RedirectResponse(link_of(parts.origin.address(), codes.link), 303)
    response.delete_cookie(COOKIE, path="/web/oidc", httponly=True, samesite="lax")
    return response


async def prove(parts: InboxServices, request: Request) -> Response:
    """POST /web/proof: prove to a page that the daemon it signed in at still answers.

    Nobody need be signed in: pages ask without their cookie, before they know who answers.
    """
    nonce = (await read_form(request)).text("nonce", limit=NONCE_LIMIT)
    return JSONResponse({"proof": parts.origin.prove(nonce)})


async def leave(visit: Visit) -> Response:
    """POST /web/sign-out: sign this browser out."""
    origin = visit.parts.origin
    visit.parts.visitors.end(visit.request.cookies.get(origin.cookie, ""))
    response = go("/web/sign-in")
    response.delete_cookie(
        origin.cookie,
        path=origin.cookie_path,
        httponly=True,
        secure=origin.is_secure,
        samesite="strict",
    )
    return response
