"""brew, nix, asdf and mise: what reaches beyond one project."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
brew list
brew info jq
brew outdated
brew search ripgrep
brew cleanup --prune=all wget
brew services list
brew tap --quiet
nix build
nix flake check
nix develop
nix run nixpkgs#hello
nix search nixpkgs jq
nix-env -q
asdf list
asdf local nodejs 22.0.0
mise ls
mise use node@22
mise run build
"""
ASKED = """\
brew install jq
brew upgrade
brew cask install firefox
brew uninstall jq
brew services stop postgresql
brew tap a/b
nix profile install nixpkgs#jq
nix-env -e jq
nix run github:a/b
nix-collect-garbage -d
nixos-rebuild switch
home-manager switch
asdf install nodejs 22.0.0
asdf plugin add x https://forge.example/a/b
asdf global nodejs 22.0.0
mise use -g node@22
mise install
mise settings set experimental true
"""
DOES = {
    "brew install jq": "install package home",
    "brew services stop postgresql": "control service system",
    "mise use node@22": "install package project",
}


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_work_passes(line: str, verdict: Callable[[str], str]) -> None:
    """Reading, building and changing the project need no question."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED.splitlines())
def test_consequential_work_is_asked_about(line: str, verdict: Callable[[str], str]) -> None:
    """What reaches beyond the project or loses something is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize(("line", "effect"), DOES.items())
def test_effect_is_told(line: str, effect: str, effects: Callable[[str], set[str]]) -> None:
    """A line means its verb, its thing and its reach."""
    assert effect in effects(line)
