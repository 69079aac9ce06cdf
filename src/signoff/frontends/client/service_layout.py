"""Where the system service keeps its things: the same on every machine of one system.

The daemon that uses `LAYOUT.state` is the service: it listens on `LAYOUT.socket`, for every user.
The folders are fixed, so that a hook finds the socket without a file that somebody could change.
"""

from __future__ import annotations

import sys

from msgspec import Struct


class ServiceLayout(Struct, frozen=True, kw_only=True):
    """The paths and the user of the service on one system.

    Args:
        user: the system user it runs as; nobody else runs as this user.
        unit: the file that starts it; the service is installed if this file exists.
        config: folder of its settings, tokens and approvers, for its user only.
        state: folder of its record, requests and keys, for its user only.
        socket: where hooks of every user connect.
    """

    user: str
    unit: str
    config: str
    state: str
    socket: str


LINUX = ServiceLayout(
    user="signoff",
    unit="/etc/systemd/system/signoff.service",
    config="/etc/signoff",
    state="/var/lib/signoff",
    socket="/run/signoff/daemon.sock",
)
MACOS = ServiceLayout(
    user="_signoff",
    unit="/Library/LaunchDaemons/org.signoff.service.plist",
    config="/Library/Application Support/signoff/config",
    state="/Library/Application Support/signoff/state",
    socket="/Library/Application Support/signoff/run/daemon.sock",
)
LAYOUT = MACOS if sys.platform == "darwin" else LINUX
