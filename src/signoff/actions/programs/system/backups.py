"""Backups on this machine: making and looking is work, thinning is asked, deleting is refused.

Retention (`prune`, `forget --keep-*`) is routine and asked about; deleting an archive, a
snapshot or a whole repository is what an attacker does first.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import DELETE_BACKUP, INSPECT, PRUNE_BACKUPS
from signoff.actions.programs.system.archives import HERE
from signoff.values import replace


def forget(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `restic forget`: a policy thins, named snapshots are deleted."""
    if call.is_dry("-n", "--dry-run"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
    elif _keeps_nothing(call):
        yield from call.perform(DELETE_BACKUP)
    elif any(o.name.startswith("--keep") for o in call.options) or not call.operands:
        # restic deletes nothing without a `--keep-*` policy or named snapshots.
        yield from call.perform(PRUNE_BACKUPS)
    else:
        yield from call.perform(DELETE_BACKUP)


def _keeps_nothing(call: ProgramCall) -> bool:
    """Whether every `--keep-*` says 0, or all snapshots may go."""
    kept = [o.value.text if o.value else "" for o in call.options if o.name.startswith("--keep")]
    return call.has("--unsafe-allow-remove-all") or (bool(kept) and set(kept) == {"0"})


def borg_create(call: ProgramCall) -> Iterator[Effect]:
    """`borg create REPO::NAME PATH...`: an archive here, or files that go to another machine."""
    named = [*call.values("--repo", "-r"), *call.operands[:1]]
    # borg writes `user@host:path::archive`; a colon before the `::` is a host.
    far = next((w.text for w in named if "://" in w.text or ":" in w.text.partition("::")[0]), "")
    yield call.operation(Verb.READ, ResourceType.BACKUP)
    if far:
        yield from (call.on_file(Verb.READ, word) for word in call.operands[1:])
        yield call.operation(
            Verb.NETWORK_OUT,
            ResourceType.URL,
            far,
            traits=(Trait.SENDS_FILES,),
            reach=Reach.REMOTE,
            reversible=False,
        )


def borg_delete(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `borg delete`: an archive, or the repository with all of them."""
    if call.is_dry("-n", "--dry-run"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
    elif call.has("--cache-only"):
        # Borg builds its local cache again from the repository.
        yield call.operation(Verb.INERT, ResourceType.NOTHING, "cache")
    else:
        yield from call.perform(DELETE_BACKUP)


def borg_extract(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `borg extract REPO::NAME PATH...`: the paths are written below this folder."""
    named = call.operands if call.has("--repo", "-r") else call.operands[1:]
    yield from (call.on_file(Verb.WRITE, word) for word in named or (HERE,))


def restic_restore(call: ProgramCall) -> Iterator[Effect]:
    """`restic restore ID --target FOLDER`: all of it, or what `--include` names below."""
    included = [word.text.lstrip("/") for word in call.values("--include", "-i") if word.is_known]
    targets = call.values("--target", "-t")
    for folder in targets:
        yield call.on_file(Verb.WRITE, folder)
        for path in included:
            below = replace(folder, text=f"{folder.text.rstrip('/')}/{path}")
            yield call.on_file(Verb.WRITE, below)
    if not targets:
        yield call.operation(Verb.WRITE, ResourceType.FILE, reach=Reach.PROJECT)


def differential(call: ProgramCall) -> Iterator[Effect]:
    """`rdiff-backup`, `duplicity`: source and target, or an option that says otherwise."""
    if call.has("--remove-older-than", "--remove-all-but-n-full"):
        yield from call.perform(PRUNE_BACKUPS)
    elif call.has("--list-increments", "--compare", "--list-at-time", "--verify", "-l"):
        yield from call.perform(INSPECT)
    elif call.has("-r", "--restore-as-of"):
        yield from (call.on_file(Verb.WRITE, w) for w in call.operands[-1:])
    else:
        yield from (call.on_file(Verb.READ, w) for w in call.operands[:-1])
        for word in call.operands[-1:]:
            # duplicity names targets by URL, rdiff-backup as `host::path`.
            if "://" in word.text or "::" in word.text:
                yield call.operation(
                    Verb.NETWORK_OUT,
                    ResourceType.URL,
                    word.text,
                    traits=(Trait.SENDS_FILES,),
                    reach=Reach.REMOTE,
                    reversible=False,
                )
            else:
                yield call.on_file(Verb.WRITE, word)
