"""Policies, grants and the mode: what people said beyond one call, to be seen and taken back."""

from __future__ import annotations

import asyncio
import time

from msgspec import Struct
from starlette.responses import Response

from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import (
    NEVER,
    TEXT_LIMIT,
    TOOL_LIMIT,
    Policy,
    PolicyChange,
    expiry,
)
from signoff.errors import BadPayload
from signoff.frontends.web.visit import Visit, go

PAGE = "/web/policies"


async def show(visit: Visit) -> Response:
    """GET /web/policies: policies, grants, mode and unconfirmed changes."""
    return visit.draw(
        "policies.html",
        page="policies",
        title="Policies",
        policies=await _rows(visit),
        grants=visit.parts.grants.listed(),
        modes=tuple(Mode),
        changes=visit.parts.in_force_changes.waiting() if visit.parts.in_force_changes else (),
        softened=visit.parts.softer.softened() if visit.parts.softer else (),
        limit=TEXT_LIMIT,
    )


class PolicyRow(Struct, frozen=True, kw_only=True):
    """One policy for the page.

    Args:
        hits: how often the model followed it; None = not counted here.
    """

    policy: Policy
    is_over: bool
    hits: int | None


async def add(visit: Visit) -> Response:
    """POST /web/policies/add: store a policy."""
    text = visit.form.text("text", limit=TEXT_LIMIT)
    tool = visit.form.text("tool", limit=TOOL_LIMIT)
    try:
        ends_s = expiry(visit.form.text("expires", limit=40) or NEVER)
        visit.parts.policies.add(text, tool=tool, author=visit.approver.id, expires_s=ends_s)
    except ValueError as error:
        raise BadPayload(str(error)) from error
    return go(PAGE)


async def edit(visit: Visit) -> Response:
    """POST /web/policies/edit: change a policy; an empty expiry leaves it as it is."""
    id, form = visit.form.text("id"), visit.form
    try:
        ends = form.text("expires", limit=40)
        change = PolicyChange(
            text=form.text("text", limit=TEXT_LIMIT),
            tool=form.text("tool", limit=TOOL_LIMIT),
            expires_s=expiry(ends) if ends else None,
        )
        found = visit.parts.policies.edit(id, change, author=visit.approver.id)
    except ValueError as error:
        raise BadPayload(str(error)) from error
    if found is None:
        raise BadPayload(f"there is no policy `{id}` any more")
    return go(PAGE)


async def _rows(visit: Visit) -> tuple[PolicyRow, ...]:
    """Return all policies with their uses."""
    found, learning, now_s = visit.parts.policies.listed(), visit.parts.learning, time.time()
    if found and learning is not None:
        await asyncio.to_thread(learning.count)
    return tuple(
        PolicyRow(
            policy=one,
            is_over=one.is_over(now_s),
            hits=None if learning is None else learning.used(one.id).count,
        )
        for one in found
    )


async def remove(visit: Visit) -> Response:
    """POST /web/policies/remove: delete a policy."""
    visit.parts.policies.remove(visit.form.text("id"))
    return go(PAGE)


async def revoke(visit: Visit) -> Response:
    """POST /web/grants/revoke: end a grant."""
    visit.parts.grants.revoke(visit.form.text("id"))
    return go(PAGE)


async def confirm(visit: Visit) -> Response:
    """POST /web/changes/confirm: put a change by another process in force."""
    changes, code = visit.parts.in_force_changes, visit.form.text("code", limit=20)
    if changes is None or await asyncio.to_thread(changes.confirm, code) is None:
        raise BadPayload("no change waits under this code: it was put back, or changed again")
    return go(PAGE)


async def set_mode(visit: Visit) -> Response:
    """POST /web/mode: ask on channels, or by the host's own prompt."""
    try:
        mode = Mode(visit.form.text("mode"))
    except ValueError:
        raise BadPayload("the mode is `remote` or `local`") from None
    visit.parts.mode.set_mode(mode)
    return go(PAGE)
