"""The command by which a host's hook reaches the daemon.

    client_words("claude-code", settings)
        -> [".../python", "-I", "-S", ".../client.py", "claude-code", "--socket", ...]

What the client needs to know is in the command: it reads no settings. Where the system runs
the daemon as a service, no hook starts one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from signoff.errors import BadSettings
from signoff.frontends.client.found import places_of
from signoff.settings import Settings, WithoutDaemon

CLIENT = Path(__file__).with_name("client.py")
MARK = "--socket"  # what tells the client's command from others
REPORT_MARK = "--report"  # and one that reports from one that decides
RESULT_MARK = "--result"  # and one that has a result read


def client_words(host: str, settings: Settings, *, deadline_s: int, mark: str = "") -> list[str]:
    """Return the command line of a host's hook.

    Args:
        mark: `REPORT_MARK` or `RESULT_MARK` for events that decide nothing.

    Raises:
        BadSettings: it is unknown which Python this is.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    places = places_of(settings)
    is_bound = places.is_service or mark == RESULT_MARK  # nobody starts a daemon for a result
    without = WithoutDaemon.REFUSE if is_bound else settings.without_daemon
    return [
        # Not resolved: the Python of a virtual environment is a link, and finds its packages by
        # it.
        str(Path(sys.executable).absolute()),
        # Without `site`, as `-I` is without PYTHONPATH: no `.pth` file runs code before the client.
        "-I",
        "-S",
        str(CLIENT),
        host,
        MARK,
        places.socket,
        "--deadline",
        str(deadline_s),
        "--without",
        without.value,
        *((mark, "yes") if mark else ()),
    ]
