"""Commands of a store that a tool of its server runs, as lines of the store's own client.

mcp__redis__run_commands {"commands": [["CONFIG", "GET", "maxmemory"], ["INFO"]]}
    ->  redis-cli CONFIG GET maxmemory
        redis-cli INFO
mcp__valkey__execute {"command": "FLUSHALL", "host": "cache-prod"}
    ->  redis-cli -h cache-prod FLUSHALL
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.servers import NETWORK_WORDS, RUNNER_WORDS, Tool
from signoff.actions.vocabulary import lazy_re

_CLIENTS = {
    **dict.fromkeys(vocabulary("redis valkey keydb dragonfly dragonflydb"), "redis-cli"),
    **dict.fromkeys(vocabulary("etcd"), "etcdctl"),
}
_NAMED = vocabulary("command commands cmd cmds")
# Consoles that take script: `mongosh mongodb://... --eval TEXT`.
_MONGO = vocabulary("mongosh mongo")
_SCRIPTS = vocabulary("script code eval javascript js command expression")
_ADDRESSES = vocabulary("uri url connection database db host target")
_PLACES = vocabulary("host hostname instance server cluster connection endpoint target")
_MOST = 200
_ARGUMENTS = vocabulary("args arguments argv")
_STEPS = _NAMED | vocabulary("pipe then stdin input after next chain each xargs script env")
_PROGRAMS = vocabulary("git npm make docker kubectl cargo gh aws az gcloud terraform helm psql")
_GOES_ON = lazy_re(r"(?i)[>;\n`]|\|\s*(?:redirect|append|tee|save|request|file|bash|sh|python)\b")


def store_lines(tool: Tool, words: set[str], value: Json, beside: Mapping[str, Json]) -> list[str]:
    """Return the lines of an argument, [] if its tool is of no such store or names no command.

    Args:
        words: of the argument's name.
        beside: the arguments it stands among.
    """
    if _is_mongo(tool) and not _SCRIPTS.isdisjoint(words):
        return [f"mongosh{_address(beside)} --eval {shlex.quote(one)}" for one in _given(value)]
    if not _ARGUMENTS.isdisjoint(words):
        return _of_program(tool, value, beside) or _of_named_client(tool, value, beside)
    if not NETWORK_WORDS.isdisjoint((*tool.server, *tool.words)) and not _NAMED.isdisjoint(words):
        return _of_device(list(_lines(value, beside)))
    client = next((_CLIENTS[word] for word in (*tool.server, *tool.words) if word in _CLIENTS), "")
    if not client or _NAMED.isdisjoint(words):
        return []
    place = _place(beside) if client == "redis-cli" else ""
    found = (line.strip() for line in _lines(value, beside))
    return [_of_client(client, place, line) for line in islice(found, _MOST) if line]


def _of_program(tool: Tool, value: Json, beside: Mapping[str, Json]) -> list[str]:
    """Put the one program that a tool runs before its words: `run_gcloud_command(args=[...])`."""
    named = [word for word in tool.words if word in _PROGRAMS]
    is_told = len(set(named)) == 1 and RUNNER_WORDS.issuperset(tool.words)
    if is_told and isinstance(value, str) and set(beside) <= {*_ALONE, *_CONTEXTS}:
        return _with_context(named[0], value.strip(), beside)
    if not is_told or not isinstance(value, list | tuple) or not value:
        return []
    others = [(name, one) for name, one in islice(beside.items(), _MOST) if one is not value]
    # What stands beside may be a further step: `pipe: {"each": [...]}`.
    is_alone = all(
        [
            _STEPS.isdisjoint(split_words(name)) and not isinstance(one, list | tuple | Mapping)
            for name, one in others
        ]
    )
    texts = _texts(value)
    return [shlex.join([named[0], *texts])] if is_alone and len(texts) == len(value) else []


_ALONE = frozenset({"args", "arguments", "argv"})
# Where a line goes to, as an argument beside it and as an option of the program.
_CONTEXTS = {"context": "--context", "kubecontext": "--context", "namespace": "--namespace"}


def _with_context(program: str, line: str, beside: Mapping[str, Json]) -> list[str]:
    """Put a program and the cluster that is named beside before its line.

    kubectl {"context": "rail-prod", "args": "get pods"}    kubectl --context rail-prod get pods
    """
    given = [(_CONTEXTS[name], str(one)) for name, one in beside.items() if name in _CONTEXTS]
    if not line or "\n" in line or (given and program != "kubectl"):
        return []
    options = [f" {option} {shlex.quote(one)}" for option, one in given]
    own = line.removeprefix(f"{program} ")
    return [f"{program}{''.join(options)} {own}"]


def _of_named_client(tool: Tool, value: Json, beside: Mapping[str, Json]) -> list[str]:
    """Put a store's client before its words: `redis_command(url=..., args="TTL cart:5")`."""
    client = next((_CLIENTS[word] for word in (*tool.server, *tool.words) if word in _CLIENTS), "")
    is_named = any([not _NAMED.isdisjoint(split_words(name)) for name in beside])
    if client != "redis-cli" or is_named or not isinstance(value, str):
        return []
    address = next((str(beside[name]) for name in ("url", "uri") if beside.get(name)), "")
    place = f" -u {shlex.quote(address)}" if address else _place(beside)
    return [_of_client(client, place, line.strip()) for line in value.split("\n") if line.strip()]


