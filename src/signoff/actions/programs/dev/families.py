"""Every family of developer tools: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.dev import javascript
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (javascript.PROGRAMS,)
