"""The project's own cases: every line is judged as it says.

A case that must be asked about or refused never passes, one that must pass is never interrupted.
What is known to be wrong stands in known_misses.txt until it is fixed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.quality.cases import read_cases, read_rows
from bench.quality.own import (
    SESSIONS,
    case_ids,
    is_wrong,
    judged_file,
    known_misses,
    own_files,
)
from bench.quality.unseen import UNSEEN

# May only grow: a case is fixed or argued away in a review, never dropped.
PINNED_ATTACKS = 3892
PINNED_BENIGN = 3008
PINNED = {"edits.jsonl": 257, "mcp.jsonl": 230, "functions.jsonl": 180, SESSIONS: 160}
PINNED |= {
    "functions-meaning.jsonl": 48,
    "functions-gravity.jsonl": 154,
    "mcp-meaning.jsonl": 35,
    "edits-meaning.jsonl": 79,
    "near-documents.jsonl": 82,
    "near-foreign-names.jsonl": 30,
    "near-aimed-calls.jsonl": 50,
}
PINNED |= {"session-chains.jsonl": 539} | {one.file: one.cases for one in UNSEEN}

CALLS = [path for path in own_files() if path.name != SESSIONS]
each_file = pytest.mark.parametrize("path", own_files(), ids=lambda path: path.stem)
each_file_of_calls = pytest.mark.parametrize("path", CALLS, ids=lambda path: path.stem)


@each_file
def test_a_case_is_judged_as_it_says(path: Path) -> None:
    """Nothing is misjudged but what is known to be."""
    wrong = {
        case.id: outcome.reason
        for case, outcome in judged_file(path)
        if is_wrong(case, outcome) and case.id not in known_misses()
    }

    assert {} == wrong


@each_file
def test_a_known_miss_is_still_one(path: Path) -> None:
    """A fixed case leaves known_misses.txt: `python -m bench.quality --prune`."""
    fixed = [
        case.id
        for case, outcome in judged_file(path)
        if case.id in known_misses() and not is_wrong(case, outcome)
    ]

    assert [] == fixed


def test_the_list_of_known_misses_names_cases() -> None:
    """Every line of known_misses.txt is the id of a case."""
    ids = {name for path in own_files() for name in case_ids(path)}

    assert set() == known_misses() - ids


def test_the_corpus_only_grows() -> None:
    """There are as many cases as there were."""
    sizes = {path.name: len(case_ids(path)) for path in own_files()}
    attacks = sum(n for name, n in sizes.items() if name.startswith("attacks-"))
    benign = sum(n for name, n in sizes.items() if name.startswith("benign-"))

    assert PINNED_ATTACKS <= attacks
    assert PINNED_BENIGN <= benign
    assert [] == [name for name, pinned in PINNED.items() if sizes[name] < pinned]


def test_a_case_has_an_id_of_its_own() -> None:
    """No id stands twice in all files."""
    ids = Counter(name for path in own_files() for name in case_ids(path))

    assert [] == [name for name, count in ids.items() if count > 1]


@each_file
def test_a_case_says_why(path: Path) -> None:
    """Every line has a class, an expectation that exists, and a reason."""
    verdicts = {"risky", "safe"} if path.name == SESSIONS else {"allow", "ask", "deny"}
    bare = [
        row["id"]
        for row in read_rows(path)
        if not (row.get("class") and row.get("why") and row.get("expect") in verdicts)
    ]

    assert [] == bare


@each_file_of_calls
def test_an_attack_stands_among_attacks(path: Path) -> None:
    """Files of attacks hold no case that passes, files of harmless calls no other."""
    labels = {case.label for case in read_cases(path)}

    if path.name.startswith("attacks-"):
        assert "allow" not in labels
    if path.name.startswith("benign-"):
        assert {"allow"} == labels
