"""Services of Home Assistant that only look, or do one small thing that comes back.

`call_service` names its act by a domain and a service. Locking and arming are the safe side;
unlocking, disarming, whatever moves or heats and whatever hits several things are as they were.

    {"domain": "weather", "service": "get_forecasts"}                                     a look
    {"domain": "light", "service": "turn_off", "target": {"entity_id": "light.hall"}}     near
    {"domain": "lock", "service": "unlock", "target": {"entity_id": "lock.front"}}        as it was
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.waivers import kinds_of
from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Verb
from signoff.values import replace

_LOOKS = ("get", "check", "list")
_SMALL = {
    "light": frozenset({"turn_on", "turn_off", "toggle"}),
    "input_boolean": frozenset({"turn_on", "turn_off", "toggle"}),
    "lock": frozenset({"lock"}),
    "alarm_control_panel": frozenset(
        {"alarm_arm_home", "alarm_arm_away", "alarm_arm_night", "alarm_arm_vacation"}
    ),
}
_SAFE_SIDE = frozenset({"lock", "alarm_control_panel"})
_CALLS = ("call", "service")
_LONGEST = 120


def at_home(operations: Operations, arguments: Mapping[str, Json], tool: str) -> Operations:
    """Return the operations of a tool, near or a look where the service of a home is small.

    Args:
        tool: its name with its server's.
    """
    if split_words(tool.rpartition("__")[2][:_LONGEST]) != _CALLS or len(operations) != 1:
        return operations
    domain, service = arguments.get("domain"), arguments.get("service")
    if not isinstance(domain, str) or not isinstance(service, str):
        return operations
    if split_words(service[:_LONGEST])[:1] in [(one,) for one in _LOOKS]:
        return (_as(operations[0], Verb.READ),)
    entity = _one_entity(arguments)
    if service not in _SMALL.get(domain, ()) or not entity.startswith(f"{domain}."):
        return operations
    # A helper may stand for a guard: `input_boolean.alarm_on`.
    if domain not in _SAFE_SIDE and "guards" in kinds_of(split_words(entity)):
        return operations
    return (_as(operations[0], Verb.WRITE),)


def _one_entity(arguments: Mapping[str, Json]) -> str:
    """Return the one thing that is acted on, "" for several, for an area or for all."""
    target = arguments.get("target", arguments)
    if not isinstance(target, Mapping) or not {"area_id", "label_id"}.isdisjoint(target):
        return ""
    entity = target.get("entity_id")
    if isinstance(entity, list) and len(entity) == 1:
        entity = entity[0]
    is_one = isinstance(entity, str) and len(entity) <= _LONGEST and "," not in entity
    return str(entity) if is_one and "*" not in str(entity) else ""


def _as(op: Operation, verb: Verb) -> Operation:
    near = replace(op, verb=verb, thing=ResourceType.NOTHING, reach=Reach.LOOPBACK)
    return replace(near, understood=True, why="", reversible=True)
