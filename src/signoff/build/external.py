"""External rules: Cedar or Rego policies that are asked after signoff's own judgement.

They may only tighten: of two verdicts the stricter one holds. With `may_allow` they also let
through what would be asked about, never what is CRITICAL or denied. No answer is a denial.

    judge = with_external_rules(judge, settings.external, settings)
    judge(action, facts)
"""

from __future__ import annotations

import hashlib
import os
from functools import cache

import msgspec

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, JudgeFunction
from signoff.assess.challenges import proof_of_level
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.errors import BadSettings
from signoff.sections import ExternalSection
from signoff.settings import Settings
from signoff.storage.external.engine import EngineFailed, Opinion, PolicyEngine
from signoff.storage.text_file import read_text
from signoff.values import replace

POLICY_LIMIT = 500_000  # bytes of one file
OPERATIONS = 50  # that are told


def with_external_rules(
    judge: JudgeFunction, section: ExternalSection, settings: Settings
) -> JudgeFunction:
    """Return a judge that also asks the Cedar or Rego policies of the section.

    Raises:
        BadSettings: a file or the engine is missing, or a policy is refused.
    """
    policies = tuple((name, _policy(name, settings)) for name in section.files)
    engine = _engine(section.engine.value, policies, section.timeout_ms / 1000)
    return _ExternalJudge(judge, engine, section, digest=_digest(section, policies))


def _policy(name: str, settings: Settings) -> str:
    """Read a policy file. It lies beside the settings, where no agent may write."""
    path = os.path.normpath(os.path.join(settings.config_dir, name))
    # With the slash at its end: `/home/dev/.config/signoff-evil` begins alike.
    if os.path.isabs(name) or not path.startswith(os.path.join(settings.config_dir, "")):
        raise BadSettings(
            f"external_rules: `{name}` is outside `{settings.config_dir}`, where no agent may"
            " write: move it there"
        )
    text = read_text(path, limit=POLICY_LIMIT)
    if text is None:
        raise BadSettings(f"external_rules: there is no file `{path}`")
    return text


@cache
def _engine(name: str, policies: tuple[tuple[str, str], ...], timeout_s: float) -> PolicyEngine:
    engine = PolicyEngine(name, dict(policies), timeout_s=timeout_s)
    engine.start()
    return engine


def _digest(section: ExternalSection, policies: tuple[tuple[str, str], ...]) -> str:
    said = [section.engine.value, section.may_allow, policies]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


class _ExternalJudge:
    def __init__(
        self, judge: JudgeFunction, engine: PolicyEngine, section: ExternalSection, *, digest: str
    ) -> None:
        self._judge, self._engine, self._section = judge, engine, section
        self._digest = digest

    def __call__(self, action: Action, facts: Facts) -> Assessment:
        """Judge a call, then ask the external rules."""
        assessed = self._judge(action, facts)
        both = f"{assessed.policy_digest}\0external {self._digest}"
        digest = hashlib.sha256(both.encode()).hexdigest()
        # Before the verdict: an approval is bound to these policies as well, and ends with a
        # change.
        assessed = replace(assessed, policy_digest=digest)
        # They may not loosen a refusal, so their answer could change nothing.
        if assessed.preliminary is Verdict.DENY:
            return assessed
        try:
            opinion = self._engine.ask(msgspec.json.encode(document_of(assessed)))
        except (EngineFailed, msgspec.MsgspecError, TypeError, ValueError) as error:
            return _denied(assessed, f"external rules ({self._engine.name}) failed: {error}")
        return self._taken(assessed, opinion)

    def _taken(self, assessed: Assessment, opinion: Opinion) -> Assessment:
        """Return the assessment with what the external rules say of it."""
        why = f"external rule ({self._engine.name}): {opinion.reason or opinion.verdict}"
        match opinion.verdict:
            case "":
                return assessed
            case "deny":
                return _denied(assessed, why)
            case "ask":
                return _asked(assessed, why)
            case "allow":
                return _allowed(assessed, why) if self._section.may_allow else assessed
            case _:
                said = f"unknown verdict `{opinion.verdict[:50]}`"
                return _denied(assessed, f"external rules ({self._engine.name}): {said}")


def _denied(assessed: Assessment, why: str) -> Assessment:
    return replace(assessed, preliminary=Verdict.DENY, reason=why)


def _asked(assessed: Assessment, why: str) -> Assessment:
    if assessed.preliminary is Verdict.ASK:
        return assessed
    proof = proof_of_level(assessed.level)
    return replace(
        assessed,
        preliminary=Verdict.ASK,
        challenge=proof.challenge,
        proof_because=proof.because,
        reason=why,
    )


def _allowed(assessed: Assessment, why: str) -> Assessment:
    if assessed.preliminary is not Verdict.ASK or assessed.level is Level.CRITICAL:
        return assessed
    return replace(
        assessed, preliminary=Verdict.ALLOW, challenge=Challenge.AUTO_APPROVE, reason=why
    )


def document_of(assessed: Assessment) -> dict[str, object]:
    """Return the input that external policies get about a call, as JSON data."""
    action = assessed.action
    return {
        "tool": action.tool,
        "kind": action.kind.value,
        # The adapter's name: what an agent calls itself, it can choose.
        "agent": action.source,
        "session": action.session,
        "cwd": action.cwd,
        "project": assessed.facts.project,
        "environment": action.environment,
        "command": action.text("command"),
        "arguments": action.arguments,
        "operations": [
            {
                "verb": one.verb.value,
                "thing": one.thing.value,
                "target": one.target,
                "path": one.path,
                "reach": one.reach.value,
                "program": one.program,
                "traits": sorted(trait.value for trait in one.traits),
                "reversible": one.reversible,
                "understood": one.understood,
            }
            for one in assessed.operations[:OPERATIONS]
        ],
        "operations_in_all": len(assessed.operations),
        "findings": sorted({one.category for one in assessed.findings if one.detected}),
        "level": assessed.level.value,
        "risk": round(assessed.risk.value * 100),
        "threat": round(assessed.threat.score),
        "verdict": assessed.preliminary.value,
        "rule": assessed.rule.rule.name if assessed.rule else "",
    }
