"""Where records are made: the name of this machine, and which start of it this is."""

from __future__ import annotations

import importlib.metadata
import platform

from signoff.effects.record import Origin

BOOT_ID = "/proc/sys/kernel/random/boot_id"


def this_machine() -> Origin:
    """Return where records come from; what cannot be told is ""."""
    try:
        with open(BOOT_ID, encoding="ascii") as source:
            boot_id = source.read(64).strip()
    except OSError:
        boot_id = ""
    try:
        version = importlib.metadata.version("signoff")
    except importlib.metadata.PackageNotFoundError:
        version = ""
    return Origin(host=platform.node(), boot_id=boot_id, version=version)
