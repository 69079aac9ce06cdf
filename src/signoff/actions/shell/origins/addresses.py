"""Code at an address, named where a program takes code of the project: `scala-cli https://x/a.sc`.

A program that builds or runs code and is handed the address of a source, a script or a library
fetches it and runs it, with nobody having read it. An address of a page or of a service, which
tests and tools are given all day, says nothing of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.urls import is_near_url, look_at_url
from signoff.actions.vocabulary import words
from signoff.values import replace

CODE_ENDINGS = (
    *(".sh", ".bash", ".zsh", ".fish", ".ps1", ".py", ".rb", ".pl", ".php", ".lua", ".r", ".jl"),
    *(".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".java", ".jar", ".kt", ".kts", ".scala"),
    *(".sc", ".groovy", ".gradle", ".clj", ".scm", ".el", ".vim", ".ex", ".exs", ".go", ".rs"),
    *(".swift", ".dart", ".nim", ".cr", ".tcl", ".awk", ".cmake", ".mk", ".so", ".dll", ".wasm"),
)
ANY_SCHEME = re.compile(
    r"^(?:https?|nats|tls|tcp|wss?|amqps?|mqtts?|kafka|rediss?|mongodb(?:\+srv)?|postgres(?:ql)?"
    r"|mysql|smtps?)://"
)
SERVER_OPTIONS = words(
    "-b -s -S -h -H --host --server --servers --broker --brokers --bootstrap-server --addr "
    "--address --endpoint --endpoint-url --url --smtp-server -connect --connect --node"
)
TALKED_TO = frozenset({ResourceType.MESSAGE, ResourceType.CLOUD, ResourceType.DATABASE})
_REMOTE = Reach.REMOTE
FETCHING = frozenset({Verb.NETWORK_IN, Verb.NETWORK_OUT, Verb.INSTALL})


def by_addresses(command: Command, operations: list[Operation]) -> list[Operation]:
    """Return a command's operations, adjusted by the URLs among its words."""
    if "://" in command.source:
        operations = from_addresses(command, operations)
    if any([op.thing in TALKED_TO and op.reach is _REMOTE for op in operations]):
        return near_servers(command, operations)
    return operations


def near_servers(command: Command, operations: list[Operation]) -> list[Operation]:
    """Return operations as local ones, if the command's server is on this machine.

    `kcat -P -b 127.0.0.1:9092`, `nats --server nats://localhost:4222 pub x`.
    """
    told = list(_servers(command))
    if not told or not all([_is_near(text) for text in told]):
        return operations
    return [
        replace(op, reach=Reach.LOOPBACK)
        if op.thing in TALKED_TO and op.reach is Reach.REMOTE
        else op
        for op in operations
    ]


def _is_near(text: str) -> bool:
    """Tell whether each server of a list stands on this machine: `a:1,b:2`, `mongodb://a,b/db`."""
    _, mark, rest = text.partition("://")
    servers = re.split(r"[/?#]", rest if mark else text.rpartition("=")[2], maxsplit=1)[0]
    return all([is_near_url(f"http://{server}") for server in servers.split(",")])


def _servers(command: Command) -> Iterator[str]:
    """Yield the servers that the options and addresses of a command name."""
    texts = [word.text for word in command.words[1:]]
    for option, value in pairwise(["", *texts]):
        name, _, joined = value.partition("=")
        if name in SERVER_OPTIONS and joined:
            yield joined
        elif option in SERVER_OPTIONS or ANY_SCHEME.match(value):
            yield value


def from_addresses(command: Command, operations: list[Operation]) -> list[Operation]:
    """Mark that a program runs code from a URL it is given, unless it only downloads it."""
    if not any([_runs_code(op) for op in operations]) or _fetches(operations):
        return operations
    address = next((word.text for word in command.words[1:] if is_code_address(word.text)), "")
    if not address:
        return operations
    traits = frozenset({Trait.REMOTE_CODE, Trait.NAMED})
    return [
        replace(op, target=address, traits=op.traits | traits, reach=Reach.REMOTE, reversible=False)
        if _runs_code(op)
        else op
        for op in operations
    ]


def is_code_address(text: str) -> bool:
    """Return whether a word is, or ends in, the URL of code on another machine."""
    start = max(text.find("http://"), text.find("https://"))
    if start < 0:
        return False
    # Without query and fragment: `x.sh?v=2` is a script.
    plain = text[start:].split("?", 1)[0].split("#", 1)[0].lower()
    return plain.endswith(CODE_ENDINGS) and look_at_url(text[start:]).reach is not Reach.LOOPBACK


def _runs_code(op: Operation) -> bool:
    return op.verb is Verb.EXECUTE and op.thing is ResourceType.CODE and op.reach is Reach.PROJECT


def _fetches(operations: Sequence[Operation]) -> bool:
    return any([op.verb in FETCHING for op in operations])
