"""Cline's own language: `cancel` true or false, with a message.

Cline waits thirty seconds for a hook, too short for a person to be asked meanwhile.

    {"cancel": true, "errorMessage": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import (
    Adapter,
    HookOutputFormat,
    HostAnswer,
    HostEvent,
    HostRules,
    ReportKind,
)
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import (
    Caller,
    HostTool,
    ended_of,
    first_folder,
    mcp_name,
    report_of,
    text_of,
    tool_call,
    unpacked,
)
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import Names, parse_object

NAME = "cline"

_STORY = ("requires_approval", "task_progress")
TOOLS: Mapping[str, HostTool] = {
    "execute_command": HostTool("Bash", story=_STORY),
    "read_file": HostTool("Read", {"absolutePath": "file_path"}, story=_STORY),
    "write_to_file": HostTool("Write", {"absolutePath": "file_path"}, story=_STORY),
    "new_rule": HostTool("Write", {"absolutePath": "file_path"}, story=_STORY),
    "replace_in_file": HostTool(
        "Edit", {"absolutePath": "file_path", "diff": "new_string"}, story=_STORY
    ),
    "apply_patch": HostTool("apply_patch", story=_STORY),
    "search_files": HostTool("Grep", {"regex": "pattern", "file_pattern": "include"}, story=_STORY),
    "list_files": HostTool("LS", story=("recursive", *_STORY)),
    "list_code_definition_names": HostTool("LS", story=_STORY),
    "web_fetch": HostTool("WebFetch", story=_STORY),
    "web_search": HostTool("WebSearch", story=_STORY),
    "ask_followup_question": HostTool("AskUserQuestion", story=_STORY),
    "plan_mode_respond": HostTool("ExitPlanMode", story=_STORY),
    "use_skill": HostTool("Skill", story=_STORY),
    "focus_chain": HostTool("TodoWrite"),
}
REPORTS: Mapping[str, ReportKind] = {
    "TaskStart": ReportKind.START,
    "TaskResume": ReportKind.START,
    "UserPromptSubmit": ReportKind.PROMPT,
    "TaskComplete": ReportKind.STOP,
    "TaskCancel": ReportKind.STOP,
}


def parse(raw: bytes) -> HostEvent:
    """Read one event.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    event = text_of(names, "hookName")
    caller = Caller(
        source=NAME,
        session=text_of(names, "taskId"),
        cwd=first_folder(names, "workspaceRoots"),
    )
    if event in REPORTS:
        return report_of(REPORTS[event], caller)
    told = names.get({"PreToolUse": "preToolUse", "PostToolUse": "postToolUse"}.get(event, ""))
    if not isinstance(told, Mapping):
        raise BadPayload(f"unknown event `{event}`")
    call = _call(text_of(told, "toolName"), told.get("parameters"))
    if event == "PreToolUse":
        return tool_call(*call, TOOLS, caller=caller)
    return ended_of(caller, call, TOOLS, has_failed=told.get("success") is False)


def _call(tool: str, fields: Json) -> tuple[str, Json]:
    """Return tool and fields; what hides inside another call is taken out of it."""
    told: Names = fields if isinstance(fields, Mapping) else {}
    if tool == "use_mcp_tool":
        name = text_of(told, "tool_name")
        if not name:
            raise BadPayload("event names no tool of the server")
        return mcp_name(text_of(told, "server_name"), name), unpacked(told.get("arguments") or {})
    if tool == "attempt_completion":
        if told.get("command"):
            return "execute_command", {"command": told["command"]}
        return "focus_chain", {}
    return tool, fields


ADAPTER = Adapter(
    name=NAME,
    called="Cline",
    parse=parse,
    nothing=HostAnswer(stdout='{"cancel": false}'),
    refuse=lambda reason: HostAnswer.of({"cancel": True, "errorMessage": reason}),
    wait=Wait(30),  # fixed by the host
    canary={
        "hookName": "PreToolUse",
        "taskId": SESSION,
        "workspaceRoots": ["/"],
        "preToolUse": {"toolName": "execute_command", "parameters": {"command": LINE}},
    },
    rules=HostRules(decision=("cancel",)),
    form=HookOutputFormat(
        answers=("""'{"cancel": false}'""", """'{"cancel": true, '*'"}'"""), refuses_in_words=True
    ),
)
