"""Trust in agents over the daemon's Unix socket.

GET  /v1/trust                                          {"agents": [{"agent", "domain", "trust"}]}
POST /v1/trust {"incident": "claude-code", "domain": "databases", "note": "..."}   at once
POST /v1/trust {"revoke": "claude-code"}                                           at once
POST /v1/trust {"restore": "claude-code"}               {"asked": true}: a code is shown to an admin
POST /v1/trust {"code": "K7QM2X"}                       {"words": "..."}

What lowers trust needs no admin: an agent that reports itself loses, and wins nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Directory
from signoff.challenge.visible import visible
from signoff.effects.learning.trust_ledger import TrustRow
from signoff.errors import SignoffError
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.serving.peer import Agents, Peer
from signoff.storage.confirmed.trust_control import NoTrust, TrustControl


class TrustSwitch(TerminalSwitch[tuple[str, str]]):
    """Shows trust, takes incidents, and lets an admin reset an agent's trust."""

    EXPECTED = 'expected {"incident": agent}, {"revoke": agent}, {"restore": agent} or {"code": ..}'
    WHAT = "trust"
    AGAIN = "`signoff trust restore` again"
    CALLER_ERRORS = (NoTrust,)

    def __init__(
        self,
        control: TrustControl,
        people: Directory,
        agents: Agents,
        *,
        record: RecordAct,
        is_shown: bool = False,
    ) -> None:
        # `control` tells itself.
        super().__init__(people, agents, lambda _: None, record=record, is_shown=is_shown)
        self._control = control

    async def listed(self, _: Request) -> Response:
        """GET /v1/trust: trust by agent and domain."""
        try:
            rows = await asyncio.to_thread(self._control.rows)
        except SignoffError as error:
            return JSONResponse({"words": str(error)}, 404)
        return JSONResponse({"agents": [row_json(row) for row in rows]})

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        domain, note, uid = said.get("domain", ""), said.get("note", ""), peer.uid if peer else -1
        if not isinstance(domain, str) or not isinstance(note, str):
            return JSONResponse({"words": self.EXPECTED}, 400)
        control, by = self._control, f"uid:{uid} (socket)"
        match said:
            case {"incident": str(agent)}:
                words = await asyncio.to_thread(control.incident, agent, domain, by=by, note=note)
                await self._note_stricter("trust.incident", peer, f"{agent} {domain}".strip())
                return JSONResponse({"words": words})
            case {"revoke": str(agent)}:
                words = await asyncio.to_thread(control.revoke, agent, domain, by=by)
                await self._note_stricter("trust.revoke", peer, f"{agent} {domain}".strip())
                return JSONResponse({"words": words})
            case {"restore": str(agent)}:
                what = visible(f"trusting {agent} {domain} anew")
                return await self._asked(peer, what, (agent, domain))
            case {"code": str(code)}:
                return await self._restored(code)
        return JSONResponse({"words": self.EXPECTED}, 400)

    async def _restored(self, code: str) -> Response:
        who, (agent, domain) = self._taken(code)
        await self._note("trust.restore", who, f"{agent} {domain}".strip())
        words = await asyncio.to_thread(
            self._control.restore, agent, domain, by=f"{who} (terminal)"
        )
        return JSONResponse({"done": True, "words": words})


def row_json(row: TrustRow) -> dict[str, Any]:
    """Return one row of trust as JSON data."""
    return {
        "agent": row.agent,
        "domain": row.domain,
        "trust": round(row.trust, 4),
        "approved": row.approved,
        "denied": row.denied,
        "incidents": row.incidents,
        "is_revoked": row.is_revoked,
        "curve": [[round(point.at_s, 3), round(point.trust, 4)] for point in row.curve],
    }
