"""Serves the proxy with uvicorn until a signal comes.

serve_proxy("http://127.0.0.1:3000", listen=("127.0.0.1", 8080), paths={"strict": ("/login",)})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import uvicorn

from signoff.frontends.web_apps.asgi import AsgiMiddleware
from signoff.frontends.web_apps.reverse_proxy import ReverseProxy
from signoff.frontends.web_apps.routes import (
    Larger,
    RouteRule,
    lenient,
    responses,
    standard,
    strict,
)

Paths = Mapping[str, Sequence[str]]


def serve_proxy(to: str, *, listen: tuple[str, int], paths: Paths, judges_responses: bool) -> None:
    """Serve until a signal comes.

    Args:
        to: address of the server.
        listen: address and port.
        paths: by kind (`unjudged`, `strict`, `upload`, `lenient`).

    Raises:
        BadSettings: an address or a path cannot be used.
    """
    app = AsgiMiddleware(
        ReverseProxy(to),
        routes=tuple(_rules(paths)),
        default=standard(),
        responses=responses() if judges_responses else None,
    )
    uvicorn.run(
        app,
        host=listen[0],
        port=listen[1],
        log_level="warning",
        server_header=False,
        proxy_headers=False,
    )


def _rules(paths: Paths) -> Iterator[RouteRule]:
    yield from (RouteRule(path, None) for path in paths.get("unjudged", ()))
    yield from (RouteRule(path, strict()) for path in paths.get("strict", ()))
    for path in paths.get("upload", ()):
        yield RouteRule(path, standard(), larger=Larger.BEGINNING)
    yield from (RouteRule(path, lenient()) for path in paths.get("lenient", ()))
