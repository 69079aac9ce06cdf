"""The language of our plugin for OpenCode: the call as the host's hook gives it, yes or no back.

OpenCode has no hooks of its own that run a command. `plugin.js` runs inside it, puts every call
to signoff and throws unless the answer is exactly an allow.

    {"tool": "bash", "args": {"command": "ls"}, "sessionID": "s", "callID": "c", "directory": "/w"}
    {"decision": "deny", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import Adapter, HostAnswer, HostEvent
from signoff.frontends.hosts.naming import Caller, HostTool, text_of, tool_call
from signoff.frontends.hosts.wording import failure_of, one_line, refusal_of
from signoff.frontends.payloads import Names, parse_object
from signoff.settings import HostsAllow

NAME = "opencode"
TITLE = "OpenCode"
GO_ON = HostAnswer(stdout='{"decision": "allow"}')
PATH_LIMIT = 4_096

_FILE = {"filePath": "file_path"}
TOOLS: Mapping[str, HostTool] = {
    "bash": HostTool("Bash", folder="workdir", story=("description",)),
    "read": HostTool("Read", _FILE),
    "write": HostTool("Write", _FILE),
    "edit": HostTool(
        "Edit",
        {**_FILE, "oldString": "old_string", "newString": "new_string", "replaceAll": "all"},
    ),
    "multiedit": HostTool("MultiEdit", _FILE),
    "apply_patch": HostTool("apply_patch", {"patchText": "patch"}),
    "patch": HostTool("apply_patch", {"patchText": "patch"}),
    "list": HostTool("LS"),
    "glob": HostTool("Glob"),
    "grep": HostTool("Grep"),
    "webfetch": HostTool("WebFetch", story=("format", "timeout")),
    "websearch": HostTool("WebSearch"),
    "codesearch": HostTool("WebSearch"),
    "task": HostTool("Task"),
    "todowrite": HostTool("TodoWrite"),
    "todoread": HostTool("TodoRead"),
    "invalid": HostTool("TodoRead"),  # a call the host itself could not read
    "question": HostTool("AskUserQuestion"),
    "skill": HostTool("Skill"),
    "lsp": HostTool("LSP"),
}


def parse(raw: bytes) -> HostEvent:
    """Read one call.

    Raises:
        BadPayload: it cannot be read, or names no tool.
    """
    names = parse_object(raw)
    if "tool" not in names:
        raise BadPayload("event names no tool")
    caller = Caller(
        source=NAME,
        session=text_of(names, "sessionID"),
        cwd=text_of(names, "directory", PATH_LIMIT),
        request_id=text_of(names, "callID"),
    )
    return tool_call(names["tool"], names.get("args"), TOOLS, caller=caller)


def render(decision: Decision, hosts_allow: HostsAllow) -> HostAnswer:
    """Say a decision."""
    if decision.verdict is Verdict.ALLOW:
        return GO_ON
    return _deny(refusal_of(decision, TITLE))


def render_edited(decision: Decision, fields: Names) -> HostAnswer:
    """Say an allow of what a person has made of a call."""
    return HostAnswer(stdout=one_line({"decision": "allow", "args": fields}))


def failure(reason: str) -> HostAnswer:
    """Say a refusal."""
    return _deny(failure_of(reason))


def _deny(reason: str) -> HostAnswer:
    return HostAnswer(stdout=one_line({"decision": "deny", "reason": reason}))


ADAPTER = Adapter(
    name=NAME,
    parse=parse,
    render=render,
    failure=failure,
    nothing=GO_ON,
    can_ask=False,
    render_edited=render_edited,
)
