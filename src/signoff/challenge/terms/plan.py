"""The approval plan: who is asked, where, in which order, for how long, and with which proofs.

    telegram = ChannelTerms(name="telegram", timeout_s=120)
    ApprovalPlan(channels=(telegram, ChannelTerms(name="terminal")))

Channels are asked in order. Each is asked once the time of the one before is over, and takes
answers for its own time only. A second group of approvers may be asked later than the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from signoff.assess.level import Challenge, Level
from signoff.challenge.on_call.rota import Rota
from signoff.challenge.terms.approver import Approver
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
    """What happens to an answer that comes faster than the card can be read."""

    REFUSE = "refuse"
    MARK = "mark"


class QuizPass(StrEnum):
    """How many answers of a quiz must be right; spec 6 asks for one."""

    ONE = "one"
    ALL = "all"


class TeachBackBy(StrEnum):
    """Who judges an explanation, beyond its length and key terms."""

    WORDS = "words"  # nobody
    MODEL = "model"  # the evaluator's model; where it gives no answer, nobody
    MODEL_REQUIRED = "model_required"  # the same; where it gives no answer, it does not count


class ChannelTerms(Struct, frozen=True, kw_only=True):
    """When one channel is asked and what it may decide.

    Args:
        asked_from: lowest level it is asked about.
        settles_up_to: highest level that its answer decides alone.
        timeout_s: seconds before the next channel is asked too; 0 = until the request ends.
    """

    name: str
    asked_from: Level = Level.LOW
    settles_up_to: Level = Level.CRITICAL
    timeout_s: float = 0.0


class ApprovalPlan(Struct, frozen=True, kw_only=True):
    """The settings for asking people and the model: who, when, for how long, which proofs.

    Args:
        answer_s: seconds a request can be answered.
        join_s: seconds after a denial in which the same call is denied again without asking.
        parties: number of different people a multi-party challenge needs, 1 to 3; one explains.
        first_group: approver group asked at once, "" = everybody.
        tries: wrong proofs allowed per person and request.
        review_s: least reading time in seconds, by level; `proof_review_s` by proof.
        coded: channels on which an approval needs the confirmation code.
        edits: frontends (`Action.source`) whose host accepts edited arguments.
        mode: where people are asked unless the switch says otherwise.
        is_rechecked: True to check approved calls again just before they run, on hosts that
            allow it.
        teach_back: who judges explanations.
        quiz: how many answers of a quiz must be right.
        use_s: seconds an approval can be used after it was given.
        second_group: approver group asked after `escalate_s` seconds.
        rotas: by group, who of it is on call; a group without one is asked as a whole.
    """

    channels: tuple[ChannelTerms, ...] = ()
    answer_s: float = 300.0
    use_s: float = 60.0
    join_s: float = 60.0
    parties: int = 2
    first_group: str = ""
    second_group: str = ""
    escalate_s: float = 0.0
    rotas: Mapping[str, Rota] = field(default_factory=dict)
    tries: int = 3
    too_fast: TooFast = TooFast.REFUSE
    review_s: Mapping[Level, float] = field(default_factory=lambda: LEVEL_REVIEW_S)
    proof_review_s: Mapping[ProofKind, float] = field(default_factory=lambda: PROOF_REVIEW_S)
    # An agent of the same user reaches both; the code is shown where it cannot look (T-43).
    coded: frozenset[str] = frozenset({"terminal", "api"})
    edits: frozenset[str] = frozenset()
    mode: Mode = Mode.REMOTE
    is_rechecked: bool = False
    teach_back: TeachBackBy = TeachBackBy.WORDS
    quiz: QuizPass = QuizPass.ONE

    def least_review_s(self, level: Level, kind: ProofKind) -> float:
        """Return the least seconds from showing the card to an approval that counts."""
        return max(self.review_s.get(level, 0.0), self.proof_review_s.get(kind, 0.0))

    def terms_of(self, channel: str) -> ChannelTerms:
        """Return a channel's terms; a channel not in the plan is asked until the request ends."""
        return next((t for t in self.channels if t.name == channel), ChannelTerms(name=channel))

    def asked(self, level: Level) -> tuple[tuple[ChannelTerms, float], ...]:
        """Return the channels asked at a level, each with the second after which it is asked."""
        found: list[tuple[ChannelTerms, float]] = []
        at_s = 0.0
        for terms in self.channels:
            if level >= terms.asked_from:
                found.append((terms, at_s))
                at_s += terms.timeout_s
        return tuple(found)

    def is_asked(self, channel: str, level: Level, after_s: float) -> bool:
        """Tell whether a channel may answer `after_s` seconds after the request was made."""
        for terms, at_s in self.asked(level):
            if terms.name == channel:
                # Not before its turn is no error: who finds the card early may answer it.
                return not terms.timeout_s or after_s < at_s + terms.timeout_s
        # In the plan, but not asked at this level: its answer does not count. Not in the plan: it
        # does.
        return all(terms.name != channel for terms in self.channels)

    def groups_at(self, after_s: float) -> tuple[str, ...]:
        """Return the approver groups asked after `after_s` seconds; () = everybody."""
        if not self.first_group:
            return ()
        is_escalated = self.second_group and after_s >= self.escalate_s
        return (self.first_group, self.second_group) if is_escalated else (self.first_group,)

    def moments(self) -> tuple[float, ...]:
        """Return the seconds after which more people are asked than before, in order."""
        starts = {self.first_group: 0.0}
        if self.first_group and self.second_group:
            starts[self.second_group] = self.escalate_s
        lines = (
            start_s + self.rotas[name].second_after_s
            for name, start_s in starts.items()
            if name in self.rotas and self.rotas[name].second_after_s
        )
        return tuple(sorted({*starts.values(), *lines} - {0.0}))

    def asked_now(self, after_s: float, now_s: float) -> tuple[str, ...]:
        """Return who is asked after `after_s` seconds, for a card; () = everybody."""
        return tuple(self._shown(name, after_s, now_s) for name in self.groups_at(after_s))

    def _shown(self, group: str, after_s: float, now_s: float) -> str:
        people = self._on_call(group, after_s, now_s)
        return f"{group} (on call: {', '.join(people)})" if people else group

    def _on_call(self, group: str, after_s: float, now_s: float) -> tuple[str, ...]:
        """Return who of a group is asked, () = all of it."""
        begins_s = self.escalate_s if group != self.first_group else 0.0
        rota = self.rotas.get(group)
        return () if rota is None else rota.asked(now_s, after_s - begins_s)

    def why_not(self, approver: Approver, after_s: float, now_s: float) -> str:
        """Return why somebody may not approve after `after_s` seconds, "" if they may."""
        groups = self.groups_at(after_s)
        if not approver.is_in(groups):
            return "others are asked first; you may only refuse"
        why = ""
        for group in (one for one in groups if one in approver.groups):
            rota, people = self.rotas.get(group), self._on_call(group, after_s, now_s)
            if rota is None or rota.others_may_approve or approver.id in people:
                return ""
            until = f"{rota.until(now_s):%Y-%m-%d %H:%M} {rota.zone}"
            why = f"`{people[0]}` is on call for `{group}` until {until}; you may only refuse"
        return why

    def steps_of(self, challenge: Challenge) -> tuple[ProofKind, ...]:
        """Return the proofs a challenge needs, each from a different person."""
        match challenge:
            case Challenge.MULTI_PARTY:
                turns = (ProofKind.TEACH_BACK, ProofKind.QUIZ, ProofKind.CONFIRM)
                # With one person it is still the strongest proof: teach-back comes first.
                return turns[: min(max(self.parties, 1), len(turns))]
            case Challenge.TEACH_BACK:
                return (ProofKind.TEACH_BACK,)
            case Challenge.QUIZ:
                return (ProofKind.QUIZ,)
            case _:
                return (ProofKind.CONFIRM,)
