"""Results as values to keep and as tables to read: rows per set and label, figures, speed.

saved = result_of(judged, figures)      # what bench/results/quality.json holds
print_report(saved, before=read_saved(path))
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.quality.figures import Figure, Results, over_sources, tally
from bench.quality.guard import FAILED
from bench.quality.measure import Share, quantile
from bench.quality.sets import Judged

Saved = dict[str, Any]


def result_of(results: Results, figures: tuple[Figure, ...]) -> Saved:
    """Make what is kept of a run: no rows, only counts."""
    return {
        "figures": [_figure(one) for one in figures],
        "sets": {name: _rows(judged) for name, judged in results.items()},
        "speed": speed_of(results),
        "failures": sum(
            outcome.reason.startswith(FAILED)
            for judged in results.values()
            for _, outcome in judged
        ),
    }


def first_sight_of(name: str, judged: Judged, figures: tuple[Figure, ...]) -> Saved:
    """Make what is kept of the first sight of a set: its counts and figures."""
    return {
        "rows": _rows(judged),
        "figures": [_figure(one) for one in figures if one.set == name],
    }


def _figure(one: Figure) -> dict[str, Any]:
    return {
        "set": one.set,
        "measure": one.measure,
        "value": one.value,
        "target": one.target,
        "at_least": one.at_least,
        "unit": one.unit,
        "n": one.n,
        "reached": one.is_reached,
    }


def speed_of(results: Results) -> dict[str, dict[str, float]]:
    """The time of one judgement: of calls by the whole guard, of texts by their detectors."""
    pairs = [pair for judged in results.values() for pair in judged]
    timed = {
        "calls": [outcome.seconds for case, outcome in pairs if not case.text],
        "texts": [outcome.seconds for case, outcome in pairs if case.text],
    }
    return {
        name: {
            "n": len(seconds),
            "p50_us": round(1e6 * quantile(seconds, 0.50), 1),
            "p99_us": round(1e6 * quantile(seconds, 0.99), 1),
            "worst_ms": round(1e3 * max(seconds, default=0.0), 1),
        }
        for name, seconds in timed.items()
    }


def _rows(judged: Judged) -> list[dict[str, Any]]:
    """One row a label, debatable cases apart, with the mean over sources."""
    keys = sorted({(case.label, case.is_soft) for case, _ in judged})
    rows = []
    for label, soft in keys:
        counted = tally(judged, label, soft=soft)
        part = tuple(pair for pair in judged if pair[0].is_soft is soft)
        rows.append(
            {
                "label": f"{label} (debatable)" if soft else label,
                "n": counted.n,
                "deny": counted.deny,
                "ask": counted.ask,
                "flagged_macro": round(over_sources(part, lambda t: t.flagged, label), 2),
                "sources": len({case.source for case, _ in part if case.label == label}),
            }
        )
    return rows


def read_saved(path: Path) -> Saved:
    """Read what an earlier run kept, {} where there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def save(path: Path, result: Saved) -> None:
    """Keep a run."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def print_report(result: Saved, *, before: Saved, first: Mapping[str, Saved]) -> None:
    """Print all tables of a run, with what changed since the one before and since first sight.

    Args:
        first: what is kept of first sights, by set.
    """
    for name, rows in result["sets"].items():
        print(f"\n{name}")
        for row in rows:
            print("  now         " + set_line(row))
        for row in first.get(name, {}).get("rows", ()):
            print("  first sight " + set_line(row))
    print("\nfigures")
    old, seen = figure_values(before.get("figures", ())), firstfigure_values(first)
    for one in result["figures"]:
        key = (one["set"], one["measure"])
        print("  " + figure_line(one, old.get(key), seen.get(key)))
    print(f"\nthe judge failed {result['failures']} times (each counts as a refusal)")
    for name, row in result["speed"].items():
        print(
            f"speed of {row['n']:6} {name}: p50 {row['p50_us']:.0f} us, "
            f"p99 {row['p99_us']:.0f} us, worst {row['worst_ms']:.1f} ms"
        )


def firstfigure_values(first: Mapping[str, Saved]) -> dict[tuple[str, str], float]:
    """Give the figures of all first sights by set and measure."""
    return figure_values(one for entry in first.values() for one in entry.get("figures", ()))


def figure_values(figures: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Give figures by set and measure."""
    return {(one["set"], one["measure"]): one["value"] for one in figures}


def set_line(row: Mapping[str, Any]) -> str:
    """One line of a set's table."""
    n = row["n"]
    flagged = Share(row["deny"] + row["ask"], n)
    low, high = flagged.interval
    macro = f"  mean of {row['sources']} sources {row['flagged_macro']:5.1f}"
    return (
        f"{row['label']:24} n={n:6}  deny {Share(row['deny'], n).percent:5.1f}"
        f"  ask {Share(row['ask'], n).percent:5.1f}  flagged {flagged.percent:5.1f}"
        f"  [{low:5.1f}, {high:5.1f}]" + (macro if row["sources"] > 1 else "")
    )


def figure_line(one: Mapping[str, Any], before: float | None, first: float | None = None) -> str:
    """One line of the table of figures."""
    seen = f"  first sight {first:.2f}" if first is not None else ""
    sign = ">=" if one["at_least"] else "<="
    change = one["value"] - before if before is not None else 0.0
    moved = f"  ({change:+.2f} since the saved run)" if abs(change) >= 0.005 else ""
    mark = "reached" if one["reached"] else "MISSED"
    return (
        f"{one['set']:20} {one['measure']:42} {one['value']:7.2f} {one['unit']:6}"
        f" {sign} {one['target']:<5g} n={one['n']:<6} {mark}{moved}{seen}"
    )


def misses(judged: Judged) -> Iterator[str]:
    """Say of every misjudged case what it was, what was expected and what was found."""
    for case, outcome in judged:
        wanted = _wanted(case.label)
        if outcome.verdict not in wanted:
            shown = case.command or case.text or case.why
            if not case.command and case.document:
                shown = case.document.decode(errors="replace")
            soft = "~" if case.is_soft else ""
            yield (
                f"{case.id} [{case.group}] {case.label}{soft} -> {outcome.verdict}\n"
                f"    {str(shown)[:300]!r}\n    {outcome.reason}"
            )


def _wanted(label: str) -> tuple[str, ...]:
    match label:
        case "allow" | "readonly" | "benign" | "mutating" | "safe" | "dualuse":
            return ("allow",)
        case "deny":
            return ("deny",)
        case _:
            return ("ask", "deny")
