"""Build tools and task runners: make, cmake, ninja, meson, bazel, just, gulp, nx and their like.

What the project's own build file says is ordinary work, by the names of its targets. Options that
bring other build text, another shell or another script along are taken apart or are opaque.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import Call, rejoin
from signoff.actions.programs.dev.deeds import (
    ADDED,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    LOGS_IN,
    LOOK,
    RELEASE,
    SERVES,
    SETS_PROJECT,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.dev.tasks import runs_tasks, task_effects
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.shell.command import Word

PLAIN_SHELLS = words("sh bash zsh dash ksh cmd powershell pwsh")
RUN_VARIABLES = words("SHELL MAKE CC CXX LD AR RM INSTALL MAKEFLAGS PYTHON NODE")
PLACES = ("DESTDIR=", "PREFIX=", "prefix=")


def _make(call: Call) -> Iterator[Effect]:
    """`make target VAR=x`: targets by their names, variables that name programs, other text."""
    if call.has("--eval", "-E"):
        yield call.opaque("build text given on the command line")
    for word in call.values("-f", "--file", "--makefile"):
        if word.text == "-":
            yield call.opaque("build text from standard input")
        else:
            yield call.on_file(Verb.EXECUTE, word)
    for text in call.texts:
        yield from _variable(call, *text.partition("=")[::2])
    inside = [text.partition("=")[2] for text in call.texts if text.startswith(PLACES)]
    for place in inside:
        yield call.on_file(Verb.WRITE, Word(text=place))
    targets = [text for text in call.texts if "=" not in text]
    yield from task_effects(call, targets, installs=not inside)
    yield from call.perform(BUILD)


def _variable(call: Call, name: str, value: str) -> Iterator[Effect]:
    first = value.split(" ", 1)[0].rsplit("/", 1)[-1]
    if name in {"SHELL", ".SHELLFLAGS"} and first not in PLAIN_SHELLS:
        yield call.opaque(f"every line of the build runs through {value[:40]}")
    elif name in RUN_VARIABLES and value and (";" in value or "$(" in value or " " in value):
        yield Nested(text=value, language="shell", carrier=f"make {name}=")


CMAKE_TOOLS = {
    "rm": "rm",
    "remove": "rm",
    "remove_directory": "rm -r",
    "copy": "cp",
    "copy_directory": "cp -r",
    "copy_if_different": "cp",
    "rename": "mv",
    "make_directory": "mkdir -p",
    "touch": "touch",
    "cat": "cat",
    "tar": "tar",
    "env": "env",
    "time": "time",
    "create_symlink": "ln -s",
}


def _cmake(call: Call) -> Iterator[Effect]:
    """`cmake` in its ways: configure, `--build`, `--install`, `-P script`, `-E tool`."""
    texts = [w.text for w in call.command.words[1:]]
    if "-E" in texts:
        yield from _cmake_tool(call, call.command.words[texts.index("-E") + 2 :])
        return
    script = call.value("-P")
    if script is not None:
        yield call.on_file(Verb.EXECUTE, script)
    elif call.has("--install"):
        yield from _installed(call, call.value("--prefix"))
    elif call.has("--build"):
        yield from task_effects(
            call, (w.text for w in call.values("-t", "--target")), installs=True
        )
        yield from call.perform(BUILD)
    else:
        for word in call.values("-B"):
            yield call.on_file(Verb.WRITE, word)
        yield from call.perform(BUILD)


def _cmake_tool(call: Call, rest: tuple[Word, ...]) -> Iterator[Effect]:
    texts = [w.text for w in call.command.words]
    tool = texts[texts.index("-E") + 1] if texts[-1] != "-E" else ""
    if tool == "chdir":
        yield Nested(text=rejoin(rest[1:]), language="shell", carrier="cmake -E")
    elif tool in CMAKE_TOOLS:
        line = f"{CMAKE_TOOLS[tool]} {rejoin(rest)}"
        yield Nested(text=line, language="shell", carrier="cmake -E")
    else:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _installed(call: Call, place: Word | None) -> Iterator[Effect]:
    """Put what was built where it belongs: below a place given, else on the machine."""
    if place is not None:
        yield call.on_file(Verb.WRITE, place)
        return
    yield call.operation(
        Verb.INSTALL, Thing.PACKAGE, "what was built", traits=(Trait.GLOBAL,), reach=Reach.SYSTEM
    )


def _meson_install(call: Call) -> Iterator[Effect]:
    yield from _installed(call, call.value("--destdir"))


def _build(call: Call) -> Iterator[Effect]:
    yield from call.perform(BUILD)


def _just(call: Call) -> Iterator[Effect]:
    """`just recipe args`: only the first word is sure to be a recipe."""
    if call.has("-l", "--list", "--summary", "--dump", "--show", "-s", "--evaluate", "--variables"):
        yield from call.perform(LOOK)
        return
    if call.has("-c", "--command"):
        given = call.command.words
        start = next(i for i, w in enumerate(given) if w.text.startswith(("-c", "--command")))
        yield Nested(text=rejoin(given[start + 1 :]), language="shell", carrier="just --command")
        return
    shell = call.value("--shell")
    if shell is not None and shell.text.rsplit("/", 1)[-1] not in PLAIN_SHELLS:
        yield call.opaque("every recipe runs through a program given here")
    names = [t for t in call.texts if "=" not in t]
    yield from task_effects(call, names[:1] or ("",))


def _ninja(call: Call) -> Iterator[Effect]:
    tool = call.value("-t")
    if tool is not None:
        yield from call.perform(BUILT_GONE if "clean" in tool.text else LOOK)
        return
    yield from task_effects(call, call.texts, installs=True)
    yield from call.perform(BUILD)


def _targets(call: Call) -> Iterator[Effect]:
    """`nx run app:deploy`, `nx run-many -t build`: the target is behind the colon or `-t`."""
    named = [t.rsplit(":", 1)[-1] for t in call.texts[:1]]
    named += [
        part for w in call.values("-t", "--target", "--targets") for part in w.text.split(",")
    ]
    yield from task_effects(call, named or ("",))


def _bundled(call: Call) -> Iterator[Effect]:
    """A bundler or compiler: builds, or serves, in the project."""
    for word in call.operands[:1]:
        if word.text.endswith((".ts", ".tsx", ".mts")) and call.name in {"ts-node", "tsx"}:
            yield call.on_file(Verb.EXECUTE, word)
    for code in call.values("-e", "--eval"):
        yield Nested(text=code.text, language="javascript", carrier=f"{call.name} -e")
    yield from call.perform(SERVES if "dev" in call.texts or "serve" in call.texts else BUILD)


def _hooks(call: Call) -> Iterator[Effect]:
    """`pre-commit install`: the project's own checks run at every commit."""
    yield call.operation(Verb.WRITE, Thing.SETTING, "git hooks", reach=Reach.PROJECT)


