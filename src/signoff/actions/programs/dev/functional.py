"""Elixir, Erlang, Haskell, OCaml, Elm, R, Julia, Lua and Perl: their package and build tools."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested, reads, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_ACCESS,
    FAR_GONE,
    INERT,
    LOGS_IN,
    LOOK,
    RELEASE,
    SERVES,
    SETS_GLOBAL,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.dev.ruby import database_loss
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.program import Program, program, sub

MIX_LOSING = ("ecto.drop", "ecto.reset", "ecto.rollback", "ash.reset", "ash_postgres.drop")
MIX_ACTS = {
    "hex.publish": RELEASE,
    "hex.retire": FAR_GONE,
    "hex.user": LOGS_IN,
    "hex.organization": FAR_ACCESS,
    "hex.owner": FAR_ACCESS,
    "hex.repo": SETS_GLOBAL,
    "hex.config": SETS_GLOBAL,
    "deps.get": ADDED,
    "deps.update": ADDED,
    "deps.clean": BUILT_GONE,
    "deps.unlock": CHANGES_PROJECT,
    "clean": BUILT_GONE,
    "phx.new": CHANGES_PROJECT,
    "phx.server": SERVES,
    "new": CHANGES_PROJECT,
    "local.hex": ADDED_FOR_USER,
    "local.rebar": ADDED_FOR_USER,
    "local.phx": ADDED_FOR_USER,
    "archive.install": ADDED_FOR_USER,
    "archive.uninstall": TAKEN_FROM_USER,
    "escript.install": ADDED_FOR_USER,
    "escript.uninstall": TAKEN_FROM_USER,
    "help": LOOK,
}


def _build(call: Call) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def _mix(call: Call) -> Iterator[Effect]:
    """`mix task args`."""
    name = call.texts[0] if call.operands else "run"
    if name in MIX_LOSING:
        production = any(n == "MIX_ENV" and w.text == "prod" for n, w in call.command.assignments)
        yield database_loss(call, f"mix {name}", environment="prod" if production else "")
    elif name in {"archive.install", "escript.install"}:
        yield from package_install(always_wide=True)(call)
    elif name in MIX_ACTS:
        yield from call.perform(MIX_ACTS[name])
    elif name in {"run", "eval"}:
        for code in call.values("-e", "--eval"):
            yield Nested(text=code.text, language="elixir", carrier="mix run -e")
        yield from call.perform(BUILD)
    elif "." in name:
        yield from call.perform(BUILD)
    else:
        yield from task_effects(call, [name])


HASKELL_VALUES = "--resolver --package -w --with-compiler --project-file --stack-yaml -f --flags"
ELIXIR = (
    program("mix", values="-e --eval -r --only --repo", handler=_mix, harmless="-h"),
    program("elixirc erlc dialyzer", BUILD, values="-o", writes="-o"),
    program(
        "rebar3 rebar gleam",
        subs={
            "compile eunit ct shell release tar dialyzer xref edoc as do check escriptize build "
            "test run docs lsp fix": BUILD,
            "clean": BUILT_GONE,
            "deps get-deps add deps update upgrade unlock lock": ADDED,
            "remove": TAKEN_OUT,
            "hex publish retire": RELEASE,
            "plugins local": ADDED_FOR_USER,
            "new": CHANGES_PROJECT,
            "tree help version path export": LOOK,
            "format": sub(writes(), harmless="--check"),
        },
    ),
    program(
        "kerl kiex",
        subs={
            "build install deploy update": ADDED_FOR_USER,
            "delete cleanup uninstall": TAKEN_FROM_USER,
            "list status active plt version path emit-activate prompt": LOOK,
        },
    ),
    program("kerl_deactivate", INERT),
)
HASKELL = (
    program(
        "cabal",
        values=HASKELL_VALUES,
        subs={
            "install": sub(ADDED_FOR_USER, harmless="--dry-run"),
            "build test bench run repl exec haddock check configure sdist gen-bounds "
            "v2-build": BUILD,
            "clean": BUILT_GONE,
            "update fetch get unpack freeze outdated": ADDED,
            "init format user-config": CHANGES_PROJECT,
            "upload report": RELEASE,
            "list info list-bin path help target": LOOK,
        },
    ),
    program(
        "stack",
        values=HASKELL_VALUES,
        subs={
            "install upgrade setup": ADDED_FOR_USER,
            "build test bench run exec ghci repl eval haddock hpc ghc runghc runhaskell "
            "script": BUILD,
            "clean purge": BUILT_GONE,
            "update unpack": ADDED,
            "new init sdist": CHANGES_PROJECT,
            "config": SETS_GLOBAL,
            "upload": RELEASE,
            "ls path list query dot ide templates uninstall help": LOOK,
        },
    ),
    program(
        "ghcup",
        subs={
            "install set upgrade compile unset change-channel config": ADDED_FOR_USER,
            "rm nuke gc": TAKEN_FROM_USER,
            "list whereis debug-info changelog tui prefetch test check-upgrade": LOOK,
            "run": BUILD,
        },
        handler=lambda call: call.perform(LOOK),
    ),
    program(
        "ghc ghcid",
        BUILD,
        values="-e -package -i -c --command -T --test",
        writes="-o",
    ),
    program(
        "hlint ormolu fourmolu stylish-haskell brittany hindent",
        reads(),
        acting={"-i --inplace --mode": writes()},
    ),
    program("hakyll-init", CHANGES_PROJECT),
)
OCAML = (
    program(
        "opam",
        subs={
            "install upgrade update reinstall pin depext": sub(
                handler=package_install(), harmless="--dry-run --show-actions -h"
            ),
            "remove uninstall autoremove": sub(TAKEN_OUT, harmless="--dry-run --show-actions"),
            "switch": sub(
                CHANGES_PROJECT,
                subs={
                    "remove": TAKEN_FROM_USER,
                    "create install import": ADDED_FOR_USER,
                    "list show": LOOK,
                },
            ),
            "init option var": SETS_GLOBAL,
            "repository remote repo": sub(SETS_GLOBAL, subs={"list": LOOK}),
            "publish": RELEASE,
            "clean": CACHE_GONE,
            "list search show info env config exec lint source tree help": LOOK,
        },
    ),
    program(
        "dune",
        subs={
            "build test runtest exec utop fmt format promote install-local describe coq "
            "ocaml": BUILD,
            "clean": BUILT_GONE,
            "install uninstall": ADDED_FOR_USER,
            "init subst pkg": CHANGES_PROJECT,
            "top help rules external-lib-deps": LOOK,
        },
        handler=_build,
    ),
    program("ocamlc ocamlopt ocamlfind ocamlformat", BUILD, values="-I -e", writes="-o"),
    program("esy", subs={"install add": ADDED, "remove": TAKEN_OUT}, handler=_build),
)
OTHERS = (
    program(
        "elm elm-test elm-format elm-review purs spago",
        subs={
            "make test reactor repl build run bundle": sub(
                BUILD, values="--output", writes="--output"
            ),
            "install": ADDED,
            "init": CHANGES_PROJECT,
            "publish bump": RELEASE,
            "diff": LOOK,
        },
        handler=_build,
    ),
    program(
        "luarocks haxelib shards raco roswell quicklisp dub",
        subs={
            "install update upgrade": sub(
                handler=package_install(sources="--server --only-server"),
                values="--server --only-server --tree -D",
            ),
            "git dev hg": ADDED_FOR_USER,
            "remove purge uninstall": TAKEN_OUT,
            "upload submit publish register": RELEASE,
            "build make test run pack init new-version setup exe fmt": BUILD,
            "config set": SETS_GLOBAL,
            "list search show info doc path which help home download": LOOK,
        },
        handler=_build,
    ),
    program("luac luacheck stylua", BUILD, writes="-o"),
    program(
        "cpan cpanm cpm carton",
        handler=package_install(always_wide=True),
        acting={"-l -D -a -O": LOOK},
        harmless="-h -v -V",
    ),
    program(
        "perlbrew plenv",
        subs={
            "install install-cpanm install-patchperl self-upgrade upgrade-perl "
            "lib-create": ADDED_FOR_USER,
            "uninstall lib-delete clean": TAKEN_FROM_USER,
            "init switch alias symlink-executables": SETS_GLOBAL,
            "list available info use off env exec lib help version": LOOK,
        },
        handler=lambda call: call.perform(LOOK),
    ),
    program("perldoc perlcritic podchecker pod2man pod2html prove", BUILD, writes="-o"),
    program(
        "juliaup",
        subs={
            "add update up default": ADDED_FOR_USER,
            "remove rm": TAKEN_FROM_USER,
            "status list": LOOK,
        },
    ),
)
PROGRAMS: tuple[Program, ...] = (*ELIXIR, *HASKELL, *OCAML, *OTHERS)
