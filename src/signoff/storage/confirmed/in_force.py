"""What is in force: approvers, mode, policies and locks as an admin confirmed them.

The daemon keeps them in its memory. A file that another process changed is believed once an admin
confirms the change on a channel, with a code that is shown there; until then what was confirmed
holds. What only makes things stricter holds at once: a lock, the mode `remote`.

Where nodes share a store and a key, what holds on one node holds on all (`fleet.py`), and the files
of each node follow: a difference from them is a change that a process of that node made.

    in_force = InForce(sources, head)
    in_force.start()
    in_force.look()                         # changes that wait: in_force.waiting()
    in_force.confirm("ABCD-EFGH", by="ada")
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable

import msgspec

from signoff.challenge.proofs.seal import new_code, plain_code, spaced
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy
from signoff.decide.decision import Enforcement
from signoff.effects.learning.trust_ledger import (
    ALL_REVOKED,
    SharedAnswer,
    SharedAnswers,
    TrustMark,
)
from signoff.errors import SignoffError, StoreError
from signoff.ids import is_same_secret
from signoff.storage.confirmed.changing import (
    ANSWERS_KEPT,
    joined,
    taken,
    with_answers,
    with_locks,
    with_mark,
    with_policy,
)
from signoff.storage.confirmed.fleet import Change, FleetStanding
from signoff.storage.confirmed.head import ConfirmedHead, StandingState
from signoff.storage.confirmed.outside import (
    FILES,
    FileFollower,
    OutsideChange,
    Sources,
    StandingKind,
    is_same,
    words_of,
)
from signoff.storage.locks.lock import EVERYTHING, Lock
from signoff.values import replace

log = logging.getLogger(__name__)

TRIES = 5  # wrong codes until every code is another one


class InForce:
    """Holds the confirmed locks, approvers, policies and mode; thread-safe.

    Args:
        tell: called once with each outside change found.
        fleet: the state all nodes share; None = this machine shares nothing.
        follower: writes the shared state into this node's files.
    """

    def __init__(
        self,
        sources: Sources,
        head: ConfirmedHead,
        tell: Callable[[OutsideChange], None],
        *,
        fleet: FleetStanding | None = None,
        follower: FileFollower | None = None,
    ) -> None:
        self._sources, self._head, self._tell = sources, head, tell
        self._fleet, self._follower = fleet, follower
        self._lock = threading.RLock()
        self._waiting: dict[StandingKind, OutsideChange] = {}
        self._tries = 0
        self._is_started = False
        self._own = StandingState()  # as sealed in the file
        self._fresh: tuple[Lock, ...] = ()  # seen, and not kept yet
        self._answered: deque[SharedAnswer] = deque(maxlen=ANSWERS_KEPT)  # to be shared
        self._adding = threading.Lock()

    @property
    def is_shared(self) -> bool:
        """Whether other nodes share this state."""
        return self._fleet is not None

    @property
    def standing(self) -> StandingState:
        """The state in force now."""
        held = with_locks(self._kept, self._fresh) if self._fresh else self._kept
        stand_in = self._fleet.stand_in() if self._fleet else ()
        # Nobody knows what an admin said meanwhile: the strictest holds.
        if stand_in:
            strictest = StandingState()
            return replace(
                held,
                locks=(*held.locks, *stand_in),
                mode=strictest.mode,
                enforcement=strictest.enforcement,
            )
        return held

    @property
    def _kept(self) -> StandingState:
        """What was confirmed, here or on another node."""
        return self._own if self._fleet is None else self._fleet.over(self._own)

    @property
    def problem(self) -> str:
        """Why the shared state is not trusted, "" if it is."""
        return self._fleet.problem() if self._fleet else ""

    def start(self) -> str:
        """Load the confirmed state; return a message about it, "" for none.

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
            self._own = before or self._outside()
            if wrong:  # until an admin says so: incidents may be gone, `local` asks fewer people
                self._own = replace(self._own, trust=(ALL_REVOKED,), mode=Mode.REMOTE)
            self._is_started = True
            own = self._own
            if before is None:
                self._head.write(own)
            self._head.mark_seen()  # also of a file that an older version wrote
            if self._fleet is not None:
                self._begin(self._fleet)
            said = "; ".join(words_of(kind, own) for kind in FILES)
            return (
                f"{wrong}first start: signoff accepted these as they are; check them: {said}"
                if before is None
                else ""
            )

    def _begin(self, fleet: FleetStanding) -> None:
        """Hold what all nodes hold, before the first call."""
        try:
            fleet.begin(self._own.versions)
            self.look()
        except SignoffError as error:
            log.error("what all nodes hold is not taken over yet: %s", error)

    def look(self) -> None:
        """Compare the files with the confirmed state and report differences."""
        with self._lock:
            if not self._is_started:
                self.start()
            if self._fleet is not None:
                self._look_at_fleet(self._fleet)
            outside = self._stricter(self._outside())
            for kind in FILES:
                if is_same(kind, outside, self._kept):
                    self._waiting.pop(kind, None)
                else:
                    said = msgspec.json.encode(getattr(outside, kind.value))
                    self._note(kind, words_of(kind, outside), said)

    def _look_at_fleet(self, fleet: FleetStanding) -> None:
        """Take over what other nodes changed, and bring the files up to date with it.

        Raises:
            StoreError: what nodes share cannot be seen, or a file cannot be written.
        """
        if not fleet.wrong():
            self._waiting.pop(StandingKind.SHARED, None)
        else:
            self._note(StandingKind.SHARED, fleet.wrong(), fleet.wrong().encode())
        if fleet.problem():
            return
        own = self._own
        # Once: of what this machine held before it was a node, what is stricter holds on all.
        if not own.versions:
            self._keep(lambda shared: joined(own, shared), adds_only=True)
        elif self._kept != own:
            self._write(self._kept)
        if answered := tuple(self._answered):
            self._keep(lambda held: with_answers(held, answered))
            for _ in answered:
                self._answered.popleft()

    def merged(self, locks: tuple[Lock, ...]) -> tuple[Lock, ...]:
        """Return the locks of the file, and confirmed ones that are missing from it.

        A lock that was seen once stays in force, however soon it is removed from the file.
        """
        # Asked before every call: no other thread is waited for.
        held = self.standing.locks
        if not locks and not held:
            return locks
        locks = self._not_lifted(locks)
        # By target: the same lock set again, at another time or by somebody else, is one lock.
        known = {lock.target for lock in held}
        fresh = tuple(one for one in locks if one.target not in known and one != EVERYTHING)
        if fresh:
            with self._adding:
                self._fresh = tuple(dict.fromkeys((*self._fresh, *fresh)))
        there = {lock.target for lock in locks}
        return (*locks, *(lock for lock in held if lock.target not in there))

    def _not_lifted(self, locks: tuple[Lock, ...]) -> tuple[Lock, ...]:
        """Return locks without those lifted on another node, which the file has still."""
        if self._fleet is None:
            return locks
        own, held = self._own.locks, {lock.target for lock in self._kept.locks}
        return tuple(one for one in locks if one.target in held or one not in own)

    def waiting(self) -> tuple[OutsideChange, ...]:
        """Return the outside changes that wait for an admin."""
        # Without the lock: whoever holds it may wait for the store.
        return tuple(self._waiting.values())

    def confirm(self, code: str) -> OutsideChange | None:
        """Put the change with this code in force; None if there is none.

        Raises:
            StoreError: it cannot be stored.
        """
        with self._lock:
            self.look()
            plain = plain_code(code)
            for change in self._waiting.values():
                if plain and is_same_secret(plain_code(change.code), plain):
                    self._take(change.kind)
                    return change
            self._tries += 1
            if self._tries >= TRIES:
                self._tries = 0
                self._waiting.clear()  # found again with other codes
            return None

    def confirm_told(self, code: str) -> str:
        """Put the change with this code in force; return a message about the result."""
        change = self.confirm(code)
        if change is None:
            return "no change waits under this code: it was put back, or changed again"
        return f"in force now: {change.words}"

    def put_policy(self, policy: Policy) -> Policy:
        """Put a policy in force that an admin added or changed through this process.

        Args:
            policy: without an id it gets the next one of all nodes.
        """

        with self._lock:
            self._keep(lambda held: with_policy(held, policy))
            if policy.id:
                return policy
            # As it was made: without its id there is no other of this time.
            same = (one for one in self._own.policies[::-1] if replace(one, id="") == policy)
            return next(same)

    def remove_policy(self, id: str) -> None:
        """Take a policy out of force that an admin removed through this process."""
        with self._lock:
            self._keep(
                lambda held: replace(
                    held, policies=tuple(one for one in held.policies if one.id != id)
                )
            )

    def set_mode(self, mode: Mode) -> None:
        """Put a mode in force that an admin set through this process."""
        with self._lock:
            self._keep(lambda held: replace(held, mode=mode))

    def set_enforcement(self, enforcement: Enforcement, *, until_s: float = 0.0) -> None:
        """Put an enforcement mode in force that an admin set; no file can set it.

        Args:
            until_s: its end, seconds since the epoch; then decisions are enforced again.
        """
        with self._lock:
            self._keep(lambda held: replace(held, enforcement=enforcement, enforced_from_s=until_s))

    def change_trust(
        self, agent: str, domain: str, change: Callable[[TrustMark], TrustMark | None]
    ) -> None:
        """Change what is set about the trust in an agent; no file can set it.

        Args:
            change: gets the present mark of this agent and domain, returns the new one; None =
                remove it.
        """
        with self._lock:
            self._keep(lambda held: with_mark(held, agent, domain, change))

    def marks(self) -> tuple[TrustMark, ...]:
        """Return the trust marks people set on agents."""
        return self.standing.trust

    @property
    def answers(self) -> SharedAnswers | None:
        """People's answers on all nodes; None on a machine that shares nothing."""
        if self._fleet is None:
            return None
        return SharedAnswers(lambda: self._kept.answered, self._answered.append)

    def enforcement(self) -> Enforcement:
        """Return the mode in force."""
        return self.standing.enforcement_at(time.time())

    def _keep(
        self, change: Change, *, seen: StandingState | None = None, adds_only: bool = False
    ) -> None:
        """Let a change of what holds hold from now on, on all nodes that share it.

        Args:
            seen: what it was made for; it is refused where something else holds by now.
            adds_only: policies that are in the file of this node alone stay there.
        """
        if self._fleet is None:
            self._write(change(self._own))
        else:
            changed = self._fleet.change(self._own, change, seen=seen)
            self._write(changed, adds_only=adds_only)

    def _write(self, standing: StandingState, *, adds_only: bool = False) -> None:
        before = replace(self._own, policies=()) if adds_only else self._own
        # The files first: what is left of them would be a change from outside.
        if self._follower is not None and self._fleet is not None:
            self._follower.follow(before, standing)
        # On disk first: after a crash nothing holds that was not sealed.
        self._head.write(standing)
        self._own = standing
        targets = {lock.target for lock in standing.locks}
        with self._adding:
            self._fresh = tuple(one for one in self._fresh if one.target not in targets)

    def _take(self, kind: StandingKind) -> None:
        """Put a confirmed change in force."""
        if kind is StandingKind.SHARED:
            if self._fleet is not None:
                self._fleet.put_back(self._own)
        else:
            # Read again: `look` has just made sure that this is what the code was shown for.
            outside, seen = self._outside(), self._kept
            self._keep(lambda held: taken(kind, held, outside), seen=seen)
        self._waiting.pop(kind, None)

    def _outside(self) -> StandingState:
        """Return the state that the files describe."""
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
        locks = self._not_lifted(outside.locks)

        # What only makes things stricter needs no admin, so it holds at once.
        def stricter(held: StandingState) -> StandingState:
            mode = Mode.REMOTE if outside.mode is Mode.REMOTE else held.mode
            return with_locks(replace(held, mode=mode), (*locks, *self._fresh))

        if stricter(self._kept) != self._own:
            self._keep(stricter)
        return outside

    def _note(self, kind: StandingKind, words: str, said: bytes) -> None:
        """Note that one kind differs, and tell it once."""
        digest = hashlib.sha256(said).hexdigest()
        known = self._waiting.get(kind)
        # Told once: a new code for the same change would make the one that was shown useless.
        if known is not None and known.digest == digest:
            return
        code = spaced(new_code())
        change = OutsideChange(kind=kind, words=words, code=code, digest=digest)
        self._waiting[kind] = change
        self._tell(change)
