"""One sentence a person understands for one Operation: what happens, to what, and what is lost.

say(op)           ->  "Force-pushes `feature/login` to `origin`; commits already there can be lost"
sentence(op, 90)  ->  the same in at most 90 characters: long objects lose their middle first

The words come from the tables in `phrases`. Only what the readers established is said: nothing is
read from the text of the call again, so a call cannot put words into its own title.
"""

from __future__ import annotations

import re

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import UNKNOWN_PART
from signoff.actions.wording.phrases import (
    BY_COMMAND,
    DECODED,
    FETCHED,
    FILE_KINDS,
    PAIRS,
    PROGRAMS,
    SERVICE_MANAGERS,
    TRAITS,
    TYPES,
    VERBS,
    WHOLE_REPOSITORY,
    Phrase,
)
from signoff.values import replace

OBJECT_LIMIT = 120
SAY_ROOM = 1_000
SHORTEST_OBJECT = 16
# Of a shorter piece nobody can tell what it was: what follows is left out instead.
READABLE_OBJECT = 32
PLACE_LIMIT = 30
HOLDS_SECRETS = "it holds secrets"
NOT_KNOWN_YET = "…"  # in place of a part of a name that is known only when the call runs
VERSION = "version"
PLACE_WORDS = {"profile": "with profile"}
# Programs whose target is a kind and a name, and the kinds they abbreviate.
KIND_FIRST = ("kubectl ", "oc ", "kubecolor ")
KINDS = {
    **{
        "deploy": "deployment",
        "ns": "namespace",
        "po": "pod",
        "svc": "service",
        "sts": "statefulset",
    },
    **{"cm": "configmap", "ing": "ingress", "pv": "persistentvolume", "ds": "daemonset"},
    **{"pvc": "persistentvolumeclaim", "sa": "serviceaccount", "crd": "customresourcedefinition"},
}
# Targets that are words of a reader, not names from the call.
DESCRIBED = frozenset(
    {
        *("every volume not in use", "everything not in use", "all volumes", "scheduled jobs"),
        *("untracked files", "a privileged container", "the infrastructure", "cluster secrets"),
        *("stored passwords", "the project", "a recording of the tests", "local data"),
    }
)
DIRECT = frozenset({Verb.DELETE, Verb.READ})
MAKES = frozenset({Verb.DELETE, Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.PUBLISH})
# A target that begins or is written like this is the thing itself and no word of a command.
THE_THING = re.compile(r"[/~.$%]|[A-Z]:|.*(?:://|=|@)")
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
THIS_MACHINE = "this machine"
REMARKS = {
    Trait.ON_REMOTE_HOST: "on another machine",
    Trait.IN_CONTAINER: "in a container",
    Trait.AS_ROOT: "as root",
}


def say(op: Operation) -> str:
    """Describe an Operation in one sentence for people, without a full stop.

    A long target keeps its start only: evidence is masked later, and a secret that is at the
    end of an address is not found without what precedes it.
    """
    target = op.target if len(op.target) <= OBJECT_LIMIT else f"{op.target[:OBJECT_LIMIT]}..."
    return _joined(_action(op, target, SAY_ROOM), consequence_of(op))


def sentence(op: Operation, limit: int, *, because: str = "") -> str:
    """Describe one Operation in at most so many characters (at least 60).

    Args:
        because: why it matters, where more is known than its consequence; left out if it is long.
    """
    consequence = consequence_of(op)
    for end in (f": {because}" if because else "", f"; {consequence}" if consequence else ""):
        if end and (text := _fitting(op, limit, READABLE_OBJECT, end)):
            return text
    return _fitting(op, limit, SHORTEST_OBJECT, "")


