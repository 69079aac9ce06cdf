"""The language of our plugin for OpenClaw, whose approvals reach people on their own channels.

`plugin.ts` runs inside OpenClaw, puts every call to signoff, runs against a timer of its own
and blocks unless the answer is exactly an allow or an ask; an ask becomes OpenClaw's approval,
which is a refusal where nobody answers.

    {"toolName": "exec", "params": {"command": "ls"}, "sessionId": "s", "toolCallId": "c"}
    {"decision": "ask", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import parse_object

NAME = "openclaw"

TOOLS: Mapping[str, naming.HostTool] = {
    "exec": naming.HostTool(
        "Bash",
        {"background": "run_in_background", "timeoutSec": "timeout"},
        folder="workdir",
        without_effect=("yieldMs", "pty"),
    ),
    "read": naming.HostTool("Read"),
    "write": naming.HostTool("Write"),
    "edit": naming.HostTool("Edit", {"oldText": "old_string", "newText": "new_string"}),
    "apply_patch": naming.HostTool("apply_patch"),
    "web_fetch": naming.HostTool("WebFetch", without_effect=("extractMode", "maxChars")),
    "web_search": naming.HostTool("WebSearch"),
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse a call from OpenClaw's plugin.

    Raises:
        BadPayload: it is not valid, or names no tool.
    """
    names = parse_object(raw)
    if "toolName" not in names:
        raise BadPayload("event names no tool")
    caller = naming.Caller(
        source=NAME,
        session=naming.text_of(names, "sessionId"),
        agent=naming.text_of(names, "agentId"),
        cwd=naming.text_of(names, "directory", naming.PATH_LIMIT),
        request_id=naming.text_of(names, "toolCallId"),
    )
    params = names.get("params")
    return naming.merging(naming.tool_call(names["toolName"], params, TOOLS, caller=caller), params)


ADAPTER = hooks.Adapter(
    name=NAME,
    called="OpenClaw",
    parse=parse,
    nothing=hooks.HostAnswer(stdout='{"decision": "allow"}'),
    refuse=hooks.decision_word("deny"),
    ask=hooks.decision_word("ask"),
    wait=Wait(),
    canary={
        "toolName": "exec",
        "params": {"command": LINE, "workdir": "/"},
        "sessionId": SESSION,
    },
    rules=hooks.HostRules(decision=("decision",), ask="ask"),
    render_edited=lambda _, fields: hooks.HostAnswer.of({"decision": "allow", "params": fields}),
)
