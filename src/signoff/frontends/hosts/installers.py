"""Every host signoff can be installed in front of: a visible table, one line each.

Claude Code is not among them: it can be reached in more ways than one, and installs itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.frontends.hosts.antigravity.install import INSTALLER as ANTIGRAVITY
from signoff.frontends.hosts.cline.install import INSTALLER as CLINE
from signoff.frontends.hosts.codex.install import INSTALLER as CODEX
from signoff.frontends.hosts.copilot.install import INSTALLER as COPILOT
from signoff.frontends.hosts.cursor.install import INSTALLER as CURSOR
from signoff.frontends.hosts.gemini.install import INSTALLER as GEMINI
from signoff.frontends.hosts.installing.installer import Installer
from signoff.frontends.hosts.kiro.install import INSTALLER as KIRO
from signoff.frontends.hosts.openclaw.install import INSTALLER as OPENCLAW
from signoff.frontends.hosts.opencode.install import INSTALLER as OPENCODE
from signoff.frontends.hosts.windsurf.install import INSTALLER as WINDSURF

INSTALLERS: Mapping[str, Installer] = {
    installer.name: installer
    for installer in (
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
}
