"""Asks the witnesses whether the log as it stands continues what they saw.

for report in asyncio.run(ask_witnesses(store, note, key, targets)):
    report.problem  ->  "" if it does
"""

from __future__ import annotations

import asyncio

from msgspec import Struct

from signoff.errors import SignoffError
from signoff.frontends.auditing.witness_client import (
    WitnessClient,
    WitnessContradiction,
    WitnessTarget,
)
from signoff.storage.proof.checkpoints import LeafStore
from signoff.storage.proof.note import NoteKey, cosigned_at, parse_note


class WitnessReport(Struct, frozen=True, kw_only=True):
    """What a witness said.

    Args:
        name: of its key.
        size: number of entries it cosigned just now, 0 if it did not.
        at_s: when, in seconds since the epoch.
        problem: why it did not, "" if it did.
        is_contradiction: whether it saw another log; otherwise it could not be asked.
    """

    name: str
    size: int = 0
    at_s: int = 0
    problem: str = ""
    is_contradiction: bool = False


async def ask_witnesses(
    store: LeafStore, note: str, key: NoteKey, targets: tuple[WitnessTarget, ...]
) -> list[WitnessReport]:
    """Let each witness compare a checkpoint of the log with the last one it saw.

    Nothing that is kept on this machine is trusted: each witness is asked what it saw.
    """
    return await asyncio.gather(*(_asked(store, note, key, target) for target in targets))


async def _asked(store: LeafStore, note: str, key: NoteKey, target: WitnessTarget) -> WitnessReport:
    name = target.key.name
    try:
        cosigned = await WitnessClient(target, store).cosign(note, key)
        size, at_s = parse_note(cosigned)[0].size, cosigned_at(cosigned, target.key)
        return WitnessReport(name=name, size=size, at_s=at_s)
    except WitnessContradiction as error:
        said = f"witness `{name}` contradicts this log: {error}"
        return WitnessReport(name=name, problem=said, is_contradiction=True)
    except TimeoutError:
        return WitnessReport(name=name, problem=f"witness `{name}` did not answer in time")
    except (OSError, SignoffError) as error:
        return WitnessReport(name=name, problem=f"witness `{name}` could not be asked: {error}")
