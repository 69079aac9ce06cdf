"""Bun and Deno: run time, package manager, runner and builder in one.

Files run with the rights given; modules from addresses and unknown packages are foreign code.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.packages import (
    KNOWN_TOOLS,
    installed,
    tool_name,
)
from signoff.actions.programs.dev.tasks import task_effects


def bun(call: ProgramCall) -> Iterator[Effect]:
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
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def bun_line(call: ProgramCall) -> Iterator[Effect]:
    """`bun exec 'line'` runs a shell line."""
    for word in call.operands[:1]:
        yield Nested(text=word.text, language="shell", carrier="bun exec", is_known=word.is_known)


DENO_URL = ("http://", "https://", "jsr:", "npm:", "data:")


def deno_run(call: ProgramCall) -> Iterator[Effect]:
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


def deno_code(call: ProgramCall) -> Iterator[Effect]:
    for word in call.operands[:1]:
        yield Nested(
            text=word.text, language="javascript", carrier="deno eval", is_known=word.is_known
        )


def deno_install(call: ProgramCall) -> Iterator[Effect]:
    """`deno install`: with names and `-g` a program for the user, else the project's own."""
    wide = call.has("-g", "--global", "-n", "--name")
    for word in call.operands[:1] if wide else call.operands:
        foreign = word.text.startswith(("http://", "https://"))
        yield installed(call, word.text, wide=wide, foreign=foreign)
    if not call.operands:
        yield installed(call, "")
