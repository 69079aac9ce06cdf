"""Programs that the user and the project describe, beside signoff's own descriptions.

A description of the user counts for a program that signoff does not describe. Anything else only
adds: to a program that signoff describes, and whatever a project says. The judgement then takes
the worse of both answers (`assess/assessment.py`).

    own = own_programs(user, project, digest="...")
    Facts(programs=own)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from signoff.actions.facts import ProgramDescriptions
from signoff.actions.programs.program import Program
from signoff.actions.programs.registry import find

WINDOWS_ENDINGS = (".exe", ".cmd", ".EXE")
Found = TypeVar("Found")


class OwnPrograms(ProgramDescriptions):
    """Program descriptions of the user and the project; immutable.

    Args:
        described: programs that signoff itself does not describe.
        added: what is added to the descriptions of other programs.
    """

    __slots__ = ("added", "described")

    def __init__(
        self,
        *,
        described: Mapping[str, Program],
        added: Mapping[str, tuple[Program, ...]],
        digest: str,
    ) -> None:
        self.described, self.added, self.digest = described, added, digest
        self.without_additions = self
        if added:
            self.without_additions = (
                OwnPrograms(described=described, added={}, digest=digest) if described else None
            )

    @property
    def names(self) -> frozenset[str]:
        """All names that are described here."""
        return frozenset(self.described).union(self.added)

    def find(self, name: str) -> Program | None:
        """Return the description of a program signoff does not describe, None if there is none."""
        return find_spelled(self.described.get, name)

    def additions(self, name: str) -> tuple[Program, ...]:
        """Return the additions to a program's description, the user's before the project's."""
        return find_spelled(self.added.get, name) or ()


def own_programs(
    user: Iterable[Program], project: Iterable[Program], *, digest: str
) -> OwnPrograms | None:
    """Merge the user's and the project's descriptions; None if there are none."""
    described: dict[str, Program] = {}
    added: dict[str, tuple[Program, ...]] = {}
    for one in user:
        for name in one.names:
            # A user's description must not make milder what signoff itself knows.
            if find_spelled(find, name) is None:
                described[name] = one
            else:
                added[name] = (*added.get(name, ()), one)
    # A project may be anybody's: it only ever adds.
    for one in project:
        for name in one.names:
            added[name] = (*added.get(name, ()), one)
    if not described and not added:
        return None
    return OwnPrograms(described=described, added=added, digest=digest)


def own_of(descriptions: ProgramDescriptions) -> OwnPrograms:
    """Return the descriptions with their proper type.

    Raises:
        TypeError: they were not made here; a judgement without them could be too mild.
    """
    if isinstance(descriptions, OwnPrograms):
        return descriptions
    raise TypeError(f"expected OwnPrograms, got {type(descriptions).__name__}")


def find_spelled(look_up: Callable[[str], Found | None], name: str) -> Found | None:
    """Look a program up by its name, also in lower case and without `.exe`.

    Args:
        look_up: returns the entry of an exact name, or None.
    """
    found = look_up(name)
    if found is None:
        found = look_up(name.lower())
    if found is None and name.endswith(WINDOWS_ENDINGS):
        found = look_up(name[:-4].lower())
    return found
