"""Unread programs that files of the session name: a tool starts them, the line does not.

A download that nobody looked at, or a text that was decoded, runs the same if the next line names
it or if a file does that the line runs: a plug-in of a code generator, a recipe of a build file, a
module that the start of the tests loads, a script in a scheduled job. Only files that a tool of the
line runs count, and only what can be started, or is started there by an interpreter.

    curl -o tools/gen-x URL ; buf.gen.yaml: `local: tools/gen-x` ; buf generate   tools/gen-x runs
    curl -o src/np.py URL ; conftest.py: `from src import np` ; pytest            src/np.py runs
    curl -o lib/h.py URL ; main.py: `from lib import h` ; python main.py         lib/h.py runs
    xxd -r -p a.hex bin/x ; Makefile: `@bin/x` ; make                             bin/x runs
    curl -o data/x.csv URL ; dvc.yaml: `- data/x.csv` ; dvc repro                 data, not started
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import pairwise

from signoff.actions.contents.starting.unread_names import is_named
from signoff.actions.facts import Facts
from signoff.actions.known.entry_points import runs_file
from signoff.actions.known.test_runs import runs_tests
from signoff.actions.operation import Operations, Verb
from signoff.actions.vocabulary import lazy_re, words

DECODED_MARK = "decoded:"  # of the path of a file, among what the session made
LOADED = "loads:"  # a tool and the path of what its settings start, set by a command
_ALIAS = "alias."
FILES_LIMIT = 16
TEXT_LIMIT = 65_536
# A tool reads its settings to show, check and format them as well: these words start nothing.
_SHOWING = words(
    "lint format fmt check validate config show list ls status version --version help --help -h"
)
_SETTING = _SHOWING | words("get set unset delete pkg edit")
# What stands before the tool that it starts.
_RUNNERS = words(
    "npx pnpm yarn bunx pnpx npm uv uvx poetry pipx bundle mise asdf go tool exec run dlx x -- -y "
    "sudo env time nice nohup command"
)
_NODE = words("npm pnpm yarn bun npx")
# A file of tests, in any language: in their folder, or by its name.
_TEST = lazy_re(r"(?i)(?:^|[/_.-])(?:tests?|specs?|conftest)(?=[/_.-])")
_PATH = lazy_re(r"[\w.-]*/[\w./-]+")
_WORD = lazy_re(r"[\w.@+-]+")
_PARTS = lazy_re(r"[;|&\n()]+")


def named_programs(line: str, facts: Facts, operations: Operations = ()) -> Iterator[str]:
    """Yield the absolute paths of unread programs that a line's tools start by their files.

    Args:
        operations: those of the line: a script that it runs loads what it names.
    """
    unread = sorted(unread_files(facts))[:FILES_LIMIT]
    folders = [path for path in sorted(facts.downloaded) if path[-1:] == "/"][:FILES_LIMIT]
    if not unread and not folders:
        return
    for mark in facts.created:
        if mark.startswith(LOADED):
            tool, _, path = mark.removeprefix(LOADED).partition(":")
            if path in unread and _starts_tool(line, tool):
                yield path
    running = {op.path for op in operations if op.verb is Verb.EXECUTE and op.path}
    for path in sorted(running | facts.written):
        fact = facts.files.get(path)
        if fact is not None and fact.text and path not in unread:
            text = fact.text[:TEXT_LIMIT]
            may_be = [*unread, *_inside(folders, text, facts)]
            named = [one for one in may_be if is_named(one, path, text, facts)]
            if named and (path in running or _is_loaded(line, path)):
                yield from named


def _inside(folders: Sequence[str], text: str, facts: Facts) -> Iterator[str]:
    """Yield the paths in a text that lie in unpacked or cloned folders which nobody looked at."""
    found: dict[str, None] = {}
    for folder in folders:
        name = folder.rstrip("/").rpartition("/")[2]
        for word in _PATH.findall(text) if f"{name}/" in text else ():
            path = posixpath.normpath(posixpath.join(facts.project or "/", word))
            if path.startswith(folder) and path not in facts.written:
                found[path] = None
    yield from tuple(found)[:FILES_LIMIT]


def unread_files(facts: Facts) -> set[str]:
    """Return the single files that nobody has read: fetched ones, and decoded ones."""
    decoded = [
        mark.removeprefix(DECODED_MARK) for mark in facts.created if mark.startswith(DECODED_MARK)
    ]
    return {path for path in (*facts.downloaded, *decoded) if path[-1:] != "/"}


def loaded_by(texts: list[str], folder: str, facts: Facts) -> Iterator[str]:
    """Yield a session mark for each program file that a new setting of a tool will start.

    For an alias of git (`git config alias.x '!node b'`) every word counts, as its file may be
    downloaded later; for other tools (`x set a='node b'`) only files that nobody has read.

    Args:
        texts: the words of the command that writes the setting.
        folder: the folder that relative paths start from.
    """
    for name, value in pairwise(texts) if texts[:1] == ["git"] else ():
        if name.startswith(_ALIAS) and value.startswith("!"):
            for word in value[1:].split():
                path = posixpath.normpath(posixpath.join(folder, word))
                yield f"{LOADED}git {name.removeprefix(_ALIAS)}:{path}"
    unread = unread_files(facts)
    for text in texts[1:] if unread else ():
        lines = [one for one in text.split("=", 1) if " " in one]
        for word in [word for line in lines for word in line.split()]:
            path = posixpath.normpath(posixpath.join(folder, word))
            if path in unread:
                yield f"{LOADED}{texts[0]}:{path}"


def _starts_tool(line: str, tool: str) -> bool:
    """Whether a line starts a tool, or one that reads the same settings."""
    tool, _, command = tool.partition(" ")
    names = _NODE if tool in _NODE else {tool}
    for part in _PARTS.split(line):
        given = part.split()
        is_it = bool(given) and given[0].rpartition("/")[2] in names
        is_it = is_it and (not command or command in given[1:4])
        if is_it and _SETTING.isdisjoint(given[1:3]):
            return True
    return False


def _is_loaded(line: str, path: str) -> bool:
    """Whether a part of a line starts a tool whose file this is, by the file's name or place."""
    if runs_file(line, path) or (_TEST.search(path) is not None and runs_tests(line)):
        return True
    folder, _, own = path.rpartition("/")
    # `.cargo/config.toml`: in the folder of a tool the folder tells whose settings these are.
    folder = folder.rpartition("/")[2]
    first = _WORD.match((folder if folder[:1] == "." else own).lstrip("."))
    name = first.group().lower() if first else ""
    for part in _PARTS.split(line):
        given = [word for word in part.split() if word not in _RUNNERS and "=" not in word]
        tool = given[0].rpartition("/")[2].lower() if given else ""
        is_own = len(tool) > 1 and name.startswith(tool) and not name[len(tool) :][:1].isalnum()
        if name == "npmrc":  # its options of Node hold for every script of a package
            is_own, given = not _NODE.isdisjoint(part.split()[:2]), part.split()
        if is_own and _SHOWING.isdisjoint(given[1:3]):
            return True
    return False
