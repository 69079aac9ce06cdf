"""One combination of facts that makes an ask a refusal: a row of the table in `combined_facts`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from signoff.actions.operation import Operation
from signoff.assess.combined.call import Call
from signoff.assess.combined.facts import ActPattern
from signoff.assess.finding import Severity

Holds = Callable[[Operation, Call], bool]


class Row(NamedTuple):
    """One combination of facts that is a finding; all its conditions must hold.

    Args:
        line: the policy line and its severity.
        act: what is done.
        target: what it is done to.
        evidence: what else the call says.
        because: the three in words.
        refused: a shell line with all of them, "" where only a tool's call can have them.
        spared: a shell line that lacks one.
        is_argued: the arguments prove it, so it is no mere guess from a name.
    """

    line: tuple[str, Severity]
    act: ActPattern
    target: Holds
    evidence: Holds
    because: str
    refused: str = ""
    spared: str = ""
    is_argued: bool = False
