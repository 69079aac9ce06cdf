"""What a guarded call costs more than a bare one: in this process, and through a daemon.

    .venv/bin/python -m bench.adapters --rounds 2000

Each round calls a bare function, the same one behind a gate of this process, and behind a daemon
over its Unix socket, sync and async. What counts is the median; the gate has seen the call before.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable

from bench.hook import daemon
from signoff.build.gate import build_gate
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.client import Client
from signoff.frontends.python.tool_gate import ToolCall, ToolGate
from signoff.settings import Settings

CALL = ToolCall(tool="look_up", arguments={"order": "A1"}, session="bench")
WARM_UP = 50
LIMITS_US = {"in process": 150.0, "in process, async": 150.0, "daemon": 1_500.0}


def bare(order: str) -> str:
    """Do what the tool does."""
    return order


def median_us(call: Callable[[], object], rounds: int) -> float:
    """Return the median of many calls in microseconds."""
    for _ in range(WARM_UP):
        call()
    took: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        took.append(time.perf_counter() - started)
    return statistics.median(took) * 1e6


async def median_async_us(tools: ToolGate, rounds: int) -> float:
    """Return the median of many awaited calls in microseconds."""

    async def run(given: dict[str, str]) -> str:
        return bare(**given)

    took: list[float] = []
    for _ in range(rounds + WARM_UP):
        started = time.perf_counter()
        await tools.run(CALL, run)
        took.append(time.perf_counter() - started)
    return statistics.median(took[WARM_UP:]) * 1e6


def measured(checker: Checker, rounds: int) -> tuple[float, float]:
    """Return the medians of a gate, sync and async."""
    tools = ToolGate("python", gate=checker)
    plain = median_us(lambda: tools.run_now(CALL, lambda given: bare(**given)), rounds)
    return plain, asyncio.run(median_async_us(tools, rounds))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000)
    rounds = parser.parse_args().rounds
    least = median_us(lambda: bare(order="A1"), rounds)
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as home:
        here = Settings(config_dir=f"{home}/config", state_dir=f"{home}/state", home=home)
        found["in process"], found["in process, async"] = measured(
            build_gate(here, channels=()), rounds
        )
        with daemon(home) as path:
            client = Client(f"unix:{path}")
            found["daemon"], found["daemon, async"] = measured(client, rounds)
            client.close()
    for name, median in found.items():
        limit = LIMITS_US.get(name)
        wanted = f" (limit {limit:.0f})" if limit else ""
        print(f"{name:<20} {median - least:7.0f} us more than a bare call{wanted}")


if __name__ == "__main__":
    main()