RUN_TASKS = runs_tasks(first_only=True)
COMPILING = (
    program(
        "make gmake gnumake bmake remake mingw32-make nmake colormake",
        values="-C --directory -f --file --makefile -j -l -o -W -I --eval -E -O --old-file",
        handler=_make,
        harmless="-n --just-print --dry-run --recon -q --question -v",
    ),
    program(
        "cmake cmake3",
        values="-S -B -G -D -U -C -A -T -P --prefix -t --target --config -j --parallel --preset "
        "--component --toolchain",
        handler=_cmake,
        harmless="-N --help-full --list-presets",
    ),
    program("ctest cpack ccmake cmake-gui", BUILD, values="-R -E -L -j -C -G -B", harmless="-N"),
    program(
        "ninja samu",
        values="-C -f -j -k -l -d -w -t",
        handler=_ninja,
        harmless="-n -h",
    ),
    program(
        "meson muon",
        subs={
            "setup compile test configure introspect rewrite devenv format fmt env2mfile": BUILD,
            "install": sub(
                handler=_meson_install, values="--destdir -C --tags", harmless="-n --dry-run"
            ),
            "init dist": CHANGES_PROJECT,
            "subprojects wrap": ADDED,
        },
        handler=_build,
    ),
    program(
        "bazel bazelisk buck buck2 pants plz",
        values="--output_base --bazelrc",
        subs={
            "clean shutdown gc": BUILT_GONE,
            "query cquery aquery info version help analyze-profile config dump canonicalize-flags "
            "targets audit uquery roots": LOOK,
            "fetch sync vendor mod": ADDED,
            "run": BUILD,
        },
        handler=_build,
    ),
    program(
        "scons waf tup redo bjam premake5 xmake gn qmake qmake6 jam kbuild earthly dagger", BUILD
    ),
    program(
        "autoconf automake autoreconf aclocal autoheader libtoolize configure autogen "
        "bison flex yacc lex re2c gperf ragel",
        BUILD,
        values="-o --output",
        writes="-o --output",
    ),
    program("checkinstall", handler=lambda call: _installed(call, None)),
    program("distcc distccd icecc", BUILD),
)


