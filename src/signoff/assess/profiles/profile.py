"""Domain profiles: what one field of work finds risky, as data (spec 8).

A profile is read from YAML text and applied as a pure function; several can be on at once, then
lists join and the more careful number wins. It never lowers a critical finding: `always_safe`
takes an action to the profile's floor only where nothing CRITICAL was found elsewhere, which is
for the caller to see to.

    profile = load_profile(text, file="finance.yaml")
    apply_profile(join_profiles((profile,)), action, risk=0.4).value
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Protocol

import msgspec

from signoff.actions.action import Action
from signoff.actions.operation import Operations, Reach
from signoff.actions.tools.naming.circumstances import circumstances_of
from signoff.actions.tools.naming.contents import strings_of
from signoff.values import replace

LONGEST_TEXT = 200_000
CRITICAL_RISK = 0.8
# Where the user says that this is production, the risk of a change comes out MEDIUM at least once.
LEAST_PRODUCTION = 1.3
NO_ENVIRONMENT = "none"


class PatternField(StrEnum):
    """The part of a call that a risk pattern is searched in."""

    NAME = "name"
    ARGUMENTS = "arguments"
    DOCSTRING = "docstring"


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
ProfileText = Annotated[str, msgspec.Meta(max_length=10_000)]


class RiskPattern(msgspec.Struct, frozen=True, kw_only=True):
    """A regular expression and the risk (0..1) it adds."""

    field: PatternField
    pattern: ProfileText
    adds: Share
    reason: ProfileText = "matches a pattern"


class EscalationRule(msgspec.Struct, frozen=True, kw_only=True):
    """From this risk (0..1) on, require more approvers, or deny."""

    from_risk: Share
    approvers: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    is_block: bool = msgspec.field(default=False, name="block")
    reason: ProfileText = "escalated"


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One domain profile; risks and weights are 0..1.

    Args:
        terms: sensitive words, each with the risk it adds.
        always_critical: globs over the name of the tool or function.
        always_safe: the same; what is in both is critical.
        templates: challenge texts by name.
        floor: risk is never lower.
        production, staging: factors on the risk of what is done there, at least 1.
        development: factor on the risk where the user says that this is development, at most 1.
        environment: what the user says this is: production, staging, development or none.
    """

    name: str
    patterns: tuple[RiskPattern, ...] = ()
    terms: tuple[tuple[str, float], ...] = ()
    always_critical: tuple[str, ...] = ()
    always_safe: tuple[str, ...] = ()
    escalations: tuple[EscalationRule, ...] = ()
    templates: tuple[tuple[str, str], ...] = ()
    floor: float = 0.0
    production: float = 1.0
    staging: float = 1.0
    development: float = 1.0
    environment: str = NO_ENVIRONMENT


class EnvironmentFactor(msgspec.Struct, frozen=True):
    """The environment a call acts on, and the factor on its risk."""

    name: str
    factor: float


class Profiled(msgspec.Struct, frozen=True, kw_only=True):
    """A risk changed by a profile, and the reasons."""

    value: float
    approvers: int = 1
    is_block: bool = False
    reasons: tuple[str, ...] = ()


NO_PROFILE = Profile(name="none")


def join_profiles(profiles: Iterable[Profile]) -> Profile:
    """Merge profiles: lists are joined, and the more careful number wins.

    What one profile calls safe and another does not name stays safe only if every profile says
    so: care is joined like a number.
    """
    joined: Profile | None = None
    for profile in profiles:
        joined = profile if joined is None else _join(joined, profile)
    return joined or NO_PROFILE


def apply_profile(
    profile: Profile, action: Action, *, risk: float, operations: Operations = ()
) -> Profiled:
    """Return the risk (0..1) as a profile changes it; a critical risk is never lowered."""
    if _is_listed(action.tool, profile.always_critical):
        return _escalated(profile, max(risk, CRITICAL_RISK), ("always critical",))
    if risk < CRITICAL_RISK and _is_listed(action.tool, profile.always_safe):
        return Profiled(value=profile.floor, reasons=("always safe",))
    value, reasons = risk, []
    for reason, adds in (*_pattern_hits(profile, action), *_term_hits(profile, action)):
        value += adds
        reasons.append(reason)
    there = environment_of(profile, action, operations)
    if there.factor > 1.0 or (there.factor < 1.0 and value < CRITICAL_RISK):
        value *= there.factor
        reasons.append(f"{there.name} x{there.factor:g}")
    if value < profile.floor:
        reasons.append("floor")
    return _escalated(profile, min(max(value, profile.floor), 1.0), tuple(reasons))


