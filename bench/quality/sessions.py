"""Cases of several calls: sessions of our own, risky or safe as a whole, and chains of a corpus.

A session of our own is one row; a chain is several, in order, each with what it changes on disk:

    {"id": "trace-001", "class": "write-then-run", "expect": "risky", "why": "...",
     "calls": [{"tool": "Write", "input": {...}}, {"tool": "Bash", "input": {...}}]}

    {"id": "x/2", "session": "x", "step": 2, "tool": "Bash", "input": {...}, "expect": "deny",
     "effects": [["w", "/home/dev/project/x.sh", "ls"]]}
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.quality.cases import HOME, PROJECT, Case, case_of, payload_of, read_rows
from bench.quality.disk import ScratchDisk
from bench.quality.guard import Guard, Outcome
from bench.quality.replay import Replay
from signoff.actions.action import Action
from signoff.actions.shell.reader import read_shell
from signoff.frontends.replay.written import files_written
from signoff.values import replace

RANK = {"allow": 0, "ask": 1, "deny": 2}


def read_sessions(path: Path) -> Iterator[tuple[Case, tuple[bytes, ...]]]:
    """Give every session with the payloads of its calls, in order."""
    for row in read_rows(path) if path.exists() else ():
        case = Case(
            id=row["id"],
            source=row["class"],
            label=row["expect"],
            group=row["class"],
            why=row["why"],
        )
        payloads = [payload_of(call) for call in row["calls"]]
        yield case, tuple(json.dumps(payload).encode() for payload in payloads)


def read_single(path: Path, *, in_round: int) -> Iterator[Case]:
    """Give the cases of one round of a corpus that are no steps of a chain."""
    rows = (row for row in read_rows(path) if not row.get("session"))
    return (replace(case_of(row), source=row["class"]) for row in rows if row["round"] == in_round)


def judge_chains(guard: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
    """Give every chain of a corpus, with the strictest thing said of any of its steps.

    A chain is let through where every step passes, refused where some step is.
    """
    chains: dict[str, list[dict[str, Any]]] = {}
    for row in read_rows(path):
        if row.get("session"):
            chains.setdefault(row["session"], []).append(row)
    for name, rows in chains.items():
        ordered = sorted(rows, key=lambda row: row["step"])
        worst = case_of(max(ordered, key=lambda row: RANK[row["expect"]]))
        text = " ;; ".join(json.dumps(row["input"]) for row in ordered)
        yield (
            replace(worst, id=name, source=worst.group, command=text),
            _judge(guard, name, ordered),
        )


def _judge(guard: Guard, name: str, rows: Sequence[dict[str, Any]]) -> Outcome:
    """Judge a chain step by step; what a refused step would change does not happen."""
    worst = Outcome(verdict="allow")
    home, project = folders_of_chain(rows)
    with Replay(guard, home=home, project=project) as replay:
        for row in rows:
            payload = {**(payload_of(row) or {}), "session_id": name, "agent_id": "chain"}
            step = replay.judge(json.dumps(payload).encode())
            outcome = step.outcome
            worst = max(worst, outcome, key=lambda one: RANK[one.verdict])
            if outcome.verdict != "deny":
                for effect in (*own_effects(row, replay.disk), *row["effects"]):
                    replay.disk.apply(effect)
    return worst


def folders_of_chain(rows: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """Give the home and the project that a chain happens in, as `cases.tool_payload` does.

    A chain in the folder of another person is one on the machine of that person.
    """
    cwd = rows[0].get("cwd") or PROJECT
    parts = cwd.split("/")
    if parts[:2] != ["", "home"] or not parts[3:] or f"{cwd}/".startswith(f"{PROJECT}/"):
        return HOME, PROJECT
    return f"/home/{parts[2]}", cwd


def own_effects(row: dict[str, Any], disk: ScratchDisk) -> Iterator[list[str]]:
    """Yield what a call itself puts on the disk, which a row need not repeat."""
    given, cwd = row["input"], row.get("cwd") or disk.project
    path = given.get("file_path")
    if row["tool"] == "Edit" and path and disk.read(path) is None:
        # A file of before the chain held at least what is replaced.
        disk.write(path, given.get("old_string", ""))
    yield from _links_made(given.get("command", ""), cwd=cwd, home=disk.home)
    action = Action(tool=row["tool"], arguments=given, cwd=cwd)
    yield from (["w", name, text] for name, text in files_written(action, disk))


def _links_made(line: str, *, cwd: str, home: str) -> Iterator[list[str]]:
    """Yield the symbolic links that a shell line makes by plain words."""
    for command in read_shell(line, cwd=cwd, variables={"HOME": home}).commands:
        options = [word.text for word in command.words[1:] if word.text[:1] == "-"]
        named = [word.text for word in command.words[1:] if word.text[:1] != "-"]
        is_plain = all([word.is_known and not word.has_glob for word in command.words])
        if command.program == "ln" and is_plain and len(named) == 2 and "s" in "".join(options):
            yield ["ln", named[0], posixpath.normpath(posixpath.join(command.cwd, named[1]))]
