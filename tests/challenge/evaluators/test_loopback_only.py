"""Nothing leaves this machine in these tests, whatever the server or the environment would like."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import asyncio, json, sys
called = []

def watch(event, args):
    if event == "socket.connect":
        called.append(str(args[1][0]))
    elif event == "socket.getaddrinfo" and args[0] is not None:
        called.append(str(args[0]))

sys.addaudithook(watch)
from model_server import ModelServer, status, verdict
from signoff.challenge.evaluators.anthropic_model import AnthropicModel
from signoff.challenge.evaluators.llm import LlmEvaluator
from signoff.challenge.outbound.endpoint import OutboundEndpoint

async def ask(url):
    model = AnthropicModel(key="k", endpoint=OutboundEndpoint.parse(url))
    evaluator = LlmEvaluator(model_api=model)
    return await evaluator.evaluate("Bash", {"command": "ls"}, "", "")

far = "http://192.0.2.1/v1/messages"
with ModelServer(verdict()) as good, ModelServer(status(307, Location=far)) as moved:
    answers = [asyncio.run(ask(server.url))[:2] for server in (good, moved)]
print(json.dumps([answers, sorted(set(called))]))
"""


def test_only_this_machine_is_called() -> None:
    """Neither a redirect nor a proxy nor a base address in the environment leads away."""
    here = Path(__file__).parent
    away = "http://192.0.2.1:3128"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "ANTHROPIC_BASE_URL")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={"PYTHONPATH": f"{here}:{here.parents[2] / 'src'}", **dict.fromkeys(names, away)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert [[[True, True], [False, False]], ["127.0.0.1"]] == json.loads(done.stdout)
