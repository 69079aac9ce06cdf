"""How many durable decisions a second: the store alone, and a whole gate with a given judgement.

.venv/bin/python bench/store.py --count 2000 --processes 2
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from pathlib import Path

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.assess.verdict import Verdict
from signoff.effects.record import RecordBuilder
from signoff.effects.session_updates import session_update_of
from signoff.effects.store import RecordDraft
from signoff.gate import Gate
from signoff.redaction.redact import Redactor
from signoff.storage.sqlite import SqliteStore
from signoff.testing import TEST_KEY, FakeAssessment, make_action, make_gate

COMMAND = "git commit -m 'Fix the parser' && pytest -q tests/actions " * 10


def gate_on(path: str) -> Gate:
    """Make a gate that allows everything and records it in the file."""
    return make_gate(preliminary=Verdict.ALLOW, store=SqliteStore(path))


def time_calls(path: str, count: int) -> list[float]:
    """Time whole checks: recall, judgement that is given, decision, durable record."""
    gate, taken = gate_on(path), []

    async def run() -> None:
        for number in range(count):
            started = time.perf_counter()
            await gate.check(make_action("bash", command=COMMAND, number=number))
            taken.append(time.perf_counter() - started)

    asyncio.run(run())
    return taken


def time_parts(path: str, count: int) -> dict[str, list[float]]:
    """Time the parts of a dispatch one by one."""
    store, redactor = SqliteStore(path), Redactor(TEST_KEY)
    action = make_action("bash", command=COMMAND)
    operation = Operation(
        verb=Verb.WRITE, thing=ResourceType.REPOSITORY, target="main", reach=Reach.PROJECT
    )
    decision = asyncio.run(make_gate().check(action))
    judged = FakeAssessment(action=action, operations=(operation,) * 4, preliminary=Verdict.ALLOW)
    decision = type(decision)(
        **{
            name: getattr(decision, name)
            for name in decision.__struct_fields__
            if name != "assessment"
        },
        assessment=judged,
    )
    records = RecordBuilder(redactor)
    taken: dict[str, list[float]] = {"build record": [], "append durably": []}
    for _ in range(count):
        started = time.perf_counter()
        content = records.content(decision)
        draft = RecordDraft(content=content, session_update=session_update_of(decision))
        built = time.perf_counter()
        store.append_now(draft)
        taken["build record"].append(built - started)
        taken["append durably"].append(time.perf_counter() - built)
    return taken


def show(name: str, taken: list[float], *, wall_s: float | None = None) -> None:
    """Print the figures of one measurement."""
    ordered = sorted(taken)
    p50, p99 = (ordered[int(len(ordered) * part)] * 1e6 for part in (0.5, 0.99))
    rate = len(taken) / (wall_s or sum(taken))
    print(f"{name:<28} {rate:8.0f}/s   p50 {p50:7.0f} us   p99 {p99:7.0f} us")


def main() -> None:
    """Run the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = str(Path(folder) / "state" / "record.db")
        for name, taken in time_parts(path, chosen.count).items():
            show(name, taken)
        show("whole check", time_calls(path, chosen.count))
        with multiprocessing.get_context("spawn").Pool(chosen.processes) as pool:
            pool.starmap(time_calls, [(path, 5)] * chosen.processes)
            started = time.perf_counter()
            parts = pool.starmap(time_calls, [(path, chosen.count)] * chosen.processes)
            wall_s = time.perf_counter() - started
        together = [taken for part in parts for taken in part]
        show(f"whole check, {chosen.processes} processes", together, wall_s=wall_s)


if __name__ == "__main__":
    main()
