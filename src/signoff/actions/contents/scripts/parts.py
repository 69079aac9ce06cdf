"""The parts of a file that a shell runs, each with its language.

A script is one part. Of all else the parts are its recipes and the values of the keys that are run.

    script_parts("rm -rf ~\\n", where)            of `x.sh`: (ScriptPart("shell", "rm -rf ~\\n"),)
    script_parts("shell_command:\\n  a: ls", ..)  of `x.yaml`: (ScriptPart("shell", "ls"),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import re2

from signoff.actions.contents.makefiles import recipe_lines
from signoff.actions.contents.packages import scripts_in
from signoff.actions.contents.programs import quoted_shell
from signoff.actions.contents.schedules import scheduled_lines
from signoff.actions.contents.scripts.batch_files import batch_lines
from signoff.actions.contents.scripts.harm_words import can_harm
from signoff.actions.contents.scripts.hook_lines import hook_lines, with_variables
from signoff.actions.contents.scripts.keyed_values import keyed_values
from signoff.actions.contents.scripts.part import POWERSHELL, PYTHON, SHELL, ScriptPart
from signoff.actions.contents.scripts.recipes import just_lines, snakemake_code
from signoff.actions.contents.scripts.shell_literals import shell_literals
from signoff.actions.contents.starting.called_lines import called_lines
from signoff.actions.contents.starting.guard_programs import lines_to_others
from signoff.actions.operation import FileKind
from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re2, words

LONGEST = 8_000  # characters of a script that are read as one
LONGEST_LINE = 4_000
MOST_CHARS = 16_000  # of all parts
MOST = 200
MOST_SEEN = 2_000  # equal ones count once
_ALL_TARGETS = ("",)  # no target of that name: any recipe may run
_QUIET = frozenset({FileKind.TEST, FileKind.DOC, FileKind.GENERATED, FileKind.LOCK, FileKind.LOG})
_SHELLS = words("sh bash zsh ksh dash ash command sbatch slurm pbs lsf qsub envrc")
_POWERSHELLS = words("ps1 psm1")
_BATCHES = words("bat cmd")
_SHEBANG = lazy_re2(r"^#![^\n]*\b(?:ba|z|da|k|a|mk)?sh\b|^#!/sbin/openrc-run|^#![^\n]*rc\.common")
_POWERSHELL_SHEBANG = lazy_re2(r"^#![^\n]*\bpwsh\b")
# What init systems and package managers run by a name without an ending.
_NAMED_SCRIPT = lazy_re2(
    r"(?i)/(?:init\.d|rc\d?\.d|rcs\.d|profile\.d|cron\.(?:hourly|daily|weekly|monthly))/[\w.-]+$"
    r"|/(?:rc\.local|(?:[\w.+-]+\.)?(?:pre|post)(?:inst|rm))$|/\.husky/[\w-]+$"
)
_MAKEFILE = lazy_re2(r"(?i)(?:^|/)(?:gnu)?makefile(?:\.\w+)?$|\.(?:mk|mak)$")
_JUSTFILE = lazy_re2(r"(?i)(?:^|/)\.?justfile$|\.just$")
_SNAKEFILE = lazy_re2(r"(?i)(?:^|/)snakefile$|\.smk$")
_RUBY = lazy_re2(r"(?i)(?:^|/)(?:rakefile|fastfile|jenkinsfile|capfile)$|\.(?:rake|jenkinsfile)$")
# Sources and build files of languages that start programs by a call.
_CODE = lazy_re2(
    r"(?i)\.(?:py|[cm]?[jt]s|go|rs|rb|rake|kts?|gradle|groovy|java|scala|sbt|cs|fs|fsx|php|pl|r|jl|lua|exs?|swift|nim|cr|dart)$"
    r"|(?:^|/)(?:rakefile|fastfile|jenkinsfile|capfile|sconstruct|noxfile)$"
)
# Their lines are read only where they erase, plant a key or run what they fetch.
_MORE_CODE = lazy_re2(
    r"(?i)\.(?:c|cc|cpp|cxx|h|hpp|m|mm|erl|hrl|hs|clj[cs]?|gd|vala|zig|d|ml|v|pas|dpr|tcl|nf|ex|ipynb|vue|svelte|tsx|jsx|fsx?|raku)$"
)
_CRON = lazy_re2(
    r"(?i)(?:^|/)(?:crontab(?:[.-][\w-]+)?|[\w-]+[.-]crontab|cron\.d/[\w.-]+)$|\.cron(?:tab)?$"
)
_KEYED = words(
    "yml yaml json toml ini cfg conf service timer socket hcl nomad xml j2 tpl tmpl config sls"
    " tf tofu nix"
)
_UNITS = (".service", ".timer", ".socket", ".crontab", ".cron", ".postinst", ".postrm", ".rules")
_SQL = lazy_re2(r"(?i)\.(?:sql|psql|ddl|pks|pkb|prc)$")
_PACKAGE = lazy_re2(r"(?i)(?:^|/)package\.json$")
# Lines that a database hands to the shell of its machine.
_SERVER_LINE = lazy_re2(
    r"(?i)\b(?:(?:to|from)\s+program|xp_cmdshell|sys_exec\s*\(|dbms_java\.\w+\s*\()\s*N?'((?:[^'\n]|'')+)'"
)
# A line that psql hands to the shell of its own machine.
_CLIENT_LINE = lazy_re2(r"(?m)^\s*\\!\s*(\S[^\n]*)$")


def script_parts(text: str, where: Located) -> tuple[ScriptPart, ...]:
    """Return the parts of a new text that a shell runs and that can do harm."""
    is_quiet = where.kind in _QUIET and not _is_unit(where)
    if is_quiet or not can_harm(text):
        return ()
    found: list[ScriptPart] = []
    size = 0
    for part in islice(dict.fromkeys(islice(_parts(text, where), MOST_SEEN)), MOST):
        size += len(part.text)
        if size > MOST_CHARS:
            break
        found.append(part)
    return tuple(found)


def _is_unit(where: Located) -> bool:
    """Whether a file of a folder for output is one that only people write: a unit, a job."""
    return where.kind is FileKind.GENERATED and where.path.lower().endswith(_UNITS)


def _parts(text: str, where: Located) -> Iterator[ScriptPart]:
    path = where.path.replace("\\", "/")
    ending = path.lower().rpartition("/")[2].rpartition(".")[2]
    if ending in _POWERSHELLS or _POWERSHELL_SHEBANG.search(text):
        yield from _whole(POWERSHELL, text)
    elif ending in _BATCHES:
        yield from _lines(SHELL, batch_lines(text))
    elif ending in _SHELLS or _SHEBANG.search(text) or _NAMED_SCRIPT.search(path):
        yield from _whole(SHELL, text)
    else:
        yield from _of_format(text, path, ending)


def _of_format(text: str, path: str, ending: str) -> Iterator[ScriptPart]:
    if _CODE.search(path) is not None:
        yield from [ScriptPart(SHELL, one) for one in lines_to_others(text, path)]
    is_code = _CODE.search(path) is not None or _MORE_CODE.search(path) is not None
    if is_code:
        yield from [ScriptPart(SHELL, one) for one in called_lines(text, path)]
    for named, lines_of in _READERS:
        if named.search(path) is not None:
            yield from _lines(SHELL, lines_of(text))
            return
    if _SNAKEFILE.search(path):
        code = snakemake_code(text)
        yield from (ScriptPart(PYTHON, code),) if code else ()
    else:
        lines = (*hook_lines(text), *(() if is_code else shell_literals(text, path)))
        yield from [ScriptPart(SHELL, one) for one in lines if can_harm(one)]
    if ending in _KEYED:
        parts = keyed_values(with_variables(text))
        yield from [part for part in parts if can_harm(part.text)]


def _all_recipes(text: str) -> tuple[str, ...]:
    return recipe_lines(text, _ALL_TARGETS)


def _scripts_of_package(text: str) -> tuple[str, ...]:
    return tuple(scripts_in(text).values())


def _server_lines(text: str) -> tuple[str, ...]:
    found = islice(_SERVER_LINE.finditer(text), MOST)
    lines = [str(match.group(1)).replace("''", "'") for match in found]
    return (*lines, *(str(match.group(1)) for match in islice(_CLIENT_LINE.finditer(text), MOST)))


# Formats of lines, by names of files.
_READERS: tuple[tuple[re2._Regexp[str], Callable[[str], tuple[str, ...]]], ...] = (
    (_MAKEFILE, _all_recipes),
    (_JUSTFILE, just_lines),
    (_RUBY, quoted_shell),
    (_CRON, scheduled_lines),
    (_PACKAGE, _scripts_of_package),
    (_SQL, _server_lines),
)


def _whole(language: str, text: str) -> Iterator[ScriptPart]:
    """A script as one part: what a line sets another uses. Of a long one the telling lines."""
    if len(text) <= LONGEST:
        yield ScriptPart(language, text)
    if len(text) > LONGEST or language == POWERSHELL:
        yield from _lines(language, tuple(text.replace("\\\n", " ").split("\n")))


def _lines(language: str, lines: tuple[str, ...]) -> Iterator[ScriptPart]:
    for line in lines:
        if len(line) <= LONGEST_LINE and can_harm(line) and not line.lstrip().startswith("#"):
            yield ScriptPart(language, line)
