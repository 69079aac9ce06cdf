"""Which files a call runs without naming them as scripts: tests, modules, what a session wrote.

`python3 -m unittest test_tool` names no file and runs `test_tool.py`; `pytest` and `npm test` run
whatever tests there are. Reads text, no files: paths come back as they would be looked at.

    files_of_run("python3 -m unittest a.test_b.C")     -> ("a/test_b/C.py", "a/test_b.py", "a.py")
    is_test("/p/tests/x.py")                           -> True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from signoff.actions.known.entry_points import imported_files
from signoff.actions.vocabulary import lazy_re, words

LINE_LIMIT = 4_096
MODULES_LIMIT = 8  # of one line
WRITTEN_LIMIT = 32  # files of a session that are looked at for one run
INTERPRETERS = {
    ".py": "python3",
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
    ".rb": "ruby",
    ".sh": "sh",
    ".php": "php",
    ".pl": "perl",
}
# What a run may read beside its code; documents are for people.
COMPILED = words(
    ".c .cc .cpp .cxx .m .go .rs .zig .nim .d .swift .java .kt .cs .hs .ml .cr .v .pas"
)
OTHER_CODE = COMPILED | words(".ts .mts .cts .tf .tofu .gradle .kts .hcl .envrc .ps1")
READ_ALONG = OTHER_CODE | words(
    ".json .toml .yaml .yml .ini .cfg .conf .env .txt .csv .xml .properties .ex .exs .lua .psm1"
    " .npmrc .psd1 .cmake .mk .just .bzl .nix .dart .scala .groovy .clj .jl .r .tcl .ipynb"
)
SERVICES = words(".service .timer .socket .path .plist")
TEST_FOLDERS = words("test tests spec specs __tests__ e2e")
# Whatever runs code of the project: tests, tasks, interpreters, programs by their paths.
# Wide on purpose: a line that runs nothing of the project only costs a look at a few files.
_RUNNER = lazy_re(
    r"(?:^|[\s;|&(])(?:python[\d.]*|pypy3?|node|deno|bun|ruby|php|perl|uv|poetry|npm|npx|yarn|pnpm"
    r"|make|just|task|tox|nox|hatch|pdm|rake|bundle|composer|cargo|go|mvn|gradle|\S*test\S*|\S*spec\S*"
    r"|jest|mocha|ava|karma|jasmine|behave|robot|coverage|trial|ward|bash|sh|tsx|ts-node|java|javac|direnv"
    r"|terraform|tofu|terragrunt|ansible-playbook|vite|webpack|rollup|next|gulp|grunt|bunx|pnpx"
    r"|mise|poe|taskipy|makers|cargo-make|rye|pixi|inv|invoke|fab|go-task|jupyter\S*|papermill|ipython"
    r"|nbconvert|quarto|systemctl|launchctl|git\s[^;|&]*\b(?:commit|switch|checkout|merge|pull|push|rebase|am|revert"
    r"|cherry-pick|worktree)|gdb|dotnet|PATH=\S+|\.?\.?/\S+|[\w.-]+/\S+)(?:\s|$)"
)
_TESTING = lazy_re(
    r"(?i)test|spec|\btox\b|\bnox\b|\bjest\b|\bmocha\b|\bava\b|\bkarma\b|\bjasmine\b|\bbehave\b"
    r"|\brobot\b|\bcoverage\b|\btrial\b|\bward\b|\bmake\b|\bjust\b|\btask\b|\brake\b"
)
_PYTHON = lazy_re(r"(?:^|[/;&|(])(?:python[\d.]*|pypy3?)\Z")
_DOTTED = lazy_re(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z")


def runs_code(line: str) -> bool:
    """Return whether a line may run code of the project."""
    return _RUNNER.search(line[:LINE_LIMIT]) is not None


def runs_tests(line: str) -> bool:
    """Return whether a line may run tests that it does not name."""
    return _TESTING.search(line[:LINE_LIMIT]) is not None


def files_of_run(line: str) -> tuple[str, ...]:
    """Return the files that module and test names in a line may refer to."""
    given = line[:LINE_LIMIT].replace("'", "").replace('"', "").split()
    found: list[str] = [word.partition("::")[0] for word in given if "::" in word]
    if "import" in line or "require(" in line:
        found += imported_files(line[:LINE_LIMIT])
    for name in dict.fromkeys(_modules(given)):
        found += _files_of(name)
    return tuple(dict.fromkeys(path for path in found if path))[: 3 * MODULES_LIMIT]


def _modules(given: list[str]) -> Iterator[str]:
    """Yield the modules that are run: the one behind `-m`, and behind `unittest` all names."""
    is_python = is_unittest = False
    for before, word in pairwise(given):
        is_python = _PYTHON.search(before) is not None or (is_python and before[:1] == "-")
        if before == "-m" and is_python:
            is_unittest = word == "unittest"
            if _DOTTED.match(word) and not is_unittest:
                yield word
        elif is_unittest and _DOTTED.match(word):
            yield word


def _files_of(module: str) -> Iterator[str]:
    """Yield the files a dotted name may stand for: a module, a package, a class in a module."""
    parts = module.split(".")
    yield f"{'/'.join(parts)}/__main__.py"
    for end in range(len(parts), max(0, len(parts) - 3), -1):
        yield f"{'/'.join(parts[:end])}.py"


def is_test(path: str) -> bool:
    """Return whether a file is run as a test, or loaded with every test."""
    *folders, name = path.split("/")
    stem, _, ending = name.rpartition(".")
    # Compiled tests run through their build tool, and are read along with it.
    if f".{ending}" not in INTERPRETERS:
        return False
    if stem == "conftest" or stem.startswith("test"):
        return True
    return stem.endswith(("_test", ".test", "_spec", ".spec", "_tests")) or not (
        TEST_FOLDERS.isdisjoint(folders)
    )


def to_look_at(written: Iterable[str], folder: str) -> tuple[str, ...]:
    """Return the session's files that a test run in a folder may use, tests first."""
    below = f"{folder.rstrip('/')}/"
    chosen = [
        path
        for path in written
        # A manager of services reads its units wherever they lie.
        if (path.startswith(below) and _is_read(path)) or f".{path.rpartition('.')[2]}" in SERVICES
    ]
    return tuple(sorted(chosen, key=lambda path: (not is_test(path), path))[:WRITTEN_LIMIT])


def _is_read(path: str) -> bool:
    name = path.rpartition("/")[2]
    ending = f".{name.rpartition('.')[2]}" if "." in name else ""
    is_known = ending in INTERPRETERS or ending in READ_ALONG or not ending
    return is_known or name.startswith(".env.")
