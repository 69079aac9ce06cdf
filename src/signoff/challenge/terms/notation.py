"""How people are asked: the section `approval` of the user's settings.

A project can only ask for stronger proofs, under `challenges`.

approval:
  parties: 3
  too_fast: mark
  groups: {first: team, second: leads, after_s: 120}
  challenges:
    levels: {high: confirm}
    lines: {destructive.history: teach-back}
  channels:
    telegram: {timeout_s: 120}
    terminal: {up_to: high}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.assess.challenges import PLACE, ChallengeMap
from signoff.assess.level import Challenge, Level
from signoff.challenge.on_call.notation import read_rotas
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import (
    LEVEL_REVIEW_S,
    ApprovalPlan,
    ChannelTerms,
    QuizPass,
    TeachBackBy,
    TooFast,
)
from signoff.documents.convert import convert
from signoff.documents.node import Node

GROUP_NEEDS = {"second": "first", "after_s": "second"}

GroupName = Annotated[str, Meta(max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=86_400)]
ReviewSeconds = Annotated[float, Meta(ge=0, le=600)]


class GroupsSection(msgspec.Struct, frozen=True, kw_only=True):
    """Which groups of approvers are asked, and when the second one is."""

    first: GroupName = ""
    second: GroupName = ""
    after_s: Seconds = 0.0


class ChannelSection(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one channel, as written."""

    asked_from: Level = msgspec.field(default=Level.LOW, name="from")
    up_to: Level = Level.CRITICAL
    timeout_s: Seconds = 0.0


class ProofName(StrEnum):
    """The proofs that can be chosen, lightest first."""

    CONFIRM = Challenge.CONFIRM.value
    QUIZ = Challenge.QUIZ.value
    TEACH_BACK = Challenge.TEACH_BACK.value
    MULTI_PARTY = Challenge.MULTI_PARTY.value


Proofs = Annotated[Mapping[str, ProofName], Meta(max_length=200)]


class ChallengesSection(msgspec.Struct, frozen=True, kw_only=True):
    """Which proof an approval needs; the most specific setting wins."""

    levels: Mapping[Level, ProofName] = msgspec.field(default_factory=dict)
    tools: Proofs = msgspec.field(default_factory=dict)
    lines: Node | None = None
    rules: Proofs = msgspec.field(default_factory=dict)
    functions: Proofs = msgspec.field(default_factory=dict)


class ProjectApproval(msgspec.Struct, frozen=True, kw_only=True):
    """The section `approval` as a project's file may have it."""

    challenges: Node | None = None


class ApprovalSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `approval` as written; defaults are those of spec 3, 5 and 6."""

    use_s: Annotated[float, Meta(ge=5, le=600)] = 60.0
    join_s: Annotated[float, Meta(ge=0, le=3_600)] = 60.0
    # Three proofs exist, and each comes from another person.
    parties: Annotated[int, Meta(ge=1, le=3)] = 2
    # A quiz has four choices a question: with many tries it can be guessed.
    tries: Annotated[int, Meta(ge=1, le=20)] = 3
    recheck: bool = False
    mode: Mode = Mode.REMOTE
    too_fast: TooFast = TooFast.REFUSE
    teach_back: TeachBackBy = TeachBackBy.WORDS
    quiz: QuizPass = QuizPass.ONE
    groups: GroupsSection = GroupsSection()
    rotas: Node | None = None
    review_s: Mapping[Level, ReviewSeconds] = msgspec.field(default_factory=dict)
    challenges: Node | None = None
    channels: Node | None = None


def read_challenges(node: Node | None) -> ChallengeMap:
    """Read `challenges` of the section `approval`: which proof each level needs.

    Raises:
        BadFile: a field is not valid; the message names its place.
    """
    given = node.fields().get("challenges") if node else None
    if given is None:
        return ChallengeMap()
    said = convert(given, ChallengesSection)
    _check_critical(given, said)
    return ChallengeMap(
        levels={level: Challenge(proof.value) for level, proof in said.levels.items()},
        tools=_proofs(said.tools),
        lines=_lines(said.lines) if said.lines else {},
        rules=_proofs(said.rules),
        functions=_proofs(said.functions),
    )


def _check_critical(given: Node, said: ChallengesSection) -> None:
    """Refuse a lighter proof for what is critical: its proof and its waiting time stay."""
    if said.levels.get(Level.CRITICAL, ProofName.MULTI_PARTY) is not ProofName.MULTI_PARTY:
        node = given.fields()["levels"].fields()["critical"]
        raise node.refuse(
            "critical: expected multi-party; `approval: {parties: 1}` of your own settings"
            " lets one person approve what is critical"
        )


def _proofs(said: Mapping[str, ProofName]) -> dict[str, Challenge]:
    return {name: Challenge(proof.value) for name, proof in said.items()}


def _lines(node: Node) -> dict[str, Challenge]:
    """Read proofs by policy line."""
    # Only who names lines pays for knowing them all.
    from signoff.assess.policy_lines import line_problem  # noqa: PLC0415 - see above

    names, lines = [proof.value for proof in ProofName], dict[str, Challenge]()
    for line, value in node.fields().items():
        if problem := line_problem(line):
            raise (value.key or value).refuse(f"{PLACE}.lines: {problem}")
        lines[line] = Challenge(value.word(names, what="proof"))
    return lines


def read_plan(node: Node, *, channels: Sequence[str]) -> ApprovalPlan:
    """Read the section `approval`.

    Args:
        channels: names of all channels that exist.

    Raises:
        BadFile: a field is not valid; the message names its place.
    """
    said, given = convert(node, ApprovalSection), node.fields()
    _check_groups(given.get("groups"))
    terms = said.channels.fields(allowed=channels) if said.channels else {}
    return ApprovalPlan(
        channels=tuple(_terms(name, one) for name, one in terms.items()),
        use_s=said.use_s,
        join_s=said.join_s,
        parties=said.parties,
        tries=said.tries,
        first_group=said.groups.first,
        second_group=said.groups.second,
        escalate_s=said.groups.after_s,
        rotas=read_rotas(said.rotas, asked={said.groups.first, said.groups.second} - {""}),
        mode=said.mode,
        too_fast=said.too_fast,
        review_s={**LEVEL_REVIEW_S, **said.review_s},
        teach_back=said.teach_back,
        quiz=said.quiz,
        is_rechecked=said.recheck,
    )


def _check_groups(node: Node | None) -> None:
    groups = node.fields() if node else {}
    for name, needed in GROUP_NEEDS.items():
        if name in groups and needed not in groups:
            raise groups[name].refuse(f"groups: `{name}` has no effect without `{needed}`")


def _terms(name: str, node: Node) -> ChannelTerms:
    node.name = f"channel `{name}`"
    said = convert(node, ChannelSection)
    return ChannelTerms(
        name=name,
        asked_from=said.asked_from,
        settles_up_to=said.up_to,
        timeout_s=said.timeout_s,
    )
