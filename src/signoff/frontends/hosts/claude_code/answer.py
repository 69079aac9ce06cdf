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

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.hosts.claude_code.recheck import preceded
from signoff.frontends.hosts.wording import REASON_LIMIT, one_line, reason_of, tells_allow
from signoff.settings import HostsAllow

__all__ = ["NO_DECISION", "REASON_LIMIT", "answer"]

NO_DECISION = "{}"


def answer(decision: Decision, hosts_allow: HostsAllow) -> str:
    """Return the answer to a PreToolUse event."""
    if decision.verdict is Verdict.ALLOW and not tells_allow(decision, hosts_allow):
        return NO_DECISION
    said: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision.verdict.value,
        "permissionDecisionReason": reason_of(decision),
    }
    if decision.allowed and decision.answer is not None and decision.answer.has_execution_token:
        said["updatedInput"] = preceded(decision.action, decision.answer.request_id)
    return one_line({"hookSpecificOutput": said})
