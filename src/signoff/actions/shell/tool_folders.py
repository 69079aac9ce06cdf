"""Folders that installed tools tell of themselves: `npm root -g`, `brew --prefix`, `go env GOPATH`.

A search path filled by such a question is ordinary use: the folder is where the tool keeps what
it installed. What a file, the network or a decoder says is not known and stays so.

    tells_folder(`npm root -g`)      True
    tells_folder(`cat where.txt`)    False
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.operation import Reach
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.machine.own_programs import GUARDED_PROGRAMS
from signoff.actions.vocabulary import lazy_re, words

MAX_DEPTH = 8
# The program and its first words, as a question about itself; `*` stands for one more word.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "npm": ("root", "bin", "prefix", "config get prefix"),
    "pnpm": ("root", "bin", "config get global-dir"),
    "yarn": ("global dir", "global bin", "bin"),
    "bun": ("pm bin",),
    "go": ("env",),
    "brew": ("--prefix", "--cellar", "--repository"),
    "port": ("-q contents",),
    "rustc": ("--print sysroot", "--print target-libdir"),
    "rustup": ("which", "show home"),
    "git": ("rev-parse --show-toplevel", "rev-parse --show-cdup"),
    "gem": ("env", "environment"),
    "bundle": ("show", "info --path"),
    "composer": ("config --global home", "global config bin-dir"),
    "pyenv": ("root", "prefix", "which"),
    "rbenv": ("root", "prefix", "which"),
    "nodenv": ("root", "prefix", "which"),
    "nvm": ("which",),
    "asdf": ("where", "which"),
    "mise": ("where", "which"),
    "conda": ("info --base",),
    "poetry": ("env info -p", "env info --path"),
    "pipenv": ("--venv",),
    "opam": ("var", "config var"),
    "stack": ("path",),
    "llvm-config": ("--",),
    "pkg-config": ("--variable",),
    "python-config": ("--prefix", "--exec-prefix"),
    "python3-config": ("--prefix", "--exec-prefix"),
    "pg_config": ("--",),
    "mysql_config": ("--",),
    "xcrun": ("--show-sdk-path", "--sdk", "--find"),
    "xcode-select": ("-p", "--print-path"),
    "java_home": ("",),
    "pwd": ("",),
    "which": ("",),
    "type": ("-p", "-P"),
    "command": ("-v",),
    "nix-build": ("--no-out-link",),
    "cygpath": ("-",),
    "python": ("-m site --user",),
    "python3": ("-m site --user",),
}
NAMES_ONLY = words("dirname realpath readlink basename cygpath")
FILTERS = words("tr head tail sort uniq paste xargs cut")
PLAIN_NAMES = NAMES_ONLY | words("echo printf")
VALUED = words("n c d f k t b s")  # options of filters behind which a value stands
SEARCHES = words("find ls")
CODE_OPTIONS = words("-c -e -p")
KNOWN_STARTS = ("$HOME/", "${HOME}/", "$PWD", "${PWD}", "$(pwd)")
# Variables that installers set to the folder of a tool.
TOOL_HOMES = words(
    "GOPATH GOBIN GOROOT JAVA_HOME M2_HOME MAVEN_HOME GRADLE_HOME VIRTUAL_ENV CONDA_PREFIX "
    "CARGO_HOME RUSTUP_HOME NVM_DIR NVM_BIN PNPM_HOME BUN_INSTALL DENO_INSTALL VOLTA_HOME "
    "PYENV_ROOT RBENV_ROOT NODENV_ROOT ASDF_DIR ASDF_DATA_DIR ANDROID_HOME ANDROID_SDK_ROOT "
    "FLUTTER_HOME FLUTTER_ROOT HOMEBREW_PREFIX SDKMAN_DIR GEM_HOME COMPOSER_HOME CUDA_HOME "
    "LLVM_HOME DOTNET_ROOT"
)
_VARIABLE = lazy_re(r"\$\{?[!#]?([A-Za-z_][A-Za-z0-9_]*)")
_OWN_VALUE = lazy_re(r"[\w=]*\"?\$\{?PATH\}?\"?")  # `OLDPATH=$PATH`
# Code that prints where the interpreter or one of its packages lies; nothing else may stand in it.
_SELF_TOLD = lazy_re(
    r"(?:import [a-z_][\w., ]*;\s*)?(?:from [\w.]+ import \w+;\s*)?"
    r"(?:print\(|puts )(?:site|sysconfig|sys|Gem|RbConfig|\w+)"
    r"(?:\.(?:getsitepackages|getusersitepackages|get_paths|get_path|user_dir|dir|path|prefix|"
    r"base_prefix|exec_prefix|USER_BASE|USER_SITE|__path__|purelib|platlib)|\(\)|\[[0-9]\]|"
    r"\[[\"'](?:purelib|platlib|scripts|stdlib)[\"']\]|\([\"'](?:purelib|platlib|scripts|stdlib)[\"']\))+"
    r"\)?"
)


def names_tool_folder(name: str, part: str, commands: Sequence[Command]) -> bool:
    """Return whether a part of a search path is its old value, or a folder of tools.

    `PATH=/opt/x:$PATH` keeps the old value; another variable may hold any folder.
    """
    if part.startswith(KNOWN_STARTS):
        return True
    held = _VARIABLE.findall(part)
    set_here = {one: word for command in commands for one, word in command.assignments}
    return (
        bool(held)
        and ".." not in part
        and all(
            one == name
            or (one in TOOL_HOMES and (one not in set_here or set_here[one].is_known))
            or (one in set_here and _OWN_VALUE.fullmatch(set_here[one].raw) is not None)
            for one in held
        )
    )


def tells_folder(value: Word, commands: Sequence[Command], place: Place, depth: int = 0) -> bool:
    """Return whether a value surely is the folder of an installed tool or the project.

    All commands behind the value must print one.
    """
    if depth > MAX_DEPTH:
        return False
    return all(
        0 <= at < len(commands) and _tells(commands[at], commands, place, depth)
        for at in value.sources
    )


def _tells(command: Command, commands: Sequence[Command], place: Place, depth: int) -> bool:
    program, given = command.program, command.words[1:]
    if program in FILTERS:
        stream = command.stdin
        # A filter only cuts or sorts what it is given, so what feeds it must tell the folder.
        behind = Word(text="", sources=stream.sources if stream is not None else ())
        is_fed = bool(behind.sources) and not _reads_file(program, given)
        return is_fed and tells_folder(behind, commands, place, depth + 1)
    if program in NAMES_ONLY:
        return all(
            tells_folder(word, commands, place, depth + 1)
            if word.sources
            else _is_near(word, place)
            for word in given
            if word.text[:1] != "-"
        )
    if not all(word.is_known for word in given) or (program == "pwd" and not command.cwd):
        return False
    if program in SEARCHES:
        return all(_is_near(word, place) for word in given if word.text[:1] != "-")
    texts = [word.text for word in given]
    # `fullmatch`: behind `print(sys.prefix)` nothing else may stand.
    if len(texts) == 2 and texts[0] in CODE_OPTIONS and _SELF_TOLD.fullmatch(texts[1].strip()):
        return True
    asked = " ".join(texts)
    return any(asked.startswith(question) for question in QUESTIONS.get(program, ()))


def _reads_file(program: str, given: Sequence[Word]) -> bool:
    """Whether a filter is given a file, or a program to run, beside what it is fed."""
    if program == "xargs":
        return any(word.text[:1] != "-" and word.text not in PLAIN_NAMES for word in given)
    texts = ["", *[word.text for word in given]]
    return program != "tr" and any(
        text[:1] != "-" and not (before[:1] == "-" and before[1:] in VALUED)
        for before, text in pairwise(texts)
    )


def _is_near(word: Word, place: Place) -> bool:
    return word.is_known and locate(word.text, place).reach is Reach.PROJECT


# They run what lies in their home: start-up files, aliases, hooks, settings with commands.
RUN_FROM_HOME = GUARDED_PROGRAMS | words(
    "sh bash zsh dash ksh fish csh tcsh login su git ssh scp sftp vim nvim vi emacs nano less tmux "
    "screen gdb"
)


def is_empty_home(value: Word, place: Place, commands: Sequence[Command]) -> bool:
    """Whether no settings that could steer a program lie in the folder taken for the home.

    It was made this moment, or it is a temporary folder into which neither the session nor another
    command of the line put anything, for programs that run nothing they find at home.
    """
    if _is_fresh_folder(value, commands):
        return True
    at = locate(value.text, place)
    if not value.is_known or at.reach is not Reach.TEMP or ":" in value.text:
        return False
    folder = at.path.rstrip("/")
    if folder.count("/") < 2 or any(
        [path.startswith(f"{folder}/") for path in place.facts.written]
    ):
        return False
    # An `export` alone holds for programs that nobody has seen yet.
    return any([one.program not in SETTERS for one in commands]) and not any(
        [one.program in RUN_FROM_HOME or _fills(one, value.text.rstrip("/")) for one in commands]
    )


SETTERS = words("export declare typeset readonly local")
_LEAVES_EMPTY = words("mkdir rm rmdir ls test [")


def _fills(command: Command, folder: str) -> bool:
    """Whether a command may put something into the folder, as far as its words tell."""
    said = command.source.replace(f"HOME={folder}", "")
    return f"{folder}/" in said if command.program in _LEAVES_EMPTY else folder in said


def _is_fresh_folder(value: Word, commands: Sequence[Command]) -> bool:
    """Whether the value is a folder made this moment, in which nothing can lie yet."""
    made = [commands[at].program for at in value.sources if 0 <= at < len(commands)]
    # The raw text as well: by way of a variable, the folder may have been filled in between.
    return made == ["mktemp"] and value.raw.strip('"').startswith("$(mktemp ")