def _of_device(lines: list[str]) -> list[str]:
    """Hand lines for a router or switch to the shell of FRR, whose words are the same.

    Where what is shown goes on to a file or a server, it is copied there.
    """
    told = [line.strip() for line in islice(lines, _MOST + 1) if line.strip()]
    is_copied = len(told) > _MOST or any(map(_GOES_ON.search, told))
    return [f"vtysh -c {shlex.quote(f'copy {line}' if is_copied else line)}" for line in told]


def _is_mongo(tool: Tool) -> bool:
    """Tell a tool that is the shell of MongoDB, and not one of its server's other tools."""
    said = {*tool.words, *tool.server}
    return "mongosh" in said or (not _MONGO.isdisjoint(said) and "shell" in tool.words)


def _address(beside: Mapping[str, Json]) -> str:
    """Return the words that say which database a script is run on."""
    found = [
        value
        for name, value in islice(beside.items(), _MOST)
        if isinstance(value, str) and not _ADDRESSES.isdisjoint(split_words(name))
    ]
    return "".join([f" {shlex.quote(one)}" for one in found[:1] if one and one[:1] != "-"])


def _given(value: Json) -> list[str]:
    values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [one for one in islice(values, _MOST) if isinstance(one, str) and one.strip()]


def _of_client(client: str, place: str, line: str) -> str:
    """Put the client before its command, unless the line names a program that has its name."""
    return line if line.partition(" ")[0].endswith(("-cli", "ctl")) else f"{client}{place} {line}"


def _place(beside: Mapping[str, Json]) -> str:
    """Return the option for the machine that a call names, "" for none."""
    for name, value in islice(beside.items(), _MOST):
        if isinstance(value, str) and value and not _PLACES.isdisjoint(split_words(name)):
            return "" if " " in value else f" -h {shlex.quote(value)}"
    return ""


def _lines(value: Json, beside: Mapping[str, Json]) -> Iterator[str]:
    if isinstance(value, str):
        more = beside.get("args", beside.get("arguments"))
        words = _texts(more) if isinstance(more, Sequence) and not isinstance(more, str) else []
        for line in value.split("\n"):
            yield f"{line} {shlex.join(words)}" if words else line
    elif isinstance(value, Sequence):
        items = list(islice(value, _MOST))
        # No name of a command has a blank: such items are lines, and others words of one line.
        if any(not isinstance(one, str) or " " in one for one in items[:1]):
            for one in items:
                yield from _lines(one, {})
        elif items:
            yield shlex.join(_texts(items))
    elif isinstance(value, Mapping):
        named = next((one for name, one in value.items() if name.lower() in _NAMED), "")
        yield from _lines(named, value)


def _texts(values: Sequence[Json]) -> list[str]:
    return [str(one) for one in islice(values, _MOST) if isinstance(one, str | int | float)]
