"""Fuzz every parser that takes bytes from elsewhere.

python -m bench.fuzz --seconds 60             each of them for a minute
python -m bench.fuzz --only shell --seed 7    the same inputs again

An input fails if its parser raises an error it must not raise, or takes more than 200 ms of
processor time three times in a row. Failing inputs are written below `--save`; exit status 1 if
there is one. The inputs are changed seeds; nothing measures which code they reach, which
`python -m bench.fuzz.guided` does.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bench.fuzz.mutating import Mutator
from bench.fuzz.target import FuzzTarget
from bench.fuzz.targets import TARGETS

SLOWEST_S = 0.2
FAILURES_KEPT = 20  # of one target


@dataclass(slots=True, kw_only=True)
class Fuzzed:
    """What came of one target.

    Args:
        covering: how many inputs reached new code; None = nothing measured it.
    """

    inputs: int = 0
    slowest_s: float = 0.0
    covering: int | None = None
    failures: dict[str, bytes] = field(default_factory=dict)


class Fuzz(Protocol):
    """Gives a parser inputs for so long."""

    def __call__(self, target: FuzzTarget, /, *, seconds: float, seed: int) -> Fuzzed:
        """Fuzz one parser."""
        ...


def main() -> int:
    """Run the command."""
    return report(parser_of_options(__doc__ or "").parse_args(), fuzzed)


def parser_of_options(description: str) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each target")
    parser.add_argument("--only", default="", help="targets whose name holds this")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="a folder for failing inputs")
    return parser


def report(chosen: argparse.Namespace, fuzz: Fuzz) -> int:
    """Fuzz the chosen targets, print a line for each, and return the exit status."""
    count = inputs = 0
    for target in (one for one in TARGETS if chosen.only in one.name):
        found = fuzz(target, seconds=chosen.seconds, seed=chosen.seed)
        count += len(found.failures)
        inputs += found.inputs
        covering = "" if found.covering is None else f"  {found.covering:>6,} reached new code"
        print(
            f"{target.name:<24} {found.inputs:>9,} inputs{covering}"
            f"  slowest {found.slowest_s * 1e3:6.1f} ms  {len(found.failures)} failures",
            flush=True,
        )
        for why, text in found.failures.items():
            print(f"    {why}: {text[:200]!r}")
            if chosen.save:
                save(chosen.save, target.name, text)
    print(f"{inputs:,} inputs, {count} failures")
    return 1 if count else 0


def fuzzed(target: FuzzTarget, *, seconds: float, seed: int) -> Fuzzed:
    """Give a parser inputs for so long; the seeds come first."""
    found = Fuzzed()
    mutator = Mutator(random.Random(f"{seed} {target.name}"), target.seeds)
    waiting = [*target.seeds]
    for text in waiting:  # loads what it needs, so that no input is slow for it
        failure_of(target, text)
    until = time.monotonic() + seconds
    while time.monotonic() < until and len(found.failures) < FAILURES_KEPT:
        note_input(found, target, waiting.pop() if waiting else mutator.another())
    return found


def note_input(found: Fuzzed, target: FuzzTarget, text: bytes) -> None:
    """Give a parser one input, and note what comes of it."""
    found.inputs += 1
    why, took_s = failure_of(target, text)
    if not why and took_s > SLOWEST_S:
        took_s = min(took_s, *(failure_of(target, text)[1] for _ in range(2)))
        why = f"{took_s * 1e3:.0f} ms" if took_s > SLOWEST_S else ""
    found.slowest_s = max(found.slowest_s, took_s)
    if why:
        found.failures.setdefault(why, text)


def failure_of(target: FuzzTarget, text: bytes) -> tuple[str, float]:
    """Return what an input made its parser raise, "" for nothing it may not, and the time."""
    began = time.process_time()
    why = _raised(target.take, text, target.errors)
    return why, time.process_time() - began


def _raised(
    take: Callable[[bytes], object], text: bytes, allowed: tuple[type[Exception], ...]
) -> str:
    try:
        take(text)
    except allowed:
        return ""
    except Exception as error:  # noqa: BLE001 - any other is what is looked for
        return f"{type(error).__name__}: {str(error)[:100]}"
    return ""


def save(folder: Path, name: str, text: bytes) -> None:
    """Keep an input in a file of its own."""
    place = folder / name.replace(" ", "-")
    place.mkdir(parents=True, exist_ok=True)
    (place / hashlib.sha256(text).hexdigest()[:16]).write_bytes(text)


if __name__ == "__main__":
    sys.exit(main())
