"""What an agent can do instead of what was denied."""

from __future__ import annotations

from signoff.assess.advice import advice_of
from signoff.decide.decision import Decision


def instead_of(decision: Decision) -> str:
    """Say what the agent can do instead of what was refused, "" if nothing safe is known.

    A rule and a person's own words say what their author wants; nothing is added to them.
    """
    assessed, answer = decision.assessment, decision.answer
    has_words = answer is not None and bool(answer.who) and bool(answer.words)
    if assessed is None or assessed.rule is not None or has_words:
        return ""
    advice = advice_of(assessed.findings)
    return f". Instead: {advice}." if advice else ""
