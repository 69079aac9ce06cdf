"""Run the quality measure from the root of the project.

python -m bench.quality                          everything, compared with the saved run
python -m bench.quality --misses policy          the misjudged cases of one set
python -m bench.quality --first-sight NAME       judge a new set and keep its figures; only once
python -m bench.quality --questions              what a question costs: levels and proofs
python -m bench.quality --save --publish         keep the figures, write docs/quality.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.quality.figures import figures_of
from bench.quality.first_sight import frozen_judge, keep_first_sight, read_first_sight
from bench.quality.guard import Guard, warm_up
from bench.quality.own import prune
from bench.quality.page import QUESTIONS, SAVED, publish
from bench.quality.question_page import heavy_lines, question_lines
from bench.quality.questions import NAME, count_questions
from bench.quality.report import (
    Saved,
    first_sight_of,
    misses,
    print_report,
    read_saved,
    result_of,
    save,
)
from bench.quality.sets import ROOT, SETS, Judged, run_set


def main() -> int:
    """Run what is asked for; exit status 2 if shared sets are absent."""
    options = _options()
    if options.prune:
        print("\n".join(["fixed:", *prune()]))
        return 0
    if options.questions:
        return _count_questions(options)
    if options.misses:
        return _print_misses(options.misses, options.corpora, options.grep)
    return _measure(options)


def _measure(options: argparse.Namespace) -> int:
    """Measure, print, and keep what is asked for."""
    seen = set(options.first_sight or ()).intersection(read_first_sight())
    if seen:
        print(f"nothing judged: {', '.join(sorted(seen))} was seen before; first sight stays")
        return 2
    judge = frozen_judge() if options.first_sight else {}
    results, absent = _judge(options.first_sight or options.set or SETS, options.corpora)
    figures = figures_of(results)
    result = result_of(results, figures)
    for name in set(results).intersection(options.first_sight or ()):
        keep_first_sight(name, judge | first_sight_of(name, results[name], figures))
    print_report(result, before=read_saved(SAVED), first=read_first_sight())
    for line in absent:
        print(f"not measured: {line}; give the folder of the corpora with --corpora")
    is_whole = not absent and not options.set and not options.first_sight
    if options.save or options.publish:
        return _keep(result, is_published=options.publish) if is_whole else _kept_nothing()
    return 2 if absent else 0


def _judge(names: Iterable[str], corpora: Path) -> tuple[dict[str, Judged], list[str]]:
    """Judge sets by name; also give which are absent."""
    guard, results, absent = Guard(), dict[str, Judged](), list[str]()
    warm_up(guard)
    for name in names:
        judged = run_set(SETS[name], guard, corpora)
        if judged is None:
            absent.append(f"{name}: no {SETS[name].file} in {corpora}")
        else:
            results[name] = judged
    return results, absent


def _keep(result: Saved, *, is_published: bool) -> int:
    save(SAVED, result)
    if is_published:
        publish()
    return 0


def _count_questions(options: argparse.Namespace) -> int:
    """Count what questions cost, print it beside first sight, and keep what is asked for."""
    try:
        now = count_questions(options.corpora)
    except FileNotFoundError as error:
        print(f"not measured: {error}; give the folder of the corpora with --corpora")
        return 2
    print("\n".join([*question_lines(now, read_first_sight().get(NAME, {})), *heavy_lines(now)]))
    if options.save or options.publish:
        save(QUESTIONS, now)
    if options.publish:
        publish()
    return 0


def _kept_nothing() -> int:
    print("nothing kept: a run that is kept measures every set")
    return 2


def _print_misses(name: str, corpora: Path, wanted: str) -> int:
    judged = run_set(SETS[name], Guard(), corpora)
    if judged is None:
        print(f"not measured: {name}: no {SETS[name].file} in {corpora}; see --corpora")
        return 2
    found = [text for text in misses(judged) if wanted in text]
    print("\n".join(found))
    print(f"{len(found)} of {len(judged)} misjudged")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--corpora", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("--set", action="append", choices=sorted(SETS), help="only this set")
    parser.add_argument("--misses", choices=sorted(SETS), help="list the misjudged of one set")
    parser.add_argument("--grep", default="", help="of the misjudged only those with this text")
    parser.add_argument(
        "--first-sight",
        action="append",
        choices=sorted(SETS),
        help="judge this set and keep its figures as first sight; possible only once",
    )
    parser.add_argument("--questions", action="store_true", help="count what questions cost")
    parser.add_argument("--prune", action="store_true", help="take fixed own cases off the list")
    parser.add_argument("--save", action="store_true", help="keep the run in bench/results")
    parser.add_argument("--publish", action="store_true", help="keep it and write docs/quality.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
