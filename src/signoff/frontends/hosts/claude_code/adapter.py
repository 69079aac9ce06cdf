"""Claude Code's own language: its events in, its JSON out.

An empty object is no decision: the host's own rules and prompts then apply. Silence is never
used for that, as the installed command takes silence for a guard that did not answer.

    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                            "permissionDecisionReason": "signoff: deletes the home folder"}}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.claude_code import questions
from signoff.frontends.hosts.claude_code.recheck import preceded
from signoff.frontends.hosts.naming import NAME_LIMIT, PATH_LIMIT, UNNAMED, WORDS_LIMIT, told_back
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import reason_of, tells_allow
from signoff.frontends.payloads import Names, parse_object, read_call
from signoff.settings import HostsAllow

NAME = "claude-code"

# Events that report what has happened already: nothing is left to decide.
REPORTS: Mapping[str, hooks.ReportKind] = {
    "SessionStart": hooks.ReportKind.START,
    "UserPromptSubmit": hooks.ReportKind.PROMPT,
    "PostToolUse": hooks.ReportKind.TOOL_DONE,
    "PostToolUseFailure": hooks.ReportKind.TOOL_DONE,
    "Notification": hooks.ReportKind.WAITING,
    "Stop": hooks.ReportKind.STOP,
    "StopFailure": hooks.ReportKind.STOP,
    "SubagentStop": hooks.ReportKind.OTHER,
    "SessionEnd": hooks.ReportKind.END,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Read one event.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    kind = REPORTS.get(str(names.get("hook_event_name")))
    if kind is not None:
        if "tool_input" in names and kind is not hooks.ReportKind.TOOL_DONE:
            raise BadPayload("event is a report, and names what a tool is to do")
        return hooks.HostEvent(
            report=hooks.Report(
                kind=kind,
                session=_text(names, "session_id"),
                agent=_text(names, "agent_id"),
                cwd=_text(names, "cwd", PATH_LIMIT),
                tool=_text(names, "tool_name"),
                call_id=_text(names, "tool_use_id"),
                has_failed=names.get("hook_event_name") == "PostToolUseFailure",
                output=names.get("tool_response"),
                stop=_stop(names),
            )
        )
    if "tool_name" not in names:
        raise BadPayload("event names no tool")
    return hooks.HostEvent(
        call=read_call(names, source=NAME),
        retell=partial(told_back, before=names.get("tool_input"), known=UNNAMED),
    )


def render(decision: Decision, hosts_allow: HostsAllow) -> hooks.HostAnswer:
    """Say a decision; what is to be rechecked is given back with the recheck before it."""
    if decision.verdict is Verdict.ALLOW and not tells_allow(decision, hosts_allow):
        return hooks.NO_DECISION
    given = decision.answer
    if decision.allowed and given is not None and given.has_execution_token:
        return _said("allow", reason_of(decision), preceded(decision.action, given.request_id))
    return _said(decision.verdict.value, reason_of(decision))


def render_edited(decision: Decision, fields: Names) -> hooks.HostAnswer:
    """Say an allow of what a person has made of a call; unsaid, the call itself would run."""
    return _said("allow", reason_of(decision), fields)


def note_result(report: hooks.Report, note: str, instead: Json) -> hooks.HostAnswer:
    """Say a note about a result, which the model reads behind it, and what takes its place."""
    said: dict[str, Json] = {"hookEventName": "PostToolUse", "additionalContext": note}
    if instead is not None:
        is_mcp = report.tool.startswith("mcp__")
        said["updatedMCPToolOutput" if is_mcp else "updatedToolOutput"] = instead
    return hooks.HostAnswer.of({"hookSpecificOutput": said})


def _said(verdict: str, reason: str, fields: Names | None = None) -> hooks.HostAnswer:
    said: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": verdict,
        "permissionDecisionReason": reason,
    }
    if fields is not None:
        said["updatedInput"] = fields
    return hooks.HostAnswer.of({"hookSpecificOutput": said})


def _stop(names: Mapping[str, Json]) -> hooks.AgentStop | None:
    """Read how the agent ended its turn; None for every other event.

    StopFailure, a turn that ended in an error of the API, is none: its hooks are not listened to.
    """
    if names.get("hook_event_name") != "Stop":
        return None
    return hooks.AgentStop(
        # Anything but a plain no may be a loop.
        is_again=names.get("stop_hook_active") is not False,
        last_words=_text(names, "last_assistant_message", WORDS_LIMIT),
        has_tasks=bool(names.get("background_tasks")),
    )


def _text(names: Mapping[str, Json], key: str, limit: int = NAME_LIMIT) -> str:
    value = names.get(key)
    return value[:limit] if isinstance(value, str) else ""


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Claude Code",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=partial(_said, "deny"),  # by any version, whatever the hook's kind
    ask=partial(_said, "ask"),
    allow=partial(_said, "allow"),
    special=render,
    wait=Wait(),
    canary={
        "hook_event_name": "PreToolUse",
        "session_id": SESSION,
        "cwd": "/",
        "tool_name": "Bash",
        "tool_input": {"command": LINE},
    },
    rules=hooks.HostRules(
        decision=("hookSpecificOutput", "permissionDecision"), ask="ask", has_status=True
    ),
    # By `onFailure` Claude Code blocks itself what it has to end.
    form=hooks.HookOutputFormat(
        answers=("'{'*'}'",),
        no_answer="signoff gave no answer, so this call is blocked",
        is_watched=False,
    ),
    render_edited=render_edited,
    note_result=note_result,
    go_on=lambda words: hooks.HostAnswer.of({"decision": "block", "reason": words}),
    questions=hooks.QuestionFormat(questions.TOOL, questions.questions_of, questions.answered),
    project_variable="CLAUDE_PROJECT_DIR",
    fails_by_status=True,
)
