"""What stands behind a host's hook in a process of its own: a gate for one event.

A host that can ask its user gets the question handed back; for any other there is nobody to ask,
and a question is a refusal. The project is the one the host was started in: an agent that changes
its folder does not change whose rules hold.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from signoff.actions.action import Action
from signoff.build.gate import build_gate
from signoff.challenge.people.host_prompt import HostChannel
from signoff.decide.decision import Decision
from signoff.frontends.hosts.adapter import Adapter
from signoff.settings import HostsAllow, load_settings
from signoff.storage.fs_probe.project import find_project


def connect(adapter: Adapter) -> tuple[Callable[[Action], Decision], HostsAllow]:
    """Build what decides about one event in this process; return it and `hosts_allow`.

    Raises:
        BadSettings: a settings file or variable is refused.
        StoreError: the key of this installation cannot be made or read.
    """
    folder = os.environ.get(adapter.project_variable, "") or os.getcwd()
    project = find_project(folder, home=os.path.expanduser("~"))
    settings = load_settings(project.root)
    gate = build_gate(settings, channels=(HostChannel(),) if adapter.can_ask else ())
    return gate.check_now, settings.hosts_allow
