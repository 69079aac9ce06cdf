"""The inbox of a daemon: built of what people are asked with and what the daemon knows.

inbox = build_inbox(settings, approvals, known)
channels = (inbox.live,)              told of requests, like every channel
build_app(api, shield=shield, site=inbox.site)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp

import signoff
from signoff.approvals import Approvals
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.extras import Extras
from signoff.frontends.web.link import Links
from signoff.frontends.web.live import Live
from signoff.frontends.web.people import WebPeople
from signoff.frontends.web.questions import WebQuestions
from signoff.frontends.web.services import InboxRecord, InboxServices, ProjectRules
from signoff.frontends.web.site import build_site
from signoff.frontends.web.visitors import Visitors
from signoff.settings import Settings
from signoff.storage.approvals.open_requests import open_requests
from signoff.storage.locks.lock_file import LockFile
from signoff.wiring import build_costs


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonContext:
    """What the inbox shows of the daemon.

    Args:
        record: read off the loop, so not the connection decisions are written by.
    """

    record: InboxRecord
    sessions: Callable[[], Sequence[Mapping[str, str | int | float]]]
    in_force: Callable[[], Sequence[ProjectRules]]
    problems: Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """The pages, and the channel that keeps them current."""

    site: ASGIApp
    live: Live
    parts: InboxServices


def build_inbox(settings: Settings, approvals: Approvals, known: DaemonContext) -> Inbox:
    """Build the inbox; nothing is opened before somebody looks."""
    people = WebPeople(approvals.directory)
    database = approvals.requests.database
    live = Live(approvals.requests, lambda: open_requests(database))
    parts = InboxServices(
        requests=approvals.requests,
        # The same desk but for one thing: on the web people are known by their ids.
        approval_service=ApprovalService(
            approvals.requests,
            people,
            seal=approvals.seal,
            plan=approvals.plan,
            extras=Extras(grants=approvals.grants, policies=approvals.policies),
            validator=approvals.approval_service.validator,
        ),
        plan=approvals.plan,
        people=people,
        policies=approvals.policies,
        grants=approvals.grants,
        mode=approvals.switch,
        record=known.record,
        costs=build_costs(settings),
        locks=LockFile(settings.locks_file),
        links=Links(),
        visitors=Visitors(),
        live=live,
        questions=WebQuestions(live.tell),
        in_force=known.in_force,
        problems=known.problems,
        sessions=known.sessions,
        codes=approvals.codes,
        version=signoff.__version__,
    )
    return Inbox(site=build_site(parts), live=live, parts=parts)
