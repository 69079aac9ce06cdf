"""Translates a host's names of tools and fields into signoff's.

Each host has a table: which of its tools is which of ours, and what their fields are called. A tool
that is not in the table keeps its name and is judged as an unknown tool. A field that is not in the
table stays, so that every part of a call is judged. Only the fields listed as `without_effect` are
left out, such as the agent's own words about its call.

    TOOLS = {"run_shell_command": HostTool("Bash", {"is_background": "run_in_background"})}
    caller = Caller(source="gemini", cwd="/w")
    tool_call("run_shell_command", {"command": "ls"}, TOOLS, caller=caller)
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import AgentStop, HostEvent, Report, ReportKind
from signoff.frontends.payloads import SHELL_TOOLS, Names, read_call
from signoff.frontends.strict_json import parse_json

NAME_LIMIT = 256
PATH_LIMIT = 4_096
WORDS_LIMIT = 100_000  # of what an agent said last


class HostTool(Struct, frozen=True):
    """How one tool of a host translates to a tool signoff understands.

    Args:
        tool: the tool's name in signoff.
        fields: the host's field names, with signoff's names for them.
        folder: the host's field for the working folder, "" if there is none.
        without_effect: the host's fields that do not change what happens, as a description.
    """

    tool: str
    fields: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""
    without_effect: tuple[str, ...] = ()


UNNAMED = HostTool("")
DESCRIPTION = "description"  # of a command, which `read_call` leaves out


class Caller(Struct, frozen=True, kw_only=True):
    """Who makes the call and where, as far as the host says; fields may be ""."""

    source: str
    session: str = ""
    agent: str = ""
    cwd: str = ""
    request_id: str = ""


def tool_call(
    tool: Json, fields: Json, tools: Mapping[str, HostTool], *, caller: Caller
) -> HostEvent:
    """Build the event of one tool call, with the host's names translated to signoff's.

    Raises:
        BadPayload: it cannot be parsed, or two fields give different values for one argument.
    """
    known = tools.get(tool) if isinstance(tool, str) else None
    before = fields
    if known is not None and isinstance(fields, Mapping):
        if known.folder:
            caller = replace(caller, cwd=_folder(fields.get(known.folder), caller.cwd))
        tool, fields = known.tool, _renamed(fields, known)
    call: dict[str, Json] = {
        "tool_name": tool,
        "tool_input": fields,
        "cwd": caller.cwd,
        "session_id": caller.session,
        "agent_id": caller.agent,
        "tool_use_id": caller.request_id,
    }
    known = known or UNNAMED
    if tool in SHELL_TOOLS:
        # `read_call` takes it out of a shell call, and the host gets it back with an edited one.
        known = replace(known, without_effect=(*known.without_effect, DESCRIPTION))
    return HostEvent(
        call=read_call(call, source=caller.source),
        retell=partial(told_back, before=before, known=known),
    )


def told_back(arguments: Names, *, before: Json, known: HostTool) -> Names:
    """Translate edited arguments to the host's names; its other fields stay as they were.

    Raises:
        BadPayload: they cannot be expressed in the form the host gave them in.
    """
    if not isinstance(before, Mapping):
        raise BadPayload("the call had no fields that could be changed")
    beside = (*known.without_effect, known.folder)
    theirs = {ours: name for name, ours in known.fields.items()}
    # Where a host knows two names, the one the call has used wins.
    theirs |= {known.fields.get(name, name): name for name in before if name not in beside}
    found: dict[str, Json] = {name: before[name] for name in before if name in beside}
    for ours, value in arguments.items():
        name = theirs.get(ours, ours)
        # A command that came as a list of words, for example, cannot go back as a text.
        if name in beside or not isinstance(value, type(before.get(name, value))):
            raise BadPayload(f"`{name[:40]}` cannot be changed in this way at its host")
        found[name] = value
    return found


def merging(event: HostEvent, before: Json) -> HostEvent:
    """Return an event of a host that merges edited arguments: none can be removed.

    Args:
        before: the original arguments in the host's names.
    """
    retell = event.retell
    if retell is None or not isinstance(before, Mapping):
        return event

    def retold(arguments: Names) -> Names:
        found = retell(arguments)
        if gone := [name[:40] for name in before if name not in found]:
            raise BadPayload(f"`{gone[0]}` cannot be taken away at its host")
        return found

    return replace(event, retell=retold)


def caller_of(
    names: Names, source: str, *, session: str = "session_id", request_id: str = "tool_use_id"
) -> Caller:
    """Build the Caller from the host's names for session and request id.

    Raises:
        BadPayload: one of them is not text.
    """
    return Caller(
        source=source,
        session=text_of(names, session),
        agent=text_of(names, "agent_id"),
        cwd=text_of(names, "cwd", PATH_LIMIT),
        request_id=text_of(names, request_id),
    )


def report_of(
    kind: ReportKind, caller: Caller, tool: str = "", *, stop: AgentStop | None = None
) -> HostEvent:
    """Build the event of something that has already happened and needs no decision."""
    return HostEvent(
        report=Report(
            kind=kind,
            session=caller.session,
            agent=caller.agent,
            cwd=caller.cwd,
            tool=tool,
            stop=stop,
        )
    )


def ended_of(
    caller: Caller,
    call: tuple[Json, Json],
    tools: Mapping[str, HostTool],
    *,
    call_id: str = "",
    has_failed: bool = False,
    output: Json = None,
) -> HostEvent:
    """Build the event of a finished call, parsed just as it was before it ran.

    Args:
        call: the tool and its fields, in the host's names.
        call_id: the host's id of this call, "" if it gives none.
        output: what came back, on hosts that take a note about it.
    """
    tool = call[0] if isinstance(call[0], str) else ""
    report = Report(
        kind=ReportKind.TOOL_DONE,
        session=caller.session,
        agent=caller.agent,
        cwd=caller.cwd,
        tool=tool,
        call_id=call_id,
        has_failed=has_failed,
        output=output,
    )
    try:
        told = tool_call(tool, call[1], tools, caller=caller).call
    except BadPayload:
        return HostEvent(report=report)  # that it has ended is told all the same
    return HostEvent(report=replace(report, call=told.action if told else None))


def text_of(names: Names, key: str, limit: int = NAME_LIMIT) -> str:
    """Return the text at `key` of an event, "" if it is missing.

    Raises:
        BadPayload: it is not text, or longer than `limit` characters.
    """
    value = names.get(key)
    if value is None:
        return ""
    # Refused and not cut: two long ids that begin alike would become one session.
    if not isinstance(value, str) or len(value) > limit:
        raise BadPayload(f"{key} is no text of at most {limit} characters")
    return value


def first_folder(names: Names, key: str) -> str:
    """Return the first of a list of folders, "" if there is none."""
    folders = names.get(key)
    if isinstance(folders, Sequence) and folders and isinstance(folders[0], str):
        return folders[0]
    return ""


def unpacked(value: Json) -> Json:
    """Return fields parsed from a JSON string, as some hosts send them.

    Raises:
        BadPayload: the string is not JSON.
    """
    return parse_json(value) if isinstance(value, str) else value


def mcp_name(server: str, tool: str) -> str:
    """Return the full name of an MCP tool: `mcp__server__tool`."""
    return f"mcp__{server}__{tool}"


def _renamed(fields: Names, known: HostTool) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in fields.items():
        # Most tools have no folder field: an argument named "" must not be skipped for that.
        if name in known.without_effect or (known.folder and name == known.folder):
            continue
        ours = known.fields.get(name, name)
        # Such as `absolute_path` beside `file_path`: the host may use the one that was not
        # judged.
        if ours in found:
            raise BadPayload(f"{known.tool} is told its {ours[:40]} twice")
        found[ours] = _shell_line(value) if ours == "command" else value
    return found


def _shell_line(value: Json) -> Json:
    """Return the words of a command as the line that runs them."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return value
    if not all(isinstance(word, str) for word in value):
        raise BadPayload("command holds a word that is no text")
    return shlex.join(str(word) for word in value)


def _folder(said: Json, cwd: str) -> str:
    """Return the folder a call runs in, as said by the call itself."""
    if said is None or said == "":
        return cwd
    # Hosts differ in whether they expand `~`.
    if not isinstance(said, str) or said.startswith("~"):
        raise BadPayload("the folder of the call is unknown")
    return posixpath.normpath(posixpath.join(cwd or "/", said))
