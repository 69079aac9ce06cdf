"""All that an edit takes away from what it leaves standing, as what the text means from then on.

taken_away(where, NewText(old="if not ok(n): return\\np.unlink()", new="p.unlink()"))
    -> takes the refusal `if not ok(n): return` away
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.applied_meaning import AppliedMeaning
from signoff.actions.contents.checks.weakened import reproduces_bug
from signoff.actions.contents.edits.removed import bypassed_check, removed_check, removed_guard
from signoff.actions.contents.patterns import CODE
from signoff.actions.contents.taken.bounds import dropped_bound
from signoff.actions.contents.taken.changes import LineDiff, changes_of
from signoff.actions.contents.taken.conditions import shortened_condition
from signoff.actions.contents.taken.cuts import cut_check, cut_encryption, cut_scope
from signoff.actions.contents.taken.new_hosts import sent_to_new_host
from signoff.actions.contents.taken.payees import fixed_payee
from signoff.actions.contents.taken.records import unwritten_audit, unwritten_event
from signoff.actions.contents.taken.refusals import gone_refusal
from signoff.actions.contents.taken.rights import widened_right
from signoff.actions.contents.taken.turned import made_public, made_reachable
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import Located

_WEAKENS = frozenset({Trait.WEAKENS})
_BLINDS = frozenset({Trait.WEAKENS, Trait.BLINDS})
_WHOLE = frozenset({Trait.BROAD, Trait.RUNS_LATER, Trait.WHOLE_STORE})
_OPENED = frozenset({Trait.OPENS_ACCESS, Trait.BROAD, Trait.RUNS_LATER})
_LATER = frozenset({Trait.RUNS_LATER})
_SENT = frozenset({Trait.SENDS_SECRET, Trait.RUNS_LATER})
_QUIET = frozenset({FileKind.DOC, FileKind.TEST})


def taken_away(where: Located, text: NewText) -> Iterator[AppliedMeaning]:
    """Yield what an edit takes away: refusals, scopes, encryption, records, bounds, privacy."""
    if not text.old or where.kind in _QUIET:
        return
    if where.kind in CODE:
        yield from _checks(text.old, text.new)
    if reproduces_bug(where.kind, where.path):
        return
    changes = changes_of(text.old, text.new, where.path)
    if changes is None or not changes.each:
        return
    yield from _weakened(changes)
    opened = "" if where.kind is FileKind.SOURCE else made_reachable(changes, where.path)
    if opened:
        says = f"listens on all networks: `{opened[:80]}`"
        yield AppliedMeaning(says=says, line=opened, traits=_WEAKENS)
    if where.kind is FileKind.SOURCE:
        yield from _sent(changes, where.path)
    yield from _grave(changes, where.path)


def _checks(old: str, new: str) -> Iterator[AppliedMeaning]:
    """Say which check by name the new text takes away or makes always true."""
    for read, says in (
        (removed_check, "takes the check `{}` away"),
        (bypassed_check, "makes a check always true: `{}`"),
        (removed_guard, "takes the guard `{}` away"),
    ):
        if check := read(old, new):
            yield AppliedMeaning(says=says.format(check[:80]), line=check, traits=_WEAKENS)
            return


def _weakened(changes: LineDiff) -> Iterator[AppliedMeaning]:
    for says, line in (
        ("takes the refusal `{}` away", gone_refusal(changes)),
        ("has `{}` refuse less", shortened_condition(changes)),
        ("no longer binds `{}` to who asks", cut_scope(changes)),
        ("takes a check out of `{}`", cut_check(changes)),
        ("no longer encrypts or masks: `{}`", cut_encryption(changes)),
        ("no longer records `{}`", unwritten_event(changes)),
        ("gives more rights: `{}`", widened_right(changes)),
    ):
        if line:
            yield AppliedMeaning(says=says.format(line[:80]), line=line, traits=_WEAKENS)


def _sent(changes: LineDiff, path: str) -> Iterator[AppliedMeaning]:
    line, is_grave = sent_to_new_host(changes, path)
    if line:
        says = "hands whole objects or private values to a host of its own"
        yield AppliedMeaning(
            says=says if is_grave else "hands values to a host that is new here",
            line=line,
            traits=_SENT if is_grave else _LATER,
        )


def _grave(changes: LineDiff, path: str) -> Iterator[AppliedMeaning]:
    if line := unwritten_audit(changes):
        says = f"no longer writes the audit record `{line[:80]}`"
        yield AppliedMeaning(says=says, line=line, traits=_BLINDS, thing=ResourceType.PROTECTION)
    for says, line, verb, thing in (
        (
            "drops the condition of a deletion or change: all rows are hit",
            dropped_bound(changes),
            Verb.DELETE,
            ResourceType.DATABASE,
        ),
        (
            "pays what belongs to others to an account of the source",
            fixed_payee(changes),
            Verb.SPEND,
            ResourceType.MONEY,
        ),
    ):
        if line:
            yield AppliedMeaning(
                says=says, line=line, traits=_WHOLE, verb=verb, thing=thing, reach=Reach.PRODUCTION
            )
    line, holds_records = made_public(changes, path)
    if line:
        yield AppliedMeaning(
            says=f"opens to everybody what was private: `{line[:80]}`",
            line=line,
            traits=_OPENED if holds_records else _WEAKENS,
            thing=ResourceType.DATABASE if holds_records else ResourceType.CODE,
            reach=Reach.REMOTE if holds_records else None,
        )
