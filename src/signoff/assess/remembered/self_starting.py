"""Scripts that start by themselves since a session named them in a hook, unit, job or setting.

Whoever edits such a script later changes what runs without anybody asking for it: the new text is
judged as what it will do. What a session remembers is a mark a script:

    starts:/p/tools/lint_msg.py     a hook runs it at every commit

    starting_marks(operations, call)    the marks of one call
    new_runs(action, facts)             what the new text of such a script does, as calls
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Collection, Iterator

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import FileKind, Operation, Operations, ResourceType, Verb
from signoff.actions.paths import is_inside
from signoff.actions.shell.reader import read_shell
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import Call
from signoff.values import replace

PREFIX = "starts:"
PATHS_LIMIT = 8  # scripts of one call
TEXT_LIMIT = 65_536
_STARTING = frozenset({FileKind.GIT_HOOK, FileKind.SCHEDULE, FileKind.SHELL_STARTUP})
_SCRIPT = lazy_re(
    r"(?<![\w./~-])(?:\.{0,2}/|~/|%h/|\$HOME/)?[\w.-]+(?:/[\w.-]+)*"
    r"\.(?:sh|bash|py|[cm]?js|rb|pl|php)(?![\w/-])|(?<![\w.])(?:~|%h|\$HOME)?/[\w.-]+(?:/[\w.-]+)+"
)
# Which option makes an interpreter run a text.
_INLINE = {
    **dict.fromkeys((".py",), "python3 -c"),
    **dict.fromkeys((".js", ".cjs", ".mjs"), "node -e"),
    ".rb": "ruby -e",
    ".pl": "perl -e",
    ".php": "php -r",
}
_NEW = ("content", "new_string", "new_str", "file_text")


def starting_marks(operations: Operations, call: Call) -> Iterator[str]:
    """Yield a mark for each script that a call makes start by itself."""
    if not any(map(_makes_start, operations)):
        return
    place = place_of(call.action, call.facts)
    found: dict[str, None] = {}
    for text in strings_of(call.action.arguments):
        for name in _SCRIPT.findall(text[:TEXT_LIMIT]):
            plain = name.replace("%h", place.home).replace("$HOME", place.home)
            plain = posixpath.join(place.home, plain[2:]) if plain[:2] == "~/" else plain
            found[posixpath.normpath(posixpath.join(place.project or place.cwd, plain))] = None
    for path in [path for path in found if is_inside(path, place.home)][:PATHS_LIMIT]:
        yield f"{PREFIX}{path}"


def new_runs(action: Action, facts: Facts) -> Iterator[Action]:
    """Yield what the new text of a script that starts by itself does, as a shell line each."""
    started = {mark.removeprefix(PREFIX) for mark in facts.created if mark.startswith(PREFIX)}
    for path, text in _new_texts(action, facts, started) if started else ():
        if path in started:
            start = _INLINE.get(posixpath.splitext(path)[1])
            line = f"{start} {shlex.quote(text)}" if start else text
            yield replace(action, tool="Bash", arguments={"command": line})


def _new_texts(action: Action, facts: Facts, started: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the absolute paths and new texts of the files that a call writes."""
    line = action.text("command")
    if line:
        names = [path.rpartition("/")[2] for path in started]
        if any([name in line for name in names]):
            home = {"HOME": place_of(action, facts).home}
            yield from read_shell(f"{line}\n:", cwd=action.cwd, variables=home).files
        return
    path = next((action.text(name) for name in ("file_path", "path") if action.text(name)), "")
    path = posixpath.normpath(posixpath.join(action.cwd or "/", path))
    yield from [(path, action.text(name)[:TEXT_LIMIT]) for name in _NEW if action.text(name)]


def _makes_start(op: Operation) -> bool:
    if op.verb is Verb.PERSIST or (op.verb is Verb.WRITE and op.file_kind in _STARTING):
        return True
    # `npm pkg set scripts.pretest=...`: a setting with a line in it.
    return op.verb in {Verb.WRITE, Verb.CONFIGURE} and op.thing is ResourceType.SETTING
