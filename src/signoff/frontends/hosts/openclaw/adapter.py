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
from signoff.frontends.hosts.adapter import (
    Adapter,
    HostAnswer,
    HostEvent,
    HostRules,
    decision_word,
)
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import (
    PATH_LIMIT,
    Caller,
    HostTool,
    merging,
    text_of,
    tool_call,
)
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import parse_object

NAME = "openclaw"

TOOLS: Mapping[str, HostTool] = {
    "exec": HostTool(
        "Bash",
        {"background": "run_in_background", "timeoutSec": "timeout"},
        folder="workdir",
        story=("yieldMs", "pty"),
    ),
    "read": HostTool("Read"),
    "write": HostTool("Write"),
    "edit": HostTool("Edit", {"oldText": "old_string", "newText": "new_string"}),
    "apply_patch": HostTool("apply_patch"),
    "web_fetch": HostTool("WebFetch", story=("extractMode", "maxChars")),
    "web_search": HostTool("WebSearch"),
}


def parse(raw: bytes) -> HostEvent:
    """Read one call.

    Raises:
        BadPayload: it cannot be read, or names no tool.
    """
    names = parse_object(raw)
    if "toolName" not in names:
        raise BadPayload("event names no tool")
    caller = Caller(
        source=NAME,
        session=text_of(names, "sessionId"),
        agent=text_of(names, "agentId"),
        cwd=text_of(names, "directory", PATH_LIMIT),
        request_id=text_of(names, "toolCallId"),
    )
    params = names.get("params")
    return merging(tool_call(names["toolName"], params, TOOLS, caller=caller), params)


ADAPTER = Adapter(
    name=NAME,
    called="OpenClaw",
    parse=parse,
    nothing=HostAnswer(stdout='{"decision": "allow"}'),
    refuse=decision_word("deny"),
    ask=decision_word("ask"),
    wait=Wait(),
    canary={
        "toolName": "exec",
        "params": {"command": LINE, "workdir": "/"},
        "sessionId": SESSION,
    },
    rules=HostRules(decision=("decision",), ask="ask"),
    render_edited=lambda _, fields: HostAnswer.of({"decision": "allow", "params": fields}),
)
