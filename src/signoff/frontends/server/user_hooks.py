"""Hooks over HTTP where signoff is a service: whose a TCP connection is, which no port says.

A user gets a token for the hook of one host over the socket, where the system says who asks. It is
made of their number and the service's own token, so nothing is stored, and no other user's token
can be made of it. On TCP it counts only on a connection that the system says is the same user's: a
token that was read in somebody's settings is of no use to others.

    tokens.answer(request)                  POST /v1/hook-tokens
    tokens.peer(host, authorization, ends)  the user, None if the token is nobody's
"""

from __future__ import annotations

import hmac
import re
import sys

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.errors import BadPayload
from signoff.frontends.client.hook_tokens import user_hook_token
from signoff.frontends.server.wire.bodies import read_object
from signoff.frontends.server.wire.callers import NO_AGENTS, AgentUsers
from signoff.frontends.server.wire.shield import Ends
from signoff.serving.peer import PEER, Peer, uid_of_tcp

BODY_LIMIT = 1_000
TOKEN = re.compile(r"Bearer user-(0|[1-9][0-9]{0,9})-([0-9a-f]{64})")
NO_SYSTEM = "this system does not say whose a connection is: install without `--kind`"
NO_UNIT = (
    "another program could take the service's port while it is down: run `sudo signoff service"
    " install`, whose socket unit keeps it, or install without `--kind`"
)


class UserHooks(Struct, frozen=True, kw_only=True):
    """Creates and checks the per-user tokens of hooks, for the system service.

    Args:
        token: the service's own.
        own_uid: the service's user, whose agents are not guarded.
        users: as which agents run.
        hosts: the names of the hosts that have hooks.
        port: where the service listens.
        is_port_kept: nobody else can listen there while the service is down.
    """

    token: str
    own_uid: int
    users: AgentUsers
    hosts: frozenset[str]
    port: int
    is_port_kept: bool

    async def answer(self, request: Request) -> Response:
        """POST /v1/hook-tokens: return the token for a host's hook of the caller."""
        peer: Peer | None = request.scope.get(PEER)
        try:
            host = (await read_object(request, BODY_LIMIT)).get("host")
        except BadPayload:
            host = None
        if host not in self.hosts:
            return JSONResponse({"words": "no host of that name"}, 400)
        if why := self._objection(peer):
            return JSONResponse({"words": why}, 403)
        uid = peer.uid if peer is not None else self.own_uid
        token = f"user-{uid}-{user_hook_token(self.token, str(host), uid)}"
        return JSONResponse({"token": token, "port": self.port})

    def peer(self, host: str, authorization: bytes, ends: Ends) -> Peer | None:
        """Return the user whose hook sent a request, None if its token is not valid.

        Args:
            ends: addresses of client and server.
        """
        uid = self._shown_by(host, authorization)
        client, server = ends
        if uid is None or uid == self.own_uid or client is None or server is None:
            return None
        # Read in somebody's settings, a token would make others that user.
        if uid_of_tcp(client, server) != uid:
            return None
        self.users.note(uid)
        return Peer(pid=0, uid=uid)

    def _shown_by(self, host: str, authorization: bytes) -> int | None:
        """Return the user whose token is shown, None if it is nobody's."""
        found = TOKEN.fullmatch(authorization.decode("latin-1"))
        if found is None or host not in self.hosts:
            return None
        expected = user_hook_token(self.token, host, int(found[1]))
        return int(found[1]) if hmac.compare_digest(found[2], expected) else None

    def _objection(self, peer: Peer | None) -> str:
        """Return why there is no token for a caller, "" if there is one."""
        if sys.platform != "linux":
            return NO_SYSTEM
        if not self.is_port_kept:
            return NO_UNIT
        return NO_AGENTS if peer is None or peer.uid == self.own_uid else ""
