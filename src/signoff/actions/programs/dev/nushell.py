"""nushell: `nu -c TEXT`, a shell of its own, whose pipelines mostly look at data.

nu -c 'ls | where size > 1mb'     ->  reads
nu -c 'open a.json | get name'    ->  reads `a.json`
nu -c 'rm -rf build'              ->  opaque, and the line `rm -rf build`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.interpreters import run_script, run_standard_input
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

# Filters and commands that change nothing and start no program.
LOOKING = words(
    "ls where get select reject sort-by sort first last skip take drop length describe print echo "
    "version help sys ps columns flatten reverse uniq uniq-by table find lines parse is-empty wrap "
    "transpose enumerate into format date math str group-by split from to open values compact "
    "default rename which whoami pwd du glob ansi char range seq window zip inspect metadata"
)
# Commands of nushell itself that change or run something, or stand before what does.
CHANGING = words(
    "rm mv cp save mkdir touch cd source source-env use overlay exec run-external each do http "
    "kill alias def let mut const export hide for while loop if else match try catch register "
    "plugin job input par-each items reduce update upsert insert nu timeit watch start open-url "
    "module extern error return break continue generate tee interleave bits bytes config "
    "commandline history keybindings load-env with-env hide-env cal detect-columns query url "
    "encode decode hash random sleep term ulimit version view complete ignore"
)
_EXTERNAL = re.compile(r"(^|[\s|;({])(?:\^|run-external\s+)")
_OPENED = re.compile(r"\bopen\s+(?:-\S+\s+)*([^\s()|;{}]+)")
_PARTS = re.compile(r"[|;\n]")
# A program of the system, a block of code, and an expression that is run.
_RUNS = re.compile(r"[\^{}`(]|\$in\b")


def nushell(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `nu -c TEXT`, `nu -e TEXT`, `nu script.nu`, `... | nu`."""
    texts = call.values("-c", "--commands", "-e", "--execute")
    for word in texts:
        yield from _text(call, word)
    if not texts and call.operands:
        yield from run_script(call, call.operands[0], "nushell")
    elif not texts:
        yield from run_standard_input(call, "nushell")


def _text(call: ProgramCall, word: Word) -> Iterator[Effect]:
    parts = [part.split() for part in _PARTS.split(word.text)]
    given = [part for part in parts if part]
    if word.is_known and not _RUNS.search(word.text) and all(p[0] in LOOKING for p in given):
        yield call.operation(Verb.READ, ResourceType.NOTHING)
        for name, *behind in given:
            for file in behind[:1] if name == "open" else ():
                yield call.on_file(Verb.READ, Word(text=file.strip("'\"")))
        return
    for file in _OPENED.findall(word.text):
        yield call.on_file(Verb.READ, Word(text=file.strip("'\"")))
    programs = [part for part in given if part[0] not in LOOKING]
    if (
        word.is_known
        and not _RUNS.search(word.text)
        and not any(part[0] in CHANGING or part[0][:1] in "$'\"<>=-" for part in programs)
    ):
        line = " | ".join([" ".join(part) for part in programs])
        yield Nested(text=line, language="shell", carrier="nu -c")
        return
    yield call.opaque("nushell commands that may run programs or change files", Trait.INLINE)
    # `^rm` is the program of that name and no command of the shell.
    line = _EXTERNAL.sub(r"\1", word.text)
    yield Nested(text=line, language="shell", carrier="nu -c", is_known=word.is_known)
