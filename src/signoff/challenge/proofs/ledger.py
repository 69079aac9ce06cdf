"""What this process knows of the requests it opened: nobody who edits the file can change it.

States are kept in a file that other processes of the same user can write. The ledger keeps, in
memory only, a digest of all that a request was opened with, and how far it has come. A row that
says anything else, goes back, loses an answer or is gone was tampered with: it is read as expired,
and the alarm says so once. Rows this process did not open are unknown to it: their answers count
only for exactly what was shown (`seal.py`), and their use only for what is asked here as well.

    ledger.opened(pending)
    pending = ledger.checked(pending)
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from msgspec import Struct

from signoff.challenge.pending import (
    ARROWS,
    MOST_WAITING,
    NO_TIME,
    ClockReading,
    NewRequest,
    PendingRequest,
    RequestState,
)
from signoff.challenge.visible import visible
from signoff.values import replace

log = logging.getLogger(__name__)

TERMS_PREFIX = b"signoff-terms-v1\0"
KEPT = 2 * MOST_WAITING  # more than the store keeps
ALARMS_KEPT = 64  # who edits the file again and again must not fill the log; the rest are counted
SLACK_S = 2.0  # the request was kept a moment before this process reads its clock
TIMED = (RequestState.PENDING, RequestState.APPROVED)

Alarm = Callable[[str], None]


class Alarms:
    """Reports tampering once per request: in the log, to listeners, and to later callers."""

    def __init__(self) -> None:
        self.listeners: list[Alarm] = []
        self._told: dict[str, str] = {}
        self._more = 0
        self._lock = threading.Lock()

    def tell(self, about: str, words: str) -> None:
        """Report tampering, once per subject.

        Args:
            about: what it concerns, as `request 1234abcd`.
            words: the message.
        """
        with self._lock:
            if about in self._told:
                return
            if len(self._told) >= ALARMS_KEPT:
                self._more += 1
                return
            text = self._told[about] = visible(f"TAMPERING: {words}")
        log.critical("%s", text)
        for listener in self.listeners:
            # Outside the lock: a listener sends messages, and may take its time.
            listener(text)

    def told(self) -> tuple[str, ...]:
        """Return all reports since this process started."""
        more = (f"TAMPERING: {self._more} more, not listed",) if self._more else ()
        return (*self._told.values(), *more)


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """What this process remembers of one request."""

    terms: str  # ends is NO_TIME until its row is read
    state: RequestState
    answers: int
    ends: ClockReading
    is_spoilt: bool = False
    is_adopted: bool = False  # opened by another process, or before this one started


class RequestLedger:
    """Remembers the requests of this process, to detect changes of the file; thread-safe."""

    def __init__(self) -> None:
        self.alarms = Alarms()
        self._known: OrderedDict[str, LedgerEntry] = OrderedDict()
        # Taken again within itself: a check that finds something wrong marks the entry.
        self._lock = threading.RLock()

    def opened(self, pending: PendingRequest, *, is_adopted: bool = False) -> None:
        """Remember a request that was opened here, or adopted from another process."""
        with self._lock:
            self._known[pending.id] = _entry(pending, is_adopted=is_adopted)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)

    def knows(self, id: str) -> bool:
        """Tell whether this process remembers a request."""
        return id in self._known

    def open_ids(self) -> tuple[str, ...]:
        """Return the ids of remembered requests that can still be answered or used."""
        with self._lock:
            return tuple(
                id for id, one in self._known.items() if one.state in TIMED and not one.is_spoilt
            )

    def checked(self, pending: PendingRequest) -> PendingRequest:
        """Return the request if it is unchanged, else a copy marked as expired."""
        with self._lock:
            entry = self._known.get(pending.id)
            if entry is None:
                return pending
            if entry.is_spoilt or (wrong := _wrong(entry, pending)):
                if not entry.is_spoilt:
                    self.spoil(pending.id, wrong)
                return replace(pending, state=RequestState.EXPIRED)
            self._known[pending.id] = _entry(pending, is_adopted=entry.is_adopted)
            return pending

    def missing(self, id: str) -> None:
        """Note that a request is not in the file; if it was open, that is tampering."""
        # Rows that are settled are removed when they are old; only an open one was taken away.
        if id in self.open_ids():
            self.spoil(id, "was deleted from the file while it was open")

    def moves(self, id: str, to: RequestState) -> bool:
        """Remember a change of state; False if the present state does not allow it."""
        with self._lock:
            entry = self._known.get(id)
            # Ending is always allowed: it lets nothing through.
            if entry is None or to is RequestState.EXPIRED:
                is_right = True
            else:
                is_right = not entry.is_spoilt and to in ARROWS.get(entry.state, ())
            if entry is not None and is_right:
                self._known[id] = replace(entry, state=to, ends=NO_TIME)
        if not is_right:
            self.spoil(id, f"was set back before it was moved to {to.value}")
        return is_right

    def ended(self, id: str, now: ClockReading | None) -> None:
        """Note that the file says a request's time is over; early is tampering.

        Args:
            now: None if the clock has jumped, so that nobody knows what time is left.
        """
        with self._lock:
            entry = self._known.get(id)
        if now is not None and entry is not None and _has_time_left(entry, now):
            self.spoil(id, "was given less time")
        self.moves(id, RequestState.EXPIRED)

    def entry(self, id: str) -> LedgerEntry | None:
        """Return what is remembered of a request, None if nothing is."""
        return self._known.get(id)

    def take_back(self, id: str, before: LedgerEntry | None) -> None:
        """Restore an entry after a change that could not be stored."""
        if before is not None:
            with self._lock:
                self._known[id] = before

    def joins(self, pending: PendingRequest, new: NewRequest, now: ClockReading) -> bool:
        """Return whether a stored request may answer for the one that is asked now.

        Args:
            new: the request asked now, with the proofs of the stored one.
        """
        if self.knows(pending.id):
            return self.checked(pending).state is not RequestState.EXPIRED
        # A refusal of another process is taken as it is: a forged one lets nothing through.
        if pending.state is RequestState.DENIED:
            return True
        is_same = _is_asked(pending, new) and pending.ends.since(now) <= new.ttl_s + SLACK_S
        if is_same:
            self.opened(pending, is_adopted=True)
        return is_same

    def forged(self, id: str) -> None:
        """Note that a request has forged answers; for adopted ones they may only be old."""
        with self._lock:
            entry = self._known.get(id)
        if entry is not None and not entry.is_adopted and not entry.is_spoilt:
            self.spoil(id, "has an answer that nobody gave")

    def spoilt_ids(self) -> tuple[str, ...]:
        """Return the requests that were tampered with."""
        with self._lock:
            return tuple(id for id, one in self._known.items() if one.is_spoilt)

    def spoil(self, id: str, wrong: str) -> None:
        """Mark a request as tampered with, so that it is never approved; raise the alarm.

        Args:
            wrong: what is wrong with it, for the message.
        """
        with self._lock:
            entry = self._known.get(id)
            if entry is not None:
                self._known[id] = replace(entry, is_spoilt=True)
        words = f"request {id[:8]} {wrong}; it was not changed by signoff, and is refused"
        self.alarms.tell(f"request {id}", words)


def terms_of(pending: PendingRequest) -> str:
    """Return a hex digest over everything that was fixed when the request was opened."""
    terms = (
        pending.id,
        pending.nonce,
        pending.digest,
        pending.action,
        pending.card,
        pending.level,
        pending.challenge,
        pending.steps,
        pending.context,
        pending.verifier,
        pending.created,
    )
    return hashlib.sha256(TERMS_PREFIX + msgspec.json.encode(terms)).hexdigest()


def _is_asked(pending: PendingRequest, new: NewRequest) -> bool:
    """Tell whether a row asks what is asked now.

    The agent's own words may differ, and the state of the audit log does.
    """
    return (
        (pending.digest, pending.action, pending.level) == (new.digest, new.action, new.level)
        and (pending.challenge, pending.steps) == (new.challenge, new.steps)
        and replace(pending.card, said=(), log="") == replace(new.card, said=(), log="")
        and replace(pending.context, call_id="") == replace(new.context, call_id="")
    )


def _entry(pending: PendingRequest, *, is_adopted: bool) -> LedgerEntry:
    return LedgerEntry(
        is_adopted=is_adopted,
        terms=terms_of(pending),
        state=pending.state,
        answers=len(pending.answers),
        ends=pending.ends,
    )


def _wrong(entry: LedgerEntry, pending: PendingRequest) -> str:
    """Return how a row differs from what may have become of it, "" if it does not."""
    if terms_of(pending) != entry.terms:
        return "was edited: its call, card, proofs or terms are not those it was opened with"
    if pending.state not in _after(entry.state):
        return f"was set back from {entry.state.value} to {pending.state.value}"
    if len(pending.answers) < entry.answers:
        return "lost an answer"
    is_same_step = pending.state is entry.state and entry.state in TIMED
    if is_same_step and entry.ends not in (pending.ends, NO_TIME):
        return "was given more time"
    return ""


def _has_time_left(entry: LedgerEntry, now: ClockReading) -> bool:
    is_timed = entry.state in TIMED and not entry.is_spoilt and entry.ends != NO_TIME
    return is_timed and entry.ends.since(now) > SLACK_S


def _after(state: RequestState) -> frozenset[RequestState]:
    """Return the states that can follow, itself included."""
    found = {state}
    for one in ARROWS.get(state, ()):
        found |= _after(one)
    return frozenset(found)
