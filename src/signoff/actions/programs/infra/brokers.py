"""Message brokers and queues: kafka, rabbitmq, nats, mosquitto, pulsar, redis queues.

Listing and describing passes; messages, topics and queues live on a service that others use.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.infra.services import names_production

READING = ("--list", "--describe", "--help", "--version", "--verify", "--generate", "--members")
REMOVING = ("--delete", "--delete-offsets", "--remove")


def topics(call: ProgramCall) -> Iterator[Effect]:
    """`kafka-topics`, `kafka-acls`, `kafka-consumer-groups`: an option says what is done."""
    reach = Reach.PRODUCTION if names_production(call) else Reach.REMOTE
    if call.has(*REMOVING):
        yield call.operation(
            Verb.DELETE, ResourceType.CLOUD, "topics and groups", reach=reach, reversible=False
        )
    elif call.has(*READING) or call.has("--dry-run"):
        yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        thing = ResourceType.ACCOUNT if "acls" in call.name else ResourceType.CLOUD
        yield call.operation(Verb.WRITE, thing, reach=reach)


def kcat(call: ProgramCall) -> Iterator[Effect]:
    """`kcat -P` sends messages, `-C` and `-L` read."""
    if call.has("-P"):
        yield call.operation(
            Verb.NETWORK_OUT, ResourceType.MESSAGE, "a topic", reach=Reach.REMOTE, reversible=False
        )
    else:
        verb = Verb.READ if call.has("-L", "-Q") else Verb.NETWORK_IN
        yield call.operation(verb, ResourceType.MESSAGE, "a topic", reach=Reach.REMOTE)
