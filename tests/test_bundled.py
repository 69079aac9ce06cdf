"""A node under a bundle: its own files tighten, and never loosen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from signed_bundles import ADMIN, OTHER, RULES, bundle
from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, build_rules
from signoff.build.scoring import build_profile
from signoff.bundled_policy.own_file import KINDS, LocalKind
from signoff.frontends.fleet.bundle_pull import take
from signoff.sections import USER_KEYS, Environment, HostsAllow, PackName, ResultPolicy
from signoff.settings import Settings, load_settings
from signoff.storage.bundles.stored_bundle import FILE

SECTION = f"bundle: {{path: bundle, keys: ['{ADMIN.key.text}'], group: canary}}\n"
LOOSE = """
pack: permissive
environment: development
results: "off"
hosts: {allow: score, results: "off"}
lines: {destructive.history: allow}
limits: {min_review_s: 1}
approval: {parties: 1, tries: 20, too_fast: mark, review_s: {critical: 0}}
evaluator: {up_to: high}
trust: {enabled: true}
risk: {scorer: {fixed: 0}}
mcp: {results: "off", sampling: pass}
"""
LOOSE_RULES = """version: 1
defaults: {unmatched: allow}
rules:
  - {name: no-curl, action: allow, match: {command: {command: curl}}}
  - {name: all, action: allow}
"""


class Node:
    """A machine with settings of its own."""

    def __init__(self, folder: Path) -> None:
        self.config, self.state = folder / "config", folder / "state"
        for one in (self.config, self.state):
            one.mkdir(mode=0o700)

    @property
    def settings(self) -> Settings:
        """Its settings, read now."""
        folders = {"SIGNOFF_CONFIG_DIR": str(self.config), "SIGNOFF_STATE_DIR": str(self.state)}
        return load_settings(environment=folders)

    def says(self, text: str, *, section: str = SECTION, rules: str = "") -> Settings:
        """Write its own files."""
        (self.config / "signoff.yaml").write_text(section + text)
        if rules:
            (self.config / "rules.yaml").write_text(rules)
        return self.settings

    def takes(self, text: str) -> Settings:
        """Take a bundle."""
        source = self.settings.bundle_source
        assert source is not None
        take(self.settings, source, text)
        return self.settings


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """Return a node that waits for its first bundle."""
    found = Node(tmp_path)
    found.says("")
    return found


def verdict(settings: Settings, command: str) -> Verdict:
    """Judge a command by these settings."""
    action = Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/project")
    return build_judge(settings)(action, Facts(home="/home/dev")).preliminary


def test_every_section_of_a_nodes_file_is_of_a_kind() -> None:
    """A new section cannot loosen a bundle because nobody thought of it."""
    assert set(USER_KEYS) == set(KINDS)


def test_nothing_of_a_loose_file_holds(node: Node) -> None:
    """Pack, lines, levels, proofs, model, trust, scorer, results: the bundle's stay."""
    node.takes(bundle(1, {"settings.yaml": "hosts: {allow: rule}\n", "rules.yaml": RULES}))
    plain = node.says("")
    loose = node.says(LOOSE, rules=LOOSE_RULES)
    calls = ["curl https://a.example", "git push --force", "rm -rf ~", "touch a", "frob --all"]

    assert [verdict(plain, one) for one in calls] == [verdict(loose, one) for one in calls]
    assert Verdict.DENY is verdict(loose, "curl https://a.example")
    assert (PackName.BALANCED, Environment.NONE) == (loose.pack, loose.environment)
    assert {ResultPolicy.LABEL} == {loose.results, loose.host_results, loose.mcp.results}
    assert (HostsAllow.RULE, "refuse") == (loose.hosts_allow, loose.mcp.sampling.value)
    assert (3.0, 2, 3) == (loose.limits.min_review_s, loose.approval.parties, loose.approval.tries)
    assert ("refuse", 30.0) == (loose.approval.too_fast, loose.approval.review_s[Level.CRITICAL])
    assert (False, False) == (loose.model_approves, loose.uses_trust)
    assert loose.scoring.is_default


def test_the_same_files_do_loosen_without_a_bundle(node: Node) -> None:
    """Positive control: the loose files are ones that loosen."""
    loose = node.says(LOOSE, section="", rules=LOOSE_RULES)

    assert Verdict.ALLOW is verdict(loose, "curl https://a.example")
    assert Verdict.ALLOW is verdict(loose, "git push --force")
    assert (PackName.PERMISSIVE, 1, True) == (loose.pack, loose.approval.parties, loose.uses_trust)


