"""Every language that is read, by the names callers know it by: a visible table.

A reader is loaded when the first text in its language comes; a process that stays loads all of
them beforehand.

    reader_of("node")  ->  read_javascript        reader_of("cobol")  ->  None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.self_test import check_reader

Reader = Callable[[str, Recorder], None]

# Every name of a language on the left; its module and its reader on the right.
_TABLE: Mapping[str, str] = {
    "python py python3 ipython": "python.reader:read_python",
    "javascript js node nodejs typescript ts deno bun": "scripts.javascript:read_javascript",
    "perl": "scripts.perl:read_perl",
    "ruby": "scripts.ruby:read_ruby",
    "php": "scripts.php:read_php",
    "powershell pwsh ps1": "scripts.powershell:read_powershell",
    "osascript applescript": "scripts.osascript:read_osascript",
    "lua": "scripts.minor:read_lua",
    "r rscript": "scripts.minor:read_r",
    "groovy": "scripts.minor:read_groovy",
    "julia": "scripts.minor:read_julia",
    "elixir erlang": "scripts.minor:read_elixir",
    "scheme guile": "scripts.minor:read_scheme",
    "awk gawk mawk nawk": "commands.awk:read_awk",
    "sed gsed": "commands.sed:read_sed",
    "vim vi ex nvim viml": "commands.editors:read_vim",
    "emacs elisp lisp": "commands.editors:read_emacs",
    "gdb lldb": "commands.editors:read_gdb",
    "sqlite sqlite3": "commands.databases:read_sqlite",
    "psql": "commands.databases:read_psql",
    "mysql mariadb": "commands.databases:read_mysql",
    "make makefile": "commands.small:read_make",
    "jq yq bc dc": "commands.small:read_filter",
    "tcl expect": "commands.small:read_tcl",
}
LANGUAGES: Mapping[str, str] = {
    name: where for names, where in _TABLE.items() for name in names.split()
}


def reader_of(language: str) -> Reader | None:
    """Give the reader of a language, None if there is none."""
    where = LANGUAGES.get(language)
    return None if where is None else _loaded(where)


@cache
def _loaded(where: str) -> Reader:
    module, _, name = where.partition(":")
    reader: Reader = getattr(import_module(f"signoff.actions.code.{module}"), name)
    check_reader(where, reader)
    return reader


def load_all() -> int:
    """Load every reader, so that no call has to wait for one; give their number."""
    return len({_loaded(where) for where in _TABLE.values()})
