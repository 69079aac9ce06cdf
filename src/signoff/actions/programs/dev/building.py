"""Build tools and task runners: make, cmake, ninja, meson, bazel, just, gulp, nx and their like.

What the project's own build file says is ordinary work, by the names of its targets. Options that
bring other build text, another shell or another script along are taken apart or are opaque.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.dev.packages import installed, is_foreign
from signoff.actions.programs.dev.recipes import lines_that_leave
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.effect_presets import (
    BUILD,
    CLEAR_OUTPUT,
    CONTROL_PROCESS,
    INSPECT,
    PUBLISH_IMAGE,
)
from signoff.actions.programs.plain_names import named_program
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

PLAIN_SHELLS = words("sh bash zsh dash ksh cmd powershell pwsh")
RUN_VARIABLES = words("SHELL MAKE CC CXX LD AR RM INSTALL MAKEFLAGS PYTHON NODE")
STDIN_NAMES = words("- /dev/stdin /dev/fd/0 /proc/self/fd/0")
# Variables that tell `make install` to stay below a folder instead of the system's.
STAGE = "DESTDIR="
PLACES = (STAGE, "PREFIX=", "prefix=")


def checkinstall(call: ProgramCall) -> Iterable[Effect]:
    """Yield the effects of `checkinstall`: installs what was just built."""
    return _installed(call, None)


def make(call: ProgramCall) -> Iterator[Effect]:
    """`make target VAR=x`: targets by their names, variables that name programs, other text."""
    for word in call.values("--eval", "-E"):
        yield call.opaque("build text given on the command line")
        yield Nested(text=word.text, language="make", carrier="make --eval", is_known=word.is_known)
    for word in call.values("-f", "--file", "--makefile"):
        yield from _build_text(call, word)
    # make(1) takes `NAME=value` among its operands.
    for text in call.texts:
        yield from _variable(call, *text.partition("=")[::2])
    given = [*call.texts, *(f"{name}={word.text}" for name, word in call.command.assignments)]
    staged = [text for text in given if text.startswith(STAGE) and text != STAGE]
    # Below a stage, PREFIX is a path inside it (GNU coding standards, DESTDIR).
    inside = [text.partition("=")[2] for text in staged or given if text.startswith(PLACES)]
    for place in inside:
        yield call.on_file(Verb.WRITE, Word(text=place))
    targets = [text for text in call.texts if "=" not in text]
    yield from task_effects(call, targets, installs=not inside)
    yield from lines_that_leave(call, targets)
    yield from call.perform(BUILD)


def _build_text(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """What a build file that is named runs, as far as its text is part of the line."""
    stream = call.command.stdin if word.text in STDIN_NAMES else None
    fact = call.place.files.get(locate(word.text, call.place).path) if word.is_known else None
    text = stream.text if stream is not None else fact.text if fact is not None else None
    if text is not None:
        yield Nested(text=text, language="make", carrier="make -f")
    elif word.text in STDIN_NAMES:
        # Not even a file remains that could be looked at afterwards.
        yield call.opaque("build text from standard input")
    else:
        yield call.on_file(Verb.EXECUTE, word)


def _variable(call: ProgramCall, name: str, value: str) -> Iterator[Effect]:
    # make(1): `NAME!=line` is the output of a shell line, in `$(shell line)` its own is.
    if name.endswith("!"):
        yield Nested(text=value, language="shell", carrier=f"make {name}=")
    elif "shell " in value:
        yield Nested(text=f"{name}={value}", language="make", carrier=f"make {name}=")
    name = name.rstrip(":?+")
    first = named_program(value)
    # GNU make hands every recipe line to SHELL with .SHELLFLAGS before it.
    if name in {"SHELL", ".SHELLFLAGS"} and first not in PLAIN_SHELLS:
        yield call.opaque(f"every line of the build runs through {value[:40]}")
        if name == ".SHELLFLAGS" and " " in value:
            yield Nested(text=f"sh {value}", language="shell", carrier=f"make {name}=")
    elif name in RUN_VARIABLES and value and (";" in value or "$(" in value or " " in value):
        yield Nested(text=value, language="shell", carrier=f"make {name}=")


CMAKE_TOOLS = {
    "rm": "rm",
    "remove": "rm",
    # cmake-commands of `-E`: as the shell's own tools they are judged by the same rules.
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


def cmake(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `cmake` in its ways: configure, `--build`, `--install`, `-P script`, `-E tool`."""
    texts = [w.text for w in call.command.words[1:]]
    # Read from the raw words: behind `-E` options belong to the tool, not to cmake.
    if "-E" in texts:
        yield from _cmake_tool(call, call.command.words[texts.index("-E") + 2 :])
        return
    script = call.value("-P")
    if script is not None:
        yield call.on_file(Verb.EXECUTE, script)
    elif call.has("--install"):
        # cmake(1): below DESTDIR, the prefix is a path inside it.
        yield from _installed(call, _stage(call) or call.value("--prefix"))
    elif call.has("--build"):
        yield from _with_stage(call, [w.text for w in call.values("-t", "--target")])
        yield from call.perform(BUILD)
    else:
        for word in call.values("-B"):
            yield call.on_file(Verb.WRITE, word)
        yield from call.perform(BUILD)


def _stage(call: ProgramCall) -> Word | None:
    """Return the folder that an install is told to stay below, None for the machine itself."""
    named = (word for name, word in call.command.assignments if f"{name}=" == STAGE)
    return next((word for word in named if word.text.strip("/") or not word.is_known), None)


