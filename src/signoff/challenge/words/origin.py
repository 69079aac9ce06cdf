"""Whose call or question it is, in words a person knows: the host's own name, its project, session.

A person who has three agents must see at a glance which one asks. Everything here is safe to show
and bounded; what has no name of its own is shown as it calls itself.

    origin(host="claude-code", folder="/home/dev/shop", session="23805cf6")
        ->  "Claude Code in shop, session 23805cf6"
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from signoff.challenge.card import Card
from signoff.challenge.visible import visible
from signoff.challenge.words.asking import About

NAME_LIMIT = 60
SESSION_LIMIT = 80
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
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


def own_name(source: str) -> str:
    """Return what people call the host a call came from."""
    return OWN_NAMES.get(source) or bounded_name(source)


def bounded_name(text: str, limit: int = NAME_LIMIT) -> str:
    """Return a name that is safe to show, and short."""
    shown = visible(text[: limit + 1])
    return shown if len(shown) <= limit else f"{shown[:limit]}..."


def session_name(session: str) -> str:
    """Return what tells a session from others: the first part of a UUID, others as they are."""
    return session[:8] if UUID.fullmatch(session) else bounded_name(session, SESSION_LIMIT)


def folder_name(path: str) -> str:
    """Return what a folder is called, "" for none; the root is itself."""
    return bounded_name(posixpath.basename(path.rstrip("/")) or path[:1])


def origin_of_call(card: Card) -> str:
    """Return in one line where a card's call comes from: host, agent, project; "" if unknown."""
    folder = card.project or card.cwd
    return origin(host=card.host, folder=folder, agent=card.agent, session=card.session)


def origin_words(about: About) -> str:
    """Return in one line which host, agent and project a question comes from."""
    said = origin(host=about.host, folder=about.cwd, agent=about.agent, session=about.session)
    return said or "the agent"


def origin(*, host: str, folder: str = "", agent: str = "", session: str = "") -> str:
    """Return in one line whose it is, "" if nothing is known but a folder.

    Args:
        host: the name of its adapter.
        folder: of its project, or where it is.
        agent: which one of several in a session; its name where there is no host.
    """
    name = own_name(host) or bounded_name(agent)
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