def _fitting(op: Operation, limit: int, shortest: int, end: str) -> str:
    """Return the sentence with as much of its object as fits before its end.

    "" if that is too little; the sentence without an end always comes back, cut where it must be.
    """
    room = OBJECT_LIMIT
    while True:
        text = f"{_action(op, op.target, room)}{end}"
        if len(text) <= limit:
            return text
        if len(op.place) > 1:  # what it is done to says more than where
            op = replace(op, place=op.place[:-1])
            continue
        if room <= shortest:
            return "" if end else f"{text[: limit - 3]}..."
        room = max(shortest, room - (len(text) - limit))


def _joined(action: str, consequence: str) -> str:
    return f"{action}; {consequence}" if consequence else action


def consequence_of(op: Operation) -> str:
    """Return what follows for people and data, "" if nothing is worth a warning."""
    # No consequence is sure of what changes nothing, or of what nobody could read.
    if Trait.DRY_RUN in op.traits or not op.understood:
        return ""
    for holds, words in (
        (Trait.SENDS_SECRET in op.traits, "a secret leaves this machine"),
        (Trait.READS_SECRET in op.traits, HOLDS_SECRETS),
        (Trait.OPENS_ACCESS in op.traits, f"{_everybody(op)} gets access"),
        (Trait.SENDS_FILES in op.traits, "local files leave this machine"),
    ):
        if holds:
            return "" if _is_said(op, words) else words
    if op.verb in {Verb.WRITE, Verb.CONFIGURE} and op.file_kind in FILE_KINDS:
        return FILE_KINDS[op.file_kind]
    return _loss(op) or _seen_by_others(op)


def _everybody(op: Operation) -> str:
    return "every user" if op.thing is ResourceType.FILE else "everybody"


def _is_said(op: Operation, words: str) -> bool:
    """Whether the name of what is read says already that it is secret."""
    return words == HOLDS_SECRETS and op.target in DESCRIBED and op.thing is ResourceType.CREDENTIAL


def _loss(op: Operation) -> str:
    """Say what is gone for good."""
    is_pushed = op.verb is Verb.PUBLISH and op.thing is ResourceType.REPOSITORY
    if Trait.LOSES_HISTORY in op.traits:
        return "commits already there can be lost" if is_pushed else "commits can be lost"
    if Trait.LOSES_WORK in op.traits:
        is_branch = op.program == "git branch"
        return "commits only it has can be lost" if is_branch else "uncommitted work is lost"
    if op.verb is Verb.DELETE and not op.reversible:
        return "cannot be undone"
    return ""


def _seen_by_others(op: Operation) -> str:
    """Say that it is no longer only the user's business."""
    if op.verb is Verb.PUBLISH and not op.reversible and not _is_forced_push(op):
        return "others see it at once"
    if op.verb is Verb.SPEND and _is_called_by_name(op):
        return "money is moved"
    if Trait.UNTRUSTED_SOURCE in op.traits:
        return "its source is no package registry"
    if op.verb is Verb.NETWORK_OUT and op.thing is ResourceType.MESSAGE:
        return "others see it at once"
    if op.reach is Reach.PRODUCTION and op.verb in MAKES:
        return "users are affected at once"
    return ""


def _action(op: Operation, named: str, room: int) -> str:
    """Return the sentence without its consequence.

    Args:
        named: the target, as far as it is shown.
        room: characters an object may have.
    """
    if not op.understood:
        return _unknown(op, room)
    if op.verb is Verb.INERT:
        return "Changes nothing outside itself"
    target = _resource(op, named, room)
    if op.verb is Verb.PUBLISH and op.program == "git push":
        head = _push(op, named, room)
    elif _is_called_by_name(op):
        name = _object(op.program.rpartition("__")[2], OBJECT_LIMIT)
        head = f"Calls {name} on {target}" if target else f"Calls {name}"
    else:
        phrase = _phrase(op)
        by_command = _by_command(op, phrase, room)
        head = by_command or (phrase.named.format(target) if target else phrase.unnamed)
        if op.target in DESCRIBED and op.verb in DIRECT and not _is_own_phrase(op):
            head = f"{VERBS[op.verb]} {target}"
        if target and not by_command and Trait.UNBOUNDED in op.traits:
            head = phrase.named.replace(" rows of ", " all rows of ").format(target)
    remarks = _remarks(op)
    if THIS_MACHINE in head and (elsewhere := REMARKS[Trait.ON_REMOTE_HOST]) in remarks:
        remarks.remove(elsewhere)
        head = head.replace(THIS_MACHINE, elsewhere.removeprefix("on "))
    return " ".join((head, *remarks))


