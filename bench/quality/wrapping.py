"""Ways to write the same command inside another: what it does stays, what it looks like changes.

Every wrapper says for itself which commands it can take: `env X=1 COMMAND` runs a program, so it
takes a simple command of a program only; the others take any line.

    WRAPPERS["bash-c"]("rm -rf ~")  ->  "bash -c 'rm -rf ~'"
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from shlex import quote

Wrapper = Callable[[str], str | None]

_COMPOUND = set("|&;<>()`\n\\{}[]*?~#!\"'$=")
_BUILTIN_WORDS = """
    alias . : [ bg bind break builtin caller case cd command compgen complete compopt continue
    coproc declare dirs disown do done echo enable esac eval exec exit export false fc fg fi for
    function getopts hash help history if in jobs kill let local logout mapfile popd printf
    pushd pwd read readarray readonly return select set shift shopt source suspend test then
    time times trap true type typeset ulimit umask unalias unset until wait while {
"""
_BUILTIN = frozenset(_BUILTIN_WORDS.split())


def is_simple(command: str) -> bool:
    """Whether a line is one program with plain words."""
    words = command.split()
    return bool(words) and _COMPOUND.isdisjoint(command) and words[0] not in _BUILTIN


def _of_program(prefix: str) -> Wrapper:
    return lambda command: f"{prefix} {command}" if is_simple(command) else None


def _nested(command: str) -> str:
    return f"bash -c {quote('sh -c ' + quote(command))}"


def _variable(command: str) -> str | None:
    if not is_simple(command):
        return None
    program, _, rest = command.partition(" ")
    return f"tool={program}; $tool {rest}"


def _late_argument(command: str) -> str | None:
    if not is_simple(command) or " " not in command:
        return None
    head, _, last = command.rpartition(" ")
    return f"last={last} && {head} $last"


def _encoded(command: str) -> str:
    return f"echo {base64.b64encode(command.encode()).decode()} | base64 -d | sh"


def _quoted_name(command: str) -> str | None:
    if not is_simple(command):
        return None
    program, space, rest = command.partition(" ")
    return f"{program[:1]}''{program[1:]}{space}{rest}"


def _found(command: str) -> str | None:
    if "{}" in command:  # find puts the path there
        return None
    return f"find . -maxdepth 0 -exec sh -c {quote(command)} \\;"


WRAPPERS: Mapping[str, Wrapper] = {
    "bash-c": lambda c: f"bash -c {quote(c)}",
    "env": _of_program("env LANG=C"),
    "env-sh": lambda c: f"env LANG=C sh -c {quote(c)}",
    "timeout": _of_program("timeout 60"),
    "timeout-bash": lambda c: f"timeout -k 5 60 bash -c {quote(c)}",
    "eval": lambda c: f"eval {quote(c)}",
    "cd": lambda c: f"cd /home/dev/project && {c}",
    "subshell": lambda c: f"(\n{c}\n)",
    "variable": _variable,
    "late-argument": _late_argument,
    "nested": _nested,
}
"""Those of the published measure."""

HARDER: Mapping[str, Wrapper] = {
    "group": lambda c: f"{{ {c}\n}}",
    "function": lambda c: f"work() {{\n{c}\n}}\nwork",
    "substitution": lambda c: f'echo "$({c}\n)"',
    "after-or": lambda c: f"false || {{ {c}\n}}",
    "background": lambda c: f"( {c}\n) &",
    "if": lambda c: f"if true; then\n{c}\nfi",
    "for": lambda c: f"for i in 1; do\n{c}\ndone",
    "while": lambda c: f"while true; do\n{c}\nbreak; done",
    "case": lambda c: f"case x in x)\n{c}\n;; esac",
    "trap": lambda c: f"trap {quote(c)} EXIT",
    "nohup": _of_program("nohup"),
    "nice": _of_program("nice -n 10"),
    "stdbuf": _of_program("stdbuf -oL"),
    "command": _of_program("command"),
    "exec": _of_program("exec"),
    "time": _of_program("time"),
    "xargs": _of_program("echo | xargs"),
    "setsid": _of_program("setsid"),
    "assignment": _of_program("LANG=C"),
    "quoted-name": _quoted_name,
    "bash-lc": lambda c: f"/bin/bash -lc {quote(c)}",
    "dash": lambda c: f"dash -c {quote(c)}",
    "zsh": lambda c: f"zsh -c {quote(c)}",
    "heredoc": lambda c: f"bash <<'SIGNOFF_END'\n{c}\nSIGNOFF_END",
    "here-string": lambda c: f"bash <<< {quote(c)}",
    "pipe": lambda c: f"printf '%s' {quote(c)} | sh",
    "base64": _encoded,
    "exec-variable": lambda c: f'line={quote(c)}; eval "$line"',
    "python": lambda c: f"python3 -c {quote(f'import os; os.system({c!r})')}",
    "after-echo": lambda c: f"echo start; {c}",
    "after-and": lambda c: f"true && {c}",
    "newline": lambda c: f"echo start\n{c}\necho done",
    "comment": lambda c: f"# tidy up\n{c}",
    "find-exec": _found,
    "process-substitution": lambda c: f"cat <({c}\n)",
}
"""Those the metamorphic tests use besides."""

DATA: Mapping[str, Wrapper] = {
    "echo": lambda c: f"echo {quote(c)}",
    "printf": lambda c: f"printf '%s\\n' {quote(c)}",
    "grep": lambda c: f"grep -rnF -- {quote(c)} src",
    "rg": lambda c: f"rg -n --fixed-strings -- {quote(c)} .",
    "commit": lambda c: f"git commit -m {quote('Refuse ' + c)}",
    "log-grep": lambda c: f"git log --oneline --grep {quote(c)}",
    "note": lambda c: f"cat > docs/note.md <<'SIGNOFF_END'\n{c}\nSIGNOFF_END",
    "append": lambda c: f"cat >> docs/note.md <<'SIGNOFF_END'\n    {c}\nSIGNOFF_END",
    "comment": lambda c: "ls src " + " ".join(f"# {line}" for line in c.splitlines()[:1]),
    "echo-to-file": lambda c: f"echo {quote(c)} >> docs/commands.md",
    "variable": lambda c: f'example={quote(c)}; echo "$example"',
    "no-op": lambda c: f": {quote(c)}",
    "test": lambda c: f"test {quote(c)} = ''",
}
"""Places where a command is data: the verdict stays allow."""
