"""The examples of docs/how-to/asgi.md and wsgi.md run as they stand there."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from serving import asgi_server, wsgi_server

from signoff.access import AccessControl
from signoff.frontends.web_apps.routes import JudgeMode, Larger, OnFailure, RouteRule
from signoff.frontends.web_apps.settings import ProtectionSettings

DOCS = Path(__file__).parents[3] / "docs" / "how-to"
ATTACK = "/search?q=%3Cscript%3Efetch('//e.example')%3C/script%3E"


def example(page: str) -> dict[str, Any]:
    text = (DOCS / page).read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code[1], page, "exec"), names)
    return names


def test_example_of_asgi_serves_and_blocks() -> None:
    """A search is served, an attack is not."""
    with asgi_server(example("asgi.md")["app"]) as client:
        assert (200, 403) == (client.get("/search?q=tea").status, client.get(ATTACK).status)


def test_example_of_wsgi_serves_and_blocks() -> None:
    """A search is served, an attack is not."""
    with wsgi_server(example("wsgi.md")["application"]) as client:
        assert (200, 403) == (client.get("/search/?q=tea").status, client.get(ATTACK).status)


def test_example_of_access_counts() -> None:
    """The first requests are served, the one after the last at the login is not."""
    with asgi_server(example("access.md")["app"]) as client:
        found = [client.get("/login").status for _ in range(11)]
        assert (200, 404, 429) == (client.get("/").status, found[0], found[-1])


def test_page_names_every_setting_of_access() -> None:
    """No setting is without its words."""
    page = (DOCS / "access.md").read_text("utf-8")
    names = inspect.signature(AccessControl).parameters
    assert [] == [name for name in names if f"| `{name}` |" not in page]


@pytest.mark.parametrize(
    "name",
    [
        *(f"`{name}`" for name in ProtectionSettings.__annotations__),
        *(f"`{name}`" for name in RouteRule.__struct_fields__ if name not in ("path", "pipeline")),
        *(f"`{type(one).__name__}.{one.name}`" for one in (*JudgeMode, *Larger, *OnFailure)),
    ],
)
def test_page_names_every_setting(name: str) -> None:
    """No setting is without its words."""
    assert name in (DOCS / "asgi.md").read_text("utf-8")
