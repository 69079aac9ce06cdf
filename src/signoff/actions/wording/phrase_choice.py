"""Which phrase says what an Operation does, and where the command itself says it better.

phrase_of(op)             ->  the row of a program, else of a trait, a target, a verb and a type
by_command(op, phrase, 9) ->  "Deletes `i-12` with `aws ec2 terminate-instances`", "" for most
"""

from __future__ import annotations

import re

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.named_place import OBJECT
from signoff.actions.wording.file_contents import is_program_file
from signoff.actions.wording.objects import DESCRIBED, command_of, object_of
from signoff.actions.wording.phrases import (
    BY_COMMAND,
    PAIRS,
    PROGRAMS,
    SERVICE_MANAGERS,
    TRAITS,
    TYPES,
    VERBS,
    WHOLE_REPOSITORY,
    Phrase,
)

OBJECT_LIMIT = 120
COMMAND_LIMIT = 60
MAKES = frozenset({Verb.DELETE, Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.PUBLISH})
# A target that begins or is written like this is the thing itself and no word of a command.
THE_THING = re.compile(r"[/~.$%]|[A-Z]:|\S*(?:://|=|@)")
A_FUNCTION = re.compile(r"[\w.]+\.(?!py\Z|sh\Z|exe\Z)\w+")
NAMED_BY_SUB_COMMANDS = frozenset(
    (
        *(ResourceType.CLOUD, ResourceType.CLUSTER, ResourceType.CONTAINER, ResourceType.BACKUP),
        *(ResourceType.CREDENTIAL, ResourceType.PROTECTION, ResourceType.DEVICE),
    )
)
# Code that deletes or changes by a method: the target is the call, and no name of a table.
A_METHOD = re.compile(
    r"[\w:]+\.(?:delete|destroy|remove|drop|truncate|update|clear|purge)\w*", re.I
)
_EVERY_PROCESS = Phrase("Stops every process of this user", "Stops every process of this user")
_CODE_PUT = (Verb.CONFIGURE, ResourceType.CODE)
NAMED_BY_OPTION = frozenset(
    {ResourceType.CLOUD, ResourceType.CREDENTIAL, ResourceType.ACCOUNT, ResourceType.BACKUP}
)


def phrase_of(op: Operation) -> Phrase:
    """Return the phrase of an Operation: by its program, else by verb and type."""
    known = _of_program(op) or _of_every_process(op) or _by_trait(op)
    if known is None and op.thing is ResourceType.REPOSITORY and not _is_ref(op):
        known = WHOLE_REPOSITORY.get(op.verb)
    known = _by_target(op) or known if known not in _OF_PROGRAMS else known
    known = known or PAIRS.get((op.verb, op.thing))
    if known is not None:
        return known
    kind = TYPES[op.thing]
    return Phrase(f"{VERBS[op.verb]} {kind.named}", f"{VERBS[op.verb]} {kind.unnamed}")


_OF_PROGRAMS, _OF_TRAITS = frozenset(PROGRAMS.values()), frozenset(TRAITS.values())
_OF_PAIRS = frozenset(PAIRS.values())
_TRAITS_OF = {
    verb: tuple([(trait, words) for (one, trait), words in TRAITS.items() if one is verb])
    for verb in Verb
}


def _of_every_process(op: Operation) -> Phrase | None:
    """Return the phrase for `kill -9 -1` and `killall5`."""
    is_all = op.thing is ResourceType.PROCESS and op.verb is Verb.CONTROL
    return _EVERY_PROCESS if is_all and Trait.BROAD in op.traits else None


def _by_trait(op: Operation) -> Phrase | None:
    """Return the phrase for the first matching trait."""
    for trait, words in _TRAITS_OF[op.verb] if op.traits else ():
        if trait in op.traits:
            return words
    return None


def _by_target(op: Operation) -> Phrase | None:
    """Return the phrase for a target whose form tells what it is."""
    if "://" in op.target and op.verb is Verb.INSTALL and op.thing is ResourceType.PACKAGE:
        return Phrase("Installs packages from {}", "Installs packages")
    if "://" in op.target and op.verb is Verb.DELETE and op.thing is ResourceType.CLOUD:
        return Phrase("Deletes {}", "Deletes cloud resources")
    if op.thing is ResourceType.DEVICE and op.verb is Verb.CONTROL and op.reach is Reach.REMOTE:
        return Phrase("Switches or moves a machine with {}", "Switches or moves a machine")
    if op.path and Trait.WEAKENS in op.traits and op.verb is Verb.CONFIGURE:
        return Phrase("Weakens a protection in {}", "Weakens a protection")
    if op.path and (op.verb, op.thing) == _CODE_PUT and not is_program_file(op.path):
        return Phrase("Changes {}", "Changes files")
    return None


