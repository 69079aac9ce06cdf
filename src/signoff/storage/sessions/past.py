"""What one session did before, as a value in this process that grows with each lesson.

past = Past()
past.learn(lesson, limits)
past.remembered("Bash").prior_calls
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from signoff.actions.facts import Denial
from signoff.effects.store import Lesson, Remembered
from signoff.storage.sessions.limits import MemoryLimits

Item = TypeVar("Item")
EACH = 64  # characters that keeping one thing costs beside its text


@dataclass(slots=True)
class Past:
    """What one session did before; mutable, and never handed out. The oldest stand first."""

    calls: dict[str, int] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    downloaded: dict[str, None] = field(default_factory=dict)
    secrets_read: dict[str, None] = field(default_factory=dict)
    denials: dict[Denial, None] = field(default_factory=dict)
    _said: Remembered | None = None

    @property
    def size(self) -> int:
        """About how many characters are kept."""
        paths = (*self.written, *self.downloaded, *self.secrets_read)
        return sum(map(len, paths)) + EACH * (len(paths) + len(self.calls) + len(self.denials))

    def remembered(self, function: str) -> Remembered:
        """Return what is known of the session and how often it called the function."""
        said = self._said
        if said is None:
            said = self._said = Remembered(
                written=frozenset(self.written),
                downloaded=frozenset(self.downloaded),
                secrets_read=frozenset(self.secrets_read),
                denials=tuple(self.denials),
            )
        return Remembered(
            prior_calls=self.calls.get(function, 0),
            written=said.written,
            downloaded=said.downloaded,
            secrets_read=said.secrets_read,
            denials=said.denials,
        )

    def learn(self, lesson: Lesson, limits: MemoryLimits) -> None:
        """Take in what one decision taught."""
        if lesson.function:
            self.calls[lesson.function] = self.calls.get(lesson.function, 0) + 1
        if not has_paths(lesson):
            return
        self._said = None
        _add(self.written, lesson.written, limits.paths)
        _add(self.downloaded, lesson.downloaded, limits.paths)
        _add(self.secrets_read, lesson.secrets_read, limits.paths)
        _add(self.denials, lesson.denials, limits.denials)

    def prune(self, limits: MemoryLimits) -> None:
        """Forget the functions called least where there are too many."""
        if len(self.calls) > limits.functions:
            by_count = sorted(self.calls.items(), key=lambda call: (-call[1], call[0]))
            self.calls = dict(by_count[: limits.functions])


def has_paths(lesson: Lesson) -> bool:
    """Tell whether a lesson is more than a call that was made."""
    return bool(lesson.written or lesson.downloaded or lesson.secrets_read or lesson.denials)


def size_of(lesson: Lesson) -> int:
    """Return about how many characters a lesson adds, 0 for a call that was made."""
    if not has_paths(lesson):
        return 0
    paths = (*lesson.written, *lesson.downloaded, *lesson.secrets_read)
    return sum(map(len, paths)) + EACH * (len(paths) + len(lesson.denials))


def _add(kept: dict[Item, None], new: Iterable[Item], limit: int) -> None:
    """Add what is new at the end and drop the oldest over the limit."""
    for item in new:
        kept.pop(item, None)
        kept[item] = None
    while len(kept) > limit:
        del kept[next(iter(kept))]
