"""The project's own cases: every line is judged as it says.

A case that must be asked about or refused never passes, one that must pass is never interrupted.
What is known to be wrong stands in known_misses.txt until it is fixed.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.quality.cases import read_cases, read_rows
from bench.quality.guard import Guard, default_judge
from bench.quality.own import SESSIONS, case_ids, is_wrong, judge_file, known_misses, own_files
from bench.quality.sets import OWN
from bench.quality.unseen import UNSEEN

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, Judge
from signoff.challenge.heading import TITLE_LIMIT, title_of

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
    "near-waivers.jsonl": 25,
}
PINNED |= {"session-chains.jsonl": 780} | {one.file: one.cases for one in UNSEEN}

KNOWN_MISSES = known_misses()
# Files whose verdicts are held exactly: what is asked about may not be refused, and the reverse.
EXACT = frozenset((OWN / "exact.txt").read_text(encoding="utf-8").split())
BAD_FORMS = ("write setting", "the estate", "``", "` `", "delete file", "publish repository")
CALLED = (ActionKind.TOOL, ActionKind.FUNCTION)
CALLS = [path for path in own_files() if path.name != SESSIONS]
each_file = pytest.mark.parametrize("path", own_files(), ids=lambda path: path.stem)
each_file_of_calls = pytest.mark.parametrize("path", CALLS, ids=lambda path: path.stem)


@dataclass
class Wrong:
    """What is wrong with the answers to one file.

    Args:
        misjudged: cases that are judged otherwise than they say and are not known to be, with why.
        fixed: known misses that are none any more: `python -m bench.quality --prune`.
        inexact: of a file in exact.txt, cases with another verdict than they say.
        titles: titles of calls in a bad form.
    """

    misjudged: dict[str, str] = field(default_factory=dict)
    fixed: list[str] = field(default_factory=list)
    inexact: dict[str, str] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)


@dataclass
class TitlingJudge:
    """The judge of a fresh installation; keeps the titles in a bad form of calls it judged."""

    judge: Judge = field(default_factory=default_judge)
    bad: list[str] = field(default_factory=list)

    def __call__(self, action: Action, facts: Facts) -> Assessment:
        """Judge, and look at the title."""
        assessment = self.judge(action, facts)
        if action.kind in CALLED and is_bad(title := title_of(assessment)):
            self.bad.append(title)
        return assessment


def is_bad(title: str) -> bool:
    """Say whether a title is too long, not printable, or in a form that puzzles people."""
    is_odd = not title[:1].isupper() or any(form in title for form in BAD_FORMS)
    return is_odd or len(title) > TITLE_LIMIT or not title.isprintable()


@each_file
def test_a_case_is_judged_as_it_says(path: Path) -> None:
    """All that is asked of the answers to a file, which is judged once for it."""
    judge, wrong = TitlingJudge(), Wrong()
    for case, outcome in judge_file(path, Guard(assess=judge)):
        is_known = case.id in KNOWN_MISSES
        if is_wrong(case, outcome) and not is_known:
            wrong.misjudged[case.id] = outcome.reason
        elif is_known and not is_wrong(case, outcome):
            wrong.fixed.append(case.id)
        if path.stem in EXACT and outcome.verdict != case.label:
            wrong.inexact[case.id] = f"{outcome.verdict}: {outcome.reason}"
    wrong.titles = judge.bad

    assert wrong == Wrong()


def test_files_held_exactly_exist() -> None:
    """Every line of exact.txt is the name of a file of cases."""
    assert set() == EXACT - {path.stem for path in own_files()}


@pytest.mark.parametrize(
    "title", ["write setting minor", "Deletes ``", "Deletes `a\u202e`", "Writes `a`" * 40, ""]
)
def test_a_bad_title_is_found(title: str) -> None:
    """In each of the forms."""
    assert is_bad(title)


def test_the_list_of_known_misses_names_cases() -> None:
    """Every line of known_misses.txt is the id of a case."""
    ids = {name for path in own_files() for name in case_ids(path)}

    assert set() == KNOWN_MISSES - ids


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
