"""Every language that is read besides Python, by the names callers know it by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.code.commands.awk import read_awk
from signoff.actions.code.commands.databases import read_mysql, read_psql, read_sqlite
from signoff.actions.code.commands.editors import read_emacs, read_gdb, read_vim
from signoff.actions.code.commands.sed import read_sed
from signoff.actions.code.commands.small import read_filter, read_make, read_tcl
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.javascript import read_javascript
from signoff.actions.code.scripts.minor import READERS as MINOR
from signoff.actions.code.scripts.osascript import read_osascript
from signoff.actions.code.scripts.perl import read_perl
from signoff.actions.code.scripts.php import read_php
from signoff.actions.code.scripts.powershell import read_powershell
from signoff.actions.code.scripts.ruby import read_ruby

SCRIPTS: Mapping[str, Callable[[str, Recorder], None]] = {
    **MINOR,
    **dict.fromkeys(
        ("javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun"), read_javascript
    ),
    "perl": read_perl, "ruby": read_ruby, "php": read_php, "erlang": MINOR["elixir"],
    "rscript": MINOR["r"], "guile": MINOR["scheme"],
    **dict.fromkeys(("powershell", "pwsh", "ps1"), read_powershell),
    **dict.fromkeys(("osascript", "applescript"), read_osascript),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), read_awk),
    **dict.fromkeys(("sed", "gsed"), read_sed),
    **dict.fromkeys(("vim", "vi", "ex", "nvim", "viml"), read_vim),
    **dict.fromkeys(("emacs", "elisp", "lisp"), read_emacs),
    **dict.fromkeys(("gdb", "lldb"), read_gdb),
    **dict.fromkeys(("sqlite", "sqlite3"), read_sqlite),
    "psql": read_psql, "mysql": read_mysql, "mariadb": read_mysql,
    **dict.fromkeys(("make", "makefile"), read_make),
    **dict.fromkeys(("jq", "yq", "bc", "dc"), read_filter),
    **dict.fromkeys(("tcl", "expect"), read_tcl),
}  # fmt: skip
