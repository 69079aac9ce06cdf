"""Fetched programs that the settings of a tool name: the tool starts them, the line does not.

A download that nobody looked at runs the same if the next line names it or if a file does that the
session wrote for the tool: a plug-in of a code generator, a hook of a watcher, a job of a runner.
Only files that belong to a tool of the line count, and only downloads that can be started.

    curl -o tools/gen-x URL ; buf.gen.yaml: `local: tools/gen-x` ; buf generate   tools/gen-x runs
    curl -o data/x.csv URL ; dvc.yaml: `- data/x.csv` ; dvc repro                 data, not started
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.facts import Facts
from signoff.actions.file_endings import ENDINGS
from signoff.actions.known.entry_points import runs_file
from signoff.actions.operation import FileKind
from signoff.actions.vocabulary import lazy_re, words

FILES_LIMIT = 16
TEXT_LIMIT = 65_536
# A tool reads its settings to show, check and format them as well: these words start nothing.
_SHOWING = words(
    "lint format fmt check validate config show list ls status version --version help --help -h"
)
# What stands before the tool that it starts.
_RUNNERS = words(
    "npx pnpm yarn bunx pnpx npm uv uvx poetry pipx bundle mise asdf go tool exec run dlx x -- -y "
    "sudo env time nice nohup command"
)
_STARTABLE = words("sh bash zsh py rb pl ps1 bat cmd exe so dylib dll jar run bin node appimage")
_DATA = frozenset({FileKind.DATA, FileKind.DOC, FileKind.SOURCE, FileKind.LOG, FileKind.LOCK})
_WORD = lazy_re(r"[\w.@+-]+")
_PARTS = lazy_re(r"[;|&\n()]+")


def named_programs(line: str, facts: Facts) -> Iterator[str]:
    """Yield the absolute paths of downloaded programs that a line's tools start by their files."""
    programs = [path for path in sorted(facts.downloaded) if _is_startable(path)][:FILES_LIMIT]
    if not programs:
        return
    for path in sorted(facts.written):
        fact = facts.files.get(path)
        if fact is not None and fact.text and path not in facts.downloaded:
            text = fact.text[:TEXT_LIMIT]
            named = [one for one in programs if _is_named(one, text, facts)]
            if named and _is_loaded(line, path):
                yield from named


def _is_startable(path: str) -> bool:
    """Whether a file may be a program, by its name: data and sources for a compiler are not."""
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    return not dot or ending.lower() in _STARTABLE or ENDINGS.get(ending.lower()) not in _DATA


def _is_named(path: str, text: str, facts: Facts) -> bool:
    """Whether a text names a file, from the root, from the home or from the project."""
    for start in (facts.project, facts.home):
        below = path.removeprefix(f"{start.rstrip('/')}/") if start else path
        if below != path:
            # A bare name may stand for anything; behind a slash it is a path.
            before = r"(?<![\w.-])" if "/" in below else r"(?<=/)"
            return re.search(rf"{before}{re.escape(below)}(?![\w/-])", text) is not None
    return path in text


def _is_loaded(line: str, path: str) -> bool:
    """Whether a part of a line starts a tool whose file this is, by the file's name or place."""
    if runs_file(line, path):
        return True
    first = _WORD.match(path.rpartition("/")[2].lstrip("."))
    name = first.group().lower() if first else ""
    for part in _PARTS.split(line):
        given = [word for word in part.split() if word not in _RUNNERS and "=" not in word]
        tool = given[0].rpartition("/")[2].lower() if given else ""
        is_own = len(tool) > 1 and name.startswith(tool) and not name[len(tool) :][:1].isalnum()
        if is_own and _SHOWING.isdisjoint(given[1:3]):
            return True
    return False
