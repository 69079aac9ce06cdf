"""Code at an address, named where a program takes code of the project: `scala-cli https://x/a.sc`.

A program that builds or runs code and is handed the address of a source, a script or a library
fetches it and runs it, with nobody having read it. An address of a page or of a service, which
tests and tools are given all day, says nothing of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.urls import look_at_url
from signoff.values import replace

CODE_ENDINGS = (
    *(".sh", ".bash", ".zsh", ".fish", ".ps1", ".py", ".rb", ".pl", ".php", ".lua", ".r", ".jl"),
    *(".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".java", ".jar", ".kt", ".kts", ".scala"),
    *(".sc", ".groovy", ".gradle", ".clj", ".scm", ".el", ".vim", ".ex", ".exs", ".go", ".rs"),
    *(".swift", ".dart", ".nim", ".cr", ".tcl", ".awk", ".cmake", ".mk", ".so", ".dll", ".wasm"),
)
FETCHING = frozenset({Verb.NETWORK_IN, Verb.NETWORK_OUT, Verb.INSTALL})


def from_addresses(command: Command, operations: list[Operation]) -> list[Operation]:
    """Mark that a program runs code from an address it is given, unless it only fetches it."""
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
    """Tell whether a word is, or ends in, the address of code on another machine."""
    start = max(text.find("http://"), text.find("https://"))
    if start < 0:
        return False
    plain = text[start:].split("?", 1)[0].split("#", 1)[0].lower()
    return plain.endswith(CODE_ENDINGS) and look_at_url(text[start:]).reach is not Reach.LOOPBACK


def _runs_code(op: Operation) -> bool:
    return op.verb is Verb.EXECUTE and op.thing is ResourceType.CODE and op.reach is Reach.PROJECT


def _fetches(operations: Sequence[Operation]) -> bool:
    return any([op.verb in FETCHING for op in operations])
