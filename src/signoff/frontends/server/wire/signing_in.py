"""What the daemon does over its Unix socket for a person at a terminal: it signs browsers in.

    POST /v1/sign-in-links {"as": "bob", "is_plain": false, "has_browser": true}

`as` is "" for oneself; `is_plain` asks for a link to `localhost` instead of this start's own name,
`is_public` for one to the public name.
`has_browser` asks for a page that leads a browser to the inbox: a file of the owner's alone, for a
few seconds, which names the inbox's host and holds no code. A browser that is signed in is in; any
other asks for the short code. `{"sign_out": true}` signs browsers out instead: an admin's request
all of them, anybody else's their own.

Link and short code are written to the terminal of the process that asks, by the daemon itself; the
answer says only that they were, and where the page is. A service cannot write to terminals of other
users: there the answer holds the link, and no user that has started an agent gets one.

Nobody can tell who sits behind a link for somebody else: it gives no part of an approval that takes
several people, and what it does approve is recorded with who made it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Callable, Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Approver, ApproverRole, Directory, Identity
from signoff.challenge.visible import visible
from signoff.errors import BadPayload, BadSettings, SignoffError
from signoff.frontends.server.wire.bodies import read_object
from signoff.frontends.server.wire.callers import AgentUsers
from signoff.frontends.web.link import GOOD_FOR_S, PATH, Claim, Links, SignInCodes, link_of
from signoff.frontends.web.origin import WebOrigin
from signoff.serving.peer import (
    PEER,
    Agents,
    Peer,
    UnknownPeer,
    terminal_of,
    write_to,
)
from signoff.storage.text_file import write_whole
from signoff.values import count_of

log = logging.getLogger(__name__)

BODY_LIMIT = 1_000
AGENTS_USER = "agents run as this user"
# The file holds a link that signs in: it lives as long as a browser needs to start.
PAGE_FOR_S = 20.0
PAGE = """<!doctype html><meta charset="utf-8"><title>signoff</title>
<meta http-equiv="refresh" content="0; url={address}"><meta name="referrer" content="no-referrer">
<p><a href="{address}">signoff's inbox</a>
"""
NOT_PUBLIC = "no public address is configured: `server.inbox_url` in signoff.yaml names one"
STRANGER = "`{identity}` is no approver: `signoff approvers list` shows who is"


class PublicAddress(Struct, frozen=True, kw_only=True):
    """The public inbox: its address, and its sign-in codes."""

    origin: WebOrigin
    links: Links


class SigningIn(Struct, frozen=True, kw_only=True):
    """Gives sign-in links to people at terminals.

    Args:
        origin: where browsers reach the inbox.
        page: path of the file that leads a browser there.
        public: the inbox under the public name; None where there is none.
        sign_out: signs out all browsers of an approver, "" = of all; returns how many.
        users: as which agents run, where this is the service for all users; else None.
    """

    links: Links
    people: Directory
    agents: Agents
    origin: WebOrigin
    page: str
    sign_out: Callable[[str], int]
    public: PublicAddress | None = None
    users: AgentUsers | None = None

    async def answer(self, request: Request) -> Response:
        """POST /v1/sign-in-links: write a link to the caller's terminal."""
        try:
            said = await read_object(request, BODY_LIMIT)
            other = said.get("as", "")
            has_browser = said.get("has_browser") is True
        except BadPayload:
            return JSONResponse({"words": 'expected {"as": "..."}'}, 400)
        peer: Peer | None = request.scope.get(PEER)
        try:
            terminal = await asyncio.to_thread(self._terminal, peer)
            claim = claim_of(self.people, peer, str(other))
            if said.get("sign_out") is True:
                return self._signed_out(claim)
            address, codes = self._made(claim, said)
            whom = visible(claim.approver)
            good_for = count_of(GOOD_FOR_S / 60, "minute")
            where = address if said.get("is_public") is True else "the inbox in your browser"
            words = (
                f"Sign in as {whom} with this link. It works once, within {good_for}:\n\n"
                f"  {link_of(address, codes.link)}\n\n"
                f"Or open {where} and type this code: {codes.typed}\n"
            )
            if self.users is not None:
                return JSONResponse({"written": True, "shown": words})
            write_to(terminal, f"{words}\n")
            page = await asyncio.to_thread(self._write_page, address) if has_browser else ""
        except SignoffError as error:
            log.warning("no link was given: %s", error)
            return JSONResponse({"words": str(error)}, 403)
        log.info("a link for `%s` was written to a terminal", visible(claim.approver))
        return JSONResponse({"written": True, "page": page})

    def _made(self, claim: Claim, said: Mapping[str, Json]) -> tuple[str, SignInCodes]:
        """Return the address of the inbox that was asked for, and codes that are good there.

        Raises:
            SignoffError: there is no such address.
        """
        if said.get("is_public") is not True:
            address = self.origin.address(is_plain=said.get("is_plain") is True)
            return address, self.links.make(claim)
        if self.public is None:
            raise BadSettings(NOT_PUBLIC)
        return self.public.origin.address(), self.public.links.make(claim)

    def _signed_out(self, claim: Claim) -> Response:
        me = next(one for one in self.people.listed() if one.id == claim.made_by)
        count = self.sign_out("" if me.role is ApproverRole.ADMIN else me.id)
        log.warning("`%s` signed out %d browsers", visible(me.id), count)
        return JSONResponse({"written": True, "shown": f"signed out: {count} browsers"})

    def _write_page(self, address: str) -> str:
        """Write the page that leads to the inbox; return its path, "" if it cannot be written."""
        try:
            write_whole(self.page, PAGE.format(address=f"{address}{PATH}").encode())
        except OSError as error:
            log.warning("no page that leads to the inbox: %s", error)
            return ""
        timer = threading.Timer(PAGE_FOR_S, remove_page, [self.page])
        # It must not keep the daemon from ending.
        timer.daemon = True
        timer.start()
        return self.page

    def _terminal(self, peer: Peer | None) -> str:
        """Return the terminal of a person who may be given a link.

        Raises:
            UnknownPeer: nobody is there who may.
        """
        # An agent of this user could follow the link itself (T-64).
        if self.users is not None and peer is not None and peer.uid in self.users:
            raise UnknownPeer(f"{AGENTS_USER}: `sudo signoff open` gives a link")
        return terminal_of(peer, self.agents, is_any_user=self.users is not None)


def remove_page(path: str) -> None:
    """Delete the file that leads to the inbox, if it exists."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def claim_of(people: Directory, peer: Peer | None, other: str) -> Claim:
    """Return whom a sign-in link is for.

    Args:
        peer: the process that asks.
        other: id of another approver, "" = the person at the terminal.

    Raises:
        SignoffError: the person may not get such a link.
    """
    # No user has the number -1, so a caller the system does not name is a stranger.
    identity = Identity("terminal", f"uid:{peer.uid if peer else -1}")
    me = people.find(identity)
    if me is None:
        raise UnknownPeer(STRANGER.format(identity=identity))
    if not other or other == me.id:
        return Claim(approver=me.id, made_by=me.id)
    if me.role is not ApproverRole.ADMIN:
        raise UnknownPeer(f"only an admin may sign others in; you are `{me.role}`")
    return Claim(approver=_known(people.listed(), other).id, made_by=me.id)


def _known(people: tuple[Approver, ...], other: str) -> Approver:
    found = next((one for one in people if one.id == other), None)
    if found is None:
        names = ", ".join(one.id for one in people)
        raise UnknownPeer(f"there is no approver `{visible(other)}`, only {visible(names)}")
    return found
