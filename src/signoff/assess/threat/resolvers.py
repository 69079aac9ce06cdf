"""Resolvers: a threat score into things to do (spec 2).

Things to do are names: those of `Do`, or any string of the user's own that a handler listens
to. Every answer says `block` or `proceed`, never both.

    DefaultResolver().resolve(ThreatScore(75.0, ThreatLevel.HIGH))
        ->  ("block", "log", "notify", "update_reputation")
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from signoff.assess.threat.score import ThreatScore


class Do(StrEnum):
    """The actions of a pipeline that signoff knows; users may add their own."""

    BLOCK = "block"
    PROCEED = "proceed"
    LOG = "log"
    NOTIFY = "notify"
    UPDATE_REPUTATION = "update_reputation"
    ADD_TO_BLOCKLIST = "add_to_blocklist"
    JUDGED = "judged"  # of every decision; no resolver asks for it


class Resolver(Protocol):
    """Port: decides what to do about a threat score."""

    def resolve(self, threat: ThreatScore) -> tuple[str, ...]:
        """Return the names of what to do, in order."""


class DefaultResolver:
    """Logs from `warn_at` on, blocks from `block_at` on.

    Raises:
        ValueError: not 0 <= `warn_at` <= `block_at` <= 100.
    """

    block_at: float = 70.0
    warn_at: float = 40.0

    def __init__(self, *, block_at: float | None = None, warn_at: float | None = None) -> None:
        self.block_at = type(self).block_at if block_at is None else block_at
        # A block line below the usual warning line takes that line with it.
        default = min(type(self).warn_at, self.block_at)
        self.warn_at = default if warn_at is None else warn_at
        if not 0 <= self.warn_at <= self.block_at <= 100:
            raise ValueError(
                f"lines are warn {self.warn_at} and block {self.block_at}, "
                "expected 0 <= warn <= block <= 100"
            )

    def resolve(self, threat: ThreatScore) -> tuple[str, ...]:
        """Return what to do at this score; NaN is blocked."""
        if threat.score < self.warn_at:
            return (Do.PROCEED,)
        if threat.score < self.block_at:
            return (Do.PROCEED, Do.LOG)
        return (Do.BLOCK, Do.LOG, Do.NOTIFY, Do.UPDATE_REPUTATION)


class StrictResolver(DefaultResolver):
    """A `DefaultResolver` that blocks from 40 on."""

    block_at = 40.0
    warn_at = 20.0


class LenientResolver(DefaultResolver):
    """A `DefaultResolver` that blocks from 90 on."""

    block_at = 90.0
    warn_at = 70.0


class Tier(Struct, frozen=True):
    """One tier of a `MultiLevelResolver`: scores up to `max_score`, and what to do."""

    max_score: float
    do: tuple[str, ...]


class MultiLevelResolver:
    """Decides by tiers of scores; each adds to what lower tiers ask for.

    A tier that does not block proceeds, whether it says so or not.

    Raises:
        ValueError: there is no tier, or the highest does not reach 100.
    """

    def __init__(self, tiers: Iterable[Tier]) -> None:
        self.tiers = tuple(sorted(tiers, key=lambda tier: tier.max_score))
        if not self.tiers or not self.tiers[-1].max_score >= 100:
            raise ValueError("the highest level must have a maximum score of 100")

    def resolve(self, threat: ThreatScore) -> tuple[str, ...]:
        """Return what the score's tier and all lower ones ask for, each once."""
        things: dict[str, None] = {}
        for tier in self.tiers:
            things |= dict.fromkeys(tier.do)
            if threat.score <= tier.max_score:
                return block_wins((Do.PROCEED, *(one for one in things if one != Do.PROCEED)))
        # The highest level reaches 100, so this score is no number.
        return block_wins((*things, Do.BLOCK))


def block_wins(things: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names without `proceed` if `block` is among them."""
    if Do.BLOCK not in things:
        return things
    return tuple(thing for thing in things if thing != Do.PROCEED)
