"""What holds, as one change makes it: values in, values out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from signoff.challenge.terms.policy import POLICIES_LIMIT, Policy
from signoff.effects.learning.trust_ledger import ALL_REVOKED, SharedAnswer, TrustMark
from signoff.errors import StoreError
from signoff.storage.approvals.approver_file import owner
from signoff.storage.approvals.standing import number_of
from signoff.storage.confirmed.head import StandingState
from signoff.storage.confirmed.outside import StandingKind
from signoff.storage.confirmed.rights import revoked_after
from signoff.storage.locks.lock import EVERYTHING, Lock
from signoff.values import replace

TRUST_MARKS_LIMIT = 1_000
ANSWERS_KEPT = 2_000  # of all nodes: trust goes by the newest


def with_policy(held: StandingState, policy: Policy) -> StandingState:
    """Return the state with a policy added, or replaced if its id exists.

    Args:
        policy: without an id it gets the next number of all nodes.

    Raises:
        ValueError: there are too many policies.
    """
    known = held.policies
    if policy.id:
        is_new = policy.id not in {one.id for one in known}
        kept = tuple(policy if one.id == policy.id else one for one in known)
        return replace(held, policies=(*kept, policy) if is_new else kept)
    if len(known) >= POLICIES_LIMIT:
        raise ValueError(f"there are {POLICIES_LIMIT} policies: remove one first")
    number = max(held.next_policy, *(number_of(one.id, "pol_") + 1 for one in known), 0)
    new = replace(policy, id=f"pol_{number}")
    return replace(held, policies=(*known, new), next_policy=number + 1)


def taken(kind: StandingKind, held: StandingState, outside: StandingState) -> StandingState:
    """Return `held` with the part named by `kind` taken over from `outside`."""
    changed = replace(held, **{kind.value: getattr(outside, kind.value)})
    if kind is not StandingKind.APPROVERS:
        return changed
    # Whoever lost a right here has lost it on all nodes.
    revoked = revoked_after(held.revoked, held.approvers, outside.approvers, own=owner())
    return replace(changed, revoked=revoked)


def with_locks(standing: StandingState, locks: tuple[Lock, ...]) -> StandingState:
    """Return the state with these locks; a lock without a time stands for an unreadable file."""
    known = {lock.target for lock in standing.locks}
    fresh = (lock for lock in locks if lock.target not in known and lock != EVERYTHING)
    added = tuple({lock.target: lock for lock in fresh}.values())
    return replace(standing, locks=(*standing.locks, *added)) if added else standing


def with_mark(
    held: StandingState,
    agent: str,
    domain: str,
    change: Callable[[TrustMark], TrustMark | None],
) -> StandingState:
    """Return the state with the trust mark of an agent changed.

    Args:
        change: gets the present mark and returns the new one; None = removed.

    Raises:
        StoreError: there are too many marks.
    """
    marks = {(one.agent, one.domain): one for one in held.trust}
    mark = change(marks.pop((agent, domain), TrustMark(agent=agent, domain=domain)))
    if mark is not None:
        marks[agent, domain] = mark
    # Refused, not dropped: what gave way would be an incident, and trust would come back.
    if len(marks) > TRUST_MARKS_LIMIT:
        raise StoreError(f"more than {TRUST_MARKS_LIMIT} agents have incidents")
    return replace(held, trust=tuple(marks.values()))


def with_answers(held: StandingState, answers: tuple[SharedAnswer, ...]) -> StandingState:
    """Return the state with people's answers added; known ones are not added again."""
    added = tuple(one for one in dict.fromkeys(answers) if one not in held.answered)
    return replace(held, answered=(*held.answered, *added)[-ANSWERS_KEPT:]) if added else held


def joined(own: StandingState, shared: StandingState) -> StandingState:
    """Merge the stricter parts of a node's own state into the state all nodes share.

    Its policies and mode are not merged: an admin confirms them, like any changed file.
    """
    held = with_locks(shared, own.locks)
    for mark in own.trust:
        if mark != ALL_REVOKED:  # stands for marks that were lost here, and not on other nodes
            held = with_mark(held, mark.agent, mark.domain, partial(_worse, own=mark))
    return held


def _worse(one: TrustMark, *, own: TrustMark) -> TrustMark:
    if one == own:
        return one
    return replace(
        one,
        incidents=one.incidents + own.incidents,
        is_revoked=one.is_revoked or own.is_revoked,
        notes=(*one.notes, *own.notes),
    )
