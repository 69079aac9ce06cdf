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
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import Names, parse_object

NAME = "codex"
PERMISSION_NAME = "codex-permission"
NETWORK = "network-access "  # how Codex describes a connection of a command that runs already

_SHELL = naming.HostTool(
    "Bash", {"cmd": "command"}, folder="workdir", without_effect=("justification",)
)
TOOLS: Mapping[str, naming.HostTool] = {
    "Bash": _SHELL,
    "shell": _SHELL,
    "shell_command": _SHELL,
    "exec_command": _SHELL,
    "local_shell": _SHELL,
    "view_image": naming.HostTool("Read"),
    "update_plan": naming.HostTool("TodoWrite"),
}
REPORTS: Mapping[str, hooks.ReportKind] = {
    "SessionStart": hooks.ReportKind.START,
    "UserPromptSubmit": hooks.ReportKind.PROMPT,
    "Stop": hooks.ReportKind.STOP,
    "StopFailure": hooks.ReportKind.STOP,
    "Interrupt": hooks.ReportKind.STOP,
    "SubagentStart": hooks.ReportKind.OTHER,
    "SubagentStop": hooks.ReportKind.OTHER,
    "SessionEnd": hooks.ReportKind.END,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of either of Codex's hooks.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "hook_event_name")
    caller = naming.caller_of(names, NAME)
    call = names.get("tool_name"), names.get("tool_input")
    if event == "PostToolUse":
        output = names.get("tool_response")
        return naming.ended_of(caller, call, TOOLS, call_id=caller.request_id, output=output)
    if event in REPORTS:
        stop = _stop(names) if event == "Stop" else None
        return naming.report_of(
            REPORTS[event], caller, naming.text_of(names, "tool_name"), stop=stop
        )
    if event not in {"PreToolUse", "PermissionRequest"}:
        raise BadPayload(f"unknown event `{event}`")
    return naming.tool_call(*call, TOOLS, caller=caller)


def _stop(names: Names) -> hooks.AgentStop:
    """Read how the agent ended its turn; anything but a plain no may be a loop."""
    return hooks.AgentStop(
        is_again=names.get("stop_hook_active") is not False,
        last_words=naming.text_of(names, "last_assistant_message", naming.WORDS_LIMIT),
    )


def render_edited(decision: Decision, fields: Names) -> hooks.HostAnswer:
    """Render an allow with the arguments a person edited."""
    return _said("PreToolUse", {"permissionDecision": "allow", "updatedInput": fields})


def note_result(_: hooks.Report, note: hooks.ResultNote) -> hooks.HostAnswer:
    """Render a note about a result; Codex replaces the result by the reason of a block."""
    if note.instead is None:
        return _said("PostToolUse", {"additionalContext": note.text})
    return _instead_of_result(note.as_text)


def _instead_of_result(reason: str) -> hooks.HostAnswer:
    return hooks.HostAnswer.of({"decision": "block", "reason": reason})


def repeats(before: Action, now: Action) -> bool:
    """Tell whether `PermissionRequest` is about a call of which `PreToolUse` has told, unrun still.

    Codex tries a call in its sandbox and may then ask to run it once more without one: that is
    another run. A shell line that has not run brings the agent's reason to leave the sandbox, which
    Codex takes with that wish only; of other calls but those of MCP servers nothing is known.
    """
    has_reason = bool(now.description) and not now.description.startswith(NETWORK)
    is_unrun = has_reason if now.tool == "Bash" else now.tool.startswith("mcp__")
    return is_unrun and before.canonical_bytes == now.canonical_bytes


def deny(reason: str) -> hooks.HostAnswer:
    """Render a denial of a call."""
    words = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return _said("PreToolUse", words)


def deny_permission(reason: str) -> hooks.HostAnswer:
    """Render a denial where Codex is about to ask its user."""
    return _said("PermissionRequest", {"decision": {"behavior": "deny", "message": reason}})


def _said(event: str, words: Mapping[str, Json]) -> hooks.HostAnswer:
    return hooks.HostAnswer.of({"hookSpecificOutput": {"hookEventName": event, **words}})


_CALL: Mapping[str, Json] = {
    "session_id": SESSION,
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": LINE},
}
_FORM = '{"hookSpecificOutput": {"hookEventName":'
ADAPTER = hooks.Adapter(
    name=NAME,
    called="Codex",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=deny,
    wait=Wait(),
    canary={**_CALL, "hook_event_name": "PreToolUse"},
    rules=hooks.HostRules(
        decision=("hookSpecificOutput", "permissionDecision"), has_status=True, needs_words=True
    ),
    form=hooks.HookOutputFormat(
        answers=(
            hooks.EMPTY,
            f"""'{_FORM} "PreToolUse", "permissionDecision": "deny", '*'"}}}}'""",
            # No allow without changed input: Codex takes a bare one for a broken hook.
            f"""'{_FORM} "PreToolUse", "permissionDecision": "allow", "updatedInput": '*'}}}}'""",
        )
    ),
    go_on=lambda words: hooks.HostAnswer.of({"decision": "block", "reason": words}),
    render_edited=render_edited,
    note_result=note_result,
    withhold_result=_instead_of_result,
)
PERMISSION_ADAPTER = hooks.Adapter(
    name=PERMISSION_NAME,
    called="Codex",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=deny_permission,
    ask=lambda _: hooks.NO_DECISION,  # Codex is about to ask its user, and does
    allow=lambda _: _said("PermissionRequest", {"decision": {"behavior": "allow"}}),
    wait=Wait(),
    canary={**_CALL, "hook_event_name": "PermissionRequest"},
    rules=hooks.HostRules(
        decision=("hookSpecificOutput", "decision", "behavior"), has_status=True, needs_words=True
    ),
    form=hooks.HookOutputFormat(
        answers=(
            hooks.EMPTY,
            f"""'{_FORM} "PermissionRequest", "decision": {{"behavior": "allow"}}}}}}'""",
            f"""'{_FORM} "PermissionRequest", "decision": {{"behavior": "deny", '*'"}}}}}}'""",
        )
    ),
    repeats=repeats,
)
