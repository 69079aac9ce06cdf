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
from signoff.frontends.web_apps.settings import ProtectionSettings
from signoff.frontends.web_apps.web_file import read_web_file

Paths = Mapping[str, Sequence[str]]


def serve_proxy(
    to: str, *, listen: tuple[str, int], paths: Paths, judges_responses: bool, config: str = ""
) -> None:
    """Serve until a signal comes.

    Args:
        to: address of the server.
        listen: address and port.
        paths: by kind (`unjudged`, `strict`, `upload`, `lenient`); they come before the file's.
        config: a file as `read_web_file` reads it; what it says of responses and of paths
            without a rule counts.

    Raises:
        BadSettings: an address, a path or the file cannot be used.
    """
    settings = ProtectionSettings(default=standard(), responses=responses())
    if config:
        settings |= read_web_file(config).settings
    settings["routes"] = (*_rules(paths), *settings.get("routes", ()))
    if not judges_responses:
        settings["responses"] = None
    app = AsgiMiddleware(ReverseProxy(to), **settings)
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
