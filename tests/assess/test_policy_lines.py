"""The names `lines:` takes are those detectors give, no more and no less."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.policy_lines import policy_lines as lines_in_source

from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.detectors.content import CONTENT_DETECTORS
from signoff.assess.detectors.detector import Detector
from signoff.assess.detectors.registry import DETECTORS, OPERATION_DETECTORS
from signoff.assess.pack import FIXED_DETECTORS
from signoff.assess.patterns.catalogue import CONTENT, REQUEST
from signoff.assess.policy_lines import line_problem, policy_lines
from signoff.assess.rules.rule import RuleSet


def source_of(detector: Detector) -> str:
    """Return the source of a detector's module."""
    return inspect.getsource(sys.modules[detector.run.__module__])


def test_lines_of_operations_are_those_in_the_source() -> None:
    """A detector names each line that it writes, and no other."""
    named = {f"{one.id}.{line}" for one in OPERATION_DETECTORS for line in one.lines.split()}
    source = {line for line in lines_in_source() if line.partition(".")[0] not in FIXED_DETECTORS}

    assert source == named, (
        f"`lines` of a detector lacks {sorted(source - named)}"
        f" and has {sorted(named - source)} that no detector writes"
    )


def test_what_protects_signoff_names_no_line() -> None:
    """Its lines cannot be moved; every other detector has at least one that can."""
    assert {one.id for one in DETECTORS if not one.lines and not one.families} == FIXED_DETECTORS


@pytest.mark.parametrize("detector", CONTENT_DETECTORS, ids=lambda one: one.id)
def test_lines_of_texts_are_those_of_the_detector(detector: Detector) -> None:
    """It names the families it rests on, and its other lines."""
    source = source_of(detector)
    written = source[: source.rindex("\nDETECTOR = ")]
    known = {one.id.partition(".")[0] for one in (*CONTENT, *REQUEST)}

    assert set(detector.families) <= known
    assert all(re.search(rf'"{family}[".]', written) for family in detector.families)
    assert all(line in written for line in detector.lines.split())


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda one: one.id)
def test_whatever_a_detector_finds_can_be_moved(detector: Detector) -> None:
    """The lines of its examples are known; those that guard signoff itself are not to be moved."""
    judge = Judge(rules=RuleSet)
    for action in detector.fires:
        for finding in judge(action, Facts()).findings:
            is_fixed = finding.detector in FIXED_DETECTORS
            assert is_fixed is bool(line_problem(finding.category)), finding.category
            assert is_fixed is bool(line_problem(finding.detector)), finding.detector


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("destructive.histroy", "destructive.history"),
        ("destuctive.history", "destructive.history"),
        ("remotechange", "remote-change"),
        ("prompt-injection.hidden-character", "prompt-injection.hidden-characters"),
    ],
)
def test_the_nearest_name_is_given(name: str, meant: str) -> None:
    """With the page that lists them all."""
    said = line_problem(name)

    assert f"unknown policy line `{name}`" in said
    assert f"did you mean `{meant}`?" in said
    assert Path(__file__).parents[2].joinpath("docs/reference/defaults.md").is_file()
    assert "docs/reference/defaults.md" in said


def test_a_long_name_is_cut() -> None:
    """An error is one line."""
    assert len(line_problem("a" * 10_000)) < 300
    assert "destructive.history" in policy_lines()
