"""What a described program does where it goes less far than it may: everything that narrows it."""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.emulators import CLIENTS, at_emulator
from signoff.actions.programs.scope.near_registries import PUBLISHERS, at_near_registry
from signoff.actions.programs.scope.unconfirmed import WAITING, unless_confirmed
from signoff.actions.shell.command import Command


def in_scope(done: Iterable[Effect], name: str, command: Command, place: Place) -> Iterable[Effect]:
    """Return a program's effects as those of an emulator's client, a near registry, a dry run.

    Args:
        name: of the program.
    """
    if name in WAITING:
        return unless_confirmed(done, name, command)
    if name in PUBLISHERS:
        return at_near_registry(done, name, command, place)
    return at_emulator(done, name, command) if name in CLIENTS else done
