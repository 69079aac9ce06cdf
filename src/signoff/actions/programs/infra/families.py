"""The families of this folder, one line each."""

from __future__ import annotations

from signoff.actions.programs.infra import clouds, clusters, containers, databases, provisioning
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    clouds.PROGRAMS,
    clusters.PROGRAMS,
    containers.PROGRAMS,
    databases.PROGRAMS,
    provisioning.PROGRAMS,
)
