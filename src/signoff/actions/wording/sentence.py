"""One sentence a person understands for one Operation: what happens, to what, and what is lost.

say(op)           ->  "Force-pushes `feature/login` to `origin`; commits already there can be lost"
sentence(op, 90)  ->  the same in at most 90 characters: long objects lose their middle first

The words come from the tables in `phrases`. Only what the readers established is said: nothing is
read from the text of the call again, so a call cannot put words into its own title.
"""

from __future__ import annotations

import re

from signoff.actions.operation import CallWords, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import UNKNOWN_PART
from signoff.actions.programs.named_place import ACCOUNTS, APPLIED, OBJECT
from signoff.actions.wording.calls.telling import DETAILS, moves_money, tell
from signoff.actions.wording.file_contents import meaning_of
from signoff.actions.wording.infrastructure import applied
from signoff.actions.wording.objects import ALL_INFRASTRUCTURE, DESCRIBED, object_of, resource_of
from signoff.actions.wording.phrase_choice import (
    MAKES,
    OBJECT_LIMIT,
    by_command,
    is_own_phrase,
    phrase_of,
)
from signoff.actions.wording.phrases import FILE_KINDS, VERBS
from signoff.actions.wording.unknown import unknown
from signoff.values import replace

SAY_ROOM = 1_000
SHORTEST_OBJECT = 16
# Of a shorter piece nobody can tell what it was: what follows is left out instead.
READABLE_OBJECT = 32
PLACE_LIMIT = 30
HOLDS_SECRETS = "it holds secrets"
VERSION = "version"
NO_PLACES = frozenset({VERSION, OBJECT, *ACCOUNTS, *APPLIED})
PLACE_WORDS = {"profile": "with profile"}
# Where a relative path leads only from another folder than the project's.
OUTSIDE = frozenset({Reach.ELSEWHERE, Reach.HOME, Reach.SYSTEM, Reach.GUARD})
PUBLIC = frozenset(
    {"public", "everyone", "everybody", "*", "all", "anyone", "allusers", "anonymous"}
)
DIRECT = frozenset({Verb.DELETE, Verb.READ})
CHANGED = frozenset({Verb.WRITE, Verb.CONFIGURE})
# Names of members: to look one up in its class takes ten times as long.
_DELETE, _DRY_RUN, _BY_NAME, _UNBOUNDED = Verb.DELETE, Trait.DRY_RUN, Trait.BY_NAME, Trait.UNBOUNDED
_WARNED_OF = frozenset(
    {Trait.SENDS_SECRET, Trait.READS_SECRET, Trait.OPENS_ACCESS, Trait.SENDS_FILES}
)
# Their sentences name no object.
_OF_ITSELF = frozenset({Trait.REMOTE_CODE, Trait.DECODED, Trait.SELF_APPROVAL})
_LOSES = frozenset({Trait.LOSES_HISTORY, Trait.LOSES_WORK, Trait.SCHEMA_LOSS})
SEEN = "others see it at once"
THIS_MACHINE = "this machine"
# An address, a path or an archive in place of a package's name.
_SCOPED = re.compile(r"@[\w.-]+/[\w.-]+(?:@[\w.^~-]+)?")  # `@scope/name@1.2`
FROM_ELSEWHERE = re.compile(r"://|^git\+|^[./~]|[/@].*[/:]|\.(?:tgz|tar\.gz|whl|zip|deb|rpm)\Z")
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
    if op.call is not None:
        # Without the text of a message: whoever masks it must see the whole of it.
        told = tell(op.call, room=OBJECT_LIMIT, detail=0, has_text=False)
        return _joined(_with_reach(told, op), consequence_of(op))
    target = _as_named(op)
    target = target if len(target) <= OBJECT_LIMIT else f"{target[:OBJECT_LIMIT]}..."
    return _joined(_action(op, target, SAY_ROOM), consequence_of(op))


