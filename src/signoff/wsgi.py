"""Judge the requests of a Django, Flask or other WSGI application; docs/wsgi.md shows how.

from signoff.wsgi import WsgiMiddleware, RouteRule, strict

application = WsgiMiddleware(application, routes=(RouteRule("/login", strict()),))
"""

from __future__ import annotations

from signoff.frontends.web_apps.routes import (
    JudgeMode,
    Larger,
    OnFailure,
    RouteRule,
    lenient,
    responses,
    standard,
    strict,
)
from signoff.frontends.web_apps.web_file import read_web_file
from signoff.frontends.web_apps.wsgi import WsgiMiddleware

__all__ = [
    "JudgeMode",
    "Larger",
    "OnFailure",
    "RouteRule",
    "WsgiMiddleware",
    "lenient",
    "read_web_file",
    "responses",
    "standard",
    "strict",
]
