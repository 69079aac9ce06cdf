"""What a server says of itself beside its tools is read before it reaches the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripted import BAD, ScriptedGuard, Talk, call, talk, tool


async def told(now: Talk, method: str, result: dict[str, Any], id: int = 1) -> dict[str, Any]:
    """Return the result of a request as the client gets it."""
    now.client.say({"jsonrpc": "2.0", "id": id, "method": method, "params": {}})
    await now.server.heard()
    now.server.say({"jsonrpc": "2.0", "id": id, "result": result})
    found: dict[str, Any] = (await now.client.heard())["result"]
    return found


@pytest.mark.parametrize("method", ["initialize", "server/discover"])
def test_instructions_that_give_orders_are_removed(tmp_path: Path, method: str) -> None:
    """The client is told so; good ones pass, and are read once."""

    async def scene(now: Talk) -> None:
        good = {"capabilities": {}, "instructions": "Use list_notes first."}
        assert await told(now, method, good) == good
        assert await told(now, method, good, id=2) == good
        assert len(now.guard.inspected) == 1
        said = await told(now, method, {"capabilities": {}, "instructions": BAD}, id=3)
        assert BAD not in str(said)
        assert "were removed: gives orders" in said["instructions"]
        assert "instructions" not in await told(now, method, {"instructions": [BAD]}, id=4)

    talk(tmp_path, scene)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ],
)
def test_offers_that_give_orders_are_left_out(tmp_path: Path, method: str, name: str) -> None:
    """The others stay, in their order."""

    async def scene(now: Talk) -> None:
        listed = [{"name": "a"}, {"name": "b", "arguments": [{"description": BAD}]}, {"name": "c"}]
        said = await told(now, method, {name: listed, "nextCursor": "2"})
        assert said == {name: [{"name": "a"}, {"name": "c"}], "nextCursor": "2"}
        await now.client.heard_nothing()
        assert len(now.guard.alerts) == 1

    talk(tmp_path, scene)


def test_what_cannot_be_checked_is_not_shown(tmp_path: Path) -> None:
    """And is read again the next time."""

    async def scene(now: Talk) -> None:
        said = {"instructions": "Use list_notes first."}
        assert "could not check" in (await told(now, "initialize", said))["instructions"]
        now.guard.is_inspecting = True
        assert await told(now, "initialize", said, id=2) == said

    talk(tmp_path, scene, guard=ScriptedGuard(is_inspecting=False))


def test_the_message_of_an_error_is_read_like_a_result(tmp_path: Path) -> None:
    """Clients hand it to the model; a plain one passes as it came."""

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        for id, text in ((1, "no such note"), (2, BAD)):
            now.client.say(call(id=id))
            await now.server.heard()
            now.server.say({"jsonrpc": "2.0", "id": id, "error": {"code": -3, "message": text}})
        plain, bad = await now.client.heard(), await now.client.heard()
        assert plain["error"] == {"code": -3, "message": "no such note"}
        assert (bad["error"]["code"], BAD in str(bad)) == (-3, False)

    talk(tmp_path, scene)
