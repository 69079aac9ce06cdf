"""The real Claude Agent SDK obeys a gate, though it was told to allow everything itself."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from claude_code import QUIET
from fake_messages_api import ToolCall, fake_messages_api

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.testing import make_gate

sdk = pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is in the group e2e")
door = pytest.importorskip("signoff.frontends.hosts.claude_agent_sdk")


class Broken:
    """A gate that cannot decide."""

    async def check(self, action: Action) -> Decision:
        """Fail."""
        raise RuntimeError("boom")


def run(gate: Any, tmp_path: Path) -> list[str]:  # noqa: ANN401 - a gate or what stands in for one
    """Run one session that calls the shell once; return the names of what it made."""
    project = tmp_path / "project"
    project.mkdir()

    async def session(url: str) -> None:
        options = sdk.ClaudeAgentOptions(
            cwd=project,
            allowed_tools=["Bash"],
            hooks=door.hooks(gate),
            env={**QUIET, "HOME": str(tmp_path), "ANTHROPIC_BASE_URL": url},
        )
        async with sdk.ClaudeSDKClient(options=options) as client:
            await client.query("Go on.")
            async for _ in client.receive_response():
                pass

    line = {"command": "touch ran", "description": "A step"}
    with fake_messages_api([ToolCall(name="Bash", input=line)]) as api:
        asyncio.run(asyncio.wait_for(session(api.url), timeout=100))
    return [path.name for path in project.iterdir()]


@pytest.mark.parametrize(
    ("leaning", "made"), [(Verdict.ALLOW, ["ran"]), (Verdict.DENY, []), (Verdict.ASK, [])]
)
def test_the_gate_decides(leaning: Verdict, made: list[str], tmp_path: Path) -> None:
    """Only an allow runs; an ask without anybody to answer does not."""
    assert made == run(make_gate(leaning=leaning), tmp_path)


def test_a_gate_that_fails_blocks(tmp_path: Path) -> None:
    """What cannot be decided is refused, with `allowed_tools` naming the tool."""
    assert [] == run(Broken(), tmp_path)
