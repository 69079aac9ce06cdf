"""One request of a browser on its way to a page: who asks, with what form, and what they get.

visit.draw("inbox.html", page="inbox", title="Inbox", pending=pending)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.frontends.web.drawing import PageFrame, draw
from signoff.frontends.web.forms import FormData
from signoff.frontends.web.people import CHANNEL
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.visitors import Visitor

RANKS = {role: rank for rank, role in enumerate(ApproverRole)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What a page is given.

    Args:
        form: the fields sent, or those of the query.
    """

    parts: InboxServices
    request: Request
    approver: Approver
    visitor: Visitor
    form: FormData = field(default_factory=lambda: FormData({}))

    @property
    def identity(self) -> Identity:
        """Who they are to the desk."""
        return Identity(CHANNEL, self.approver.id)

    @property
    def let_in_by(self) -> str:
        """Who made the link they came by, "" if they did."""
        return "" if self.visitor.made_by == self.approver.id else self.visitor.made_by

    @property
    def now_s(self) -> float:
        """Seconds since the epoch."""
        return self.parts.requests.moment().wall_s

    def may(self, role: ApproverRole) -> bool:
        """Tell whether the visitor has at least this role."""
        return RANKS[self.approver.role] >= RANKS[role]

    def draw(
        self, template: str, *, page: str, title: str, is_part: bool = False, **values: object
    ) -> HTMLResponse:
        """Return a page, or a part of one; `status` among the values is its status."""
        frame = PageFrame(
            page=page,
            title=title,
            approver=self.approver,
            now_s=self.now_s,
            mode=self.parts.mode.mode().value,
            locks=tuple(map(str, self.parts.locks.locks())),
            version=self.parts.version,
            notice="" if is_part else self.visitor.take_notice(),
        )
        status = values.pop("status", 200)
        text = draw(template, frame, visit=self, Role=ApproverRole, **values)
        return HTMLResponse(text, status if isinstance(status, int) else 200)


def go(path: str) -> RedirectResponse:
    """Send the browser on to a page after something was changed."""
    return RedirectResponse(path, 303)