def sentence(op: Operation, limit: int, *, because: str = "", more: int = 0) -> str:
    """Describe one Operation in at most so many characters (at least 60).

    Args:
        because: why it matters, where more is known than its consequence; left out if it is long.
        more: how many other objects the same happens to.
    """
    consequence = consequence_of(op)
    # What a message says tells more than that others will read it.
    if op.call is not None and op.call.text and consequence == SEEN and not because:
        whole = _fitting_call(op.call, op, limit, READABLE_OBJECT, f"; {SEEN}")
        return whole if ": `" in whole else _fitting(op, limit, SHORTEST_OBJECT, "")
    for end in (f": {because}" if because else "", f"; {consequence}" if consequence else ""):
        if end and (text := _fitting(op, limit, READABLE_OBJECT, end, more)):
            return text
    return _fitting(op, limit, SHORTEST_OBJECT, "", more)


def _fitting(op: Operation, limit: int, shortest: int, end: str, more: int = 0) -> str:
    """Return the sentence with as much of its object as fits before its end.

    "" if that is too little; the sentence without an end always comes back, cut where it must be.
    """
    if op.call is not None:
        return _fitting_call(op.call, op, limit, shortest, end)
    room = OBJECT_LIMIT
    while True:
        text = f"{_action(op, _as_named(op), room, more)}{end}"
        if len(text) <= limit:
            return text
        if len(op.place) > 1:  # what it is done to says more than where
            op = replace(op, place=op.place[:-1])
            continue
        if room <= shortest:
            return "" if end else f"{text[: limit - 3]}..."
        room = max(shortest, room - (len(text) - limit))


def _fitting_call(said: CallWords, op: Operation, limit: int, shortest: int, end: str) -> str:
    """Return the sentence of a call with as many of its details as fit before its end."""
    rooms = (OBJECT_LIMIT, 60, 48, 40, READABLE_OBJECT)
    tries = [(room, detail) for detail in range(DETAILS + 1) for room in rooms]
    # A name that nobody can read any more is worth less than a detail.
    for room, detail in (*tries, (24, DETAILS), (shortest, DETAILS)):
        text = f"{_with_reach(tell(said, room=room, detail=detail), op)}{end}"
        if len(text) <= limit and room >= min(shortest, READABLE_OBJECT):
            return text
    return "" if end else f"{text[: limit - 3]}..."


def _with_reach(text: str, op: Operation) -> str:
    """Return what a call does with the words for production, before the text of a message."""
    if op.reach is not Reach.PRODUCTION:
        return text
    head, colon, rest = text.partition(": `")
    words = "(production)" if op.call is not None and _is_near(head, op.call) else "in production"
    return f"{head} {words}{colon}{rest}"


def _is_near(head: str, said: CallWords) -> bool:
    """Return whether a sentence ends with a place, of which production can be said."""
    return bool(said.place) and head.endswith("`") and not said.value and not said.by


def _as_named(op: Operation) -> str:
    """Return the target, or its path where the words alone would name something nearer.

    `cd / && rm -r home/dev` names `/home/dev`: who reads the title does not see the `cd`.
    """
    is_elsewhere = bool(op.target) and op.reach in OUTSIDE and op.path.startswith("/")
    return op.path if is_elsewhere and op.path.endswith(f"/{op.target}") else op.target


def _joined(action: str, consequence: str) -> str:
    return f"{action}; {consequence}" if consequence else action


def consequence_of(op: Operation) -> str:
    """Return what follows for people and data, "" if nothing is worth a warning."""
    # No consequence is sure of what changes nothing, or of what nobody could read.
    if _DRY_RUN in op.traits or not op.understood:
        return ""
    told = meaning_of(op)
    # The reader of a file saw who gets access to what, and said it.
    is_said_better = bool(told) and op.traits & _WARNED_OF == {Trait.OPENS_ACCESS}
    if not is_said_better and not _WARNED_OF.isdisjoint(op.traits):
        words = _warning(op)
        return "" if _is_said(op, words) else words
    if told:
        return told
    if Trait.BACKDOOR in op.traits:
        return "it lets somebody in later"
    # A sentence about signoff itself says whose file it is.
    is_said = op.thing is ResourceType.GUARD
    if op.verb in CHANGED and op.file_kind in FILE_KINDS and not is_said:
        return FILE_KINDS[op.file_kind]
    return _loss(op) or _seen_by_others(op)


