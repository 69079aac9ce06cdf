"""The names of all policy lines: what `lines:` in a settings file may move.

A line is `detector.line`, or a detector's name for all of its lines. Each detector names its own
(`Detector.lines`); those that rest on patterns have a line for each pattern, too. What protects
signoff itself has no line that can be moved.

    line_problem("destructive.history")  ->  "unknown policy line ...; did you mean ...?"
"""

from __future__ import annotations

import difflib
from functools import cache

from signoff.assess.detectors.registry import DETECTORS
from signoff.assess.pack import FIXED_DETECTORS
from signoff.assess.patterns.catalogue import CONTENT, REQUEST

NAME_LIMIT = 60  # characters of a wrong name that are shown
SHOWN = 8  # lines of a detector that are listed
PAGE = "all lines: docs/reference/defaults.md"


@cache
def policy_lines() -> frozenset[str]:
    """Return the names of all policy lines, and of all detectors that have lines."""
    patterns = [one.id.partition(".") for one in (*CONTENT, *REQUEST)]
    movable = [one for one in DETECTORS if one.id not in FIXED_DETECTORS]
    lines = {f"{one.id}.{line}" for one in movable for line in one.lines.split()}
    matched = {
        f"{one.id}.{name}"
        for one in movable
        for family, _, name in patterns
        if family in one.families
    }
    return frozenset({*lines, *matched, *(one.id for one in movable)})


def line_problem(name: str) -> str:
    """Return why a policy line cannot be changed, with the nearest valid name; "" if it can."""
    if name in policy_lines():
        return ""
    detector = name.partition(".")[0]
    if detector in FIXED_DETECTORS:
        return f"`{name[:NAME_LIMIT]}` cannot be moved: it protects signoff itself"
    return f"unknown policy line `{name[:NAME_LIMIT]}` ({PAGE}){_meant(name, detector)}"


def _meant(name: str, detector: str) -> str:
    """Return the nearest name, else some lines of the detector, as the end of a sentence."""
    known = sorted(policy_lines())
    # The usual first guess, as globs work everywhere else.
    if name == f"{detector}.*" and detector in known:
        return f"; write `{detector}` for all its lines"
    own = [one for one in known if one.startswith(f"{detector}.")]
    line = name.partition(".")[2]
    within = difflib.get_close_matches(line, [one.partition(".")[2] for one in own], n=1)
    if within:
        return f"; did you mean `{detector}.{within[0]}`?"
    if own:
        return f"; `{detector}` has {', '.join(own[:SHOWN])}{', ...' if len(own) > SHOWN else ''}"
    near = difflib.get_close_matches(name[:NAME_LIMIT], known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
