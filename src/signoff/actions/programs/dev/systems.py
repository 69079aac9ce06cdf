"""Installers and version managers that reach beyond one project: brew, nix, asdf, mise and more."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.packages import installed, is_foreign
from signoff.actions.programs.effect_presets import BUILD, INSPECT


def tap(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `brew tap` alone lists; with a name it adds another source of formulae."""
    for word in call.operands[:1]:
        # `brew tap NAME URL`: without the URL the source is a repository on GitHub.
        yield installed(call, word.text, wide=True, foreign=len(call.operands) > 1)
    if not call.operands:
        yield from call.perform(INSPECT)


def nix_run(call: ProgramCall) -> Iterator[Effect]:
    """`nix run flake`: the project's own flake and nixpkgs pass, other flakes are foreign code."""
    given = [word.text for word in call.command.words]
    end = next((at for at, text in enumerate(given) if text in {"-c", "--command"}), len(given))
    for word in call.operands[:1]:
        # Behind `--command` stands the program, not a flake.
        if word not in call.command.words[:end]:
            break
        own = word.text.startswith((".", "nixpkgs#", "nixpkgs/")) or word.text[:1] == "#"
        if not own:
            yield installed(call, word.text, foreign=True)
    yield from call.perform(BUILD)


def plugin(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `asdf plugin add name url`: code from that repository runs at every install."""
    foreign = any(is_foreign(word, call) for word in call.operands[1:])
    yield installed(call, " ".join(call.texts), wide=True, foreign=foreign)
