"""One assessment: what a call does, what is thought of it, and where it leans.

Rules are a floor and a ceiling, detectors always run, two scores make one level:

- a deny rule refuses; so does a threat score at the pack's refusing line; what protects signoff
  itself is refused whatever rules say;
- an escalate rule asks; an allow rule that covers every part lets through, but what would be
  refused alone is then asked about;
- without a rule the scores settle it: the level is the higher of risk and threat, and of a
  critical finding it is CRITICAL, even where its line was moved to `ask`.

    Judge(rules=lambda: RuleSet())(action, Facts()).leaning
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from msgspec import Struct

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.actions.known.shell_lines import UNREAD_LINES
from signoff.actions.operation import Operations
from signoff.actions.shell.command import Command
from signoff.actions.understand import check_readers, understand
from signoff.actions.wording.sentence import sentence
from signoff.assess.challenges import AskedCall, ChosenProof, proof_of_level, stated_proof, stronger
from signoff.assess.classifier.harmless_tools import understood_by_words
from signoff.assess.detectors.runner import classify, look
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Challenge, Level, level_of_risk, level_of_threat
from signoff.assess.pack import FIXED_DETECTORS, AdjustedPack, policy_digest
from signoff.assess.patterns.catalogue import Catalogue
from signoff.assess.profiles.profile import NO_PROFILE, Profile
from signoff.assess.profiles.scorer import ProfiledScorer
from signoff.assess.reasons import (
    beyond,
    is_beyond,
    reason_by_risk,
    reason_of,
    refuses,
    said_of,
)
from signoff.assess.risk.default import DefaultRiskScorer, StandingRisk
from signoff.assess.risk.harmless import only_looks
from signoff.assess.risk.score import RiskContext, RiskScore, RiskScorer, answer_of
from signoff.assess.risk.stated import at_least_stated
from signoff.assess.risk.strict_pack import asked_by_strict
from signoff.assess.risk.trust import START, domain_of, trusted
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.rule import RuleAction, RuleMatch, RuleSet
from signoff.assess.seen import Conclusion, Seen, SeenCalls, key_of
from signoff.assess.threat.aggregators import NOTHING_FOUND, Aggregator, MaxScoreAggregator
from signoff.assess.threat.score import ThreatScore
from signoff.assess.verdict import Verdict
from signoff.assess.written.runs import runs_of
from signoff.assess.written.scripts import found_in_scripts
from signoff.values import replace

_TOOL, _FUNCTION = ActionKind.TOOL, ActionKind.FUNCTION
PUBLISHES = "remote-change.published"
STRICT = "strict"
HELD_LIMIT = 90  # characters of the sentence that says what the strict pack asks about


class Assessment(Struct, frozen=True, kw_only=True, gc=False):
    """Everything the judgement found out about one call; see `assessed.py` for the fields."""

    action: Action
    facts: Facts
    operations: Operations
    commands: tuple[Command, ...]
    rule: RuleMatch | None
    findings: tuple[Finding, ...]
    threat: ThreatScore
    risk: RiskScore
    level: Level
    preliminary: Verdict
    challenge: Challenge
    reason: str
    policy_digest: str
    proof_because: str


JudgeFunction = Callable[[Action, Facts], Assessment]


class _ActiveRules(Struct, frozen=True, kw_only=True):
    """The rules in force, and what follows from them and the policy.

    Args:
        of_quiet_calls: conclusions of all calls in which nothing was found and no rule matches:
            they differ by the level of the risk alone.
    """

    rules: RuleSet
    policy_digest: str
    of_quiet_calls: dict[Level, Conclusion]


def _with_stated_proof(assessed: Assessment) -> Assessment:
    """Return an assessment with the proof its caller wants at least; it only gets stricter."""
    stated = stated_proof(assessed.action.least_proofs, assessed.level)
    if stated is None or assessed.preliminary is Verdict.DENY:
        return assessed
    proof = stronger(ChosenProof(assessed.challenge, assessed.proof_because), stated)
    return replace(
        assessed,
        preliminary=Verdict.ASK,
        challenge=proof.challenge,
        proof_because=proof.because,
        reason=assessed.reason
        if assessed.preliminary is Verdict.ASK
        else "the function's author wants it asked about",
    )


def _worse(assessed: Assessment, plain: Assessment) -> Assessment:
    """Return the stricter of two answers to one call: what is added never makes it milder."""
    if _strictness(plain) <= _strictness(assessed):
        return assessed
    return replace(plain, facts=assessed.facts, policy_digest=assessed.policy_digest)


def _strictness(assessed: Assessment) -> tuple[int, int, float]:
    return assessed.preliminary.severity, assessed.level.rank, assessed.threat.score


def _joined(policy_digest: str, facts: Facts) -> str:
    """Return the digest of the policy and of the descriptions a call was judged by."""
    if facts.programs is None:
        return policy_digest
    both = f"{policy_digest}\0{facts.programs.digest}"
    return hashlib.sha256(both.encode()).hexdigest()


class Judge:
    """Judges calls; a pure function of the action, its facts and what is given here.

    Args:
        rules: returns the rules in force; called once per call, so that a reload takes effect.
        patterns: patterns to search texts for; None = all of them, compiled again.
        profile: domain profile applied to the scorer's result.
        scoring: names of scorer, aggregator and weights for the policy digest, "" = the defaults.
    """

    def __init__(  # noqa: PLR0913 - one part an argument
        self,
        *,
        rules: Callable[[], RuleSet],
        policy: AdjustedPack | None = None,
        scorer: RiskScorer | None = None,
        aggregator: Aggregator | None = None,
        patterns: Catalogue | None = None,
        profile: Profile = NO_PROFILE,
        scoring: str = "",
    ) -> None:
        self._rules, self._scoring = rules, scoring
        self._policy = policy or AdjustedPack()
        self._profile = profile
        own = scorer or DefaultRiskScorer()
        self._scorer = own if profile is NO_PROFILE else ProfiledScorer(own, profile)
        self._aggregator = aggregator or MaxScoreAggregator()
        self._patterns = patterns
        self._calls = SeenCalls()
        self._in_force: _ActiveRules | None = None

    def __call__(self, action: Action, facts: Facts) -> Assessment:
        """Assess one call; pure but for asking which rules are in force.

        Raises:
            BrokenReader: the readers fail their self-test on this Python.
        """
        check_readers()
        rules = self._rules()
        assessed = self._assess(action, facts, rules)
        if facts.programs is None or facts.programs.without_additions is facts.programs:
            return assessed
        plain = replace(facts, programs=facts.programs.without_additions)
        return _worse(assessed, self._assess(action, plain, rules))

    def _assess(self, action: Action, facts: Facts, rules: RuleSet) -> Assessment:
        seen = self._see(action, facts, rules)
        risk = at_least_stated(self._trusted(seen, action, facts), action.least_risk)
        concluded = self._conclude(seen, level_of_risk(risk.value))
        if risk.is_refused:
            said = f"{risk.factors[-1].name}: {risk.factors[-1].evidence}"
            concluded = replace(concluded, preliminary=Verdict.DENY, reason=said)
        proof = self._proof(action, seen, concluded)
        assessed = Assessment(
            action=action,
            facts=facts,
            operations=seen.understanding.operations,
            commands=seen.understanding.commands,
            rule=seen.match,
            findings=seen.findings,
            threat=seen.threat,
            risk=risk,
            level=concluded.level,
            preliminary=concluded.preliminary,
            challenge=proof.challenge,
            reason=concluded.reason or reason_by_risk(risk, concluded.level, seen),
            policy_digest=seen.policy_digest,
            proof_because=proof.because,
        )
        return _with_stated_proof(assessed) if action.least_proofs else assessed

    def _proof(self, action: Action, seen: Seen, concluded: Conclusion) -> ChosenProof:
        """Return the proof an approval takes: as concluded, or as it was chosen for such calls."""
        level = concluded.level
        if concluded.preliminary is not Verdict.ASK:
            return concluded.proof
        rule = seen.match.rule.name if seen.match is not None else ""
        return self._policy.proof(AskedCall(action.tool, action.kind, level, seen.findings, rule))

    def _see(self, action: Action, facts: Facts, rules: RuleSet) -> Seen:
        """Read one call, or return what was seen in the same one before."""
        key = key_of(action, facts)
        known = self._calls.find(key, rules)
        if known is not None:
            return known
        understanding = understood_by_words(action, understand(action, facts))
        operations, commands = understanding.operations, understanding.commands
        found = look(action, facts, operations, self._patterns)
        is_known = bool(facts.files or facts.created or facts.downloaded)
        runs = tuple(self._found_in_runs(action, facts, operations)) if is_known else ()
        runs = (*runs, *found_in_scripts(action, facts, self._patterns))
        findings = self._policy.apply((*found, *runs))
        match = evaluate(rules, action, operations, commands)
        threat = self._aggregator.aggregate(findings)
        in_force = self._put_in_force(rules)
        is_quiet = threat is NOTHING_FOUND and match is None and not findings
        passes = is_quiet and (
            (action.kind is _FUNCTION and only_looks(action, operations))
            or (bool(found) and self._is_let_through(action, operations, found))
        )
        held = self._held(operations, found)
        seen = Seen(
            understanding=understanding,
            match=match,
            findings=findings,
            threat=threat,
            standing=self._standing(action, operations),
            rules=rules,
            policy_digest=_joined(in_force.policy_digest, facts),
            conclusions=in_force.of_quiet_calls if is_quiet and not (passes or held) else {},
            passes_medium=passes,
            held=held,
        )
        # What the user has moved is settled.
        if findings == (*found, *runs):
            seen = self._classified(seen, action)
        self._calls.keep(key, seen)
        return seen

    def _classified(self, seen: Seen, action: Action) -> Seen:
        """Add what the classifier finds in a call that nobody has refused or let through."""
        by_risk = Level.LOW if seen.standing is None else level_of_risk(seen.standing.at(0).value)
        so_far = self._conclude(seen, by_risk).preliminary
        # What a rule or a moved line lets through passes; strict asks about ordinary calls, too.
        # Which proof a plain function takes is said by its risk (spec 1), requests are only read.
        is_settled = so_far is Verdict.DENY or seen.passes_medium or action.kind is not _TOOL
        if is_settled or (seen.held and not seen.findings):
            return seen
        if so_far is Verdict.ALLOW and seen.match is not None:
            return seen
        said = classify(action, seen.understanding, seen.findings, so_far)
        found = self._policy.apply(tuple(said_of(said, seen)))
        findings = (*seen.findings, *found)
        threat = self._aggregator.aggregate(findings)
        return replace(seen, findings=findings, threat=threat, conclusions={}) if found else seen

    def _found_in_runs(
        self, action: Action, facts: Facts, operations: Operations
    ) -> Iterator[Finding]:
        """Yield what loaded files do that is refused, publishes, or lies beyond a limit."""
        for run in runs_of(action, facts, operations):
            line = run.text("command")
            is_unread, file = line == UNREAD_LINES, line.partition(" ")[2]
            file = "with what is imported" if file.startswith("-c ") else file
            file = run.text("description") or file
            for one in look(run, facts, understand(run, facts).operations, self._patterns):
                if refuses(one) or one.category == PUBLISHES or is_unread:
                    yield replace(one, evidence=f"{file}: {one.evidence}", group=-1)

    def _is_let_through(
        self, action: Action, operations: Operations, found: tuple[Finding, ...]
    ) -> bool:
        """Tell whether the parts of a call that the user's lines do not let through are LOW."""
        groups = self._policy.groups_let_through(found)
        if not groups:
            return False
        rest = tuple(one for one in operations if one.group not in groups)
        standing = self._standing(action, rest) if rest else None
        return not rest or (
            standing is not None and level_of_risk(standing.at(0).value) is Level.LOW
        )

    def _held(self, operations: Operations, found: tuple[Finding, ...]) -> str:
        """Say what the strict pack asks about although nothing was found, "" if nothing."""
        if self._policy.pack.name != STRICT:
            return ""
        asked = asked_by_strict(operations, self._policy.groups_let_through(found))
        return sentence(asked, HELD_LIMIT) if asked else ""

    def _standing(self, action: Action, operations: Operations) -> StandingRisk | None:
        """Score what stays of a call's risk; None where somebody else's scorer must be asked."""
        scorer = self._scorer
        # A class made from ours may look at anything, the time and other calls too.
        if type(scorer) is not DefaultRiskScorer:
            return None
        return scorer.standing(action, operations)

    def _risk(self, seen: Seen, action: Action, facts: Facts) -> RiskScore:
        if seen.standing is not None:
            return seen.standing.at(facts.prior_calls)
        operations = seen.understanding.operations
        context = RiskContext(action=action, operations=operations, prior_calls=facts.prior_calls)
        return answer_of(self._scorer, context)

    def _trusted(self, seen: Seen, action: Action, facts: Facts) -> RiskScore:
        """Score the risk, and change it by the trust in the agent where that is used."""
        risk = self._risk(seen, action, facts)
        if facts.trust is None:
            return risk
        domain = domain_of(one.thing.value for one in seen.understanding.operations)
        trust = facts.trust.get(domain, START)
        return trusted(risk, trust, domain=domain, floor=self._profile.floor)

    def _conclude(self, seen: Seen, by_risk: Level) -> Conclusion:
        """Conclude from what was seen and the level of the risk, once for each level."""
        known = seen.conclusions.get(by_risk)
        if known is not None:
            return known
        level = _level(by_risk, seen.threat, seen.findings)
        preliminary = self._lean(seen, level)
        is_allowed = preliminary is Verdict.ALLOW
        challenge = Challenge.AUTO_APPROVE if is_allowed else proof_of_level(level).challenge
        concluded = Conclusion(
            level=level,
            preliminary=preliminary,
            proof=ChosenProof(challenge, f"level {level.value}"),
            reason=beyond(seen, level)
            or reason_of(seen.match, seen, preliminary)
            or (f"pack strict asks: {seen.held}" if seen.held else None),
        )
        seen.conclusions[by_risk] = concluded
        return concluded

    def _lean(self, seen: Seen, level: Level) -> Verdict:
        match, threat = seen.match, seen.threat
        guarded = any([f.detector in FIXED_DETECTORS and refuses(f) for f in seen.findings])
        if guarded or (match is not None and match.rule.action is RuleAction.DENY):
            return Verdict.DENY
        is_allowed = match is not None and match.rule.action is RuleAction.ALLOW
        if is_allowed and not is_beyond(seen, level):
            # A pattern covers words, not what they would do: what is refused alone is then asked.
            refused = not threat.score < self._policy.pack.deny_at
            return Verdict.ASK if refused else Verdict.ALLOW
        # The packs decide what passes alone; the strict one lets no MEDIUM call pass (spec 1).
        if seen.passes_medium and level <= Level.MEDIUM and self._policy.pack.name != STRICT:
            level = Level.LOW
        by_score = self._by_score(threat, level)
        if match is not None or seen.held:
            by_score = Verdict.worst((by_score, Verdict.ASK))
        is_refused = match is None and seen.rules.unmatched is RuleAction.DENY
        return Verdict.DENY if is_refused else by_score

    def _put_in_force(self, rules: RuleSet) -> _ActiveRules:
        """Return what hangs on the rules alone; worked out again only after a reload."""
        known = self._in_force
        if known is None or known.rules is not rules:
            digest = policy_digest(rules, self._policy, self._profile, self._scoring)
            known = self._in_force = _ActiveRules(
                rules=rules, policy_digest=digest, of_quiet_calls={}
            )
        return known

    def _by_score(self, threat: ThreatScore, level: Level) -> Verdict:
        pack = self._policy.pack
        if not threat.score < pack.deny_at:  # a score that is no number refuses
            return Verdict.DENY
        if threat.score >= pack.ask_at or level > pack.passes:
            return Verdict.ASK
        return Verdict.ALLOW


def _level(by_risk: Level, threat: ThreatScore, findings: tuple[Finding, ...]) -> Level:
    if any([one.severity is Severity.CRITICAL and one.detected for one in findings]):
        return Level.CRITICAL
    return max(by_risk, level_of_threat(threat.level))
