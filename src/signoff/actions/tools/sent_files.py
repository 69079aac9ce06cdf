"""Files that a tool sends by their path: an attachment, an upload, a body read from a file.

mcp__mail__send(attachments=["~/.ssh/id_ed25519"])  -> NETWORK_OUT, traits={SENDS_SECRET}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from signoff.actions.action import Action
from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import Operations, Reach, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.shell.data_flow.staged import known_secrets
from signoff.values import replace

SENDING = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
# Arguments in which a path is talked about, not read.
PROSE = frozenset(
    {"body", "text", "title", "subject", "description", "message", "comment", "query", "prompt"}
)
TEXT_LIMIT = 20_000
_ASSIGNED = re.compile(
    r"(?i)\b\w*(?:token|secret|passw(?:or)?d|api_?key|access_?key|private_?key)\w*[\"']?\s*[=:]\s*"
    r"[\"']?[^\s\"'<>{}$*]{8,}"
)
DEPTH_LIMIT, VALUES_LIMIT, PATH_LIMIT = 4, 200, 512


def with_sent_secrets(operations: Operations, action: Action, place: Place) -> Operations:
    """Say of what a tool sends that a file of secrets goes along."""
    sends = [op.verb in SENDING and op.reach is not Reach.LOOPBACK for op in operations]
    if not any(sends):
        return operations
    if not any(_is_secret(text, place) for text in _paths(action)) and not (
        known_secrets(place.facts.secrets_read) and _tells_secret(action)
    ):
        return operations
    return tuple(
        replace(op, traits=op.traits | {Trait.SENDS_SECRET}) if out else op
        for op, out in zip(operations, sends, strict=True)
    )


def _tells_secret(action: Action) -> bool:
    """Tell whether a message gives a value to a name of a secret: `API_TOKEN=f3a1...`."""
    texts = [value for value in action.arguments.values() if isinstance(value, str)]
    return any([_ASSIGNED.search(text[:TEXT_LIMIT]) is not None for text in texts])


def _paths(action: Action) -> Iterator[str]:
    """Yield the texts in a call's arguments that may be paths, bounded."""
    todo: list[tuple[object, int]] = [
        (value, 0) for name, value in action.arguments.items() if name not in PROSE
    ]
    for _ in range(VALUES_LIMIT):
        if not todo:
            return
        value, depth = todo.pop()
        if isinstance(value, str):
            is_path = "/" in value or "\\" in value or value.startswith(".")
            if is_path and len(value) <= PATH_LIMIT and "\n" not in value:
                yield value
        elif depth < DEPTH_LIMIT and isinstance(value, Mapping):
            todo.extend((one, depth + 1) for name, one in value.items() if name not in PROSE)
        elif depth < DEPTH_LIMIT and isinstance(value, list | tuple):
            todo.extend((one, depth + 1) for one in value)


def _is_secret(text: str, place: Place) -> bool:
    if "://" in text:
        return False
    at = locate(text.removeprefix("@"), place, has_glob=False)
    return at.read_kind in SECRET_KINDS or at.path in place.facts.secrets_read
