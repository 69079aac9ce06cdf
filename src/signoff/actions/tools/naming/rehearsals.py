"""Calls of tools that are told to try only: `dry_run: true`, `mode: "dry-run"`.

The switch is believed where it is literally on, stands where a tool takes its arguments, and no
other argument orders the act all the same. What the call hands over is judged as ever: code,
statements and lines, secrets, the guard's own things.

    is_rehearsal({"meters": ["S1"], "dry_run": True})                     True
    is_rehearsal({"dry_run": "true"})                                     False, a text
    is_rehearsal({"dry_run": True, "confirm": True})                      False, ordered as well
    is_rehearsal({"settings": {"dry_run": True}})                         False, a value that is set
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import NAME_SAYS_NOTHING, split_words, vocabulary
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words
from signoff.values import replace

_SWITCHES = words(
    "dryrun isdryrun asdryrun dryrunonly dryrunmode simulate simulateonly simulationonly"
    " previewonly validateonly validationonly whatif whatifonly checkonly planonly reportonly"
    " estimateonly noop"
)
# Only of what the first is a program of: `playbook: "site.yml", check: true`.
_SWITCHES_OF = (("playbook", "check"), ("playbook", "checkmode"), ("playbookpath", "check"))
# Words of a mode that also name real work; believed where the act is refused beside it.
_MODE_VALUES_BESIDE = words("quote estimate preview simulate simulation simulated calculate")
_MODES = words("mode runmode executionmode execution strategy runtype")
_LISTED = _SWITCHES | _MODES | frozenset([switch for _, switch in _SWITCHES_OF])
_MODE_VALUES = words("dryrun previewonly validateonly whatif planonly noop")
# What is requested by its method goes to an API that may know no such switch.
_METHODS = ("DELETE", "PUT", "PATCH", "POST")
# Where tools take switches beside the things they are about.
_HOLDERS = words("options option params parameters arguments args input request body flags opts")
# What orders an act: beside it a switch to try only is not sure to win.
_ORDERS = words(
    "confirm confirmed execute apply commit live force forced forceapply doit approve approved"
    " forreal realrun wet wetrun proceed skipdryrun nodryrun"
)
# Where a tool takes the address of the server that it talks to, and what puts one elsewhere.
_SERVERS = words(
    "host hostname server serverurl baseurl apiurl apibase instanceurl portal portalurl broker"
    " brokerurl bootstrapservers registry registryurl"
)
_ADDING = vocabulary(
    "upstream backend proxy route dns record webhook target forward tunnel register peer join"
    " redirect allow whitelist rule listener"
)
_CHANGING = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.NETWORK_OUT, Verb.PUBLISH})
_GRAVE = frozenset({Trait.WHOLE_STORE, Trait.OPENS_ACCESS, Trait.BLINDS, Trait.WEAKENS})
# How the API of Kubernetes and its clients write it, beside a manifest.
_OF_CLUSTERS = ("server", "client", "All")
_OWN = "signoff"
_MOST = 200
# From so many words on a value is a text, and in a message it may leave in any case.
_TEXT = 3
_LABELS = words("name displayname label campaignname adgroupname")
_NEVER = frozenset(
    {
        *(Trait.SENDS_SECRET, Trait.SENDS_FILES, Trait.READS_SECRET, Trait.HIDDEN),
        *(Trait.REMOTE_CODE, Trait.SELF_APPROVAL, Trait.COVERT),
    }
)
_KEPT_THINGS = frozenset({ResourceType.GUARD, ResourceType.FILE, ResourceType.URL})
_KEPT_FILES = frozenset({FileKind.GUARD, FileKind.AGENT_CONFIG, FileKind.CREDENTIALS})


def rehearsed(operations: Operations, arguments: Mapping[str, Json], tool: str = "") -> Operations:
    """Return the operations that a tool's name tells, as a rehearsal if the call is one.

    Args:
        tool: its name; nothing that names signoff is only tried.
    """
    if not is_rehearsal(arguments) or _OWN in tool.lower():
        return operations
    is_told = any([len(text.split()) >= _TEXT for text in _texts(arguments)])
    return tuple(
        [op if is_told and op.thing is ResourceType.MESSAGE else _tried(op) for op in operations]
    )


def _texts(value: Json, name: str = "") -> Iterator[str]:
    """Yield the texts of a call; what is called a name or title names a thing."""
    if isinstance(value, Mapping):
        for key, one in islice(value.items(), _MOST):
            yield from _texts(one, _plain(key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in islice(value, _MOST):
            yield from _texts(one, name)
    elif name not in _LABELS:
        yield from strings_of(value)


def is_rehearsal(arguments: Mapping[str, Json]) -> bool:
    """Return whether a call is told to change nothing, and nothing in it says otherwise."""
    given = [(_plain(name), value) for _, name, value in _switches(arguments)]
    names = {name for name, _ in given}
    of_these = {switch for owner, switch in _SWITCHES_OF if owner in names}
    is_refused = any([value is False for name, value in given if name in _ORDERS])
    modes = _MODE_VALUES | _MODE_VALUES_BESIDE if is_refused else _MODE_VALUES
    manifest = " ".join([text[:_MOST] for text in strings_of(arguments) if "apiVersion" in text])
    switched = [
        value is True or (name == "dryrun" and value in _OF_CLUSTERS and "kind:" in manifest)
        for name, value in given
        if name in _SWITCHES | of_these
    ]
    switched += [
        isinstance(value, str) and _plain(value) in modes
        for name, value in given
        if name in _MODES and not switched
    ]
    if any([value in _METHODS for value in islice(arguments.values(), _MOST)]):
        return False
    is_ordered = any([value is not False for name, value in given if name in _ORDERS])
    return bool(switched) and all(switched) and not is_ordered


def at_near_server(operations: Operations, arguments: Mapping[str, Json], tool: str) -> Operations:
    """Return the operations that a tool's name tells, near if its server is on this machine.

    Args:
        tool: its name; what adds an address somewhere does not talk to it.
    """
    given = list(_servers(arguments))
    if not given or not all(map(_is_near_server, given)) or _OWN in tool.lower():
        return operations
    if not _ADDING.isdisjoint(split_words(tool)):
        return operations
    return tuple(map(_near, operations))


def _servers(arguments: Mapping[str, Json]) -> Iterator[Json]:
    return (value for _, name, value in _switches(arguments) if _plain(name) in _SERVERS)


def _is_near_server(value: Json) -> bool:
    """Tell an address of this machine that a client talks to: with a scheme or a port."""
    if not isinstance(value, str) or len(value) > _MOST:
        return False
    _, scheme, rest = value.partition("://")
    is_address = bool(scheme) or value.rpartition(":")[2].strip("/").isdigit()
    return is_address and is_near_url(f"http://{rest if scheme else value}")


def _near(op: Operation) -> Operation:
    is_kept = op.thing in _KEPT_THINGS - {ResourceType.URL} or op.file_kind in _KEPT_FILES
    is_far = op.reach is Reach.REMOTE and op.verb in _CHANGING and op.understood
    if is_kept or not is_far or not (_NEVER | _GRAVE).isdisjoint(op.traits):
        return op
    verb = Verb.WRITE if op.verb is Verb.PUBLISH else op.verb
    traits = op.traits - {Trait.BULK}
    return replace(op, verb=verb, reach=Reach.LOOPBACK, reversible=True, traits=traits)


def undeclared_switch(arguments: Mapping[str, Json], schema: Mapping[str, Json]) -> str:
    """Return the switch that makes a call a rehearsal and that its tool does not list, else "".

    A server may ignore an argument that it does not know, and act in earnest.

    Args:
        schema: the JSON Schema of the tool's arguments (`inputSchema` in MCP), {} if none is known.
    """
    near = [value for value in _servers(arguments) if _is_near_server(value)]
    names = (_LISTED if is_rehearsal(arguments) else frozenset()) | (
        _SERVERS if near else frozenset()
    )
    for holder, name, _ in _switches(arguments):
        if _plain(name) in names and not _is_declared(schema, holder, name):
            return f"{holder}.{name}" if holder else name
    return ""


def _is_declared(schema: Mapping[str, Json], holder: str, name: str) -> bool:
    """Whether a schema lists an argument; one that stands in an open or shared part may exist."""
    listed = _mapping(schema.get("properties"))
    if not holder:
        return name in listed
    inner = _mapping(listed.get(holder))
    return holder in listed and ("properties" not in inner or name in _mapping(inner["properties"]))


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _switches(arguments: Mapping[str, Json]) -> Iterator[tuple[str, str, Json]]:
    """Yield the arguments of a call and those in its options: the holder, the name, the value."""
    for name, value in islice(arguments.items(), _MOST):
        if isinstance(value, Mapping) and _plain(name) in _HOLDERS:
            yield from [(name, one, given) for one, given in islice(value.items(), _MOST)]
        else:
            yield "", name, value


def _plain(name: str) -> str:
    return "".join(split_words(name[:60]))


def _tried(op: Operation) -> Operation:
    """Return what is left of an act that is only tried."""
    if op.thing in _KEPT_THINGS or op.file_kind in _KEPT_FILES or not _NEVER.isdisjoint(op.traits):
        return op
    if not op.understood and op.why != NAME_SAYS_NOTHING:
        return op
    traits = op.traits | {Trait.DRY_RUN}
    return replace(op, verb=Verb.INERT, traits=traits, understood=True, why="", reversible=True)
