"""Commands of root act as the service's user, on its folders: `sudo signoff approve ID`.

Nothing is written as root there, and the daemon, which trusts its own user, knows the caller.
"""

from __future__ import annotations

import os
import sys

from signoff.errors import BadSettings
from signoff.frontends.client.service_layout import ServiceLayout
from signoff.settings import CHOOSES_FOLDERS, CONFIG_DIR, STATE_DIR

if sys.platform != "win32":
    import pwd


def become(service: ServiceLayout) -> None:
    """Switch this process from root to the service's user, for good.

    Raises:
        BadSettings: the user does not exist.
    """
    try:
        found = pwd.getpwnam(service.user)
    except KeyError:
        said = f"the user `{service.user}` is missing: `sudo signoff service install` makes it"
        raise BadSettings(said) from None
    # User last: after that this process may change no group any more (CWE-271).
    os.setgroups([found.pw_gid])
    os.setgid(found.pw_gid)
    os.setuid(found.pw_uid)
    os.umask(0o077)
    # `sudo` may hand these over from the caller.
    for name in CHOOSES_FOLDERS:
        os.environ.pop(name, None)
    own = {CONFIG_DIR: service.config, STATE_DIR: service.state, "HOME": service.state}
    os.environ.update(own)


def without_folders() -> dict[str, str]:
    """Return the environment without variables that choose other folders."""
    return {name: text for name, text in os.environ.items() if name not in CHOOSES_FOLDERS}
