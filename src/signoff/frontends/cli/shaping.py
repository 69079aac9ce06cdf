"""Everything that shaped a judgement, and where it was set: what `signoff check --explain` adds.

pack         balanced: asks from threat 40, denies from 70, lets low pass
environment  production, x1.3 (signoff.yaml)
profiles     finance (shipped)
scorer       default
trust        claude-code: 0.72 with repositories
rules        31: 2 of /home/dev/.config/signoff/rules.yaml, 29 of default.yaml
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from signoff.assess.assessed import Assessed
from signoff.assess.pack import PACKS
from signoff.assess.profiles.profile import Profile, environment_of
from signoff.assess.risk.chosen import DEFAULT_SCORER
from signoff.assess.risk.default import WEIGHTS
from signoff.assess.risk.trust import START, domain_of
from signoff.assess.rules.rule import RuleMatch, RuleSet
from signoff.build.installed import PartGroup, package_of
from signoff.build.scoring import SHIPPED_AGGREGATORS, SHIPPED_PROFILES, profile_place
from signoff.settings import Settings


class Shaping(Struct, frozen=True, kw_only=True):
    """The settings that a call was judged with.

    Args:
        profile: the profiles of the settings, joined.
        agent: whose trust was taken, "" = nobody's.
    """

    settings: Settings
    rules: RuleSet
    profile: Profile
    agent: str = ""


class ShapedBy(Struct, frozen=True):
    """One influence on a judgement: its name and its effect in words."""

    name: str
    said: str


def shaped_by(assessed: Assessed, shaping: Shaping) -> tuple[ShapedBy, ...]:
    """Return all influences on a judgement, in a fixed order."""
    settings = shaping.settings
    parts = (
        ("pack", _pack(settings)),
        ("lines", _lines(settings)),
        ("environment", _environment(assessed, shaping)),
        ("profiles", ", ".join(_profile(name, settings) for name in settings.profiles) or "none"),
        ("scorer", _scorer(settings)),
        ("weights", _weights(settings)),
        ("aggregator", _aggregator(settings)),
        ("external", _external(settings)),
        ("trust", _trust(assessed, shaping)),
        ("rules", _rules(shaping.rules)),
        ("rule", _rule(assessed)),
        ("project", settings.project_file if os.path.exists(settings.project_file) else "no file"),
        ("digest", assessed.policy_digest),
    )
    return tuple(ShapedBy(name, said) for name, said in parts)


def _pack(settings: Settings) -> str:
    pack = PACKS[settings.pack.value]
    return (
        f"{pack.name}: asks from threat {pack.ask_at:g}, denies from {pack.deny_at:g},"
        f" lets {pack.passes.value} pass"
    )


def _lines(settings: Settings) -> str:
    moved = [f"{line}: {verdict.value}" for line, verdict in sorted(settings.lines.items())]
    raised = [
        f"{line}: {verdict.value} at least (project)"
        for line, verdict in sorted(settings.at_least.items())
    ]
    return ", ".join((*moved, *raised)) or "none moved"


def _environment(assessed: Assessed, shaping: Shaping) -> str:
    there = environment_of(shaping.profile, assessed.action, assessed.operations)
    if there.name == shaping.settings.environment.value:
        source = "settings" if there.name != "none" else "not set, and the call names none"
    else:
        source = "the call names it"
    return f"{there.name}, x{there.factor:g} ({source})"


def _profile(name: str, settings: Settings) -> str:
    place = profile_place(name, settings)
    if not place:
        return f"{name} ({package_of(PartGroup.PROFILES, name)})"
    is_shipped = os.path.dirname(place) == SHIPPED_PROFILES
    return f"{name} (shipped)" if is_shipped else f"{name} ({place})"


def _scorer(settings: Settings) -> str:
    choice = settings.scoring.scorer
    named = choice.names() - {DEFAULT_SCORER}
    packages = (f"{name} of {package_of(PartGroup.SCORERS, name)}" for name in sorted(named))
    return "; ".join((str(choice), *packages))


def _weights(settings: Settings) -> str:
    changed = settings.scoring.factor_weights
    return ", ".join(
        f"{name} {changed[name]:.2f} (usually {usual:.2f})"
        if name in changed
        else f"{name} {usual:.2f}"
        for name, usual in WEIGHTS.items()
    )


def _aggregator(settings: Settings) -> str:
    name, weights = settings.scoring.aggregator, settings.scoring.detector_weights
    if name not in SHIPPED_AGGREGATORS:
        return f"{name} of {package_of(PartGroup.AGGREGATORS, name)}"
    said = ", ".join(f"{detector} x{weight:g}" for detector, weight in weights.items())
    return f"{name}: {said}" if said else name


def _external(settings: Settings) -> str:
    if settings.external is None:
        return "none"
    section = settings.external
    may = "may also allow" if section.may_allow else "may only tighten"
    return f"{section.engine.value}: {', '.join(section.files)}; {may}"


def _trust(assessed: Assessed, shaping: Shaping) -> str:
    if not shaping.settings.uses_trust:
        return "off"
    if assessed.facts.trust is None:
        return "on, but not used here: name an agent with --agent"
    domain = domain_of(one.thing.value for one in assessed.operations)
    trust = assessed.facts.trust.get(domain, START)
    return f"{shaping.agent}: {trust:.2f} with {domain}"


def _rules(rules: RuleSet) -> str:
    files = Counter(rule.file for rule in rules.rules)
    counted = ", ".join(f"{count} of {file}" for file, count in files.items())
    said = f"{len(rules.rules)}: {counted}" if counted else "none"
    notes = "".join(f"; {note}" for note in rules.notes)
    return f"{said}; unmatched calls: {rules.unmatched.value}{notes}"


def _rule(assessed: Assessed) -> str:
    match = assessed.rule
    if not isinstance(match, RuleMatch):
        return "none matches"
    return "; ".join(_rule_parts(match))


def _rule_parts(match: RuleMatch) -> Iterator[str]:
    rule = match.rule
    yield f"{rule.name} ({rule.action.value}) of {rule.where}, by {match.matched}"
    if match.also:
        yield f"with {', '.join(match.also)}"
    if rule.origin:
        yield f"learned: {rule.origin}"
