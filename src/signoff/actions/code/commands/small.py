"""Small languages: make's own text, filters that only compute (jq, yq, bc), Tcl."""

from __future__ import annotations

import re

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN_PART, Value
from signoff.actions.contents.makefiles import shell_line, variables_of
from signoff.actions.operation import Verb

MAX_CHARS = 20_000

_MAKE_SHELL = re.compile(
    r"\$(?:\(shell\s+(?!\s)([^()]*(?:\([^()]*\)[^()]*)*)\)"
    r"|\{shell\s+(?!\s)([^{}]*(?:\{[^{}]*\}[^{}]*)*)\})"
)
_RECIPE = re.compile(r"^(?:\t|[^\s:=#][^:=\n]*:[^=\n;]*;)(.*)$", re.MULTILINE)
_JQ_VARIABLE = re.compile(r"(?:\$ENV|\benv)\.(\w+)")
_TCL = re.compile(
    r"(?:^|[;\[{\n])[ \t]*(exec|open|file|eval|source|spawn|send|socket|after)\b([^;\n\]]*)"
)

_TCL_VARIABLE = re.compile(r"\$(?:::)?env\((\w+)\)")


def read_make(text: str, recorder: Recorder) -> None:
    """Record what text given to make runs: `$(shell ...)`, `!=`, recipes."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "make")
        return
    for in_parentheses, in_braces in recorder.at_most(100, _MAKE_SHELL.findall(text), "make"):
        recorder.run("$(shell)", Value(constant=in_parentheses or in_braces))
    variables = variables_of(text)
    for line in recorder.at_most(200, _RECIPE.findall(text), "make"):
        # Here a variable that is not defined may come from the command line, and hold anything.
        plain = shell_line(line, variables, unknown=UNKNOWN_PART)
        if plain:
            recorder.run("make", Value(constant=plain))
    for line in recorder.at_most(50, re.findall(r"!=([^\n]+)", text), "make"):
        recorder.run("make !=", Value(constant=line.strip()))
    if "include " in text or "load " in text:
        recorder.opaque("includes a file that is not known", "make")


def read_filter(text: str, recorder: Recorder) -> None:
    """Record what a data filter such as jq reads: environment variables at most."""
    for name in recorder.at_most(50, _JQ_VARIABLE.findall(text[:MAX_CHARS]), "jq"):
        recorder.variable("env", name)


def read_tcl(text: str, recorder: Recorder) -> None:
    """Record what Tcl or expect code runs."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "tcl")
        return
    for name, rest in recorder.at_most(200, _TCL.findall(text), "tcl"):
        _tcl_call(name, rest.strip(), recorder)
    recorder.is_ordinary = True


def _tcl_call(name: str, words: str, recorder: Recorder) -> None:
    words = _TCL_VARIABLE.sub(r"${\1}", words)
    first = words.split(None, 1)[0] if words else UNKNOWN_PART
    if name == "after":  # the words behind the time are a command of their own
        for inner, rest in _TCL.findall(words.partition(" ")[2]):
            _tcl_call(inner, rest.strip(), recorder)
    elif name in {"exec", "spawn"}:
        recorder.run(f"tcl {name}", Value(constant=words or UNKNOWN_PART))
    else:
        _tcl_other(name, first, words, recorder)


def _tcl_other(name: str, first: str, words: str, recorder: Recorder) -> None:
    if name == "open" and words.strip('"{ ').startswith("|"):
        recorder.run("tcl open", Value(constant=words.strip('"{}| ')))
    elif name == "file" and first == "delete":
        for path in [word for word in words.split()[1:] if not word.startswith("-")]:
            recorder.on_file(Verb.DELETE, "file delete", Value(constant=path.strip('"{}')))
    elif name in {"eval", "source"}:
        recorder.opaque("the code is known only when it runs", "tcl")
    elif name == "socket":
        recorder.connect("socket", Value(constant=first))
