"""What Claude Code is told: one JSON object in its own form.

An empty object is no decision: the host's own rules and prompts then apply. Silence is never
used for that, as the installed command takes silence for a guard that did not answer.

    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                            "permissionDecisionReason": "signoff: deletes the home folder"}}
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import assert_never

from signoff.assess.verdict import Verdict
from signoff.decide.decision import BY_SCORE, Decision
from signoff.frontends.visible_text import visible

NO_DECISION = "{}"
REASON_LIMIT = 4_000  # characters; the host cuts at 10,000 and shows it to a person


class TellAllow(StrEnum):
    """Setting `hosts.allow`: which allows the host is told, so that it does not ask again."""

    SCORE = "score"  # all, if every operation was understood or a rule, model or person allowed it
    RULE = "rule"  # only what a rule, the model or a person allowed
    NEVER = "never"  # none: signoff only refuses or asks


def answer(decision: Decision, tell_allow: TellAllow) -> str:
    """Return the answer to a PreToolUse event."""
    if decision.verdict is Verdict.ALLOW and not _tells(decision, tell_allow):
        return NO_DECISION
    reason = f"signoff: {visible(decision.reason, keep=chr(10))}"
    if len(reason) > REASON_LIMIT:
        reason = f"{reason[:REASON_LIMIT]} [{len(reason) - REASON_LIMIT} characters more]"
    said = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision.verdict.value,
        "permissionDecisionReason": reason,
    }
    return json.dumps({"hookSpecificOutput": said})


def _tells(decision: Decision, tell_allow: TellAllow) -> bool:
    match tell_allow:
        case TellAllow.NEVER:
            return False
        case TellAllow.RULE:
            return decision.decided_by != BY_SCORE
        case TellAllow.SCORE:
            return decision.decided_by != BY_SCORE or _is_understood(decision)
        case _:
            assert_never(tell_allow)


def _is_understood(decision: Decision) -> bool:
    """Tell whether every operation was understood; of none at all, nothing was."""
    if decision.assessment is None or not decision.assessment.operations:
        return False
    return all(operation.understood for operation in decision.assessment.operations)