def _is_ref(op: Operation) -> bool:
    """Whether a repository's target is one of its branches, tags or commits."""
    return not op.target or (op.program.startswith("git ") and not op.path)


def _of_program(op: Operation) -> Phrase | None:
    """Return the phrase of a program; SQL has the same ones in a tool or function of any name."""
    known = PROGRAMS.get((op.program, op.verb))
    if known is None and op.thing in (ResourceType.DATABASE, ResourceType.ACCOUNT):
        return PROGRAMS.get((f"sql {op.program.partition(' ')[2]}", op.verb))
    return known


def is_own_phrase(op: Operation) -> bool:
    """Return whether the Operation's program has a phrase of its own."""
    return _of_program(op) is not None


def by_command(op: Operation, phrase: Phrase, room: int) -> str:
    """Return a sentence that names the command, for a target that is only one of its words."""
    words, target = BY_COMMAND.get(op.thing), op.target.strip()
    if op.thing is ResourceType.DATABASE and A_METHOD.fullmatch(target):
        return f"{VERBS[op.verb]} data with {command_of(target, room)}"
    if op.thing is ResourceType.URL and op.verb in MAKES and " " in op.program:
        return (
            f"{phrase.named.format(object_of(target, room))} with `{op.program}`" if target else ""
        )
    is_about_itself = phrase.named == phrase.unnamed and phrase in _OF_TRAITS
    if words is None or is_own_phrase(op) or op.target in DESCRIBED or is_about_itself:
        return ""
    named = dict(op.place).get(OBJECT)
    if named is not None and op.thing in NAMED_BY_OPTION and "://" not in target:
        return _of_named(op, phrase, object_of(named, room), _command_of(op, target))
    if not target or _is_the_thing(op, target):
        return "" if target else _of_nothing(op, phrase, room)
    is_said = (op.verb, op.thing) in PAIRS or phrase in _OF_TRAITS
    head = phrase.unnamed if is_said else f"{VERBS[op.verb]} {words}"
    return f"{head} with {command_of(_command_of(op, target), room)}"


def _is_the_thing(op: Operation, target: str) -> bool:
    """Return whether a target is the name of the resource."""
    # `aws s3 rm` is described by its sub-command, so that its target is what it names.
    is_named = " " in op.program and op.thing in NAMED_BY_SUB_COMMANDS
    is_code = A_FUNCTION.fullmatch(op.program) is not None or not op.program
    is_service = op.program in SERVICE_MANAGERS
    return THE_THING.match(target) is not None or is_named or is_code or is_service


def _of_nothing(op: Operation, phrase: Phrase, room: int) -> str:
    """Return the sentence with a sub-command, which says more than a kind of resource."""
    is_vague = op.verb is Verb.EXECUTE or phrase not in _OF_PAIRS
    is_named = " " in op.program or op.thing is ResourceType.CLOUD
    is_vague = (is_named and bool(op.program) and is_vague) or Trait.WEAKENS in op.traits
    return f"{phrase.unnamed} with {command_of(op.program, room)}" if is_vague else ""


def _of_named(op: Operation, phrase: Phrase, named: str, command: str) -> str:
    """Return the sentence about what an option names, by the command that does it."""
    if op.thing is ResourceType.CREDENTIAL:
        head = f"{VERBS[op.verb]} credential {named}"
    elif op.thing is ResourceType.ACCOUNT:
        head = f"{phrase.unnamed} of {named}"
    else:
        head = f"{VERBS[op.verb]} {named}"
    return f"{head} with {command_of(command, COMMAND_LIMIT)}"


def _command_of(op: Operation, target: str) -> str:
    program, _, last = op.program.rpartition(" ")
    if target.casefold().startswith(op.program.casefold()):
        return target
    # `manage.py migrate` and `migrate shop 0001`: the sub-command is the end of one and the
    # beginning of the other.
    is_repeated = bool(program) and target.partition(" ")[0] == last
    return f"{program if is_repeated else op.program} {target}".strip()


def names_its_object(op: Operation) -> bool:
    """Return whether the target is the name of what is acted on, not a word of the command."""
    phrase = phrase_of(op)
    return (
        bool(op.target)
        and phrase.named != phrase.unnamed
        and not by_command(op, phrase, OBJECT_LIMIT)
    )
