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
    """Port: a rule of a rules file, as far as later stages need it."""

    @property
    def name(self) -> str:
        """Its name in the file."""


class AssessedRule(Protocol):
    """Port: the rule that decided a call."""

    @property
    def rule(self) -> NamedRule:
        """The rule itself."""

    @property
    def action(self) -> str:
        """`deny`, `allow` or `escalate`."""


class Assessed(Protocol):
    """The result of judging one call, as later stages read it."""

    @property
    def action(self) -> Action:
        """The action that was judged."""

    @property
    def facts(self) -> Facts:
        """The facts it was judged with."""

    @property
    def operations(self) -> Operations:
        """The Operations it was parsed into."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The shell commands in it, empty for other calls."""

    @property
    def rule(self) -> AssessedRule | None:
        """The rule that decided it; None if the scores did."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the detectors found, empty if nothing."""

    @property
    def threat(self) -> ThreatScore:
        """The threat score (0..100): how bad the findings are."""

    @property
    def risk(self) -> RiskScore:
        """The risk score (0..1): how careful to be."""

    @property
    def level(self) -> Level:
        """The level: the higher of what threat and risk call for."""

    @property
    def preliminary(self) -> Verdict:
        """The verdict before anybody is asked; ask = somebody must be asked."""

    @property
    def challenge(self) -> Challenge:
        """The proof an approver must give."""

    @property
    def reason(self) -> str:
        """Why this verdict, in one sentence for people."""

    @property
    def proof_because(self) -> str:
        """Why this proof was chosen, in words for people."""

    @property
    def policy_digest(self) -> str:
        """SHA-256 of the rules and settings in force."""
