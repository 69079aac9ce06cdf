"""Tools of special trades: version managers, releases, contracts, boxes, editor extensions."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Verb
from signoff.actions.programs.acts import Effect, remote
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BUILD, INSPECT

SPENDS = remote(Verb.SPEND, ResourceType.MONEY)


def build(call: ProgramCall) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def look(call: ProgramCall) -> Iterator[Effect]:
    yield from call.perform(INSPECT)


def contract(call: ProgramCall) -> Iterator[Effect]:
    """`hardhat run --network x`: on a public chain it costs money."""
    network = call.value("--network", "--rpc-url", "--fork-url")
    near = network is None or any(
        mark in network.text for mark in ("localhost", "127.0.0.1", "hardhat", "dev", "anvil")
    )
    sends = call.has("--broadcast") or not call.name.startswith("forge")
    yield from call.perform(BUILD if near or not sends else SPENDS)
