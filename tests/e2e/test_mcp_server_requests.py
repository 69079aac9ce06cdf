"""A server that asks the client's model and user: by the settings it is passed on or refused."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from live_daemon import LiveDaemon, served

if importlib.util.find_spec("mcp") is None:
    pytest.skip("mcp, the official SDK, is not installed (group e2e)", allow_module_level=True)

from mcp.client import Client, ClientRequestContext
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestParams,
    ElicitResult,
    TextContent,
)
from test_mcp_sdk import MODES, SERVER, text_of


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a running daemon."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("tool", "setting", "is_passed"),
    [
        ("ask_model", "", False),
        ("ask_model", "sampling: pass", True),
        ("ask_model", "sampling: refuse", False),
        ("ask_user", "", True),
        ("ask_user", "elicitation: refuse", False),
    ],
)
def test_what_a_server_asks_is_passed_or_refused(
    daemon: LiveDaemon, tmp_path: Path, mode: str, tool: str, setting: str, *, is_passed: bool
) -> None:
    """Refused, nobody hears of it: no model is paid for, and no user sees a form."""
    if setting:
        (tmp_path / "signoff.yaml").write_text(f"mcp: {{{setting}}}\n", encoding="utf-8")
    asked: list[str] = []

    async def sampled(
        context: ClientRequestContext, params: CreateMessageRequestParams
    ) -> CreateMessageResult:
        asked.append("model")
        words = TextContent(type="text", text="Kim-of-the-model")
        return CreateMessageResult(role="assistant", content=words, model="m")

    async def elicited(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        asked.append("user")
        return ElicitResult(action="accept", content={"name": "Kim-of-the-user"})

    command = StdioServerParameters(
        command=sys.executable,
        args=[
            *("-I", "-m", "signoff", "mcp", "--name", "notes"),
            *("--", sys.executable, SERVER, str(tmp_path)),
        ],
        env={**daemon.environment, "SIGNOFF_CONFIG_DIR": str(tmp_path)},
        cwd=str(daemon.home),
    )

    async def play() -> str:
        async with asyncio.timeout(60):
            async with Client(
                command, mode=mode, sampling_callback=sampled, elicitation_callback=elicited
            ) as client:
                try:
                    return text_of(await client.call_tool(tool, {}))
                except MCPError as refused:
                    return str(refused)

    said = asyncio.run(play())
    assert ([tool.removeprefix("ask_")] if is_passed else []) == asked
    assert is_passed == ("Kim-of-the" in said), said
