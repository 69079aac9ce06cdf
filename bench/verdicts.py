"""Digest every answer to the corpora, to see that another Python gives the same ones byte for byte.

    python -m bench.verdicts [--corpora FOLDER] [--answers SET] [--every N]

Prints a line a set: its name, how many answers, and the SHA-256 over them. `scripts/test-pythons
--verdicts` runs it with every Python and compares the lines. `--answers SET` prints the answers
themselves, for `diff`. The project's own cases are the set `own`; shared sets that are absent are
left out. With `--every N` one case in N is judged, the same ones with every Python.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from bench.quality.cases import case_of, read_rows
from bench.quality.guard import default_judge, judge_text
from signoff.frontends.cli.batch import answer_line
from signoff.gate import Judge

OWN = Path(__file__).parents[1] / "tests" / "corpus"
SHARED = Path(__file__).parents[2] / "shared" / "corpora"


def sets(corpora: Path) -> dict[str, tuple[Path, ...]]:
    """Return the files of each set that is there."""
    shared = {path.name.partition(".")[0]: (path,) for path in sorted(corpora.glob("*.jsonl.gz"))}
    return {"own": tuple(sorted(OWN.glob("*.jsonl"))), **shared}


def answers(files: tuple[Path, ...], judge: Judge, every: int) -> Iterator[bytes]:
    """Give the answer to each Nth row: of a call its JSON, of a text verdict, score and reason."""
    rows = islice(chain.from_iterable(map(read_rows, files)), 0, None, every)
    # A session is one row with its calls.
    for row in chain.from_iterable(
        [{"id": row["id"], **call} for call in row["calls"]] if "calls" in row else [row]
        for row in rows
    ):
        case = case_of(row)
        if case.document:
            yield answer_line(case.document, judge)
        else:
            said = judge_text(case)
            yield f"{said.verdict} {said.score!r} {said.reason}".encode()


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpora", type=Path, default=SHARED)
    parser.add_argument("--answers", metavar="SET", default="")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth case")
    options = parser.parse_args()
    found = sets(options.corpora)
    if options.answers:
        for answer in answers(found[options.answers], default_judge(), options.every):
            sys.stdout.buffer.write(answer + b"\n")
        return
    for name, files in found.items():
        digest, count = hashlib.sha256(), 0
        for answer in answers(files, default_judge(), options.every):
            digest.update(answer + b"\n")
            count += 1
        print(f"{name} {count} {digest.hexdigest()}", flush=True)


if __name__ == "__main__":
    main()
