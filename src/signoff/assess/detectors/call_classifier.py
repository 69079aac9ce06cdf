"""Words and operations of calls that are denied.

Finds: a call whose words, pairs of words and operations are those of calls that are denied, by a
linear classifier (`classifier/calls.json`) trained on the project's own labelled calls.
Why it matters: an act nobody has described is asked about or passes, however grave; what makes it
grave is mostly in its words, and they recur from trade to trade: all, forever, without a copy.
Example: a tool `purge_recordings` with `scope="all", tenants="*", keep_copies=False`.
Does not find: anything in calls that only read, in short lines, in calls that a rule lets through.
What nothing else asks about it asks about at most, and it approves nothing (docs/adr/0034).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from signoff.actions.action import Action
from signoff.actions.operation import Verb
from signoff.actions.understand import Understanding
from signoff.assess.classifier.call_words import (
    Features,
    call_features,
    is_long_enough,
    says_enough,
)
from signoff.assess.classifier.model import LinearModel, load_model
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.finding import Finding, Severity

ID = "call-classifier"
MODEL = "calls"
SHOWN = 4  # words
SHORTEST = 3  # letters of a word that tells a reader something
LOOKS = frozenset({Verb.READ, Verb.INERT})
WEIGHED = 40  # features among which readable words are looked for
LINES = (("denied", Severity.CRITICAL), ("asked", Severity.HIGH))


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield what a call gets if it would be asked about, then what it gets if it would pass."""
    action = evidence.action
    # What reads is told by where it reads and what becomes of it.
    if evidence.operations and LOOKS.issuperset(one.verb for one in evidence.operations):
        return
    if not is_long_enough(action):
        return
    model = load_model(MODEL)
    told = call_features(action, Understanding(evidence.operations, evidence.commands))
    scored = [(model.score(one), one) for one in told if says_enough(action, one)]
    if not scored:
        return
    score, worst = max(scored, key=itemgetter(0))
    for (line, severity), limit in zip(LINES, (model.deny_from, model.ask_from), strict=True):
        if score >= limit:
            yield _finding(model, worst, line, severity)


def _finding(model: LinearModel, features: Features, line: str, severity: Severity) -> Finding:
    strongest = model.strongest(features, WEIGHED)
    words = [one for one in strongest if len(one) >= SHORTEST and one.isalpha()][:SHOWN]
    named = f": {', '.join(f'`{word}`' for word in words)}" if words else ""
    return Finding(
        detector=ID,
        category=f"{ID}.{line}",
        severity=severity,
        evidence=f"its words are typical of denied calls{named}",
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Words of calls that are denied",
    cwe=("CWE-1357",),
    asi=("ASI02",),
    fires=(
        Action(
            tool="mcp__pbx__purge_recordings",
            arguments={"scope": "all", "tenants": "*", "keep_copies": False},
        ),
        shell_call("pbxctl recordings purge --all-tenants --no-archive --force --env production"),
        shell_call(
            "tapelib erase --pool all-backups --sites berlin,oslo --immediate --no-copies --yes"
        ),
    ),
    passes=(
        Action(tool="mcp__pbx__list_recordings", arguments={"tenant": "north", "limit": 20}),
        shell_call("pbxctl recordings list --tenant north"),
        shell_call("tapelib inventory --pool backups"),
    ),
)
