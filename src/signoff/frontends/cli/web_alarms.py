"""The lines of `signoff shadow report --web FILE`: alarms of a web application by frequency.

Each group of one route, field and check stands beside the setting that would leave it out. A group
of many clients is likely ordinary work; one of a single client may be an attack.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct

from signoff.challenge.visible import visible
from signoff.effects.handlers.alarms import Alarm, read_alarms, setting_for

GROUP_LIMIT = 50
HEAD = ("count", "clients", "route", "field", "check", "setting of the route's pipeline")


class AlarmGroup(Struct, kw_only=True):
    """Alarms with the same route, field and check."""

    alarm: Alarm  # the first of them
    count: int = 0
    clients: set[str] = set()


def groups_of(alarms: Iterable[Alarm]) -> list[AlarmGroup]:
    """Group alarms, most frequent first."""
    found: dict[tuple[str, ...], AlarmGroup] = {}
    for one in alarms:
        key = one.method, one.route, one.field, one.check, one.origin
        group = found.setdefault(key, AlarmGroup(alarm=one))
        group.count += 1
        group.clients.add(one.client)
    return sorted(found.values(), key=lambda group: -group.count)


def report_lines(file: str, since: datetime, *, is_json: bool) -> Iterator[str]:
    """Yield a report of the alarms since a time: a table, or one JSON object a line.

    Raises:
        BadSettings: there is no such file.
    """
    groups = groups_of(one for one in read_alarms(file) if _is_since(one, since))
    yield from _as_json(groups) if is_json else _as_table(groups)


def _as_json(groups: Iterable[AlarmGroup]) -> Iterator[str]:
    for one in groups:
        said = {
            "count": one.count,
            "clients": len(one.clients),
            "method": one.alarm.method,
            "route": one.alarm.route,
            "field": one.alarm.field,
            "check": one.alarm.check,
            "setting": setting_for(one.alarm),
        }
        yield json.dumps(said)


def _as_table(groups: list[AlarmGroup]) -> Iterator[str]:
    if not groups:
        yield "no request would have been blocked"
        return
    rows = [HEAD, *map(_row, groups[:GROUP_LIMIT])]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD) - 1)]
    for row in rows:
        cells = [one.ljust(width) for one, width in zip(row, widths, strict=False)]
        yield "  ".join((*cells, row[-1]))
    if groups[GROUP_LIMIT:]:
        yield f"and {len(groups) - GROUP_LIMIT} more groups"


def _row(group: AlarmGroup) -> tuple[str, ...]:
    alarm = group.alarm
    written = (f"{alarm.method} {alarm.route}", alarm.field or "-", alarm.check, setting_for(alarm))
    # Names of fields come from callers.
    return str(group.count), str(len(group.clients)), *map(visible, written)


def _is_since(alarm: Alarm, since: datetime) -> bool:
    try:
        return datetime.fromisoformat(alarm.at) >= since
    except (ValueError, TypeError):
        return False
