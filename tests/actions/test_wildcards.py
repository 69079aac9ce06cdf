"""Tests of what globs name: a protected file only where their literal part does."""

from __future__ import annotations

import pytest

from signoff.actions.known.wildcards import (
    covers_repository,
    dotted,
    lead_of,
    names_matching,
)
from signoff.actions.operation import FileKind
from signoff.actions.paths import locate
from signoff.actions.place import Place

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")
GUARDED = {FileKind.GUARD, FileKind.AGENT_CONFIG, FileKind.CREDENTIALS, FileKind.GIT_HOOK}


@pytest.mark.parametrize(
    "glob",
    ["*.yml", "*.yaml", "**/*.{yml,yaml}", "*.json", "*.js", "*.config.js", "*config*", "*.log",
     "*settings*.json", "log*", "s*", "c*.json", "*.db", "auth*", "*key*", ".*ignore", "*env*",
     ".github/*.yml", "bin/s*", "?*", "[a-z]*.toml"],
)  # fmt: skip
def test_a_shared_ending_or_word_names_nothing(glob: str) -> None:
    """Letters that ordinary names have as well single out no protected file."""
    assert locate(glob, PLACE).kind not in GUARDED


@pytest.mark.parametrize(
    ("glob", "kind"),
    [
        (".signoff*", FileKind.GUARD),
        ("sign*.yml", FileKind.GUARD),
        ("~/.config/sign*", FileKind.GUARD),
        ("~/.config/s*/approver.key", FileKind.GUARD),
        (".en*", FileKind.ENV),
        ("{.env,x}*", FileKind.ENV),
        ("*id_rsa*", FileKind.CREDENTIALS),
        ("*rsa*", FileKind.CREDENTIALS),
        ("cred*", FileKind.CREDENTIALS),
        ("~/.a*/cred*", FileKind.CREDENTIALS),
        ("~/.??*/id_*", FileKind.CREDENTIALS),
        ("~/.config/gh/h*", FileKind.CREDENTIALS),
        ("~/.ssh/auth*", FileKind.AUTHORIZED_KEYS),
        ("/e*c/s?adow", FileKind.ACCOUNTS),
        ("/v*/log/x", FileKind.AUDIT_LOG),
        (".claude/s*.json", FileKind.AGENT_CONFIG),
        (".claude/*.json", FileKind.AGENT_CONFIG),
        (".git/ho*", FileKind.GIT_HOOK),
        (".git/*", FileKind.GIT_INTERNAL),
        (".git/*.lock", FileKind.GENERATED),
    ],
)
def test_a_literal_part_names_a_protected_file(glob: str, kind: FileKind) -> None:
    """The folder before a glob, or enough of the name's own letters, single a file out."""
    located = locate(glob, PLACE)

    assert kind in {located.kind, located.read_kind}


def test_a_leading_star_covers_no_dotfile() -> None:
    """As in bash; tools that see dotfiles ask for `dotted`."""
    assert not any(name.startswith(".") for name in names_matching("*env*", ""))
    assert (".*env*",) == dotted("*env*")
    assert ".env" in dotted("*.env")
    assert () == dotted("*.yml")
    assert () == dotted("env*")


def test_only_literal_folders_lead() -> None:
    """A glob before the last component leads nowhere."""
    assert lead_of(("home", "dev", ".claude", "s*"), 3) == ".claude"
    assert not lead_of(("home", "dev", ".c*", "s*"), 3)
    assert lead_of(("etc", "s*"), 1) == "/etc"


@pytest.mark.parametrize(
    ("glob", "covers"),
    [(".g*", True), (".*", True), (".[!.]*/", True), ("*", False), (".e*", False)],
)
def test_a_hidden_glob_may_cover_the_repository(glob: str, covers: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """`rm -rf .*` takes the history along."""
    assert covers is covers_repository(glob)


def test_a_long_glob_is_not_tried() -> None:
    """What is matched has a limit."""
    assert () == names_matching("*" + "a" * 100, "")
