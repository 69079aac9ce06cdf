"""First sight: what a frozen judge said of a set nobody had fixed anything by. Written once.

Figures only, never rows, in bench/results/first_sight.json, one entry a set, with the tree of `src`
that was measured. An entry is never written again; a changed one no longer has its digest.

    python -m bench.quality --first-sight policy-2      judges the set and keeps its figures
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FIRST_SIGHT = ROOT / "bench" / "results" / "first_sight.json"
Entry = dict[str, Any]


class AlreadySeenError(Exception):
    """A set has a first sight: there is no second one."""


def read_first_sight(path: Path = FIRST_SIGHT) -> dict[str, Entry]:
    """Give the entries by set.

    Raises:
        ValueError: an entry was changed after it was written.
    """
    entries: dict[str, Entry] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for name, entry in entries.items():
        if entry.get("digest") != _digest(name, entry):
            raise ValueError(f"{path.name}: `{name}` was changed since it was written; restore it")
    return entries


def keep_first_sight(name: str, figures: Mapping[str, Any], path: Path = FIRST_SIGHT) -> Entry:
    """Write the first sight of a set.

    Args:
        figures: counts and shares, with the tree of `src` they were measured with.

    Raises:
        AlreadySeenError: the set has one.
        ValueError: another entry was changed by hand.
    """
    entries = read_first_sight(path)
    if name in entries:
        raise AlreadySeenError(
            f"`{name}` was first seen at {entries[name].get('commit')}; it stays"
        )
    entry: Entry = dict(figures)
    entry["digest"] = _digest(name, entry)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**entries, name: entry}, indent=1) + "\n", encoding="utf-8")
    return entry


def frozen_judge() -> dict[str, str]:
    """Give the tree of `src` as it is committed, and the last commit that changed it.

    Raises:
        ValueError: `src` differs from the last commit, so nobody could measure the same again.
    """
    if changed := _git("status", "--porcelain", "--", "src"):
        raise ValueError(f"src differs from the last commit; commit or undo first:\n{changed}")
    return {
        "commit": _git("log", "-1", "--format=%h", "--", "src"),
        "src": _git("rev-parse", "--short=12", "HEAD:src"),
    }


def _git(*words: str) -> str:
    command = ["git", *words]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _digest(name: str, entry: Mapping[str, Any]) -> str:
    kept = {key: value for key, value in entry.items() if key != "digest"}
    text = json.dumps([name, kept], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
