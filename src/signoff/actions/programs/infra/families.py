"""Every family of infrastructure and services: a visible table, one line a family."""

from __future__ import annotations

from signoff.actions.programs.infra import (
    agents,
    aws,
    boxes,
    brokers,
    clouds,
    clusters,
    computing,
    containers,
    databases,
    documents,
    ecosystem,
    images,
    keyvalue,
    platforms,
    provisioning,
    saas,
    stores,
    vaults,
)
from signoff.actions.programs.program import Program

FAMILIES: tuple[tuple[Program, ...], ...] = (
    agents.PROGRAMS,
    aws.PROGRAMS,
    boxes.PROGRAMS,
    brokers.PROGRAMS,
    clouds.PROGRAMS,
    clusters.PROGRAMS,
    computing.PROGRAMS,
    containers.PROGRAMS,
    databases.PROGRAMS,
    documents.PROGRAMS,
    ecosystem.PROGRAMS,
    images.PROGRAMS,
    keyvalue.PROGRAMS,
    platforms.PROGRAMS,
    provisioning.PROGRAMS,
    saas.PROGRAMS,
    stores.PROGRAMS,
    vaults.PROGRAMS,
)
