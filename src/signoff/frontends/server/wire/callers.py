"""Who is on the socket of the service, which every user of the machine can reach.

The system says the user of each process that connects. Calls are judged for that user: their home
folder, and sessions under their name, so that no user uses what was approved for another one.
Everything else is for the service's own user, as which root's commands run, except a sign-in link
for an approver whose user has started no agent.

    users = AgentUsers(places.state)
    app = SharedSocket(app, users)
"""

from __future__ import annotations

import json
import logging
import os
import sys
from functools import lru_cache

from msgspec import Struct
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from signoff.actions.action import Action
from signoff.errors import StoreError
from signoff.frontends.hosts.adapter import HostEvent
from signoff.serving.peer import PEER, Peer
from signoff.storage.text_file import read_text, write_whole
from signoff.system.files import own_uid
from signoff.values import replace

if sys.platform != "win32":
    import pwd

log = logging.getLogger(__name__)

FILE = "agent-users.json"
SIZE_LIMIT = 1 << 20
STRANGER = "signoff.stranger"  # in a request's scope: its caller is no admin of the service
CALLS = ("/hooks/", "/v1/actions", "/v1/calls", "/v1/inspections")
RECHECKS = "/v1/rechecks"
FOR_ALL = frozenset(
    {
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/v1/status"),
        ("POST", "/v1/sign-in-links"),
        ("POST", "/v1/hook-tokens"),  # the caller's own
        ("POST", "/v1/own-acts"),  # by the name of the caller, and bounded
        ("POST", "/v1/tool-alerts"),  # it only warns people, and is bounded
        ("POST", RECHECKS),
    }
)
NO_AGENTS = "agents of signoff's own user are not guarded: run them as another user"
ADMIN_ONLY = "this is for administrators: run the command with sudo"


class ActionCaller(Struct, frozen=True, kw_only=True):
    """The user a call is judged for.

    Args:
        home: their home folder.
        name: their user name, "" where the daemon serves one user only.
    """

    home: str
    name: str = ""

    def session(self, session: str) -> str:
        """Return a session's name with the user's, so that it is unique among users."""
        return f"{session}@{self.name}" if self.name else session

    def project_session(self, session: str) -> str:
        """Return the session to remember the project of; "" if the call named none.

        Args:
            session: as `session` returned it.
        """
        return "" if session == self.session("") else session

    def action(self, action: Action) -> Action:
        """Return a copy of an action with this user's session name."""
        return replace(action, session=self.session(action.session)) if self.name else action

    def event(self, event: HostEvent) -> HostEvent:
        """Return a copy of a host's event with this user's session name."""
        if not self.name:
            return event
        report, call = event.report, event.call
        return replace(
            event,
            call=replace(call, action=self.action(call.action)) if call else None,
            report=replace(report, session=self.session(report.session)) if report else None,
        )


@lru_cache(256)
def caller_of(uid: int) -> ActionCaller:
    """Return the caller for a user id; an unknown user has no home."""
    if sys.platform == "win32":
        return ActionCaller(home="", name=f"uid-{uid}")  # there is no service for all users there
    try:
        found = pwd.getpwuid(uid)
    except KeyError:
        return ActionCaller(home="", name=f"uid-{uid}")
    return ActionCaller(home=os.path.normpath(found.pw_dir), name=found.pw_name)


class AgentUsers:
    """The users that agents run as: those who made a call, kept over restarts.

    Args:
        state: the state folder.

    Raises:
        StoreError: the file cannot be read; who runs agents must not be forgotten.
    """

    def __init__(self, state: str) -> None:
        self._path = os.path.join(state, FILE)
        try:
            said = json.loads(read_text(self._path, limit=SIZE_LIMIT) or "[]")
            self._known = {int(uid) for uid in said}
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(f"`{self._path}` cannot be read: {error}") from error

    def __contains__(self, uid: int) -> bool:
        return uid in self._known

    def note(self, uid: int) -> None:
        """Store that this user made a call.

        Raises:
            StoreError: it cannot be stored.
        """
        if uid in self._known:
            return
        known = sorted({*self._known, uid})
        try:
            write_whole(self._path, json.dumps(known).encode())
        except OSError as error:
            raise StoreError(f"`{self._path}` cannot be written: {error}") from error
        self._known.add(uid)
        log.info("agents run as user %d: signs in by sudo only", uid)


class SharedSocket:
    """Serves callers on the service's socket, each only what their user may use."""

    def __init__(self, app: ASGIApp, users: AgentUsers) -> None:
        self._app, self._users, self._own = app, users, own_uid()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and (why := self._objection(scope)):
            await JSONResponse({"words": why}, 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _objection(self, scope: Scope) -> str:
        """Return why a request is not served, "" if it is."""
        peer: Peer | None = scope.get(PEER)
        if peer is None:
            return "the system does not say which user asks"
        path, is_own = scope["path"], peer.uid == self._own
        if path.startswith(CALLS):
            # What runs as this user reaches the service's keys: no hook would hold it (T-64).
            if is_own:
                return NO_AGENTS
            if scope["method"] == "POST":
                self._users.note(peer.uid)
            return ""
        scope[STRANGER] = not is_own
        return "" if is_own or (scope["method"], path) in FOR_ALL else ADMIN_ONLY
