"""Freeze the full answer to every line of all corpora, and list the lines that changed.

python -m bench.oracle freeze /tmp/oracle.txt             before a change
python -m bench.oracle freeze /tmp/oracle.txt --full      and keep the answers, to see differences
python -m bench.oracle compare /tmp/oracle.txt            after it; exit status 1 if a line changed
python -m bench.oracle compare /tmp/oracle.txt --part verdict --list 50

It takes about a minute on two idle cores. The file stays outside the project.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.oracle.answers import PARTS
from bench.oracle.comparing import Change, Comparison, compare, differences
from bench.oracle.files import check_outside, read_answers, read_frozen, write_frozen
from bench.oracle.judging import Judged, judge_all
from bench.quality.first_sight import ROOT

TELL_EVERY = 5_000


def main() -> int:
    """Freeze or compare; exit status 1 if a line changed, 2 if nothing could be done."""
    options = _options()
    try:
        check_outside(options.file)
        frozen = read_frozen(options.file) if options.work == "compare" else {}
    except (ValueError, OSError) as error:
        print(f"nothing judged: {error}")
        return 2
    judged = _told(judge_all(options.corpora))
    if options.work == "freeze":
        count = write_frozen(options.file, judged, is_full=options.full)
        print(f"{count} lines frozen in {options.file}")
        return 0
    found = compare(frozen, judged)
    _print(found, options)
    return int(bool(found.changed))


def _told(judged: Iterable[Judged]) -> Iterator[Judged]:
    """Say now and then how far it is."""
    start = time.monotonic()
    for count, one in enumerate(judged, 1):
        yield one
        if count % TELL_EVERY == 0:
            print(f"{count} lines, {time.monotonic() - start:.0f} s", file=sys.stderr)


def _print(found: Comparison, options: argparse.Namespace) -> None:
    """Print how much changed, in which parts, and the first lines of it."""
    print(
        f"{found.n} lines: {len(found.changed)} changed, {len(found.added)} new, "
        f"{len(found.gone)} gone, {len(found.other_input)} with another input"
    )
    for part, n in Counter(part for one in found.changed for part in one.parts).most_common():
        print(f"  {n:6} {part}")
    moves = Counter(
        (one.before["verdict"], one.now["verdict"]) for one in found.changed if _moved(one)
    )
    for (before, now), n in moves.most_common():
        print(f"  {n:6} {before} -> {now}")
    wanted = [one for one in found.changed if options.part in ("", *one.parts)][: options.list]
    old = read_answers(options.file, {one.name for one in wanted})
    for one in wanted:
        print(f"\n{one.name}")
        for line in differences(one, old.get(one.name)):
            print(f"    {line}")


def _moved(one: Change) -> bool:
    return "verdict" in one.parts


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.oracle",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("work", choices=("freeze", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--corpora", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--full", action="store_true", help="freeze the answers, not only digests")
    parser.add_argument("--part", default="", choices=("", *PARTS), help="only lines it changed in")
    parser.add_argument("--list", type=int, default=20, help="print so many changed lines")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
