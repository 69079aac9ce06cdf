"""Conda and its like: packages and whole environments.

Taking a package out is ordinary; a whole environment or shared package folders are asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Thing, Verb
from signoff.actions.programs.acts import Effect, local
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    CACHE_GONE,
    CHANGES_PROJECT,
    LOOK,
    SETS_GLOBAL,
    SETS_PROJECT,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.packages import (
    installed,
    is_foreign,
)
from signoff.actions.programs.program import Program, program, sub


def _conda_remove(call: Call) -> Iterator[Effect]:
    """`conda remove x` takes a package out; with `--all` the whole environment goes."""
    if call.has("--all", "-a"):
        yield from call.perform(local(Verb.DELETE, Thing.NOTHING, reversible=False))
    else:
        yield from call.perform(TAKEN_OUT)


def _conda_clean(call: Call) -> Iterator[Effect]:
    """`--force-pkgs-dirs` also deletes what environments are linked to."""
    lossy = call.has("--force-pkgs-dirs", "-f")
    yield from call.perform(TAKEN_FROM_USER if lossy else CACHE_GONE)


def _conda_install(call: Call) -> Iterator[Effect]:
    wide = any(word.text == "base" for word in call.values("-n", "--name"))
    for word in call.operands:
        yield installed(call, word.text, wide=wide, foreign=is_foreign(word, call))
    if not call.operands:
        yield installed(call, "", wide=wide)


CONDA_VALUES = "-n --name -p --prefix -c --channel -f --file --solver --format --clone"
CONDA = program(
    "conda mamba micromamba",
    values="--rc-file -r --root-prefix",
    subs={
        "install update upgrade create": sub(
            handler=_conda_install, values=CONDA_VALUES, harmless="-d --dry-run -h"
        ),
        "remove uninstall": sub(
            handler=_conda_remove, values=CONDA_VALUES, harmless="-d --dry-run -h"
        ),
        "clean": sub(handler=_conda_clean, values=CONDA_VALUES, harmless="-d --dry-run -h"),
        "env": sub(
            LOOK,
            subs={
                "create update": sub(ADDED, values=CONDA_VALUES, harmless="-d --dry-run"),
                "remove": sub(
                    local(Verb.DELETE, Thing.NOTHING, reversible=False),
                    values=CONDA_VALUES,
                    harmless="-d --dry-run",
                ),
                "config": SETS_PROJECT,
                "export list": LOOK,
            },
        ),
        "config": sub(
            SETS_GLOBAL,
            acting={"--show --show-sources --get --describe --validate --write-default": LOOK},
            subs={"list get sources describe": LOOK},
        ),
        "init shell-init": sub(SETS_GLOBAL, harmless="-d --dry-run"),
        "self-update": ADDED_FOR_USER,
        "list info search repoquery activate deactivate shell compare doctor notices package "
        "export auth run render inspect": LOOK,
        "build skeleton develop convert debug": BUILD,
        "rename": CHANGES_PROJECT,
    },
    harmless="-V -h",
)

PROGRAMS: tuple[Program, ...] = (CONDA,)
