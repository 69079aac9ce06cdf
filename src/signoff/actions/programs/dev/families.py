"""Every family of developer tools: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.dev import bun_deno, conda, javascript, python, rust_go
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    bun_deno.PROGRAMS,
    conda.PROGRAMS,
    javascript.PROGRAMS,
    python.PROGRAMS,
    rust_go.PROGRAMS,
)
