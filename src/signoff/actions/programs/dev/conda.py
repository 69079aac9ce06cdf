"""Conda and its like: packages and whole environments.

Taking a package out is ordinary; a whole environment or shared package folders are asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Verb
from signoff.actions.programs.acts import Effect, local
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.packages import (
    installed,
    is_foreign,
)
from signoff.actions.programs.effect_presets import CLEAR_CACHE, UNINSTALL, UNINSTALL_FOR_USER


def conda_remove(call: ProgramCall) -> Iterator[Effect]:
    """`conda remove x` takes a package out; with `--all` the whole environment goes."""
    if call.has("--all", "-a"):
        yield from call.perform(local(Verb.DELETE, ResourceType.NOTHING, reversible=False))
    else:
        yield from call.perform(UNINSTALL)


def conda_clean(call: ProgramCall) -> Iterator[Effect]:
    """`--force-pkgs-dirs` also deletes what environments are linked to."""
    lossy = call.has("--force-pkgs-dirs", "-f")
    yield from call.perform(UNINSTALL_FOR_USER if lossy else CLEAR_CACHE)


def conda_install(call: ProgramCall) -> Iterator[Effect]:
    wide = any(word.text == "base" for word in call.values("-n", "--name"))
    elsewhere = any(is_foreign(word, call) for word in call.values("-c", "--channel"))
    for word in call.operands:
        foreign = elsewhere or is_foreign(word, call)
        yield installed(call, word.text, wide=wide, foreign=foreign)
    if not call.operands:
        yield installed(call, "", wide=wide)
