"""Every family of system tools: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.program import Program
from signoff.actions.programs.system import archives
from signoff.actions.programs.system.text import editing, reading, search

FAMILIES: tuple[tuple[Program, ...], ...] = (
    archives.PROGRAMS,
    editing.PROGRAMS,
    reading.PROGRAMS,
    search.PROGRAMS,
)
