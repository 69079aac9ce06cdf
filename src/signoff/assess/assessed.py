"""What the later rooms read of an assessment, as a protocol of plain values.

The gate, the ladder and the record speak of assessments without loading what makes them: the
readers and pattern engines behind `assessment.py` stay out of `import signoff`.
"""

from __future__ import annotations

from typing import Protocol

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.actions.shell.command import Command
from signoff.assess.finding import Finding
from signoff.assess.level import Challenge, Level
from signoff.assess.risk.score import RiskScore
from signoff.assess.threat.score import ThreatScore
from signoff.assess.verdict import Verdict


class NamedRule(Protocol):
    """A rule of a rules file."""

    @property
    def name(self) -> str:
        """Its name in the file."""


class AssessedRule(Protocol):
    """The rule that matched."""

    @property
    def rule(self) -> NamedRule:
        """The rule itself."""

    @property
    def action(self) -> str:
        """`deny`, `allow` or `escalate`."""


class Assessed(Protocol):
    """One assessment: what was seen, how careful to be, and where it leans."""

    @property
    def action(self) -> Action:
        """What was assessed."""

    @property
    def facts(self) -> Facts:
        """What was known."""

    @property
    def operations(self) -> Operations:
        """What it does."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The shell commands it was read from, if any."""

    @property
    def rule(self) -> AssessedRule | None:
        """The rule that settled it, None if the scores did."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the detectors found."""

    @property
    def threat(self) -> ThreatScore:
        """How bad what was found is."""

    @property
    def risk(self) -> RiskScore:
        """How careful to be."""

    @property
    def level(self) -> Level:
        """How serious it is."""

    @property
    def preliminary(self) -> Verdict:
        """What would happen with nobody to ask; ask = somebody must be asked."""

    @property
    def challenge(self) -> Challenge:
        """The proof of understanding an approver must give."""

    @property
    def reason(self) -> str:
        """Why, in words a person understands."""

    @property
    def proof_because(self) -> str:
        """What the proof was chosen by, in words."""

    @property
    def policy_digest(self) -> str:
        """Digest of the rules and settings it was judged by."""