def _with_stage(call: ProgramCall, targets: Iterable[str]) -> Iterator[Effect]:
    """Yield the effects of targets; `install` stays below a stage that is given."""
    stage = _stage(call)
    if stage is not None:
        yield call.on_file(Verb.WRITE, stage)
    yield from task_effects(call, targets, installs=stage is None)


def _cmake_tool(call: ProgramCall, rest: tuple[Word, ...]) -> Iterator[Effect]:
    texts = [w.text for w in call.command.words]
    tool = texts[texts.index("-E") + 1] if texts[-1] != "-E" else ""
    # `cmake -E chdir DIR COMMAND`: the first word is a folder, the rest runs.
    if tool == "chdir":
        yield Nested(text=rejoin(rest[1:]), language="shell", carrier="cmake -E")
    elif tool in CMAKE_TOOLS:
        line = f"{CMAKE_TOOLS[tool]} {rejoin(rest)}"
        yield Nested(text=line, language="shell", carrier="cmake -E")
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _installed(call: ProgramCall, place: Word | None) -> Iterator[Effect]:
    """Put what was built where it belongs: below a place given, else on the machine."""
    if place is not None:
        yield call.on_file(Verb.WRITE, place)
        return
    yield call.operation(
        Verb.INSTALL,
        ResourceType.PACKAGE,
        "what was built",
        traits=(Trait.GLOBAL,),
        reach=Reach.SYSTEM,
    )


def meson_install(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `meson install`, with `--destdir` or the variable."""
    yield from _installed(call, call.value("--destdir") or _stage(call))


def meson_setup(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `meson setup FOLDER`: the folder is filled, the project configured."""
    for word in call.operands[:1]:
        yield call.on_file(Verb.WRITE, word)
    yield from call.perform(BUILD)


def build(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of an ordinary build of the project."""
    yield from call.perform(BUILD)


def just(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `just recipe args`: only the first word is sure to be a recipe."""
    if call.has("-l", "--list", "--summary", "--dump", "--show", "-s", "--evaluate", "--variables"):
        yield from call.perform(INSPECT)
        return
    # just(1): everything behind `--command` is one line; it is run without a recipe.
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


def ninja(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `ninja`: builds targets; `-t` runs a tool such as `clean`."""
    tool = call.value("-t")
    if tool is not None:
        # ninja -t: `clean` and `cleandead` delete outputs, which the next build makes again.
        yield from call.perform(CLEAR_OUTPUT if "clean" in tool.text else INSPECT)
        return
    yield from _with_stage(call, call.texts)
    yield from call.perform(BUILD)


def targets(call: ProgramCall) -> Iterator[Effect]:
    """`nx run app:deploy`, `nx run-many -t build`: the target is behind the colon or `-t`."""
    named = [t.rsplit(":", 1)[-1] for t in call.texts[:1]]
    named += [
        part for w in call.values("-t", "--target", "--targets") for part in w.text.split(",")
    ]
    yield from task_effects(call, named or ("",))


def bundled(call: ProgramCall) -> Iterator[Effect]:
    """A bundler or compiler: builds, or serves, in the project."""
    for word in call.operands[:1]:
        # `<(curl ...)`: the shell hands over a program's output as a file name.
        if word.sources and word.text.startswith("/dev/fd/"):
            yield call.on_file(Verb.EXECUTE, word)
        if word.text.endswith((".ts", ".tsx", ".mts")) and call.name in {"ts-node", "tsx"}:
            yield call.on_file(Verb.EXECUTE, word)
    for code in call.values("-e", "--eval"):
        yield Nested(text=code.text, language="javascript", carrier=f"{call.name} -e")
    yield from call.perform(
        CONTROL_PROCESS if "dev" in call.texts or "serve" in call.texts else BUILD
    )


def hooks(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `pre-commit install`: the project's own checks run at every commit."""
    yield call.operation(Verb.WRITE, ResourceType.SETTING, "git hooks", reach=Reach.PROJECT)


_REMOTE_TARGET = re.compile(r"[\w-]+\.[a-z]{2,}/")  # `github.com/acme/shop+build`


def earthly(call: ProgramCall) -> Iterator[Effect]:
    """`earthly +target`: the project's build; `--push` publishes, `-P` hands over the machine."""
    if call.has("--push", "--ci-push"):
        yield from call.perform(PUBLISH_IMAGE)
    if call.has("--allow-privileged", "-P"):
        yield call.operation(
            Verb.PRIVILEGE, ResourceType.CONTAINER, "a privileged build", reach=Reach.SYSTEM
        )
    for word in call.operands[:1]:
        if _REMOTE_TARGET.match(word.text):
            yield installed(call, word.text, foreign=True)
    yield from call.perform(BUILD)


def dagger_module(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `dagger -m ADDRESS`: functions of a module that somebody else wrote."""
    for word in call.values("-m", "--mod"):
        if _REMOTE_TARGET.match(word.text) or is_foreign(word, call):
            yield installed(call, word.text, foreign=True)


def dagger_install(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `dagger install ADDRESS`: a module that somebody else wrote."""
    for word in call.operands:
        foreign = bool(_REMOTE_TARGET.match(word.text)) or is_foreign(word, call)
        yield installed(call, word.text, foreign=foreign)
    if not call.operands:
        yield from call.perform(BUILD)


def foreign_checks(call: ProgramCall) -> Iterator[Effect]:
    """`pre-commit try-repo ADDRESS`: checks that somebody else wrote are fetched and run."""
    for word in call.operands[:1]:
        yield installed(call, word.text, foreign=is_foreign(word, call))
    yield from call.perform(BUILD)
