"""Rights of approvers as texts, so that what ends on one node ends on all of them.

Who may answer is told to each node by its own file. A right that an admin takes away on one node
is kept where all nodes see it, and holds nowhere until an admin gives it back.

    revoked = revoked_after(revoked, before, after)
    left = without(approvers, revoked)
"""

from __future__ import annotations

import json

from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.values import replace

REVOKED_LIMIT = 2_000
ROLES = tuple(ApproverRole)  # the least first
ROLE, GROUP, IDENTITY, PERSON = "role", "group", "identity", "person"


def revoked_after(
    revoked: tuple[str, ...],
    before: tuple[Approver, ...],
    after: tuple[Approver, ...],
    *,
    own: Approver,
) -> tuple[str, ...]:
    """Return the revoked rights once `after` replaces `before`.

    Args:
        own: the approver of a node without a list of people. Each machine has its own; naming
            people on one machine takes no other machine from its owner.
    """
    had, has = (
        {right for one in people if one != own for right in _rights(one)}
        for people in (before, after)
    )
    kept = (one for one in revoked if one not in has)
    return tuple(dict.fromkeys((*kept, *sorted(had - has))))


def without(approvers: tuple[Approver, ...], revoked: tuple[str, ...]) -> tuple[Approver, ...]:
    """Return the approvers with revoked rights removed."""
    if not revoked:
        return approvers
    gone = frozenset(revoked)
    left = (_without(one, gone) for one in approvers)
    return tuple(one for one in left if one is not None)


def _without(one: Approver, gone: frozenset[str]) -> Approver | None:
    if _right(one.id, PERSON) in gone:
        return None
    identities = tuple(
        identity for identity in one.identities if _identity(one.id, identity) not in gone
    )
    groups = tuple(group for group in one.groups if _right(one.id, GROUP, group) not in gone)
    held = (role for role in _up_to(one.role) if _right(one.id, ROLE, role.value) not in gone)
    role = max(held, key=ROLES.index, default=ApproverRole.VIEWER)
    if (identities, groups, role) == (one.identities, one.groups, one.role):
        return one
    return replace(one, identities=identities, groups=groups, role=role)


def _rights(one: Approver) -> tuple[str, ...]:
    return (
        _right(one.id, PERSON),
        *(_right(one.id, ROLE, role.value) for role in _up_to(one.role)),
        *(_right(one.id, GROUP, group) for group in one.groups),
        *(_identity(one.id, identity) for identity in one.identities),
    )


def _up_to(role: ApproverRole) -> tuple[ApproverRole, ...]:
    """Return a role and those below it: who loses the highest keeps the others."""
    return ROLES[: ROLES.index(role) + 1]


def _identity(id: str, identity: Identity) -> str:
    return _right(id, IDENTITY, identity.channel, identity.id)


def _right(*parts: str) -> str:
    return json.dumps(parts)  # no name can look like two
