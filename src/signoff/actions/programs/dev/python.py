"""Python: pip, pipx, uv, poetry, pdm, hatch, conda and managers of Python itself.

Taking a package out of an environment is ordinary; a whole environment or the package folders
that environments share are asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, local
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.packages import (
    installed,
    is_foreign,
    is_usual_source,
    package_install,
)
from signoff.actions.programs.effect_presets import (
    BUILD,
    CHANGE_PROJECT,
    CLEAR_CACHE,
    CONFIGURE_PROJECT,
    CONFIGURE_USER,
    INSPECT,
    UNINSTALL,
    UNINSTALL_FOR_USER,
)
from signoff.actions.programs.interpreters import run_standard_input

# Their values are where packages come from: another index, a folder, a list of addresses.
SOURCES = (
    "-i --index-url --extra-index-url -f --find-links --index --default-index -e --editable "
    "--requirement -r --with-requirements --source"
)


# PEP 668: `--break-system-packages` writes into the system's own Python.
_INSTALL = package_install(wide="--user --system --break-system-packages", sources=SOURCES)


def pip_install(call: ProgramCall) -> Iterator[Effect]:
    """`pip install`: a host trusted without TLS weakens; `--target` is judged by its place."""
    if call.has("--trusted-host"):
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.PROTECTION,
            "--trusted-host",
            traits=(Trait.WEAKENS,),
            reach=Reach.PROJECT,
        )
    yield from _INSTALL(call)
    for word in call.values("-t", "--target", "--prefix", "--root"):
        yield call.on_file(Verb.WRITE, word)


def uv_run(call: ProgramCall) -> Iterator[Effect]:
    """`uv run x`: the program is unfolded elsewhere; packages and scripts it fetches are judged."""
    for word in call.values("--with", "-w", "--with-editable", "--index", "--index-url"):
        if is_foreign(word, call) and not is_usual_source(word):
            yield installed(call, word.text, foreign=True)
    for word in call.operands[:1]:
        if word.text.startswith(("http://", "https://")):
            yield call.opaque("runs a script from an address", Trait.REMOTE_CODE)
        elif word.text == "-":
            yield from run_standard_input(call, "python")
    yield from call.perform(BUILD)


def poetry_setting(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `poetry config key` tells; with a value or `--unset` it changes."""
    told = len(call.operands) < 2 and not call.has("--unset", "--migrate")
    local = call.has("--local")
    yield from call.perform(INSPECT if told else CONFIGURE_PROJECT if local else CONFIGURE_USER)


def environment(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `virtualenv x`: an environment is made in a folder."""
    for word in call.operands[:1]:
        made = call.on_file(Verb.WRITE, word)
        # `virtualenv ~/.venvs/x`: where people keep environments is no harm; only the making is
        # told.
        if made.reach in {Reach.PROJECT, Reach.TEMP}:
            yield made
    yield from call.perform(CHANGE_PROJECT)


def conda_remove(call: ProgramCall) -> Iterator[Effect]:
    """Effects: `conda remove x` takes a package out; with `--all` the whole environment goes."""
    if call.has("--all", "-a"):
        yield from call.perform(local(Verb.DELETE, ResourceType.NOTHING, reversible=False))
    else:
        yield from call.perform(UNINSTALL)


def conda_clean(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `--force-pkgs-dirs` also deletes what environments are linked to."""
    # conda links environments to its package folders; without them every environment breaks.
    lossy = call.has("--force-pkgs-dirs", "-f")
    yield from call.perform(UNINSTALL_FOR_USER if lossy else CLEAR_CACHE)


def conda_install(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `conda install`; into `base` it reaches all environments."""
    # conda itself lives in `base`, which all other environments stand on.
    wide = any(word.text == "base" for word in call.values("-n", "--name"))
    elsewhere = any(is_foreign(word, call) for word in call.values("-c", "--channel"))
    for word in call.operands:
        foreign = elsewhere or is_foreign(word, call)
        yield installed(call, word.text, wide=wide, foreign=foreign)
    if not call.operands:
        yield installed(call, "", wide=wide)
