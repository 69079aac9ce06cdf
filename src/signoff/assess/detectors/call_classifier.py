"""Words of calls that are denied.

Finds: a call whose words and pairs of words are those of calls that are denied, by a linear
classifier (`classifier/calls.json`) trained on the project's own labelled calls.
Why it matters: an act nobody has described is asked about, however grave; what makes it grave is
mostly in its words, and they recur from trade to trade: all, forever, without a copy, for anyone.
Example: `purge_recordings(scope="all", tenants="*", keep_copies=False)`.
Does not find: anything in a call that nothing else asks about. It runs on those alone, so it turns
a question into a denial, never a call that passes, and approves nothing (docs/adr/0034).
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.operation import Verb
from signoff.assess.classifier.call_words import Features, call_features, says_enough
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


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if the words of a call are those of calls that are denied."""
    model, action = load_model(MODEL), evidence.action
    # What reads is told by where it reads and what becomes of it.
    if evidence.operations and LOOKS.issuperset(one.verb for one in evidence.operations):
        return
    for features in call_features(action, evidence.commands, evidence.operations):
        if model.says_yes(features) and says_enough(action, features):
            yield _finding(model, features)
            return


def _finding(model: LinearModel, features: Features) -> Finding:
    strongest = model.strongest(features, WEIGHED)
    words = [one for one in strongest if len(one) >= SHORTEST and one.isalpha()][:SHOWN]
    named = f": {', '.join(f'`{word}`' for word in words)}" if words else ""
    return Finding(
        detector=ID,
        category=f"{ID}.denied",
        severity=Severity.CRITICAL,
        evidence=f"the words are those of calls that are denied{named}",
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
