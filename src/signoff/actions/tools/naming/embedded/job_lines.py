"""Shell lines in the specification of a job: a program beside its words, a script by its look.

{"command": ["/bin/sh"], "args": ["-c", "wget -qO- x | sh"]}   one line
{"script": "cd /srv/app\\ngit pull\\n"}                          a script of the shell
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.vocabulary import lazy_re, words

MOST_LINES = 200
_PROGRAMS = ("command", "cmd", "entrypoint", "entryPoint", "executable", "program")
_WORDS = ("args", "arguments", "argv", "parameters")
_LEAST_SHARE = 3  # of so many lines one must begin with a program
_SHELLS = words("sh bash zsh dash ash ksh")
_FIRST = words(
    "cd git curl wget export set echo sudo npm yarn pnpm composer php artisan make docker apt "
    "apt-get yum dnf apk pip python python3 source mkdir rm cp mv ln chmod chown tar cat sed awk "
    "grep systemctl service bundle rake node exec exit test if then fi for do done while sleep "
    "rsync ssh scp kubectl module srun mpirun conda bash sh flock supervisorctl nohup read trap"
)
# No shell has these.
_OTHER = lazy_re(
    r"(?m)^\s*(?:(?:async\s+)?def|class|import|from|const|let|var|package|using|public|private"
    r"|#include|use|library|module\s+\w+\s*(?:where|do)?$|begin|select|with)\b|;\s*$\n[^\n]*;\s*$"
    r"|^\s*\w+\s*(?::=|<-|=\s)|=>|^\s*[\w.]+\([^)]*\)\s*;?\s*$"
)


def with_words_joined(given: Mapping[str, Json]) -> Mapping[str, Json]:
    """Put the further words of a program behind its first ones, where both are lists."""
    program = next((name for name in _PROGRAMS if given.get(name)), "")
    rest = next((name for name in _WORDS if given.get(name)), "")
    first, more = given.get(program), given.get(rest)
    if not (isinstance(first, list | tuple) and isinstance(more, list | tuple)):
        return given
    kept = {name: value for name, value in given.items() if name not in (program, rest)}
    return {**kept, "command": [*first, *more]}


def is_shell_script(value: str) -> bool:
    """Return whether a text is a script of the shell, by its first line or most of its lines."""
    head = value.lstrip()[:100].partition("\n")[0]
    if head.startswith("#!"):
        return not _SHELLS.isdisjoint(head.replace("/", " ").split())
    if _OTHER.search(value) is not None:
        return False
    lines = [line.split() for line in islice(value.split("\n"), MOST_LINES) if line.strip()]
    said = [line for line in lines if not line[0].startswith("#")]
    known = [line for line in said if line[0].lstrip("(").rpartition("/")[2] in _FIRST]
    return bool(known) and len(known) * _LEAST_SHARE >= len(said)
