"""What the files hold that a snippet of code wrote: secrets, and data of the network."""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.code.value import NO_TAINTS, Taint
from signoff.actions.operation import FileKind
from signoff.actions.paths import Located

# Files that run by themselves: what came from the network must not come to lie there.
START_UP = frozenset({FileKind.SCHEDULE, FileKind.GIT_HOOK, FileKind.SHELL_STARTUP})
_HELD = frozenset({Taint.NETWORK, Taint.SECRET})


class FileTaints:
    """Taints of files by path; writing a file again only adds to them."""

    def __init__(self) -> None:
        self._by_path: dict[str, frozenset[Taint]] = {}

    def of(self, at: Located | None) -> frozenset[Taint]:
        """Return a file's taints; none for one that was not written here."""
        return self._by_path.get(at.path, NO_TAINTS) if at is not None else NO_TAINTS

    def note(self, at: Located, taints: frozenset[Taint]) -> None:
        """Add taints to a file."""
        self._by_path[at.path] = self.of(at) | (taints & _HELD)

    def is_fetched(self, paths: Iterable[str]) -> bool:
        """Return whether any of the files contains data from the network."""
        return any(Taint.NETWORK in self._by_path.get(path, NO_TAINTS) for path in paths)
