"""What holds on all nodes: locks, policies, mode, enforcement, trust and revoked rights.

Each kind is one row that all nodes share, with a version and a seal by a key that is in no
database. A node believes a row if the seal holds and its version is not older than one it has seen.
Otherwise, and while it cannot see the rows, everything is refused, and people are told. Who writes
names the version it has seen: of two that change the same, the second looks again.

    fleet = FleetStanding(rows, key, alarms)
    standing = fleet.over(own)                  what holds here
    standing = fleet.change(own, lambda one: replace(one, mode=Mode.REMOTE))
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from signoff.challenge.proofs.ledger import Alarms
from signoff.errors import StoreError
from signoff.ids import is_same_secret
from signoff.storage.approvals.arrows import moment_now
from signoff.storage.confirmed.head import StandingState
from signoff.storage.confirmed.rights import REVOKED_LIMIT, without
from signoff.storage.locks.lock import Lock, LockScope, StandInLock
from signoff.values import replace

PREFIX = b"signoff-shared-standing-v1"
TRIES = 10
CONTENT_LIMIT = 16_777_216  # bytes
BUSY = "other nodes change the same at this moment: try again"
HOW_TO = "an admin of this node puts back what it knew: `signoff confirm`"


class SharedKind(StrEnum):
    """The parts of the state that nodes share; each is one database row."""

    LOCKS = "locks"
    POLICIES = "policies"
    MODE = "mode"
    ENFORCEMENT = "enforcement"
    TRUST = "trust"
    REVOKED = "revoked"
    ANSWERS = "answers"


FIELDS: Mapping[SharedKind, tuple[str, ...]] = {
    SharedKind.LOCKS: ("locks",),
    SharedKind.POLICIES: ("policies", "next_policy"),
    SharedKind.MODE: ("mode",),
    SharedKind.ENFORCEMENT: ("enforcement", "enforced_from_s"),
    SharedKind.TRUST: ("trust",),
    SharedKind.REVOKED: ("revoked",),
    SharedKind.ANSWERS: ("answered",),
}
Change: TypeAlias = Callable[[StandingState], StandingState]


class SharedRow(Struct, frozen=True, kw_only=True):
    """One part of the shared state, as stored."""

    kind: str
    version: int
    content: bytes
    seal: str


SeenRows: TypeAlias = Mapping[str, SharedRow]


class SharedRows(Protocol):
    """Port: stores the shared rows where all nodes can read them."""

    def follow(self, seen: Callable[[SeenRows, float], None]) -> None:
        """Call `seen` after every read, with the rows and the monotonic time the read began."""

    def problem(self) -> str:
        """Return why the rows cannot be read now, "" if they can."""

    def look(self) -> None:
        """Read the rows now and call `seen`.

        Raises:
            StoreError: the rows cannot be read.
        """

    def put(self, rows: Sequence[SharedRow], was: Mapping[str, int]) -> bool:
        """Replace rows if they still have these versions; all or none. Returns False otherwise.

        Args:
            was: the version before by kind, 0 = there is none.

        Raises:
            StoreError: that cannot be done, or it cannot be known.
        """


class _Agreed(Struct, frozen=True, kw_only=True):
    """What was believed last: replaced as a whole, so that readers take no lock."""

    rows: Mapping[SharedKind, SharedRow] = {}
    fields: Mapping[str, Any] = {}  # of a StandingState


class FleetStanding:
    """The state that all nodes share, as this node sees it; thread-safe.

    Args:
        key: shared by all nodes, for this purpose only.
    """

    def __init__(self, rows: SharedRows, key: bytes, alarms: Alarms | None = None) -> None:
        self._rows, self._key, self._alarms = rows, key, alarms or Alarms()
        self._lock = threading.Lock()
        self._agreed = _Agreed()
        self._least: dict[SharedKind, int] = {}
        self._since_s: dict[SharedKind, float] = {}
        self._wrong: dict[SharedKind, str] = {}
        self._seen: SeenRows = {}
        self._last: tuple[StandingState, _Agreed, StandingState] | None = None
        rows.follow(self._take)

    def begin(self, versions: tuple[tuple[str, int], ...]) -> None:
        """Start reading the shared state; no version older than these is accepted.

        Raises:
            StoreError: it cannot be read now; every call is denied until it can.
        """
        with self._lock:
            self._least = {kind: dict(versions).get(kind.value, 0) for kind in SharedKind}
        self._rows.look()

    def problem(self) -> str:
        """Return why every call is denied, "" if none is."""
        return self._rows.problem() or self.wrong()

    def wrong(self) -> str:
        """Return why the shared state fails verification, "" if it does not."""
        return next(iter(tuple(self._wrong.values())), "")

    def stand_in(self) -> tuple[Lock, ...]:
        """Return a lock on everything while the shared state cannot be trusted, else ()."""
        problem = self.problem()
        return (StandInLock(scope=LockScope.ALL, why=problem),) if problem else ()

    def over(self, own: StandingState) -> StandingState:
        """Return the state in force here: the shared parts, and this node's own for the rest."""
        agreed, last = self._agreed, self._last
        if last is not None and last[0] is own and last[1] is agreed:
            return last[2]
        seen = {kind.value: row.version for kind, row in agreed.rows.items()}
        versions = tuple(sorted({**dict(own.versions), **seen}.items()))
        held = replace(own, **agreed.fields, versions=versions)
        held = replace(held, approvers=without(own.approvers, held.revoked))
        self._last = (own, agreed, held)
        return held

    def change(
        self, own: StandingState, change: Change, *, seen: StandingState | None = None
    ) -> StandingState:
        """Apply a change on all nodes; return the state in force here afterwards.

        Args:
            seen: state the change was made for; it is refused if that is no longer in force.

        Raises:
            StoreError: it was not applied, or that cannot be known.
        """
        for _ in range(TRIES):
            before, agreed = self.over(own), self._agreed
            if seen is not None and before != seen:
                raise StoreError(BUSY)
            after = change(before)
            was = {kind: row.version for kind, row in agreed.rows.items()}
            wanted = {
                kind: was.get(kind, 0)
                for kind in SharedKind
                if kind not in was or _differs(kind, before, after)
            }
            self._refuse_wrong(wanted)
            if not wanted or self._put(tuple(wanted), after, wanted):
                return self.over(after)
            self._rows.look()
        raise StoreError(BUSY)

    def _refuse_wrong(self, wanted: Iterable[SharedKind]) -> None:
        """Refuse to write over what is not believed: else whoever writes next would make it true.

        Raises:
            StoreError: one of these kinds is not believed.
        """
        for kind in wanted:
            if wrong := self._wrong.get(kind):
                raise StoreError(wrong)

    def put_back(self, own: StandingState) -> None:
        """Overwrite an unverified shared state with what this node knows.

        Raises:
            StoreError: that failed, or the shared state has changed meanwhile.
        """
        there = {kind: row.version for kind in self._wrong if (row := self._seen.get(kind.value))}
        was = {kind: there.get(kind, 0) for kind in self._wrong}
        if was and not self._put(tuple(was), own, was):
            raise StoreError(BUSY)

    def _put(
        self, kinds: Sequence[SharedKind], standing: StandingState, was: Mapping[SharedKind, int]
    ) -> bool:
        rows = [
            self._sealed(kind, standing, 1 + max(was[kind], self._least.get(kind, 0)))
            for kind in kinds
        ]
        if not self._rows.put(rows, {kind.value: version for kind, version in was.items()}):
            return False
        with self._lock:
            for kind, row in zip(kinds, rows, strict=True):
                self._wrong.pop(kind, None)
                self._believe(kind, row)
                # A look that began before tells what stood there before.
                self._since_s[kind] = moment_now().running_s
        return True

    def _take(self, seen: SeenRows, at_s: float) -> None:
        """Take over what another node changed; tell people what is not believed."""
        alarms: list[str] = []
        with self._lock:
            self._seen = seen
            for kind in SharedKind:
                row, known = seen.get(kind.value), self._agreed.rows.get(kind)
                if at_s < self._since_s.get(kind, 0.0):
                    continue
                wrong = "" if row == known and row else self._why_wrong(kind, row, known)
                if wrong:
                    self._wrong[kind] = f"the shared {kind.value} {wrong}; {HOW_TO}"
                    alarms.append(self._wrong[kind])
                    continue
                self._wrong.pop(kind, None)
                if row is not None and row != known:
                    self._believe(kind, row)
        for text in alarms:
            self._alarms.tell(text, text)

    def _believe(self, kind: SharedKind, row: SharedRow) -> None:
        said = msgspec.json.decode(row.content, type=StandingState)
        fields = {name: getattr(said, name) for name in FIELDS[kind]}
        before = self._agreed
        self._least[kind] = row.version
        self._agreed = _Agreed(rows={**before.rows, kind: row}, fields={**before.fields, **fields})

    def _why_wrong(self, kind: SharedKind, row: SharedRow | None, known: SharedRow | None) -> str:
        """Say why a row is not believed, "" if it is."""
        least = self._least.get(kind, 0)
        if row is None:
            return "are gone from the store" if least else ""
        if row.version < least:
            return f"were set back to version {row.version}; {least} was seen before"
        if known is not None and row.version == known.version:
            return "were changed"
        if not is_same_secret(self._seal(kind, row.version, row.content), row.seal):
            return "were changed: no node made their seal"
        try:
            msgspec.json.decode(row.content, type=StandingState)
        except msgspec.MsgspecError as error:
            return f"cannot be read: {error}"
        return ""

    def _sealed(self, kind: SharedKind, standing: StandingState, version: int) -> SharedRow:
        if len(standing.revoked) > REVOKED_LIMIT:
            raise StoreError(f"more than {REVOKED_LIMIT} rights of approvers were revoked")
        content = msgspec.json.encode({name: getattr(standing, name) for name in FIELDS[kind]})
        if len(content) > CONTENT_LIMIT:
            raise StoreError(f"the shared {kind.value} would be more than {CONTENT_LIMIT} bytes")
        seal = self._seal(kind, version, content)
        return SharedRow(kind=kind.value, version=version, content=content, seal=seal)

    def _seal(self, kind: SharedKind, version: int, content: bytes) -> str:
        # No kind has a NUL in it, and a version is digits: no two rows are sealed alike.
        text = b"\0".join((PREFIX, kind.value.encode(), str(version).encode(), content))
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()


def _differs(kind: SharedKind, before: StandingState, after: StandingState) -> bool:
    return any(getattr(before, name) != getattr(after, name) for name in FIELDS[kind])
