"""Every family of version control: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.program import Program
from signoff.actions.programs.vcs import git, others

FAMILIES: tuple[tuple[Program, ...], ...] = (git.PROGRAMS, others.PROGRAMS)