def _warning(op: Operation) -> str:
    if Trait.SENDS_SECRET in op.traits:
        return "a secret leaves this machine"
    if Trait.READS_SECRET in op.traits:
        return HOLDS_SECRETS
    if Trait.OPENS_ACCESS in op.traits:
        return f"{_everybody(op)} gets access"
    return "local files leave this machine"


def _everybody(op: Operation) -> str:
    if op.call is not None:
        return "everybody" if op.call.is_public else "somebody else"
    if op.thing is ResourceType.FILE:
        return "every user"
    # `GRANT ... TO bob` and `grant_admin("bob")` open something to one; of a cloud's own line
    # the reader saw that it is everybody.
    is_named = op.program.endswith(" grant") or _is_called_by_name(op)
    return "everybody" if not is_named or op.target.casefold() in PUBLIC else "somebody else"


def _is_said(op: Operation, words: str) -> bool:
    """Whether the name of what is read says already that it is secret."""
    return words == HOLDS_SECRETS and op.target in DESCRIBED and op.thing is ResourceType.CREDENTIAL


def _loss(op: Operation) -> str:
    """Return what is lost for good, in words."""
    if _LOSES.isdisjoint(op.traits):
        return "cannot be undone" if op.verb is _DELETE and not op.reversible else ""
    is_pushed = op.verb is Verb.PUBLISH and op.thing is ResourceType.REPOSITORY
    if Trait.LOSES_HISTORY in op.traits:
        return "commits already there can be lost" if is_pushed else "commits can be lost"
    if Trait.LOSES_WORK in op.traits:
        is_branch = op.program == "git branch"
        return "commits only it has can be lost" if is_branch else "uncommitted work is lost"
    if Trait.SCHEMA_LOSS in op.traits and op.verb is Verb.WRITE:
        return "data in it can be lost"
    if op.verb is Verb.DELETE and not op.reversible:
        return "cannot be undone"
    return ""


def _seen_by_others(op: Operation) -> str:
    """Say that it is no longer only the user's business."""
    if op.verb is Verb.PUBLISH and not op.reversible and not _is_forced_push(op):
        return SEEN
    if op.verb is Verb.SPEND and _is_called_by_name(op):
        return "money is moved" if op.call is None or moves_money(op.call) else ""
    if Trait.UNTRUSTED_SOURCE in op.traits:
        return _source_of(op)
    if op.verb is Verb.NETWORK_OUT and op.thing is ResourceType.MESSAGE:
        return SEEN
    if op.reach is Reach.PRODUCTION and op.verb in MAKES:
        # A file is changed here; what uses it follows later.
        return "production uses it" if op.path else "users are affected at once"
    return ""


def _source_of(op: Operation) -> str:
    """Return what is untrusted, in words: an unknown package, or its source."""
    if op.verb is not Verb.INSTALL:
        return "it gets code from elsewhere"
    is_name = not FROM_ELSEWHERE.search(op.target) or _SCOPED.fullmatch(op.target)
    return "signoff does not know this package" if is_name else "it comes from no package registry"


def _action(op: Operation, named: str, room: int, more: int = 0) -> str:
    """Return the sentence without its consequence.

    Args:
        named: the target, as far as it is shown.
        room: characters an object may have.
        more: how many other objects the same happens to.
    """
    if not op.understood:
        return unknown(op, room)
    if op.verb is Verb.INERT:
        return "Changes nothing outside itself"
    target = resource_of(op, named, room)
    target = f"{target} and {more:,} more" if target and more else target
    if op.verb is Verb.PUBLISH and op.program == "git push":
        head = _push(op, named, room)
    elif _is_called_by_name(op):
        name = object_of(op.program.rpartition("__")[2], OBJECT_LIMIT)
        head = f"Calls {name} on {target}" if target else f"Calls {name}"
    else:
        phrase = phrase_of(op)
        whole = applied(op, room) or by_command(op, phrase, room)
        is_all = not target or op.target == ALL_INFRASTRUCTURE
        head = whole or (phrase.unnamed if is_all else phrase.named.format(target))
        if op.target in DESCRIBED and op.verb in DIRECT and not whole and not is_own_phrase(op):
            head = f"{VERBS[op.verb]} {target}"
        if target and not whole and _UNBOUNDED in op.traits:
            head = phrase.named.replace(" rows of ", " all rows of ").format(target)
    remarks = _remarks(op)
    if THIS_MACHINE in head and (elsewhere := REMARKS[Trait.ON_REMOTE_HOST]) in remarks:
        remarks.remove(elsewhere)
        head = head.replace(THIS_MACHINE, elsewhere.removeprefix("on "))
    text = " ".join((head, *remarks))
    return text.replace(" more and everything in it", " more, and everything in them", 1)


