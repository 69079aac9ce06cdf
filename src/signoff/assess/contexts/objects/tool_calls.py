"""Recognises the call of a tool in a talk with a model: a model reads it, nothing runs it here.

is_tool_call({"type": "tool_use", "name": "sh", "input": {"command": "ls"}})  ->  True
is_tool_call({"type": "tool_use", "input": {}, "host": "a.example"})          ->  False
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json

_OF_CALLS = frozenset({"type", "id", "name", "input", "cache_control"})


def is_tool_call(node: Mapping[str, Json]) -> bool:
    """Return whether a JSON object is exactly a tool call made by a model."""
    is_call = node.get("type") == "tool_use" and isinstance(node.get("input"), Mapping)
    return is_call and node.keys() <= _OF_CALLS
