"""Inline code -> Operations, and the shell lines and SQL texts it would run.

One small file a language, listed in `LANGUAGES` by the names callers know it by; the rest is the
same for all: a call by name with the arguments that are known is a call of a sink, sinks become
Operations. What is unknown (syntax that cannot be read, names worked out at run time, text that is
built from unknown parts and then run) is not understood. Text that is only printed is data.

A reader is loaded when the first text in its language comes; a process that stays loads all of
them beforehand.

    understand_code("import os; os.system('ls -la')", language="python", place=place)
        -> CodeReading(shell=("ls -la",), operations=(), sql=())
    reader_of("node")  ->  read_javascript        reader_of("cobol")  ->  None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from msgspec import Struct

from signoff.actions.code.computing.reader import check_acts
from signoff.actions.code.literals import read_literals
from signoff.actions.code.recorder import Recorder, WrittenText
from signoff.actions.code.records import every_record
from signoff.actions.code.secret_settings import with_sent_settings
from signoff.actions.code.self_test import check_reader
from signoff.actions.operation import Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

Reader = Callable[[str, Recorder], None]

# Every name of a language on the left; its module and its reader on the right.
_TABLE: Mapping[str, str] = {
    "python py python3 ipython": "python.reader:read_python",
    "javascript js node nodejs typescript ts deno bun": "scripts.javascript:read_javascript",
    "perl": "scripts.perl:read_perl",
    "ruby rails": "scripts.ruby:read_ruby",
    "php": "scripts.php:read_php",
    "powershell pwsh ps1": "powershell.reader:read_powershell",
    "osascript applescript": "scripts.osascript:read_osascript",
    "lua": "scripts.minor:read_lua",
    "r rscript": "scripts.minor:read_r",
    "groovy": "scripts.minor:read_groovy",
    "gdscript": "scripts.minor:read_gdscript",
    "julia": "scripts.minor:read_julia",
    "elixir erlang elixir-console": "scripts.minor:read_elixir",
    "scheme guile": "scripts.minor:read_scheme",
    "octave matlab": "commands.octave:read_octave",
    "awk gawk mawk nawk": "commands.awk:read_awk",
    "sed gsed": "commands.sed:read_sed",
    "vim vi ex nvim viml": "commands.editors:read_vim",
    "emacs elisp lisp": "commands.editors:read_emacs",
    "gdb lldb": "commands.debuggers:read_debugger",
    "sqlite sqlite3": "commands.databases:read_sqlite",
    "psql": "commands.databases:read_psql",
    "mysql mariadb": "commands.databases:read_mysql",
    "make makefile": "commands.small:read_make",
    "jq yq bc dc": "commands.small:read_filter",
    "tcl expect": "commands.small:read_tcl",
    "haskell ghci": "computing.reader:read_haskell",
    "go golang": "computing.reader:read_go",
    "rust": "computing.reader:read_rust",
    "java jshell": "computing.reader:read_java",
    "kotlin kts": "computing.reader:read_kotlin",
    "scala": "computing.reader:read_scala",
    "csharp c# fsharp f# dotnet": "computing.reader:read_csharp",
    "swift": "computing.reader:read_swift",
    "cpp c++ c": "computing.reader:read_cpp",
    "fortran": "computing.reader:read_fortran",
    "ocaml": "computing.reader:read_ocaml",
    "clojure": "computing.reader:read_clojure",
    "algebra mathematica wolfram maxima": "computing.reader:read_algebra",
    "dart": "computing.reader:read_dart",
    "crystal": "computing.reader:read_crystal",
    "nim": "computing.reader:read_nim",
    "zig": "computing.reader:read_zig",
    "dlang d": "computing.reader:read_dlang",
    "pascal delphi": "computing.reader:read_pascal",
    "gleam": "computing.reader:read_gleam",
    "elm": "computing.reader:read_elm",
    "lua-console": "computing.reader:read_lua_console",
    "javascript-console": "computing.reader:read_javascript_console",
    "kql": "queries.kusto:read_kql",
    "spl": "queries.splunk:read_spl",
    "graphql": "queries.graphs:read_graphql",
    "sparql": "queries.graphs:read_sparql",
    "cypher": "queries.graphs:read_cypher",
    "flux": "queries.pure:read_flux",
    "query": "queries.pure:read_only",
    "mqsc": "queries.consoles:read_mqsc",
    "rman": "queries.consoles:read_rman",
}
LANGUAGES: Mapping[str, str] = {
    name: where for names, where in _TABLE.items() for name in names.split()
}


def reader_of(language: str) -> Reader | None:
    """Return the reader for a language, None if there is none."""
    where = LANGUAGES.get(language)
    return None if where is None else _loaded(where)


@cache
def _loaded(where: str) -> Reader:
    module, _, name = where.partition(":")
    reader: Reader = getattr(import_module(f"signoff.actions.code.{module}"), name)
    # Once, when it is loaded: a reader that reads wrongly must judge nothing.
    check_reader(where, reader)
    return reader


def load_all() -> int:
    """Import every reader, so that no call has to; return their number."""
    return len({_loaded(where) for where in _TABLE.values()})


# How code of any language takes in what the other end of a connection sends.
_RECEIVES = lazy_re(
    r"\.recv\w*\(|[.:]receive\w*\(|\bgets\b|\breadlines?\b|\bfgets\b|\bfread\(|\bsysread\b|<\$\w+>"
    r"|\bon\(\s*[\"']data|\bmakefile\(|\bstream_get\w+\(|\breadpartial\(|\bgetInputStream\("
)
# One of them stands in all that it matches; the search itself is slow where nothing is found.
_RECEIVING = (
    *("recv", "receive", "gets", "readline", "fread", "sysread", "<$", "on(", "makefile"),
    *("stream_get", "readpartial", "getInputStream"),
)
MAX_CHARS = 100_000
_PRODUCTION = frozenset({"production", "prod"})
_STATEMENTS = frozenset({"sql", "psql", "mysql", "sqlite"})
UNREAD = ("the text cannot be read", "the text is no Python that can be read")
CHECKED = "checked-"  # before a language: a tool was handed the code
LITERALS = "literals"  # of code that the caller already called opaque


class CodeReading(Struct, frozen=True, kw_only=True):
    """What a snippet does itself, and the shell lines and SQL it runs.

    Args:
        texts: texts it writes into files.
        scratch: those SQL texts that it runs on databases in memory.
    """

    operations: Operations = ()
    shell: tuple[str, ...] = ()
    sql: tuple[str, ...] = ()
    texts: tuple[WrittenText, ...] = ()
    scratch: frozenset[str] = frozenset()


def understand_code(
    text: str, *, language: str, place: Place, environment: str = ""
) -> CodeReading:
    """Analyse a snippet of code; what cannot be analysed is `understood=False`.

    Args:
        environment: `production`, ... of the service a query is for, "" if unknown.
    """
    recorder = Recorder(place, source=text[:200])
    is_checked = language.startswith(CHECKED)
    language = language.removeprefix(CHECKED)
    reader = reader_of(language.lower())
    if language == LITERALS:
        read_literals(text, recorder)
    elif reader is None:
        recorder.opaque(f"code in `{language[:40]}` cannot be read", language[:40])
        read_literals(text, recorder)
    elif len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", language)
    else:
        reader(text, recorder)
        # The text is asked about already; its literals still tell the person what it may do.
        if any([op.why.endswith(UNREAD) for op in recorder.operations]):
            read_literals(text, recorder)
        if is_checked:
            check_acts(language, text, recorder)
    if language != LITERALS:
        _records_changed(text, language, recorder)
    recorder.finish(receives=_receives(text))
    is_live = environment in _PRODUCTION and is_query(language)
    found = _in_production(recorder.operations) if is_live else recorder.operations
    return CodeReading(
        operations=with_sent_settings(found, text),
        shell=tuple(dict.fromkeys(recorder.shell)),
        sql=tuple(dict.fromkeys(recorder.sql)),
        texts=tuple(dict.fromkeys(recorder.texts)),
        scratch=recorder.doubles.scratch,
    )


def is_query(language: str) -> bool:
    """Return whether a language is one of queries, which a service runs on its own data."""
    return LANGUAGES.get(language, "").startswith("queries.") or language in _STATEMENTS


def _in_production(operations: Operations) -> Operations:
    return tuple(
        replace(op, reach=Reach.PRODUCTION) if op.reach is Reach.REMOTE else op for op in operations
    )


def _receives(text: str) -> bool:
    return any(map(text.__contains__, _RECEIVING)) and _RECEIVES.search(text) is not None


def _records_changed(text: str, language: str, recorder: Recorder) -> None:
    """Write down which calls of object mappers act on every record of a table."""
    for found in every_record(text):
        if recorder.doubles.holds_records(found.chain):
            continue
        recorder.operate(
            Verb.DELETE if found.deletes else Verb.WRITE,
            language,
            thing=ResourceType.DATABASE,
            target=found.call,
            reach=Reach.PROJECT,
            traits=frozenset({Trait.UNBOUNDED}),
            reversible=False,
        )
