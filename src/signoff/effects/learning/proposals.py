"""Rules proposed from what people answered: repeated equal approvals that nobody ever refused.

Calls are put together that share their limits and differ in no word, or in one word behind the
sub-command, or that are of one shape (`challenge/terms/session_scope.py`). Each proposal is tried
on all calls that were asked about: what it would let through, and that no person has refused any of
it.

    proposals(calls, rules, now=now)
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec import Struct

from signoff.assess.assessed import Assessed
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.rule import RuleAction, RuleLimits, RuleSet
from signoff.effects.learning.learned_rule import PREFIX, LearnedRule
from signoff.effects.learning.shapes import SHORTENING, LearnableCall, learnable, pattern_word
from signoff.errors import BadRules
from signoff.values import count_of, replace

LEAST_APPROVALS = 3  # two may be chance: a rule answers without people from then on
LEAST_VALUES = 3  # of a word until another value of it is let through as well
LONGEST_DAYS = 30  # a learned rule ends by itself: nobody has to remember to look at it again
COMMANDS_LIMIT = 12  # of one rule
PROPOSALS_LIMIT = 50
FIXED_WORDS = 2  # program and sub-command are never left open
REFUSED = "a person refused such a call"
OPEN_WORD = "[a-zA-Z0-9]*"  # no option, no `+main`, no absolute path, nothing above
TALK = "discussion\n"
TALK_WORDS = 3  # `gh pr comment` and the like


class AnsweredCall(Struct, frozen=True, kw_only=True):
    """A call that was asked about, judged again with present rules.

    Args:
        person: the approver, "" if no person answered.
        verdict: the outcome.
        policy: id of the guideline a model followed when it allowed it, "" for none.
    """

    seq: int
    at: str
    assessed: Assessed
    verdict: str
    person: str = ""
    session: str = ""
    policy: str = ""


class Proposal(Struct, frozen=True, kw_only=True):
    """A rule somebody may accept, and what it would have done.

    Args:
        id: the same as long as the rule would be the same.
        approvals: how often people approved such calls; `people`: who did; `sessions`: in how many.
        asked: calls that were asked about; `silenced`: those that it would have let through.
        examples: the newest such calls, by number in the audit log.
    """

    id: str
    rule: LearnedRule
    approvals: int
    people: tuple[str, ...]
    sessions: int
    first: str
    last: str
    asked: int
    silenced: int
    examples: tuple[int, ...]
    policy: str = ""


class _Covering(NamedTuple):
    """A proposal, and the calls it would let through."""

    proposal: Proposal
    calls: frozenset[int]


class Learnings(Struct, frozen=True, kw_only=True):
    """What can be learned from past answers, and what cannot.

    Args:
        never: reasons with the number of approvals each.
        refused: shapes that a person refused at least once, and that are not learned therefore.
    """

    proposals: tuple[Proposal, ...] = ()
    never: tuple[tuple[str, int], ...] = ()
    refused: int = 0


def propose(
    calls: Sequence[AnsweredCall], *, now: datetime, policy: str = "", least: int = LEAST_APPROVALS
) -> Learnings:
    """Return the rules that past answers suggest; those that save most questions first.

    Args:
        policy: propose from what a model let through by this policy; "" = from people's approvals.
        least: how many equal approvals it takes.
    """
    never: Counter[str] = Counter()
    learned: list[tuple[AnsweredCall, LearnableCall]] = []
    for call in calls:
        if _is_evidence(call, policy):
            found = learnable(call.assessed)
            if isinstance(found, str):
                never[found] += 1
            else:
                learned.append((call, found))
    made: dict[str, _Covering] = {}
    refused = 0
    for group in _groups(learned):
        proposal = _proposal(group, calls, now=now, policy=policy, least=least)
        if isinstance(proposal, _Covering):
            made.setdefault(proposal.proposal.id, proposal)
        refused += proposal == REFUSED
    best = sorted(made.values(), key=lambda one: (-one.proposal.silenced, one.proposal.id))
    return Learnings(
        proposals=tuple(_without_parts(best))[:PROPOSALS_LIMIT],
        never=tuple(never.most_common()),
        refused=refused,
    )


def _is_evidence(call: AnsweredCall, policy: str) -> bool:
    if call.verdict != "allow":
        return False
    return call.policy == policy if policy else bool(call.person)


def _groups(
    learned: Iterable[tuple[AnsweredCall, LearnableCall]],
) -> Iterator[list[tuple[AnsweredCall, LearnableCall]]]:
    """Yield the calls that one rule could cover: wider groups first."""
    by_shape: defaultdict[object, list[tuple[AnsweredCall, LearnableCall]]] = defaultdict(list)
    by_words: defaultdict[object, list[tuple[AnsweredCall, LearnableCall]]] = defaultdict(list)
    for call, found in learned:
        key = (found.tool, found.project, found.effects, found.findings)
        # Other tools are alike by what their calls do to what, whatever their texts.
        alike = (found.shape, found.words[:TALK_WORDS]) if found.words else found.targets
        by_shape[(*key, alike)].append((call, found))
        for at in range(FIXED_WORDS, len(found.words)):
            if not found.words[at].startswith("-"):
                others = (*found.words[:at], "", *found.words[at + 1 :])
                by_words[(*key, others)].append((call, found))
    # The wider first: of two proposals for the same calls the first one is kept.
    yield from by_words.values()
    yield from by_shape.values()


def _proposal(
    group: list[tuple[AnsweredCall, LearnableCall]],
    calls: Sequence[AnsweredCall],
    *,
    now: datetime,
    policy: str,
    least: int,
) -> _Covering | str:
    """Return the proposal of a group, or why there is none."""
    rule = _rule(group, now)
    if rule is None or len(group) < least:
        return "too few"
    try:
        tried = _Tried(rule)
    except BadRules:
        return "cannot be written as a rule"
    mine = [call for call, _ in group if tried.lets_through(call)]
    if len(mine) < least:
        return "too few"
    # One refusal outweighs any number of approvals: whoever refused would not be asked again.
    if any(call.verdict == "deny" and call.person and tried.is_like(call) for call in calls):
        return REFUSED
    silenced = [call for call in calls if tried.lets_through(call)]
    people = tuple(sorted({call.person for call in mine if call.person}))
    by = f"policy {policy}" if policy else ", ".join(people)
    first, last = min(one.at for one in mine), max(one.at for one in mine)
    origin = f"{count_of(len(mine), 'approval')} by {by}, {first[:10]} to {last[:10]}"
    often = count_of(len(mine), "time")
    proposal = Proposal(
        id=_id_of(rule),
        rule=replace(rule, origin=origin, reason=f"approved {often}, never denied"),
        approvals=len(mine),
        people=people,
        sessions=len({call.session for call in mine}),
        first=first,
        last=last,
        asked=len(calls),
        silenced=len(silenced),
        examples=tuple(call.seq for call in mine[-3:]),
        policy=policy,
    )
    return _Covering(proposal, frozenset(call.seq for call in silenced))


def _rule(group: Sequence[tuple[AnsweredCall, LearnableCall]], now: datetime) -> LearnedRule | None:
    """Return the rule that covers a group, None if none can be written."""
    found = [one for _, one in group]
    first = found[0]
    commands: tuple[str, ...] = ()
    if first.words:
        commands = _commands(found)
        if not commands:
            return None
    targets = () if commands else tuple(sorted({t for one in found for t in one.targets}))
    ranks = ("low", "medium", "high")
    level = max((one.level for one in found), key=ranks.index)
    named = " ".join(first.words[:FIXED_WORDS]) if first.words else first.tool
    slug = "-".join("".join(c if c.isalnum() and c.isascii() else " " for c in named).split())
    rule = LearnedRule(
        name="",
        tool=first.tool,
        project=first.project,
        limits=RuleLimits(level=level, findings=first.findings, effects=first.effects),
        expires=f"{now + timedelta(days=LONGEST_DAYS):%Y-%m-%d}",
        origin="not accepted yet",
        reason="approved again and again",
        commands=commands,
        targets=targets[:COMMANDS_LIMIT],
        quiet=SHORTENING if any(one.shortened for one in found) else (),
    )
    return replace(rule, name=f"{PREFIX}{slug.lower()[:40]}-{_id_of(rule)[5:]}")


def _commands(found: Sequence[LearnableCall]) -> tuple[str, ...]:
    """Return command patterns that cover these calls, () if they cannot be written."""
    lines = list(dict.fromkeys(one.words for one in found))
    around = dict.fromkeys(pattern for one in found for pattern in one.around)
    fixed = TALK_WORDS if found[0].shape.startswith(TALK) else FIXED_WORDS
    starred = _starred(lines, fixed, is_talk=fixed == TALK_WORDS)
    patterns = (starred,) if starred else tuple(map(_written, lines))
    if not all(patterns) or len(patterns) > COMMANDS_LIMIT:
        return ()
    return (*patterns, *around)


def _starred(lines: Sequence[tuple[str, ...]], fixed: int, *, is_talk: bool) -> str:
    """Return one pattern with a star where words differ, "" where they differ too little."""
    if len({len(line) for line in lines}) != 1 or len(lines) < LEAST_VALUES:
        return ""
    columns = [sorted(set(column)) for column in zip(*lines, strict=True)]
    open_ = [at for at, column in enumerate(columns) if len(column) >= LEAST_VALUES]
    differing = [at for at, column in enumerate(columns) if len(column) > 1]
    is_one = len(differing) == 1 or is_talk
    # A word that differs only twice is no pattern of people's, but two calls.
    if differing != open_ or not is_one or differing[0] < fixed:
        return ""
    values = [word for at in differing for word in columns[at]]
    # A star that stands for options or for `~` and `/` covers far more than was approved.
    if not is_talk and not all(word[:1].isalnum() and word.isascii() for word in values):
        return ""
    words = [
        _open_word(columns[at], is_talk=is_talk) if at in differing else pattern_word(word)
        for at, word in enumerate(lines[0])
    ]
    return f"{' '.join(words)} $" if all(words) else ""


def _open_word(values: Sequence[str], *, is_talk: bool) -> str:
    """Return the pattern of a word that may differ: behind what all its values begin with."""
    first, last = min(values), max(values)
    same = next((at for at, char in enumerate(first) if last[at : at + 1] != char), len(first))
    # Cut at a mark: `docs/a` and `docs/ab` have `docs/` in common, and not `docs/a`.
    named = first[: max(first.rfind(mark, 0, same) for mark in "=/:") + 1]
    if named and pattern_word(named) == named:
        return f"{named}*"
    return "*" if is_talk else OPEN_WORD


def _written(words: tuple[str, ...]) -> str:
    patterns = [pattern_word(word) for word in words]
    return f"{' '.join(patterns)} $" if all(patterns) else ""


def _id_of(rule: LearnedRule) -> str:
    """Return what names a proposal: a digest of what it would let through."""
    limits = rule.limits.content()[1:]
    said = repr((rule.tool, rule.project, rule.commands, rule.targets, limits))
    return f"prop_{hashlib.sha256(said.encode()).hexdigest()[:8]}"


def _without_parts(best: Sequence[_Covering]) -> Iterator[Proposal]:
    """Leave out proposals that let through nothing beyond what a better one does."""
    taken: list[frozenset[int]] = []
    for proposal, covered in best:
        if not any(covered <= other for other in taken):
            taken.append(covered)
            yield proposal


class _Tried:
    """A proposed rule, applied to past calls."""

    def __init__(self, rule: LearnedRule) -> None:
        made = rule.rule()
        self._limits, self._project = made.limits, rule.project
        self._rules = RuleSet(rules=(made,))

    def is_like(self, call: AnsweredCall) -> bool:
        """Tell whether its patterns cover a call, whatever its limits and project."""
        one = call.assessed
        return evaluate(self._rules, one.action, one.operations, one.commands) is not None

    def lets_through(self, call: AnsweredCall) -> bool:
        """Tell whether it would have let a call through."""
        one = call.assessed
        if one.facts.project != self._project or _is_settled(one):
            return False
        within = self._limits is not None and self._limits.allows(
            one.level.value, one.findings, one.operations
        )
        return within and self.is_like(call)


def _is_settled(assessed: Assessed) -> bool:
    """Tell whether a deny rule precedes any allow rule."""
    return assessed.rule is not None and assessed.rule.action == RuleAction.DENY.value
