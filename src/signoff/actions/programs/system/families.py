"""Every family of system tools: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.program import Program
from signoff.actions.programs.system import (
    accounts,
    archives,
    backups,
    longtail,
    machines,
    power,
    processes,
    protection,
    secrets,
    services,
)
from signoff.actions.programs.system.desktop import media, session
from signoff.actions.programs.system.foreign import cmdlets, macos, windows
from signoff.actions.programs.system.network import attacks, firewalls, interfaces
from signoff.actions.programs.system.packages import arch, debian, linux, other, redhat
from signoff.actions.programs.system.storage import disks, mounts, volumes
from signoff.actions.programs.system.text import editing, reading, search

FAMILIES: tuple[tuple[Program, ...], ...] = (
    reading.PROGRAMS,
    editing.PROGRAMS,
    search.PROGRAMS,
    accounts.PROGRAMS,
    archives.PROGRAMS,
    backups.PROGRAMS,
    longtail.PROGRAMS,
    machines.PROGRAMS,
    power.PROGRAMS,
    processes.PROGRAMS,
    protection.PROGRAMS,
    secrets.PROGRAMS,
    services.PROGRAMS,
    media.PROGRAMS,
    session.PROGRAMS,
    cmdlets.PROGRAMS,
    macos.PROGRAMS,
    windows.PROGRAMS,
    attacks.PROGRAMS,
    firewalls.PROGRAMS,
    interfaces.PROGRAMS,
    arch.PROGRAMS,
    debian.PROGRAMS,
    linux.PROGRAMS,
    other.PROGRAMS,
    redhat.PROGRAMS,
    disks.PROGRAMS,
    mounts.PROGRAMS,
    volumes.PROGRAMS,
)
