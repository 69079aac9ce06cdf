"""Changes that wait for an admin, over the daemon's Unix socket: what they are, and their code.

    GET  /v1/changes                        {"changes": ["approvers: ..."]}
    POST /v1/changes {"code": "ABCD-EFGH"}  {"words": "in force now: ..."}

The code is shown on channels and to admins in the inbox. Who reads the socket does not see it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.challenge.terms.approver import ApproverRole, Directory, Identity
from signoff.effects.admin_acts import AdminAct
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.server.wire.bodies import read_object
from signoff.serving.peer import PEER, Peer
from signoff.storage.confirmed.in_force import InForce

BODY_LIMIT = 1_000


class Changes(Struct, frozen=True, kw_only=True):
    """Lists outside changes and confirms them."""

    in_force: InForce
    people: Directory
    record: Callable[[AdminAct], Awaitable[None]]

    async def listed(self, _: Request) -> Response:
        """GET /v1/changes: the unconfirmed changes, without their codes."""
        try:
            await asyncio.to_thread(self.in_force.look)
        except SignoffError as error:
            return JSONResponse({"changes": [], "words": str(error)}, 503)
        return JSONResponse({"changes": [one.words for one in self.in_force.waiting()]})

    async def confirm(self, request: Request) -> Response:
        """POST /v1/changes: put the change with a code in force, for an admin of this machine."""
        try:
            code = (await read_object(request, BODY_LIMIT)).get("code")
        except BadPayload:
            code = None
        if not isinstance(code, str):
            return JSONResponse({"words": 'expected {"code": "..."}'}, 400)
        peer: Peer | None = request.scope.get(PEER)
        # No user has the number -1, so a caller the system does not name is nobody.
        identity = Identity("terminal", f"uid:{peer.uid if peer else -1}")
        try:
            person = self.people.find(identity)
            if person is None or person.role is not ApproverRole.ADMIN:
                return JSONResponse({"words": f"`{identity}` is no admin"}, 403)
            # The code is not named: it may be a wrong one, and then the right one still waits.
            waiting = "; ".join(one.words for one in self.in_force.waiting())
            act = AdminAct(
                act="change.confirm", by=person.id, said=f"of: {waiting}", channel="terminal"
            )
            await self.record(act)
            words = await asyncio.to_thread(self.in_force.confirm_told, code)
        except SignoffError as error:
            return JSONResponse({"words": str(error)}, 503)
        return JSONResponse({"words": words})
