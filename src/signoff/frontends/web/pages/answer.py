"""Pages that hand the answer in a form to the approval service.

Nothing is decided here. The review time runs from the moment the page was really in view and its
script said so, with the token; whoever merely loads a page starts no clock.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse
from starlette.responses import Response as HttpResponse

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import (
    AnswerOutcome,
    ApprovalScope,
    OutcomeKind,
    Response,
)
from signoff.challenge.pending import PendingRequest
from signoff.challenge.proofs.seal import spaced
from signoff.challenge.proofs.steps import TEXT_LIMIT as PROOF_LIMIT
from signoff.challenge.terms.approver import ApproverRole
from signoff.challenge.terms.policy import TEXT_LIMIT as POLICY_LIMIT
from signoff.challenge.terms.step import Proof
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.payloads import parse_object
from signoff.frontends.web.forms import FormData
from signoff.frontends.web.pages.request import draw_request, is_too_long, missing
from signoff.frontends.web.passkeys.presence import check_presence, purpose_of, takes_passkey
from signoff.frontends.web.visit import Visit, go

WORDS_LIMIT = 4_000
EDITED_LIMIT = 200_000
LONGEST_MIN = 240
QUESTIONS_LIMIT = 3

STATUSES: Mapping[OutcomeKind, int] = {
    OutcomeKind.PROOF_WANTED: 422,
    OutcomeKind.WRONG_PROOF: 422,
    OutcomeKind.TOO_FAST: 425,
    OutcomeKind.TOO_LATE: 410,
    OutcomeKind.ALREADY: 409,
    OutcomeKind.NOT_ALLOWED: 403,
    OutcomeKind.UNKNOWN: 404,
}


async def see(visit: Visit) -> HttpResponse:
    """POST /web/requests/{id}/seen: record that the page is visible; return the reading time left.

    The code for `signoff approve` is told here and is in no page: a cookie alone, which other
    servers of this machine get to see, must not be enough to read it.
    """
    id, requests = visit.request.path_params["id"], visit.parts.requests
    outcome = await visit.parts.approval_service.open(id, visit.identity)
    if outcome.step is None:
        return JSONResponse({"left_s": 0, "words": outcome.words})
    seen_s = await requests.shown(id, visit.approver.id)
    left_s = max(0.0, outcome.step.min_review_s - seen_s)
    code = visit.parts.codes.of(id) if visit.may(ApproverRole.APPROVER) else ""
    return JSONResponse({"left_s": round(left_s, 2), "words": "", "code": spaced(code)})


async def take(visit: Visit) -> HttpResponse:
    """POST /web/requests/{id}/answer: approve or deny."""
    pending = await visit.parts.requests.get(visit.request.path_params["id"])
    if pending is None:
        return missing(visit)
    try:
        response = _response(visit, pending)
    except BadPayload as error:
        outcome = AnswerOutcome(kind=OutcomeKind.WRONG_PROOF, words=str(error), pending=pending)
        return draw_request(visit, pending, outcome=outcome, status=422)
    if await _is_unseen(visit, pending, response):
        words = "too fast: the page was not in view yet"
        outcome = AnswerOutcome(kind=OutcomeKind.TOO_FAST, words=words, pending=pending)
        return draw_request(visit, pending, outcome=outcome, status=STATUSES[outcome.kind])
    # Last, as it uses the proof up.
    if refused := _passkey_problem(visit, pending, response):
        outcome = AnswerOutcome(kind=OutcomeKind.PROOF_WANTED, words=refused, pending=pending)
        return draw_request(visit, pending, outcome=outcome, status=STATUSES[outcome.kind])
    outcome = await visit.parts.approval_service.answer(response)
    now = await visit.parts.requests.get(pending.id) or pending
    await visit.parts.live.update(now)
    if outcome.counted:
        visit.visitor.notice = outcome.words
        return go(f"/web/requests/{pending.id}")
    return draw_request(visit, now, outcome=outcome, status=STATUSES.get(outcome.kind, 400))


async def _is_unseen(visit: Visit, pending: PendingRequest, response: Response) -> bool:
    """Tell whether an approval comes before the page was ever in view; its clock runs from now."""
    requests, approver = visit.parts.requests, visit.approver.id
    if response.verdict is not Verdict.ALLOW or not pending.state.is_open:
        return False
    if await requests.seen_s(pending.id, approver) is not None:
        return False
    await requests.shown(pending.id, approver)
    return True


def _passkey_problem(visit: Visit, pending: PendingRequest, response: Response) -> str:
    """Say what is wrong with the passkey an approval takes, "" if nothing is or it takes none."""
    passkeys, approver = visit.parts.passkeys, visit.approver.id
    if response.verdict is not Verdict.ALLOW or not pending.state.is_open:
        return ""
    try:
        if takes_passkey(passkeys, pending, approver):
            check_presence(passkeys, visit.form, purpose=purpose_of(pending), approver=approver)
    except SignoffError as error:
        return str(error)
    return ""


def _response(visit: Visit, pending: PendingRequest) -> Response:
    """Return what the form says.

    Raises:
        BadPayload: a field is not as it must be.
    """
    form = visit.form
    verdict = {"approve": Verdict.ALLOW, "deny": Verdict.DENY}.get(form.text("answer"))
    if verdict is None:
        raise BadPayload("choose to approve or to deny")
    # The page offers no approval then, but a form need not come from the page.
    if verdict is Verdict.ALLOW and is_too_long(pending.card):
        raise BadPayload("the call is too long to be read: it can only be denied")
    is_approval = verdict is Verdict.ALLOW
    return Response(
        request_id=pending.id,
        nonce=form.text("nonce"),
        identity=visit.identity,
        verdict=verdict,
        let_in_by=visit.let_in_by,
        words=form.text("words", limit=WORDS_LIMIT),
        proof=_proof(form),
        scope=_scope(form) if is_approval else ApprovalScope.ONCE,
        minutes=form.number("minutes", low=1, high=LONGEST_MIN, default=15),
        edited=_edited(form) if is_approval else None,
        policy=form.text("policy", limit=POLICY_LIMIT) if is_approval else "",
    )


def _proof(form: FormData) -> Proof:
    """Return the proof a form brings; of a quiz the choices in order, -1 for none."""
    given = [
        form.number(f"choice{at}", low=0, high=20, default=-1)
        for at in range(QUESTIONS_LIMIT)
        # Browsers send no field for a question without a choice; `question` says that it was
        # asked.
        if f"choice{at}" in form.fields or f"question{at}" in form.fields
    ]
    return Proof(choices=tuple(given), text=form.text("explanation", limit=PROOF_LIMIT))


def _scope(form: FormData) -> ApprovalScope:
    """Return how far the approval reaches; the second button says it alone."""
    if form.text("button") == ApprovalScope.SESSION.value:
        return ApprovalScope.SESSION
    try:
        return ApprovalScope(form.text("scope") or ApprovalScope.ONCE.value)
    except ValueError:
        raise BadPayload("the approval reaches once, for the session, or for minutes") from None


def _edited(form: FormData) -> Mapping[str, Json] | None:
    """Return edited arguments, None if they were left as they are."""
    text = form.text("edited", limit=EDITED_LIMIT)
    # As the page held it: the same JSON can be written in many ways.
    before = form.text("unedited", limit=EDITED_LIMIT)
    if not text or text == before:
        return None
    return parse_object(text)
