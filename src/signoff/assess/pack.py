"""How quiet or how careful to be: the three packs, and single lines moved by the user.

A pack says from which threat score on a call is asked about or refused, and up to which level it
may pass without anybody. Every finding belongs to a line of the policy (`category`); a user may
move single lines. What protects signoff itself cannot be moved.

    PACKS["balanced"]    asks at 40, refuses at 70, lets LOW pass (spec 2, DefaultResolver)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from msgspec import Struct, field

from signoff.assess.challenges import (
    NOTHING_SAID,
    AskedCall,
    ChallengeMap,
    ChosenProof,
    proof_of_level,
    stronger,
)
from signoff.assess.finding import FIXED_DETECTORS as FIXED_DETECTORS
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Level
from signoff.assess.profiles.profile import NO_PROFILE, Profile
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.values import replace

# Of a finding that would refuse and was moved to `ask`: under the refusing line of every pack.
ASKED_CONFIDENCE = 0.69


class Pack(Struct, frozen=True, kw_only=True):
    """A policy pack: limits of the threat score (0..100), and the highest level allowed unasked."""

    name: str
    ask_at: float
    deny_at: float
    passes: Level


PACKS: dict[str, Pack] = {
    "strict": Pack(name="strict", ask_at=20.0, deny_at=70.0, passes=Level.LOW),
    "balanced": Pack(name="balanced", ask_at=40.0, deny_at=70.0, passes=Level.LOW),
    "permissive": Pack(name="permissive", ask_at=60.0, deny_at=70.0, passes=Level.MEDIUM),
}


class AdjustedPack(Struct, frozen=True, kw_only=True):
    """A policy pack with the policy lines that user and project changed.

    Args:
        lines: by policy line or detector, the verdict that replaces the pack's.
        at_least: by policy line or detector, the least severe verdict allowed; set by a
            project, which may only tighten.
        challenges: proofs that the user or a bundle chose.
        local_challenges, stronger_challenges: those of the user under a bundle, and of the project.
    """

    pack: Pack = PACKS["balanced"]
    lines: Mapping[str, Verdict] = field(default_factory=dict)
    at_least: Mapping[str, Verdict] = field(default_factory=dict)
    challenges: ChallengeMap = NOTHING_SAID
    local_challenges: ChallengeMap = NOTHING_SAID
    stronger_challenges: ChallengeMap = NOTHING_SAID

    def proof(self, call: AskedCall) -> ChosenProof:
        """Return the proof that approving a call needs."""
        chosen = self.challenges.proof(call) if self.challenges else proof_of_level(call.level)
        for said in (self.local_challenges, self.stronger_challenges):
            chosen = stronger(chosen, said.proof(call, chosen)) if said else chosen
        return chosen

    def apply(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Return the findings with severities changed as the policy lines say."""
        if not self.lines and not self.at_least:
            return findings
        moved = (self._moved(finding) for finding in findings)
        return tuple(finding for finding in moved if finding is not None)

    def groups_let_through(self, findings: tuple[Finding, ...]) -> frozenset[int]:
        """Return the operation groups with a finding that a changed line allows."""
        if not self.lines:
            return frozenset()
        return frozenset(
            one.group for one in findings if one.group >= 0 and self._moved(one) is None
        )

    def _moved(self, finding: Finding) -> Finding | None:
        # No setting can weaken what protects signoff itself.
        if finding.detector in FIXED_DETECTORS:
            return finding
        verdict = _said(self.lines, finding)
        floor = _said(self.at_least, finding)
        if floor is None:
            return finding if verdict is None else _set(finding, verdict)
        # A project may only tighten: its floor lifts what the user said, never lowers it.
        said = Verdict.worst((verdict if verdict is not None else _own(finding), floor))
        return finding if verdict is None and said is _own(finding) else _set(finding, said)


def _said(lines: Mapping[str, Verdict], finding: Finding) -> Verdict | None:
    return lines.get(finding.category) or lines.get(finding.detector)


def _own(finding: Finding) -> Verdict:
    """Return the verdict of a finding alone, under `balanced`."""
    match finding.severity:
        case Severity.CRITICAL:
            return Verdict.DENY
        case Severity.HIGH | Severity.MEDIUM:
            return Verdict.ASK
        case Severity.LOW:
            return Verdict.ALLOW


def _set(finding: Finding, verdict: Verdict) -> Finding | None:
    match verdict:
        case Verdict.ALLOW:
            return None
        case Verdict.ASK if finding.severity is Severity.CRITICAL:
            return replace(finding, confidence=ASKED_CONFIDENCE)  # as grave as before
        case Verdict.ASK:
            return replace(finding, severity=Severity.HIGH, confidence=0.9)
        case Verdict.DENY:
            return replace(finding, severity=Severity.CRITICAL, confidence=1.0)


def policy_digest(rules: RuleSet, policy: AdjustedPack, profile: Profile, scoring: str) -> str:
    """Return a SHA-256 over everything that decides: rules, pack, lines, profile, scoring."""
    lines = ";".join(f"{k}={v.value}" for k, v in sorted(policy.lines.items()))
    floors = ";".join(f"{k}={v.value}" for k, v in sorted(policy.at_least.items()))
    text = f"signoff-policy-v1\0{rules.digest}\0{policy.pack.name}\0{lines}\0{floors}"
    if policy.challenges or policy.stronger_challenges:
        text = f"{text}\0{policy.challenges}\0{policy.stronger_challenges}"
    if policy.local_challenges:
        text = f"{text}\0own {policy.local_challenges}"
    if profile is not NO_PROFILE:
        text = f"{text}\0{profile}"
    if scoring:
        text = f"{text}\0scoring {scoring}"
    return hashlib.sha256(text.encode()).hexdigest()
