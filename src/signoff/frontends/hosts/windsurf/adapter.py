"""Windsurf's own language: exit status 2 with a reason refuses, anything else goes on.

What goes on is answered with an empty object, so that the installed command can tell a guard
that said yes from one that said nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import Names, parse_object

NAME = "windsurf"
REPORTS: Mapping[str, hooks.ReportKind] = {
    "pre_user_prompt": hooks.ReportKind.PROMPT,
    "post_cascade_response": hooks.ReportKind.STOP,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of Windsurf's hooks.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "agent_action_name")
    told = names.get("tool_info")
    info: Names = told if isinstance(told, Mapping) else {}
    caller = naming.Caller(
        source=NAME,
        session=naming.text_of(names, "trajectory_id"),
        cwd=naming.text_of(info, "cwd", naming.PATH_LIMIT),
        request_id=naming.text_of(names, "execution_id"),
    )
    if event in REPORTS:
        return naming.report_of(REPORTS[event], caller)
    if event.startswith("post_"):
        return naming.ended_of(caller, _call(f"pre_{event[5:]}", info), {})
    return naming.tool_call(*_call(event, info), {}, caller=caller)


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
            server, tool = (
                naming.text_of(info, "mcp_server_name"),
                naming.text_of(info, "mcp_tool_name"),
            )
            fields = naming.unpacked(info.get("mcp_tool_arguments"))
            if not tool or not isinstance(fields, Mapping):
                raise BadPayload("event names no tool with arguments")
            return naming.mcp_name(server, tool), dict(fields)
    raise BadPayload(f"unknown event `{event}`")


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Windsurf",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=hooks.refuse_by_status,
    wait=Wait(60),  # its documents name no longest time; none can be set
    canary={
        "agent_action_name": "pre_run_command",
        "trajectory_id": SESSION,
        "tool_info": {"command_line": LINE, "cwd": "/"},
    },
    rules=hooks.HostRules(has_status=True),
    form=hooks.HookOutputFormat(),
)
