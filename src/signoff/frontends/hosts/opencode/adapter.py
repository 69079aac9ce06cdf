"""The language of our plugin for OpenCode: the call as the host's hook gives it, yes or no back.

OpenCode has no hooks of its own that run a command. `plugin.js` runs inside it, puts every call
to signoff and throws unless the answer is exactly an allow.

    {"tool": "bash", "args": {"command": "ls"}, "sessionID": "s", "callID": "c", "directory": "/w"}
    {"decision": "deny", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import PATH_LIMIT, Caller, HostTool, text_of, tool_call
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import parse_object

NAME = "opencode"

_FILE = {"filePath": "file_path"}
TOOLS: Mapping[str, HostTool] = {
    "bash": HostTool("Bash", folder="workdir", without_effect=("description",)),
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
    "webfetch": HostTool("WebFetch", without_effect=("format", "timeout")),
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


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse a call from opencode's plugin.

    Raises:
        BadPayload: it is not valid, or names no tool.
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


ADAPTER = hooks.Adapter(
    name=NAME,
    called="OpenCode",
    parse=parse,
    nothing=hooks.HostAnswer(stdout='{"decision": "allow"}'),
    refuse=hooks.decision_word("deny"),
    wait=Wait(),  # our plugin's own limit; the host has none
    canary={"tool": "bash", "args": {"command": LINE}, "sessionID": SESSION, "directory": "/"},
    rules=hooks.HostRules(decision=("decision",)),
    render_edited=lambda _, fields: hooks.HostAnswer.of({"decision": "allow", "args": fields}),
)
