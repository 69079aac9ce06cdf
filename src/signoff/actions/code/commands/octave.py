"""Octave and MATLAB: their calls, and statements written like commands of a shell.

delete('a.txt')      as any call
run tests.m          the same as run('tests.m')
!ls a                the same as system('ls a')
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.code.perform import CodeCall, perform
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import Language
from signoff.actions.code.scripts.lexer import Grammar, TokenKind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.sinks import CallRule, Sink, rules
from signoff.actions.code.value import UNKNOWN, Value
from signoff.actions.vocabulary import lazy_re, words

_PURE = words(
    "disp fprintf printf sprintf num2str str2num plot figure axis title xlabel ylabel legend zeros "
    "ones eye rand size length numel sum mean max min sqrt abs find any all isempty strcmp "
    "strsplit strjoin cellfun arrayfun cell struct fieldnames version ver computer "
    "addpath rmpath genpath warning error assert exit quit clc close clear "
    "pkg format more tic toc load imread imwrite confirm_recursive_rmdir"
)


def _removed(recorder: Recorder, arguments: list[Value]) -> Value:
    """Record `rmdir(DIR)`, which takes an empty folder, and `rmdir(DIR, "s")`, a whole tree."""
    folder = arguments[0] if arguments else UNKNOWN
    sink = Sink.DELETE_TREE if len(arguments) > 1 else Sink.DELETE_EMPTY
    call = CodeCall(name="rmdir", rule=CallRule(sink), arguments=[folder])
    return perform(call, recorder)


OCTAVE = Language(
    name="octave",
    grammar=Grammar(
        comments=("%", "#"),
        blocks=(("%{", "%}"),),
        quotes={"'": TokenKind.TEXT, '"': TokenKind.TEXT},
        escapes_raw=True,
    ),
    calls={
        **rules(Sink.SHELL, "system shell_cmd unix dos popen popen2"),
        **rules(Sink.PROGRAM, "exec"),
        **rules(Sink.EVALUATE, "eval evalc"),
        **rules(Sink.EVALUATE, "evalin", at=1),
        **rules(Sink.OPAQUE, "str2func"),
        **rules(Sink.LOAD_CODE, "run source mex"),
        **rules(Sink.DELETE, "delete unlink recycle"),
        **rules(Sink.MOVE, "movefile rename"),
        **rules(Sink.COPY, "copyfile"),
        **rules(Sink.MAKE, "mkdir"),
        **rules(Sink.OPEN, "fopen"),
        **rules(Sink.READ, "fileread csvread dlmread readtable readmatrix importdata type"),
        **rules(Sink.WRITE, "csvwrite dlmwrite writetable writematrix save print saveas", at=0),
        **rules(Sink.DOWNLOAD, "websave urlwrite"),
        **rules(Sink.FETCH, "urlread webread"),
        **rules(Sink.SEND, "webwrite sendmail ftp"),
        **rules(Sink.READ_VARIABLE, "getenv"),
        **rules(Sink.CHANGE_FOLDER, "cd chdir"),
    },
    specials={"rmdir": _removed},
    pure=_PURE,
)
MAX_STATEMENTS = 2_000
# A name, a blank, a word that is no operator, and nothing that makes it an expression.
_COMMAND = re.compile(r"([A-Za-z]\w*)[ \t]+((?![=(<>~&|+*/^-][\s=])[^\s=(,;'\"][^=(;'\"\n]*)\Z")
_SHELL = re.compile(r"!([^\n]+)\Z")
_KEYWORDS = words(
    "if elseif else while for end endif endfor function return break continue switch case "
    "otherwise try catch global persistent parfor until do unwind_protect classdef import"
)


# `cellfun(@system, ...)`: what it is called with cannot be followed.
_HANDED_ON = lazy_re(r"@\s*(system|unix|dos|popen2?|exec|eval[a-z]*|feval|delete|unlink|rmdir)\b")


def read_octave(text: str, recorder: Recorder) -> None:
    """Record what Octave or MATLAB code does."""
    if handed := _HANDED_ON.search(text):
        recorder.opaque(f"`{handed[1]}` is handed on to be called", "octave")
    read_with(OCTAVE, "\n".join(_as_calls(text)), recorder)


def _as_calls(text: str) -> Iterator[str]:
    """Yield the lines with statements in the form of commands as calls."""
    for line in text.split("\n")[:MAX_STATEMENTS]:
        shell = _SHELL.match(line.strip())
        if shell is not None:
            yield f"system({_quoted(shell[1])});"
            continue
        # A quoted text may hold the sign that ends a statement.
        parts = [line] if "'" in line or '"' in line else re.split(r"(?<=[;,])", line)
        yield " ".join([_as_call(part) for part in parts])


_DELETE = re.compile(r"\bdelete(?=\s*\()")


def _as_call(statement: str) -> str:
    ending = statement[-1:] if statement[-1:] in (";", ",") else ""
    found = _COMMAND.match(statement.removesuffix(ending).strip())
    if found is None or found[1] in _KEYWORDS:
        return _DELETE.sub("unlink", statement)  # elsewhere `delete` is a keyword
    name = "unlink" if found[1] == "delete" else found[1]
    return f"{name}({', '.join(map(_quoted, found[2].split()))}){ending or ';'}"


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"
