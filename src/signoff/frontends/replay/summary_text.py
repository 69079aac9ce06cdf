"""What a replay comes to, of sessions or of the audit log, as lines for a terminal.

for line in summary_lines(summary): print(line)
for line in changed_lines(result, most=20): print(line)
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.challenge.visible import visible
from signoff.frontends.hosts.registry import BY_NAME
from signoff.frontends.replay.backtest import BacktestResult
from signoff.frontends.replay.summary import TOOLS, CallCounts, ReplaySummary
from signoff.values import count_of

BAR = 24  # characters
WIDTH = 96
DENIED_SHOWN = 10


def summary_lines(summary: ReplaySummary) -> Iterator[str]:
    """Yield a summary as lines for a terminal."""
    if not summary.calls:
        yield "no calls of coding agents were found"
        return
    yield headline(summary)
    yield f"{summary.asks_per_100:.2f} questions and {_denied(summary):.2f} denials per 100 calls"
    if summary.asks_per_100_with_grants < summary.asks_per_100:
        yield (
            f'{summary.asks_per_100_with_grants:.2f} questions per 100 with approvals "for this'
            ' session"'
        )
    yield from _counted("agent", [_titled(one) for one in summary.hosts])
    yield from _counted("tool", summary.tools[:TOOLS])
    yield from _questions(summary)
    yield from _grants(summary)
    yield from _denials(summary)
    if summary.unreadable:
        yield ""
        yield f"{count_of(summary.unreadable, 'call')} could not be read from the session files"


def headline(summary: ReplaySummary) -> str:
    """Return the summary in one sentence."""
    when = f", {summary.first} to {summary.last}" if summary.first else ""
    calls, sessions = count_of(summary.calls, "call"), count_of(summary.sessions, "session")
    asked, denied = count_of(summary.asked, "time"), count_of(summary.denied, "call")
    return f"{calls} in {sessions}{when}: signoff would have asked {asked} and denied {denied}"


def host_title(name: str) -> str:
    """Return the display name of a host."""
    return BY_NAME[name].called if name in BY_NAME else name


def _denied(summary: ReplaySummary) -> float:
    return 100 * summary.denied / summary.calls


def _titled(one: CallCounts) -> CallCounts:
    return CallCounts(
        name=host_title(one.name), calls=one.calls, asked=one.asked, denied=one.denied
    )


def _counted(title: str, rows: list[CallCounts] | tuple[CallCounts, ...]) -> Iterator[str]:
    most = max((one.asks_per_100 for one in rows), default=0.0) or 1.0
    yield ""
    yield f"{title:<28} {'calls':>7} {'asked':>6} {'denied':>6}  questions per 100 calls"
    for one in rows:
        bar = "#" * round(BAR * one.asks_per_100 / most)
        name = visible(one.name)[:28]
        yield (
            f"{name:<28} {one.calls:>7,} {one.asked:>6,} {one.denied:>6,}"
            f"  {one.asks_per_100:>6.2f} {bar}"
        ).rstrip()


def _questions(summary: ReplaySummary) -> Iterator[str]:
    if summary.questions:
        yield ""
        yield "most frequent questions"
    for one in summary.questions:
        yield f"{one.count:>6,}  {one.title}  [{one.cause}]"
        yield f"        {_cut(one.example)}"


def _grants(summary: ReplaySummary) -> Iterator[str]:
    if summary.grants:
        yield ""
        yield 'approving these once "for this session" would have answered'
    for one in summary.grants:
        yield f"{one.silenced:>6,} of {count_of(one.asked, 'question')}: {_cut(one.covers)}"


def _denials(summary: ReplaySummary) -> Iterator[str]:
    if summary.denied_calls:
        yield ""
        yield f"denied{' (the newest)' if summary.denied > DENIED_SHOWN else ''}"
    for one in summary.denied_calls[-DENIED_SHOWN:]:
        yield f"  {one.at[:16]:<16}  {_cut(one.call)}"
        yield f"        {_cut(one.reason)}"


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def changed_lines(result: BacktestResult, *, most: int) -> Iterator[str]:
    """Yield a backtest's result as lines for a terminal.

    Args:
        most: largest number of calls.
    """
    moved = sum(result.moved.values())
    yield f"{count_of(result.calls, 'call')} judged again: {moved:,} would change"
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
        calls = count_of(result.recorded_otherwise, "call gets", "calls get")
        yield (
            f"note: {calls} another verdict today than in the log"
            " without any change: rules, version or files differ"
        )
    if result.masked:
        calls = count_of(result.masked, "call has", "calls have")
        yield (
            f"note: {calls} secrets masked in the log; a rule that matches"
            " the secret itself cannot be tried on them"
        )
    if result.cut:
        calls = count_of(result.cut, "call is", "calls are")
        yield f"note: {calls} not in the log as a whole and not judged"
