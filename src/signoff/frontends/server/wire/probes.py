"""The routes that machines watch a daemon by: is it alive, is it ready, what does it count.

They give no secrets and name no call. `/healthz` and `/readyz` need no token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.frontends.server.sessions import Waiting
from signoff.frontends.server.telemetry.metrics import CONTENT_TYPE, Metrics
from signoff.frontends.server.telemetry.readiness import Readiness

READY, NOT_READY = "ok", "no record"


class WatchedChannels(Protocol):
    """The ways to people, as far as they are watched."""

    def states(self) -> Mapping[str, str]:
        """Return how each of them is, in one word."""

    def waiting(self) -> Waiting:
        """Return how many requests are open, by host and session."""


class WatchedParts(Protocol):
    """What these routes work with: the daemon's routes as a whole."""

    @property
    def metrics(self) -> Metrics:
        """What is counted."""

    @property
    def readiness(self) -> Readiness:
        """Whether a decision would be recorded now."""

    @property
    def record_problem(self) -> Callable[[], str]:
        """Why no decision was recorded when it was last tried."""

    @property
    def channels(self) -> WatchedChannels:
        """The daemon's ways to people."""


async def health(api: WatchedParts, _: Request) -> Response:
    """GET /healthz: the process lives and answers."""
    return JSONResponse(_said(api, "ok"))


async def ready(api: WatchedParts, _: Request) -> Response:
    """GET /readyz: would a decision be recorded now?"""
    if problem := await api.readiness.problem():
        said = {**_said(api, NOT_READY), "reason": problem}
        return JSONResponse(said, 503)
    return JSONResponse(_said(api, READY))


async def counted(api: WatchedParts, _: Request) -> Response:
    """GET /metrics: what is counted, as Prometheus reads it."""
    text = api.metrics.text(
        pending=sum(api.channels.waiting().values()), is_recording=not api.record_problem()
    )
    return Response(text, headers={"content-type": CONTENT_TYPE})


def _said(api: WatchedParts, status: str) -> dict[str, object]:
    said: dict[str, object] = {"status": status, "version": api.metrics.version}
    if states := api.channels.states():
        said["channels"] = dict(states)
    return said
