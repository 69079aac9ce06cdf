"""The scorer, the aggregator and the profiles that the settings name.

build_scorer(settings.scoring), build_aggregator(settings.scoring), build_profile(settings)
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import signoff
from signoff.assess.policy_lines import line_problem
from signoff.assess.profiles.profile import NO_PROFILE, Profile, join_profiles
from signoff.assess.profiles.profile_file import load_profile
from signoff.assess.profiles.scorer import ProfiledScorer
from signoff.assess.risk.chosen import (
    DEFAULT_SCORER,
    ScorerChoice,
    ScorerKind,
    Scoring,
    read_scoring,
)
from signoff.assess.risk.default import DefaultRiskScorer
from signoff.assess.risk.score import RiskScorer
from signoff.assess.risk.scorers import CompositeRiskScorer, FixedRiskScorer, MaxRiskScorer
from signoff.assess.risk.weighed import GuardedScorer, WeighedScorer
from signoff.assess.threat.aggregators import Aggregator, MaxScoreAggregator, WeightedAggregator
from signoff.assess.threat.guarded import GuardedAggregator
from signoff.build.installed import PartGroup, load_installed, made_by
from signoff.bundled_policy.in_force import BundleInForce
from signoff.bundled_policy.shared_file import check_content, read_shared
from signoff.errors import BadSettings
from signoff.settings import USER_FILE, Settings
from signoff.storage.bundles.bundle import BundleContent
from signoff.storage.text_file import read_text
from signoff.values import replace

PROFILE_LIMIT = 200_000  # bytes
SHIPPED_PROFILES = os.path.join(
    os.path.dirname(os.path.abspath(signoff.__file__)), "assess", "profiles"
)
SHIPPED_AGGREGATORS = ("max", "weighted")


def build_scorer(scoring: Scoring) -> RiskScorer:
    """Build the risk scorer that the settings name.

    Raises:
        BadSettings: a scorer is not installed, or cannot be made.
    """
    return _scorer(scoring.scorer, scoring)


def _scorer(choice: ScorerChoice, scoring: Scoring) -> RiskScorer:
    match choice.kind:
        case ScorerKind.FIXED:
            return FixedRiskScorer(choice.value)
        case ScorerKind.MAX:
            return MaxRiskScorer([_scorer(part, scoring) for part in choice.parts])
        case ScorerKind.MEAN:
            parts = [_scorer(part, scoring) for part in choice.parts]
            return CompositeRiskScorer(list(zip(parts, choice.weights, strict=True)))
        case ScorerKind.NAMED:
            return _named_scorer(choice, scoring)


def _named_scorer(choice: ScorerChoice, scoring: Scoring) -> RiskScorer:
    if choice.name == DEFAULT_SCORER:
        plain, weights = DefaultRiskScorer(), scoring.factor_weights
        return WeighedScorer(plain, weights) if weights else plain
    group, place = PartGroup.SCORERS, choice.place
    found = load_installed(group, choice.name, place=place, shipped=(DEFAULT_SCORER,))
    made = made_by(found, group, choice.name, place=place)
    if not callable(getattr(made, "score", None)):
        raise BadSettings(f"{place}: scorer `{choice.name}` has no method `score`")
    scorer: RiskScorer = made  # type: ignore[assignment] # as far as can be told
    # A scorer of another package may raise or give nonsense: then the call is not scored low.
    return GuardedScorer(scorer, name=choice.name)


def build_aggregator(scoring: Scoring) -> Aggregator:
    """Build the threat aggregator that the settings name.

    Raises:
        BadSettings: it is not installed, or cannot be made.
    """
    name, weights = scoring.aggregator, scoring.detector_weights
    place = f"{USER_FILE}: threat.aggregator"
    if weights and name != "weighted":
        raise BadSettings(f"{USER_FILE}: threat.weights: only the aggregator `weighted` has them")
    for detector in weights:
        if problem := line_problem(detector):
            raise BadSettings(f"{USER_FILE}: threat.weights: {problem}")
    if name in SHIPPED_AGGREGATORS:
        return WeightedAggregator(weights) if name == "weighted" else MaxScoreAggregator()
    group = PartGroup.AGGREGATORS
    found = load_installed(group, name, place=place, shipped=SHIPPED_AGGREGATORS)
    made = made_by(found, group, name, place=place)
    if not callable(getattr(made, "aggregate", None)):
        raise BadSettings(f"{place}: aggregator `{name}` has no method `aggregate`")
    aggregator: Aggregator = made  # type: ignore[assignment] # as far as can be told
    return GuardedAggregator(aggregator, name=name)


def build_profile(settings: Settings) -> Profile:
    """Merge the domain profiles of the settings; a user's file wins over a shipped one.

    Raises:
        BadSettings: there is none of that name, or one is refused.
    """
    joined = join_profiles([*_shared_profiles(settings), *_own_profiles(settings)])
    environment = settings.environment.value
    return joined if joined.environment == environment else replace(joined, environment=environment)


def check_bundle(content: BundleContent) -> None:
    """Read every file of a bundle and build what its settings name, to see that it works.

    Raises:
        SignoffError: this machine cannot use it; the message says why.
    """
    check_content(content)
    for release in content.releases:
        shared = read_shared(release.files)
        scoring = read_scoring(shared.risk, shared.threat)
        build_scorer(scoring)
        build_aggregator(scoring)
        bundle = BundleInForce(settings=shared, version=content.version, files=release.files)
        for name in shared.profiles:
            _shared_profile(name, bundle)


def _own_profiles(settings: Settings) -> list[Profile]:
    return [_profile_named(name, settings) for name in settings.profiles]


def _shared_profiles(settings: Settings) -> list[Profile]:
    """Read the profiles of the bundle this machine is under.

    Raises:
        BadSettings: one is refused, or does not exist.
    """
    bundle = settings.bundle
    if bundle is None:
        return []
    # Without profiles of its own it says that nothing is always safe, and no risk is lowered.
    return [_shared_profile(name, bundle) for name in bundle.settings.profiles] or [NO_PROFILE]


def _shared_profile(name: str, bundle: BundleInForce) -> Profile:
    # Never a file of this machine: it could be milder under the same name.
    text = bundle.profile_text(name)
    if text is None:
        text = read_text(os.path.join(SHIPPED_PROFILES, f"{name}.yaml"), limit=PROFILE_LIMIT)
    if text is None:
        raise BadSettings(f"{bundle.name}: profile `{name}` is neither in the bundle nor shipped")
    return load_profile(text, file=f"{bundle.name}: {name}.yaml")


def profile_scorer(names: Sequence[str], settings: Settings) -> ProfiledScorer:
    """Build a scorer with these domain profiles on top of the default one.

    Raises:
        BadSettings: there is none of that name, or one is refused.
    """
    profile = join_profiles([_profile_named(name, settings) for name in names])
    return ProfiledScorer(DefaultRiskScorer(), profile)


def profile_place(name: str, settings: Settings) -> str:
    """Return the file that a profile is read from, "" if a package provides it."""
    folders = (settings.profiles_dir, SHIPPED_PROFILES)
    paths = (os.path.join(folder, f"{name}.yaml") for folder in folders)
    return next((path for path in paths if os.path.exists(path)), "")


def _profile_named(name: str, settings: Settings) -> Profile:
    # The user's own first: a profile of the same name replaces the shipped one.
    for folder in (settings.profiles_dir, SHIPPED_PROFILES):
        path = os.path.join(folder, f"{name}.yaml")
        text = read_text(path, limit=PROFILE_LIMIT)
        if text is not None:
            return load_profile(text, file=path)
    return _installed_profile(name, settings)


def _installed_profile(name: str, settings: Settings) -> Profile:
    """Load a profile that an installed package brings, as YAML text or what returns it."""
    files = (one for one in os.listdir(SHIPPED_PROFILES) if one.endswith(".yaml"))
    place = f"{USER_FILE}: profiles (your own are files in {settings.profiles_dir})"
    found = load_installed(
        PartGroup.PROFILES, name, place=place, shipped=tuple(sorted(one[:-5] for one in files))
    )
    text = made_by(found, PartGroup.PROFILES, name, place=place) if callable(found) else found
    if not isinstance(text, str):
        raise BadSettings(f"{place}: profile `{name}`: expected YAML text, got {type(text)}")
    return load_profile(text, file=f"profile {name}")
