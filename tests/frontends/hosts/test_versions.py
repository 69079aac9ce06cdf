"""Versions of hosts: what a program says it is, and what came before what."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.frontends.hosts.installing.versions import older_than, read_version, version_of

TRIED = (0, 169, 0)


@pytest.mark.parametrize(
    ("word", "is_before"),
    [
        ("0.168.9", True),
        ("0.169.0-rc.1", True),
        ("v0.169.0-alpha", True),
        ("0.169.0b2", True),
        ("0.169.0.dev3", True),
        ("0.169.0", False),
        ("0.169", False),
        ("(0.169.0)", False),
        ("0.170.0-alpha.3", False),
        ("0.169.0+build.7", False),
        ("0.169.0-20300102.ab12", False),
        ("2030.01.02-8f3a2b1,", False),
    ],
)
def test_a_prerelease_comes_before_its_release(word: str, is_before: bool) -> None:  # noqa: FBT001 - a value of a case
    """And after every earlier release; a build is the version it was built of."""
    found = read_version(word)

    assert found is not None
    assert is_before == found.is_before(TRIED)
    assert is_before == bool(older_than("Codex", found, TRIED, "update it"))


@pytest.mark.parametrize("word", ["", "codex", "2030", "1.x", "a1.2.3", "1.2.3/4", "9" * 5_000])
def test_other_words_are_no_version(word: str) -> None:
    """A year or a path tells none."""
    assert None is read_version(word)


def test_a_program_is_asked(tmp_path: Path) -> None:
    """The first word that is a version counts; a program that is not there has none."""
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho 'codex-cli 0.170.0-alpha.3 (2030)'\n", encoding="utf-8")
    program.chmod(0o755)

    assert "0.170.0-alpha.3" == str(version_of(str(program)))
    assert None is version_of(str(tmp_path / "nothing"))
