"""What is in force: approvers, mode, policies and locks as an admin confirmed them.

The daemon keeps them in its memory. A file that another process changed is believed once an admin
confirms the change on a channel, with a code that is shown there; until then what was confirmed
holds. What only makes things stricter holds at once: a lock, the mode `remote`.

    in_force = InForce(sources, head)
    in_force.start()
    in_force.look()                         # changes that wait: in_force.waiting()
    in_force.confirm("ABCD-EFGH", by="ada")
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import assert_never

import msgspec
from msgspec import Struct

from signoff.challenge.proofs.seal import new_code, plain_code, spaced
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy
from signoff.challenge.visible import visible
from signoff.decide.decision import Enforcement
from signoff.effects.learning.trust_book import ALL_REVOKED, TrustMark
from signoff.errors import StoreError
from signoff.ids import is_same_secret
from signoff.storage.confirmed.head import ConfirmedHead, StandingState
from signoff.storage.locks.lock import EVERYTHING, Lock
from signoff.values import replace

TRUST_MARKS_LIMIT = 1_000
TRIES = 5  # wrong codes until every code is another one
SHOWN = 10


class StandingKind(StrEnum):
    """What can be changed from outside."""

    APPROVERS = "approvers"
    MODE = "mode"
    POLICIES = "policies"
    LOCKS = "locks"
    SIGN_IN = "sign_in"


class Sources(Struct, frozen=True):
    """How the files are read; each raises a SignoffError where its file is refused."""

    approvers: Callable[[], tuple[Approver, ...]]
    mode: Callable[[], Mode]
    policies: Callable[[], tuple[Policy, ...]]
    locks: Callable[[], tuple[Lock, ...]]
    sign_in: Callable[[], tuple[str, ...]] = tuple


class OutsideChange(Struct, frozen=True, kw_only=True):
    """A change that another process made and nobody has confirmed.

    Args:
        words: what would hold, in one line.
        code: what confirms it; shown on channels and to admins in the inbox, and nowhere else.
    """

    kind: StandingKind
    words: str
    code: str
    digest: str

    @property
    def told(self) -> str:
        """What everybody may know about it."""
        return (
            f"CHANGED OUTSIDE: {self.words}; not in force until an admin confirms it in the inbox,"
            " or with the code shown on the channels: `signoff confirm`"
        )


class InForce:
    """Holds what was confirmed; safe for threads.

    Args:
        tell: is given each change once, as soon as it is found.
    """

    def __init__(
        self, sources: Sources, head: ConfirmedHead, tell: Callable[[OutsideChange], None]
    ) -> None:
        self._sources, self._head, self._tell = sources, head, tell
        self._lock = threading.RLock()
        self._waiting: dict[StandingKind, OutsideChange] = {}
        self._tries = 0
        self._is_started, self._is_written = False, True
        self.standing = StandingState()

    def start(self) -> str:
        """Take up what was confirmed before; return what to say about it, "" for nothing.

        Without a sealed file everything is taken as it stands, once. Where there was one before,
        nobody is trusted then.

        Raises:
            SignoffError: a file is refused; nothing holds until it can be read.
        """
        with self._lock:
            try:
                before, wrong = self._head.read(), ""
            except StoreError as error:
                before, wrong = None, f"{error}: "
            self.standing = before or self._outside()
            if wrong:  # incidents are gone with the seal: nobody is trusted until an admin says so
                self.standing = replace(self.standing, trust=(ALL_REVOKED,))
            self._is_started = True
            if before is None:
                self._head.write(self.standing)
                said = "; ".join(words_of(kind, self.standing) for kind in StandingKind)
                return f"{wrong}first start, so these count as found: {said}"
            self._head.mark_seen()  # of a file that an older version wrote
            return ""

    def look(self) -> None:
        """Compare the files with what was confirmed; tell what differs."""
        with self._lock:
            if not self._is_started:
                self.start()
            outside = self._stricter(self._outside())
            for kind in StandingKind:
                self._note(kind, outside)

    def merged(self, locks: tuple[Lock, ...]) -> tuple[Lock, ...]:
        """Return the locks of the file, and those that hold although they are gone from it.

        A lock that was seen once holds, however soon it is gone.
        """
        # Asked before every call: without any lock no other thread is waited for.
        if not locks and not self.standing.locks:
            return locks
        # By target: the same lock set again, at another time or by somebody else, is one lock.
        there = {lock.target for lock in locks}
        with self._lock:
            fresh = _with_locks(self.standing, locks)
            if fresh != self.standing:
                self.standing, self._is_written = fresh, False
            held = self.standing.locks
        return (*locks, *(lock for lock in held if lock.target not in there))

    def waiting(self) -> tuple[OutsideChange, ...]:
        """Return what waits for an admin."""
        with self._lock:
            return tuple(self._waiting.values())

    def confirm(self, code: str) -> OutsideChange | None:
        """Let the change of this code hold, None if there is none of that code now.

        Raises:
            StoreError: it cannot be kept.
        """
        with self._lock:
            self.look()
            plain = plain_code(code)
            for change in self._waiting.values():
                if plain and is_same_secret(plain_code(change.code), plain):
                    # Read again: `look` has just made sure that this is what the code was shown
                    # for.
                    self._take(change.kind, self._outside())
                    return change
            self._tries += 1
            if self._tries >= TRIES:
                self._tries = 0
                self._waiting.clear()  # found again with other codes
            return None

    def confirm_told(self, code: str) -> str:
        """Confirm a change and return what to say about it."""
        change = self.confirm(code)
        if change is None:
            return "no change waits under this code: it was put back, or changed again"
        return f"in force now: {change.words}"

    def put_policy(self, policy: Policy) -> None:
        """Let a policy hold that an admin added or changed on a channel of this process."""
        with self._lock:
            known = self.standing.policies
            is_new = policy.id not in {one.id for one in known}
            kept = tuple(policy if one.id == policy.id else one for one in known)
            changed = (*kept, policy) if is_new else kept
            self._keep(replace(self.standing, policies=changed))

    def remove_policy(self, id: str) -> None:
        """Let a policy hold no more that an admin removed on a channel of this process."""
        with self._lock:
            left = tuple(one for one in self.standing.policies if one.id != id)
            self._keep(replace(self.standing, policies=left))

    def set_mode(self, mode: Mode) -> None:
        """Let a mode hold that an admin set on a channel of this process."""
        with self._lock:
            self._keep(replace(self.standing, mode=mode))

    def set_enforcement(self, enforcement: Enforcement, *, until_s: float = 0.0) -> None:
        """Let a mode of enforcement hold that an admin set; no file of others sets it.

        Args:
            until_s: seconds since the epoch; then decisions are enforced again.
        """
        with self._lock:
            self._keep(replace(self.standing, enforcement=enforcement, enforced_from_s=until_s))

    def change_trust(
        self, agent: str, domain: str, change: Callable[[TrustMark], TrustMark | None]
    ) -> None:
        """Let something hold that a person set about an agent; no file of others sets it.

        Args:
            change: takes what holds about this agent and domain; None = nothing more.
        """
        with self._lock:
            marks = {(one.agent, one.domain): one for one in self.standing.trust}
            changed = change(marks.pop((agent, domain), TrustMark(agent=agent, domain=domain)))
            if changed is not None:
                marks[agent, domain] = changed
            # Refused, not dropped: what gave way would be an incident, and trust would come back.
            if len(marks) > TRUST_MARKS_LIMIT:
                raise StoreError(f"more than {TRUST_MARKS_LIMIT} agents have incidents")
            self._keep(replace(self.standing, trust=tuple(marks.values())))

    def enforcement(self) -> Enforcement:
        """Return the mode in force."""
        return self.standing.enforcement_at(time.time())

    def _keep(self, standing: StandingState) -> None:
        # On disk first: after a crash nothing holds that was not sealed.
        self._head.write(standing)
        self.standing, self._is_written = standing, True

    def _take(self, kind: StandingKind, outside: StandingState) -> None:
        self._keep(replace(self.standing, **{kind.value: getattr(outside, kind.value)}))
        self._waiting.pop(kind, None)

    def _outside(self) -> StandingState:
        """Return what the files say."""
        said = self._sources
        return StandingState(
            approvers=said.approvers(),
            mode=said.mode(),
            policies=said.policies(),
            locks=said.locks(),
            sign_in=said.sign_in(),
        )

    def _stricter(self, outside: StandingState) -> StandingState:
        """Let hold at once what makes things stricter; return the rest."""
        fresh = self.standing
        # What only makes things stricter needs no admin, so it holds at once.
        if outside.mode is Mode.REMOTE:
            fresh = replace(fresh, mode=Mode.REMOTE)
        fresh = _with_locks(fresh, outside.locks)
        if fresh != self.standing or not self._is_written:
            self._keep(fresh)
        return outside

    def _note(self, kind: StandingKind, outside: StandingState) -> None:
        """Note that one kind differs, or does not any more."""
        if is_same(kind, outside, self.standing):
            self._waiting.pop(kind, None)
            return
        digest = hashlib.sha256(msgspec.json.encode(getattr(outside, kind.value))).hexdigest()
        known = self._waiting.get(kind)
        # Told once: a new code for the same change would make the one that was shown useless.
        if known is not None and known.digest == digest:
            return
        code = spaced(new_code())
        change = OutsideChange(kind=kind, words=words_of(kind, outside), code=code, digest=digest)
        self._waiting[kind] = change
        self._tell(change)


def _with_locks(standing: StandingState, locks: tuple[Lock, ...]) -> StandingState:
    """Return what holds with these locks; one of no time stands for a file that is not read."""
    known = {lock.target for lock in standing.locks}
    added = tuple(lock for lock in locks if lock.target not in known and lock != EVERYTHING)
    return replace(standing, locks=(*standing.locks, *added)) if added else standing


def is_same(kind: StandingKind, one: StandingState, other: StandingState) -> bool:
    """Tell whether what is outside is what holds; of locks, whether none is gone."""
    if kind is StandingKind.LOCKS:
        there = {lock.target for lock in one.locks}
        return EVERYTHING.target in there or {lock.target for lock in other.locks} <= there
    return bool(getattr(one, kind.value) == getattr(other, kind.value))


def words_of(kind: StandingKind, standing: StandingState) -> str:
    """Return what would hold, in one line."""
    match kind:
        case StandingKind.APPROVERS:
            named = [
                f"{one.id} ({one.role.value}, {', '.join(map(str, one.identities))})"
                for one in standing.approvers
            ]
        case StandingKind.MODE:
            named = [standing.mode.value]
        case StandingKind.POLICIES:
            named = [
                f"{one.text} ({one.tool or 'every tool'}{', until ' if one.ends else ''}{one.ends})"
                for one in standing.policies
            ]
        case StandingKind.LOCKS:
            named = [str(one) for one in standing.locks]
        case StandingKind.SIGN_IN:
            named = list(standing.sign_in)
        case _:
            assert_never(kind)
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    return visible(f"{kind.value}: {', '.join(named[:SHOWN]) or 'none'}{more}")
