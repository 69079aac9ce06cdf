"""Which commands belong to the service where it is installed, and to whom they are open.

    prepare("approve")

What works on the service's files is for root, whose process becomes the service's user. What only
asks the daemon is for everybody.
"""

from __future__ import annotations

import os

from signoff.channels.registry import CHANNELS
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.client.found import service_here
from signoff.frontends.service.becoming import become

ASKING = frozenset({"open", "status", "confirm"})
REQUESTS = frozenset({"pending", "show", "approve", "allow-once", "deny", "watch", "grants"})
STATE = frozenset({"mode", "approvers", "policies", "lock", "unlock", "sessions", "audit", "cost"})
SWITCHES = frozenset({"nap", "shadow", "learn", "trust"})
ON_FILES = REQUESTS | STATE | SWITCHES | {one.name for one in CHANNELS}
STARTED_ELSEWHERE = frozenset({"up", "down"})
NOT_THERE = frozenset({"init"})


def prepare(name: str) -> None:
    """Let a command act for the system service, or raise how that can be done.

    Args:
        name: of the command.

    Raises:
        Refusal: it takes root, or the service manager does it.
    """
    service = service_here()
    if service is None or name not in ASKING | ON_FILES | STARTED_ELSEWHERE | NOT_THERE:
        return
    if name in STARTED_ELSEWHERE:
        raise Refusal(
            "signoff runs as a service of this machine: `systemctl start signoff` starts it,"
            " `systemctl stop signoff.socket` ends it"
        )
    if name in NOT_THERE:
        raise Refusal(
            f"`signoff {name}` does not work where signoff runs as a service:"
            " `sudo signoff service init` sets that up"
        )
    # For questions, too: to the service its own user is the administrator, and root is a
    # stranger.
    if os.geteuid() == 0:
        with errors_as_messages():
            become(service)
    elif name in ON_FILES:
        raise Refusal(f"signoff runs as a service of this machine: `sudo signoff {name} ...`")
