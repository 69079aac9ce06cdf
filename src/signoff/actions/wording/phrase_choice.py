"""Which phrase says what an Operation does, and where the command itself says it better.

phrase_of(op)             ->  the row of a program, else of a trait, a target, a verb and a type
by_command(op, phrase, 9) ->  "Deletes `i-12` with `aws ec2 terminate-instances`", "" for most
"""

from __future__ import annotations

import re

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.named_place import OBJECT
from signoff.actions.wording.command_tables import (
    BY_COMMAND,
    MOUNTING,
    NAMED_BY_ONE_WORD,
    NAMES_REMOTES,
    SERVICE_MANAGERS,
    WITH_SLASH_OPTIONS,
)
from signoff.actions.wording.file_contents import is_program_file
from signoff.actions.wording.objects import DESCRIBED, command_of, object_of
from signoff.actions.wording.phrases import (
    PAIRS,
    PROGRAMS,
    TRAITS,
    TYPES,
    VERBS,
    WHOLE_REPOSITORY,
    Phrase,
)
from signoff.actions.wording.services import phrase_of_service

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
    r"[\w:.]+\.(?:delete|destroy|remove|drop|truncate|update|clear|purge)\w*(?:\.(?:many|one|all))?",
    re.I,
)
# `mix hex.publish`, `gradle app:publish`: a task, and no package.
_TASK = re.compile(r"(?:[\w:.-]*[:.])?(?:publish|upload|release|deploy)\w*", re.I)
_EVERY_PROCESS = Phrase("Stops every process of this user", "Stops every process of this user")
_A_PROCESS = Phrase("Starts or stops {}", "Starts or stops a process")
_STOPS = re.compile(r"kill|stop|terminate|quit|exit", re.I)
_OF_OTHER_WORDS = frozenset(trait for verb, trait in TRAITS if verb is Verb.CONTROL)
_CODE_PUT = (Verb.CONFIGURE, ResourceType.CODE)
NAMED_BY_OPTION = frozenset(
    {ResourceType.CLOUD, ResourceType.CREDENTIAL, ResourceType.ACCOUNT, ResourceType.BACKUP}
)


def phrase_of(op: Operation) -> Phrase:
    """Return the phrase of an Operation: by its program, else by verb and type."""
    known = _of_program(op) or _of_process(op) or _by_trait(op) or phrase_of_service(op)
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


def _of_process(op: Operation) -> Phrase | None:
    """Return the phrase for `kill -9 -1`, and for `uvicorn app:app`, which stops nothing."""
    if op.thing is not ResourceType.PROCESS or op.verb is not Verb.CONTROL:
        return None
    if Trait.BROAD in op.traits:
        return _EVERY_PROCESS
    is_stopped = Trait.NAMED in op.traits or _STOPS.search(op.program)
    return None if is_stopped or op.traits & _OF_OTHER_WORDS else _A_PROCESS


def _by_trait(op: Operation) -> Phrase | None:
    """Return the phrase for the first matching trait."""
    for trait, words in _TRAITS_OF[op.verb] if op.traits else ():
        if trait in op.traits:
            return words
    return None


def _by_target(op: Operation) -> Phrase | None:
    """Return the phrase for a target whose form tells what it is."""
    if "://" in op.target or _names_remote(op):
        return _FAR.get((op.verb, op.thing))
    if op.thing is ResourceType.DEVICE and op.verb is Verb.CONTROL:
        return _of_device(op)
    if op.path and Trait.WEAKENS in op.traits and op.verb is Verb.CONFIGURE:
        return Phrase("Weakens a protection in {}", "Weakens a protection")
    if op.path and (op.verb, op.thing) == _CODE_PUT and not is_program_file(op.path):
        return Phrase("Changes {}", "Changes files")
    return None


# What is named by an address, or as `remote:folder`.
_FAR = {
    (Verb.INSTALL, ResourceType.PACKAGE): Phrase("Installs packages from {}", "Installs packages"),
    (Verb.NETWORK_OUT, ResourceType.FILE): Phrase("Uploads data to {}", "Uploads data"),
    (Verb.DELETE, ResourceType.CLOUD): Phrase("Deletes {}", "Deletes cloud resources"),
}


def _of_device(op: Operation) -> Phrase | None:
    """Return the phrase for a device that is controlled, None for a disk that is mounted."""
    if op.reach is Reach.REMOTE:
        return Phrase("Switches or moves a machine with {}", "Switches or moves a machine")
    is_mounted = op.program.partition(" ")[0] in MOUNTING
    return None if is_mounted else Phrase("Controls device {}", "Controls a device")


