"""What a replay of the audit log comes to, as lines for a terminal.

for line in changed_lines(result, most=20): print(line)
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.frontends.replay.backtest import BacktestResult


def changed_lines(result: BacktestResult, *, most: int) -> Iterator[str]:
    """Yield the result in lines for a terminal, at most so many calls."""
    yield f"{result.calls:,} calls judged again: {sum(result.moved.values()):,} would change"
    for name, count in result.moved.items():
        yield f"{count:>7,}  {name}"
    if result.overruled:
        yield f"{len(result.overruled):,} would pass alone although a person refused them"
    for one in (*result.overruled, *(c for c in result.changes if not c.overrules_person))[:most]:
        person = f", {one.person} by a person" if one.person else ""
        yield ""
        yield f"{one.seq} {one.at[:16]}  {one.was} -> {one.would}  (then: {one.decided}{person})"
        yield f"    {one.call}"
        yield f"    {one.reason}"
    if len(result.changes) > most:
        yield f"... and {len(result.changes) - most:,} more (--most)"
    yield from _notes(result)


def _notes(result: BacktestResult) -> Iterator[str]:
    if result.masked or result.cut or result.recorded_otherwise:
        yield ""
    if result.recorded_otherwise:
        yield (
            f"note: {result.recorded_otherwise:,} calls get another verdict today than in the log"
            " without any change: rules, version or files differ"
        )
    if result.masked:
        yield (
            f"note: {result.masked:,} calls have secrets masked in the log; a rule that matches"
            " the secret itself cannot be tried on them"
        )
    if result.cut:
        yield f"note: {result.cut:,} calls are not in the log as a whole and were not judged"
