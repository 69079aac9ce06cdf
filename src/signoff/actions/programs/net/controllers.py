"""Controllers of plants and buildings on a bus or the network: read, or switched.

mbpoll -m tcp plc1      -> READ URL
mbpoll -m tcp plc1 0    -> WRITE URL @remote
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production, split_name
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import words

_WRITES = ("write", "w5", "w6", "w15", "w16", "groupwrite", "grouprespond")


def poller(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mbpoll HOST VALUE...`: without a value it reads."""
    yield _addressed(call, call.texts[0] if call.operands else "", writes=len(call.operands) > 1)


def master(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `modbus write HOST ADDRESS VALUE`, `mbtget -w6 VALUE HOST`."""
    said = [word.text.lstrip("-") for word in call.command.words[1:3]]
    host = next((text for text in call.texts if "." in text or text == "localhost"), "")
    yield _addressed(call, host, writes=any([text.startswith(_WRITES) for text in said]))


def _addressed(call: ProgramCall, host: str, *, writes: bool) -> Effect:
    reach = look_at_url(f"x://{host}").reach if host else Reach.REMOTE
    if reach is not Reach.LOOPBACK:
        reach = Reach.PRODUCTION if is_production(host) else Reach.REMOTE
    verb = Verb.WRITE if writes else Verb.READ
    return call.operation(verb, ResourceType.URL, host, reach=reach, reversible=not writes)


# What a service of a robot does to the world around it, by the words of its name.
MOVING = words(
    "enable disable arm disarm move motor motors drive start stop takeoff land home homing gripper "
    "grip open close power brake release unlock lock go goto execute trigger emergency charge dock "
    "undock spin speed velocity torque fire weld pump valve"
)


def asked_of_robot(call: ProgramCall) -> Iterator[Effect]:
    """`ros2 service call NAME TYPE VALUES`: it moves something, or changes what a program holds."""
    names = [text for text in call.texts if text.startswith("/")]
    parts = {part for name in names[:1] for part in split_name(name)}
    moves = not parts.isdisjoint(MOVING)
    yield call.operation(
        Verb.CONTROL,
        ResourceType.DEVICE if moves else ResourceType.PROCESS,
        " ".join(names[:1]),
        reach=Reach.SYSTEM if moves else Reach.PROJECT,
        reversible=not moves,
    )


def bus(call: ProgramCall) -> Iterator[Effect]:
    """`cansend can0 FRAME`: a message on the bus of a vehicle; `vcan0` is no wire."""
    is_virtual = bool(call.operands) and call.texts[0].startswith("vcan")
    if is_virtual:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        target = " ".join(call.texts[:2])
        yield call.operation(
            Verb.CONTROL, ResourceType.DEVICE, target, reach=Reach.SYSTEM, reversible=False
        )
