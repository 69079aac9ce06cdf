"""The HTTP API in OpenAPI 3.1: routes come from the server's own table, schemas from `schemas.py`.

A test holds the description against real answers, and `docs/reference/openapi.json` against it.

    describe("0.1.0", ENDPOINTS)["paths"]["/v1/actions"]["post"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from signoff.frontends.server.openapi.schemas import ANSWERS, BODIES, SCHEMAS, Schema, ref
from signoff.frontends.server.wire.shield import OPEN_PATHS

JSON = "application/json"
WAIT_MOST_S = 60


class DescribedRoute(Protocol):
    """Port: a route, as far as its description needs it."""

    @property
    def method(self) -> str:
        """HTTP method."""

    @property
    def path(self) -> str:
        """Path, with parameters in braces."""

    @property
    def answer(self) -> Callable[..., object]:
        """The handler; its name becomes the operation id."""

    @property
    def said(self) -> str:
        """What the route does, in one sentence."""

    @property
    def statuses(self) -> Mapping[int, str]:
        """Meaning of each HTTP status it answers with."""


def describe(version: str, routes: Iterable[DescribedRoute]) -> dict[str, object]:
    """Return the OpenAPI description of the routes.

    Args:
        version: of signoff.
    """
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        operation: Schema = {
            "summary": route.said,
            "operationId": route.answer.__name__,
            "parameters": _parameters(route.path),
            "responses": {
                str(status): _response(route, status, said)
                for status, said in route.statuses.items()
            },
        }
        if route.method == "POST":
            schema = BODIES.get(route.path, {"type": "object"})
            operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
        # An empty list lifts what `security` below asks of every route (OpenAPI 3.1, 4.8.10).
        if route.path in OPEN_PATHS:
            operation["security"] = []
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "signoff",
            "version": version,
            "summary": "Decides whether an AI agent's call may run.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:4440", "description": "the daemon of this user"}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "the file `token` in the state folder",
                }
            },
        },
        "security": [{"token": []}],
    }


def _parameters(path: str) -> list[Schema]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    found: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]
    if path == "/v1/actions/{id}":
        seconds = {"type": "number", "minimum": 0, "maximum": WAIT_MOST_S, "default": 0}
        found.append({"name": "wait", "in": "query", "required": False, "schema": seconds})
    return found


def _response(route: DescribedRoute, status: int, said: str) -> Schema:
    """Return one answer of a route, with the form of its body where it is JSON."""
    response: Schema = {"description": said}
    if (schema := ANSWERS.get((route.path, status))) is None and status >= 400:
        schema = ref("Decision") if route.path.startswith("/v1/actions") else None
    if schema is not None:
        response["content"] = {JSON: {"schema": schema}}
    elif route.path == "/metrics" and status == 200:
        response["content"] = {"text/plain": {"schema": {"type": "string"}}}
    if status == 202:
        location = {"description": "where to ask again", "schema": {"type": "string"}}
        response["headers"] = {"location": location}
    return response
