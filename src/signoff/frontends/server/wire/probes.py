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
    """Port: the channels, as far as metrics show them."""

    def states(self) -> Mapping[str, str]:
        """Return the state of each channel, in one word."""

    def waiting(self) -> Waiting:
        """Return the number of open requests, by (host, session)."""


class WatchedParts(Protocol):
    """Port: what these routes need of the daemon."""

    @property
    def metrics(self) -> Metrics:
        """The daemon's counters."""

    @property
    def readiness(self) -> Readiness:
        """The check whether decisions can be recorded."""

    @property
    def record_problem(self) -> Callable[[], str]:
        """Returns why the last decision could not be recorded, "" if it could."""

    @property
    def channels(self) -> WatchedChannels:
        """The daemon's channels."""


async def health(api: WatchedParts, _: Request) -> Response:
    """GET /healthz: 200 if the process answers."""
    return JSONResponse(_said(api, "ok"))


async def ready(api: WatchedParts, _: Request) -> Response:
    """GET /readyz: whether a decision could be recorded now."""
    if problem := await api.readiness.problem():
        said = {**_said(api, NOT_READY), "reason": problem}
        return JSONResponse(said, 503)
    return JSONResponse(_said(api, READY))


async def counted(api: WatchedParts, _: Request) -> Response:
    """GET /metrics: the metrics in Prometheus' text format."""
    text = api.metrics.text(
        pending=sum(api.channels.waiting().values()), is_recording=not api.record_problem()
    )
    return Response(text, headers={"content-type": CONTENT_TYPE})


def _said(api: WatchedParts, status: str) -> dict[str, object]:
    said: dict[str, object] = {"status": status, "version": api.metrics.version}
    if states := api.channels.states():
        said["channels"] = dict(states)
    return said
