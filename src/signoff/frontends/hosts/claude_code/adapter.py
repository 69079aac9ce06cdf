"""Claude Code's own language: its events in, its JSON out.

An empty object is no decision: the host's own rules and prompts then apply. Silence is never
used for that, as the installed command takes silence for a guard that did not answer.

The tool that asks the user takes its answers in its own arguments: a hook that lets the call
through with them in place answers for the user, and the host shows no prompt. Before a command
people approved stands `signoff exec`, in the shell that runs it. Claude Code judges the command it
is given back by its own rules, so the command itself stays in it: replaced by one word of ours, the
host's deny and ask rules would never see it. The shell ends at `exit`, before it has read the
rest.

    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                            "permissionDecisionReason": "signoff: deletes the home folder"}}
    {"questions": [{"question": "Which?", "header": "H", "multiSelect": false,
                    "options": [{"label": "A", "description": "..."}]}]}
    preceded(action, "9f...")["command"]
        -> "/.../python -I -m signoff exec 9f... || exit 126\ngit push origin main"
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from signoff.actions.action import Action, Json
from signoff.assess.verdict import Verdict
from signoff.challenge.words.asking import AgentQuestion, AnswerOption
from signoff.decide.decision import Decision
from signoff.errors import BadPayload, BadSettings
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts.adapter import HostAnswer
from signoff.frontends.hosts.canary import LINE, SESSION
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

QUESTION_TOOL = "AskUserQuestion"
REASON = "signoff: answered by the user on another channel"

REFUSED = 126  # as a shell says that a program may not be started
SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"  # set by the host for the commands it runs


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of Claude Code's hooks.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    kind = REPORTS.get(str(names.get("hook_event_name")))
    if kind is not None:
        # Reports are answered without a judgement, so a call must not pass as one.
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
    """Render a decision; a call to be rechecked is returned with the recheck before its command."""
    if decision.verdict is Verdict.ALLOW and not tells_allow(decision, hosts_allow):
        return hooks.NO_DECISION
    given = decision.answer
    if decision.allowed and given is not None and given.has_execution_token:
        return _said("allow", reason_of(decision), preceded(decision.action, given.request_id))
    return _said(decision.verdict.value, reason_of(decision))


def render_edited(decision: Decision, fields: Names) -> hooks.HostAnswer:
    """Render an allow with the arguments a person edited, which then run instead."""
    return _said("allow", reason_of(decision), fields)


def note_result(report: hooks.Report, note: hooks.ResultNote) -> hooks.HostAnswer:
    """Render a note about a result, and the replacement of the result if there is one."""
    said: dict[str, Json] = {"hookEventName": "PostToolUse", "additionalContext": note.text}
    if note.instead is not None:
        is_mcp = report.tool.startswith("mcp__")
        said["updatedMCPToolOutput" if is_mcp else "updatedToolOutput"] = note.instead
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
    # Cut and not refused: a report decides nothing.
    return value[:limit] if isinstance(value, str) else ""


def questions_of(action: Action) -> tuple[AgentQuestion, ...]:
    """Return the questions in a call to the user, () if it has none or they are not valid."""
    asked = action.arguments.get("questions")
    if action.tool != QUESTION_TOOL or not isinstance(asked, Sequence) or isinstance(asked, str):
        return ()
    questions = tuple(_question(one) for one in asked)
    whole = tuple(question for question in questions if question is not None)
    # All or none: `answered` needs one answer for each question of the call.
    return whole if len(whole) == len(questions) else ()


def answered(action: Action, answers: Sequence[str]) -> HostAnswer:
    """Render the answers to an agent's questions, one per question."""
    texts = [question.text for question in questions_of(action)]
    fields = {**action.arguments, "answers": dict(zip(texts, answers, strict=True))}
    said: dict[str, Json] = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": REASON,
        "updatedInput": fields,
    }
    return HostAnswer.of({"hookSpecificOutput": said})


def _question(said: Json) -> AgentQuestion | None:
    """Parse one question."""
    if not isinstance(said, Mapping) or not isinstance(said.get("question"), str):
        return None
    options = said.get("options")
    if not isinstance(options, Sequence) or isinstance(options, str):
        return None
    read = tuple(_option(one) for one in options)
    if None in read:
        return None
    return AgentQuestion(
        text=str(said["question"]),
        header=_string(said.get("header")),
        options=tuple(option for option in read if option is not None),
        takes_many=said.get("multiSelect") is True,
    )


def _option(said: Json) -> AnswerOption | None:
    if not isinstance(said, Mapping) or not isinstance(said.get("label"), str):
        return None
    return AnswerOption(label=str(said["label"]), description=_string(said.get("description")))


def _string(value: Json) -> str:
    return value if isinstance(value, str) else ""


def preceded(action: Action, request_id: str) -> dict[str, Json]:
    """Return the shell tool's input with a recheck before its command.

    Raises:
        BadSettings: the path of this Python is unknown.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    # By its full path: what `signoff` is on the PATH of the command is for others to say.
    python = str(Path(sys.executable).absolute())
    look = shlex.join([python, "-I", "-m", "signoff", "exec", request_id])
    # `updatedInput` replaces the whole input, so the description goes back in.
    told: dict[str, Json] = {"description": action.description} if action.description else {}
    # A line of its own: of `look && a; b` the shell would run `b` after a refusal.
    command = f"{look} || exit {REFUSED}\n{action.text('command')}"
    return {**action.arguments, **told, "command": command}


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
    # Claude Code reads a result of another form than the tool's as no answer: so the agent stops.
    withhold_result=lambda reason: hooks.HostAnswer.of({"continue": False, "stopReason": reason}),
    go_on=lambda words: hooks.HostAnswer.of({"decision": "block", "reason": words}),
    questions=hooks.QuestionFormat(QUESTION_TOOL, questions_of, answered),
    project_variable="CLAUDE_PROJECT_DIR",
    fails_by_status=True,
)