TASKS = (
    program(
        "just",
        values="-f --justfile -d --working-directory --set --shell --shell-arg -c --command "
        "--color",
        handler=_just,
        harmless="-n --dry-run -h -V --fmt --init",
        options_first=True,
    ),
    program(
        "go-task",
        values="-t --taskfile -d --dir -o --output -c -C -p",
        handler=RUN_TASKS,
        acting={"-l --list -a --list-all --status --summary": LOOK},
        harmless="-n --dry -h",
    ),
    program(
        "inv invoke doit mage cargo-make makers poe taskipy runme argc maid wireit",
        values="-c -f -p -C",
        handler=RUN_TASKS,
        harmless="-l --list -h",
    ),
    program(
        "gulp grunt jake brunch broccoli",
        values="-f --gulpfile --cwd -b",
        handler=RUN_TASKS,
        acting={"--tasks -T": LOOK},
        harmless="-h",
    ),
    program(
        "turbo moon",
        subs={
            "run": sub(handler=RUN_TASKS, values="--filter", harmless="--dry --dry-run"),
            "login logout link unlink": LOGS_IN,
            "daemon": SERVES,
            "gen generate prune init": CHANGES_PROJECT,
            "ls query info scan bin telemetry": LOOK,
        },
        values="--filter --cwd -F",
        handler=RUN_TASKS,
    ),
    program(
        "nx lerna rush ng vue-cli-service vue",
        subs={
            "publish": RELEASE,
            "deploy": RELEASE,
            "release": RELEASE,
            "run run-many affected exec": sub(
                handler=_targets,
                values="-t --target --targets -p --projects -c --configuration --base --head",
            ),
            "reset clean purge unlink": BUILT_GONE,
            "add install update bootstrap link": sub(handler=package_install(wide="-g --global")),
            "analytics config": SETS_PROJECT,
            "login": LOGS_IN,
            "g generate new create init migrate version import remove add-caching build test lint "
            "e2e format format:write change": sub(CHANGES_PROJECT, harmless="--dry-run -d"),
            "list ls report show graph dep-graph changed diff info doc doctor": LOOK,
            "serve dev start ui inspect": SERVES,
        },
        handler=RUN_TASKS,
        harmless="-v -h",
    ),
    program(
        "webpack rollup vite parcel esbuild swc tsup microbundle astro next nuxt nuxi gatsby "
        "react-scripts svelte-kit remix rspack snowpack browserify babel tsc vue-tsc ts-node tsx "
        "rsbuild rslib",
        subs={"telemetry": SETS_PROJECT, "clean cleanup": BUILT_GONE},
        handler=_bundled,
        values="-c --config -p --project --port --host --mode -d --out-dir --outfile --target",
        writes="-o --output --outfile --outDir --outdir --out-file --output-path",
    ),
    program("concurrently npm-run-all run-s run-p wait-on start-server-and-test", BUILD),
    program("nodemon pm2-dev watchman entr chokidar", BUILD),
    program(
        "pm2 forever",
        subs={
            "start restart reload stop delete del scale reset list ls l status monit logs show "
            "describe jlist prettylist flush init serve stopall restartall": SERVES,
            "startup unstartup save dump resurrect install set": SETS_PROJECT,
            "deploy": RELEASE,
            "kill": SERVES,
        },
        handler=_build,
    ),
    program(
        "pre-commit prek lefthook husky overcommit lint-staged",
        subs={
            "install init-templatedir uninstall add set": sub(handler=_hooks),
            "autoupdate auto-update update": ADDED,
            "clean gc": CACHE_GONE,
            "init sample-config migrate-config": CHANGES_PROJECT,
        },
        handler=_build,
    ),
)


PROGRAMS: tuple[Program, ...] = (*COMPILING, *TASKS)
