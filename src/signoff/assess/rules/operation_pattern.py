"""The `operation` pattern: what a call does, however it was written.

    operation: {verb: delete, reach: [home, system], traits: [broad]}
        matches `rm -rf ~`, `find ~ -delete` and the same in Python

What is not mentioned may be anything, with one exception in allow rules: an operation that runs
unread code, moves secrets, acts as root and the like (`ALARMS`) is covered only by a pattern that
names that trait, signoff itself only by one that names its reach, and what was not understood
only by one that says `understood: false`.
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.rules.pattern import Glob

ALARMS = frozenset(
    (
        Trait.AS_ROOT,
        Trait.BACKDOOR,
        Trait.BLINDS,
        Trait.COVERT,
        Trait.DECODED,
        Trait.FORK_BOMB,
        Trait.HIDDEN,
        Trait.METADATA_HOST,
        Trait.ON_REMOTE_HOST,
        Trait.READS_SECRET,
        Trait.REMOTE_CODE,
        Trait.REVERSE_SHELL,
        Trait.SELF_APPROVAL,
        Trait.SENDS_SECRET,
    )
)


class OperationPattern(Struct, frozen=True, kw_only=True):
    """Conditions on one Operation. All must hold; an empty set means any value."""

    verbs: frozenset[Verb] = frozenset()
    things: frozenset[ResourceType] = frozenset()
    reaches: frozenset[Reach] = frozenset()
    file_kinds: frozenset[FileKind] = frozenset()
    targets: tuple[Glob, ...] = ()
    paths: tuple[Glob, ...] = ()
    programs: tuple[Glob, ...] = ()
    traits: frozenset[Trait] = frozenset()
    any_traits: frozenset[Trait] = frozenset()
    reversible: bool | None = None
    understood: bool | None = None

    def matches(self, operation: Operation, *, strict: bool = False) -> bool:
        """Tell whether an Operation meets all conditions.

        Args:
            strict: True to match globs only if every reading of the value does; for allow
                rules.
        """
        return (
            # Sets first: most operations are told apart before any glob is tried.
            (not self.reaches or operation.reach in self.reaches)
            and self.traits <= operation.traits
            and (not self.verbs or operation.verb in self.verbs)
            and (not self.things or operation.thing in self.things)
            and (not self.file_kinds or operation.file_kind in self.file_kinds)
            and (not self.any_traits or not self.any_traits.isdisjoint(operation.traits))
            and self._fits_rest(operation, strict=strict)
        )

    def covers(self, operation: Operation) -> bool:
        """Tell whether an allow rule with this pattern permits the Operation."""
        # An allow rule covers the unknown only if it says `understood: false` itself.
        if not operation.understood and self.understood is not False:
            return False
        named = self.traits | self.any_traits
        return is_unalarming(operation, named=named, reaches=self.reaches) and self.matches(
            operation, strict=True
        )

    def content(self) -> list[list[str]]:
        """Return the conditions in a fixed order, for the digest of the rules."""
        flags = [[key, str(value)] for key, value in self._flags()]
        return [[key, *values] for key, values in self._conditions()] + flags

    def describe(self) -> str:
        """Return the pattern in words for people."""
        parts = [
            *(f"{key}: {_join(values)}" for key, values in self._conditions() if values),
            *(f"{key}: {str(value).lower()}" for key, value in self._flags() if value is not None),
        ]
        return f"operation {{{', '.join(parts)}}}"

    def _fits_rest(self, operation: Operation, *, strict: bool) -> bool:
        if self.reversible is not None and self.reversible is not operation.reversible:
            return False
        if self.understood is not None and self.understood is not operation.understood:
            return False
        return (
            _fits_globs(self.paths, operation.path, strict=strict)
            and _fits_globs(self.targets, operation.target, strict=strict)
            and _fits_globs(self.programs, operation.program, strict=strict)
        )

    def _conditions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (
            ("verb", tuple(sorted(self.verbs))),
            ("thing", tuple(sorted(self.things))),
            ("reach", tuple(sorted(self.reaches))),
            ("file_kind", tuple(sorted(self.file_kinds))),
            ("target", tuple(glob.text for glob in self.targets)),
            ("path", tuple(glob.text for glob in self.paths)),
            ("program", tuple(glob.text for glob in self.programs)),
            ("traits", tuple(sorted(self.traits))),
            ("any_traits", tuple(sorted(self.any_traits))),
        )

    def _flags(self) -> tuple[tuple[str, bool | None], ...]:
        return (("reversible", self.reversible), ("understood", self.understood))


def is_unalarming(
    operation: Operation,
    *,
    named: frozenset[Trait] = frozenset(),
    reaches: frozenset[Reach] = frozenset(),
) -> bool:
    """Return whether an allow rule naming only these traits and reaches may cover it."""
    if operation.reach is Reach.GUARD and Reach.GUARD not in reaches:
        return False
    return operation.traits.isdisjoint(ALARMS) or (operation.traits & ALARMS) <= named


def _fits_globs(globs: tuple[Glob, ...], value: str, *, strict: bool) -> bool:
    if not globs:
        return True
    # An operation without a path is nowhere: not even `**` covers it.
    return bool(value) and any(glob.matches_value(value, strict=strict) for glob in globs)


def _join(values: tuple[str, ...]) -> str:
    return " or ".join(values)
