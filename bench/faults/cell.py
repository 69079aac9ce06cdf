"""A cell of the matrix: one component under one fault, and the probe that makes and watches it.

Cell(component="client", fault="half an answer", kind=Kind.GARBAGE, probe=probe)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from bench.faults.calls import Observation
from bench.faults.stage import Stage

# For all processes that a probe starts one after the other; each call has a limit of its own
# (`stage.PATIENCE_S`). Six tests at a time on two cores took up to 23 s.
LIMIT_S = 45.0

Probe = Callable[[Stage], Observation]


class Kind(StrEnum):
    """The classes of faults; each has a positive control."""

    KILLED = "killed"
    SLOW = "slow or hung"
    GARBAGE = "garbage"
    MISSING = "missing or broken installation"
    DOWN = "down"
    RESTARTING = "restarting"
    VERSION = "wrong version"
    SOCKET = "socket gone"
    FULL = "store full"
    READ_ONLY = "store read-only"
    LOCKED = "store locked"
    CORRUPT = "store corrupt"
    RULES = "rules broken or empty"
    LOCKS = "locks broken"
    MODEL = "model fails"
    PEOPLE = "channel fails"
    CLOCK = "clock jumps"
    OVERLOAD = "overload"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One component under one fault.

    Args:
        needs: programs of this machine without which the fault cannot be made.
        is_quick: it is part of the short version that runs with the tests.
        limit_s: over this the whole probe counts as hanging.
    """

    component: str
    fault: str
    kind: Kind
    probe: Probe
    needs: tuple[str, ...] = ()
    is_quick: bool = True
    limit_s: float = LIMIT_S

    @property
    def id(self) -> str:
        """Its name, told apart from all others."""
        return f"{self.component}: {self.fault}"
