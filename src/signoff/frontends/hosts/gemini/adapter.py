"""Gemini CLI's own language: `decision` allow or deny; it has no ask a hook could call for.

An allow does not keep Gemini from asking its user, so there is nothing to gain from saying it.

    {"decision": "deny", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import Names, parse_object

NAME = "gemini"

_PATH = {"absolute_path": "file_path"}
TOOLS: Mapping[str, naming.HostTool] = {
    "read_file": naming.HostTool("Read", _PATH),
    "write_file": naming.HostTool("Write", _PATH),
    "replace": naming.HostTool(
        "Edit", _PATH, without_effect=("instruction", "expected_replacements")
    ),
    "glob": naming.HostTool("Glob", {"dir_path": "path"}),
    "list_directory": naming.HostTool("LS", {"dir_path": "path"}),
    "grep_search": naming.HostTool("Grep", {"dir_path": "path"}),
    "search_file_content": naming.HostTool("Grep", {"dir_path": "path"}),
    "google_web_search": naming.HostTool("WebSearch"),
    "write_todos": naming.HostTool("TodoWrite"),
    "ask_user": naming.HostTool("AskUserQuestion"),
    "activate_skill": naming.HostTool("Skill"),
    "enter_plan_mode": naming.HostTool("EnterPlanMode"),
    "exit_plan_mode": naming.HostTool("ExitPlanMode"),
}
_SHELL = {"is_background": "run_in_background"}
# Its folder has had two names.
SHELLS = {name: naming.HostTool("Bash", _SHELL, folder=name) for name in ("dir_path", "directory")}
REPORTS: Mapping[str, hooks.ReportKind] = {
    "SessionStart": hooks.ReportKind.START,
    "BeforeAgent": hooks.ReportKind.PROMPT,
    "Notification": hooks.ReportKind.WAITING,
    "AfterAgent": hooks.ReportKind.STOP,
    "SessionEnd": hooks.ReportKind.END,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of Gemini CLI's hooks.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "hook_event_name")
    caller = naming.caller_of(names, NAME)
    if event in REPORTS:
        stop = _stop(names) if event == "AfterAgent" else None
        return naming.report_of(
            REPORTS[event], caller, naming.text_of(names, "tool_name"), stop=stop
        )
    if event not in {"BeforeTool", "AfterTool"}:
        raise BadPayload(f"unknown event `{event}`")
    tool, fields = names.get("tool_name"), names.get("tool_input")
    tools = tools_for(fields)
    if event == "BeforeTool":
        return naming.merging(naming.tool_call(tool, fields, tools, caller=caller), fields)
    result = names.get("tool_response")
    has_failed = isinstance(result, Mapping) and bool(result.get("error"))
    return naming.ended_of(caller, (tool, fields), tools, has_failed=has_failed, output=result)


def tools_for(fields: Json) -> Mapping[str, naming.HostTool]:
    """Return Gemini's tools in the naming that a call with these fields uses."""
    has_old_name = isinstance(fields, Mapping) and "directory" in fields
    return {**TOOLS, "run_shell_command": SHELLS["directory" if has_old_name else "dir_path"]}


def _stop(names: Names) -> hooks.AgentStop:
    """Read how the agent ended its turn; anything but a plain no may be a loop."""
    return hooks.AgentStop(
        is_again=names.get("stop_hook_active") is not False,
        last_words=naming.text_of(names, "prompt_response", naming.WORDS_LIMIT),
    )


def render_edited(decision: Decision, fields: Names) -> hooks.HostAnswer:
    """Render an allow with the arguments a person edited, which Gemini merges over its own."""
    return hooks.HostAnswer.of({"decision": "allow", "hookSpecificOutput": {"tool_input": fields}})


def note_result(_: hooks.Report, note: hooks.ResultNote) -> hooks.HostAnswer:
    """Render a note about a result; Gemini replaces the result by a denial's reason."""
    if note.instead is None:
        said = {"hookEventName": "AfterTool", "additionalContext": note.text}
        return hooks.HostAnswer.of({"hookSpecificOutput": said})
    return hooks.decision_word("deny")(note.as_text)


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Gemini CLI",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=hooks.decision_word("deny"),
    wait=Wait(),
    canary={
        "hook_event_name": "BeforeTool",
        "session_id": SESSION,
        "cwd": "/",
        "tool_name": "run_shell_command",
        "tool_input": {"command": LINE},
    },
    rules=hooks.HostRules(decision=("decision",), has_status=True, needs_words=True),
    form=hooks.HookOutputFormat(
        answers=(
            hooks.EMPTY,
            """'{"decision": "deny", '*'"}'""",
            """'{"decision": "allow", "hookSpecificOutput": {"tool_input": '*'}}'""",
        )
    ),
    render_edited=render_edited,
    note_result=note_result,
    withhold_result=hooks.decision_word("deny"),
    go_on=hooks.decision_word(
        "deny"
    ),  # an agent that has stopped: its answer is not taken as its last
)
