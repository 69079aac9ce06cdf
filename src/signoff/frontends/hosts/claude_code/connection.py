"""What stands behind the hook: a gate that hands questions to Claude Code's own prompt.

The hook has no terminal of its own, so the host asks. The project is the one the session was
started in: an agent that changes its folder does not change whose rules hold.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from signoff.actions.action import Action
from signoff.build.gate import build_gate
from signoff.challenge.channels.host import HostChannel
from signoff.decide.decision import Decision
from signoff.settings import HostsAllow, load_settings
from signoff.storage.fs_probe.project import find_project

PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"  # set by the host for its hooks


def connect() -> tuple[Callable[[Action], Decision], HostsAllow]:
    """Build the gate for one event.

    Raises:
        BadSettings: a settings file or variable is refused.
        StoreError: the key of this installation cannot be made or read.
    """
    folder = os.environ.get(PROJECT_VARIABLE) or os.getcwd()
    project = find_project(folder, home=os.path.expanduser("~"))
    settings = load_settings(project.root)
    gate = build_gate(settings, channels=(HostChannel(),))
    return gate.check_now, settings.hosts_allow
