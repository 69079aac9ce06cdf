"""Judge the requests of a Starlette, FastAPI or other ASGI application; docs/asgi.md shows how.

from signoff.asgi import AsgiMiddleware, RouteRule, strict

app.add_middleware(AsgiMiddleware, routes=(RouteRule("/login", strict()),))
"""

from __future__ import annotations

from signoff.frontends.web_apps.asgi import AsgiMiddleware
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

__all__ = [
    "AsgiMiddleware",
    "JudgeMode",
    "Larger",
    "OnFailure",
    "RouteRule",
    "lenient",
    "read_web_file",
    "responses",
    "standard",
    "strict",
]
