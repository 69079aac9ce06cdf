"""Words and operations of calls that are denied or asked about.

Finds: a call whose words, words near to each other, operations and findings are those of calls that
are denied, by two linear classifiers (`classifier/denied.json`, `classifier/asked.json`) trained on
the project's own labelled calls.
Why it matters: an act nobody has described is asked about or passes, however grave; what makes it
grave is mostly in its words, and they recur from trade to trade: all, forever, without a copy.
Example: a tool `purge_recordings` with `scope="all", tenants="*", keep_copies=False`.
Does not find: anything in calls that only read or write documents, scripts that only look or
policies that only refuse, in short lines, in calls that a rule lets through. It makes no verdict
milder (docs/adr/0034, docs/adr/0036, docs/adr/0037).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from signoff.actions.action import Action
from signoff.actions.operation import FileKind, Operation, Reach, Verb
from signoff.actions.understand import Understanding
from signoff.actions.vocabulary import words
from signoff.assess.classifier.call_words import (
    call_features,
    is_long_enough,
    judged_features,
    says_enough,
)
from signoff.assess.classifier.edit_words import edit_features
from signoff.assess.classifier.harmless_files import holds_no_act
from signoff.assess.classifier.model import LinearModel, load_model
from signoff.assess.classifier.text_words import Features
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.finding import Finding, Severity
from signoff.assess.verdict import Verdict

ID = "call-classifier"
HTTP_CLIENTS = words("curl wget http https xh")
SHOWN = 4  # words
SHORTEST = 3  # letters of a word that tells a reader something
LOOKS = frozenset({Verb.READ, Verb.INERT})
# Over the limit: of 215 ordinary edits of sets that nothing was learned from 1 is asked about,
# not 4; of 54 to ask about 25, not 37; of 56 to deny 39, not 48; of 1,216 edits of real sessions
# 5, not 24.
EDIT_MARGIN = 0.65
WEIGHED = 40  # features among which readable words are looked for
# The two models, and the lines they give.
DENIED, ASKED = "denied", "asked"
LINES = (("denied", Severity.CRITICAL), ("asked", Severity.HIGH))
SEVERITIES = dict(LINES)
TYPICAL = {DENIED: "denied calls", ASKED: "calls that people are asked about"}
SCORE = attrgetter("score")


class Scored(NamedTuple):
    """What a model says of features; 0 is as likely as not, without bounds."""

    score: float
    features: Features
    model: LinearModel


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding for a call that is asked about or passes, and should be met more strictly."""
    findings = tuple(_by_words(evidence))
    # Looked at last, as few calls get a finding.
    if findings and not holds_no_act(evidence.action, evidence.operations):
        yield from findings


def _by_words(evidence: Evidence) -> Iterator[Finding]:
    action = evidence.action
    # What reads is told by where it reads and what becomes of it; documents are prose.
    is_near = evidence.so_far is Verdict.ALLOW and any(map(_is_near_request, evidence.operations))
    left = _is_left_or_near if is_near else _is_left_to_rules
    if evidence.operations and all(map(left, evidence.operations)):
        return
    if not is_long_enough(action):
        return
    told = call_features(action, Understanding(evidence.operations, evidence.commands))
    enough = [one for one in told if says_enough(action, one)]
    if not enough:
        return
    judged = judged_features(evidence.found, evidence.so_far)
    whole = tuple([one.with_facts(judged) for one in enough])
    if evidence.so_far is Verdict.ASK:
        denied = _worst(DENIED, whole)
        if denied.score >= denied.model.limit:
            yield _finding(denied, DENIED)
        return
    asked, denied = _worst(ASKED, whole), _worst(DENIED, whole)
    # Each counts by itself, as a user may have moved one of the lines.
    if asked.score >= asked.model.limit and _is_sure(asked, action):
        yield _finding(asked, ASKED)
    if denied.score >= denied.model.sure:
        yield _finding(denied, DENIED)


def _is_sure(asked: Scored, action: Action) -> bool:
    """Return whether a score is enough to ask: an edit of a few words says less than a file."""
    return asked.score >= asked.model.limit + EDIT_MARGIN or edit_features(action) is None


def _is_left_to_rules(op: Operation) -> bool:
    return op.verb in LOOKS or (op.verb is Verb.WRITE and op.file_kind is FileKind.DOC)


def _is_near_request(op: Operation) -> bool:
    """Tell `curl -F file=@a.tgz http://localhost:8000/upload`: a service of this machine is tried.

    In the own calls the words of such a line stand nearly always for what leaves.
    """
    is_sent = op.verb is Verb.NETWORK_OUT or op.verb is Verb.NETWORK_IN
    return is_sent and op.reach is Reach.LOOPBACK and op.program in HTTP_CLIENTS


def _is_left_or_near(op: Operation) -> bool:
    return _is_left_to_rules(op) or _is_near_request(op)


def _worst(name: str, told: tuple[Features, ...]) -> Scored:
    """Return the highest score of a call as a whole and of what its wrappers run."""
    model = load_model(name)
    return max((Scored(model.score(*one), one, model) for one in told), key=SCORE)


def _finding(scored: Scored, line: str) -> Finding:
    strongest = scored.model.strongest(scored.features.words, WEIGHED)
    shown = [one for one in strongest if len(one) >= SHORTEST and one.isalpha()][:SHOWN]
    named = f": {', '.join(f'`{word}`' for word in shown)}" if shown else ""
    return Finding(
        detector=ID,
        category=f"{ID}.{line}",
        severity=SEVERITIES[line],
        evidence=f"its words are typical of {TYPICAL[line]}{named}",
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Words of calls that are denied",
    lines="asked denied",
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
        shell_call("curl -fsS -F 'file=@/tmp/site.tgz' http://127.0.0.1:8099/upload | jq ."),
    ),
)
