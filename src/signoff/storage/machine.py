"""Where records are made: the name of this machine, and which start of it this is."""

from __future__ import annotations

import platform

from signoff.effects.record import Origin

BOOT_ID = "/proc/sys/kernel/random/boot_id"


def this_machine(version: str) -> Origin:
    """Return where records come from; the boot id is "" on systems that have none."""
    try:
        with open(BOOT_ID, encoding="ascii") as source:
            boot_id = source.read(64).strip()
    except OSError:
        boot_id = ""
    return Origin(host=platform.node(), boot_id=boot_id, version=version)
