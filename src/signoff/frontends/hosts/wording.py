"""Words of an answer that are the same for every host: reasons, denials, which allows are sent.

A reason is text from outside in part, so what could act on a terminal is spelled out, and its
length is bounded. A host without a prompt of its own gets an ask as its refusal, with words that
say a person must approve and how, unless a person was asked and the reason says what came of it.

    refusal_of(decision, "Codex")  ->  "signoff: deletes ...; a person must approve this, ..."
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import assert_never

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_TIMEOUT
from signoff.challenge.visible import visible_lines
from signoff.decide.decision import BY_SCORE, Decision, instead_of
from signoff.settings import HostsAllow
from signoff.values import count_of

REASON_LIMIT = 4_000  # characters; hosts cut later, and show it to a person or a model
UNJUDGED = "cannot decide"  # in every refusal without a judgement


def reason_of(decision: Decision) -> str:
    """Return why a decision was made, for a person or a model to read."""
    instead = instead_of(decision) if decision.verdict is Verdict.DENY else ""
    return bounded(f"signoff: {decision.reason}{instead}")


def refusal_of(decision: Decision, host: str) -> str:
    """Return the denial's text for a host that cannot ask, with how a person can approve."""
    is_kept = decision.answer is not None and bool(decision.answer.request_id)
    # A kept request can still be approved, and its reason says where.
    if decision.verdict is not Verdict.ASK and (decision.decided_by != BY_TIMEOUT or is_kept):
        return reason_of(decision)
    how = (
        f"a person must approve this, and {host} has no prompt signoff can use: the user may run"
        " it, or allow it by a rule of their own; do not try another way to the same end"
    )
    return bounded(f"signoff: {decision.reason}; {how}{instead_of(decision)}")


def failure_of(reason: str) -> str:
    """Return the denial's text for a call that could not be decided."""
    return bounded(f"signoff: {UNJUDGED}, so it is refused: {reason}")


def bounded(text: str) -> str:
    """Return the text cut to what hosts show; if it was cut, it says by how much."""
    shown = "\n".join(visible_lines(text))
    if len(shown) <= REASON_LIMIT:
        return shown
    return f"{shown[:REASON_LIMIT]} [{count_of(len(shown) - REASON_LIMIT, 'more character')}]"


def tells_allow(decision: Decision, hosts_allow: HostsAllow) -> bool:
    """Return whether the host is told of this allow, so that it does not ask again."""
    if decision.would_be is not None:
        return False  # not enforced: the host's own prompts stay as they are
    match hosts_allow:
        case HostsAllow.NEVER:
            return False
        case HostsAllow.RULE:
            return decision.decided_by != BY_SCORE
        case HostsAllow.SCORE:
            # Scores alone do not lift the host's prompt for what was not understood.
            return decision.decided_by != BY_SCORE or _is_understood(decision)
        case _:
            assert_never(hosts_allow)


def one_line(said: Mapping[str, Json]) -> str:
    """Return a JSON object in one line, as hosts parse it."""
    return json.dumps(said)


def _is_understood(decision: Decision) -> bool:
    """Tell whether every operation was understood; of none at all, nothing was."""
    if decision.assessment is None or not decision.assessment.operations:
        return False
    return all(operation.understood for operation in decision.assessment.operations)
