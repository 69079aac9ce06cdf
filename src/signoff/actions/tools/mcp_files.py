"""Files of secrets that a call of any tool names: read like any file, or sent away.

secrets_named(docs_get(path="~/.ssh/id_rsa"), operations, (), place) -> READ, READS_SECRET
secrets_named(send_mail(attachments=["~/.ssh/id_rsa"]), ...) -> NETWORK_OUT, SENDS_SECRET
"""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Operations, Reach, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.tools.files import read_operation
from signoff.actions.tools.naming.argument_paths import paths_in
from signoff.actions.tools.naming.contents import strings_of
from signoff.values import replace

_SENDS = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
_ATTACHED = ("attachments", "attachment", "files", "file_path", "body_file")
_MOST = 50


def secrets_named(
    action: Action, operations: Operations, paths: tuple[str, ...], place: Place | None
) -> tuple[Operation, ...]:
    """Return what is done to files of secrets that the arguments name."""
    if place is None:
        return ()
    attached = (text for name in _ATTACHED for text in strings_of(action.arguments.get(name)))
    known = {operation.path for operation in operations if operation.path}
    is_sent = any(op.verb in _SENDS and op.reach is not Reach.LOOPBACK for op in operations)
    found: dict[str, Operation] = {}
    for path in (*paths_in(action.arguments), *paths, *attached)[:_MOST]:
        if not path or "\n" in path or "://" in path:
            continue
        where = locate(path, place, has_glob=False)
        if where.path in known or where.path in found:
            continue
        operation = read_operation(where, target=path, program=action.tool[:100])
        if Trait.READS_SECRET in operation.traits:
            found[where.path] = _sent(operation) if is_sent else operation
    return tuple(found.values())


def _sent(operation: Operation) -> Operation:
    """Turn the reading of a secret into its sending."""
    traits = operation.traits | {Trait.SENDS_SECRET, Trait.SENDS_FILES}
    return replace(
        operation, verb=Verb.NETWORK_OUT, reach=Reach.REMOTE, traits=traits, reversible=False
    )
