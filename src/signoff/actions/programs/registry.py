"""Every program that is described, by name: a visible table, one line a family."""

from __future__ import annotations

from itertools import chain

from signoff.actions.programs import files, guard, interpreters
from signoff.actions.programs.dev import families as dev
from signoff.actions.programs.infra import families as infra
from signoff.actions.programs.net import http, rclone, transfer
from signoff.actions.programs.program import Program
from signoff.actions.programs.system import families as system
from signoff.actions.programs.vcs import families as vcs

FAMILIES: tuple[tuple[Program, ...], ...] = (
    files.PROGRAMS,
    guard.PROGRAMS,
    interpreters.PROGRAMS,
    http.PROGRAMS,
    rclone.PROGRAMS,
    transfer.PROGRAMS,
    *system.FAMILIES,
    *infra.FAMILIES,
    *dev.FAMILIES,
    *vcs.FAMILIES,
)

PROGRAMS: dict[str, Program] = {
    name: described for described in chain.from_iterable(FAMILIES) for name in described.names
}
