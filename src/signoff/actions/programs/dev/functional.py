"""Elixir, Erlang, Haskell, OCaml, Elm, R, Julia, Lua and Perl: their package and build tools."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.dev.ruby import database_loss
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.effect_presets import (
    BUILD,
    CHANGE_PROJECT,
    CLEAR_OUTPUT,
    CONFIGURE_REMOTE_ACCESS,
    CONFIGURE_USER,
    CONTROL_PROCESS,
    DELETE_REMOTE,
    INSPECT,
    INSTALL,
    INSTALL_FOR_USER,
    LOG_IN,
    PUBLISH_PACKAGE,
    UNINSTALL_FOR_USER,
)
from signoff.actions.programs.interpreters import interpreter

MIX_LOSING = ("ecto.drop", "ecto.reset", "ecto.rollback", "ash.reset", "ash_postgres.drop")
MIX_ACTS = {
    "hex.publish": PUBLISH_PACKAGE,
    "hex.retire": DELETE_REMOTE,
    "hex.user": LOG_IN,
    "hex.organization": CONFIGURE_REMOTE_ACCESS,
    "hex.owner": CONFIGURE_REMOTE_ACCESS,
    "hex.repo": CONFIGURE_USER,
    "hex.config": CONFIGURE_USER,
    "deps.get": INSTALL,
    "deps.update": INSTALL,
    "deps.clean": CLEAR_OUTPUT,
    "deps.unlock": CHANGE_PROJECT,
    "clean": CLEAR_OUTPUT,
    "phx.new": CHANGE_PROJECT,
    "phx.server": CONTROL_PROCESS,
    "new": CHANGE_PROJECT,
    "local.hex": INSTALL_FOR_USER,
    "local.rebar": INSTALL_FOR_USER,
    "local.phx": INSTALL_FOR_USER,
    "archive.install": INSTALL_FOR_USER,
    "archive.uninstall": UNINSTALL_FOR_USER,
    "escript.install": INSTALL_FOR_USER,
    "escript.uninstall": UNINSTALL_FOR_USER,
    "help": INSPECT,
}


_RUN_CLOJURE = interpreter("clojure", "-e", "--eval", module="-m")
_BY_ADDRESS = ("git/", "git.", ":git", "://", ":local/root", ":mvn/repos", ":paths")


def clojure(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `clojure -M:test -m a.runner`: a namespace of the project is run.

    `-Sdeps` adds dependencies: of the usual registry, or code from wherever it says.
    """
    for given in call.values("-Sdeps"):
        is_usual = given.is_known and not any(mark in given.text for mark in _BY_ADDRESS)
        traits = () if is_usual else (Trait.UNTRUSTED_SOURCE,)
        yield call.operation(
            Verb.INSTALL, ResourceType.PACKAGE, given.text, traits=traits, reach=Reach.PROJECT
        )
    yield from _RUN_CLOJURE(call)


def perl_install(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cpanm -L local`: into a folder of the project, else for the user."""
    folders = call.values("-L", "--local-lib-contained", "-l", "--local-lib")
    # A relative folder lies in the project; `~/perl5` is shared by all of the user's work.
    is_near = any([word.is_known and word.text[:1] not in {"/", "~"} for word in folders])
    yield from package_install(always_wide=not is_near)(call)


def mix(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mix task args`."""
    name = call.texts[0] if call.operands else "run"
    if name in MIX_LOSING:
        # `MIX_ENV=test mix ecto.reset` is how tests start afresh.
        given = [w.text for n, w in call.command.assignments if n == "MIX_ENV"]
        yield database_loss(call, f"mix {name}", environment=next(iter(given), ""))
    elif name in {"archive.install", "escript.install"}:
        yield from package_install(always_wide=True)(call)
    elif name in MIX_ACTS:
        yield from call.perform(MIX_ACTS[name])
    elif name in {"run", "eval"}:
        for code in call.values("-e", "--eval"):
            yield Nested(text=code.text, language="elixir", carrier="mix run -e")
        yield from call.perform(BUILD)
    elif "." in name:
        # Dotted names are tasks of libraries (`phx.routes`); bare ones are aliases of the
        # project.
        yield from call.perform(BUILD)
    else:
        yield from task_effects(call, [name])
