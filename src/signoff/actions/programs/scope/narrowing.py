"""What a described program does where it goes less far than it may: everything that narrows it."""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.emulators import CLIENTS, at_emulator
from signoff.actions.programs.scope.near_registries import PUBLISHERS, at_near_registry
from signoff.actions.programs.scope.unconfirmed import WAITING, unless_confirmed
from signoff.actions.shell.command import Command
from signoff.values import replace


def in_scope(done: Iterable[Effect], name: str, command: Command, place: Place) -> Iterable[Effect]:
    """Return a program's effects as those of an emulator's client, a near registry, a dry run.

    Args:
        name: of the program.
    """
    if name == "gsettings" and _is_in_memory(command):
        return map(_of_process, done)
    if name in WAITING:
        return unless_confirmed(done, name, command)
    if name in PUBLISHERS:
        return at_near_registry(done, name, command, place)
    return at_emulator(done, name, command) if name in CLIENTS else done


def _is_in_memory(command: Command) -> bool:
    """Tell settings that GLib keeps in the process: `GSETTINGS_BACKEND=memory`."""
    given = [value for name, value in command.assignments if name == "GSETTINGS_BACKEND"]
    return bool(given) and all([one.is_known and one.text == "memory" for one in given])


def _of_process(effect: Effect) -> Effect:
    if not isinstance(effect, Operation) or effect.thing is not ResourceType.SETTING:
        return effect
    return replace(effect, verb=Verb.INERT, reach=Reach.NONE, traits=frozenset())