def _names_remote(op: Operation) -> bool:
    return op.program.partition(" ")[0] in NAMES_REMOTES


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
    if op.thing is ResourceType.PACKAGE and op.verb is Verb.PUBLISH and not is_own_phrase(op):
        command = command_of(f"{op.program} {target}", room)
        return f"Publishes a package with {command}" if _TASK.fullmatch(target) else ""
    if op.thing is ResourceType.DATABASE and A_METHOD.fullmatch(target):
        return f"{VERBS[op.verb]} data with {command_of(target, room)}"
    if op.thing is ResourceType.URL and op.verb in MAKES and " " in op.program:
        return _of_address(op, phrase, room)
    return _of_words(op, phrase, words, room)


def _of_words(op: Operation, phrase: Phrase, words: str | None, room: int) -> str:
    """Return the sentence for a target that may be only words of the command.

    Args:
        words: what such commands act on; None for a type whose target is always a name.
    """
    target = op.target.strip()
    is_about_itself = phrase.named == phrase.unnamed and phrase in _OF_TRAITS
    if words is None or is_own_phrase(op) or op.target in DESCRIBED or is_about_itself:
        return ""
    named = dict(op.place).get(OBJECT)
    if named is not None and op.thing in NAMED_BY_OPTION and "://" not in target:
        command = _command_of(op, target) if target != named else ""
        return _of_named(op, phrase, object_of(named, room), command)
    if not target or _is_the_thing(op, target):
        return "" if target else _of_nothing(op, phrase, room)
    is_said = (op.verb, op.thing) in PAIRS or phrase in _OF_TRAITS
    head = phrase.unnamed if is_said else f"{VERBS[op.verb]} {words}"
    return f"{head} with {command_of(_command_of(op, target), room)}"


# An address has no such ending.
_A_FILE = re.compile(r"\S+\.(?:ya?ml|json|toml|xml|ini|conf|py|js|ts|sol|hcl|tf)")


def _of_address(op: Operation, phrase: Phrase, room: int) -> str:
    """Return the sentence about what is behind an address, or what a file describes."""
    target = op.target.strip()
    if not target:
        return ""
    if _A_FILE.fullmatch(target) and "://" not in target:
        command = command_of(f"{op.program} {target}", room)
        return f"{VERBS[op.verb]} remote resources with {command}"
    return f"{phrase.named.format(object_of(target, room))} with `{op.program}`"


def _is_the_thing(op: Operation, target: str) -> bool:
    """Return whether a target is the name of the resource."""
    if op.thing in NAMED_BY_ONE_WORD:
        return " " not in target and not _is_setting(op, target)
    if op.program in WITH_SLASH_OPTIONS and not op.path and target.startswith("/"):
        return False
    # `aws s3 rm` is described by its sub-command, so that its target is what it names.
    is_named = " " in op.program and op.thing in NAMED_BY_SUB_COMMANDS
    is_code = A_FUNCTION.fullmatch(op.program) is not None or not op.program
    is_service = op.program in SERVICE_MANAGERS
    is_named = is_named or is_code or is_service or _names_remote(op)
    return is_named or THE_THING.match(target) is not None


def _is_setting(op: Operation, target: str) -> bool:
    """Tell `postconf key=value` from a unit of systemd."""
    return op.thing is ResourceType.SERVICE and "=" in target


def _of_nothing(op: Operation, phrase: Phrase, room: int) -> str:
    """Return the sentence with a sub-command, which says more than a kind of resource."""
    is_command = _is_command(op)
    is_vague = op.verb is Verb.EXECUTE or phrase not in _OF_PAIRS
    is_named = is_command or op.thing is ResourceType.CLOUD
    is_vague = (is_named and bool(op.program) and is_vague) or Trait.WEAKENS in op.traits
    is_vague = is_vague or (is_command and op.thing in NAMED_BY_ONE_WORD)
    return f"{phrase.unnamed} with {command_of(op.program, room)}" if is_vague else ""


# Names of readers in the place of a program.
_READERS = frozenset({"code", "shell", "redirection", "environment", "unknown", "?"})


def _is_command(op: Operation) -> bool:
    """Return whether an operation is that of a command, which a title can name."""
    program = op.program
    is_called = "__" in program or op.call is not None or Trait.BY_NAME in op.traits
    is_function = A_FUNCTION.fullmatch(program) is not None
    return bool(program) and program not in _READERS and not (is_called or is_function)


def _of_named(op: Operation, phrase: Phrase, named: str, command: str) -> str:
    """Return the sentence about what an option names, by the command that does it."""
    if op.thing is ResourceType.CREDENTIAL:
        head = f"{VERBS[op.verb]} credential {named}"
    elif op.thing is ResourceType.ACCOUNT:
        head = f"{phrase.unnamed} of {named}"
    else:
        head = f"{VERBS[op.verb]} {named}"
    return f"{head} with {command_of(command, COMMAND_LIMIT)}" if command else head


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
