"""Unread programs that stand where a program of their name is looked for first.

A download called `helm` in a folder of the search path is what runs as `helm`: by a recipe, a
script of a package, a task. The folder is on the search path if the line says so, or a file that
its tool loads, or because the tool always looks there.

    curl -o bin/helm URL ; PATH="$PWD/bin:$PATH" make up      bin/helm runs, if a recipe says helm
    curl -o node_modules/.bin/eslint URL ; npm run lint       node_modules/.bin/eslint runs
    curl -o bin/protoc-gen-x URL ; PATH="$PWD/bin:$PATH" protoc --x_out=gen a.proto      it runs
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from signoff.actions.contents.makefiles import recipe_lines
from signoff.actions.contents.starting.named_programs import unread_files
from signoff.actions.contents.starting.unread_names import is_startable
from signoff.actions.facts import Facts
from signoff.actions.known.entry_points import runs_file
from signoff.actions.vocabulary import lazy_re, words

PROGRAMS_LIMIT, TEXT_LIMIT = 8, 65_536
_PATH = lazy_re(
    r"(?m)(?:^|[\s;&(\"'])(?:export[ \t]+)?PATH[ \t]*[:?]?=[ \t]*(?P<value>[^\s;&]+)"
    r"|\bPATH_add[ \t]+(?P<added>\S+)"
)
_HERE = lazy_re(
    r"\$\{?PWD\}?|\$\(pwd\)|\$\((?:CURDIR|PWD)\)|\$\{CURDIR\}|\{\{\s*justfile_directory\(\)\s*\}\}"
)
_TOOL = lazy_re(
    r"(?:^|[\s;|&(])(?P<tool>g?make|just|task|go-task|npm|pnpm|yarn|bun|npx|bunx|rake|tox|nox|mise"
    r"|direnv|cargo|mvn|gradle|ant|poetry|uv|pdm|hatch|turbo|nx|bazel|scons|ninja|lerna|foreman"
    r"|overmind|dvc|snakemake|nextflow|pre-commit|lefthook|(?:ba|z|da|k)?sh|(?:\.{1,2}/)[\w./-]+)"
    r"(?=\s|$)(?P<given>[^;|&\n]*)"
)
_PARTS = lazy_re(r"[;|&\n()]+")
_NODE = words("npm pnpm yarn bun npx bunx turbo nx lerna")
# These look at packages and settings, and start nothing.
_LOOKS = words(
    "view info ls list outdated audit config get set pkg why search help -v --version --help -h -n "
    "--dry-run --just-print --list --summary -l version show completion"
)
_PACKAGES = "/node_modules/.bin"
_ENVIRONMENTS = ("/.venv/bin", "/venv/bin", "/env/bin")
_OF_USER = words(".local/bin bin go/bin .cargo/bin .npm-global/bin .bun/bin .deno/bin")


def shadowing_programs(line: str, folder: str, facts: Facts) -> Iterator[str]:
    """Yield the absolute paths of unread programs that run under a bare name.

    Args:
        folder: where the line runs, absolute.
    """
    unread = [path for path in sorted(unread_files(facts)) if is_startable(path)]
    if unread:
        yield from _plug_ins(line, folder, unread)
    started = _TOOL.search(line) if unread else None
    if started is None or not _LOOKS.isdisjoint(started["given"].split()[:2]):
        return
    texts = dict(_loaded(line, started["given"].split(), facts))
    said = [*_searched(line, folder)]
    for path, text in texts.items():
        said += _searched(text, posixpath.dirname(path))
    for path in unread[:PROGRAMS_LIMIT]:
        where, _, name = path.rpartition("/")
        is_kept_for_it = started["tool"] in _NODE and where.endswith(_PACKAGES)
        is_sure = is_kept_for_it or where in said
        if (is_sure and not texts) or (
            (is_sure or _is_of_tools(where, facts))
            and any([_says(name, text) for text in (started["given"], *texts.values())])
        ):
            yield path


def _plug_ins(line: str, folder: str, unread: list[str]) -> Iterator[str]:
    """Yield what a program of the line starts by a name that begins with its own: `protoc-gen-x`.

    So do git, kubectl, cargo, docker and many others with what lies on the search path.
    """
    said = [*_searched(line, folder)]
    started = {name for part in _PARTS.split(line) for name in _programs(part)} if said else set()
    for path in unread[:PROGRAMS_LIMIT]:
        where, _, name = path.rpartition("/")
        if where in said and any([name.startswith(f"{one}-") for one in started]):
            yield path


def _programs(part: str) -> Iterator[str]:
    """Yield the program of a part of a line, behind the variables that it sets."""
    for word in part.split():
        if "=" not in word:
            yield word.rpartition("/")[2]
            return


def _loaded(line: str, given: list[str], facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield what the tool of a line runs of the files that are known, by absolute path."""
    for path, fact in facts.files.items():
        if not fact.text or path[:1] != "/":
            continue
        name = path.rpartition("/")[2]
        text = fact.text[:TEXT_LIMIT]
        if name.lower().endswith("makefile") and runs_file(line, path):
            yield path, _recipes(text, given)
        elif runs_file(line, path) or name in {"package.json", ".envrc"} or _is_given(name, line):
            yield path, text


def _recipes(text: str, given: list[str]) -> str:
    """Return the recipes of the targets that make is given, with the lines outside of recipes."""
    targets = [word for word in given if word[:1] != "-" and "=" not in word]
    outside = [one for one in text.splitlines() if one[:1] != "\t"]
    return "\n".join([*recipe_lines(text, targets), *[one for one in outside if "=" in one]])


def _is_given(name: str, line: str) -> bool:
    """Tell whether a line names a script: a word of it ends in the name."""
    return any([word.rpartition("/")[2] == name for word in line.split()])


def _searched(text: str, folder: str) -> Iterator[str]:
    """Yield the folders that a text puts on the search path, absolute."""
    for found in _PATH.finditer(text) if "PATH" in text else ():
        for part in (found["value"] or found["added"] or "").split(":"):
            plain = _HERE.sub(folder, part.strip("\"'\\,}"))
            if plain and "$" not in plain and plain[:1] != "~":
                yield posixpath.normpath(posixpath.join(folder, plain))


def _is_of_tools(folder: str, facts: Facts) -> bool:
    """Tell whether a folder is on the usual search path, as `/usr/local/bin` or `.venv/bin` is."""
    if folder.endswith((_PACKAGES, *_ENVIRONMENTS)) or folder == "/usr/local/bin":
        return True
    home = facts.home.rstrip("/")
    return bool(home) and folder.removeprefix(f"{home}/") in _OF_USER


def _says(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])", text) is not None
