"""What a text means once it is applied, or once somebody calls the program it is."""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.operation import Reach, ResourceType, Trait, Verb


class AppliedMeaning(Struct, frozen=True, kw_only=True):
    """One thing that a text causes once it is applied."""

    says: str
    line: str
    traits: frozenset[Trait]
    verb: Verb = Verb.CONFIGURE
    thing: ResourceType = ResourceType.CODE
    reach: Reach | None = None