def environment_of(
    profile: Profile, action: Action, operations: Operations = ()
) -> EnvironmentFactor:
    """Return the environment a call acts on, and its factor.

    A call can only speak of a graver environment than the user says: words of an agent's call
    never make it development.
    """
    said, declared = circumstances_of(action), profile.environment
    in_production = said.is_production or any(op.reach is Reach.PRODUCTION for op in operations)
    if in_production or declared == "production":
        return EnvironmentFactor("production", production_factor(profile))
    if said.is_staging or declared == "staging":
        return EnvironmentFactor("staging", profile.staging)
    if declared == "development":
        return EnvironmentFactor("development", profile.development)
    return EnvironmentFactor(NO_ENVIRONMENT, 1.0)


def production_factor(profile: Profile) -> float:
    """Return the factor for production; at least the default if the user declared it."""
    is_declared = profile.environment == "production"
    return max(profile.production, LEAST_PRODUCTION) if is_declared else profile.production


def _join(one: Profile, other: Profile) -> Profile:
    terms = dict(one.terms)
    for term, adds in other.terms:
        terms[term] = max(adds, terms.get(term, 0.0))
    return replace(
        one,
        # No environment: the settings put theirs on what was joined.
        name=f"{one.name}+{other.name}",
        patterns=one.patterns + other.patterns,
        terms=tuple(terms.items()),
        always_critical=one.always_critical + other.always_critical,
        always_safe=tuple(name for name in one.always_safe if name in other.always_safe),
        escalations=one.escalations + other.escalations,
        templates=one.templates + other.templates,
        floor=max(one.floor, other.floor),
        production=max(one.production, other.production),
        staging=max(one.staging, other.staging),
        development=max(one.development, other.development),
    )


def _is_listed(tool: str, globs: tuple[str, ...]) -> bool:
    """Tell whether a name, at most 500 characters of it, matches one of the globs."""
    return any(fnmatchcase(tool[:500], glob) for glob in globs)


def _escalated(profile: Profile, value: float, reasons: tuple[str, ...]) -> Profiled:
    """Add what the escalation rules ask for at a risk."""
    rules = [rule for rule in profile.escalations if value >= rule.from_risk]
    return Profiled(
        value=value,
        approvers=max((rule.approvers for rule in rules), default=1),
        is_block=any(rule.is_block for rule in rules),
        reasons=reasons + tuple(rule.reason for rule in rules if rule.reason),
    )


def _pattern_hits(profile: Profile, action: Action) -> list[tuple[str, float]]:
    """Return the risk patterns that occur, with what each adds."""
    if not profile.patterns:
        return []
    texts = {
        PatternField.NAME: action.tool[:500],
        PatternField.ARGUMENTS: _argument_text(action),
        PatternField.DOCSTRING: action.description[:LONGEST_TEXT],
    }
    return [
        (pattern.reason or f"matches `{pattern.pattern}`", pattern.adds)
        for pattern in profile.patterns
        if compile_pattern(pattern.pattern).search(texts[pattern.field])
    ]


def _term_hits(profile: Profile, action: Action) -> list[tuple[str, float]]:
    """Return the sensitive terms that stand as words in the name or the arguments."""
    if not profile.terms:
        return []
    text = f" {_argument_text(action)} {action.tool} ".casefold()
    words = " ".join("".join(char if char.isalnum() else " " for char in text).split())
    # Blanks around, so that a term meets whole words only.
    padded = f" {words} "
    return [(f"speaks of `{term}`", adds) for term, adds in profile.terms if f" {term} " in padded]


def _argument_text(action: Action) -> str:
    parts: list[str] = []
    length = 0
    for part in strings_of(action.arguments):
        parts.append(part[: LONGEST_TEXT - length])
        length += len(parts[-1]) + 1
        if length >= LONGEST_TEXT:
            break
    # RE2 cannot carry lone surrogates.
    return "\n".join(parts).encode("utf-8", "replace").decode("utf-8")


class Searcher(Protocol):
    """Port: a compiled regular expression."""

    def search(self, text: str) -> object:
        """Return a true value if the pattern is found in the text."""


@cache
def compile_pattern(pattern: str) -> Searcher:
    """Compile a regular expression with RE2, which runs in linear time.

    Raises:
        ValueError: it is not valid for RE2.
    """
    import re2  # noqa: PLC0415 - `import signoff` loads the standard library only

    try:
        compiled: Searcher = re2.compile(pattern)
    except re2.error as problem:
        reason = problem.args[0] if problem.args else ""
        said = reason.decode(errors="replace") if isinstance(reason, bytes) else reason
        raise ValueError(f"`{pattern[:100]}` cannot be used: {said}") from problem
    return compiled
