"""Every family of described programs: a visible table, one line a family; later ones win.

Loading all of them takes a tenth of a second, so the judgement asks `registry.py`, which loads
the one family it needs. This table is what the index and the tests are made from.
"""

from __future__ import annotations

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
