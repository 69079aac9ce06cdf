"""Debuggers given commands: gdb and lldb, which take every command in short.

she ls             ->  the shell line `ls`        (gdb's `shell`)
plat sh -- ls      ->  the shell line `ls`        (lldb's `platform shell`)
py import os       ->  Python
bt                 ->  nothing
"""

from __future__ import annotations

import re

from signoff.actions.code.literals import read_literals
from signoff.actions.code.python.reader import read_python
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN_PART, Value

_COMMAS = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')
_FORMAT = re.compile(r"%(?!%)[-+ #0-9.*]*[hlLqjzt]*[a-zA-Z]")
MAX_LINES = 200
MAX_INNER = 8  # commands inside one another: `with X -- frame apply all shell Y`
# Each by how much of it must be written to mean nothing else.
_SHELLS = (("shell", 2), ("!", 1))
_PIPES = (("pipe", 3), ("|", 1))
_PYTHON = (("python", 2), ("pi", 2), ("python-interactive", 7), ("script", 3))
_OTHER_CODE = (("guile", 2), ("gr", 2))
_SCRIPTS = (("source", 2), ("command source", 3), ("command script", 3))
_CALLS = (
    *(("call", 3), ("print", 1), ("inspect", 3), ("output", 2), ("compile", 4), ("printf", 6)),
    *(("expression", 1), ("po", 2), ("set", 3), ("eval", 3), ("dprintf", 2), ("break", 1)),
)
_RUNS = (("run", 1), ("start", 4), ("starti", 6), ("attach", 2), ("continue", 1), ("process", 3))
_WRITES = (("dump", 3), ("save", 2), ("generate-core-file", 3), ("gcore", 2))
# What stands before another command.
_PREFIXES = (("with", 1), ("thread", 1), ("frame", 1), ("taas", 4), ("tfaas", 5), ("faas", 4))


def read_debugger(text: str, recorder: Recorder) -> None:
    """Record what commands for a debugger do."""
    for line in recorder.at_most(MAX_LINES, text.split("\n"), "gdb"):
        _read_line(line.strip(), recorder, MAX_INNER)


def _read_line(line: str, recorder: Recorder, left: int) -> None:
    if line[:1] in {"!", "|"}:
        line = f"{line[0]} {line[1:].lstrip()}"
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    # `make` stands for `shell make`, also in lldb's platform.
    if _is(word, (("platform", 3),)) and _is(rest.partition(" ")[0], _SHELLS):
        _run(_without_flags(rest.partition(" ")[2]), recorder)
    elif _is(word, _SHELLS):
        _run(_without_flags(rest), recorder)
    elif _is(word, (("make", 3),)):
        _run(f"make {rest}", recorder)
    elif _is(word, _PIPES):
        _run(rest.partition("|")[2], recorder)
    elif word == "eval" and left:
        _read_line(_formatted(rest), recorder, left - 1)
    elif _is(word, _PREFIXES) and left:
        _read_inner(rest, recorder, left - 1)
    else:
        _read_code(word, rest, recorder)


def _formatted(rest: str) -> str:
    """The command that `eval "shell %s", "ls"` makes; what is no text is unknown."""
    given = [part.strip() for part in _COMMAS.split(rest)]
    texts = [part[1:-1] if part[:1] == part[-1:] == '"' else UNKNOWN_PART for part in given]
    behind = iter(texts[1:])
    return _FORMAT.sub(lambda _: next(behind, UNKNOWN_PART), texts[0]).replace("%%", "%")


def _is(word: str, commands: tuple[tuple[str, int], ...]) -> bool:
    """Return whether a word is one of these commands, whole or abbreviated as far as allowed."""
    return any([len(word) >= least and name.startswith(word) for name, least in commands])


def _run(line: str, recorder: Recorder) -> None:
    recorder.run("debugger shell", Value(constant=line.strip() or UNKNOWN_PART))


def _without_flags(line: str) -> str:
    """The line behind `-t 5 --`, lldb's own options of `platform shell`."""
    _, mark, behind = line.partition("-- ")
    return behind if mark and line.startswith("-") else line


def _read_inner(rest: str, recorder: Recorder, left: int) -> None:
    """The command behind `with SETTING --` or `thread apply all -q`."""
    words = rest.split(" ")
    if "--" in words:
        _read_line(" ".join(words[words.index("--") + 1 :]).strip(), recorder, left)
    elif words[0] == "apply":
        # Which words name threads and which the command is the program's to know: each may begin
        # it.
        for at in range(1, min(len(words), MAX_INNER)):
            _read_line(" ".join(words[at:]), recorder, 0)


def _read_code(word: str, rest: str, recorder: Recorder) -> None:
    if _is(word, _PYTHON):
        read_python(rest, recorder)
    elif _is(word, _OTHER_CODE):
        recorder.opaque("runs code in another language", "debugger")
        read_literals(rest, recorder)
    elif _is(word, _SCRIPTS) or (_is(word, (("command", 3),)) and rest[:2] in {"sc", "so"}):
        recorder.opaque("runs a script that is not known", "debugger")
    elif _is(word, _WRITES) and rest:
        recorder.write("debugger", Value(constant=rest.split()[-1]))
    elif "(" in rest and (_is(word, _CALLS) or "system" in rest):
        recorder.opaque(f"the debugger runs `{word} {rest[:80]}`", "debugger")
        read_literals(rest, recorder)
    elif _is(word, _RUNS):
        recorder.is_ordinary = True
