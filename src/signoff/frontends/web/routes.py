"""The inbox's pages in one table: who may see them, who may change what, and how the log names it.

is_allowed(ApproverRole.VIEWER, endpoint)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from msgspec import Struct
from starlette.responses import Response

from signoff.challenge.terms.approver import ApproverRole
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
from signoff.frontends.web.visit import RANKS, Visit

Page: TypeAlias = Callable[[Visit], Awaitable[Response]]


class WebRoute(Struct, frozen=True, kw_only=True):
    """One route of the inbox.

    Args:
        least: the role it needs.
        act: name of the administrative act for the audit log; "" = none.
    """

    path: str
    page: Page
    least: ApproverRole = ApproverRole.VIEWER
    method: str = "GET"
    act: str = ""


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
    WebRoute(
        path="/web/passkeys/add", page=passkeys.finish_adding, method="POST", act="passkey.add"
    ),
    WebRoute(
        path="/web/passkeys/remove", page=passkeys.remove, method="POST", act="passkey.remove"
    ),
    WebRoute(
        path="/web/passkeys/codes", page=passkeys.renew_codes, method="POST", act="passkey.codes"
    ),
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
        act="line.soften",
    ),
    WebRoute(
        path="/web/softer-lines/remove",
        page=softer_line.take_back,
        least=ApproverRole.ADMIN,
        method="POST",
        act="line.restore",
    ),
    WebRoute(path="/web/oversight", page=oversight.show),
    WebRoute(path="/web/oversight.csv", page=oversight.table),
    WebRoute(path="/web/timeline", page=timeline.show),
    WebRoute(path="/web/timeline.csv", page=timeline.table),
    WebRoute(path="/web/history", page=history.show),
    WebRoute(path="/web/history/{seq:int}", page=history.show_entry),
    WebRoute(path="/web/audit", page=audit.show),
    WebRoute(path="/web/audit/export", page=audit.export, least=ApproverRole.AUDITOR),
    WebRoute(path="/web/rules", page=rules.show),
    WebRoute(path="/web/policies", page=policies.show),
    WebRoute(
        path="/web/policies/add",
        page=policies.add,
        least=ApproverRole.ADMIN,
        method="POST",
        act="policy.add",
    ),
    WebRoute(
        path="/web/policies/edit",
        page=policies.edit,
        least=ApproverRole.ADMIN,
        method="POST",
        act="policy.edit",
    ),
    WebRoute(
        path="/web/policies/remove",
        page=policies.remove,
        least=ApproverRole.ADMIN,
        method="POST",
        act="policy.remove",
    ),
    WebRoute(
        path="/web/grants/revoke",
        page=policies.revoke,
        least=ApproverRole.APPROVER,
        method="POST",
        act="grant.revoke",
    ),
    WebRoute(
        path="/web/mode",
        page=policies.set_mode,
        least=ApproverRole.ADMIN,
        method="POST",
        act="mode.set",
    ),
    WebRoute(
        path="/web/changes/confirm",
        page=policies.confirm,
        least=ApproverRole.ADMIN,
        method="POST",
        act="change.confirm",
    ),
    WebRoute(path="/web/learned", page=learned.show),
    WebRoute(
        path="/web/learned/accept",
        page=learned.accept,
        least=ApproverRole.ADMIN,
        method="POST",
        act="rule.learn",
    ),
    WebRoute(
        path="/web/learned/dismiss",
        page=learned.dismiss,
        least=ApproverRole.ADMIN,
        method="POST",
        act="rule.dismiss",
    ),
    WebRoute(
        path="/web/learned/remove",
        page=learned.remove,
        least=ApproverRole.ADMIN,
        method="POST",
        act="rule.unlearn",
    ),
    WebRoute(path="/web/trust", page=trust.show),
    WebRoute(
        path="/web/trust/incident",
        page=trust.incident,
        least=ApproverRole.APPROVER,
        method="POST",
        act="trust.incident",
    ),
    WebRoute(
        path="/web/trust/revoke",
        page=trust.revoke,
        least=ApproverRole.APPROVER,
        method="POST",
        act="trust.revoke",
    ),
    WebRoute(
        path="/web/trust/restore",
        page=trust.restore,
        least=ApproverRole.ADMIN,
        method="POST",
        act="trust.restore",
    ),
    WebRoute(path="/web/costs", page=costs.show),
    WebRoute(path="/web/sessions", page=sessions.show),
    WebRoute(path="/web/locks", page=locks.show),
    WebRoute(
        path="/web/locks/add",
        page=locks.add,
        least=ApproverRole.APPROVER,
        method="POST",
        act="lock.add",
    ),
    WebRoute(path="/web/sign-out", page=sign_in.leave, method="POST"),
)


def is_allowed(role: ApproverRole, endpoint: WebRoute) -> bool:
    """Return whether a role may use a route; an auditor may change nothing at all."""
    if role is ApproverRole.AUDITOR and endpoint.method == "POST":
        return endpoint.page is sign_in.leave
    return RANKS[role] >= RANKS[endpoint.least]
