"""What comes first wherever a request is shown: its title, the call in one line, and whose it is.

The finding that settles the level leads: its operation is named. Where nothing was found, the
operation that is hardest to undo leads. A person who has three agents must see at a glance which
one asks. Everything here is bounded and safe to show.

    title_of(assessment, mask=redactor.text)
        -> "Force-pushes `feature/login` to `origin`; commits already there can be lost"
    title_of(assessment of a web request)
        -> "Web request `GET /item`: query `id` holds SQL that changes a query"
    command_line(Action(tool="Read", arguments={"file_path": "/etc/hosts"}))
        -> "Read file_path=/etc/hosts"
    origin(host="claude-code", folder="/home/dev/shop", session="23805cf6")
        ->  "Claude Code in shop, session 23805cf6"
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Mapping

from signoff.actions.action import Action, ActionKind
from signoff.actions.operation import Operation, Operations
from signoff.actions.tools.files import FILE_TOOLS
from signoff.actions.vocabulary import lazy_re
from signoff.actions.wording.calls.telling import masked_words
from signoff.actions.wording.edit_sentence import edit_sentence
from signoff.actions.wording.objects import object_of
from signoff.actions.wording.sentence import SHORTEST_OBJECT, consequence_of, say, sentence
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.threat.leading import alike, leading_operation, ranked
from signoff.challenge.visible import visible
from signoff.values import replace

TITLE_LIMIT = 90
Mask = Callable[[str], str]

COMMAND_LIMIT = 200

NAME_LIMIT = 60
SESSION_LIMIT = 80
# Only of these is the beginning enough to tell two apart; other ids may begin alike.
UUID = lazy_re(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
HTTP = "http"  # any program; it says itself which agent it is
# By the adapter or frontend a call came in by. Cards are drawn below the hosts,
# which may not be imported here: a test holds this equal to `called` in their manifests.
OWN_NAMES: Mapping[str, str] = {
    "claude-code": "Claude Code",
    "claude-agent-sdk": "Claude Agent SDK",
    "codex": "Codex",
    "codex-permission": "Codex",
    "cursor": "Cursor",
    "cursor-tool": "Cursor",
    "copilot": "Copilot",
    "gemini": "Gemini CLI",
    "antigravity": "Antigravity",
    "opencode": "OpenCode",
    "windsurf": "Windsurf",
    "cline": "Cline",
    "kiro": "Kiro",
    "openclaw": "OpenClaw",
    "agent-framework": "Microsoft Agent Framework",
    "agno": "Agno",
    "anthropic": "Anthropic SDK",
    "crewai": "CrewAI",
    "google-adk": "Google ADK",
    "inspect-ai": "Inspect",
    "langchain": "LangChain",
    "llama-index": "LlamaIndex",
    "openai-agents": "OpenAI Agents SDK",
    "pydantic-ai": "Pydantic AI",
    "python": "Python",
    "smolagents": "smolagents",
    "strands": "Strands",
    "mcp": "MCP client",
    "mcp-elicit": "MCP client",
}

# Their findings say no more about an operation than what calls its words are typical of.
LIKE = {
    "call-classifier.denied": "its wording is like that of denied calls",
    "call-classifier.asked": "its wording is like that of asked calls",
}
_REQUEST = "Web request "
_FOUND_TEXT = ": `"
# The login in an address: `https://ada:secret@host`, an `hmac:` in place of it as well.
_LOGIN = lazy_re(r"(?<=://)[^/@\s]*:[^/@\s]*@")


def title_of(assessed: Assessed, *, mask: Mask = str) -> str:
    """Return the worst effect of a call in words, at most `TITLE_LIMIT` characters."""
    if assessed.action.kind is ActionKind.RESULT:
        return _cut(
            f"Gives the model a suspicious result of `{visible(mask(assessed.action.tool))}`",
            TITLE_LIMIT,
        )
    if assessed.action.kind is ActionKind.HTTP_REQUEST:
        return _request_title(assessed, mask)
    worst = worst_of(assessed.operations, assessed.findings)
    if worst is None:
        return _cut(f"Calls `{visible(mask(assessed.action.tool))}`", TITLE_LIMIT)
    because = _LOGIN.sub("", visible(mask(_because(worst, assessed))))
    shown = _shown(worst, assessed.action, mask)
    of_edit = ""
    if assessed.action.tool in FILE_TOOLS:
        every = tuple([_shown(op, assessed.action, mask) for op in assessed.operations])
        of_edit = edit_sentence(assessed.action, every, shown, because=because, limit=TITLE_LIMIT)
    more = alike(worst, assessed.operations)
    said = of_edit or sentence(shown, TITLE_LIMIT, because=because, more=more)
    return _cut(mask(said), TITLE_LIMIT)


def _shown(op: Operation, action: Action, mask: Mask) -> Operation:
    """Return an operation as a title names it: without secrets, paths from the project."""
    shown = masked(op, mask)
    # A title stands in notices and previews as well, where a login has no business.
    # Of a file of the project the path from there; the card names the folder beside it.
    target = shown.target.removeprefix(_beginning(action.cwd))
    return replace(shown, target=_LOGIN.sub("", target))


def _beginning(folder: str) -> str:
    """Return how the path of a file in a folder begins, "" for the root or an unknown folder."""
    plain = folder.rstrip("/")
    return f"{plain}/" if plain else ""


def _request_title(assessed: Assessed, mask: Mask) -> str:
    """Return which request reached an application, and what is wrong with it.

    Its method and path are words of whoever sent it: they do not say what would happen. The end of
    the sentence is worth more than the middle of a long path.
    """
    action = assessed.action
    leading = next(iter(ranked(assessed.findings, assessed.operations)), None)
    # The text itself follows the words of a detector; a title has no room for it.
    found = leading.evidence.partition(_FOUND_TEXT)[0] if leading else ""
    end = f": {visible(mask(found))}" if found else ""
    line = visible(mask(f"{action.text('method')} {action.text('path')}"))
    room = TITLE_LIMIT - len(end) - len("``")
    start = _REQUEST if room >= len(_REQUEST) + SHORTEST_OBJECT else ""
    room = max(SHORTEST_OBJECT, room - len(start))
    return _cut(f"{start}{object_of(line, room)}{end}", TITLE_LIMIT)


def _because(worst: Operation, assessed: Assessed) -> str:
    """Return what the leading finding adds to the sentence of its operation, "" for nothing."""
    leading = next(iter(ranked(assessed.findings, assessed.operations)), None)
    if leading is None:
        return ""
    if leading.category in LIKE and not consequence_of(worst):
        return LIKE[leading.category]
    said, by, because = leading.evidence.partition(f"{say(worst)}: ")
    return because if by and not said else ""


def masked(op: Operation, mask: Mask) -> Operation:
    """Return a copy of an operation with secrets masked.

    Masking comes before cutting, since a cut secret is no longer recognised.
    """
    return replace(
        op,
        target=visible(mask(op.target)),
        path=visible(mask(op.path)),
        program=visible(mask(op.program)),
        why=visible(mask(op.why)),
        place=tuple((kind, visible(mask(name))) for kind, name in op.place),
        call=op.call and masked_words(op.call, lambda text: visible(mask(text))),
    )


def worst_of(operations: Operations, findings: tuple[Finding, ...] = ()) -> Operation | None:
    """Return the operation to name in a title, None if the call has no known effect."""
    return leading_operation(findings, operations)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def command_line(action: Action, *, mask: Mask = str) -> str:
    """Return a call in one line: a shell's command, or the tool with its arguments."""
    command = action.text("command")
    if command:
        return _cut(visible(" ".join(mask(command).split())), COMMAND_LIMIT)
    given = (
        f"{name}={mask(value if isinstance(value, str) else json.dumps(value))}"
        for name, value in action.arguments.items()
    )
    return _cut(visible(" ".join(f"{action.tool} {' '.join(given)}".split())), COMMAND_LIMIT)