def _push(op: Operation, named: str, room: int) -> str:
    """Return what a push does: its target is `remote branch...`."""
    does = "Force-pushes" if _is_forced_push(op) else "Pushes"
    remote, _, refs = named.partition(" ")
    source, _, there = refs.removeprefix("+").partition(":")
    if source and there and remote and " " not in there:  # `origin HEAD:main`
        room //= 2
        does = f"{does} {object_of(source, room)}"
        return f"{does} to {object_of(there, room)} on {object_of(remote, room)}"
    branch = object_of(refs, room) or (
        "every branch" if Trait.BROAD in op.traits else "commits or tags"
    )
    return f"{does} {branch} to {object_of(remote, room) or 'the default remote'}"


def _is_forced_push(op: Operation) -> bool:
    is_push = op.verb is Verb.PUBLISH and op.thing is ResourceType.REPOSITORY
    return is_push and not op.traits.isdisjoint({Trait.FORCED, Trait.LOSES_HISTORY})


def _is_called_by_name(op: Operation) -> bool:
    """Whether a tool's own name says more than a phrase made of verb and type."""
    if _BY_NAME not in op.traits and not op.program.startswith("mcp__"):
        return False
    if Trait.REMOTE_CODE in op.traits:
        return False
    # Of files, databases and sent messages the phrase says more than the name of a tool.
    is_sent = op.thing is ResourceType.MESSAGE and op.verb is Verb.NETWORK_OUT and bool(op.target)
    is_page = op.thing is ResourceType.URL and "://" in op.target
    is_plain = op.thing is ResourceType.DATABASE or is_sent or bool(op.path) or is_page
    return not is_plain and " " not in op.program


def _remarks(op: Operation) -> list[str]:
    """Return where and with which rights it happens."""
    said = [words for trait, words in REMARKS.items() if trait in op.traits]
    is_named = bool(op.target.strip(f" {UNKNOWN_PART}"))
    is_bucket = Trait.WHOLE_STORE in op.traits and "://" in op.target
    is_whole = (Trait.RECURSIVE in op.traits or is_bucket) and op.verb is Verb.DELETE
    if is_whole and is_named and not is_own_phrase(op):
        said.insert(0, "and everything in it")
    if op.verb is Verb.INSTALL and Trait.GLOBAL in op.traits:
        is_outside = op.reach is Reach.SYSTEM
        said.append("outside the project" if is_outside else "for all projects of this user")
    said.extend(_place(op))
    if op.reach is Reach.UNKNOWN and op.thing is ResourceType.FILE:
        said.append("(path known only when it runs)")
    elif op.target and not is_named and _OF_ITSELF.isdisjoint(op.traits):
        what = "address is" if op.thing is ResourceType.URL else "names are"
        said.append(f"({what} known only when it runs)")
    return said


def _place(op: Operation) -> list[str]:
    """Return where it happens, as the call names it."""
    is_production = op.reach is Reach.PRODUCTION and not (op.path and op.verb in CHANGED)
    parts = [
        f"{PLACE_WORDS.get(kind, kind)} {object_of(name, PLACE_LIMIT)}"
        for kind, name in op.place
        if kind not in NO_PLACES
    ]
    accounts = [
        f"for {kind} {object_of(name, PLACE_LIMIT)}" for kind, name in op.place if kind in ACCOUNTS
    ]
    said = [f"in {', '.join(parts)}".replace("in with ", "with ")] if parts else []
    if is_production:
        # Where a place is named, production is said of it and not beside it.
        is_said = any("production" in name.casefold() for _, name in op.place)
        said = [said[0] if is_said else f"{said[0]} (production)"] if said else ["in production"]
    versions = [
        f"at {VERSION} {object_of(name, PLACE_LIMIT)}" for kind, name in op.place if kind == VERSION
    ]
    return accounts + said + versions
