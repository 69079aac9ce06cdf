"""The bundle in words: which version is in force, what is wrong, and how this machine differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from signoff.build.judge import build_rules
from signoff.errors import BadRules, SignoffError
from signoff.frontends.client.found import places_of
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.server.control import NotRunning, ask
from signoff.settings import Settings
from signoff.values import count_of

LABEL = "bundle"
NODE_FILE = "a file of this node may only tighten"


class BundleFacts(TypedDict):
    """What `signoff bundle status --json` prints.

    Keys: version (0 = none has come yet), digest, group, source, problems, and `differences`: what
    files of this machine say beside the bundle.
    """

    version: int
    digest: str
    group: str
    source: str
    problems: list[str]
    differences: list[str]


def bundle_facts(settings: Settings) -> BundleFacts:
    """Return the state of this machine's bundle, for JSON output."""
    bundle, source = settings.bundle, settings.bundle_source
    found = [bundle.problem] if bundle and bundle.problem else []
    if bundle is not None:
        found += [one for one in _daemon_problems(settings) if one not in found]
    return BundleFacts(
        version=bundle.version if bundle else 0,
        digest=bundle.digest if bundle else "",
        group=bundle.group if bundle else "",
        source=(source.url or source.path) if source else "",
        problems=found,
        differences=list(_differences(settings)) if bundle else [],
    )


def bundle_lines(settings: Settings, *, is_full: bool = False) -> Iterator[str]:
    """Yield the state of this machine's bundle as lines; nothing without a bundle.

    Args:
        is_full: True also reports that there is none.
    """
    if settings.bundle is None:
        if is_full:
            yield "no bundle: this machine is judged by its own files"
        return
    facts = bundle_facts(settings)
    group = f", group {facts['group']}" if facts["group"] else ""
    version = f"version {facts['version']} in force" if facts["version"] else "none in force yet"
    yield f"{LABEL:<9} {version}{group}, from {facts['source'] or 'nowhere'}"
    if not is_full:
        return
    if facts["digest"]:
        yield f"{'digest':<9} {facts['digest']}"
    for text in facts["problems"]:
        yield f"{'PROBLEM':<9} {text}"
    for text in facts["differences"]:
        yield f"{'differs':<9} {text}"


def check_bundle_here(settings: Settings) -> Iterator[DoctorCheck]:
    """Yield the doctor's checks of this machine's bundle."""
    if settings.bundle is None:
        return
    facts = bundle_facts(settings)
    if not facts["problems"]:
        said = f"version {facts['version']} in force, digest {facts['digest'][:16]}"
        yield DoctorCheck(about=LABEL, is_good=True, said=said)
    for text in facts["problems"]:
        fix = "`signoff bundle pull` fetches it again; docs/how-to/policy-bundles.md"
        yield DoctorCheck(about=LABEL, is_good=False, said=text, fix=fix)


def _differences(settings: Settings) -> Iterator[str]:
    said = settings.bundle.differences if settings.bundle else ()
    yield from (f"signoff.yaml, {one}" for one in said)
    try:
        rules = build_rules(settings).current()
    except BadRules as error:
        yield f"rules.yaml is refused: {error}"
        return
    own = [one for one in rules.rules if one.where.startswith(settings.rules_file)]
    if own:
        tightening = count_of(len(own), "rule of this machine is", "rules of this machine are")
        yield f"rules.yaml: {tightening} in force, as they tighten"
    yield from (f"rules.yaml: {note}" for note in rules.notes if NODE_FILE in note)


def _daemon_problems(settings: Settings) -> Iterator[str]:
    """Yield what the daemon says is wrong: it is what pulls."""
    try:
        said = ask(places_of(settings), "/v1/status").get("problems")
    except (NotRunning, SignoffError):
        return
    for one in said if isinstance(said, list) else ():
        if isinstance(one, str) and one.startswith(f"{LABEL}: "):
            yield one.removeprefix(f"{LABEL}: ")
