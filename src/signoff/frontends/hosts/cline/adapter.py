"""Cline's own language: `cancel` true or false, with a message.

Cline waits thirty seconds for a hook, too short for a person to be asked meanwhile.

    {"cancel": true, "errorMessage": "signoff: ..."}
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

NAME = "cline"

# Whether a person is needed is not for the model to say.
_WITHOUT_EFFECT = ("requires_approval", "task_progress")
TOOLS: Mapping[str, naming.HostTool] = {
    "execute_command": naming.HostTool("Bash", without_effect=_WITHOUT_EFFECT),
    "read_file": naming.HostTool(
        "Read", {"absolutePath": "file_path"}, without_effect=_WITHOUT_EFFECT
    ),
    "write_to_file": naming.HostTool(
        "Write", {"absolutePath": "file_path"}, without_effect=_WITHOUT_EFFECT
    ),
    "new_rule": naming.HostTool(
        "Write", {"absolutePath": "file_path"}, without_effect=_WITHOUT_EFFECT
    ),
    "replace_in_file": naming.HostTool(
        "Edit", {"absolutePath": "file_path", "diff": "new_string"}, without_effect=_WITHOUT_EFFECT
    ),
    "apply_patch": naming.HostTool("apply_patch", without_effect=_WITHOUT_EFFECT),
    "search_files": naming.HostTool(
        "Grep", {"regex": "pattern", "file_pattern": "include"}, without_effect=_WITHOUT_EFFECT
    ),
    "list_files": naming.HostTool("LS", without_effect=("recursive", *_WITHOUT_EFFECT)),
    "list_code_definition_names": naming.HostTool("LS", without_effect=_WITHOUT_EFFECT),
    "web_fetch": naming.HostTool("WebFetch", without_effect=_WITHOUT_EFFECT),
    "web_search": naming.HostTool("WebSearch", without_effect=_WITHOUT_EFFECT),
    "ask_followup_question": naming.HostTool("AskUserQuestion", without_effect=_WITHOUT_EFFECT),
    "plan_mode_respond": naming.HostTool("ExitPlanMode", without_effect=_WITHOUT_EFFECT),
    "use_skill": naming.HostTool("Skill", without_effect=_WITHOUT_EFFECT),
    "focus_chain": naming.HostTool("TodoWrite"),
}
REPORTS: Mapping[str, hooks.ReportKind] = {
    "TaskStart": hooks.ReportKind.START,
    "TaskResume": hooks.ReportKind.START,
    "UserPromptSubmit": hooks.ReportKind.PROMPT,
    "TaskComplete": hooks.ReportKind.STOP,
    "TaskCancel": hooks.ReportKind.STOP,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of Cline's hooks.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "hookName")
    caller = naming.Caller(
        source=NAME,
        session=naming.text_of(names, "taskId"),
        cwd=naming.first_folder(names, "workspaceRoots"),
    )
    if event in REPORTS:
        return naming.report_of(REPORTS[event], caller)
    told = names.get({"PreToolUse": "preToolUse", "PostToolUse": "postToolUse"}.get(event, ""))
    if not isinstance(told, Mapping):
        raise BadPayload(f"unknown event `{event}`")
    call = _call(naming.text_of(told, "toolName"), told.get("parameters"))
    if event == "PreToolUse":
        return naming.tool_call(*call, TOOLS, caller=caller)
    return naming.ended_of(caller, call, TOOLS, has_failed=told.get("success") is False)


def _call(tool: str, fields: Json) -> tuple[str, Json]:
    """Return tool and fields; what hides inside another call is taken out of it."""
    told: Names = fields if isinstance(fields, Mapping) else {}
    if tool == "use_mcp_tool":
        name = naming.text_of(told, "tool_name")
        if not name:
            raise BadPayload("event names no tool of the server")
        return naming.mcp_name(naming.text_of(told, "server_name"), name), naming.unpacked(
            told.get("arguments") or {}
        )
    if tool == "attempt_completion":
        if told.get("command"):
            return "execute_command", {"command": told["command"]}
        # Without a command it only tells the user that the task is done: no more than a note.
        return "focus_chain", {}
    return tool, fields


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Cline",
    parse=parse,
    nothing=hooks.HostAnswer(stdout='{"cancel": false}'),
    refuse=lambda reason: hooks.HostAnswer.of({"cancel": True, "errorMessage": reason}),
    wait=Wait(30),  # fixed by the host
    canary={
        "hookName": "PreToolUse",
        "taskId": SESSION,
        "workspaceRoots": ["/"],
        "preToolUse": {"toolName": "execute_command", "parameters": {"command": LINE}},
    },
    rules=hooks.HostRules(decision=("cancel",)),
    form=hooks.HookOutputFormat(
        answers=("""'{"cancel": false}'""", """'{"cancel": true, '*'"}'"""), refuses_in_words=True
    ),
)
