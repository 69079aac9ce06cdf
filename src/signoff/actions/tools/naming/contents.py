"""What the arguments of a tool call hold that has a language of its own.

A tool that takes a command, a statement, code, a path or a URL is judged by that, not by its
name: whoever understands the call hands these pieces to the reader of their language.

    embedded(Action(tool="mcp__shell__run", arguments={"options": {"cmd": {"line": "rm -rf /"}}}))
        -> (("shell", "rm -rf /"),)

Kinds: `shell`, `sql`, `python`, `path`, `url`, and the names of other languages (`javascript`,
`powershell`, ... or `unknown`), which whoever cannot read them must treat as not understood.
"""

from __future__ import annotations

import base64
import binascii
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.code.queries.names import language_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.code_language import (
    acts_on_service,
    is_named_code,
    language_of_code,
)
from signoff.actions.tools.naming.embedded.job_lines import is_shell_script, with_words_joined
from signoff.actions.tools.naming.embedded.store_lines import store_lines
from signoff.actions.tools.naming.embedded.terminals import lines_typed
from signoff.actions.tools.naming.servers import (
    ServerKind,
    Tool,
    application_language,
    split_tool,
)
from signoff.actions.vocabulary import lazy_re2

Piece = tuple[str, str]

MOST_VALUES = 2_000
DEEPEST = 40

_SHELL_NAMES = vocabulary("command cmd commands cmds commandline shell bash sh argv")
_PROGRAM_NAMES = vocabulary("program executable binary")
# Arguments of any tool that name a further step, where they hold a line for the shell.
_STEPS = vocabulary("process hook on after before callback handler then pipe")
_SHELL_SIGNS = lazy_re2(r"\w\s.*(?:\||&&|;|\$\(|`)\s*\S")
_SCRIPT_NAMES = vocabulary("script code source program expression snippet function js javascript")
# What makes a `code` one that runs: `python_code`, but not `country_code`.
_OF_PROGRAMS = _SCRIPT_NAMES - {"code"} | vocabulary(
    "python py r lua ruby perl php shell bash sql user block cell text body content machine g to"
    " run exec html css macro query test"
)
_SQL_NAMES = vocabulary("sql cql ksql query statement statements queries")
_PATH_NAMES = vocabulary(
    "path paths file files filepath filename directory dir folder root source destination dest"
    " target src dst folders directories from to"
)
_SURE_PATH_NAMES = vocabulary(
    "path paths filepath filename directory dir folder folders directories"
)
_URL_NAMES = vocabulary("url urls uri link href endpoint webhook")
_SUM_NAMES = vocabulary(
    "sin cos tan asin acos atan sinh cosh tanh sqrt cbrt exp log ln abs min max pow mod round floor"
    " ceil pi e x y z n sum avg mean deg rad"
)
_SUM_SIGNS = frozenset("0123456789 +-*/%^().,!")
_STATEMENTS = vocabulary(
    "select with insert update delete drop create alter truncate grant revoke merge replace call"
    " exec execute do copy unload export vacuum explain set begin commit declare pragma"
    " attach show describe"
)
_WHOLE_STATEMENT = lazy_re2(
    r"(?is)^\s*(?:select\s.+\sfrom\s+\S|with\s+\w+\s+as\s*\(|insert\s+into\s|delete\s+from\s+\S"
    r"|update\s+\S+\s+set\s|(?:drop|truncate|alter|create)\s+(?:table|view|index|database|schema)\s)"
)
_QUERIES = vocabulary("query queries statement statements")
_SEARCHES = vocabulary("search find lookup vector semantic similarity memory docs web")
_RUNS = vocabulary("run exec execute eval evaluate invoke shell command terminal bash")
# A code of a terminology, as FHIR writes it: `http://loinc.org|718-7`.
_CODED = lazy_re2(r"https?://[\w./-]{1,100}\|[\w.-]{1,40}")
LONGEST_TOKEN = 24  # characters
LONGEST_CODED = 200
_CODED = lazy_re2(r"(?:https?://|urn:)[\w./:-]+\|[\w.,-]*")
_SCRIPTS = vocabulary("script scripts")
# What a notebook's tool runs; the id of a cell is one word.
_CELLS = vocabulary("cell cells")
_NOTEBOOKS = vocabulary("notebook jupyter ipython colab kernel")
_TEXTS = vocabulary("content contents body text value")
_LEAVES = (str, int, float, type(None))  # what holds no further values
_RUN_KINDS = frozenset({ServerKind.SHELL, ServerKind.CONTAINER, ServerKind.CLUSTER})


