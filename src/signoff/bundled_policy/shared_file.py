"""What the files of a bundle may say, and how they are read.

read_shared({"settings.yaml": "pack: strict"}).pack
check_content(content)      SignoffError: a node could not use it
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.assess.profiles.profile_file import load_profile
from signoff.assess.risk.chosen import RiskSection, ThreatSection
from signoff.assess.rules.load import load_rules
from signoff.challenge.evaluators.chosen import UpTo
from signoff.challenge.terms.notation import read_challenges, read_plan
from signoff.documents.convert import FormatVersion, convert
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings
from signoff.sections import (
    Environment,
    McpSection,
    PackName,
    ProfileName,
    ProjectHosts,
    ResultPolicy,
    TrustSection,
    read_lines,
)
from signoff.storage.bundles.bundle import PROFILES, RULES, SETTINGS, BundleContent

FORM = FileForm(what="shared settings", expected="fields such as `pack: strict`", error=BadSettings)


class SharedHosts(ProjectHosts, frozen=True, kw_only=True):
    """The section `hosts` of a bundle."""

    results: ResultPolicy | None = None


class SharedLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The section `limits` of a bundle."""

    min_review_s: Annotated[float, Meta(ge=1, le=600)] = 3.0


class SharedEvaluator(msgspec.Struct, frozen=True, kw_only=True):
    """The section `evaluator` of a bundle: highest level a node's model may approve."""

    up_to: UpTo


class SharedFile(msgspec.Struct, frozen=True, kw_only=True):
    """What `settings.yaml` of a bundle may say; without `evaluator` no model approves anything."""

    version: FormatVersion = 1
    pack: PackName = PackName.BALANCED
    environment: Environment = Environment.NONE
    lines: Node | None = None
    hosts: SharedHosts = SharedHosts()
    results: ResultPolicy = ResultPolicy.LABEL
    mcp: McpSection = McpSection()
    limits: SharedLimits = SharedLimits()
    approval: Node | None = None
    evaluator: SharedEvaluator | None = None
    trust: TrustSection = TrustSection()
    profiles: Annotated[tuple[ProfileName, ...], Meta(max_length=20)] = ()
    risk: RiskSection = RiskSection()
    threat: ThreatSection = ThreatSection()


def check_content(content: BundleContent) -> None:
    """Parse every file of every release.

    Raises:
        SignoffError: one is not valid; the message says where.
    """
    for release in content.releases:
        read_shared(release.files)
        for name, text in release.files.items():
            if name == RULES:
                load_rules(text, file=name)
            elif name.startswith(PROFILES):
                load_profile(text, file=name)


def read_shared(files: Mapping[str, str]) -> SharedFile:
    """Parse the settings of a release.

    Args:
        files: texts by name.

    Raises:
        BadSettings: they are not valid.
    """
    text = files.get(SETTINGS, "")
    if not text.strip():
        return SharedFile()
    said = convert(read_yaml(text, file=SETTINGS, form=FORM), SharedFile)
    # Now, or a node would meet the mistake when it is too late to refuse the bundle.
    read_lines(said.lines)
    read_challenges(said.approval)
    if said.approval:
        read_plan(said.approval, channels=())
    return said
