"""Service tokens over the daemon's Unix socket: an admin at a terminal makes them.

GET  /v1/tokens                                    [{"id": ..., "name": ..., "scopes": [...]}]
POST /v1/tokens {"name": "ci", "scopes": ["decide"], "days": 30}    {"asked": true}
POST /v1/tokens {"code": "K7QM2X"}                 {"words": ..., "token": "signoff_..."}
POST /v1/tokens {"revoke": "3f0c..."}              {"words": ...}: anybody, at any time
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Directory
from signoff.effects.admin_acts import AdminAct
from signoff.errors import StoreError
from signoff.frontends.server.wire.service_tokens import ServiceToken, ServiceTokens, TokenScope
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.ids import new_id
from signoff.serving.peer import Agents, Peer
from signoff.values import count_of

MOST_DAYS, DAY_S = 366, 86_400.0
NAME_LIMIT = 100


class TokenSwitch(TerminalSwitch[tuple[str, tuple[TokenScope, ...], int]]):
    """Lets an admin create and revoke API tokens; both are recorded first."""

    EXPECTED = 'expected {"name": "ci", "scopes": ["decide"], "days": 30}, a code or {"revoke": id}'
    WHAT = "the list of service tokens"
    AGAIN = "`signoff tokens create` again"

    def __init__(
        self,
        tokens: ServiceTokens,
        people: Directory,
        agents: Agents,
        record: RecordAct,
        *,
        is_shown: bool = False,
    ) -> None:
        super().__init__(people, agents, lambda _: None, record=record, is_shown=is_shown)
        self._tokens = tokens

    async def listed(self, _: Request) -> Response:
        """GET /v1/tokens: every token, without its digest."""
        try:
            found = await asyncio.to_thread(self._tokens.listed)
        except StoreError as error:
            return JSONResponse({"words": str(error)}, 503)
        told = [
            {
                "id": one.id,
                "name": one.name,
                "scopes": list(one.scopes),
                "created_by": one.created_by,
                "expires_s": one.expires_s,
            }
            for one in found
        ]
        return JSONResponse({"tokens": told})

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        code, revoked = said.get("code"), said.get("revoke")
        if isinstance(code, str):
            return await self._confirmed(code)
        if isinstance(revoked, str):
            return await self._revoked(revoked, f"uid:{peer.uid if peer else -1}")
        wanted = _wanted(said)
        if wanted is None:
            return JSONResponse({"words": self.EXPECTED}, 400)
        name, scopes, days = wanted
        return await self._asked(
            peer, f"token {name}: {', '.join(scopes)}, {count_of(days, 'day')}", wanted
        )

    async def _confirmed(self, code: str) -> Response:
        who, (name, scopes, days) = self._taken(code)
        new = ServiceToken(
            id=new_id()[:12],
            name=name,
            scopes=scopes,
            created_by=who,
            expires_s=time.time() + days * DAY_S,
        )
        said = f"{new.id} {name}: {', '.join(scopes)}, {count_of(days, 'day')}"
        await self._record(AdminAct(act="token.create", by=who, said=said, channel="terminal"))
        secret = await asyncio.to_thread(self._tokens.create, new)
        return JSONResponse({"words": f"made {said}", "token": secret})

    async def _revoked(self, id: str, by: str) -> Response:
        # Before it is noted: a token that is not there ends nothing.
        known = {one.id for one in await asyncio.to_thread(self._tokens.listed)}
        if id not in known:
            return JSONResponse({"words": "there is no token of this id"}, 404)
        act = AdminAct(act="token.revoke", by=by, said=id[:NAME_LIMIT], channel="terminal")
        await self._record(act)
        is_gone = await asyncio.to_thread(self._tokens.revoke, id)
        words = "revoked" if is_gone else "there is no token of this id"
        return JSONResponse({"words": words}, 200 if is_gone else 404)


def _wanted(said: Mapping[str, Json]) -> tuple[str, tuple[TokenScope, ...], int] | None:
    """Read what token is asked for, None if that is not said as it must be."""
    name, scopes, days = said.get("name"), said.get("scopes"), said.get("days")
    known = {one.value for one in TokenScope}
    if not isinstance(name, str) or not 0 < len(name) <= NAME_LIMIT or not name.isprintable():
        return None
    if not isinstance(scopes, list) or not scopes or not all(one in known for one in scopes):
        return None
    # Not `isinstance`: `true` is an int in Python.
    if type(days) is not int or not 1 <= days <= MOST_DAYS:
        return None
    return name, tuple(dict.fromkeys(TokenScope(str(one)) for one in scopes)), days
