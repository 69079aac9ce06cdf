"""Claude Code's own language: its events in, its JSON out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

from signoff.actions.action import Json
from signoff.challenge.visible import visible_lines
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import (
    Adapter,
    AgentStop,
    HostAnswer,
    HostEvent,
    Report,
    ReportKind,
)
from signoff.frontends.hosts.claude_code.answer import NO_DECISION, REASON_LIMIT, answer
from signoff.frontends.hosts.naming import HostTool, told_back
from signoff.frontends.hosts.wording import one_line, reason_of
from signoff.frontends.payloads import Names, parse_object, read_call
from signoff.settings import HostsAllow

NAME = "claude-code"
NAME_LIMIT = 256
PATH_LIMIT = 4_096
WORDS_LIMIT = 100_000

# Events that report what has happened already: nothing is left to decide.
REPORTS: Mapping[str, ReportKind] = {
    "SessionStart": ReportKind.START,
    "UserPromptSubmit": ReportKind.PROMPT,
    "PostToolUse": ReportKind.TOOL_DONE,
    "PostToolUseFailure": ReportKind.TOOL_DONE,
    "Notification": ReportKind.WAITING,
    "Stop": ReportKind.STOP,
    "StopFailure": ReportKind.STOP,
    "SubagentStop": ReportKind.OTHER,
    "SessionEnd": ReportKind.END,
}


def parse(raw: bytes) -> HostEvent:
    """Read one event.

    Raises:
        BadPayload: it cannot be read, or is neither a call nor a report.
    """
    names = parse_object(raw)
    kind = REPORTS.get(str(names.get("hook_event_name")))
    if kind is not None:
        return HostEvent(
            report=Report(
                kind=kind,
                session=_text(names, "session_id"),
                agent=_text(names, "agent_id"),
                cwd=_text(names, "cwd", PATH_LIMIT),
                tool=_text(names, "tool_name"),
                call_id=_text(names, "tool_use_id"),
                has_failed=names.get("hook_event_name") == "PostToolUseFailure",
                stop=_stop(names),
            )
        )
    if "tool_name" not in names:
        raise BadPayload("event names no tool")
    return HostEvent(
        call=read_call(names, source=NAME),
        retell=partial(told_back, before=names.get("tool_input"), known=HostTool("")),
    )


def render(decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
    """Say a decision."""
    return HostAnswer(stdout=answer(decision, hosts_allow))


def render_edited(decision: Decision, fields: Names) -> HostAnswer:
    """Say an allow of what a person has made of a call; unsaid, the call itself would run."""
    said: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": reason_of(decision),
        "updatedInput": fields,
    }
    return HostAnswer(stdout=one_line({"hookSpecificOutput": said}))


def failure(reason: str) -> HostAnswer:
    """Say a refusal; every version takes this one as a deny, whatever the hook's kind."""
    said = "\n".join(visible_lines(f"signoff: cannot decide, so it is refused: {reason}"))
    deny = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": said[:REASON_LIMIT],
    }
    return HostAnswer(stdout=json.dumps({"hookSpecificOutput": deny}))


def go_on(words: str) -> HostAnswer:
    """Tell an agent that has stopped what it is to do."""
    return HostAnswer(stdout=one_line({"decision": "block", "reason": words}))


def _stop(names: Mapping[str, Json]) -> AgentStop | None:
    """Read how the agent ended its turn; None for every other event.

    StopFailure, a turn that ended in an error of the API, is none: its hooks are not listened to.
    """
    if names.get("hook_event_name") != "Stop":
        return None
    return AgentStop(
        # Anything but a plain no may be a loop.
        is_again=names.get("stop_hook_active") is not False,
        last_words=_text(names, "last_assistant_message", WORDS_LIMIT),
        has_tasks=bool(names.get("background_tasks")),
    )


def _text(names: Mapping[str, Json], key: str, limit: int = NAME_LIMIT) -> str:
    value = names.get(key)
    return value[:limit] if isinstance(value, str) else ""


ADAPTER = Adapter(
    name=NAME,
    parse=parse,
    render=render,
    failure=failure,
    nothing=HostAnswer(stdout=NO_DECISION),
    render_edited=render_edited,
    go_on=go_on,
)
