"""Interruptions on real sessions: replays every call in order with the facts a daemon would have.

Files are those the session itself wrote; nothing of this machine is read. What is asked about is
taken as approved, as the session went on. Sessions are split over two processes; the result does
not depend on that. It takes about half a minute for 20,000 calls.

    python -m bench.sessions                        interruptions per 100 calls, and first sight
    python -m bench.sessions --publish              keep the figures, write docs/quality.md
    python -m bench.sessions --list ask --cause opaque.not-understood --most 40
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.quality.cases import HOME, payload_of, read_rows
from bench.quality.first_sight import ROOT, frozen_judge, keep_first_sight, read_first_sight
from bench.quality.guard import Guard, Step, warm_up
from bench.quality.page import SESSIONS, publish
from bench.quality.replay import Replay
from bench.quality.report import save
from signoff.actions.action import Action
from signoff.challenge.terms.session_scope import shape_of
from signoff.frontends.replay.replayed_call import cause_of
from signoff.frontends.replay.written import files_written

CORPUS = ROOT.parent / "shared" / "corpora" / "sessions.jsonl.gz"
NAME = "sessions"
PROCESSES = 2
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One replayed call.

    Args:
        cause: the rule or the worst finding that interrupted it, "" if nothing did.
        shape: programs or tool, and what they do it to.
        level: how careful to be, of what is asked about; proof: what an approval then takes.
        is_granted: an earlier ask of the session, approved for the session, would cover it.
    """

    id: str
    source: str
    tool: str
    verdict: str
    cause: str = ""
    shape: str = ""
    level: str = ""
    proof: str = ""
    is_granted: bool = False
    text: str = ""
    reason: str = ""


def sessions_of(path: Path) -> tuple[tuple[Row, ...], ...]:
    """Give the rows of every session, in order."""
    return tuple(tuple(rows) for _, rows in groupby(read_rows(path), lambda row: row["session"]))


def replayed(rows: Sequence[Row], guard: Guard) -> Iterator[Call]:
    """Judge the calls of one session, in order."""
    home, granted = rows[0].get("home") or HOME, set[str]()
    with Replay(guard, home=home, project=rows[0]["project"]) as replay:
        for row in rows:
            payload = {
                **(payload_of(row) or {}),
                "home": home,
                "session_id": row["session"],
                "agent_id": row["agent"],
            }
            step = replay.judge(json.dumps(payload).encode())
            yield _call(row, step, granted)
            if step.outcome.verdict != "deny":
                for path, text in files_written(action_of(row), replay.disk):
                    replay.disk.write(path, text)


def _call(row: Row, step: Step, granted: set[str]) -> Call:
    """Say what happened to a call, and remember what an approval of it would cover."""
    verdict, assessment = step.outcome.verdict, step.assessment
    told = {"id": row["id"], "source": row["source"], "tool": row["tool"], "verdict": verdict}
    if verdict == "allow":
        return Call(**told)
    shape = "" if assessment is None else shape_of(assessment)
    asked = assessment if verdict == "ask" else None
    is_granted = verdict == "ask" and shape in granted
    if verdict == "ask" and shape:
        granted.add(shape)
    return Call(
        **told,
        cause=_cause(step),
        shape=_shape(row, step),
        level=asked.level.value if asked else "",
        proof=asked.challenge.value if asked else "",
        is_granted=is_granted,
        text=str(row["input"].get("command") or json.dumps(row["input"]))[:400],
        reason=step.outcome.reason,
    )


def action_of(row: Mapping[str, Any]) -> Action:
    """Give the call of a row, as far as it tells what was written."""
    return Action(tool=row["tool"], arguments=row["input"], cwd=row.get("cwd") or "")


def _cause(step: Step) -> str:
    """Name what interrupted a call; of one that could not be judged, how that failed."""
    if step.assessment is None:
        return step.outcome.reason.partition(":")[0]
    return cause_of(step.assessment)


def _shape(row: Row, step: Step) -> str:
    """Say in few words what kind of call it is."""
    operations = step.assessment.operations if step.assessment else ()
    opaque = [op for op in operations if not op.understood] or operations
    names = dict.fromkeys(op.program or row["tool"] for op in opaque[:4] if op.verb != "inert")
    return " + ".join(names)[:60] or str(row["tool"])


def measure(path: Path, *, tell: Callable[[str], None]) -> tuple[Call, ...]:
    """Replay all sessions of a file in two processes; calls come back in the order of the file."""
    sessions = sessions_of(path)
    calls: list[Call] = []
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(PROCESSES, initializer=_start) as pool:
        for done, part in enumerate(pool.imap(_replay, sessions, chunksize=4), 1):
            calls += part
            if done % 20 == 0 or done == len(sessions):
                tell(f"{done} of {len(sessions)} sessions, {len(calls)} calls")
    return tuple(calls)