def _unknown(op: Operation, room: int) -> str:
    """Say that nobody can tell what would happen, and why."""
    if Trait.REMOTE_CODE in op.traits:
        return FETCHED
    if Trait.DECODED in op.traits:
        return DECODED
    program = op.program.removeprefix("?") or op.target
    name = _object(program, room) or "a program"
    why = op.why if len(op.why) <= room else f"{op.why[: room - 3]}..."
    return f"Runs {name} with unknown effects: {why}" if why else f"Runs {name}, effects unknown"


def _phrase(op: Operation) -> Phrase:
    """Return the phrase of an Operation: by its program, else by verb and type."""
    by_trait = (
        words for (verb, trait), words in TRAITS.items() if verb is op.verb and trait in op.traits
    )
    known = PROGRAMS.get((op.program, op.verb)) or next(by_trait, None)
    if known is None and op.thing is ResourceType.REPOSITORY and not _is_ref(op):
        known = WHOLE_REPOSITORY.get(op.verb)
    known = known or PAIRS.get((op.verb, op.thing))
    if known is not None:
        return known
    kind = TYPES[op.thing]
    return Phrase(f"{VERBS[op.verb]} {kind.named}", f"{VERBS[op.verb]} {kind.unnamed}")


def _is_ref(op: Operation) -> bool:
    """Whether a repository's target is one of its branches, tags or commits."""
    return not op.target or (op.program.startswith("git ") and not op.path)


def _is_own_phrase(op: Operation) -> bool:
    return (op.program, op.verb) in PROGRAMS


def _by_command(op: Operation, phrase: Phrase, room: int) -> str:
    """Return the sentence that names the command in place of a target that is one of its words."""
    words, target = BY_COMMAND.get(op.thing), op.target.strip()
    if op.thing is ResourceType.DATABASE and A_METHOD.fullmatch(target):
        return f"{VERBS[op.verb]} data by {_object(target, room)}"
    if op.thing is ResourceType.URL and op.verb in MAKES and " " in op.program:
        return f"{phrase.named.format(_object(target, room))} by `{op.program}`" if target else ""
    is_about_itself = phrase.named == phrase.unnamed and phrase in TRAITS.values()
    if words is None or _is_own_phrase(op) or op.target in DESCRIBED or is_about_itself:
        return ""
    if not target:  # then a sub-command says more than a kind of resource
        is_vague = " " in op.program and (op.verb is Verb.EXECUTE or phrase not in PAIRS.values())
        return f"{phrase.unnamed} by {_object(op.program, room)}" if is_vague else ""
    is_the_thing = THE_THING.match(target) is not None
    # `aws s3 rm` is described by its sub-command, so that its target is what it names.
    is_named = " " in op.program and op.thing in NAMED_BY_SUB_COMMANDS
    is_code = A_FUNCTION.fullmatch(op.program) is not None or not op.program
    if is_the_thing or is_named or is_code or op.program in SERVICE_MANAGERS:
        return ""
    is_repeated = target.casefold().startswith(op.program.casefold())
    command = target if is_repeated else f"{op.program} {target}"
    is_said = (op.verb, op.thing) in PAIRS or phrase in TRAITS.values()
    head = phrase.unnamed if is_said else f"{VERBS[op.verb]} {words}"
    return f"{head} by {_object(command, room)}"


