"""Which daemon answers for this process: the system's service, or the one of its user.

daemon_places().socket
"""

from __future__ import annotations

import os

from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT, ServiceLayout
from signoff.settings import CONFIG_DIR, STATE_DIR, Settings, folder_variables, own_folders


def service_here() -> ServiceLayout | None:
    """Return the system service of this machine.

    None if there is none, or variables choose other folders.
    """
    if not os.path.exists(LAYOUT.unit) or {CONFIG_DIR, STATE_DIR} & folder_variables().keys():
        return None
    return LAYOUT


def places_of(settings: Settings) -> Places:
    """Return the files of the daemon that belongs to these settings."""
    service = service_here()
    return Places(service.state if service else settings.state_dir)


def daemon_places() -> Places:
    """Return the files of the daemon for this process, without reading settings.

    Raises:
        BadSettings: a variable does not name an absolute folder.
    """
    service = service_here()
    return Places(service.state if service else own_folders()[1])
