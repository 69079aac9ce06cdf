"""Examples beside descriptions: a line, and what it does.

    examples:
      frob destroy x: delete project @project
      frob push: publish repository, network-out url
      frob list: nothing

After the line stand its effects, separated by commas: a verb and a thing, then any of `@reach`,
`+trait`, `reversible`, `irreversible`, `opaque` (not understood). Each must be among the line's
operations. Each operation must be named, but for those that only read. `nothing` is a line that
changes nothing and reads nothing but the program's own state (`inspect`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import Vocabulary
from signoff.documents.nearest import did_you_mean

NOTHING = "nothing"
QUIET = frozenset({Verb.READ, Verb.INERT})
V = TypeVar("V", bound=Vocabulary)


class ExpectedEffect(msgspec.Struct, frozen=True, kw_only=True):
    """One effect an example must have; None = any."""

    verb: Verb
    thing: ResourceType
    reach: Reach | None = None
    traits: frozenset[Trait] = frozenset()
    reversible: bool | None = None
    is_opaque: bool = False

    def covers(self, operation: Operation) -> bool:
        """Return whether an operation has this effect."""
        return (
            operation.verb is self.verb
            and operation.thing is self.thing
            and (self.reach is None or operation.reach is self.reach)
            and self.traits <= operation.traits
            and (self.reversible is None or operation.reversible is self.reversible)
            # An opaque operation must be expected as such, or an example would pass by not being
            # read.
            and (operation.understood or self.is_opaque)
        )


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """An example line in a description file, with its expected effects; () = none.

    Args:
        text: the expected effects as written.
        place: `file:line:column`.
    """

    line: str
    expected: tuple[ExpectedEffect, ...]
    text: str
    place: str


def read_expected(text: str) -> tuple[ExpectedEffect, ...]:
    """Parse expected effects such as `delete project @project, write file`; `nothing` gives ().

    Raises:
        ValueError: it is not valid; the message says what was expected.
    """
    if text.strip() == NOTHING:
        return ()
    return tuple(_effect(part) for part in text.split(","))


def _effect(text: str) -> ExpectedEffect:
    words = text.split()
    if words == [NOTHING]:
        raise ValueError(f"`{NOTHING}` stands alone; remove it, or the other effects")
    if len(words) < 2:
        raise ValueError(f"`{text.strip()}`: expected `VERB THING ...` or `{NOTHING}`")
    made: dict[str, object] = {
        "verb": one_of(Verb, words[0]),
        "thing": one_of(ResourceType, words[1]),
    }
    traits: set[Trait] = set()
    for mark in words[2:]:
        if mark.startswith("@"):
            made["reach"] = one_of(Reach, mark[1:])
        elif mark.startswith("+"):
            traits.add(one_of(Trait, mark[1:]))
        elif mark in {"reversible", "irreversible"}:
            made["reversible"] = mark == "reversible"
        elif mark == "opaque":
            made["is_opaque"] = True
        else:
            raise ValueError(
                f"`{mark}` is none of @REACH, +TRAIT, reversible, irreversible, opaque"
            )
    return ExpectedEffect(traits=frozenset(traits), **made)  # type: ignore[arg-type]  # read above


def one_of(kind: type[V], text: str) -> V:
    """Return the member of a vocabulary with this text.

    Raises:
        ValueError: there is none; the message names the most similar one.
    """
    try:
        return kind(text)
    except ValueError:
        term = "".join(f" {c.lower()}" if c.isupper() else c for c in kind.__name__).strip()
        near = did_you_mean(text, [str(member) for member in kind])
        raise ValueError(f"unknown {term} `{text}`{near}") from None


def mismatches(example: Example, operations: Sequence[Operation]) -> Iterator[str]:
    """Yield how the operations of an example's line differ from the expected ones."""
    # A comment or an empty line would fulfil `nothing` as well.
    if not example.expected and not operations:
        yield "the line does not run anything"
    for effect in example.expected:
        if not any(effect.covers(operation) for operation in operations):
            yield f"expected `{spelled_effect(effect)}`, which it does not do"
    for operation in operations:
        is_quiet = operation.understood and operation.verb in QUIET
        # `nothing` allows no reading of files either.
        if not example.expected and operation.thing is not ResourceType.NOTHING:
            is_quiet = False
        if not is_quiet and not any(effect.covers(operation) for effect in example.expected):
            yield f"it does `{spelled(operation)}`, which the example does not name"


def spelled_effect(effect: ExpectedEffect) -> str:
    """Return an effect in the notation of examples."""
    marks = [] if effect.reach is None else [f"@{effect.reach}"]
    marks += [f"+{trait}" for trait in sorted(effect.traits)]
    if effect.reversible is not None:
        marks.append("reversible" if effect.reversible else "irreversible")
    marks += ["opaque"] if effect.is_opaque else []
    return " ".join([effect.verb, effect.thing, *marks])


def spelled(operation: Operation) -> str:
    """Return an operation in the notation of examples."""
    return spelled_effect(
        ExpectedEffect(
            verb=operation.verb,
            thing=operation.thing,
            reach=operation.reach,
            traits=operation.traits,
            reversible=operation.reversible,
            is_opaque=not operation.understood,
        )
    )
