"""Settings in, a ready judgement out: what every frontend needs, and nothing of who is asked.

What only judges (`signoff check`) starts with this file alone and stays quick; `gate.py` builds the
gate around it.

    build_judge(load_settings_here())(action, Facts())
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Protocol

import signoff
from signoff.actions.code import reading as languages
from signoff.actions.facts import ProgramDescriptions
from signoff.actions.programs import registry
from signoff.actions.understand import check_readers
from signoff.actions.vocabulary import compile_all
from signoff.assess.assessment import Judge, JudgeFunction
from signoff.assess.pack import PACKS, AdjustedPack
from signoff.assess.patterns.catalogue import Catalogue, catalogue_on
from signoff.assess.rules.load import FORM, load_rules, merge_pack, read_rules
from signoff.assess.rules.rule import RuleSet
from signoff.build.scoring import build_aggregator, build_profile, build_scorer
from signoff.effects.store import Store
from signoff.errors import BrokenReader
from signoff.settings import Settings, load_settings
from signoff.storage.bundles.bundle import RULES
from signoff.storage.compiled import PatternFiles, keep_index, read_shipped
from signoff.storage.fs_probe.probe import HERE, FileProbe, TickCache
from signoff.storage.fs_probe.project import find_project
from signoff.storage.recall import FsSnapshot, Recall
from signoff.storage.reloading.own_programs import OwnProgramFiles, ProgramFolder
from signoff.storage.reloading.rules_in_force import RulesInForce

SHIPPED = "default.yaml"
_PACKAGE = os.path.dirname(os.path.abspath(signoff.__file__))


class RulesSource(Protocol):
    """Port: gives the rules in force now."""

    def current(self) -> RuleSet:
        """Return the rules in force; they may change between calls."""


class ProgramsSource(Protocol):
    """Port: gives the program descriptions of users and projects."""

    def current(self) -> ProgramDescriptions | None:
        """Return the descriptions in force; None = only those that ship with signoff."""


Trust = Callable[[str], Mapping[str, float] | None]


def no_trust(_: str) -> None:
    """Return None: trust is not used."""


def load_settings_here() -> Settings:
    """Load the user's settings, and those of the project around the working folder."""
    project = find_project(os.getcwd(), home=os.path.expanduser("~"))
    return load_settings(project.root)


def build_memory(
    settings: Settings,
    store: Store,
    *,
    looking: FileProbe = HERE,
    programs: ProgramsSource | None = None,
    trust: Trust = no_trust,
) -> Recall:
    """Build what gathers the facts about a call.

    Args:
        programs: gives descriptions of programs instead of what follows the configured folders.
        trust: gives the trust in an agent by domain.
    """
    described = programs or build_programs(settings)
    return Recall(
        programs=described.current,
        trust=trust,
        store=store,
        home=settings.home,
        guard_paths=guard_paths(settings),
        guard_ports=frozenset({settings.port}),
        guard_install=guard_install(),
        guard_tree=guard_tree(),
        file_limit=settings.limits.files,
        script_bytes=settings.limits.script_bytes,
        looking=looking,
        seen=TickCache(FsSnapshot, looking.moment),
    )


def build_judge(settings: Settings, *, rules: RulesSource | None = None) -> JudgeFunction:
    """Build the function that judges a call; it rereads the rules when their files change."""
    keep_index()
    source = rules or build_rules(settings)
    policy = AdjustedPack(
        pack=PACKS[settings.pack.value],
        lines=settings.lines,
        at_least=settings.at_least,
        challenges=settings.challenges,
        local_challenges=settings.local_challenges,
        stronger_challenges=settings.stronger_challenges,
    )
    judge = Judge(
        rules=source.current,
        policy=policy,
        patterns=build_patterns(settings),
        profile=build_profile(settings),
        scorer=build_scorer(settings.scoring),
        aggregator=build_aggregator(settings.scoring),
        scoring="" if settings.scoring.is_default else str(settings.scoring),
    )
    if settings.external is None:
        return judge
    from signoff.build.external import with_external_rules  # noqa: PLC0415 - starts a process

    return with_external_rules(judge, settings.external, settings)


def build_patterns(settings: Settings) -> Catalogue:
    """Build the catalogue of text patterns, compiled once and cached on disk."""
    return _patterns_in(settings.patterns_dir, settings.key_file)


def warm_up(settings: Settings) -> None:
    """Load and compile everything that a call may need, for a process that stays.

    Call it before the first call is judged: patterns compiled here are also cached for web
    requests.
    """
    registry.load_all()
    languages.load_all()
    compile_all()
    build_patterns(settings).warm()


def reader_problem() -> str:
    """Self-test every parser; return what is wrong with the first that fails, "" if none."""
    try:
        check_readers()
        languages.load_all()
    except BrokenReader as error:
        return f"nothing is judged: {error}"
    return ""


@cache
def _patterns_in(folder: str, key_file: str) -> Catalogue:
    return catalogue_on(PatternFiles(folder, key_file=key_file))


def build_rules(settings: Settings, *, user_file: str = "") -> RulesInForce:
    """Build the loader that keeps the rules in force up to date with their files.

    Args:
        user_file: a rules file to read instead of the user's, "" = the user's.
    """
    return RulesInForce(
        pack=shared_rules(settings),
        user_file=user_file or settings.rules_file,
        project_file=settings.project_file,
        only_tightens=settings.bundle is not None,
    )


def shared_rules(settings: Settings) -> RuleSet:
    """Return the rules that ship with signoff, with those of this machine's bundle.

    Raises:
        BadRules: those of the bundle are refused.
    """
    bundle, shipped = settings.bundle, shipped_rules()
    if bundle is None or RULES not in bundle.files:
        return shipped
    return merge_pack(shipped, load_rules(bundle.files[RULES], file=f"{bundle.name}: {RULES}"))


def build_programs(settings: Settings) -> OwnProgramFiles:
    """Build the loader that keeps the user's and project's program descriptions up to date."""
    user, project = program_folders(settings)
    only_adds = settings.bundle is not None
    return OwnProgramFiles(user=user, project=project, only_adds=only_adds)


def program_folders(settings: Settings) -> tuple[ProgramFolder, ProgramFolder]:
    """Return the folders in which the user and the project describe programs."""
    user = ProgramFolder(path=settings.programs_dir, is_named=bool(settings.programs))
    folder = settings.project_programs
    return user, ProgramFolder(path=folder, is_named=bool(folder), inside=settings.project)


def shipped_rules() -> RuleSet:
    """Read the rules that ship with signoff."""
    # importlib.resources would cost a tenth of a start.
    path = os.path.join(_PACKAGE, "assess", "rules", "packs", SHIPPED)
    return read_rules(read_shipped(path, file=SHIPPED, form=FORM), file=SHIPPED)


def guard_install() -> str:
    """Return the path of the virtual environment this process runs in, "" if none."""
    return "" if sys.prefix == sys.base_prefix else sys.prefix


@cache
def guard_tree() -> str:
    """Return the working tree signoff is imported from, "" if it is installed."""
    if any(f"/{folder}/" in _PACKAGE for folder in ("site-packages", "dist-packages")):
        return ""
    found = find_project(_PACKAGE, home=os.path.expanduser("~")).root
    return found or os.path.dirname(_PACKAGE)


def guard_paths(settings: Settings) -> tuple[str, ...]:
    """Return the paths of signoff's own files and folders, which no agent may touch."""
    own = (
        settings.config_dir,
        settings.state_dir,
        _PACKAGE,
        settings.project_file,
        settings.programs,
        settings.project_programs,
    )
    return tuple(path for path in own if path)
