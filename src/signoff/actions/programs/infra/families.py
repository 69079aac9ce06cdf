"""Every family of infrastructure and services: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.infra import (
    aws,
    clouds,
    clusters,
    containers,
    databases,
    provisioning,
    stores,
)
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    aws.PROGRAMS,
    clouds.PROGRAMS,
    clusters.PROGRAMS,
    containers.PROGRAMS,
    databases.PROGRAMS,
    provisioning.PROGRAMS,
    stores.PROGRAMS,
)
