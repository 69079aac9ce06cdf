"""Gemini CLI's own language: `decision` allow or deny; it has no ask a hook could call for.

An allow does not keep Gemini from asking its user, so there is nothing to gain from saying it.

    {"decision": "deny", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import (
    EMPTY,
    NO_DECISION,
    Adapter,
    AgentStop,
    HookOutputFormat,
    HostAnswer,
    HostEvent,
    HostRules,
    ReportKind,
    decision_word,
)
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import (
    WORDS_LIMIT,
    HostTool,
    caller_of,
    ended_of,
    merging,
    report_of,
    text_of,
    tool_call,
)
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import Names, parse_object

NAME = "gemini"

_PATH = {"absolute_path": "file_path"}
TOOLS: Mapping[str, HostTool] = {
    "read_file": HostTool("Read", _PATH),
    "write_file": HostTool("Write", _PATH),
    "replace": HostTool("Edit", _PATH, story=("instruction", "expected_replacements")),
    "glob": HostTool("Glob", {"dir_path": "path"}),
    "list_directory": HostTool("LS", {"dir_path": "path"}),
    "grep_search": HostTool("Grep", {"dir_path": "path"}),
    "search_file_content": HostTool("Grep", {"dir_path": "path"}),
    "google_web_search": HostTool("WebSearch"),
    "write_todos": HostTool("TodoWrite"),
    "ask_user": HostTool("AskUserQuestion"),
    "activate_skill": HostTool("Skill"),
    "enter_plan_mode": HostTool("EnterPlanMode"),
    "exit_plan_mode": HostTool("ExitPlanMode"),
}
_SHELL = {"is_background": "run_in_background"}
# Its folder has had two names.
SHELLS = {name: HostTool("Bash", _SHELL, folder=name) for name in ("dir_path", "directory")}
REPORTS: Mapping[str, ReportKind] = {
    "SessionStart": ReportKind.START,
    "BeforeAgent": ReportKind.PROMPT,
    "Notification": ReportKind.WAITING,
    "AfterAgent": ReportKind.STOP,
    "SessionEnd": ReportKind.END,
}


def parse(raw: bytes) -> HostEvent:
    """Read one event.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    event = text_of(names, "hook_event_name")
    caller = caller_of(names, NAME)
    if event in REPORTS:
        stop = _stop(names) if event == "AfterAgent" else None
        return report_of(REPORTS[event], caller, text_of(names, "tool_name"), stop=stop)
    if event not in {"BeforeTool", "AfterTool"}:
        raise BadPayload(f"unknown event `{event}`")
    tool, fields = names.get("tool_name"), names.get("tool_input")
    has_old_name = isinstance(fields, Mapping) and "directory" in fields
    tools = {**TOOLS, "run_shell_command": SHELLS["directory" if has_old_name else "dir_path"]}
    if event == "BeforeTool":
        return merging(tool_call(tool, fields, tools, caller=caller), fields)
    result = names.get("tool_response")
    has_failed = isinstance(result, Mapping) and bool(result.get("error"))
    return ended_of(caller, (tool, fields), tools, has_failed=has_failed)


def _stop(names: Names) -> AgentStop:
    """Read how the agent ended its turn; anything but a plain no may be a loop."""
    return AgentStop(
        is_again=names.get("stop_hook_active") is not False,
        last_words=text_of(names, "prompt_response", WORDS_LIMIT),
    )


def render_edited(decision: Decision, fields: Names) -> HostAnswer:
    """Say an allow of what a person has made of a call; Gemini puts it over what it had."""
    return HostAnswer.of({"decision": "allow", "hookSpecificOutput": {"tool_input": fields}})


ADAPTER = Adapter(
    name=NAME,
    called="Gemini CLI",
    parse=parse,
    nothing=NO_DECISION,
    refuse=decision_word("deny"),
    wait=Wait(),
    canary={
        "hook_event_name": "BeforeTool",
        "session_id": SESSION,
        "cwd": "/",
        "tool_name": "run_shell_command",
        "tool_input": {"command": LINE},
    },
    rules=HostRules(decision=("decision",), has_status=True, needs_words=True),
    form=HookOutputFormat(
        answers=(
            EMPTY,
            """'{"decision": "deny", '*'"}'""",
            """'{"decision": "allow", "hookSpecificOutput": {"tool_input": '*'}}'""",
        )
    ),
    render_edited=render_edited,
    go_on=decision_word("deny"),  # an agent that has stopped: its answer is not taken as its last
)
