"""What of a node's own `signoff.yaml` holds under a bundle: as far as it is stricter.

Each section of the node's file belongs to one of three kinds (`KINDS`): it is about this machine
only, it may tighten, or the bundle alone says it. A section that is not listed fails a test.

    said = under_bundle(own, bundle.settings)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeVar

from signoff.assess.level import Level
from signoff.bundled_policy.shared_file import SharedFile
from signoff.challenge.evaluators.chosen import EvaluatorSettings
from signoff.challenge.terms.plan import (
    LEVEL_REVIEW_S,
    ApprovalPlan,
    QuizPass,
    TeachBackBy,
    TooFast,
)
from signoff.documents.convert import names_of
from signoff.sections import ResultPolicy, UserFile
from signoff.values import replace

Choice = TypeVar("Choice", bound=StrEnum)


class LocalKind(StrEnum):
    """What happens to a section of a node's own file under a bundle."""

    MACHINE = "machine"  # about this machine: it holds as it stands
    TIGHTENS = "tightens"  # it holds where it is stricter
    BUNDLE = "bundle"  # the bundle alone says it


KINDS: Mapping[str, LocalKind] = {
    "version": LocalKind.MACHINE,
    "pack": LocalKind.TIGHTENS,
    "lines": LocalKind.TIGHTENS,
    "hosts": LocalKind.TIGHTENS,
    "results": LocalKind.TIGHTENS,
    "channels": LocalKind.MACHINE,
    "limits": LocalKind.TIGHTENS,
    "server": LocalKind.MACHINE,
    "python": LocalKind.MACHINE,
    "evaluator": LocalKind.TIGHTENS,
    "notify": LocalKind.MACHINE,
    "events": LocalKind.MACHINE,
    "approval": LocalKind.TIGHTENS,
    "stops": LocalKind.MACHINE,
    "programs": LocalKind.TIGHTENS,
    "mcp": LocalKind.TIGHTENS,
    "audit": LocalKind.MACHINE,
    "trust": LocalKind.TIGHTENS,
    "store": LocalKind.MACHINE,
    "bundle": LocalKind.MACHINE,
    "profiles": LocalKind.TIGHTENS,
    "environment": LocalKind.TIGHTENS,
    "risk": LocalKind.BUNDLE,
    "threat": LocalKind.BUNDLE,
    "external_rules": LocalKind.TIGHTENS,
    "oidc": LocalKind.MACHINE,
    "decoys": LocalKind.MACHINE,
    "log": LocalKind.MACHINE,
    "traces": LocalKind.MACHINE,
}


def under_bundle(said: UserFile, shared: SharedFile) -> UserFile:
    """Return the node's own settings with the bundle's decisions applied.

    `lines` and `approval` are the bundle's; the node's are joined to them as a project's are.
    """
    external = said.external_rules
    hosts, mcp = said.hosts, said.mcp
    results = strictest(shared.results, said.results)
    return replace(
        said,
        pack=strictest(shared.pack, said.pack),
        environment=strictest(shared.environment, said.environment),
        lines=shared.lines,
        hosts=replace(
            hosts,
            allow=strictest(shared.hosts.allow, hosts.allow),
            results=_results(results, shared.hosts.results, hosts.results),
        ),
        results=results,
        mcp=replace(
            mcp,
            results=_results(results, shared.mcp.results, mcp.results),
            sampling=strictest(shared.mcp.sampling, mcp.sampling),
            elicitation=strictest(shared.mcp.elicitation, mcp.elicitation),
        ),
        limits=replace(
            said.limits,
            min_review_s=max(shared.limits.min_review_s, said.limits.min_review_s),
        ),
        approval=shared.approval,
        trust=shared.trust if said.trust is None or said.trust.enabled else said.trust,
        risk=shared.risk,
        threat=shared.threat,
        external_rules=external and replace(external, may_allow=False),
    )


def strictest(first: Choice, second: Choice | None) -> Choice:
    """Return the stricter of two values; enumerations of settings begin with the strictest."""
    if second is None:
        return first
    return min(first, second, key=list(type(first)).index)


def _results(
    general: ResultPolicy, shared: ResultPolicy | None, own: ResultPolicy | None
) -> ResultPolicy:
    """Return what becomes of results in one place; what a node says there may only tighten."""
    # The bundle may be milder in one place than in general; a node that says nothing follows it.
    least = shared if shared is not None else general
    return strictest(least, own)


def capped(chosen: EvaluatorSettings, shared: SharedFile) -> EvaluatorSettings:
    """Return a node's evaluator, limited to what the bundle allows."""
    if shared.evaluator is None or chosen.up_to.level <= shared.evaluator.up_to.level:
        return chosen
    return replace(chosen, up_to=shared.evaluator.up_to)


def stricter_plan(shared: ApprovalPlan, own: ApprovalPlan) -> ApprovalPlan:
    """Return the approval plan: the bundle's proofs and numbers, or the node's if stricter.

    On which channels, and in which order, is the node's to say.
    """
    reading = {*shared.review_s, *own.review_s}
    is_refused = TooFast.REFUSE in (shared.too_fast, own.too_fast)
    return replace(
        own,
        parties=max(shared.parties, own.parties),
        tries=min(shared.tries, own.tries),
        use_s=min(shared.use_s, own.use_s),
        too_fast=TooFast.REFUSE if is_refused else TooFast.MARK,
        teach_back=max(shared.teach_back, own.teach_back, key=list(TeachBackBy).index),
        quiz=max(shared.quiz, own.quiz, key=list(QuizPass).index),
        is_rechecked=shared.is_rechecked or own.is_rechecked,
        review_s={
            level: max(_reading(shared, level), _reading(own, level)) for level in sorted(reading)
        },
        first_group=shared.first_group or own.first_group,
        second_group=shared.second_group if shared.first_group else own.second_group,
        escalate_s=shared.escalate_s if shared.first_group else own.escalate_s,
        # Of the groups that are asked; a rota narrows its group, whoever wrote it.
        rotas={**own.rotas, **shared.rotas},
    )


def _reading(plan: ApprovalPlan, level: Level) -> float:
    return plan.review_s.get(level, LEVEL_REVIEW_S[level])


def differences(own: UserFile) -> Iterator[str]:
    """Yield what a node's own file says differently from the bundle, and whether it holds."""
    plain = UserFile()
    for name in names_of(UserFile):
        if KINDS[name] is LocalKind.MACHINE or getattr(own, name) == getattr(plain, name):
            continue
        is_bundles = KINDS[name] is LocalKind.BUNDLE
        yield f"{name}: {'not in force' if is_bundles else 'in force where it is stricter'}"
