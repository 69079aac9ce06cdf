"""Virtual machines on this machine: libvirt, QEMU, VirtualBox, Proxmox, LXC, quick starters.

Machines with their disks are asked about before they go; a whole store of them is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.effect_presets import CONFIGURE_SERVICE, DELETE_BACKUP, INSPECT


def inside(call: ProgramCall) -> Iterator[Effect]:
    """`proot COMMAND`: the command runs as if below another root; what it names may be ours."""
    words_ = call.operands
    start = next((i for i, w in enumerate(words_) if w.text[:1] not in "-/"), 0)
    yield Nested(text=rejoin(words_[start:]), language="shell", carrier=call.name)


def virtual_snapshot(call: ProgramCall) -> Iterator[Effect]:
    """`VBoxManage snapshot MACHINE list|take|restore|delete`."""
    what = call.texts[1] if len(call.texts) > 1 else "list"
    if what in {"delete", "deletecurrent"}:
        yield from call.perform(DELETE_BACKUP)
    elif what in {"list", "showvminfo"}:
        yield from call.perform(INSPECT)
    else:
        yield from call.perform(CONFIGURE_SERVICE)
