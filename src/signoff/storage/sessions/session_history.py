"""What one session did before, in memory; each recorded call updates it.

`MemoryLimits` says how much of it is kept, wherever it is stored.

    history = SessionHistory()
    history.learn(update, limits)
    history.remembered("Bash").prior_calls
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import Struct, field

from signoff.actions.facts import ACT_MARK, Denial
from signoff.effects.store import SessionMemory, SessionUpdate

Item = TypeVar("Item")
KINDS = ("written", "downloaded", "built", "created", "moved", "secrets_read")
OVERHEAD = 64  # characters that keeping one thing costs beside its text


class SessionHistory(Struct):
    """What one session did before, oldest first. Mutable; only copies are handed out."""

    calls: dict[str, int] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    downloaded: dict[str, None] = field(default_factory=dict)
    built: dict[str, None] = field(default_factory=dict)
    created: dict[str, None] = field(default_factory=dict)
    moved: dict[str, None] = field(default_factory=dict)
    secrets_read: dict[str, None] = field(default_factory=dict)
    denials: dict[Denial, None] = field(default_factory=dict)
    _said: SessionMemory | None = None
    _acts: Mapping[str, int] | None = None

    @property
    def size(self) -> int:
        """Approximate size in characters."""
        paths = [path for kind in KINDS for path in getattr(self, kind)]
        return sum(map(len, paths)) + OVERHEAD * (len(paths) + len(self.calls) + len(self.denials))

    def remembered(self, function: str) -> SessionMemory:
        """Return an immutable copy, with the number of calls of `function`."""
        said = self._said
        if said is None:
            said = self._said = SessionMemory(
                written=frozenset(self.written),
                downloaded=frozenset(self.downloaded),
                built=frozenset(self.built),
                created=frozenset(self.created),
                moved=frozenset(self.moved),
                secrets_read=frozenset(self.secrets_read),
                denials=tuple(self.denials),
            )
        if self._acts is None:
            self._acts = {name: n for name, n in self.calls.items() if name[:1] == ACT_MARK}
        return SessionMemory(
            prior_calls=self.calls.get(function, 0),
            acts=self._acts,
            written=said.written,
            downloaded=said.downloaded,
            built=said.built,
            created=said.created,
            moved=said.moved,
            secrets_read=said.secrets_read,
            denials=said.denials,
        )

    def learn(self, session_update: SessionUpdate, limits: MemoryLimits) -> None:
        """Add what one decision did; drop the oldest items beyond the limits."""
        for name in counted(session_update):
            self.calls[name] = self.calls.get(name, 0) + 1
        if session_update.acts:
            self._acts = None
        if not has_paths(session_update):
            return
        self._said = None
        for kind in KINDS:
            _add(getattr(self, kind), getattr(session_update, kind), limits.paths)
        _add(self.denials, session_update.denials, limits.denials)

    def prune(self, limits: MemoryLimits) -> None:
        """Drop the least called functions beyond the limit."""
        if len(self.calls) > limits.functions:
            by_count = sorted(self.calls.items(), key=lambda call: (-call[1], call[0]))
            self.calls = dict(by_count[: limits.functions])
            self._acts = None


def counted(session_update: SessionUpdate) -> tuple[str, ...]:
    """Return what an update counts: its function and its acts."""
    function = session_update.function
    return (function, *session_update.acts) if function else session_update.acts


def has_paths(session_update: SessionUpdate) -> bool:
    """Return whether an update adds more than a count of calls."""
    return bool(
        session_update.written
        or session_update.downloaded
        or session_update.secrets_read
        or session_update.denials
        or session_update.built
        or session_update.created
        or session_update.moved
    )


def size_of(session_update: SessionUpdate) -> int:
    """Return the approximate size of an update in characters; 0 for a mere count."""
    if not has_paths(session_update):
        return 0
    paths = [path for kind in KINDS for path in getattr(session_update, kind)]
    return sum(map(len, paths)) + OVERHEAD * (len(paths) + len(session_update.denials))


def _add(kept: dict[Item, None], new: Iterable[Item], limit: int) -> None:
    """Add what is new at the end and drop the oldest over the limit."""
    for item in new:
        # Out and in again: a path seen again counts as new, so the order is that of the last use.
        kept.pop(item, None)
        kept[item] = None
    while len(kept) > limit:
        del kept[next(iter(kept))]


class MemoryLimits(Struct, frozen=True, kw_only=True):
    """How much history of sessions is kept.

    `prune_every`: after so many records, the sessions unused for longest are dropped.
    """

    sessions: int = 5_000
    functions: int = 1_000
    paths: int = 2_000
    denials: int = 64
    prune_every: int = 256
