"""Measure the judgement: whole calls, its stages, 20 KB inputs, and `signoff check --batch`.

    python bench/judge.py [--corpora FOLDER] [--only calls|stages|large|batch]

Nothing is stored and nobody is asked: what is measured is the way from an `Action` to an
`Assessment`. Beside the time on the clock stands the processor time of the thread, which says
more on a machine that does other things too. Figures are microseconds unless said otherwise.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from bench.ordinary_calls import CWD, SHELL_LINES, TOOL_CALLS, shell_actions, tool_actions
from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.actions.shell.reader import read_shell
from signoff.actions.understand import understand
from signoff.assess.assessment import Judge
from signoff.assess.detectors.runner import examine
from signoff.assess.detectors.texts import read_texts
from signoff.assess.risk.default import DefaultRiskScorer
from signoff.assess.risk.score import RiskContext
from signoff.assess.rules.engine import evaluate
from signoff.build.judge import shipped_rules

ROUNDS = 15
KB = 1024
BATCH_SIZE = 20_000
BATCH_RUNS = 5
FACTS = Facts()
Work = Callable[[Action], object]
Spent = tuple[float, float]  # seconds on the clock, seconds of processor time
RULES = shipped_rules()


def new_judge() -> Judge:
    """Make a judge that has seen no call: one that has answers the same call from memory."""
    return Judge(rules=lambda: RULES)


def timed(make: Callable[[], Work], actions: Sequence[Action]) -> str:
    """Give p50 and p99 of processor time and of the clock over all rounds of all calls.

    Args:
        make: gives what is measured, again for each round.
    """
    warm = make()
    for action in actions:
        warm(action)
    spent: list[int] = []
    passed: list[int] = []
    for _ in range(ROUNDS):
        work = make()
        for action in actions:
            began, cpu = time.perf_counter_ns(), time.thread_time_ns()
            work(action)
            spent.append(time.thread_time_ns() - cpu)
            passed.append(time.perf_counter_ns() - began)
    return f"cpu {_quantiles(spent)}   clock {_quantiles(passed)}"


def _quantiles(values: list[int]) -> str:
    values.sort()
    p50, p99 = statistics.median(values) / 1e3, values[int(len(values) * 0.99)] / 1e3
    return f"p50 {p50:8.1f}  p99 {p99:8.1f}  max {values[-1] / 1e3:8.1f}"


def report_calls(corpora: Path) -> None:
    """Whole judgements of calls up to 1 KB."""
    print("-- whole judgement, calls up to 1 KB")
    judge = _judging
    print(f"{'shell, own list':28} n={len(SHELL_LINES):5}  {timed(judge, shell_actions())}")
    print(f"{'other tools, own list':28} n={len(TOOL_CALLS):5}  {timed(judge, tool_actions())}")
    for name in ("policy", "shell", "shell_longtail"):
        rows = corpora / f"{name}.jsonl.gz"
        if rows.exists():
            actions = [_shell(line) for line in _lines(rows) if len(line) <= KB][:2_000]
            print(f"{'corpus ' + name:28} n={len(actions):5}  {timed(judge, actions)}")


def _judging() -> Work:
    judge = new_judge()
    return lambda action: judge(action, FACTS)


def _shell(line: str) -> Action:
    return Action(tool="Bash", arguments={"command": line}, cwd=CWD)


def _lines(rows: Path) -> Iterable[str]:
    with gzip.open(rows, "rt", encoding="utf-8") as file:
        for row in file:
            yield json.loads(row)["payload"]


def report_stages() -> None:
    """Each stage by itself, on the shell lines of the own list."""
    print("-- stages, shell lines of the own list; a stage stands for itself alone")
    actions = shell_actions()
    known = {id(action): understand(action, FACTS) for action in actions}
    evidence = {
        id(action): read_texts(action, FACTS, known[id(action)].operations) for action in actions
    }
    scorer = DefaultRiskScorer()

    def rules(action: Action) -> object:
        found = known[id(action)]
        return evaluate(RULES, action, found.operations, found.commands)

    def risk(action: Action) -> object:
        operations = known[id(action)].operations
        return scorer.assess(RiskContext(action=action, operations=operations))

    stages: dict[str, Work] = {
        "read the shell line": lambda a: read_shell(a.text("command"), cwd=CWD),
        "understand (with reading)": lambda a: understand(a, FACTS),
        "rules": rules,
        "gather texts and patterns": lambda a: read_texts(a, FACTS, known[id(a)].operations),
        "detectors": lambda a: tuple(examine(evidence[id(a)])),
        "risk": risk,
    }
    for name, stage in stages.items():
        print(f"{name:28} {timed(partial(_same, stage), actions)}")
    warm = _judging()
    print(f"{'everything':28} {timed(_judging, actions)}")
    print(f"{'the same call once more':28} {timed(lambda: warm, actions)}")


def _same(work: Work) -> Work:
    return work


def report_large() -> None:
    """Inputs of 20 KB of every kind."""
    print("-- 20 KB of anything, milliseconds of processor time (p50, p99 of the rounds)")
    for name, action in _large_actions():
        new_judge()(action, FACTS)
        spent = sorted(_cpu_ms(action) for _ in range(25))
        print(f"{name:44} p50 {spent[12]:7.2f}   p99 {spent[-1]:7.2f}")


def _cpu_ms(action: Action) -> float:
    judge = new_judge()
    began = time.thread_time_ns()
    judge(action, FACTS)
    return (time.thread_time_ns() - began) / 1e6


def _large_actions() -> list[tuple[str, Action]]:
    size = 20 * KB
    script = _filled("\n".join(line for line in SHELL_LINES if "<<" not in line) + "\n", size)
    loops = _filled('for f in *.txt; do if [ -s "$f" ]; then wc -l "$f"; fi; done\n', size)
    joined = _filled("cd src && make all && ls -la; ", size)
    prose = _filled("The quick brown fox reads a long page about nothing in particular. ", size)
    code = _filled("def f(a, b):\n    return [x * 2 for x in range(a) if x != b]\n\n", size)
    rows = _filled("INSERT INTO t (a, b) VALUES (1, 'x');\n", size)
    one_row = "INSERT INTO t VALUES " + _filled("(1, 'x'), ", size) + "(2, 'y')"
    record = json.dumps({f"name{n}": [n, "value", {"a": True}] for n in range(560)})
    calls: dict[str, Action] = {
        "shell script of ordinary lines": _shell(script),
        "shell script of loops": _shell(loops),
        "shell, one line joined with &&": _shell(joined),
        "shell, one quoted argument": _shell(f"git commit -m '{prose}'"),
        "shell, heredoc into a file": _shell(f"cat > notes.md <<'EOF'\n{prose}\nEOF"),
        "shell, heredoc into python": _shell(f"python3 - <<'EOF'\n{code}\nEOF"),
        "shell, many words": _shell("echo " + _filled("word ", size)),
        "Write, source": _tool("Write", {"file_path": "src/a.py", "content": code}),
        "Write, prose": _tool("Write", {"file_path": "docs/a.md", "content": prose}),
        "Write, shell script": _tool("Write", {"file_path": "run.sh", "content": script}),
        "Write, JSON": _tool("Write", {"file_path": "a.json", "content": record}),
        "Write, CI": _tool("Write", {"file_path": ".github/workflows/a.yml", "content": script}),
        "SQL, many statements": _tool("mcp__postgres__query", {"sql": rows}),
        "SQL, one long statement": _tool("mcp__postgres__query", {"sql": one_row}),
        "MCP message": _tool("mcp__slack__post_message", {"channel": "a", "text": prose}),
        "result, prose": Action(tool="r", arguments={"result": prose}, kind=ActionKind.RESULT),
        "result, JSON": Action(tool="r", arguments={"result": record}, kind=ActionKind.RESULT),
        "request body": Action(
            tool="http",
            kind=ActionKind.HTTP_REQUEST,
            arguments={"method": "POST", "path": "/a", "query": {}, "headers": {}, "body": record},
        ),
        "function with JSON": Action(
            tool="save", arguments={"record": record}, kind=ActionKind.FUNCTION
        ),
    }
    return list(calls.items())


def _filled(piece: str, size: int) -> str:
    return piece * (size // len(piece))


def _tool(tool: str, given: dict[str, Json]) -> Action:
    return Action(tool=tool, arguments=given, cwd=CWD)


def report_batch() -> None:
    """`signoff check --batch` as a process of its own on one processor."""
    print(f"-- check --batch, {BATCH_SIZE:,} payloads, one processor, median of {BATCH_RUNS} runs")
    start = [_batch(_payloads(1, folders=1)) for _ in range(BATCH_RUNS)]
    for what, folders in (("every call new", BATCH_SIZE), ("the same calls again", 1)):
        payloads = _payloads(BATCH_SIZE, folders=folders)
        _report_batch(what, [_batch(payloads) for _ in range(BATCH_RUNS)], start)


def _report_batch(what: str, whole: Sequence[Spent], start: Sequence[Spent]) -> None:
    for name, at in (("clock", 0), ("cpu", 1)):
        all_s = statistics.median(run[at] for run in whole)
        start_s = statistics.median(run[at] for run in start)
        print(
            f"{what:22} {name:6} {all_s:6.2f} s  start {start_s:5.2f} s   "
            f"{BATCH_SIZE / all_s:8,.0f}/s with the start, "
            f"{BATCH_SIZE / (all_s - start_s):8,.0f}/s without"
        )


def _payloads(number: int, *, folders: int) -> bytes:
    """Make payloads; with as many folders as payloads no call is the same twice."""
    made: list[bytes] = []
    calls = [*(("Bash", {"command": line}) for line in SHELL_LINES), *TOOL_CALLS]
    for at in range(number):
        tool, given = calls[at % len(calls)]
        cwd = f"{CWD}/part{at % folders}"
        payload = {"id": at, "tool_name": tool, "tool_input": given, "cwd": cwd}
        made.append(json.dumps(payload).encode() + b"\n")
    return b"".join(made)


def _batch(payloads: bytes) -> Spent:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-m", "signoff", "check", "--batch"],
        input=payloads,
        capture_output=True,
        check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}),
    )
    passed = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.stdout.count(b"\n") != payloads.count(b"\n"):
        sys.exit("not every payload was answered")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return passed, spent


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    parser.add_argument("--only", choices=("calls", "stages", "large", "batch"), default="")
    options = parser.parse_args()
    reports: dict[str, Callable[[], None]] = {
        "calls": lambda: report_calls(options.corpora),
        "stages": report_stages,
        "large": report_large,
        "batch": report_batch,
    }
    for name, report in reports.items():
        if options.only in ("", name):
            report()


if __name__ == "__main__":
    main()
