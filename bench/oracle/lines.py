"""Every line the oracle judges: own and shared corpora, own cases in other words, real sessions.

Lines come in batches that one process judges: calls that stand alone, or one session in order. A
line's name is unique: `policy/tldr/git#3`, `own/git-017`, `words/git-017 bash-c/cd`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from bench.metamorphic import is_portable, shell_cases, ways
from bench.quality.cases import HOME, PROJECT, Case, payload_of, read_cases, read_rows, shell_case
from bench.quality.sessions import read_sessions
from bench.quality.sets import OWN
from bench.quality.wrapping import DATA

BATCH = 200
SEED = "oracle-1"
VARIANTS_OF = 8  # one variant of so many is judged
SHARED = (
    "bypass",
    "policy",
    "policy_2",
    "calls",
    "shell",
    "shell_longtail",
    "sql",
    "secrets",
    "injection",
    "benign_text",
    "prompts",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line to judge.

    Args:
        row: of a step of a session: what it leaves on disk is taken from it.
    """

    name: str
    case: Case
    row: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Lines for one process; with a project they are one session, in order."""

    lines: tuple[Line, ...]
    home: str = HOME
    project: str = ""


def batches(corpora: Path) -> Iterator[Batch]:
    """Give all lines there are; a shared corpus that is absent is left out."""
    yield from _batched(_own())
    yield from _batched(_in_other_words())
    for name in SHARED:
        path = corpora / f"{name}.jsonl.gz"
        if path.exists():
            lines = (Line(name=f"{name}/{case.id}", case=case) for case in read_cases(path))
            yield from _batched(lines)
    yield from _own_sessions()
    yield from _recorded(corpora / "adversary.jsonl.gz")
    yield from _recorded(corpora / "sessions.jsonl.gz")


def _batched(lines: Iterable[Line]) -> Iterator[Batch]:
    rest = iter(lines)
    while part := tuple(islice(rest, BATCH)):
        yield Batch(lines=part)


def _own() -> Iterator[Line]:
    for path in sorted(OWN.glob("*.jsonl")):
        if path.name != "traces.jsonl":
            for case in read_cases(path):
                yield Line(name=f"own/{case.id}", case=case)


def _in_other_words() -> Iterator[Line]:
    """Give a sample of the own cases inside other commands and as data, always the same."""
    cases = (*shell_cases(attacks=True), *shell_cases(attacks=False))
    for case in cases:
        forms = [*ways(case)] if is_portable(case.command) else []
        forms += [((name,), line) for name, wrap in DATA.items() if (line := wrap(case.command))]
        for way, line in dict(forms).items():
            name = f"words/{case.id} {'/'.join(way)}"
            if zlib.crc32(f"{SEED}/{name}".encode()) % VARIANTS_OF == 0:
                yield Line(name=name, case=shell_case(case, line))


def _own_sessions() -> Iterator[Batch]:
    for case, documents in read_sessions(OWN / "traces.jsonl"):
        steps = (
            Line(name=f"own/{case.id}/{number}", case=_step(case.id, json.loads(document)))
            for number, document in enumerate(documents, 1)
        )
        yield Batch(lines=tuple(steps), project=PROJECT)


def _recorded(path: Path) -> Iterator[Batch]:
    """Give the sessions of a shared corpus in order, and its rows that are in none."""
    if not path.exists():
        return
    corpus = path.name.partition(".")[0]
    for session, rows in groupby(read_rows(path), lambda row: row.get("session")):
        lines = tuple(_recorded_line(corpus, row) for row in rows)
        if session is None:
            yield from _batched(lines)
        else:
            first: Mapping[str, Any] = lines[0].row
            home = str(first.get("home") or HOME)
            yield Batch(lines=lines, home=home, project=str(first.get("project") or PROJECT))


def _recorded_line(corpus: str, row: dict[str, Any]) -> Line:
    given = payload_of(row) or {}
    home = row.get("home") or given.get("home", HOME)
    is_step = bool(row.get("session"))
    case = _step(str(row["session"] if is_step else ""), {**given, "home": home})
    return Line(name=f"{corpus}/{row['id']}", case=case, row=row if is_step else {})


def _step(session: str, payload: Mapping[str, Any]) -> Case:
    named = {**payload, "session_id": session, "agent_id": "oracle"} if session else payload
    return Case(id="", source="", label="", document=json.dumps(named).encode())


def input_of(case: Case) -> Sequence[str]:
    """Give what is judged, so that a changed line is not taken for a changed answer."""
    return case.document.decode("utf-8", "replace"), case.text, case.group if case.text else ""