_GUARD: list[Guard] = []


def _start() -> None:
    guard = Guard()
    warm_up(guard)
    _GUARD.append(guard)


def _replay(rows: Sequence[Row]) -> tuple[Call, ...]:
    return tuple(replayed(rows, _GUARD[0]))


def figures(calls: Sequence[Call]) -> dict[str, Any]:
    """Count interruptions: no calls, only figures."""
    stopped = [call for call in calls if call.verdict != "allow"]
    return {
        "calls": len(calls),
        "ask": sum(call.verdict == "ask" for call in calls),
        "deny": sum(call.verdict == "deny" for call in calls),
        "granted": sum(call.is_granted for call in calls),
        "levels": dict(Counter(call.level for call in calls if call.level).most_common()),
        "sources": _by(calls, lambda call: call.source),
        "tools": _by(calls, lambda call: call.tool),
        "causes": dict(Counter(call.cause for call in stopped).most_common(40)),
    }


def _by(calls: Iterable[Call], name: Callable[[Call], str]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for call in calls:
        count = counts.setdefault(name(call), Counter(calls=0, ask=0, deny=0, granted=0))
        count.update(["calls", *([call.verdict] if call.verdict != "allow" else [])])
        count.update(["granted"] if call.is_granted else [])
    ordered = sorted(counts.items(), key=lambda item: (-item[1]["calls"], item[0]))
    return {key: dict(count) for key, count in ordered}


def lines_of(kept: dict[str, Any]) -> Iterator[str]:
    """Say in lines how often people were interrupted."""
    yield _line("all calls", kept)
    levels = kept.get("levels", {})
    asked = sum(levels.values())
    for level, n in levels.items():
        yield f"  asked as {level:9} {n:5}  {per_100(n, asked):5.1f} %"
    for kind in ("sources", "tools"):
        yield f"\nby {kind[:-1]}"
        for name, count in kept[kind].items():
            if count["ask"] or count["deny"] or count["calls"] >= 100:
                yield _line(name, count)
    yield "\nby cause (asked and denied)"
    for cause, n in kept["causes"].items():
        yield f"  {n:5}  {per_100(n, kept['calls']):5.2f}  {cause}"


def _line(name: str, count: dict[str, Any]) -> str:
    n, ask, deny, granted = (count[key] for key in ("calls", "ask", "deny", "granted"))
    return (
        f"  {name:24} {n:6} calls  per 100: {per_100(ask + deny, n):5.2f} interrupted"
        f"  ({per_100(ask, n):.2f} asked, {per_100(deny, n):.2f} denied)"
        f"  {per_100(ask + deny - granted, n):5.2f} with session grants"
    )


def per_100(hits: int, n: int) -> float:
    """Give how many of a hundred."""
    return 100 * hits / n if n else 0.0


def main() -> int:
    """Replay and print; exit status 2 if the corpus is absent."""
    options = _options()
    if not options.corpus.exists():
        print(f"not measured: no {options.corpus}; give the file with --corpus")
        return 2
    judge = frozen_judge() if options.first_sight else {}
    calls = measure(options.corpus, tell=lambda line: print(line, file=sys.stderr))
    if options.list:
        return _list(calls, options)
    now = figures(calls)
    print("\n".join(lines_of(now)))
    shapes = Counter((call.verdict, call.shape, call.cause) for call in calls if call.cause)
    print("\nmost frequent shapes")
    for (verdict, shape, cause), n in shapes.most_common(options.most):
        print(f"  {n:5}  {verdict:4}  {shape:40}  {cause}")
    if options.save or options.publish:
        save(SESSIONS, now)
    if options.first_sight:
        keep_first_sight(NAME, {**judge, **now})
    if options.publish:
        publish()
    first = read_first_sight().get(NAME)
    if first:
        print("\nfirst sight")
        print(_line("all calls", first))
    return 0


def _list(calls: Iterable[Call], options: argparse.Namespace) -> int:
    """Print interrupted calls with their reasons."""
    wanted = [
        call for call in calls if call.verdict == options.list and options.cause in call.cause
    ]
    for call in wanted[: options.most]:
        print(f"{call.id} {call.tool} [{call.cause}]\n    {call.text!r}\n    {call.reason}")
    print(f"{len(wanted)} calls")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.sessions", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--list", choices=("ask", "deny"), help="print calls with this verdict")
    parser.add_argument("--cause", default="", help="of these only those of this cause")
    parser.add_argument("--most", type=int, default=40, help="how many lines of a list")
    parser.add_argument("--save", action="store_true", help="keep the figures in bench/results")
    parser.add_argument("--publish", action="store_true", help="keep them, write docs/quality.md")
    parser.add_argument(
        "--first-sight", action="store_true", help="keep the figures as first sight; only once"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
