"""Variables whose value is code, a command line, or a file of code: one visible table.

LUA_INIT='os.execute("id")'    ->  code in Lua
SVN_SSH='sh -c id'             ->  a command line
PSQLRC=/tmp/rc                 ->  a file of code that anybody may have put there
PAGER_WIDTH=80                 ->  nothing
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.operation import Reach
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.plain_names import named_program
from signoff.actions.vocabulary import words

CODE_VARIABLES: Mapping[str, str] = {"LUA_INIT": "lua", "JULIA_STARTUP": "julia"}
# How programs name variables that hold a command: `SVN_SSH`, `SUDO_ASKPASS`, `DELTA_PAGER`.
COMMAND_ENDINGS = (
    "_COMMAND", "_EDITOR", "_PAGER", "_SSH", "_RSH", "_ASKPASS", "_OPENER", "_CMD", "_BROWSER",
)  # fmt: skip
COMMAND_VARIABLES = words("HGEDITOR HGMERGE P4EDITOR P4DIFF CVSEDITOR TEXEDIT LYEDITOR MANOPENER")
# The value is a file or folder that a program loads code or settings from as it starts.
FILE_VARIABLES = words(
    "LUA_INIT R_PROFILE R_PROFILE_USER R_ENVIRON_USER PSQLRC PHPRC PHP_INI_SCAN_DIR RUSTC RUSTDOC "
    "OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES MYSQL_HOME NPM_CONFIG_USERCONFIG "
    "NPM_CONFIG_GLOBALCONFIG PIP_CONFIG_FILE JULIA_LOAD_PATH BUNDLE_GEMFILE MAKEFILES "
    "CMAKE_TOOLCHAIN_FILE VIMRUNTIME MYVIMRC TCLLIBPATH GUILE_LOAD_PATH ERL_LIBS WGETRC "
    "EMACSLOADPATH BASH_LOADABLES_PATH FPATH RUBYLIB CLASSPATH PERL5LIB PERLLIB LUA_PATH LUA_CPATH "
    "NODE_PATH SBT_HOME GDBINIT XDG_CONFIG_DIRS PYTHONUSERBASE CC CXX LD AR"
)
# Lists of folders are parted by colons, Lua's by semicolons.
SEPARATORS = ":;"


# Viewers and editors: what they are given is judged as the line it is.
PLAIN_PROGRAMS = words(
    "cat less more true false : vim vi nano emacs code ssh echo bat batcat delta most head "
    "tail nvim ex ed micro hx subl kate gedit diff-so-fancy meld vimdiff"
)
EDITING_PROGRAMS = words("sed gsed cp touch")  # they write the file of a message or a to-do list
EDITOR_NAMES = words("GIT_EDITOR GIT_SEQUENCE_EDITOR core.editor sequence.editor")


def is_plain_program(line: str, *, edits: bool) -> bool:
    """Return whether a line others will run only starts a viewer or editor, or nothing.

    Args:
        edits: programs that edit without a user count too.
    """
    first = named_program(line)
    return first in PLAIN_PROGRAMS or (edits and first in EDITING_PROGRAMS)


def code_of(name: str, text: str) -> str:
    """Return the language of the code in a variable's value, "" if it is none."""
    # Lua also reads `LUA_INIT_5_4`, one variable for each version.
    root = name.partition("_5_")[0]
    # lua(1): `@file` names a file instead of code.
    return CODE_VARIABLES.get(root, "") if text[:1] != "@" else ""


def names_command(name: str) -> bool:
    """Return whether a variable's value is a command line that another program runs."""
    return name in COMMAND_VARIABLES or name.endswith(COMMAND_ENDINGS)


def loads_foreign_code(name: str, text: str, place: Place) -> bool:
    """Return whether a variable names code in a place where anybody may have put it."""
    if name.partition("_5_")[0] not in FILE_VARIABLES and not names_command(name):
        return False
    parts = [text.removeprefix("@")]
    for separator in SEPARATORS:
        parts = [part for one in parts for part in one.split(separator)]
    # A command's first word is its program; for files and folders it is the whole.
    firsts = [part.split(" ", 1)[0] for part in parts[:20]]
    return any(
        first[:1] in {"/", "~", "."} and locate(first, place).reach is Reach.TEMP
        for first in firsts
    )
