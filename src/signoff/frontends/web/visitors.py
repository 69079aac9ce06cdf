"""Visitors: browsers that are signed in, and what each of them must show.

A browser shows two things. The cookie, which scripts cannot read, lets it see pages. Cookies go to
every port of their host name, whoever listens there: what changes anything needs the token as
well, which the browser keeps for this port alone.

    cookie, visitor = visitors.begin(Claim(approver="ada", made_by="ada"))
    visitors.find(cookie)
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from signoff.frontends.web.link import Claim
from signoff.ids import is_same_secret

LASTS_S = 12 * 3600.0
IDLE_S = 3 * 3600.0
VISITORS_LIMIT = 100


@dataclass(slots=True, kw_only=True)
class Visitor:
    """One browser that is signed in.

    Args:
        notice: what the next page is to say about what was just done.
    """

    approver: str
    made_by: str
    token: str = field(repr=False)
    since_s: float
    seen_s: float
    is_over: bool = False
    notice: str = ""

    def has(self, token: str) -> bool:
        """Tell whether this is the visitor's token."""
        return is_same_secret(self.token, token)

    def take_notice(self) -> str:
        """Return the notice, once."""
        # Once: it belongs to the page after the change, not to every later one.
        notice, self.notice = self.notice, ""
        return notice


class Visitors:
    """Knows who is signed in, in memory only: a restart signs everybody out."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[bytes, Visitor] = OrderedDict()

    def begin(self, claim: Claim) -> tuple[str, Visitor]:
        """Sign somebody in; return what their browser is to keep."""
        now_s, cookie = self._clock(), secrets.token_urlsafe(32)
        visitor = Visitor(
            approver=claim.approver,
            made_by=claim.made_by,
            token=secrets.token_urlsafe(32),
            since_s=now_s,
            seen_s=now_s,
        )
        self._known[_digest(cookie)] = visitor
        while len(self._known) > VISITORS_LIMIT:
            # Open event streams hold the visitor itself; the flag ends those too.
            self._known.popitem(last=False)[1].is_over = True
        return cookie, visitor

    def find(self, cookie: str) -> Visitor | None:
        """Return who shows this cookie, None if nobody does (any more)."""
        visitor, now_s = self._known.get(_digest(cookie)), self._clock()
        if visitor is None:
            return None
        # Two limits: a stolen cookie that is used all the time ends as well.
        if now_s >= visitor.since_s + LASTS_S or now_s >= visitor.seen_s + IDLE_S:
            self.end(cookie)
            return None
        visitor.seen_s = now_s
        return visitor

    def end(self, cookie: str) -> None:
        """Sign a browser out."""
        visitor = self._known.pop(_digest(cookie), None)
        if visitor is not None:
            visitor.is_over = True


def _digest(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).digest()
