"""A risk scorer with domain profiles on top: what they change stands as a factor of its own.

scorer = ProfiledScorer(DefaultRiskScorer(), join_profiles(profiles))
scorer.assess(RiskContext(action=action)).factors[-1].name  ->  "profile finance"
"""

from __future__ import annotations

from signoff.assess.profiles.profile import CRITICAL_RISK, NO_PROFILE, Profile, apply_profile
from signoff.assess.risk.score import Factor, RiskContext, RiskScore, RiskScorer, answer_of
from signoff.values import replace

PEOPLE = 2  # that CRITICAL asks for


class ProfiledScorer:
    """Adjusts another scorer's result by a domain profile."""

    def __init__(self, scorer: RiskScorer, profile: Profile) -> None:
        self._scorer = scorer
        self._profile = profile
        # Without profiles it is the environment alone that moves the risk.
        self.name = "environment" if profile.name == NO_PROFILE.name else f"profile {profile.name}"

    def score(self, context: RiskContext) -> float:
        """Return the risk, 0..1."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the risk with its factors, the profile's last."""
        plain = answer_of(self._scorer, context)
        changed = apply_profile(
            self._profile, context.action, risk=plain.value, operations=context.operations
        )
        value = max(changed.value, CRITICAL_RISK) if changed.approvers >= PEOPLE else changed.value
        if value == plain.value and not changed.is_block:
            return plain
        added = Factor(
            name=self.name,
            raw=value,
            weight=1.0,
            contribution=round(value - plain.value, 6),
            evidence=", ".join(changed.reasons),
        )
        return replace(
            plain, value=value, factors=(*plain.factors, added), is_refused=changed.is_block
        )
