"""Every host whose hook is answered: a visible table, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.action import Action
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.antigravity.adapter import ADAPTER as ANTIGRAVITY
from signoff.frontends.hosts.claude_code.adapter import ADAPTER as CLAUDE_CODE
from signoff.frontends.hosts.cline.adapter import ADAPTER as CLINE
from signoff.frontends.hosts.codex.adapter import ADAPTER as CODEX
from signoff.frontends.hosts.codex.adapter import PERMISSION_ADAPTER as CODEX_PERMISSION
from signoff.frontends.hosts.copilot.adapter import ADAPTER as COPILOT
from signoff.frontends.hosts.cursor.adapter import ADAPTER as CURSOR
from signoff.frontends.hosts.cursor.adapter import TOOL_ADAPTER as CURSOR_TOOL
from signoff.frontends.hosts.gemini.adapter import ADAPTER as GEMINI
from signoff.frontends.hosts.kiro.adapter import ADAPTER as KIRO
from signoff.frontends.hosts.openclaw.adapter import ADAPTER as OPENCLAW
from signoff.frontends.hosts.opencode.adapter import ADAPTER as OPENCODE
from signoff.frontends.hosts.windsurf.adapter import ADAPTER as WINDSURF

HOSTS: Mapping[str, Adapter] = {
    adapter.name: adapter
    for adapter in (
        CLAUDE_CODE,
        CODEX,
        CODEX_PERMISSION,
        CURSOR,
        CURSOR_TOOL,
        COPILOT,
        GEMINI,
        ANTIGRAVITY,
        OPENCODE,
        WINDSURF,
        CLINE,
        KIRO,
        OPENCLAW,
    )
}
# Those whose documents say that a hook can change the input of a call.
EDITS = frozenset(adapter.name for adapter in HOSTS.values() if adapter.render_edited is not None)
# Those that tell of a call by two events before it runs, each with what knows it again.
REPEATS: Mapping[str, Callable[[Action, Action], bool]] = {
    first.name: second.repeats
    for first, second in ((CODEX, CODEX_PERMISSION), (CURSOR, CURSOR))
    if second.repeats is not None
}
