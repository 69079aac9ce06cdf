"""The language of our plugin for OpenClaw, whose approvals reach people on their own channels.

`plugin.ts` runs inside OpenClaw, puts every call to signoff, runs against a timer of its own
and blocks unless the answer is exactly an allow or an ask; an ask becomes OpenClaw's approval,
which is a refusal where nobody answers.

    {"toolName": "exec", "params": {"command": "ls"}, "sessionId": "s", "toolCallId": "c"}
    {"decision": "ask", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import Adapter, HostAnswer, HostEvent
from signoff.frontends.hosts.naming import Caller, HostTool, merging, text_of, tool_call
from signoff.frontends.hosts.wording import failure_of, one_line, reason_of, refusal_of
from signoff.frontends.payloads import Names, parse_object
from signoff.settings import HostsAllow

NAME = "openclaw"
TITLE = "OpenClaw"
GO_ON = HostAnswer(stdout='{"decision": "allow"}')
PATH_LIMIT = 4_096

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


def render(decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
    """Say a decision."""
    match decision.verdict:
        case Verdict.ALLOW:
            return GO_ON
        case Verdict.ASK:
            return _said("ask", reason_of(decision))
        case _:
            return _said("deny", refusal_of(decision, TITLE))


def render_edited(decision: Decision, fields: Names) -> HostAnswer:
    """Say an allow of what a person has made of a call."""
    return HostAnswer(stdout=one_line({"decision": "allow", "params": fields}))


def failure(reason: str) -> HostAnswer:
    """Say a refusal."""
    return _said("deny", failure_of(reason))


def _said(decision: str, reason: str) -> HostAnswer:
    return HostAnswer(stdout=one_line({"decision": decision, "reason": reason}))


ADAPTER = Adapter(
    name=NAME,
    parse=parse,
    render=render,
    failure=failure,
    nothing=GO_ON,
    render_edited=render_edited,
)
