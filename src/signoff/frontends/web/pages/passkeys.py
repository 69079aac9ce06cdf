"""Pages about passkeys: adding and removing them, signing in by one, proving presence by one.

Adding the first one takes a browser that its approver signed in themselves. After that, adding and
removing takes a passkey they have, or a recovery code.
"""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.errors import SignoffError
from signoff.frontends.web.forms import read_form
from signoff.frontends.web.link import CODE_LIMIT, Claim
from signoff.frontends.web.pages.sign_in import signed_in
from signoff.frontends.web.passkeys.ceremonies import (
    CREDENTIAL_LIMIT,
    MANAGE,
    NAME_LIMIT,
    SIGN_IN,
)
from signoff.frontends.web.passkeys.presence import check_presence, purpose_of
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.visit import Visit, go

log = logging.getLogger(__name__)

PAGE = "/web/passkeys"
NOT_THEIRS = "somebody else made your sign-in link: add passkeys after `signoff open` of your own"
OLD_LINK = (
    "this link was used, is older than ten minutes, or was made for somebody else: press the button"
    " on the card again"
)
NOT_HERE = "passkeys are not available here: install `signoff[passkeys]` and restart the daemon"


async def show(visit: Visit) -> Response:
    """GET /web/passkeys: the visitor's own passkeys."""
    return _draw(visit)


async def prove(visit: Visit) -> Response:
    """POST /web/passkeys/prove: start the proof that allows changing one's passkeys."""
    return _options(visit, MANAGE)


async def prove_request(visit: Visit) -> Response:
    """POST /web/requests/{id}/passkey: start a passkey proof for a request's next step."""
    pending = await visit.parts.requests.get(visit.request.path_params["id"])
    if pending is None:
        return JSONResponse({"words": "there is no such request any more"}, 404)
    return _options(visit, purpose_of(pending))


async def begin_adding(visit: Visit) -> Response:
    """POST /web/passkeys/options: start adding a passkey."""
    # Who makes a link for somebody else could otherwise add a passkey in their name, and keep it.
    if visit.let_in_by:
        return JSONResponse({"words": NOT_THEIRS}, 403)
    if not visit.parts.passkeys.is_available:
        return JSONResponse({"words": NOT_HERE}, 409)
    try:
        # A stolen session must not get a passkey of its own beside theirs.
        if visit.parts.passkeys.is_wanted(visit.approver.id):
            _check(visit)
        made = visit.parts.passkeys.begin_adding(visit.approver.id, visit.approver.name)
    except SignoffError as error:
        return JSONResponse({"words": str(error)}, 403)
    return Response(made, media_type="application/json")


async def finish_adding(visit: Visit) -> Response:
    """POST /web/passkeys/add: store the new passkey; the first one also shows recovery codes."""
    passkeys, approver = visit.parts.passkeys, visit.approver.id
    is_first = not passkeys.is_wanted(approver)
    credential = visit.form.text("credential", limit=CREDENTIAL_LIMIT)
    name = visit.form.text("name", limit=NAME_LIMIT)
    try:
        added = passkeys.finish_adding(credential, approver=approver, name=name)
        codes = passkeys.file.make_codes(approver) if is_first else ()
    except SignoffError as error:
        return JSONResponse({"words": str(error)}, 403)
    log.info("`%s` added the passkey `%s`", approver, added.name)
    return JSONResponse({"codes": codes})


async def remove(visit: Visit) -> Response:
    """POST /web/passkeys/remove: delete one of the visitor's passkeys."""
    _check(visit)
    passkeys = visit.parts.passkeys.file
    if passkeys.remove(visit.approver.id, visit.form.text("id", limit=2_000)):
        log.info("`%s` removed a passkey", visit.approver.id)
    return go(PAGE)


async def renew_codes(visit: Visit) -> Response:
    """POST /web/passkeys/codes: create new recovery codes, shown only once."""
    _check(visit)
    return _draw(visit, codes=visit.parts.passkeys.file.make_codes(visit.approver.id))


async def begin_sign_in(parts: InboxServices, request: Request) -> Response:
    """POST /web/sign-in/passkey/options: start a sign-in by passkey."""
    await read_form(request)
    if not parts.passkeys.is_known():
        return JSONResponse({"words": "nobody has a passkey here"}, 409)
    return Response(parts.passkeys.begin(purpose=SIGN_IN), media_type="application/json")


async def sign_in(parts: InboxServices, request: Request) -> Response:
    """POST /web/sign-in/passkey: sign in the owner of a passkey."""
    form = await read_form(request)
    credential = form.text("credential", limit=CREDENTIAL_LIMIT)
    asked = form.text("asked", limit=CODE_LIMIT)
    try:
        passkey = parts.passkeys.check(credential, purpose=SIGN_IN)
    except SignoffError as error:
        return JSONResponse({"words": str(error)}, 403)
    links = parts.request_links
    led_to = links.take(asked, passkey.approver) if asked and links else None
    if asked and led_to is None:
        return JSONResponse({"words": OLD_LINK}, 403)
    # Their own authenticator let them in, and nobody else.
    claim = Claim(approver=passkey.approver, made_by=passkey.approver)
    return signed_in(parts, request, claim, way="a passkey", led_to=led_to or "")


def _draw(visit: Visit, *, codes: tuple[str, ...] = ()) -> Response:
    passkeys, approver = visit.parts.passkeys, visit.approver.id
    return visit.draw(
        "passkeys.html",
        page="passkeys",
        title="Passkeys",
        is_available=passkeys.is_available,
        is_stable=visit.request.headers.get("host") == visit.parts.origin.host,
        own=passkeys.file.of(approver),
        codes=codes,
        codes_left=passkeys.file.codes_left(approver),
        name_limit=NAME_LIMIT,
    )


def _check(visit: Visit) -> None:
    """Check that the visitor may change their passkeys."""
    check_presence(visit.parts.passkeys, visit.form, purpose=MANAGE, approver=visit.approver.id)


def _options(visit: Visit, purpose: str) -> Response:
    passkeys = visit.parts.passkeys
    if not passkeys.is_available or not passkeys.is_wanted(visit.approver.id):
        return JSONResponse({"words": NOT_HERE}, 409)
    made = passkeys.begin(purpose=purpose, approver=visit.approver.id)
    return Response(made, media_type="application/json")
