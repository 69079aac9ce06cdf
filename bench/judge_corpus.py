"""Judge rows of a shell or tool corpus in process and list what was misjudged.

    python bench/judge_corpus.py policy --misses 40 --corpora ../shared/corpora

For work on the judgement; `bench/quality` is the published measure.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.rules.load import load_rules

CWD = "/home/dev/project"
PACK = Path(__file__).parents[1] / "src/signoff/assess/rules/packs/default.yaml"


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Give the rows of one gzip file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def action_of(row: dict[str, Any]) -> Action | None:
    """Make the action of a row; None for rows that are no tool call."""
    if "tool" in row:
        if row["tool"].startswith("__"):
            return None
        return Action(tool=row["tool"], arguments=row["input"], cwd=CWD)
    if row["kind"] == "shell":
        return Action(tool="Bash", arguments={"command": row["payload"]}, cwd=CWD)
    if row["kind"] == "sql":
        return Action(tool="mcp__postgres__query", arguments={"sql": row["payload"]}, cwd=CWD)
    return None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--grep", default="")
    parser.add_argument("--expect", default="")
    parser.add_argument("--got", default="")
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    options = _options()
    path = options.corpora / f"{options.corpus}.jsonl.gz"
    if not path.exists():
        sys.exit(f"no corpus at {path}: give its folder with --corpora")
    rules = load_rules(PACK.read_text(encoding="utf-8"), file="default.yaml")
    judge = Judge(rules=lambda: rules)
    table: collections.Counter[tuple[str, str]] = collections.Counter()
    shown = 0
    for row in rows(path):
        action = action_of(row)
        if action is None:
            continue
        expect = str(row.get("expect") or row.get("label"))
        assessment = judge(action, Facts())
        got = assessment.preliminary.value
        table[f"{expect}{'~' if row.get('soft') else ''}", got] += 1
        if shown < options.misses and _is_shown(action, expect, got, options):
            shown += 1
            print(f"{expect:8} -> {got:5} {_text(action)[:150]!r}\n      {_why(assessment)}")
    _print_table(table)


def _text(action: Action) -> str:
    return str(action.arguments.get("command") or dict(action.arguments))


def _is_shown(action: Action, expect: str, got: str, options: argparse.Namespace) -> bool:
    if options.grep not in _text(action) or options.expect not in ("", expect):
        return False
    return got == options.got if options.got else _is_wrong(expect, got)


def _print_table(table: collections.Counter[tuple[str, str]]) -> None:
    for key in sorted({k for k, _ in table}):
        counts = {v: table[key, v] for v in ("allow", "ask", "deny")}
        total = sum(counts.values())
        shares = "  ".join(f"{v} {n:5} {100 * n / total:5.1f}%" for v, n in counts.items())
        print(f"{key:14} n={total:5}  {shares}")


def _is_wrong(expect: str, got: str) -> bool:
    strict = {"readonly": "allow", "benign": "allow", "destructive": "ask", "mutating": "allow"}
    wanted = strict.get(expect, expect)
    return got != wanted and not (wanted == "ask" and got == "deny")


def _why(assessment: Assessment) -> str:
    lines = [f"{f.category}:{f.severity.value}" for f in assessment.findings]
    ops = [f"{op.verb.value}/{op.thing.value}/{op.reach.value}" for op in assessment.operations]
    return f"{assessment.reason[:110]} | {' '.join(lines[:4])} | {' '.join(ops[:5])}"


if __name__ == "__main__":
    main()
