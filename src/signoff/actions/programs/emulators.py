"""Clients of a cloud that talk to an emulator of this machine: what they change is the project's.

awslocal s3 rb s3://t --force                          -> DELETE cloud, PROJECT, reversible
aws --endpoint-url http://localhost:4566 s3 rb s3://t  -> the same
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait
from signoff.actions.programs.acts import Effect
from signoff.actions.shell.command import Command
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words
from signoff.values import replace

# Programs that only talk to an emulator, where nothing else is said, and those that can be told to.
EMULATORS = words("awslocal samlocal cdklocal tflocal")
CLIENTS = EMULATORS | words("aws aws2 s5cmd s3cmd gcloud gsutil az")
ENDPOINTS = words("--endpoint-url --endpoint --host --api-endpoint-overrides")
MOST_WORDS = 200
_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
# A secret or a file that is read here is read, wherever it is sent.
_STAYS = frozenset({ResourceType.CREDENTIAL, ResourceType.FILE})


def at_emulator(effects: Iterable[Effect], name: str, command: Command) -> Iterator[Effect]:
    """Yield the effects of a client, with what is far brought near if an emulator is asked."""
    is_near = _asks_emulator(name, command)
    for one in effects:
        yield _near(one) if is_near and isinstance(one, Operation) else one


def _near(op: Operation) -> Operation:
    if op.reach not in _FAR or op.thing in _STAYS:
        return op
    traits = op.traits - {Trait.WHOLE_STORE, Trait.OPENS_ACCESS}
    return replace(op, reach=Reach.PROJECT, reversible=True, traits=traits)


def _asks_emulator(name: str, command: Command) -> bool:
    """Tell whether the address is one of this machine; given twice, each of them has to be."""
    texts = [word.text for word in command.words[1:MOST_WORDS]]
    given = [
        text.partition("=")[2] or "".join(texts[at + 1 : at + 2])
        for at, text in enumerate(texts)
        if text.partition("=")[0] in ENDPOINTS
    ]
    if not given:
        return name in EMULATORS
    return all(map(is_near_url, given))