def embedded(action: Action) -> tuple[Piece, ...]:
    """Return the parts of a call in a language of their own (shell, SQL, code), without repeats."""
    tool = split_tool(action.tool)
    found: list[Piece] = []
    for name, value, beside in _named(action.arguments):
        found.extend(_pieces(action, tool, name, value, beside))
    found.extend(("shell", line) for line in lines_typed(action, tool))
    is_runner = _is_runner(tool) or _runs_line(action, tool)
    if not any(kind not in ("path", "url") for kind, _ in found) and is_runner:
        found.extend(("shell", text) for text in _strings(action.arguments) if " " in text.strip())
    return tuple(dict.fromkeys(found))


def is_cut(action: Action) -> bool:
    """Tell whether the arguments are too many or too deep to be read completely."""
    waiting: list[tuple[int, Json]] = [(0, action.arguments)]
    seen = 0
    while waiting:
        depth, value = waiting.pop()
        seen += 1
        if seen > MOST_VALUES or depth > DEEPEST:
            return True
        if isinstance(value, _LEAVES):
            continue
        if isinstance(value, Mapping):
            waiting.extend((depth + 1, item) for item in islice(value.values(), MOST_VALUES + 1))
        elif isinstance(value, Sequence):
            waiting.extend((depth + 1, item) for item in islice(value, MOST_VALUES + 1))
    return False


def argument_words(action: Action) -> frozenset[str]:
    """Return the words of the names of a call's arguments, not of those within them."""
    names = islice(action.arguments, MOST_VALUES)
    return frozenset(word for name in names for word in split_words(name))


def strings_of(value: Json) -> tuple[str, ...]:
    """Return all strings inside a JSON value, up to a limit in depth and number."""
    return tuple(_strings(value))


def _pieces(
    action: Action, tool: Tool, name: str, value: Json, beside: Mapping[str, Json]
) -> Iterator[Piece]:
    """Read one argument by its name, the shape of its value and what stands beside it."""
    words = set(split_words(name))
    queries = _queries(tool, words, value) or _of_console(tool, words, value)
    queries = queries or tuple(("shell", one) for one in store_lines(tool, words, value, beside))
    if isinstance(value, str) and is_named_code(words, value):
        queries = queries or tuple(_named_code(action, tool, name, _decoded(action, value)))
    if words & _CELLS and not _NOTEBOOKS.isdisjoint((*tool.words, *tool.server)):
        queries = queries or tuple(_cells(action, tool, name, value))
    yield from queries or _others(action, tool, (name, value, beside), words)


def _others(action: Action, tool: Tool, named: _Named, words: set[str]) -> Iterator[Piece]:
    name, value, beside = named
    if words & _PROGRAM_NAMES and isinstance(value, str) and _has_arguments(beside):
        yield "shell", _with_args(beside, value)
    elif isinstance(value, str) and _is_shell_text(tool, words, value):
        yield "shell", _decoded(action, value)
    elif words & _SHELL_NAMES:
        yield from _commands(action, tool, value, beside)
    elif words & _SQL_NAMES:
        yield from (("sql", text) for text in _strings(value) if _is_sql(tool, words, text))
    elif words & _SCRIPT_NAMES and (words & {"script", "code", "js"} or tool_runs(tool)):
        texts = (
            text
            for text in _strings(value)
            if not _is_sum(words, text) and not _is_token(tool, words, text)
        )
        decoded = (_decoded(action, text) for text in texts)
        yield from ((language_of_code(action, tool, name, text), text) for text in decoded)
    elif words & _URL_NAMES:
        yield from (("url", text) for text in _strings(value))
    elif words & _PATH_NAMES:
        yield from (("path", text) for text in _strings(value) if _is_path(tool, words, text))


def _named_code(action: Action, tool: Tool, name: str, text: str) -> Iterator[Piece]:
    """Read code in an argument that is named after its language; a service's own things nobody."""
    yield language_of_code(action, tool, name, text), text
    if acts_on_service(tool, text):
        yield "unknown", text


def _cells(action: Action, tool: Tool, name: str, value: Json) -> Iterator[Piece]:
    """Yield the code of notebook cells among the values of an argument, each with its language."""
    texts = (text for text in _strings(value) if not text.isalnum())
    yield from ((language_of_code(action, tool, name, text), text) for text in texts)


