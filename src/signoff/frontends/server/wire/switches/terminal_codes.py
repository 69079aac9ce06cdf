"""Codes that the daemon writes to an admin's terminal, so that an admin and nobody else goes on.

What reads sockets, files or the output of commands does not see the code, and a terminal an agent
has started gets none. One code is open at a time, for two minutes, and it has one try.

    codes.ask(peer, "30 minutes", 1_800.0)     the terminal of the peer shows `code for 30 minutes`
    codes.take("K7QM2X")                       ("ada", 1800.0), None for any other code
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar, Generic, TypeAlias, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import ApproverRole, Directory, Identity
from signoff.challenge.visible import visible
from signoff.effects.admin_acts import AdminAct
from signoff.errors import BadPayload, SignoffError, StoreError
from signoff.frontends.server.wire.bodies import read_object
from signoff.frontends.web.link import LETTERS
from signoff.ids import is_same_secret
from signoff.serving.peer import PEER, Agents, Peer, terminal_of, write_to

log = logging.getLogger(__name__)

BODY_LIMIT = 1_000
CODE_LENGTH = 6  # one try a code: a wrong one ends it
CODE_FOR_S = 120.0  # read and typed in one go, on the terminal where it is shown

Wanted = TypeVar("Wanted")
RecordAct: TypeAlias = Callable[[AdminAct], Awaitable[None]]


class NoAdmin(SignoffError):
    """The caller is not an admin."""


class WrongCode(SignoffError):
    """The code is wrong, used already, or expired."""


class TerminalCodes(Generic[Wanted]):
    """Confirms wanted changes by a code written to an admin's terminal."""

    def __init__(
        self,
        people: Directory,
        agents: Agents,
        *,
        clock: Callable[[], float] = time.monotonic,
        is_shown: bool = False,
    ) -> None:
        self._people, self._agents, self._clock = people, agents, clock
        self._is_shown = is_shown
        self._asked: tuple[str, str, Wanted, float] | None = None  # code, who, what, when

    def ask(self, peer: Peer | None, what: str, wanted: Wanted) -> str:
        """Write a code to the caller's terminal; blocks.

        Returns a text that the caller's command must show itself, "" if none.

        Args:
            what: describes the change.
            wanted: kept until the code comes back.

        Raises:
            NoAdmin: the caller is not an admin.
            SignoffError: nothing proves that a person is at the other end.
        """
        identity = Identity("terminal", f"uid:{peer.uid if peer else -1}")
        admin = self._people.find(identity)
        if admin is None or admin.role is not ApproverRole.ADMIN:
            raise NoAdmin(f"`{identity}` is no admin")
        terminal = terminal_of(peer, self._agents)
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        self._asked = code, admin.id, wanted, self._clock()
        words = f"\ncode for {what}: {code}\n"
        if self._is_shown:
            return words
        write_to(terminal, words)
        return ""

    def take(self, code: str) -> tuple[str, Wanted] | None:
        """Return (who, wanted) for a code and invalidate it; None if it is unknown."""
        asked, self._asked = self._asked, None
        if asked is None or self._clock() - asked[3] >= CODE_FOR_S:
            return None
        return asked[1:3] if is_same_secret(asked[0], code.strip().upper()) else None


class TerminalSwitch(Generic[Wanted]):
    """A route for changes that an admin confirms by a code; each is in the audit log.

    Args:
        record: writes an act down, before it takes effect.
        tell: says something on every messenger and in the log.
        is_shown: the caller's command shows the code, as for a service, which only root's commands
            can ask for one, and which cannot write to their terminals.
    """

    EXPECTED: ClassVar[str]
    WHAT: ClassVar[str]  # what is switched
    AGAIN: ClassVar[str] = "the command again"  # what to run after a wrong code
    LIMIT: ClassVar[int] = BODY_LIMIT  # bytes
    # What the caller got wrong, such as a name: the answer says so, and no problem is left behind.
    CALLER_ERRORS: ClassVar[tuple[type[SignoffError], ...]] = ()

    def __init__(
        self,
        people: Directory,
        agents: Agents,
        tell: Callable[[str], None],
        *,
        record: RecordAct,
        clock: Callable[[], float] = time.monotonic,
        is_shown: bool = False,
    ) -> None:
        self._tell, self._record = tell, record
        self._codes: TerminalCodes[Wanted] = TerminalCodes(
            people, agents, clock=clock, is_shown=is_shown
        )

    async def answer(self, request: Request) -> Response:
        """Handle a POST with a JSON object: 400 says what is expected, 403 why not."""
        try:
            said = await read_object(request, self.LIMIT)
        except BadPayload:
            return JSONResponse({"words": self.EXPECTED}, 400)
        try:
            return await self._answered(said, request.scope.get(PEER))
        except SignoffError as error:
            level = logging.INFO if isinstance(error, self.CALLER_ERRORS) else logging.WARNING
            log.log(level, "%s is not changed: %s", self.WHAT, error)
            return JSONResponse({"words": str(error)}, 403)

    async def _note(self, act: str, by: str, said: str) -> None:
        """Write an act to the audit log.

        Raises:
            StoreError: it is not durable; then it must not be done.
        """
        await self._record(AdminAct(act=act, by=by, said=visible(said), channel="terminal"))

    async def _note_stricter(self, act: str, peer: Peer | None, said: str) -> None:
        """Write down an act that makes things stricter: it is done even where that fails."""
        try:
            await self._note(act, f"uid:{peer.uid if peer else -1}", said)
        except StoreError as error:
            log.error("`%s` is not on the audit log: %s", act, error)

    async def _asked(self, peer: Peer | None, what: str, wanted: Wanted) -> Response:
        """Ask the caller for a code.

        Raises:
            SignoffError: the caller may not, or cannot be shown one.
        """
        shown = await asyncio.to_thread(self._codes.ask, peer, what, wanted)
        return JSONResponse({"asked": True, "shown": shown} if shown else {"asked": True})

    def _taken(self, code: str) -> tuple[str, Wanted]:
        """Return who asked for what under this code; the code is void then.

        Raises:
            WrongCode: nobody did.
        """
        taken = self._codes.take(code)
        if taken is None:
            raise WrongCode(f"this is not the code that was asked for; run {self.AGAIN}")
        return taken

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        """Perform the request and return its response.

        Raises:
            SignoffError: the caller may not, or it failed.
        """
        raise NotImplementedError
