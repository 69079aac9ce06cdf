"""Mounts, swap, loop devices, network file systems, images."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall


def mount(call: ProgramCall) -> Iterator[Effect]:
    """`mount` alone lists; with operands or `-a` it changes what lies where."""
    if call.has("-l", "--show-labels", "-f", "--fake") or not (call.operands or call.has("-a")):
        yield call.operation(Verb.READ, ResourceType.DEVICE)
        return
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.DEVICE,
        " ".join(call.texts),
        reach=Reach.SYSTEM,
        reversible=True,
    )


def swap(call: ProgramCall) -> Iterator[Effect]:
    """`swapon` alone and with `--show` lists."""
    if call.has("-s", "--summary", "--show") or not (call.operands or call.options):
        yield call.operation(Verb.READ, ResourceType.DEVICE)
    else:
        yield call.operation(
            Verb.CONFIGURE, ResourceType.DEVICE, " ".join(call.texts), reach=Reach.SYSTEM
        )
