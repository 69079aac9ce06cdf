"""Bun and Deno: run time, package manager, runner and builder in one.

Files run with the rights given; modules from addresses and unknown packages are foreign code.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    INERT,
    LOOK,
    RELEASE,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.javascript import INSTALL, REMOVE, SHARED, SWITCHES, VALUES
from signoff.actions.programs.dev.packages import (
    KNOWN_TOOLS,
    installed,
    package_runner,
    tool_name,
)
from signoff.actions.programs.dev.tasks import runs_tasks, task_effects
from signoff.actions.programs.program import Program, program, sub


def _bun(call: Call) -> Iterator[Effect]:
    """`bun file.ts` and `bun name`: a file runs, a script is judged by its name."""
    for code in call.values("-e", "--eval", "-p", "--print"):
        yield Nested(
            text=code.text, language="javascript", carrier="bun -e", is_known=code.is_known
        )
    for word in call.operands[:1]:
        if "." in word.text or "/" in word.text:
            yield call.on_file(Verb.EXECUTE, word)
        else:
            yield from task_effects(call, [word.text])
    if not call.operands and not call.options:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _bun_line(call: Call) -> Iterator[Effect]:
    """`bun exec 'line'` runs a shell line."""
    for word in call.operands[:1]:
        yield Nested(text=word.text, language="shell", carrier="bun exec", is_known=word.is_known)


BUN = program(
    "bun",
    switches=SWITCHES,
    values=f"{VALUES} -e --eval -p --print -r --port --config -c --env-file",
    subs={
        **SHARED,
        "install i add a update link ci patch": INSTALL,
        "remove rm uninstall unlink": REMOVE,
        "run": sub(handler=_bun, values="--filter --cwd --preload -r"),
        "x": sub(handler=package_runner("--package", "-p"), values="--package -p"),
        "exec": sub(handler=_bun_line),
        "build": sub(BUILD, writes="--outfile --outdir", values="--target --format --entry-naming"),
        "pm": sub(
            subs={
                "cache": sub(LOOK, subs={"rm": CACHE_GONE}),
                "trust migrate pack version pkg": CHANGES_PROJECT,
            },
            by_words=LOOK,
        ),
        "upgrade": ADDED_FOR_USER,
        "completions discord outdated why info list audit": LOOK,
        "repl": INERT,
    },
    handler=_bun,
    harmless="-v -h",
)
DENO_URL = ("http://", "https://", "jsr:", "npm:", "data:")


def _deno_run(call: Call) -> Iterator[Effect]:
    """`deno run target`: files run with the rights given; addresses are foreign code."""
    for word in call.operands[:1]:
        text = word.text
        unbound = text.startswith("https://") and call.has("-A", "--allow-all", "--allow-run")
        if text.startswith(("http://", "data:")) or not word.is_known or unbound:
            yield call.opaque("runs a module from an address", Trait.REMOTE_CODE)
        elif text.startswith(DENO_URL):
            name = tool_name(text.split(":", 1)[1])
            if name not in KNOWN_TOOLS:
                yield installed(call, text, foreign=True)
        elif text == "-":
            yield call.opaque("runs what arrives on its standard input", Trait.INLINE)
        else:
            yield call.on_file(Verb.EXECUTE, word)


def _deno_code(call: Call) -> Iterator[Effect]:
    for word in call.operands[:1]:
        yield Nested(
            text=word.text, language="javascript", carrier="deno eval", is_known=word.is_known
        )


def _deno_install(call: Call) -> Iterator[Effect]:
    """`deno install`: with names and `-g` a program for the user, else the project's own."""
    wide = call.has("-g", "--global", "-n", "--name")
    for word in call.operands[:1] if wide else call.operands:
        foreign = word.text.startswith(("http://", "https://"))
        yield installed(call, word.text, wide=wide, foreign=foreign)
    if not call.operands:
        yield installed(call, "")


DENO_VALUES = "-c --config --import-map --lock --cert --reload --node-modules-dir -L --log-level"
DENO = program(
    "deno",
    values=DENO_VALUES,
    subs={
        "run serve x": sub(handler=_deno_run, values=f"{DENO_VALUES} --port --host --env-file"),
        "eval": sub(handler=_deno_code, values="--ext"),
        "install i": sub(handler=_deno_install, values="-n --name --root --config"),
        "add cache vendor outdated update approve-scripts": ADDED,
        "remove rm": TAKEN_OUT,
        "uninstall": TAKEN_FROM_USER,
        "upgrade": sub(ADDED_FOR_USER, harmless="--dry-run"),
        "publish": sub(RELEASE, harmless="--dry-run"),
        "deploy": sub(FAR_CHANGE, harmless="--dry-run"),
        "task": sub(handler=runs_tasks(first_only=True), values="--cwd"),
        "fmt": sub(writes(), harmless="--check"),
        "test bench check lint doc coverage types info jupyter repl": sub(
            BUILD, values="--filter --reporter", writes="--junit-path --output"
        ),
        "compile bundle": sub(BUILD, writes="-o --output", values="--target --include"),
        "init clean": CHANGES_PROJECT,
        "completions": INERT,
    },
    handler=_deno_run,
    harmless="-V -h",
)


PROGRAMS: tuple[Program, ...] = (
    BUN,
    DENO,
)
