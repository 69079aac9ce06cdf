"""Every family of developer tools: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.dev import (
    building,
    bun_deno,
    conda,
    databases,
    forges,
    functional,
    github,
    javascript,
    jvm_dotnet,
    mobile,
    php,
    python,
    ruby,
    rust_go,
    systems,
)
from signoff.actions.programs.dev.tools import (
    checking,
    compiling,
    data_science,
    documents,
    editing,
    special,
)
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    building.PROGRAMS,
    bun_deno.PROGRAMS,
    checking.PROGRAMS,
    compiling.PROGRAMS,
    conda.PROGRAMS,
    data_science.PROGRAMS,
    databases.PROGRAMS,
    documents.PROGRAMS,
    editing.PROGRAMS,
    forges.PROGRAMS,
    functional.PROGRAMS,
    github.PROGRAMS,
    javascript.PROGRAMS,
    jvm_dotnet.PROGRAMS,
    mobile.PROGRAMS,
    php.PROGRAMS,
    python.PROGRAMS,
    ruby.PROGRAMS,
    rust_go.PROGRAMS,
    special.PROGRAMS,
    systems.PROGRAMS,
)
