"""Volumes: LVM, ZFS, btrfs, software RAID, encrypted disks, stratis, ceph on this machine.

Removing a volume, a pool or a snapshot destroys it; creating one over a disk destroys what was
there; the rest changes how the machine stores.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_DEVICE, DESTROY_DEVICE, INSPECT
from signoff.actions.vocabulary import words

RAID_LOOKS = tuple(words("-D --detail -E --examine -Q --query --detail-platform -F --monitor"))


def destroyed(call: ProgramCall) -> Iterator[Effect]:
    """`zfs destroy`: a name with `@` is a snapshot, the rest a file system with its data."""
    if call.has("-n"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    for word in call.operands:
        thing = ResourceType.BACKUP if "@" in word.text else ResourceType.DEVICE
        yield call.operation(Verb.DELETE, thing, word.text, reach=Reach.SYSTEM, reversible=False)


def raid(call: ProgramCall) -> Iterator[Effect]:
    """`mdadm`: looks, assembles, creates over disks, zeroes."""
    if call.has(*RAID_LOOKS):
        act = INSPECT
    elif call.has("--zero-superblock", "-C", "--create", "--build", "-B"):
        act = DESTROY_DEVICE
    else:
        act = CONFIGURE_DEVICE
    yield from call.perform(act)
