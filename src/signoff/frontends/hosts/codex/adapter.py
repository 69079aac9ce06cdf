"""Codex's own language: a deny with its reason, or nothing.

Codex takes `ask` and a bare `allow` for a broken hook and then runs the tool, so neither is ever
said; an allow with changed input is honoured. Its own approval prompt is another event,
`PermissionRequest`, with another form: a second adapter answers it, so that what signoff let
through is not asked about again: by the same judgement, and what people let go by a second look.

    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", ...}}
    {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": ...}}}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Action, Json
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import Adapter, AgentStop, HostAnswer, HostEvent, ReportKind
from signoff.frontends.hosts.naming import (
    HostTool,
    caller_of,
    ended_of,
    report_of,
    text_of,
    tool_call,
)
from signoff.frontends.hosts.wording import failure_of, one_line, refusal_of, tells_allow
from signoff.frontends.payloads import Names, parse_object
from signoff.settings import HostsAllow

NAME = "codex"
PERMISSION_NAME = "codex-permission"
TITLE = "Codex"
WORDS_LIMIT = 100_000
NO_DECISION = HostAnswer(stdout="{}")
NETWORK = "network-access "  # how Codex describes a connection of a command that runs already

_SHELL = HostTool("Bash", {"cmd": "command"}, folder="workdir", story=("justification",))
TOOLS: Mapping[str, HostTool] = {
    "Bash": _SHELL,
    "shell": _SHELL,
    "shell_command": _SHELL,
    "exec_command": _SHELL,
    "local_shell": _SHELL,
    "view_image": HostTool("Read"),
    "update_plan": HostTool("TodoWrite"),
}
REPORTS: Mapping[str, ReportKind] = {
    "SessionStart": ReportKind.START,
    "UserPromptSubmit": ReportKind.PROMPT,
    "Stop": ReportKind.STOP,
    "StopFailure": ReportKind.STOP,
    "Interrupt": ReportKind.STOP,
    "SubagentStart": ReportKind.OTHER,
    "SubagentStop": ReportKind.OTHER,
    "SessionEnd": ReportKind.END,
}


def parse(raw: bytes) -> HostEvent:
    """Read one event of either adapter.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    event = text_of(names, "hook_event_name")
    caller = caller_of(names, NAME)
    call = names.get("tool_name"), names.get("tool_input")
    if event == "PostToolUse":
        return ended_of(caller, call, TOOLS, call_id=caller.request_id)
    if event in REPORTS:
        stop = _stop(names) if event == "Stop" else None
        return report_of(REPORTS[event], caller, text_of(names, "tool_name"), stop=stop)
    if event not in {"PreToolUse", "PermissionRequest"}:
        raise BadPayload(f"unknown event `{event}`")
    return tool_call(*call, TOOLS, caller=caller)


def go_on(words: str) -> HostAnswer:
    """Tell an agent that has stopped what it is to do."""
    return HostAnswer(stdout=one_line({"decision": "block", "reason": words}))


def _stop(names: Names) -> AgentStop:
    """Read how the agent ended its turn; anything but a plain no may be a loop."""
    return AgentStop(
        is_again=names.get("stop_hook_active") is not False,
        last_words=text_of(names, "last_assistant_message", WORDS_LIMIT),
    )


def render(decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
    """Say a decision on a call: an allow is no word."""
    if decision.verdict is Verdict.ALLOW:
        return NO_DECISION
    return _deny(refusal_of(decision, TITLE))


def render_edited(decision: Decision, fields: Names) -> HostAnswer:
    """Say an allow of what a person has made of a call."""
    said: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "updatedInput": fields,
    }
    return HostAnswer(stdout=one_line({"hookSpecificOutput": said}))


def failure(reason: str) -> HostAnswer:
    """Say a refusal of a call."""
    return _deny(failure_of(reason))


def render_permission(decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
    """Say a decision where Codex is about to ask its user: an ask leaves the question to it."""
    match decision.verdict:
        case Verdict.ALLOW if tells_allow(decision, hosts_allow):
            return _permission({"behavior": "allow"})
        case Verdict.DENY:
            return _permission({"behavior": "deny", "message": refusal_of(decision, TITLE)})
        case _:
            return NO_DECISION


def failure_of_permission(reason: str) -> HostAnswer:
    """Say a refusal where Codex is about to ask its user."""
    return _permission({"behavior": "deny", "message": failure_of(reason)})


def repeats(before: Action, now: Action) -> bool:
    """Tell whether `PermissionRequest` is about a call of which `PreToolUse` has told, unrun still.

    Codex tries a call in its sandbox and may then ask to run it once more without one: that is
    another run. A shell line that has not run brings the agent's reason to leave the sandbox, which
    Codex takes with that wish only; of other calls but those of MCP servers nothing is known.
    """
    has_reason = bool(now.description) and not now.description.startswith(NETWORK)
    is_unrun = has_reason if now.tool == "Bash" else now.tool.startswith("mcp__")
    return is_unrun and before.canonical_bytes == now.canonical_bytes


def _deny(reason: str) -> HostAnswer:
    said = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }
    return HostAnswer(stdout=one_line({"hookSpecificOutput": said}))


def _permission(decision: dict[str, Json]) -> HostAnswer:
    said: dict[str, Json] = {"hookEventName": "PermissionRequest", "decision": decision}
    return HostAnswer(stdout=one_line({"hookSpecificOutput": said}))


ADAPTER = Adapter(
    name=NAME,
    parse=parse,
    render=render,
    failure=failure,
    nothing=NO_DECISION,
    can_ask=False,
    go_on=go_on,
    render_edited=render_edited,
)
PERMISSION_ADAPTER = Adapter(
    name=PERMISSION_NAME,
    parse=parse,
    render=render_permission,
    failure=failure_of_permission,
    nothing=NO_DECISION,
    repeats=repeats,
)
