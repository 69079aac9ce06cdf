"""Every host: a visible tuple, one line each, and what is looked up in it by an adapter's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.action import Action
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.antigravity import HOST as ANTIGRAVITY
from signoff.frontends.hosts.claude_code import HOST as CLAUDE_CODE
from signoff.frontends.hosts.cline import HOST as CLINE
from signoff.frontends.hosts.codex import HOST as CODEX
from signoff.frontends.hosts.copilot import HOST as COPILOT
from signoff.frontends.hosts.cursor import HOST as CURSOR
from signoff.frontends.hosts.gemini import HOST as GEMINI
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.kiro import HOST as KIRO
from signoff.frontends.hosts.openclaw import HOST as OPENCLAW
from signoff.frontends.hosts.opencode import HOST as OPENCODE
from signoff.frontends.hosts.windsurf import HOST as WINDSURF

HOSTS: tuple[HostManifest, ...] = (
    CLAUDE_CODE,
    CODEX,
    CURSOR,
    COPILOT,
    GEMINI,
    ANTIGRAVITY,
    OPENCODE,
    WINDSURF,
    CLINE,
    KIRO,
    OPENCLAW,
)
BY_NAME: Mapping[str, HostManifest] = {host.name: host for host in HOSTS}
ADAPTERS: Mapping[str, Adapter] = {
    adapter.name: adapter for host in HOSTS for adapter in host.adapters
}
# Those whose documents say that a hook can change the input of a call.
EDITS = frozenset(name for name, adapter in ADAPTERS.items() if adapter.render_edited is not None)
# By the host's name, which the calls of both events come by: what knows a call again.
REPEATS: Mapping[tuple[str, str], Callable[[Action, Action], bool]] = {
    (host.name, host.name): adapter.repeats
    for host in HOSTS
    for adapter in host.adapters
    if adapter.repeats is not None
}
