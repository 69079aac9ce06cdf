"""One request: its complete card, and the challenge of the person who answers next."""

from __future__ import annotations

import asyncio
import json

from msgspec import Struct
from starlette.responses import Response

from signoff.actions.action import Json
from signoff.challenge.card import Card
from signoff.challenge.channel import AnswerOutcome
from signoff.challenge.channels.scopes import session_scope
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.approver import ApproverRole
from signoff.errors import SignoffError
from signoff.frontends.web.forms import FormData
from signoff.frontends.web.passkeys.presence import takes_passkey
from signoff.frontends.web.request_view.blocks import call_blocks
from signoff.frontends.web.request_view.effects_list import effects_of, why_asked
from signoff.frontends.web.request_view.risk_scale import risk_scale
from signoff.frontends.web.statistics.call_results import result_with_request
from signoff.frontends.web.visit import Visit

APPROVABLE = 200_000  # characters; what is longer nobody reads, so it can only be denied
EDIT_LIMIT = 20_000
MINUTES = (5, 15, 60)


class RequestPermissions(Struct, frozen=True, kw_only=True):
    """What the visitor may do about a request.

    Args:
        why_not: why they can give no proof now, "" if they can.
        arguments: to be edited, "" where the host takes no others.
        takes_passkey: their approval takes a passkey, too.
    """

    may_answer: bool
    why_not: str = ""
    is_too_long: bool = False
    arguments: str = ""
    takes_passkey: bool = False


async def show(visit: Visit) -> Response:
    """GET /web/requests/{id}: a request's card and the forms to answer it."""
    pending = await visit.parts.requests.get(visit.request.path_params["id"])
    if pending is None:
        return missing(visit)
    if not pending.state.is_open:
        await asyncio.to_thread(visit.parts.statistics.refresh)
    return draw_request(visit, pending)


def missing(visit: Visit) -> Response:
    """Return the page for a request that does not exist."""
    words = "There is no such request (any more). The inbox shows what waits."
    return visit.draw("said.html", page="", title="No such request", words=words, status=404)


def draw_request(
    visit: Visit,
    pending: PendingRequest,
    *,
    outcome: AnswerOutcome | None = None,
    status: int = 200,
) -> Response:
    """Return the page of a request.

    Args:
        outcome: of an answer just given; rejected input is shown again.
        status: HTTP status.
    """
    names = {one.id: one.name or one.id for one in visit.parts.people.listed()}
    return visit.draw(
        "request.html",
        page="request",
        title=pending.card.headline,
        pending=pending,
        card=pending.card,
        step=pending.next_step,
        asked=_asked(visit, pending),
        names=names,
        minutes=MINUTES,
        covers=session_scope(pending),
        blocks=call_blocks(pending.card),
        effects=effects_of(pending.card),
        why=why_asked(pending.card),
        scale=risk_scale(pending.card),
        outcome=outcome,
        result=result_with_request(visit.parts.statistics.result_of_request(pending.id), pending),
        typed=visit.form if outcome else FormData({}),
        status=status,
    )


def is_too_long(card: Card) -> bool:
    """Return whether the call is too long for anybody to read."""
    return sum(len(line) for one in card.arguments for line in one.lines) > APPROVABLE


def _asked(visit: Visit, pending: PendingRequest) -> RequestPermissions:
    if not pending.state.is_open or not visit.may(ApproverRole.APPROVER):
        return RequestPermissions(may_answer=False)
    gave = any(given.approver == visit.approver.id for given in pending.answers)
    return RequestPermissions(
        may_answer=True,
        why_not="You gave your part; the next step takes somebody else." if gave else "",
        is_too_long=is_too_long(pending.card),
        arguments=_editable(pending),
        takes_passkey=_takes_passkey(visit, pending),
    )


def _takes_passkey(visit: Visit, pending: PendingRequest) -> bool:
    """Tell whether approving takes a passkey; where that cannot be read it does."""
    try:
        return takes_passkey(visit.parts.passkeys, pending, visit.approver.id)
    except SignoffError:
        return True


def _editable(pending: PendingRequest) -> str:
    """Return the arguments as JSON to be edited, "" if they cannot be."""
    if not pending.context.may_edit or len(pending.action) > EDIT_LIMIT:
        return ""
    said: Json = json.loads(pending.action)
    arguments = said.get("arguments") if isinstance(said, dict) else None
    if not isinstance(arguments, dict):
        return ""
    # ASCII: no character gets into the field that cannot be seen there (T-36).
    return json.dumps(arguments, indent=2, ensure_ascii=True)