def _queries(tool: Tool, words: set[str], value: Json) -> tuple[Piece, ...]:
    """Return the texts of an argument if all are in a query language that is known."""
    found = tuple(
        (language_of(words, tool.words, tool.server, text), text) for text in _strings(value)
    )
    return found if all([language for language, _ in found]) else ()


def _of_console(tool: Tool, words: set[str], value: Json) -> tuple[Piece, ...]:
    """Return script for an application's own console; one word is the name of something."""
    language = application_language(tool)
    if not language or not words & (_SHELL_NAMES | _SCRIPT_NAMES):
        return ()
    return tuple((language, text) for text in _strings(value) if not text.isalnum())


def _is_shell_text(tool: Tool, words: set[str], text: str) -> bool:
    """Tell a line of a further step, and a script of the shell, by its name or its tool's."""
    if words & _STEPS and _SHELL_SIGNS.search(text):
        return True
    is_stored = bool(words & _TEXTS) and bool(_SCRIPTS & set(tool.words))
    return (bool(words & _SCRIPTS) or is_stored) and is_shell_script(text)


def _has_arguments(beside: Mapping[str, Json]) -> bool:
    """Tell whether a program is given with its arguments beside it."""
    return isinstance(beside.get("args", beside.get("arguments")), list | tuple)


def _is_sum(words: set[str], text: str) -> bool:
    """Tell `2 * sin(pi)` from code: numbers, signs and the names of a calculator."""
    if "expression" not in words or len(text) > 500:
        return False
    letters = "".join(char if char.isalpha() else " " for char in text).split()
    return _SUM_NAMES.issuperset(letters) and _SUM_SIGNS.issuperset(
        char for char in text if not char.isalpha()
    )


def _is_token(tool: Tool, words: set[str], text: str) -> bool:
    """Tell `code="BGB"` and `status_code="408"`, which name something, from code that is run."""
    is_named = "code" in words and len(words) > 1 and _OF_PROGRAMS.isdisjoint(words)
    if tool_runs(tool) and not is_named:
        return False
    # How FHIR and HL7 name a code: the system, a bar, the code.
    if _CODED.fullmatch(text[:LONGEST_CODED]):
        return True
    plain = text.replace("-", "").replace("_", "").replace(".", "")
    if _CODED.fullmatch(text):
        return True
    return len(text) <= LONGEST_TOKEN and (plain.isalnum() or not text)


def _is_path(tool: Tool, words: set[str], text: str) -> bool:
    """Tell a path from a name or an address that is in an argument called `from`."""
    is_sure = bool(words & _SURE_PATH_NAMES) or tool.kind is ServerKind.FILES
    return "\n" not in text and (is_sure or "/" in text or text.startswith("~"))


_Named = tuple[str, Json, Mapping[str, Json]]


def _named(arguments: Mapping[str, Json]) -> Iterator[_Named]:
    """Walk names and values, with the mapping they stand in, but not into a command."""
    waiting: list[_Named] = [(*one, arguments) for one in arguments.items()][:MOST_VALUES][::-1]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        name, value, beside = waiting.pop()
        if isinstance(value, _LEAVES):
            yield name, value, beside
            continue
        # `command: {program, args}` is one piece, and is read as a whole where it is met.
        if isinstance(value, Mapping) and not _SHELL_NAMES & set(split_words(name)):
            value = with_words_joined(value)
            inside: list[_Named] = [(*one, value) for one in islice(value.items(), MOST_VALUES)]
            waiting.extend(inside[::-1])
            continue
        yield name, value, beside
        if isinstance(value, Sequence):
            inner: list[_Named] = [(name, item, beside) for item in islice(value, MOST_VALUES)]
            waiting.extend(pair for pair in inner[::-1] if isinstance(pair[1], Mapping))


def tool_runs(tool: Tool) -> bool:
    """Return whether a tool's purpose is to run the code it is given."""
    return bool(set(tool.words) & _RUNS) or tool.kind is ServerKind.SHELL


def _is_runner(tool: Tool) -> bool:
    """Tell a tool that runs shell text from one that runs something by its name."""
    return tool.kind is ServerKind.SHELL and tool_runs(tool) and bool(set(tool.words) & _RUNS)


