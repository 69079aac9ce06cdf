"""Single values of settings by the paths that jq, yq and dasel take.

values_at({"store": {"dir": "out"}}, ".store.dir")      ("out",)
values_at({"old": ["a", "b"]}, ".old[]")                ("a", "b")
"""

from __future__ import annotations

from signoff.actions.action import Json
from signoff.actions.vocabulary import lazy_re

MAX_VALUES = 200
_STEP = lazy_re(r"\.?(?:([A-Za-z_][\w-]*)|\"([^\"]*)\"|\[\"([^\"]*)\"\]|\[(\d*)\])\??")


def values_at(value: Json, path: str) -> tuple[Json, ...] | None:
    """Return the values that a path names; None if it is no plain path, or leads to nothing."""
    found: tuple[Json, ...] = (value,)
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            return None
        at = step.end()
        key = step[1] or step[2] or step[3]
        inner = [one for value in found for one in _below(value, key, step[4])]
        if not inner or len(inner) > MAX_VALUES:
            return None
        found = tuple(inner)
    return found if path.startswith(".") and path != "." else None


def _below(value: Json, key: str | None, number: str | None) -> list[Json]:
    if key is not None:
        return [value[key]] if isinstance(value, dict) and key in value else []
    if number:
        at = int(number[:6])
        return [value[at]] if isinstance(value, list) and at < len(value) else []
    if isinstance(value, list):
        return list(value)
    return list(value.values()) if isinstance(value, dict) else []
