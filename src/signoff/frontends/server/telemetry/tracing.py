"""How long each step of a call took, told to an OpenTelemetry collector where settings name one.

tracing = build_tracing(settings)        # traces nothing without `traces.url`
with tracing.request("/v1/actions", scope["headers"]): ...
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from signoff.decide.decision import Decision
from signoff.effects.store import Store
from signoff.gate import Gate

Headers: TypeAlias = Iterable[tuple[bytes, bytes]]
NOTHING: AbstractContextManager[None] = nullcontext()


class Tracing:
    """The interface of tracing; this class traces nothing."""

    def request(self, route: str, headers: Headers) -> AbstractContextManager[None]:
        """Trace the serving of a request for a decision."""
        return NOTHING

    def gate(self, gate: Gate) -> Gate:
        """Return a gate that traces recalling facts and judging."""
        return gate

    def store(self, store: Store) -> Store:
        """Return a store that traces waiting and committing of an entry."""
        return store

    def decided(self, decision: Decision) -> None:
        """Add the decision to the current trace."""

    def trace_id(self) -> str:
        """Return the current trace's id, "" if none."""
        return ""

    def close(self) -> None:
        """Send what was not sent yet."""


OFF = Tracing()
