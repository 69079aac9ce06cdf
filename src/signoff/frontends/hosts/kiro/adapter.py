"""The language of Kiro CLI and Amazon Q CLI: exit status 2 with a reason refuses.

What goes on is answered with an empty object, so that the installed command can tell a guard
that said yes from one that said nothing.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts import naming
from signoff.frontends.hosts.canary import LINE
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.hosts.wording import one_line
from signoff.frontends.payloads import Names, parse_object

NAME = "kiro"

_SHELL = naming.HostTool("Bash", folder="working_dir", without_effect=("summary",))
_EDITS = {"str_replace": "Edit", "insert": "Edit", "append": "Edit", "create": "Write"}
TOOLS: Mapping[str, naming.HostTool] = {
    "execute_bash": _SHELL,
    "shell": _SHELL,
    "execute_cmd": naming.HostTool("PowerShell", without_effect=("summary",)),
    "Write": naming.HostTool(
        "Write", {"file_text": "content"}, without_effect=("command", "summary")
    ),
    "Edit": naming.HostTool(
        "Edit",
        {"old_str": "old_string", "new_str": "new_string"},
        without_effect=("command", "summary", "insert_line"),
    ),
    "glob": naming.HostTool("Glob"),
    "grep": naming.HostTool("Grep"),
    "web_fetch": naming.HostTool("WebFetch"),
    "web_search": naming.HostTool("WebSearch"),
    "thinking": naming.HostTool("TodoWrite"),
    "introspect": naming.HostTool("TodoRead"),
    "todo_list": naming.HostTool("TodoWrite"),
    "todo": naming.HostTool("TodoWrite"),
}
REPORTS: Mapping[str, hooks.ReportKind] = {
    "agentSpawn": hooks.ReportKind.START,
    "userPromptSubmit": hooks.ReportKind.PROMPT,
    "stop": hooks.ReportKind.STOP,
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of Kiro's hooks.

    Raises:
        BadPayload: it is not valid, or neither a call nor a report.
    """
    names = parse_object(raw)
    event = naming.text_of(names, "hook_event_name")
    caller = naming.caller_of(names, NAME)
    if event in REPORTS:
        return naming.report_of(REPORTS[event], caller, naming.text_of(names, "tool_name"))
    if event not in {"preToolUse", "postToolUse"}:
        raise BadPayload(f"unknown event `{event}`")
    call = _call(naming.text_of(names, "tool_name"), names.get("tool_input"))
    if event == "preToolUse":
        return naming.tool_call(*call, TOOLS, caller=caller)
    result = names.get("tool_response")
    has_failed = isinstance(result, Mapping) and result.get("success") is False
    return naming.ended_of(caller, call, TOOLS, has_failed=has_failed)


def _call(tool: str, fields: Json) -> tuple[str, Json]:
    """Return tool and fields as the table knows them."""
    told: Names = fields if isinstance(fields, Mapping) else {}
    if tool.startswith("@"):
        server, _, name = tool[1:].partition("/")
        return naming.mcp_name(server, name), fields
    match tool:
        case "fs_read" | "read":
            return "read_many_files", {"paths": _paths(told)}
        case "fs_write" | "write":
            return _EDITS.get(str(told.get("command")), tool), fields
        case "use_aws" | "aws":
            return "execute_bash", {"command": _aws_line(told)}
    return tool, fields


def _paths(told: Names) -> list[Json]:
    """Return the paths of a read, which holds several in one call."""
    operations = told.get("operations")
    many = isinstance(operations, Sequence) and not isinstance(operations, str)
    parts = list(operations) if many and isinstance(operations, Sequence) else [told]
    paths: list[Json] = []
    for part in parts:
        said: Names = part if isinstance(part, Mapping) else {}
        path, images = said.get("path"), said.get("image_paths")
        has_images = isinstance(images, Sequence) and not isinstance(images, str)
        if not isinstance(path, str) and not has_images:
            # Refused, as it may read what nobody can see here.
            raise BadPayload("a read names no path")
        paths += [path] if isinstance(path, str) else []
        paths += images if has_images and isinstance(images, Sequence) else []
    return paths


def _aws_line(told: Names) -> str:
    """Return the line of the AWS command line that does the same."""
    words = ["aws", naming.text_of(told, "service_name"), naming.text_of(told, "operation_name")]
    for option, key in (("--region", "region"), ("--profile", "profile_name")):
        if said := naming.text_of(told, key):
            words += [option, said]
    parameters = told.get("parameters")
    if isinstance(parameters, Mapping):
        for name, value in parameters.items():
            words.append(f"--{name.lstrip('-')}")
            words.append(value if isinstance(value, str) else one_line({"value": value}))
    return shlex.join(words)


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Kiro",
    parse=parse,
    nothing=hooks.NO_DECISION,
    refuse=hooks.refuse_by_status,
    wait=Wait(),
    canary={
        "hook_event_name": "preToolUse",
        "cwd": "/",
        "tool_name": "execute_bash",
        "tool_input": {"command": LINE},
    },
    rules=hooks.HostRules(has_status=True, needs_words=True),
    form=hooks.HookOutputFormat(),
)
