"""Stages of an aggregation that write: `$out` replaces a collection, `$merge` adds to one.

MongoDB, "Aggregation pipeline stages": every other stage only gives documents back.

    written_by(aggregate(pipeline=[{"$match": {}}, {"$out": "customers"}]))  -> DELETE database
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb

_MOST = 200


def written_by(action: Action) -> Iterator[Operation]:
    """Yield what the stages of an argument that is a pipeline write."""
    for value in islice(action.arguments.values(), _MOST):
        for stage in islice(_stages(value), _MOST):
            if "$out" in stage:
                yield _operation(action, Verb.DELETE, stage["$out"])
            elif "$merge" in stage:
                yield _operation(action, Verb.WRITE, stage["$merge"])


def _stages(value: Json) -> Iterator[Mapping[str, Json]]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (item for item in islice(value, _MOST) if isinstance(item, Mapping))


def _operation(action: Action, verb: Verb, into: Json) -> Operation:
    is_lost = verb is Verb.DELETE
    return Operation(
        verb=verb,
        thing=ResourceType.DATABASE,
        target=str(into)[:200],
        reach=Reach.LOOPBACK,
        traits=frozenset({Trait.SCHEMA_LOSS} if is_lost else ()),
        reversible=not is_lost,
        program=action.tool[:100],
        source=action.tool[:100],
    )
