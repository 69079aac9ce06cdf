"""What the middleware takes, named once for ASGI and WSGI."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypedDict

from signoff.actions.action import Action
from signoff.effects.pipeline import Pipeline
from signoff.frontends.web_apps.reading import HttpRequest
from signoff.frontends.web_apps.routes import OnFailure, RouteRule

ClientOf: TypeAlias = Callable[[HttpRequest], str]
Answered: TypeAlias = Callable[[Action, int], None]


class ProtectionSettings(TypedDict, total=False):
    """How an application's requests and responses are judged.

    Keys:
        routes: rules by path; the first that fits counts.
        default: the rule for every other path, or only its pipeline; without it `standard()`.
        responses: judges textual responses; without it they are not judged.
        response_limit: bytes, 1 KiB to 64 MiB, default 256 KiB. A response that declares a
            length up to this, or comes in one piece, is held until it is judged; any other is
            sent on as it comes, and its beginning is judged in the background.
        on_failure: what happens to a request that signoff fails to judge.
        client_of: who a request is counted for; without it the address the server gives. Behind
            a proxy let the server read the proxy's header (uvicorn: `--proxy-headers`).
        answered: each is called with every judged request and the status of its answer.
    """

    routes: Iterable[RouteRule]
    default: Pipeline | RouteRule
    responses: Pipeline | None
    response_limit: int
    on_failure: OnFailure
    client_of: ClientOf | None
    answered: Iterable[Answered]