def _push(op: Operation, named: str, room: int) -> str:
    """Return what a push does: its target is `remote branch...`."""
    does = "Force-pushes" if _is_forced_push(op) else "Pushes"
    remote, _, refs = named.partition(" ")
    branch = _object(refs, room) or (
        "every branch" if Trait.BROAD in op.traits else "commits or tags"
    )
    return f"{does} {branch} to {_object(remote, room) or 'the default remote'}"


def _is_forced_push(op: Operation) -> bool:
    is_push = op.verb is Verb.PUBLISH and op.thing is ResourceType.REPOSITORY
    return is_push and not op.traits.isdisjoint({Trait.FORCED, Trait.LOSES_HISTORY})


def _is_called_by_name(op: Operation) -> bool:
    """Whether a tool's own name says more than a phrase made of verb and type."""
    is_name = op.program.startswith("mcp__") or Trait.BY_NAME in op.traits
    # Of files, databases and sent messages the phrase says more than the name of a tool.
    is_sent = op.thing is ResourceType.MESSAGE and op.verb is Verb.NETWORK_OUT
    is_plain = op.thing is ResourceType.DATABASE or is_sent or bool(op.path)
    return is_name and not is_plain and " " not in op.program


def _remarks(op: Operation) -> list[str]:
    """Return where and with which rights it happens."""
    said = [words for trait, words in REMARKS.items() if trait in op.traits]
    is_named = bool(op.target.strip(f" {UNKNOWN_PART}"))
    is_whole = Trait.RECURSIVE in op.traits and op.verb is Verb.DELETE
    if is_whole and is_named and not _is_own_phrase(op):
        said.insert(0, "and everything in it")
    if op.verb is Verb.INSTALL and Trait.GLOBAL in op.traits:
        said.append("for all projects of this user")
    said.extend(_place(op))
    if op.reach is Reach.UNKNOWN and op.thing is ResourceType.FILE:
        said.append("(path unknown until it runs)")
    elif op.target and not is_named:
        said.append("(known only when it runs)")
    return said


def _place(op: Operation) -> list[str]:
    """Return where it happens, as the call names it."""
    is_production = op.reach is Reach.PRODUCTION
    parts = [
        f"{PLACE_WORDS.get(kind, kind)} {_object(name, PLACE_LIMIT)}"
        for kind, name in op.place
        if kind != VERSION
    ]
    said = [f"in {', '.join(parts)}".replace("in with ", "with ")] if parts else []
    if is_production:
        # Where a place is named, production is said of it and not beside it.
        said = [f"{said[0]} (production)"] if said else ["in production"]
    return said + [
        f"at {VERSION} {_object(name, 30)}" for kind, name in op.place if kind == VERSION
    ]


def _resource(op: Operation, target: str, room: int) -> str:
    """Return the resource of a cluster as people name it: its kind, then its name."""
    kind, _, name = target.partition(" ")
    # Two words at most: with more of them the target is no kind and name.
    is_kind = op.program.startswith(KIND_FIRST) and op.thing is not ResourceType.CREDENTIAL
    is_named = is_kind and kind.isalpha() and name and " " not in name
    return f"{KINDS.get(kind, kind)} {_object(name, room)}" if is_named else _object(target, room)


def _object(target: str, room: int) -> str:
    """Return a target as a name that cannot be taken for the sentence around it."""
    if target in DESCRIBED or not target.strip(f" {UNKNOWN_PART}"):
        return target.strip(f" {UNKNOWN_PART}")
    # A backtick in a name would close the quotation, and the rest would read as our sentence
    # (T-35).
    plain = target.removeprefix(":").replace("`", "'")
    return f"`{_middle(plain.replace(UNKNOWN_PART, NOT_KNOWN_YET), room)}`"


def _middle(text: str, room: int) -> str:
    """Return a text without its middle, if it is longer than there is room for."""
    if len(text) <= room:
        return text
    # More of the end: in a path or an address it tells most.
    tail = (room - 3) * 2 // 3
    return f"{text[: room - 3 - tail]}...{text[-tail:]}"
