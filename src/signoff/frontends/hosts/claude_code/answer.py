"""What Claude Code is told: one JSON object in its own form.

An empty object is no decision: the host's own rules and prompts then apply. Silence is never
used for that, as the installed command takes silence for a guard that did not answer.

Setting `hosts.allow` says which allows the host is told, so that it does not ask again: `score`
all of them, if every operation was understood or a rule, the model or a person allowed it;
`rule` only what one of those allowed; `never` none.

    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                            "permissionDecisionReason": "signoff: deletes the home folder"}}
"""

from __future__ import annotations

import json
from typing import assert_never

from signoff.assess.verdict import Verdict
from signoff.challenge.visible import visible_lines
from signoff.decide.decision import BY_SCORE, Decision
from signoff.settings import HostsAllow

NO_DECISION = "{}"
REASON_LIMIT = 4_000  # characters; the host cuts at 10,000 and shows it to a person


def answer(decision: Decision, hosts_allow: HostsAllow) -> str:
    """Return the answer to a PreToolUse event."""
    if decision.verdict is Verdict.ALLOW and not _tells(decision, hosts_allow):
        return NO_DECISION
    reason = "\n".join(visible_lines(f"signoff: {decision.reason}"))
    if len(reason) > REASON_LIMIT:
        reason = f"{reason[:REASON_LIMIT]} [{len(reason) - REASON_LIMIT} characters more]"
    said = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision.verdict.value,
        "permissionDecisionReason": reason,
    }
    return json.dumps({"hookSpecificOutput": said})


def _tells(decision: Decision, hosts_allow: HostsAllow) -> bool:
    match hosts_allow:
        case HostsAllow.NEVER:
            return False
        case HostsAllow.RULE:
            return decision.decided_by != BY_SCORE
        case HostsAllow.SCORE:
            return decision.decided_by != BY_SCORE or _is_understood(decision)
        case _:
            assert_never(hosts_allow)


def _is_understood(decision: Decision) -> bool:
    """Tell whether every operation was understood; of none at all, nothing was."""
    if decision.assessment is None or not decision.assessment.operations:
        return False
    return all(operation.understood for operation in decision.assessment.operations)
