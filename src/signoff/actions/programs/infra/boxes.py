"""Containers beyond docker: lxc and incus, multipass, distrobox, apptainer, cri tools.

Boxes are made and stopped freely; deleting one is asked about, for what was made in it is gone;
snapshots are backups.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.infra.mounts import mount


def run_image(call: ProgramCall) -> Iterator[Effect]:
    """`apptainer exec IMAGE program`: home and the folder in force are at hand in it."""
    for word in call.values("-B", "--bind"):
        yield from mount(call, word)
    yield call.operation(
        Verb.EXECUTE, ResourceType.CONTAINER, " ".join(call.texts[:1]), reach=Reach.PROJECT
    )
    if call.name.endswith(" exec") and len(call.operands) > 1:
        yield Nested(text=rejoin(call.operands[1:]), language="shell", carrier=call.name)
