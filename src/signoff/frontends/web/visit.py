"""One request of a browser on its way to a page: who asks, with what form, and what they get.

visit.draw("inbox.html", page="inbox", title="Inbox", pending=pending)
"""

from __future__ import annotations

from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.frontends.web.drawing import PageFrame, draw
from signoff.frontends.web.forms import FormData
from signoff.frontends.web.people import CHANNEL
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.sign_ins.visitors import Visitor
from signoff.frontends.web.statistics.call_results import result_with_request
from signoff.storage.commits.waiting_outcomes import NOT_SEEN

RANKS = {role: rank for rank, role in enumerate(ApproverRole)}


class Visit(Struct, frozen=True, kw_only=True):
    """What one page of the web inbox gets: the request and the signed-in person.

    Args:
        form: the submitted fields, or the query's fields for a GET.
    """

    parts: InboxServices
    request: Request
    approver: Approver
    visitor: Visitor
    form: FormData = field(default_factory=lambda: FormData({}))

    @property
    def identity(self) -> Identity:
        """The visitor's identity, as answers are recorded under it."""
        return Identity(CHANNEL, self.approver.id)

    @property
    def let_in_by(self) -> str:
        """Who made the sign-in link the visitor used, "" if they made it themselves."""
        return "" if self.visitor.made_by == self.approver.id else self.visitor.made_by

    @property
    def now_s(self) -> float:
        """Seconds since the epoch."""
        return self.parts.requests.moment().wall_s

    def may(self, role: ApproverRole) -> bool:
        """Return whether the visitor has at least this role."""
        return RANKS[self.approver.role] >= RANKS[role]

    async def outcome(self, request_id: str, result: str) -> str:
        """Return how a call ended; a request that people approved may know what nothing else does.

        Args:
            request_id: of its request, "" if nobody was asked.
            result: how it ended by the record.
        """
        if result != NOT_SEEN or not request_id:
            return result
        return result_with_request(result, await self.parts.requests.get(request_id))

    def draw(
        self, template: str, *, page: str, title: str, is_part: bool = False, **values: object
    ) -> HTMLResponse:
        """Render a page, or part of one.

        `values` go to the template; `status` is the HTTP status.
        """
        frame = PageFrame(
            page=page,
            title=title,
            approver=self.approver,
            now_s=self.now_s,
            mode=self.parts.mode.mode().value,
            locks=tuple(map(str, self.parts.locks.locks())),
            notices=tuple(self.parts.notices()),
            version=self.parts.version,
            tenant=self.parts.tenant,
            notice="" if is_part else self.visitor.take_notice(),
        )
        status = values.pop("status", 200)
        text = draw(template, frame, visit=self, Role=ApproverRole, **values)
        return HTMLResponse(text, status if isinstance(status, int) else 200)


def go(path: str) -> RedirectResponse:
    """Redirect the browser to a page, after a change (303)."""
    return RedirectResponse(path, 303)
