"""Antigravity's own language: `decision` allow, deny, ask or force_ask.

Only `force_ask` is sure to reach a person: `ask` is answered by what the user once allowed for
good. Every event needs a decision, as Antigravity refuses where there is none; its allow does
not skip its own confirmation.

    {"decision": "force_ask", "reason": "signoff: ..."}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.errors import BadPayload
from signoff.frontends.hosts import adapter as hooks
from signoff.frontends.hosts.canary import LINE, SESSION
from signoff.frontends.hosts.naming import Caller, HostTool, first_folder, text_of, tool_call
from signoff.frontends.hosts.waits import Wait
from signoff.frontends.payloads import parse_object

NAME = "antigravity"

_WITHOUT_EFFECT = ("toolSummary", "toolAction", "Description", "Instruction", "Complexity")
TOOLS: Mapping[str, HostTool] = {
    "run_command": HostTool(
        "Bash",
        {"CommandLine": "command"},
        folder="Cwd",
        # `SafeToAutoRun` is what the model says of its own call, so it counts for nothing.
        without_effect=("Blocking", "WaitMsBeforeAsync", "SafeToAutoRun", *_WITHOUT_EFFECT),
    ),
    "view_file": HostTool("Read", {"AbsolutePath": "file_path"}, without_effect=_WITHOUT_EFFECT),
    "write_to_file": HostTool(
        "Write",
        {"TargetFile": "file_path", "CodeContent": "content"},
        without_effect=("Overwrite", "EmptyFile", *_WITHOUT_EFFECT),
    ),
    "list_dir": HostTool("LS", {"DirectoryPath": "path"}, without_effect=_WITHOUT_EFFECT),
    "grep_search": HostTool(
        "Grep", {"SearchPath": "path", "Query": "pattern"}, without_effect=_WITHOUT_EFFECT
    ),
    "find_by_name": HostTool(
        "Glob", {"SearchDirectory": "path", "Pattern": "pattern"}, without_effect=_WITHOUT_EFFECT
    ),
    "read_url_content": HostTool("WebFetch", {"Url": "url"}, without_effect=_WITHOUT_EFFECT),
    "search_web": HostTool("WebSearch", without_effect=_WITHOUT_EFFECT),
}


def parse(raw: bytes) -> hooks.HostEvent:
    """Parse an event of the hook, which only reports calls.

    Raises:
        BadPayload: it is not valid, or not a call.
    """
    names = parse_object(raw)
    call = names.get("toolCall")
    if not isinstance(call, Mapping):
        raise BadPayload("event names no tool")
    caller = Caller(
        source=NAME,
        session=text_of(names, "conversationId") or text_of(names, "sessionId"),
        cwd=first_folder(names, "workspacePaths"),
    )
    return tool_call(call.get("name"), call.get("args"), TOOLS, caller=caller)


ADAPTER = hooks.Adapter(
    name=NAME,
    called="Antigravity",
    parse=parse,
    nothing=hooks.HostAnswer(stdout='{"decision": "allow"}'),
    refuse=hooks.decision_word("deny"),
    ask=hooks.decision_word("force_ask"),
    wait=Wait(60),  # its documents name no longest time
    canary={
        "conversationId": SESSION,
        "workspacePaths": ["/"],
        "toolCall": {"name": "run_command", "args": {"CommandLine": LINE}},
    },
    rules=hooks.HostRules(decision=("decision",), ask="force_ask"),
    form=hooks.HookOutputFormat(
        answers=(
            """'{"decision": "allow"}'""",
            """'{"decision": "force_ask", '*'"}'""",
            """'{"decision": "deny", '*'"}'""",
        ),
        refuses_in_words=True,
    ),
)
