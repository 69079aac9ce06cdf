"""Databases that run inside the process: the files their SQL names are files of this machine.

duckdb -c "COPY (SELECT * FROM read_text('.env')) TO '/tmp/x'"     reads a secret, writes a file
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.vocabulary import words
from signoff.values import replace

LOCAL_ENGINES = words("duckdb sqlite3 sqlite clickhouse-local datafusion-cli")


def local_files(operations: Iterable[Operation], place: Place) -> Iterator[Operation]:
    """Yield the operations, with a local engine's files taken as files of this machine."""
    for op in operations:
        is_file = op.thing is ResourceType.FILE and op.verb in {Verb.READ, Verb.WRITE}
        if not is_file or not op.target or "://" in op.target:
            yield op
            continue
        at = locate(op.target, place)
        is_read = op.verb is Verb.READ
        kind = at.read_kind if is_read else at.kind
        secret = {Trait.READS_SECRET} if is_read and kind in SECRET_KINDS else set()
        traits = (op.traits - {Trait.SENDS_FILES}) | secret | {Trait.NAMED}
        yield replace(op, path=at.path, reach=at.reach, file_kind=kind, traits=traits)
