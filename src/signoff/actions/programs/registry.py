"""Every program that is described, by name: a visible table, one line a family."""

from __future__ import annotations

from itertools import chain

from signoff.actions.programs import files, git, interpreters
from signoff.actions.programs.infra import containers
from signoff.actions.programs.net import http, transfer
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    files.PROGRAMS,
    git.PROGRAMS,
    interpreters.PROGRAMS,
    containers.PROGRAMS,
    http.PROGRAMS,
    transfer.PROGRAMS,
)

PROGRAMS: dict[str, Program] = {
    name: described for described in chain.from_iterable(FAMILIES) for name in described.names
}
