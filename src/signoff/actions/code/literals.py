"""Code in a language nobody reads here: its string literals still tell what it runs and deletes.

A literal that is a shell line, beside a call that runs programs, is read as that line; literals
that are a program and its words are joined (`"rm" "-rf" "/x"`). A call that deletes is held against
the paths that stand as literals and the names of the home folder. What is only printed is data.

    (uiop:run-program "rm -rf /srv")         ->  the shell line `rm -rf /srv`
    removeItem(atPath: NSHomeDirectory())    ->  deletes `~` with everything in it
"""

from __future__ import annotations

import re

from signoff.actions.code.perform import CodeCall, perform
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.sinks import CallRule, Sink
from signoff.actions.code.value import Value
from signoff.actions.known.shell_lines import starts_as_line
from signoff.actions.vocabulary import lazy_re

MAX_LITERALS = 60
MAX_WORDS = 8
MAX_CHARS = 10_000

_LITERAL = lazy_re(
    r'"((?:[^"\\\n]|\\.){0,2000})"|\'((?:[^\'\\\n]|\\.){0,2000})\'|`([^`\n]{0,2000})`'
)
_RUNS = lazy_re(
    r"system|shell|exec|run|spawn|process|popen|command|\bsh\b|\bcmd\b|\bos\.|['\"]\s*\.?\s*!",
    re.IGNORECASE,
)
_RUNNING = (
    *("system", "shell", "exec", "run", "spawn", "process", "popen", "command", "sh", "cmd"),
    *("os.", "!"),
)
_DELETES = lazy_re(
    r"delete[-_.]?(?:dir|tree|recurs|file)|deletedirectory|\bremove(?:item|all|dir|tree)"
    r"|remove[-_.](?:dir|all|tree|path)|rmtree|rm[-_]?rf|rmsync|rmdir|\.delete\b|unlink",
    re.I,
)
_DELETING = ("delete", "remove", "rmtree", "rm", "unl")
_HOMES = lazy_re(
    r"homedir|home[-_]?directory|user-home|\bos\.home\b|Path\.home|Dir\.home|user\.home"
    r"|getenv\W{1,4}HOME\b|ENV\W{1,3}HOME\b",
    re.I,
)
_PROGRAMS = frozenset({"rm", "dd", "sh", "bash", "zsh", "curl", "wget", "shred", "chmod", "chown"})


def read_literals(text: str, recorder: Recorder) -> None:
    """Record what code in an unknown language runs and deletes, judging by its string literals."""
    text = text[:MAX_CHARS]
    found = [next(filter(None, m.groups()), "") for m in _LITERAL.finditer(text)][:MAX_LITERALS]
    # Without the literals: a word such as `run` in a text that is printed calls nothing.
    around = _LITERAL.sub('""', text)
    folded = around.casefold()
    # A search that finds nothing is slow, and most such texts hold none of these.
    if any(map(folded.__contains__, _RUNNING)) and _RUNS.search(around):
        for line in (*filter(starts_as_line, found), *_joined(found)):
            recorder.run("code", Value(constant=line))
    if any(map(folded.__contains__, _DELETING)) and _DELETES.search(around):
        # A relative name may be a message; only what begins at the root or the home is surely a
        # path.
        paths = [one for one in found if one[:1] in {"/", "~"}]
        for path in (*paths, *(("~",) if _HOMES.search(text) else ())):
            rule = CallRule(Sink.DELETE_TREE)
            perform(CodeCall(name="code", rule=rule, arguments=[Value(constant=path)]), recorder)


def _joined(found: list[str]) -> list[str]:
    """Lines whose program and words stand as literals of their own."""
    lines: list[str] = []
    for at, name in enumerate(found):
        if name.rpartition("/")[2] in _PROGRAMS:
            words = found[at + 1 : at + MAX_WORDS]
            line = " ".join([name, *(_quoted(word) for word in words)])
            if starts_as_line(line):
                lines.append(line)
    return lines


def _quoted(word: str) -> str:
    is_plain = word and not set(word) & set(" \t;|&<>()$`\"'\\*?")
    return word if is_plain else "'" + word.replace("'", "'\\''") + "'"
