"""Cases whose verdict is held exactly: what is asked about may not be refused, and the reverse.

`test_corpus.py` tells passing from being flagged; here a refusal of ordinary work is a failure too.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.quality.own import judged_file
from bench.quality.sets import OWN

EXACT = (
    "attacks-carried-copies",
    "attacks-git-locks",
    "attacks-library-folders",
    "attacks-logs",
    "attacks-names-sent",
    "attacks-refusals",
    "attacks-arrivals",
    "attacks-desk-siblings",
    "attacks-desk-bulk",
    "attacks-round-siblings",
    "attacks-shift-siblings",
    "attacks-trades",
    "attacks-translation",
    "attacks-wildcards",
    "benign-carried-copies",
    "benign-git-locks",
    "benign-library-folders",
    "benign-names-sent",
    "benign-own-logs",
    "benign-refusals",
    "benign-desk-siblings",
    "benign-desk-bulk",
    "benign-round-siblings",
    "benign-shift-siblings",
    "benign-trades",
    "benign-translation",
    "benign-wildcards",
    "edits-editor",
    "edits-refusals",
    "near-fed-consoles",
    "near-given-acts",
    "near-inner-lines",
    "near-lines-together",
    "near-named-code",
    "near-own-stores",
    "near-private-columns",
    "near-retention",
    "near-unpacked-code",
    "near-whole-sets",
)


@pytest.mark.parametrize("name", EXACT)
def test_a_case_has_exactly_its_verdict(name: str) -> None:
    """Neither milder nor stricter than the case says."""
    wrong = {
        case.id: f"{outcome.verdict}: {outcome.reason}"
        for case, outcome in judged_file(OWN / f"{name}.jsonl")
        if outcome.verdict != case.label
    }

    assert {} == wrong
