"""The plan: who is asked, where, in which order and for how long, and what their answers must be.

    Plan(channels=(ChannelTerms(name="telegram", timeout_s=120), ChannelTerms(name="terminal")))

Channels are asked in order, each from the moment the one before has had its time; one whose time
is over takes no more answers. A second group of approvers may be asked later than the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from signoff.assess.level import Challenge, Level
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.step import ProofKind

LEVEL_REVIEW_S: Mapping[Level, float] = {
    Level.LOW: 0.0,
    Level.MEDIUM: 3.0,
    Level.HIGH: 10.0,
    Level.CRITICAL: 30.0,
}
PROOF_REVIEW_S: Mapping[ProofKind, float] = {
    ProofKind.CONFIRM: 3.0,
    ProofKind.QUIZ: 10.0,
    ProofKind.TEACH_BACK: 30.0,
}


class TooFast(StrEnum):
    """What becomes of an answer that comes faster than the card can be read."""

    REFUSE = "refuse"
    MARK = "mark"


class TeachBackBy(StrEnum):
    """Who reads an explanation, beyond its length and key terms."""

    WORDS = "words"  # nobody
    MODEL = "model"  # the evaluator's model; where it gives no answer, nobody
    MODEL_REQUIRED = "model_required"  # the same; where it gives no answer, it does not count


class ChannelTerms(Struct, frozen=True, kw_only=True):
    """What holds for one channel.

    Args:
        asked_from: the lowest level it is asked about.
        settles_up_to: the highest level it may settle alone.
        timeout_s: how long it is asked before the next one is; 0 = to the end.
    """

    name: str
    asked_from: Level = Level.LOW
    settles_up_to: Level = Level.CRITICAL
    timeout_s: float = 0.0


class ApprovalPlan(Struct, frozen=True, kw_only=True):
    """Everything that is settled beforehand about asking people and the model.

    Args:
        answer_s: how long a request may be answered; use_s: an approval be used after it.
        join_s: for how long after it was denied the same call gets the same answer.
        parties: how many different people a multi-party challenge takes, 1 to 3; one explains.
        first_group: asked at once, "" is everybody; second_group: after `escalate_s`.
        tries: wrong proofs a person has for one request.
        review_s: least seconds by level and, under `proof_review_s`, by proof.
        coded: channels on which an approval needs the confirmation code.
        edits: doors (`Action.source`) whose host takes changed arguments.
        mode: where people are asked until the switch is set.
        is_rechecked: what people approved is looked at once more where it runs, if its host lets
            us put that before it.
        teach_back: who reads explanations.
    """

    channels: tuple[ChannelTerms, ...] = ()
    answer_s: float = 300.0
    use_s: float = 60.0
    join_s: float = 60.0
    parties: int = 2
    first_group: str = ""
    second_group: str = ""
    escalate_s: float = 0.0
    tries: int = 3
    too_fast: TooFast = TooFast.REFUSE
    review_s: Mapping[Level, float] = field(default_factory=lambda: LEVEL_REVIEW_S)
    proof_review_s: Mapping[ProofKind, float] = field(default_factory=lambda: PROOF_REVIEW_S)
    coded: frozenset[str] = frozenset({"terminal", "api"})
    edits: frozenset[str] = frozenset()
    mode: Mode = Mode.REMOTE
    is_rechecked: bool = False
    teach_back: TeachBackBy = TeachBackBy.WORDS

    def least_review_s(self, level: Level, kind: ProofKind) -> float:
        """Return the least seconds between seeing the card and an approval that counts."""
        return max(self.review_s.get(level, 0.0), self.proof_review_s.get(kind, 0.0))

    def terms_of(self, channel: str) -> ChannelTerms:
        """Return what holds for a channel; one the plan does not name is asked to the end."""
        return next((t for t in self.channels if t.name == channel), ChannelTerms(name=channel))

    def asked(self, level: Level) -> tuple[tuple[ChannelTerms, float], ...]:
        """Return the channels asked about a level, each with the second it is asked from."""
        found: list[tuple[ChannelTerms, float]] = []
        at_s = 0.0
        for terms in self.channels:
            if level >= terms.asked_from:
                found.append((terms, at_s))
                at_s += terms.timeout_s
        return tuple(found)

    def is_asked(self, channel: str, level: Level, after_s: float) -> bool:
        """Tell whether a channel may answer so many seconds after the request was made."""
        for terms, at_s in self.asked(level):
            if terms.name == channel:
                return not terms.timeout_s or after_s < at_s + terms.timeout_s
        return all(terms.name != channel for terms in self.channels)

    def groups_at(self, after_s: float) -> tuple[str, ...]:
        """Return the groups of approvers asked after so many seconds; () is everybody."""
        if not self.first_group:
            return ()
        is_escalated = self.second_group and after_s >= self.escalate_s
        return (self.first_group, self.second_group) if is_escalated else (self.first_group,)

    def steps_of(self, challenge: Challenge) -> tuple[ProofKind, ...]:
        """Return the proofs a challenge takes, one person a proof."""
        match challenge:
            case Challenge.MULTI_PARTY:
                turns = (ProofKind.TEACH_BACK, ProofKind.QUIZ, ProofKind.CONFIRM)
                return turns[: min(max(self.parties, 1), len(turns))]
            case Challenge.TEACH_BACK:
                return (ProofKind.TEACH_BACK,)
            case Challenge.QUIZ:
                return (ProofKind.QUIZ,)
            case _:
                return (ProofKind.CONFIRM,)
