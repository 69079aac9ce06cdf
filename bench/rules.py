"""How long rules take: 10, 100, 1,000 rules against ordinary calls, in microseconds.

    python bench/rules.py

The rules are of every kind in equal parts and none of them matches, so that every one is weighed.
The goal is 20 us for 100 rules.
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Verb
from signoff.actions.shell.command import Command, Word
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleSet

ROUNDS = 2_000
SIZES = (10, 100, 1_000)

RULES = (
    "- {{name: c{i}, action: {action}, match: {{command: tool{i} sub --flag}}}}",
    "- {{name: g{i}, action: {action}, match: {{command: git sub{i} --flag}}}}",
    "- {{name: o{i}, action: {action}, match: {{operation: {{verb: delete, path: /srv/{i}/**}}}}}}",
    "- {{name: r{i}, action: {action}, match: {{operation: {{verb: read, path: /srv/{i}/**}}}}}}",
    "- {{name: x{i}, action: {action}, match: {{command: {{regex: '^tool{i}\\s+sub'}}}}}}",
    "- {{name: f{i}, action: {action}, match: {{file_path: {{glob: '/srv/{i}/**/*.py'}}}}}}",
    "- {{name: l{i}, action: {action}, tool: Write, match: {{file_path: /srv/{i}.py}}}}",
)


def rules_of(count: int) -> RuleSet:
    """Rules of every kind and action, none of which matches."""
    lines = [
        RULES[i % len(RULES)].format(i=i, action=("deny", "allow", "escalate")[i // 7 % 3])
        for i in range(count)
    ]
    return load_rules("version: 1\nrules:\n" + "\n".join(lines) + "\n", file="bench.yaml")


def shell_call(text: str) -> tuple[Action, Operations, tuple[Command, ...]]:
    """A line of simple commands, each of which reads a file of the project."""
    parts = text.split(" && ")
    commands = tuple(
        Command(words=tuple(Word(text=w) for w in part.split()), index=i, source=part)
        for i, part in enumerate(parts)
    )
    operations = tuple(
        Operation(
            verb=Verb.READ,
            thing=ResourceType.FILE,
            target="src/app.py",
            path="/home/dev/project/src/app.py",
            reach=Reach.PROJECT,
            program=command.program,
            group=command.index,
        )
        for command in commands
    )
    return Action(tool="Bash", arguments={"command": text}), operations, commands


def file_call() -> tuple[Action, Operations, tuple[Command, ...]]:
    """A file written in the project."""
    path = "/home/dev/project/src/app.py"
    action = Action(tool="Write", arguments={"file_path": path, "content": "x = 1\n" * 200})
    operation = Operation(verb=Verb.WRITE, thing=ResourceType.FILE, path=path, reach=Reach.PROJECT)
    return action, (operation,), ()


def microseconds(run: Callable[[], object]) -> tuple[float, float]:
    """The middle and the 99th of a hundred of many runs."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter_ns()
        run()
        times.append((time.perf_counter_ns() - started) / 1_000)
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def main() -> None:
    """Print one line for each size and call."""
    calls = {
        "one command": shell_call("git status --short"),
        "three commands": shell_call("git status && cat src/app.py && tool1 other"),
        "file written": file_call(),
    }
    print(f"{'rules':>6}  {'call':<16} {'p50 us':>8} {'p99 us':>8}")
    for size in SIZES:
        started = time.perf_counter()
        rules = rules_of(size)
        loading_ms = (time.perf_counter() - started) * 1_000
        for name, (action, operations, commands) in calls.items():
            run = functools.partial(evaluate, rules, action, operations, commands)
            middle, high = microseconds(run)
            print(f"{size:>6}  {name:<16} {middle:>8.1f} {high:>8.1f}")
        print(f"{size:>6}  {'loading':<16} {loading_ms * 1_000:>8.0f}")


if __name__ == "__main__":
    main()
