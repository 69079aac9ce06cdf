"""How long a host waits for its hook, and within that everybody who stands behind it.

    daemon's wait for people < hook's own deadline < kill by the installed line < host's limit

Each comes well before the next, so that what ends a wait is always a refusal the host honours. A
host whose limit can be set is given ten minutes, twice the time people have to answer; where it
cannot, a call is refused in time, its request stays open, and the same call finds its answer.

    Wait(620).deadline_s                   610
    answer_within_s("610", Wait(620))      605.0
"""

from __future__ import annotations

import math

from msgspec import Struct

GRACE_S = 3  # after which a hook that missed its own deadline is killed
MARGIN_S = 5.0  # from the daemon's answer to the hook's deadline
LONGEST_S = 3_600.0
STOP_MORE_S = 20  # from the end of people's time for an agent that has stopped to the host's limit
SHORT_S = 60  # up to which a limit leaves less room


class Wait(Struct, frozen=True):
    """How long a host waits for one hook, and the deadlines that follow from it.

    Args:
        host_s: the host's limit in seconds, installed by us or built into the host.
    """

    host_s: int = 620

    @property
    def deadline_s(self) -> int:
        """Seconds after which the hook process gives up and denies."""
        return self.host_s - (5 if self.host_s < SHORT_S else 10)

    @property
    def kill_s(self) -> int:
        """Seconds after which the shell line kills the hook process."""
        return self.deadline_s + GRACE_S


IN_PROCESS = Wait(60)  # nobody but the host's own prompt is asked there
# What a host shows while its hook runs. It stands in the installed hook, so it can name no one
# link: the command leads to the inbox of the daemon that runs.
CHECKING = "signoff checks this call"
WAITING = f"{CHECKING}; if it takes long, it waits for your answer: signoff open, signoff pending"


def stop_wait(people_s: float) -> Wait:
    """Return the wait of a stop hook whose people have `people_s` seconds to answer."""
    return Wait(math.ceil(people_s) + STOP_MORE_S)


def answer_within_s(said: str, wait: Wait) -> float:
    """Return the seconds within which a hook must be answered.

    Args:
        said: seconds the hook says it can wait; ignored if not a valid number.
        wait: the hook's configured wait, used if it says nothing.
    """
    deadline_s = _seconds(said) or float(wait.deadline_s)
    # Of a short deadline the whole margin would leave nothing.
    return deadline_s - min(MARGIN_S, deadline_s / 5)


def _seconds(said: str) -> float | None:
    """Read a number of seconds within its bounds, None if it is none."""
    try:
        seconds = float(said[:20])
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and 0 < seconds <= LONGEST_S else None
