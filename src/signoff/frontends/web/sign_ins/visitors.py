"""Visitors: browsers that are signed in, and what each of them must show.

A browser shows two things. The cookie, which scripts cannot read, lets it see pages. Cookies go to
every port of their host name, whoever listens there: what changes anything needs the token as
well, which the browser keeps for this port alone. Only digests of both are known here.

    signed_in = visitors.begin(Claim(approver="ada", made_by="ada"))
    visitors.find(signed_in.cookie)
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from signoff.frontends.web.link import Claim
from signoff.ids import is_same_secret

LASTS_S = 12 * 3600.0
IDLE_S = 3 * 3600.0
VISITORS_LIMIT = 100
NOTED_EVERY_S = 60.0  # use of a browser, for a restart to know of


class KeptVisitor(Struct, frozen=True, kw_only=True):
    """What is stored of a browser over a restart; times are monotonic seconds."""

    cookie: bytes
    token: bytes
    approver: str
    made_by: str
    since_s: float
    seen_s: float


@dataclass(slots=True, kw_only=True)
class Visitor:
    """One signed-in browser.

    Args:
        token: digest of its CSRF token.
        notice: message for the next page about what was just done.
    """

    approver: str
    made_by: str
    token: bytes = field(repr=False)
    since_s: float
    seen_s: float
    is_over: bool = False
    notice: str = ""

    def has(self, token: str) -> bool:
        """Return whether this is the visitor's CSRF token."""
        return is_same_secret(self.token.hex(), _digest(token).hex())

    def take_notice(self) -> str:
        """Return the notice and clear it."""
        # Once: it belongs to the page after the change, not to every later one.
        notice, self.notice = self.notice, ""
        return notice


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """The cookie for a browser that signed in, and its visitor."""

    cookie: str = field(repr=False)
    token: str = field(repr=False)
    visitor: Visitor


class Visitors:
    """The signed-in browsers, in memory.

    Args:
        kept: those signed in before a restart.
        keep: called after each change, and now and then while browsers are used.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        kept: Sequence[KeptVisitor] = (),
        keep: Callable[[Visitors], None] = lambda _: None,
    ) -> None:
        self._clock, self._keep = clock, keep
        self._noted_s = clock()
        self._known: OrderedDict[bytes, Visitor] = OrderedDict(
            (
                one.cookie,
                Visitor(
                    approver=one.approver,
                    made_by=one.made_by,
                    token=one.token,
                    since_s=one.since_s,
                    seen_s=one.seen_s,
                ),
            )
            for one in kept[-VISITORS_LIMIT:]
        )

    def begin(self, claim: Claim) -> SignedIn:
        """Sign somebody in; return the cookie for their browser."""
        now_s, cookie, token = self._clock(), secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        visitor = Visitor(
            approver=claim.approver,
            made_by=claim.made_by,
            token=_digest(token),
            since_s=now_s,
            seen_s=now_s,
        )
        self._known[_digest(cookie)] = visitor
        while len(self._known) > VISITORS_LIMIT:
            # Open event streams hold the visitor itself; the flag ends those too.
            self._known.popitem(last=False)[1].is_over = True
        self._keep(self)
        return SignedIn(cookie=cookie, token=token, visitor=visitor)

    def find(self, cookie: str) -> Visitor | None:
        """Return the visitor of this cookie, None if it is not signed in (any more)."""
        visitor, now_s = self._known.get(_digest(cookie)), self._clock()
        if visitor is None:
            return None
        # Two limits: a stolen cookie that is used all the time ends as well.
        if now_s >= visitor.since_s + LASTS_S or now_s >= visitor.seen_s + IDLE_S:
            self.end(cookie)
            return None
        visitor.seen_s = now_s
        if now_s >= self._noted_s + NOTED_EVERY_S:
            self._noted_s = now_s
            self._keep(self)
        return visitor

    def end(self, cookie: str) -> None:
        """Sign a browser out."""
        visitor = self._known.pop(_digest(cookie), None)
        if visitor is not None:
            visitor.is_over = True
            self._keep(self)

    def end_all(self, approver: str = "") -> int:
        """Sign out all browsers, or those of one approver; return their number."""
        ending = {
            cookie: one for cookie, one in self._known.items() if approver in ("", one.approver)
        }
        for cookie, visitor in ending.items():
            del self._known[cookie]
            visitor.is_over = True
        self._keep(self)
        return len(ending)

    def kept(self) -> tuple[KeptVisitor, ...]:
        """Return what to store for the next start, oldest first."""
        return tuple(
            KeptVisitor(
                cookie=digest,
                token=one.token,
                approver=one.approver,
                made_by=one.made_by,
                since_s=one.since_s,
                seen_s=one.seen_s,
            )
            for digest, one in self._known.items()
        )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
