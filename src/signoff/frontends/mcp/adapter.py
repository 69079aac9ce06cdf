"""How the daemon takes in the calls that `signoff mcp` sends it, and what it answers.

Two adapters of one language: behind `mcp` nobody can be asked but on signoff's own channels; behind
`mcp-elicit` stands a client that can put a question to its user, who counts as the local user at
most. So a call that needs a stronger proof, and any CRITICAL one, is never put to that user.

    {"verdict": "deny", "reason": "signoff: ...", "is_followed": false}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from signoff.actions.action import Action, Json
from signoff.actions.canonical import canonical
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import caller_of, text_of
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import reason_of, refusal_of
from signoff.frontends.payloads import Names, parse_object, read_call
from signoff.settings import HostsAllow

NAME = "mcp"
ELICITING = "mcp-elicit"
CALLED = "MCP client"
ENDS = {"PostToolUse": hooks.ReportKind.TOOL_DONE, "SessionEnd": hooks.ReportKind.END}
CANARY: Mapping[str, Json] = {
    "hook_event_name": "PreToolUse",
    "session_id": SESSION,
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": LINE},
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of the proxy: a call, the end of one, or the end of the session.

    Raises:
        BadPayload: it is not valid.
    """
    names = parse_object(raw)
    kind = ENDS.get(str(names.get("hook_event_name")))
    if kind is None:
        return hooks.HostEvent(call=read_call(names, source=NAME), retell=lambda changed: changed)
    if "tool_input" in names:
        raise BadPayload("event is a report, and names what a tool is to do")
    caller = caller_of(names, NAME)
    return hooks.HostEvent(
        report=hooks.Report(
            kind=kind,
            session=caller.session,
            agent=caller.agent,
            cwd=caller.cwd,
            tool=text_of(names, "tool_name"),
            call_id=caller.request_id,
            has_failed=names.get("has_failed") is True,
        )
    )


def repeats(before: Action, now: Action) -> bool:
    """Return whether a call is one a host's hook reported before, by the host's call id.

    Folder, session and agent are the proxy's own, so they tell nothing.
    """
    return (
        # The client tells the id, so tool and arguments have to be the same as well.
        before.request_id == now.request_id != ""
        and before.tool == now.tool
        and canonical(before.arguments) == canonical(now.arguments)
    )


# Claude Code tells an MCP server the id of each call.
REPEATS: Mapping[tuple[str, str], Callable[[Action, Action], bool]] = {
    ("claude-code", NAME): repeats
}


def render(decision: Decision, _: HostsAllow) -> hooks.HostAnswer:
    """Render a decision; only below CRITICAL may a question go to the client's user."""
    is_grave = decision.level >= Level.CRITICAL
    match decision.verdict:
        case Verdict.ALLOW:
            return _said("allow", reason_of(decision), is_followed=_is_followed(decision))
        case Verdict.ASK if not is_grave:
            return _said("ask", reason_of(decision))
        case _:
            return _said("deny", refusal_of(decision, CALLED))


def render_edited(decision: Decision, arguments: Names) -> hooks.HostAnswer:
    """Render an allow with the arguments a person edited."""
    return _said("allow", reason_of(decision), is_followed=True, arguments=arguments)


def _is_followed(decision: Decision) -> bool:
    """Tell whether somebody waits to hear the outcome of the call."""
    return decision.answer is not None and bool(decision.answer.request_id)


def _said(
    verdict: str, reason: str, *, is_followed: bool = False, arguments: Names | None = None
) -> hooks.HostAnswer:
    said: dict[str, Json] = {"verdict": verdict, "reason": reason, "is_followed": is_followed}
    if arguments is not None:
        said["arguments"] = arguments
    return hooks.HostAnswer.of(said)


def _adapter(name: str, *, can_ask: bool) -> hooks.Adapter:
    return hooks.Adapter(
        name=name,
        called=CALLED,
        parse=parse,
        nothing=hooks.NO_DECISION,
        refuse=partial(_said, "deny"),
        ask=partial(_said, "ask") if can_ask else None,
        special=render,
        render_edited=render_edited,
        repeats=repeats,
        wait=Wait(),
        canary=CANARY,
        rules=hooks.HostRules(decision=("verdict",), ask="ask" if can_ask else ""),
    )


MCP_ADAPTERS: Mapping[str, hooks.Adapter] = {
    name: _adapter(name, can_ask=can_ask) for name, can_ask in ((NAME, False), (ELICITING, True))
}
