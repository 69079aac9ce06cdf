"""Fuzz by coverage: inputs that reach new code of signoff are kept and changed further.

    pip install atheris
    python -m bench.fuzz.guided --seconds 60               each parser for a minute
    python -m bench.fuzz.guided --only shell --save FOLDER

What fails, and the exit status, are those of `python -m bench.fuzz`. Each parser gets a process of
its own, forked from one that has loaded signoff with counters in its code.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import atheris  # type: ignore[import-untyped,unused-ignore]  # installed by hand; it has no types

with atheris.instrument_imports(include=["signoff"]):
    from bench.fuzz.__main__ import FAILURES_KEPT, Fuzzed, note_input, parser_of_options, report
    from bench.fuzz.mutating import WORDS

from bench.fuzz.target import FuzzTarget

LONGEST = 16_384
MEMORY_MB = 2_048


def fuzzed(target: FuzzTarget, *, seconds: float, seed: int) -> Fuzzed:
    """Fuzz a parser for so long; `covering` counts the inputs that reached new code."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as home:
        kept = Path(home, "kept")
        kept.mkdir()
        for number, text in enumerate(target.seeds):
            (kept / f"seed-{number}").write_bytes(text)
        words = Path(home, "words")
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in WORDS), encoding="ascii")
        said = Path(home, "said")
        child = os.fork()
        if not child:
            _fuzz(target, seconds=seconds, said=said, options=(
                f"-dict={words}", f"-max_len={LONGEST}", f"-seed={seed}",
                f"-rss_limit_mb={MEMORY_MB}", f"-artifact_prefix={home}/", str(kept),
            ))  # fmt: skip
        os.waitpid(child, 0)
        if not said.exists():  # the process itself ended: the input that did it is kept
            crash = next((path.read_bytes() for path in Path(home).glob("*-*")), b"")
            return Fuzzed(failures={"the process ended": crash})
        found = json.loads(said.read_text("utf-8"))
        failures = {why: bytes.fromhex(text) for why, text in found["failures"].items()}
        return Fuzzed(
            inputs=found["inputs"],
            slowest_s=found["slowest_s"],
            covering=len([*kept.iterdir()]) - len(target.seeds),
            failures=failures,
        )


def _fuzz(target: FuzzTarget, *, seconds: float, said: Path, options: tuple[str, ...]) -> None:
    """Fuzz in this process and end it."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    found = Fuzzed()
    until = time.monotonic() + seconds

    def take(raw: bytes) -> None:
        if time.monotonic() >= until or len(found.failures) >= FAILURES_KEPT:
            failures = {why: text.hex() for why, text in found.failures.items()}
            told = {"inputs": found.inputs, "slowest_s": found.slowest_s, "failures": failures}
            said.write_text(json.dumps(told), encoding="utf-8")
            os._exit(0)
        note_input(found, target, raw)

    for text in target.seeds:
        note_input(Fuzzed(), target, text)  # loads what it needs
    atheris.Setup([sys.argv[0], *options], take)
    atheris.Fuzz()
    os._exit(1)


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def main() -> int:
    """Run the command."""
    chosen: argparse.Namespace = parser_of_options(__doc__ or "").parse_args()
    return report(chosen, fuzzed)


if __name__ == "__main__":
    sys.exit(main())
