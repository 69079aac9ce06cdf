"""What a test run runs: each test file it names, and each one the session wrote, as a call.

A test runner is ordinary work whatever it runs, so its line says nothing of what happens. The
files it runs are judged by their content as scripts are; only what would be refused by itself
counts, as tests do much that would be asked about elsewhere.

    runs_of(action, facts, operations)      [Action(command="python3 /p/test_tool.py"), ...]
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterable, Iterator

from signoff.actions.action import Action
from signoff.actions.contents.imported_code import joined_texts
from signoff.actions.contents.makefiles import recipe_lines
from signoff.actions.contents.starting.named_programs import named_programs
from signoff.actions.facts import Facts, FileFact
from signoff.actions.known.entry_points import (
    imported_files,
    is_code,
    runs_file,
    started_lines,
    typed_files,
)
from signoff.actions.known.shell_lines import UNREAD_LINES
from signoff.actions.known.test_runs import (
    COMPILED,
    INTERPRETERS,
    files_of_run,
    is_test,
    runs_tests,
)
from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import lazy_re
from signoff.assess.remembered.kept_texts import kept_runs
from signoff.assess.remembered.self_starting import new_runs
from signoff.assess.written.given_params import filled_lines
from signoff.assess.written.given_words import lines_with_words
from signoff.assess.written.handed_settings import handed_calls
from signoff.assess.written.notebook_cells import cells_run
from signoff.assess.written.shadowed import shadowing_programs
from signoff.values import replace

FILES_LIMIT = 8
CALLS_LIMIT = 400
LINE_LIMIT = 4_096
TEXT_LIMIT = 20_000
_MADE = lazy_re(r"(?:^|[\s;|&(/])g?make((?:\s+[^\s;|&<>]+)*)")


def runs_of(action: Action, facts: Facts, operations: Operations) -> tuple[Action, ...]:
    """Return a further call to judge for each file that a line writes or runs indirectly.

    Their number is limited; beyond the limit one call stands for the unread rest.
    """
    line = action.text("command")[:LINE_LIMIT]
    if not line:
        filled = _as_lines(action, filled_lines(action, facts))
        return (*new_runs(action, facts), *handed_calls(action, facts), *filled)
    if not (facts.files or facts.created or facts.downloaded):
        return ()
    is_run = any(map(_runs_project, operations))
    found = dict.fromkeys(_files(line, facts, is_run=is_run))
    calls = [_as_call(action, path) for path in tuple(found)[:FILES_LIMIT]]
    calls += (*new_runs(action, facts), *kept_runs(action, facts, operations))
    calls += [_as_call(action, path, "node") for path in _typed(line, facts)]
    for text in _powershell(line, action.cwd, facts):
        calls.append(replace(action, tool="PowerShell", arguments={"command": text}))
    for text in joined_texts(line, facts):
        calls.append(replace(action, arguments={"command": f"python3 -c {shlex.quote(text)}"}))
    named = (*named_programs(line, facts, operations), *shadowing_programs(line, action.cwd, facts))
    calls += [_by_path(action, path) for path in named]
    for path, text in (*_entries(line, facts), *_sources(operations, facts)):
        if is_code(path):
            calls.append(_as_call(action, path, "node"))
        else:
            lines = _lines_of(line, path.rpartition("/")[2], text)
            calls += [replace(action, arguments={"command": one}) for one in lines]
    calls += _as_lines(action, _told(line, action, facts))
    if len(calls) > CALLS_LIMIT:
        # Not dropped without a word: this line is understood as one that nobody has read.
        calls[CALLS_LIMIT:] = [replace(action, arguments={"command": UNREAD_LINES})]
    return tuple(calls)


def _told(line: str, action: Action, facts: Facts) -> Iterator[str]:
    """Yield the lines of notebooks that a line runs, and of tasks with the words it gives them."""
    place = place_of(action, facts)
    for language, text in cells_run(line, place):
        yield text if language == "shell" else f"python3 -c {shlex.quote(text)}"
    yield from dict.fromkeys((*lines_with_words(line, place), *filled_lines(action, facts)))


def _as_lines(action: Action, lines: Iterable[str]) -> list[Action]:
    return [replace(action, tool="Bash", arguments={"command": one}) for one in lines]


def _lines_of(line: str, name: str, text: str) -> tuple[str, ...]:
    """Return the shell lines that a tool's line runs of a file of its own."""
    if not name.lower().endswith("makefile"):
        return started_lines(name, text)
    named = _MADE.search(line)
    words = named[1].split() if named is not None else []
    # Options and variables of make left out, the words are the targets.
    return recipe_lines(text, [word for word in words if word[:1] != "-" and "=" not in word])


