"""How well SQL is understood, over a labelled corpus that lives outside the project.

    python bench/sql_corpus.py sql.jsonl.gz --misses

A row is one JSON object a line with `payload` and `label` (destructive, mutating, readonly). A
row counts as flagged if the policy would ask about it for loss: rows gone without a bound, schema
or a whole store gone, or not understood. Code in the database and grants are counted apart.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from pathlib import Path

from signoff.actions.operation import Operations, Trait
from signoff.actions.sql import understand_sql

LOSING = {Trait.UNBOUNDED, Trait.SCHEMA_LOSS, Trait.WHOLE_STORE}
GOALS = {"destructive": ">= 98 %", "mutating": "<= 10 %", "readonly": "<= 1 %"}


def is_flagged(operations: Operations) -> bool:
    """Say whether a loss or something opaque is among the operations."""
    return any(not one.understood or LOSING & one.traits for one in operations)


def main() -> int:
    """Print the share of flagged rows for each label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--misses", action="store_true", help="print the rows that went wrong")
    options = parser.parse_args()
    if not options.corpus.exists():
        print(f"corpus not found: {options.corpus}: nothing was measured")
        return 2
    with gzip.open(options.corpus, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    total, flagged = Counter[str](), Counter[str]()
    worst = spent = 0.0
    for row in rows:
        start = time.perf_counter()
        operations = understand_sql(row["payload"])
        took = time.perf_counter() - start
        spent, worst = spent + took, max(worst, took)
        total[row["label"]] += 1
        flagged[row["label"]] += is_flagged(operations)
        if options.misses and is_flagged(operations) != (row["label"] == "destructive"):
            why = next((one.why or one.program for one in operations if one.why or one.traits), "")
            print(f"{row['label']:12}{why:24.24}{row['payload'][:140]!r}")
    for label, count in total.items():
        share = 100 * flagged[label] / count
        part = f"{flagged[label]:5} of {count:5} = {share:6.2f} %"
        print(f"{label:12} flagged {part}   goal {GOALS[label]}")
    print(f"{1e6 * spent / len(rows):.1f} us a row, worst {1e3 * worst:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
