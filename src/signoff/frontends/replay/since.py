"""The start of a replay: how long ago, or a date.

since("30d", now)        ->  30 days before now
since("2026-03-01", now) ->  that day at midnight UTC
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from signoff.errors import BadSettings

ALL = "all"
_AGO = re.compile(r"([0-9]{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def since(text: str, now: datetime) -> datetime | None:
    """Parse a period (`30d`, a date, `all`) to its start; None for `all`.

    Raises:
        BadSettings: it is none of these.
    """
    if text == ALL:
        return None
    if ago := _AGO.fullmatch(text):
        return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadSettings(
            f"--since is `{text[:40]}`, expected a time such as 30d, 12h, 2026-03-01 or all"
        ) from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