def own_name(source: str) -> str:
    """Return the display name of a host, or its id if it has none.

    Args:
        source: id of the adapter the call came through.
    """
    return OWN_NAMES.get(source) or bounded_name(source)


def bounded_name(text: str, limit: int = NAME_LIMIT) -> str:
    """Return a name with invisible characters escaped, cut to `limit` characters."""
    # Cut first: the name of a session can be megabytes long (T-58).
    shown = visible(text[: limit + 1])
    return shown if len(shown) <= limit else f"{shown[:limit]}..."


def session_name(session: str) -> str:
    """Return a short name of a session: the first part of a UUID, other ids unchanged."""
    return session[:8] if UUID.fullmatch(session) else bounded_name(session, SESSION_LIMIT)


def folder_name(path: str) -> str:
    """Return the last part of a path, "" for ""; "/" is returned unchanged."""
    return bounded_name(posixpath.basename(path.rstrip("/")) or path[:1])


def origin(*, host: str, folder: str = "", agent: str = "", session: str = "") -> str:
    """Return in one line which host, project and agent a call is from; "" if unknown.

    Args:
        host: name of its adapter.
        folder: the project's folder, or where the session runs.
        agent: which of several agents in a session; the agent's name if there is no host.
    """
    name = own_name(host) or bounded_name(agent)
    # Any program may call over HTTP and name itself, so the card says how it came.
    if host == HTTP and agent:
        name, agent = f"{bounded_name(agent)} (over HTTP)", ""
    if not name and not session:
        return ""
    where = f" in {folder_name(folder)}" if folder else ""
    parts = (
        f"{name or 'an agent'}{where}",
        f"agent {bounded_name(agent)}" if host and agent not in ("", host) else "",
        f"session {session_name(session)}" if session else "",
    )
    return ", ".join(filter(None, parts))