def _typed(line: str, facts: Facts) -> Iterator[str]:
    """Yield the TypeScript files a line runs."""
    for path in typed_files(line)[:FILES_LIMIT]:
        fact = facts.files.get(path)
        if fact is not None and fact.text is not None:
            yield fact.real_path


def _entries(line: str, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the files of the session that a tool of the line runs by itself, with their texts."""
    for path in sorted(facts.written):
        fact = facts.files.get(path)
        if fact is not None and fact.text and runs_file(line, path):
            yield path, fact.text


def _powershell(line: str, folder: str, facts: Facts) -> Iterator[str]:
    """Yield the texts of the scripts of PowerShell that a line names and the session wrote."""
    # PowerShell takes both slashes.
    for word in line.replace("\\", "/").split() if ".ps1" in line else ():
        path = posixpath.normpath(posixpath.join(folder, word.strip("\"';&(){}")))
        fact = facts.files.get(path)
        if path.endswith(".ps1") and path in facts.written and fact is not None and fact.text:
            yield fact.text


def _sources(operations: Operations, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield what the session wrote to be compiled, where a program it compiled runs."""
    if not any([op.path in facts.built or _is_program(op, facts) for op in operations if op.path]):
        return
    for path in sorted(facts.written):
        fact = facts.files.get(path)
        if fact is not None and fact.text and f".{path.rpartition('.')[2]}" in COMPILED:
            yield path, fact.text


def _is_program(op: Operation, facts: Facts) -> bool:
    """Tell whether a program by its path runs whose text nobody knows: `build/app`, `./x`."""
    if op.verb is not Verb.EXECUTE or "." in op.path.rpartition("/")[2]:
        return False
    fact = facts.files.get(op.path)
    # A script's text is known and judged by itself; a program's is not.
    return fact is None or fact.text is None


def _runs_project(op: Operation) -> bool:
    """Tell whether an operation runs code that its line does not show."""
    return op.verb is Verb.EXECUTE and Trait.INLINE not in op.traits


def _files(line: str, facts: Facts, *, is_run: bool) -> Iterator[str]:
    """Yield the absolute paths of the files a line runs, as far as their text is known."""
    named = [path for path in files_of_run(line) if _is_code(path, facts.files.get(path))]
    if is_run and runs_tests(line):
        words = line.replace("'", " ").replace('"', " ").split()
        named += [word for word in words if _is_code(word, facts.files.get(word))]
        for path in sorted(facts.written):
            if is_test(path) and _is_code(path, facts.files.get(path)):
                yield path
    for path in named:
        yield facts.files[path].real_path
    yield from _imported(line, facts)
    # Only a line that sets the search path makes a script stand for a program of its name.
    if "PATH=" in line:
        given = frozenset(line.split())
        yield from [path for path in sorted(facts.written) if _shadows(path, given, line, facts)]


def _imported(line: str, facts: Facts) -> Iterator[str]:
    """Yield the modules the session wrote that the scripts of a line load from beside them."""
    for word in line.replace("'", " ").replace('"', " ").split():
        fact = facts.files.get(word)
        if not _is_code(word, fact) or fact is None or not fact.text:
            continue
        folder = fact.real_path.rpartition("/")[0]
        for name in imported_files(fact.text[:TEXT_LIMIT]):
            path = posixpath.normpath(f"{folder}/{name}")
            if path in facts.written and _is_code(path, facts.files.get(path)):
                yield path


def _shadows(path: str, words: frozenset[str], line: str, facts: Facts) -> bool:
    """Tell whether a script stands in a folder of the search path under a name that is run."""
    folder, _, name = path.rpartition("/")
    fact = facts.files.get(path)
    is_text = fact is not None and bool(fact.text)
    return is_text and name in words and folder.rpartition("/")[2] in line


def _is_code(path: str, fact: FileFact | None) -> bool:
    ending = f".{path.rpartition('.')[2]}"
    return fact is not None and fact.text is not None and ending in INTERPRETERS


def _by_path(action: Action, path: str) -> Action:
    return replace(action, arguments={"command": f"exec {shlex.quote(path)}"})


def _as_call(action: Action, path: str, program: str = "") -> Action:
    """Return the call that runs one file by its interpreter."""
    program = program or INTERPRETERS.get(f".{path.rpartition('.')[2]}", "sh")
    return replace(action, arguments={"command": f"{program} {shlex.quote(path)}"})
