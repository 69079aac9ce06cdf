"""Alerts of MCP tools that a proxy holds back: once each, and bounded."""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from signoff.errors import BadSettings
from signoff.frontends.server.wire.tool_alerts import MORE, MOST_TOLD, ToolAlerts


class NoGuards:
    """No project can be judged for; people are told in any case."""

    async def at(self, folder: str) -> None:
        """Have no guard."""
        raise BadSettings(folder)


def test_made_up_alerts_flood_nobody() -> None:
    """The same is told once, and of very many only the first ones."""
    told: list[str] = []
    guards: Any = NoGuards()
    alerts = ToolAlerts(tell=told.append, guards=guards)
    client = TestClient(Starlette(routes=[Route("/", alerts.answer, methods=["POST"])]))
    for number in range(3 * MOST_TOLD):
        for _ in range(2):
            body = {"server": "notes", "tool": f"tool{number}", "why": "has changed"}
            assert 200 == client.post("/", json=body).status_code

    assert MOST_TOLD == len(told)
    assert told[-1] == MORE
    assert "the tool `tool0` is held back" in told[0]


def test_an_alert_of_another_form_is_refused() -> None:
    """It says what was expected."""
    guards: Any = NoGuards()
    alerts = ToolAlerts(tell=lambda _: None, guards=guards)
    client = TestClient(Starlette(routes=[Route("/", alerts.answer, methods=["POST"])]))

    refused = client.post("/", json={"server": "notes"})

    assert (400, "expected server, tool and why") == (refused.status_code, refused.json()["words"])
