"""Judges batches of lines in two processes, in order; sessions with the facts a daemon has."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.oracle.answers import Answer, answer_of, digest_of, parts_of
from bench.oracle.lines import Batch, Line, batches, input_of
from bench.quality.guard import Guard, warm_up
from bench.quality.replay import Replay
from bench.sessions import action_of
from signoff.frontends.replay.written import files_written

PROCESSES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One judged line: the digest of what was judged, the parts of the answer, the answer."""

    name: str
    given: str
    parts: dict[str, str]
    answer: Answer


def judge_all(corpora: Path, *, processes: int = PROCESSES) -> Iterator[Judged]:
    """Judge every line there is; they come in the same order every time."""
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(processes, initializer=_start) as pool:
        for part in pool.imap(_judge, batches(corpora)):
            yield from part


_GUARD: list[Guard] = []


def _start() -> None:
    guard = Guard()
    warm_up(guard)
    _GUARD.append(guard)


def _judge(batch: Batch) -> tuple[Judged, ...]:
    return judge_batch(batch, _GUARD[0])


def judge_batch(batch: Batch, guard: Guard) -> tuple[Judged, ...]:
    """Judge the lines of one batch."""
    if not batch.project:
        return tuple(_judged(line, answer_of(guard.judge_any(line.case))) for line in batch.lines)
    return tuple(_session(batch, guard))


def _session(batch: Batch, guard: Guard) -> Iterator[Judged]:
    with Replay(guard, home=batch.home, project=batch.project) as replay:
        for line in batch.lines:
            step = replay.judge(line.case.document)
            yield _judged(line, answer_of(step))
            if line.row and step.outcome.verdict != "deny":
                for effect in line.row.get("effects") or ():
                    replay.disk.apply(effect)
                for path, text in files_written(action_of(line.row), replay.disk):
                    replay.disk.write(path, text)


def _judged(line: Line, answer: Answer) -> Judged:
    given = digest_of(list(input_of(line.case)))
    return Judged(name=line.name, given=given, parts=parts_of(answer), answer=answer)
