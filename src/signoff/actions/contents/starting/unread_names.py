"""How a file names another one that it starts or loads: by its path, as a module, to a program.

is_named("/p/bin/x.sh", "/p/Makefile", "test:\\n\\t@bin/x.sh\\n", facts)            True
is_named("/p/a/np.py", "/p/tests/conftest.py", "from a import np\\n", facts)      True
is_named("/p/motd.txt", "/p/main.tf", 'command = "sh ${path.module}/motd.txt"')  True
is_named("/p/motd.txt", "/p/main.tf", 'source = "motd.txt"')                     False
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from signoff.actions.facts import Facts
from signoff.actions.known.test_runs import INTERPRETERS, OTHER_CODE
from signoff.actions.vocabulary import words

_STARTABLE = words("sh bash zsh py rb pl ps1 bat cmd exe so dylib dll jar run node appimage")
_MODULES = frozenset(INTERPRETERS) | OTHER_CODE | words(".lua .psm1 .psd1 .ex .exs .jl .r .tcl")
# Of these a path is only a text, unless it is loaded or started by a call.
_CODE = frozenset(INTERPRETERS) | OTHER_CODE - words(".tf .tofu .hcl .envrc .ps1")
_MANIFESTS = words(
    "Cargo.toml package.json pyproject.toml go.mod go.work Gemfile composer.json pubspec.yaml "
    "mix.exs deps.edn Package.swift dune-project"
)
_SHELL = words(".sh")
# How languages bring another file in, before its name in the same line.
_LOADS = (
    r"(?:\b(?:import|from|require\w*|include(?:_once)?|load|source|dofile|autoload"
    r"|Import-Module|using)\b|\b(?:RootModule|NestedModules)\s*=|(?:^|[;&|\s])\.\s)[^\n]{0,120}?"
)
# What stands before the folder that a path starts from: `$(dirname "$0")/`, `${path.module}/`.
_FOLDER = r"(?:[^\s\"'`;|&]*/|\"?\$\([^)\n]{0,60}\)\"?/)?"
_STARTS = (
    r"(?:^|[\s\"'`;|&@=(\[,])(?:(?:ba|z|da|k)?sh|python3?|node|deno|bun|ruby|perl|php|lua|pwsh"
    r"|powershell|Rscript|julia|tclsh|java|exec|source|\.)"
    r"(?:[\s\"',]+-[\w=-]+)*[\s\"',\]]+" + _FOLDER
)
_CALLS = (
    r"\b(?:run|call|Popen|system|exec\w*|spawn\w*|check_\w+|shell_exec|CDLL|dlopen|load_library"
    r"|Command(?:::new)?|ProcessBuilder|Process\.Start)\s*\(\s*[\[({]*\s*[\"']" + _FOLDER
)
_LOADING = (
    r"\b(?:exec_module|import_module|load_module|load_source|__import__|runpy|run_path|execfile|exec"
    r"|dlopen|dofile|Import-Module|(?:require\w*|include(?:_once)?|import|load|source)(?=\s*[\($]))\b"
    r"|(?:^|[;&|\s])(?:\.|source)\s+[\"']?\$"
)
# A file of recipes takes in others by their paths.
_INCLUDING = ("makefile", ".mk", "justfile", ".just")
_INCLUDES = r"^[ \t]*(?:-?s?include|import|mod)\b[^\n]{0,120}?" + _FOLDER
# A command begins a line of a recipe or a script, or follows another one.
_COMMANDS = r"(?:^[ \t]*[@+-]*|[;&|(][ \t]*|\b(?:cmds?|run|entry|exec)[\"']?:[ \t]*)[\"']?"
_DATA_KEYS = (
    r"\b(?:paths?|files?|data|inputs?|dep(?:s|endencies)?|outs?|outputs?|sources?|dictionar\w+"
    r"|words?\w*|model\w*|weights|image)\s*[\"']?\s*[:=][\s\"'-]*"
)


def is_named(path: str, by: str, text: str, facts: Facts) -> bool:
    """Return whether a file's text starts or loads another file.

    Args:
        path: what may be named, absolute.
        by: the file whose text it is, absolute.
    """
    folder, name = posixpath.split(path)
    stem, dot, ending = name.rpartition(".")
    if dot and f".{ending}" in _MODULES and _finds(_LOADS, stem, text):
        return True
    is_loaded = f".{ending}" in _MODULES or is_startable(path)
    if dot and is_loaded and _loads_all_of(posixpath.basename(folder), ending, text):
        return True
    is_code = posixpath.splitext(by)[1] in _CODE - _SHELL
    started: tuple[str, ...] = (_STARTS, _CALLS) if is_code else (_STARTS, f"{_COMMANDS}{_FOLDER}")
    spellings = [*_spellings(path, by, facts)]
    if folder == posixpath.dirname(by) and dot:
        spellings.append(name)
    if posixpath.basename(by).lower().endswith(_INCLUDING):
        started = (*started, _INCLUDES)
    if any([_finds(before, spelling, text) for spelling in spellings for before in started]):
        return True
    if is_code or not is_startable(path):
        return False
    is_manifest = posixpath.basename(by) in _MANIFESTS  # a path there is that of a dependency
    return any([_is_mentioned(spelling, text, is_manifest=is_manifest) for spelling in spellings])


def _loads_all_of(folder: str, ending: str, text: str) -> bool:
    """Tell code that loads every file of a folder: `for p in glob("plugins/*.py"): load(p)`."""
    if not folder or re.search(_LOADING, text) is None:
        return False
    joint = r"[\"']?[\s,/]*[\"']?/?"  # between the folder and the pattern, in one string or two
    named = rf"(?<![\w-]){re.escape(folder)}{joint}(?:\*\*/)?\*(?:\.{re.escape(ending)})?(?![\w.])"
    return re.search(named, text) is not None


def _is_mentioned(spelling: str, text: str, *, is_manifest: bool) -> bool:
    """Tell whether settings name a program by its path, and not as data of theirs."""
    return _finds("", spelling, text) and (is_manifest or not _finds(_DATA_KEYS, spelling, text))


def is_startable(path: str) -> bool:
    """Return whether a file may be a program, by its name: data and sources are not."""
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return not dot or ending.lower() in _STARTABLE


def may_run(path: str) -> bool:
    """Return whether a file may be a program or a module that one loads, by its name."""
    return is_startable(path) or posixpath.splitext(path)[1] in _MODULES


def _spellings(path: str, by: str, facts: Facts) -> Iterator[str]:
    """Yield how a file may be written in another: from the root, the home, the project, beside."""
    yield path
    for start in (facts.project, facts.home, posixpath.dirname(by)):
        below = path.removeprefix(f"{start.rstrip('/')}/") if start else path
        # A bare name may stand for anything; behind a slash it is a path.
        if below != path:
            yield below if "/" in below else f"/{below}"


def _finds(before: str, name: str, text: str) -> bool:
    edge = "" if name[:1] == "/" else r"(?<![\w.-])"
    return re.search(rf"(?m){before}{edge}{re.escape(name)}(?![\w/-])", text) is not None
