"""Windsurf's own language: exit status 2 with a reason refuses, anything else goes on.

What goes on is answered with an empty object, so that the installed command can tell a guard
that said yes from one that said nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import Adapter, HostAnswer, HostEvent, ReportKind
from signoff.frontends.hosts.naming import (
    Caller,
    ended_of,
    mcp_name,
    report_of,
    text_of,
    tool_call,
    unpacked,
)
from signoff.frontends.hosts.wording import failure_of, refusal_of
from signoff.frontends.payloads import Names, parse_object
from signoff.settings import HostsAllow

NAME = "windsurf"
TITLE = "Windsurf"
NO_DECISION = HostAnswer(stdout="{}")
REFUSED = 2
PATH_LIMIT = 4_096

REPORTS: Mapping[str, ReportKind] = {
    "pre_user_prompt": ReportKind.PROMPT,
    "post_cascade_response": ReportKind.STOP,
}


def parse(raw: bytes) -> HostEvent:
    """Read one event.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    event = text_of(names, "agent_action_name")
    told = names.get("tool_info")
    info: Names = told if isinstance(told, Mapping) else {}
    caller = Caller(
        source=NAME,
        session=text_of(names, "trajectory_id"),
        cwd=text_of(info, "cwd", PATH_LIMIT),
        request_id=text_of(names, "execution_id"),
    )
    if event in REPORTS:
        return report_of(REPORTS[event], caller)
    if event.startswith("post_"):
        return ended_of(caller, _call(f"pre_{event[5:]}", info), {})
    return tool_call(*_call(event, info), {}, caller=caller)


def render(decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
    """Say a decision."""
    if decision.verdict is Verdict.ALLOW:
        return NO_DECISION
    return _refused(refusal_of(decision, TITLE))


def failure(reason: str) -> HostAnswer:
    """Say a refusal."""
    return _refused(failure_of(reason))


def _call(event: str, info: Names) -> tuple[str, dict[str, Json]]:
    """Return tool and fields of a call."""
    match event:
        case "pre_run_command":
            return "Bash", {"command": info.get("command_line")}
        case "pre_read_code":
            return "Read", {"file_path": info.get("file_path")}
        case "pre_write_code":
            return "Edit", {"file_path": info.get("file_path"), "edits": info.get("edits")}
        case "pre_mcp_tool_use":
            server, tool = text_of(info, "mcp_server_name"), text_of(info, "mcp_tool_name")
            fields = unpacked(info.get("mcp_tool_arguments"))
            if not tool or not isinstance(fields, Mapping):
                raise BadPayload("event names no tool with arguments")
            return mcp_name(server, tool), dict(fields)
    raise BadPayload(f"unknown event `{event}`")


def _refused(reason: str) -> HostAnswer:
    return HostAnswer(stderr=reason, status=REFUSED)


ADAPTER = Adapter(
    name=NAME, parse=parse, render=render, failure=failure, nothing=NO_DECISION, can_ask=False
)