def test_a_stricter_file_holds(node: Node) -> None:
    """A node may be more careful than the policy of all."""
    node.takes(bundle(1, {"settings.yaml": "pack: permissive\n"}))
    plain = node.says("")
    before = verdict(plain, "ls")
    said = """
pack: strict
lines: {destructive.history: deny}
approval: {parties: 3, challenges: {levels: {high: multi-party}}}
results: block
"""
    rules = "version: 1\nrules:\n  - {name: ls, action: deny, match: {command: {command: ls}}}\n"
    strict = node.says(said, rules=rules)

    assert (PackName.PERMISSIVE, PackName.STRICT) == (plain.pack, strict.pack)
    assert (Verdict.ALLOW, Verdict.DENY) == (before, verdict(strict, "ls"))
    assert Verdict.DENY is verdict(strict, "git push --force origin main")
    assert (3, ResultPolicy.BLOCK) == (strict.approval.parties, strict.results)
    assert Challenge.MULTI_PARTY is strict.local_challenges.levels[Level.HIGH]


def test_a_bundles_model_and_trust_hold_unless_the_node_says_less(node: Node) -> None:
    """The model of a node approves up to the lower of both levels."""
    node.takes(bundle(1, {"settings.yaml": "evaluator: {up_to: medium}\ntrust: {enabled: true}\n"}))
    found = node.says("evaluator: {up_to: high}\n")
    less = node.says("evaluator: {up_to: low}\ntrust: {enabled: false}\n")

    assert found.evaluator is not None
    assert less.evaluator is not None
    assert ("medium", "low") == (found.evaluator.up_to.value, less.evaluator.up_to.value)
    assert (True, True, False) == (found.model_approves, found.uses_trust, less.uses_trust)


def test_profiles_of_a_node_are_joined_to_the_bundles(node: Node) -> None:
    """A file of the same name does not replace the bundle's; nothing becomes always safe."""
    name = "profiles/pay.yaml"
    files = {"settings.yaml": "profiles: [pay]\n", name: "name: pay\nfloor: 0.5\n"}
    node.takes(bundle(1, files))
    own = node.config / "profiles"
    own.mkdir()
    (own / "pay.yaml").write_text("name: pay\nalways_safe: ['*']\n")
    found = build_profile(node.says("profiles: [pay]\n"))
    node.takes(bundle(2, {}))
    alone = build_profile(node.settings)

    assert (0.5, ()) == (found.floor, found.always_safe)
    assert () == alone.always_safe


def test_before_the_first_bundle_the_strict_pack_holds(node: Node) -> None:
    """An unreachable server must not mean that a node judges as it likes."""
    settings = node.says(LOOSE, rules=LOOSE_RULES)

    assert settings.bundle is not None
    assert (0, PackName.STRICT) == (settings.bundle.version, settings.pack)
    assert "no bundle has come yet" in settings.bundle.problem
    assert Verdict.DENY is verdict(settings, "git push --force origin main")


def test_a_removed_section_or_other_keys_end_nothing(node: Node) -> None:
    """What an agent could write into `signoff.yaml` gets it nowhere; it is said loudly."""
    node.takes(bundle(3))
    other = SECTION.replace(ADMIN.key.text, OTHER.key.text)
    gone, swapped = (node.says(LOOSE, section=section) for section in ("", other))

    assert [3, 3] == [one.bundle.version for one in (gone, swapped) if one.bundle]
    assert gone.bundle is not None
    assert "no section `bundle` any more" in gone.bundle.problem
    assert swapped.bundle is not None
    assert "are passed over" in swapped.bundle.problem
    assert {PackName.STRICT} == {gone.pack, swapped.pack}


def test_a_damaged_file_in_the_state_folder_means_the_strict_pack(node: Node) -> None:
    """Not the node's own files."""
    node.takes(bundle(3, {"settings.yaml": "pack: permissive\n"}))
    kept = node.state / FILE
    kept.write_text(kept.read_text().replace("permissive", "balanced"))
    settings = node.says(LOOSE)

    assert settings.bundle is not None
    assert (0, PackName.STRICT) == (settings.bundle.version, settings.pack)
    assert "digest differs" in settings.bundle.problem


def test_a_bundle_that_has_expired_stays_in_force_and_is_told(node: Node) -> None:
    """Whoever holds newer ones back must not be able to take the policy away."""
    strict = {"settings.yaml": "pack: strict\n"}
    soon, over = (datetime.now(UTC) + timedelta(days=days) for days in (1, -1))
    good = node.takes(bundle(1, strict, expires=soon)).bundle
    settings = node.takes(bundle(2, strict, expires=over))

    assert good is not None
    assert settings.bundle is not None
    assert ("", PackName.STRICT) == (good.problem, settings.pack)
    assert f"version 2 expired on {over:%Y-%m-%d} and stays in force" == settings.bundle.problem


def test_differences_are_shown(node: Node) -> None:
    """By section, and by rule where one is left out."""
    node.takes(bundle(3))
    settings = node.says(LOOSE, rules=LOOSE_RULES)
    notes = build_rules(settings).current().notes

    assert settings.bundle is not None
    assert "pack: in force where it is stricter" in settings.bundle.differences
    assert "risk: not in force" in settings.bundle.differences
    assert any("allow rule `all` is left out" in note for note in notes)
    assert [LocalKind.MACHINE] == sorted({KINDS[name] for name in ("store", "server", "bundle")})
