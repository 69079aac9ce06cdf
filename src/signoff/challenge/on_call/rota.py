"""A rota: the people of an approver group take turns, a day or a week each.

Turns change at a time of the day in a time zone, so over a change of the clocks a turn is an hour
longer or shorter. A rota names nobody who is not in its group: it narrows who is asked, and, where
it says so, who may approve. Refusing is never narrowed.

    rota.asked(now_s, after_s=0)     ("ada",)
    rota.asked(now_s, after_s=900)   ("ada", "bob"), where the second line comes after 15 minutes
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from importlib import import_module

from msgspec import Struct

DAY, WEEK = 1, 7


class Rota(Struct, frozen=True, kw_only=True):
    """An on-call rota: who is on call when.

    Args:
        people: ids of approvers, in order.
        first_day: the day on which the first one's turn begins; for turns of a week it is also
            the day of the week on which turns change.
        at: the time of the day at which turns change.
        zone: the name of the time zone, as in `Europe/Berlin`.
        days: how long a turn is.
        second_after_s: seconds after which the next one is asked as well; 0 = never.
        others_may_approve: others of the group may approve as before; False = only who is asked.
    """

    people: tuple[str, ...]
    first_day: date
    at: time
    zone: str
    days: int = WEEK
    second_after_s: float = 0.0
    others_may_approve: bool = True

    def asked(self, now_s: float, after_s: float) -> tuple[str, ...]:
        """Return ids of the approvers to ask about a request that is `after_s` seconds old.

        Args:
            now_s: present time, seconds since the epoch.
        """
        turn = self._turn(now_s)
        count = len(self.people)
        is_second = self.second_after_s and after_s >= self.second_after_s
        return tuple(
            dict.fromkeys(self.people[(turn + one) % count] for one in range(1 + bool(is_second)))
        )

    def until(self, now_s: float) -> datetime:
        """Return the end of the current on-call turn, as an aware time."""
        day = self.first_day + timedelta(days=(self._turn(now_s) + 1) * self.days)
        return datetime.combine(day, self.at, zone_of(self.zone))

    def _turn(self, now_s: float) -> int:
        """Return the number of the turn, 0 for the first; before the first day below 0."""
        here = datetime.fromtimestamp(now_s, UTC).astimezone(zone_of(self.zone))
        days = (here.date() - self.first_day).days - (here.time() < self.at)
        return days // self.days


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo:
    """Return the time zone of this name.

    `zoneinfo` is imported here, as few settings name a zone.

    Raises:
        OSError, ValueError, LookupError: this machine does not know the zone.
    """
    zone: tzinfo = import_module("zoneinfo").ZoneInfo(name)
    return zone