def _runs_line(action: Action, tool: Tool) -> bool:
    """Tell a function that runs the one text it is given: `run_command("ls -l")`."""
    is_told = bool(set(tool.words) & _RUNS) and bool(set(tool.words) & _SHELL_NAMES)
    return is_told and action.kind is ActionKind.FUNCTION and len(action.arguments) == 1


def _commands(
    action: Action, tool: Tool, value: Json, beside: Mapping[str, Json]
) -> Iterator[Piece]:
    """Read what a `command` argument holds: a line, words, or lines."""
    language = "powershell" if {"powershell", "pwsh"} & {*tool.server, *tool.words} else "shell"
    # An editor's or a browser's `command` is the name of something it does: `save`, `view`.
    if isinstance(value, str):
        if _is_bare_name(tool, value):
            return
        line = _decoded(action, _with_args(beside, value))
        yield language, _in_given_environment(action, line) if language == "shell" else line
    elif isinstance(value, Sequence):
        words = [item for item in islice(value, MOST_VALUES) if isinstance(item, str)]
        # A program's name has no blank: the items are lines, not the words of one.
        if any(" " in word for word in words[:1]):
            yield from ((language, word) for word in words)
        elif words:
            yield language, shlex.join(words)
    else:
        yield from ((language, _decoded(action, text)) for text in _strings(value))


def _in_given_environment(action: Action, line: str) -> str:
    """Return a line behind the variables that the call gives its process: `env: {"A": "b"}`."""
    given = next((v for k, v in action.arguments.items() if k.lower() in _ENVIRONMENTS), None)
    if not isinstance(given, Mapping) or not given:
        return line
    named = [
        f"{name}={shlex.quote(value)}"
        for name, value in islice(given.items(), MOST_VALUES)
        if isinstance(value, str) and name.isidentifier()
    ]
    # An export holds for every command of the line.
    return f"export {' '.join(named)}; {line}" if named else line


_ENVIRONMENTS = frozenset({"env", "environment", "environ", "env_vars", "environment_variables"})


def _is_bare_name(tool: Tool, value: str) -> bool:
    """Tell a tool's own sub-command from a line for the shell."""
    is_word = value.replace("_", "").replace("-", "").isalnum()
    return is_word and not tool_runs(tool) and tool.kind not in _RUN_KINDS


def _with_args(beside: Mapping[str, Json], line: str) -> str:
    """Put the words of an `args` argument behind a command."""
    args = beside.get("args", beside.get("arguments"))
    if isinstance(args, str):
        return f"{line} {args}"
    if isinstance(args, Sequence):
        words = [item for item in islice(args, MOST_VALUES) if isinstance(item, str)]
        return " ".join((line, shlex.join(words))) if words else line
    return line


def _decoded(action: Action, text: str) -> str:
    """Decode a piece the call says is Base64; what cannot be decoded stays as it is."""
    encoding = action.text("encoding") or action.text("format")
    if encoding.lower().replace("-", "").replace("_", "") not in ("base64", "b64"):
        return text
    try:
        # `validate`: without it Python skips what is no Base64, and plain text would be mangled.
        return base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return text


def _is_sql(tool: Tool, words: set[str], text: str) -> bool:
    """Tell a statement from a search for words."""
    if "sql" in words or "statement" in words:
        return True
    begins = text.lstrip("( \t\r\n;")[:2_000].split(None, 2)[:2]
    # A statement may hide behind a comment.
    if begins and begins[0].startswith(("--", "/*", "#")):
        return True
    is_statement = bool(begins) and begins[0].lower() in _STATEMENTS and len(begins) > 1
    is_search = bool(_SEARCHES & {*tool.words, *tool.server})
    if tool.kind is ServerKind.DATABASE:
        return is_statement or not is_search
    if {"sql", "database", "db"} & set(tool.words):
        return is_statement and not is_search
    # Whatever the store is called: a whole statement, in a tool that runs queries.
    is_whole = is_statement and _WHOLE_STATEMENT.match(text[:MOST_VALUES]) is not None
    return is_whole and not is_search and bool(_QUERIES & set(tool.words))


def _strings(value: Json) -> Iterator[str]:
    """Walk every string within a value, up to the limits."""
    waiting: list[Json] = [value]
    for _ in range(MOST_VALUES):
        if not waiting:
            return
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting.extend(reversed(list(islice(item.values(), MOST_VALUES))))
        elif isinstance(item, Sequence):
            waiting.extend(reversed(list(islice(item, MOST_VALUES))))
