"""Which daemon answers for this process: the system's service, or the one of its user.

daemon_places().socket
"""

from __future__ import annotations

import os

from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT, ServiceLayout
from signoff.settings import CONFIG_DIR, STATE_DIR, Settings, folder_variables, own_folders


def service_here() -> ServiceLayout | None:
    """Return the service of this machine, None if there is none or other folders were chosen."""
    if not os.path.exists(LAYOUT.unit) or {CONFIG_DIR, STATE_DIR} & folder_variables().keys():
        return None
    return LAYOUT


def places_of(settings: Settings) -> Places:
    """Return the places of the daemon that answers where these settings were read."""
    service = service_here()
    return Places(service.state if service else settings.state_dir)


def daemon_places() -> Places:
    """Return the places of the daemon that answers for this process, whatever settings say.

    Raises:
        BadSettings: a variable does not name an absolute folder.
    """
    service = service_here()
    return Places(service.state if service else own_folders()[1])
