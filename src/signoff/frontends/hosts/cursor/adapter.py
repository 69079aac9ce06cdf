"""Cursor's own language: `permission` allow, deny or ask, with words for the user and the agent.

Two adapters. The first answers the events of one kind of call each, `beforeShellExecution` and
`beforeMCPExecution`, where Cursor honours ask. The second answers `preToolUse`, which every tool
passes and where Cursor honours deny only: an ask of a shell line or an MCP tool is left to the
event that follows, any other ask comes out as a refusal. Where people are asked, they are asked at
the first event, as nothing says that the second is sure to follow; the second is a second look.

    {"permission": "deny", "user_message": "signoff: ...", "agent_message": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from signoff.actions.action import Action, Json
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import refusal_of
from signoff.frontends.payloads import Names, parse_object
from signoff.settings import HostsAllow
from signoff.values import replace

NAME = "cursor"
TOOL_NAME = "cursor-tool"
TITLE = "Cursor"

_SHELL = naming.HostTool(
    "Bash",
    {"is_background": "run_in_background"},
    folder="working_directory",
    without_effect=("explanation", "description", "required_permissions"),
)
TOOLS: Mapping[str, naming.HostTool] = {
    "Shell": _SHELL,
    "run_terminal_cmd": _SHELL,
    "Read": naming.HostTool("Read", {"target_file": "file_path"}),
    "Write": naming.HostTool("Write", {"contents": "content", "target_file": "file_path"}),
    "Delete": naming.HostTool("Delete", {"target_file": "file_path"}),
    "Grep": naming.HostTool("Grep"),
    "Glob": naming.HostTool("Glob", {"glob_pattern": "pattern", "target_directory": "path"}),
}
REPORTS: Mapping[str, hooks.ReportKind] = {
    "sessionStart": hooks.ReportKind.START,
    "beforeSubmitPrompt": hooks.ReportKind.PROMPT,
    "afterFileEdit": hooks.ReportKind.TOOL_DONE,
    "stop": hooks.ReportKind.STOP,
    "sessionEnd": hooks.ReportKind.END,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of either of Cursor's hooks; empty input, as some remotes send, is denied.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "hook_event_name")
    caller = naming.Caller(
        source=NAME,
        session=naming.text_of(names, "conversation_id"),
        cwd=naming.text_of(names, "cwd", naming.PATH_LIMIT)
        or naming.first_folder(names, "workspace_roots"),
        request_id=naming.text_of(names, "tool_use_id") or naming.text_of(names, "generation_id"),
    )
    match event:
        case "beforeShellExecution":
            line: dict[str, Json] = {"command": names.get("command")}
            return naming.tool_call("Bash", line, {}, caller=caller)
        case "beforeMCPExecution":
            fields = naming.unpacked(names.get("tool_input"))
            return naming.tool_call(_mcp_tool(names), fields, {}, caller=caller)
        case "beforeReadFile":
            file: dict[str, Json] = {"file_path": names.get("file_path")}
            return naming.tool_call("Read", file, {}, caller=caller)
        case "preToolUse":
            fields = naming.unpacked(names.get("tool_input"))
            return naming.tool_call(_tool(names), fields, TOOLS, caller=caller)
    if (ended := _ended(event, names, caller)) is not None:
        return ended
    if event in REPORTS:
        stop = _stop(names) if event == "stop" else None
        return naming.report_of(
            REPORTS[event], caller, naming.text_of(names, "tool_name"), stop=stop
        )
    raise BadPayload(f"unknown event `{event}`")


def render_tool(decision: Decision, hosts_allow: HostsAllow) -> hooks.HostAnswer:
    """Render a decision about any tool; another event about the same call may follow."""
    has_own_event = decision.action.tool == "Bash" or decision.action.tool.startswith("mcp__")
    if decision.verdict is Verdict.ALLOW or (decision.verdict is Verdict.ASK and has_own_event):
        return hooks.NO_DECISION
    return _said("deny", refusal_of(decision, TITLE))


def repeats(before: Action, now: Action) -> bool:
    """Tell whether the event of one kind of call is about one of which `preToolUse` has told.

    Of a shell line that event tells the line and the folder, and nothing else.
    """
    if before.tool == now.tool == "Bash":
        before = replace(before, arguments={"command": before.text("command")})
    return before.canonical_bytes == now.canonical_bytes


def _stop(names: Names) -> hooks.AgentStop | None:
    """Read how the agent ended its turn, None if its user ended it; no count may be a loop."""
    if names.get("status") == "aborted":
        return None
    return hooks.AgentStop(is_again=names.get("loop_count") != 0)


def _ended(event: str, names: Names, caller: naming.Caller) -> hooks.HostEvent | None:
    """Return the report that a call has ended, None if the event is none."""
    match event:
        case "afterShellExecution":
            return naming.ended_of(caller, ("Bash", {"command": names.get("command")}), {})
        case "afterMCPExecution":
            call = _mcp_tool(names), naming.unpacked(names.get("tool_input"))
            return naming.ended_of(caller, call, {})
        case "postToolUse" | "postToolUseFailure":
            call = _tool(names), naming.unpacked(names.get("tool_input"))
            call_id = naming.text_of(names, "tool_use_id")
            has_failed = event == "postToolUseFailure"
            return naming.ended_of(caller, call, TOOLS, call_id=call_id, has_failed=has_failed)
        case _:
            return None


def _tool(names: Names) -> str:
    """Return the name of a tool; those of MCP servers come as `MCP:name`."""
    tool = naming.text_of(names, "tool_name")
    # Cursor does not say which server a tool is of.
    return naming.mcp_name("cursor", tool[4:]) if tool.startswith("MCP:") else tool


def _mcp_tool(names: Names) -> str:
    tool = naming.text_of(names, "tool_name")
    if not tool:
        raise BadPayload("event names no tool")
    return naming.mcp_name("cursor", tool.removeprefix("MCP:"))


def _said(permission: str, reason: str) -> hooks.HostAnswer:
    return hooks.HostAnswer.of(
        {"permission": permission, "user_message": reason, "agent_message": reason}
    )


_CALL: Mapping[str, Json] = {"conversation_id": SESSION, "cwd": "/"}
_DENY = """'{"permission": "deny", '*'"}'"""
ADAPTER = hooks.Adapter(
    name=NAME,
    called=TITLE,
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=partial(_said, "deny"),
    ask=partial(_said, "ask"),
    allow=lambda _: hooks.HostAnswer.of({"permission": "allow"}),
    wait=Wait(),
    canary={**_CALL, "hook_event_name": "beforeShellExecution", "command": LINE},
    rules=hooks.HostRules(decision=("permission",), ask="ask", has_status=True),
    form=hooks.HookOutputFormat(
        answers=(
            hooks.EMPTY,
            """'{"permission": "allow"}'""",
            """'{"permission": "ask", '*'"}'""",
            _DENY,
        )
    ),
    # Cursor sends it as its user's message.
    go_on=lambda words: hooks.HostAnswer.of({"followup_message": words}),
    repeats=repeats,
)
TOOL_ADAPTER = hooks.Adapter(
    name=TOOL_NAME,
    called=TITLE,
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=partial(_said, "deny"),
    ask=lambda _: hooks.NO_DECISION,  # by the event that follows
    special=render_tool,
    wait=Wait(),
    canary={
        **_CALL,
        "hook_event_name": "preToolUse",
        "tool_name": "Shell",
        "tool_input": {"command": LINE},
    },
    rules=hooks.HostRules(decision=("permission",), has_status=True),
    form=hooks.HookOutputFormat(answers=(hooks.EMPTY, _DENY)),
)
