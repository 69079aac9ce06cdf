"""Recipes of make that a variable leads out of the project: `rm -rf $(OUT)` with `OUT = $(HOME)`.

The variable may stand in the Makefile, in a file it includes, on the command line or in the
environment. A recipe is ordinary work of the project; only lines that delete or overwrite at such
a place are taken apart.

    config.mk `OUT = $(HOME)`, Makefile `clean: rm -rf $(OUT)/*`; make clean
        -> what `rm -rf $HOME/*` does
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from shlex import quote

from signoff.actions.contents.makefiles import included_files, lines_by_variables
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.vocabulary import lazy_re2

MAKEFILES = ("GNUmakefile", "makefile", "Makefile", "BSDmakefile")
MAX_FILES = 8
MAX_LINES = 20
_DESTROYS = lazy_re2(
    r"(?:^|[\s;&|(/@-])(?:rm|rmdir|unlink|shred|truncate|dd|mkfs\S*|wipefs|mv|rsync|chown|chmod|find"
    r"|xargs|rclone|robocopy|tee)\s|>"
)
# A word that begins at the root, at the home folder or above the current folder.
_LEAVES = lazy_re2(r"(?:^|[\s=\"'>])(?:/|~|\$\{?HOME\b|\.\.(?:/|\s|$))")
_STREAMS = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty")


def lines_that_leave(call: ProgramCall, targets: Sequence[str]) -> Iterator[Nested]:
    """Yield the lines of the recipes that a variable leads out of the project."""
    folder = "/".join([word.text for word in call.values("-C", "--directory")])
    text = _texts(call, folder)
    if not text or _DESTROYS.search(text) is None:
        return
    given = dict(_split(word) for word in call.texts if "=" in word)
    around = {name: word.text for name, word in call.command.assignments if word.is_known}
    found = lines_by_variables(text, targets, given=given, around=around)
    for line in [line for line in found if _leaves(line)][:MAX_LINES]:
        inside = f"cd {quote(folder)} && {line}" if folder else line
        yield Nested(text=inside, language="shell", carrier="make")


def _leaves(line: str) -> bool:
    for stream in _STREAMS:
        line = line.replace(stream, "")
    return _DESTROYS.search(line) is not None and _LEAVES.search(line) is not None


def _split(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name.rstrip(":?+!"), value


def _texts(call: ProgramCall, folder: str) -> str:
    """Return the text of the Makefile with what it includes, "" where it was not looked at."""
    named = [word.text for word in call.values("-f", "--file", "--makefile") if word.is_known]
    todo, seen = [*named] or [*MAKEFILES], dict[str, str]()
    while todo and len(seen) < MAX_FILES:
        name = todo.pop(0)
        fact = call.place.files.get(locate(posixpath.join(folder, name), call.place).path)
        if name in seen or fact is None or not fact.text:
            continue
        seen[name] = fact.text
        todo += included_files(fact.text)
    return "\n".join(seen.values())
