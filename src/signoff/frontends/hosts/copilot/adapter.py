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
from signoff.frontends.hosts.adapter import (
    EMPTY,
    NO_DECISION,
    Adapter,
    HookOutputFormat,
    HostAnswer,
    HostEvent,
    HostRules,
    ReportKind,
)
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import (
    PATH_LIMIT,
    Caller,
    HostTool,
    ended_of,
    report_of,
    text_of,
    tool_call,
    unpacked,
)
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import reason_of
from signoff.frontends.payloads import Names, parse_object

NAME = "copilot"

_LINE_STORY = ("description", "explanation", "goal", "initial_wait", "mode", "shellId", "detach")
_EDIT = {"filePath": "file_path", "oldString": "old_string", "newString": "new_string"}
TOOLS: Mapping[str, HostTool] = {
    # Copilot CLI
    "bash": HostTool("Bash", {"isBackground": "run_in_background"}, story=_LINE_STORY),
    "powershell": HostTool("PowerShell", story=_LINE_STORY),
    "view": HostTool("Read"),
    "create": HostTool("Write", {"file_text": "content"}),
    "edit": HostTool("Edit", {"old_str": "old_string", "new_str": "new_string"}),
    "glob": HostTool("Glob"),
    "grep": HostTool("Grep"),
    "rg": HostTool("Grep"),
    "web_fetch": HostTool("WebFetch"),
    "update_todo": HostTool("TodoWrite"),
    "report_intent": HostTool("TodoWrite"),
    "task": HostTool("Task"),
    "ask_user": HostTool("AskUserQuestion"),
    "skill": HostTool("Skill"),
    "read_bash": HostTool("BashOutput"),
    "stop_bash": HostTool("KillShell"),
    "list_bash": HostTool("BashOutput"),
    # VS Code
    "run_in_terminal": HostTool("Bash", {"isBackground": "run_in_background"}, story=_LINE_STORY),
    "runTerminalCommand": HostTool(
        "Bash", {"isBackground": "run_in_background"}, story=_LINE_STORY
    ),
    "read_file": HostTool("Read", {"filePath": "file_path"}),
    "create_file": HostTool("Write", {"filePath": "file_path"}),
    "create_directory": HostTool("create_directory", {"dirPath": "path"}),
    "replace_string_in_file": HostTool("Edit", _EDIT, story=("explanation",)),
    "insert_edit_into_file": HostTool(
        "Edit", {**_EDIT, "code": "new_string"}, story=("explanation",)
    ),
    "apply_patch": HostTool("apply_patch", story=("explanation",)),
    "list_dir": HostTool("LS"),
    "file_search": HostTool("Glob", {"query": "pattern"}),
    "grep_search": HostTool("Grep", {"query": "pattern", "includePattern": "include"}),
    "fetch_webpage": HostTool("WebFetch", story=("query",)),
    "manage_todo_list": HostTool("TodoWrite"),
    "runSubagent": HostTool("Task"),
    "get_terminal_output": HostTool("BashOutput"),
}
REPORTS: Mapping[str, ReportKind] = {
    "SessionStart": ReportKind.START,
    "UserPromptSubmit": ReportKind.PROMPT,
    "Stop": ReportKind.STOP,
    "SessionEnd": ReportKind.END,
}

ENDED = frozenset({"PostToolUse", "postToolUse"})


def parse(raw: bytes) -> HostEvent:
    """Read one event, in the form of either.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    event = text_of(names, "hook_event_name") or text_of(names, "hookEventName")
    caller = Caller(
        source=NAME,
        session=text_of(names, "sessionId") or text_of(names, "session_id"),
        cwd=text_of(names, "cwd", PATH_LIMIT),
        request_id=text_of(names, "tool_use_id") or text_of(names, "toolCallId"),
    )
    if event in REPORTS:
        return report_of(REPORTS[event], caller, text_of(names, "tool_name"))
    has_result = "toolResult" in names or "tool_response" in names
    if event in ENDED or (not event and has_result):
        failed = _has_failed(names)
        return ended_of(caller, _call(names), TOOLS, call_id=caller.request_id, has_failed=failed)
    if event not in {"", "PreToolUse", "preToolUse"}:
        raise BadPayload(f"unknown event `{event}`")
    if has_result:
        raise BadPayload("event has a result already, so it is no call to be judged")
    return tool_call(*_call(names), TOOLS, caller=caller)


def render_edited(decision: Decision, fields: Names) -> HostAnswer:
    """Say an allow of what a person has made of a call."""
    said: dict[str, Json] = {"permissionDecision": "allow"}
    words: dict[str, Json] = {"permissionDecisionReason": reason_of(decision)}
    inner: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        **said,
        "updatedInput": fields,
        **words,
    }
    return HostAnswer.of({**said, "modifiedArgs": fields, **words, "hookSpecificOutput": inner})


def _call(names: Names) -> tuple[Json, Json]:
    """Return tool and fields of a call told in exactly one of the two forms."""
    if ("toolName" in names) == ("tool_name" in names):
        raise BadPayload("event must name its tool once")
    if "toolName" in names:
        return names["toolName"], unpacked(names.get("toolArgs"))
    return names["tool_name"], unpacked(names.get("tool_input"))


def _has_failed(names: Names) -> bool:
    """Tell whether a call that has ended did so without having done what it was to do."""
    result = names.get("toolResult")
    return isinstance(result, Mapping) and result.get("resultType") in ("failure", "denied")


def _said(verdict: str, reason: str) -> HostAnswer:
    said: dict[str, Json] = {"permissionDecision": verdict, "permissionDecisionReason": reason}
    inner: dict[str, Json] = {"hookEventName": "PreToolUse", **said}
    return HostAnswer.of({**said, "hookSpecificOutput": inner})


ADAPTER = Adapter(
    name=NAME,
    called="Copilot",
    parse=parse,
    nothing=NO_DECISION,
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
    rules=HostRules(decision=("permissionDecision",), ask="ask"),
    form=HookOutputFormat(
        answers=(
            EMPTY,
            """'{"permissionDecision": "allow", '*'"}}'""",
            """'{"permissionDecision": "ask", '*'"}}'""",
            """'{"permissionDecision": "deny", '*'"}}'""",
        ),
        refuses_in_words=True,
    ),
    render_edited=render_edited,
)
