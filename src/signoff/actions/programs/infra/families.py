"""Every family of infrastructure and services: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.infra import (
    aws,
    brokers,
    clouds,
    clusters,
    containers,
    databases,
    ecosystem,
    keyvalue,
    platforms,
    provisioning,
    saas,
    stores,
    vaults,
)
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    aws.PROGRAMS,
    brokers.PROGRAMS,
    clouds.PROGRAMS,
    clusters.PROGRAMS,
    containers.PROGRAMS,
    databases.PROGRAMS,
    ecosystem.PROGRAMS,
    keyvalue.PROGRAMS,
    platforms.PROGRAMS,
    provisioning.PROGRAMS,
    saas.PROGRAMS,
    stores.PROGRAMS,
    vaults.PROGRAMS,
)
