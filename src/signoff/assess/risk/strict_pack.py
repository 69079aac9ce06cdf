"""What the strict pack asks about although nothing was found: effects that leave the project.

The other packs let pass what a developer does all day. The strict one lets pass only what reads,
builds, and edits files of the project; it asks before anything goes out, is installed, is deleted,
or changes data and services.

    asked_by_strict(operations)  ->  Operation(verb=PUBLISH, ...) of `git push origin feature`
"""

from __future__ import annotations

from collections.abc import Collection

from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)

_NOTHING_CHANGES = frozenset({Verb.INERT, Verb.READ, Verb.NETWORK_IN})
_ALWAYS = frozenset({Verb.PUBLISH, Verb.INSTALL, Verb.SPEND, Verb.PERSIST, Verb.PRIVILEGE})
_NEAR = frozenset({Reach.NONE, Reach.TEMP, Reach.PROJECT, Reach.LOOPBACK})
# What changes of a project are about; anything else holds data or serves somebody.
_OF_THE_PROJECT = frozenset(
    {
        *(ResourceType.NOTHING, ResourceType.FILE, ResourceType.REPOSITORY, ResourceType.CODE),
        *(ResourceType.PROCESS, ResourceType.CONTAINER, ResourceType.IMAGE),
        *(ResourceType.SETTING, ResourceType.URL),
    }
)


def asked_by_strict(
    operations: Operations, let_through: Collection[int] = frozenset()
) -> Operation | None:
    """Return the first Operation that the strict pack asks about, None if there is none.

    Args:
        let_through: groups of operations that the user's lines let through.
    """
    for one in operations:
        if one.group not in let_through and _is_asked(one):
            return one
    return None


def _is_asked(one: Operation) -> bool:
    if one.verb in _NOTHING_CHANGES or Trait.DRY_RUN in one.traits:
        return False
    if one.verb in _ALWAYS or one.reach not in _NEAR:
        return True
    if one.verb is Verb.DELETE and one.thing is not ResourceType.NOTHING:
        is_rebuilt = one.file_kind is FileKind.GENERATED or Trait.REBUILDABLE in one.traits
        return one.reach is not Reach.TEMP and not is_rebuilt
    return one.thing not in _OF_THE_PROJECT
