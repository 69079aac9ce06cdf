"""What a line made and whose name it kept: `ID=$(tool create x)`, then `tool delete "$ID"`.

A cluster or machine of this computer may be told by its name, too, where making it fails if there
is one of that name.

UDID=$(xcrun simctl create t 'iPhone 16'); xcrun simctl delete "$UDID"     what the line made
UDID=$(xcrun simctl list | head -1); xcrun simctl delete "$UDID"           what was there
kind create cluster --name t && make e2e; kind delete cluster --name t     what the line made
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.owned.line_machines import is_own_machine, may_be_machine
from signoff.actions.vocabulary import words
from signoff.values import replace

_MAKES = words("create make new mk clone run")
# Without these a program that runs prints what its own program says.
_DETACHED = words("-d --detach -dt -dit -itd -td")
_TAKES = words("delete remove rm destroy erase terminate shutdown stop kill")
_NEAR = frozenset({Reach.PROJECT, Reach.LOOPBACK, Reach.TEMP})
_UNKNOWN = "\ufffd"
_MANY = frozenset({Trait.BROAD, Trait.BULK, Trait.UNBOUNDED, Trait.FORCED})


def of_captured_names(
    operations: tuple[Operation, ...], commands: tuple[Command, ...]
) -> tuple[Operation, ...]:
    """Return the operations of a line, with the end of what it made itself as reversible."""
    if not any([one.verb is Verb.DELETE and _may_be_own(one, commands) for one in operations]):
        return operations
    return tuple(
        [
            _own(op) if _is_own(op, commands) or is_own_machine(op, commands) else op
            for op in operations
        ]
    )


def _may_be_own(op: Operation, commands: tuple[Command, ...]) -> bool:
    if _UNKNOWN in op.target:
        return True
    return 0 <= op.group < len(commands) and may_be_machine(commands[op.group])


def _own(op: Operation) -> Operation:
    reach = Reach.PROJECT if op.reach is Reach.UNKNOWN else op.reach
    return replace(op, reach=reach, reversible=True, traits=op.traits - _MANY)


def _is_own(op: Operation, commands: tuple[Command, ...]) -> bool:
    if op.verb is not Verb.DELETE or op.reach not in _NEAR or op.target != _UNKNOWN or op.path:
        return False
    command = commands[op.group] if 0 <= op.group < len(commands) else None
    if command is None or command.input_words:
        return False
    unknown = [word for word in command.words[1:] if not word.is_known]
    known = [word.text for word in command.words[1:] if word.is_known and word.text[:1] != "-"]
    group = tuple([text for text in known if text not in _TAKES])
    is_one_act = len(known) == len(group) + 1
    return (
        is_one_act
        and bool(unknown)
        and all([_is_made(w, group, command, commands) for w in unknown])
    )


def _is_made(
    word: Word, group: tuple[str, ...], command: Command, commands: tuple[Command, ...]
) -> bool:
    """Tell whether a word is all that a creating command of the same program printed."""
    if word.text != _UNKNOWN or len(word.sources) != 1:
        return False
    maker = commands[word.sources[0]]
    path = [one.text for one in maker.words[1:5]]
    verb = next((at for at, text in enumerate(path) if text in _MAKES), -1)
    if maker.program != command.program or verb < 0 or tuple(path[:verb]) != group:
        return False
    texts = [one.text for one in maker.words[verb + 2 :]]
    # A volume of that name may have been there: it is taken as it is.
    if "volume" in group and any([text[:1] != "-" for text in texts]):
        return False
    return path[verb] != "run" or not _DETACHED.isdisjoint(texts)
