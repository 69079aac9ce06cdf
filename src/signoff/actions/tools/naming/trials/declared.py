"""Whether a tool lists the arguments that make a call a rehearsal or aim it at a stand-in."""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.actions.tools.naming.trials.arguments import plain, switches
from signoff.actions.tools.naming.trials.environments import (
    SERVERS,
    is_near_server,
    names_of_stand_in,
    servers_of,
)
from signoff.actions.tools.naming.trials.rehearsals import LISTED, is_rehearsal


def undeclared_switch(arguments: Mapping[str, Json], schema: Mapping[str, Json]) -> str:
    """Return the switch that makes a call a rehearsal and that its tool does not list, else "".

    A server may ignore an argument that it does not know, and act in earnest.

    Args:
        schema: the JSON Schema of the tool's arguments (`inputSchema` in MCP), {} if none is known.
    """
    near = any([is_near_server(value) for value in servers_of(arguments)])
    names = (LISTED if is_rehearsal(arguments) else frozenset()) | (
        SERVERS if near else frozenset()
    )
    # Where a schema lists nothing, its tool may know any place to go to.
    aimed = names_of_stand_in(arguments) if _mapping(schema.get("properties")) else ()
    for holder, name, _ in switches(arguments):
        is_told = plain(name) in names or name in aimed or _is_only_told(name, arguments)
        if is_told and not _is_declared(schema, holder, name):
            return f"{holder}.{name}" if holder else name
    return ""


def _is_only_told(name: str, arguments: Mapping[str, Json]) -> bool:
    """Tell the argument without which the call would be no rehearsal."""
    rest = {one: value for one, value in arguments.items() if one != name}
    return name in arguments and is_rehearsal(arguments) and not is_rehearsal(rest)


def _is_declared(schema: Mapping[str, Json], holder: str, name: str) -> bool:
    """Whether a schema lists an argument; one that stands in an open or shared part may exist."""
    listed = _mapping(schema.get("properties"))
    if not holder:
        return name in listed
    inner = _mapping(listed.get(holder))
    return holder in listed and ("properties" not in inner or name in _mapping(inner["properties"]))


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}
