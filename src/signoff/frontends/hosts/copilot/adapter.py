"""The language of GitHub Copilot CLI and of agents in VS Code, which read the same hook files.

Copilot CLI takes a decision at the top of the object, VS Code inside `hookSpecificOutput`; an
answer carries both, as either skips what it does not know. An allow keeps both from asking.

    {"permissionDecision": "deny", "permissionDecisionReason": "signoff: ...",
     "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", ...}}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from signoff.actions.action import Json
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import reason_of
from signoff.frontends.payloads import Names, parse_object

NAME = "copilot"

_LINE_WITHOUT_EFFECT = (
    "description",
    "explanation",
    "goal",
    "initial_wait",
    "mode",
    "shellId",
    "detach",
)
_EDIT = {"filePath": "file_path", "oldString": "old_string", "newString": "new_string"}
TOOLS: Mapping[str, naming.HostTool] = {
    # Copilot CLI
    "bash": naming.HostTool(
        "Bash", {"isBackground": "run_in_background"}, without_effect=_LINE_WITHOUT_EFFECT
    ),
    "powershell": naming.HostTool("PowerShell", without_effect=_LINE_WITHOUT_EFFECT),
    "view": naming.HostTool("Read"),
    "create": naming.HostTool("Write", {"file_text": "content"}),
    "edit": naming.HostTool("Edit", {"old_str": "old_string", "new_str": "new_string"}),
    "glob": naming.HostTool("Glob"),
    "grep": naming.HostTool("Grep"),
    "rg": naming.HostTool("Grep"),
    "web_fetch": naming.HostTool("WebFetch"),
    "update_todo": naming.HostTool("TodoWrite"),
    "report_intent": naming.HostTool("TodoWrite"),
    "task": naming.HostTool("Task"),
    "ask_user": naming.HostTool("AskUserQuestion"),
    "skill": naming.HostTool("Skill"),
    "read_bash": naming.HostTool("BashOutput"),
    "stop_bash": naming.HostTool("KillShell"),
    "list_bash": naming.HostTool("BashOutput"),
    # VS Code
    "run_in_terminal": naming.HostTool(
        "Bash", {"isBackground": "run_in_background"}, without_effect=_LINE_WITHOUT_EFFECT
    ),
    "runTerminalCommand": naming.HostTool(
        "Bash", {"isBackground": "run_in_background"}, without_effect=_LINE_WITHOUT_EFFECT
    ),
    "read_file": naming.HostTool("Read", {"filePath": "file_path"}),
    "create_file": naming.HostTool("Write", {"filePath": "file_path"}),
    "create_directory": naming.HostTool("create_directory", {"dirPath": "path"}),
    "replace_string_in_file": naming.HostTool("Edit", _EDIT, without_effect=("explanation",)),
    "insert_edit_into_file": naming.HostTool(
        "Edit", {**_EDIT, "code": "new_string"}, without_effect=("explanation",)
    ),
    "apply_patch": naming.HostTool("apply_patch", without_effect=("explanation",)),
    "list_dir": naming.HostTool("LS"),
    "file_search": naming.HostTool("Glob", {"query": "pattern"}),
    "grep_search": naming.HostTool("Grep", {"query": "pattern", "includePattern": "include"}),
    "fetch_webpage": naming.HostTool("WebFetch", without_effect=("query",)),
    "manage_todo_list": naming.HostTool("TodoWrite"),
    "runSubagent": naming.HostTool("Task"),
    "get_terminal_output": naming.HostTool("BashOutput"),
}
REPORTS: Mapping[str, hooks.ReportKind] = {
    "SessionStart": hooks.ReportKind.START,
    "UserPromptSubmit": hooks.ReportKind.PROMPT,
    "Stop": hooks.ReportKind.STOP,
    "SessionEnd": hooks.ReportKind.END,
}

ENDED = frozenset({"PostToolUse", "postToolUse"})


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of Copilot's hooks, in either of its forms.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "hook_event_name") or naming.text_of(names, "hookEventName")
    caller = naming.Caller(
        source=NAME,
        session=naming.text_of(names, "sessionId") or naming.text_of(names, "session_id"),
        cwd=naming.text_of(names, "cwd", naming.PATH_LIMIT),
        request_id=naming.text_of(names, "tool_use_id") or naming.text_of(names, "toolCallId"),
    )
    if event in REPORTS:
        return naming.report_of(REPORTS[event], caller, naming.text_of(names, "tool_name"))
    has_result = "toolResult" in names or "tool_response" in names
    # Copilot CLI's own form names no event: only the result tells that the call is over.
    if event in ENDED or (not event and has_result):
        failed = _has_failed(names)
        return naming.ended_of(
            caller, _call(names), TOOLS, call_id=caller.request_id, has_failed=failed
        )
    if event not in {"", "PreToolUse", "preToolUse"}:
        raise BadPayload(f"unknown event `{event}`")
    if has_result:
        raise BadPayload("event has a result already, so it is no call to be judged")
    return naming.tool_call(*_call(names), TOOLS, caller=caller)


def render_edited(decision: Decision, fields: Names) -> hooks.HostAnswer:
    """Render an allow with the arguments a person edited."""
    said: dict[str, Json] = {"permissionDecision": "allow"}
    words: dict[str, Json] = {"permissionDecisionReason": reason_of(decision)}
    inner: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        **said,
        "updatedInput": fields,
        **words,
    }
    return hooks.HostAnswer.of(
        {**said, "modifiedArgs": fields, **words, "hookSpecificOutput": inner}
    )


def _call(names: Names) -> tuple[Json, Json]:
    """Return tool and fields of a call that is in exactly one of the two formats."""
    # With both it would be open which of two calls is run.
    if ("toolName" in names) == ("tool_name" in names):
        raise BadPayload("event must name its tool once")
    if "toolName" in names:
        return names["toolName"], naming.unpacked(names.get("toolArgs"))
    return names["tool_name"], naming.unpacked(names.get("tool_input"))


def _has_failed(names: Names) -> bool:
    """Tell whether a call that has ended did so without having done what it was to do."""
    result = names.get("toolResult")
    return isinstance(result, Mapping) and result.get("resultType") in ("failure", "denied")


def _said(verdict: str, reason: str) -> hooks.HostAnswer:
    said: dict[str, Json] = {"permissionDecision": verdict, "permissionDecisionReason": reason}
    inner: dict[str, Json] = {"hookEventName": "PreToolUse", **said}
    return hooks.HostAnswer.of({**said, "hookSpecificOutput": inner})


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Copilot",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=partial(_said, "deny"),
    ask=partial(_said, "ask"),
    allow=partial(_said, "allow"),
    wait=Wait(600),
    canary={
        "sessionId": SESSION,
        "cwd": "/",
        "toolName": "bash",
        "toolArgs": {"command": LINE},
    },
    rules=hooks.HostRules(decision=("permissionDecision",), ask="ask"),
    form=hooks.HookOutputFormat(
        answers=(
            hooks.EMPTY,
            """'{"permissionDecision": "allow", '*'"}}'""",
            """'{"permissionDecision": "ask", '*'"}}'""",
            """'{"permissionDecision": "deny", '*'"}}'""",
        ),
        refuses_in_words=True,
    ),
    render_edited=render_edited,
)
