"""Which file a program is: a tool of the system, of the user or the project, or a local file.

A name is no identity. A path inside the folders of tools is the program of that name; any other
path is a local file first, whatever it is called, and so is a tool that this session wrote or
downloaded. A local file is judged as a local file and, as it may be a copy, as the program of its
name.

    /usr/bin/ls, .venv/bin/python, node_modules/.bin/jest   tools
    /tmp/ls, ./git, ~/Downloads/python3                     local files
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from signoff.actions.operation import Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.scripts import SYSTEM_FOLDERS, run_unread
from signoff.actions.shell.command import Command, Word
from signoff.actions.vocabulary import words
from signoff.values import replace

# Folders into which version managers and installers of languages put programs.
HOME_TOOLS = tuple(
    words(
        ".cargo/bin/ .local/bin/ .local/share/ .local/pipx/ go/bin/ bin/ .bun/bin/ .deno/bin/ "
        ".volta/ .nvm/ .fnm/ .pyenv/ .rbenv/ .nodenv/ .asdf/ .mise/ .sdkman/ .rustup/ .rvm/ "
        ".npm-global/bin/ .npm-packages/bin/ .yarn/bin/ .config/yarn/global/ .dotnet/ .krew/bin/ "
        ".pixi/bin/ miniconda3/ anaconda3/ miniforge3/ mambaforge/ micromamba/ .conda/ "
        ".linuxbrew/ .nix-profile/bin/ .composer/vendor/bin/ .config/composer/vendor/bin/ .gem/ "
        ".poetry/bin/ .juliaup/ .ghcup/bin/ .cabal/bin/ .opam/ .foundry/bin/ .elan/bin/ "
        ".pub-cache/bin/ .goenv/ .jenv/ .phpenv/ .swiftly/ .proto/ .rye/ .hatch/ .pulumi/bin/ "
        ".fly/bin/ .krew/ .arkade/bin/ Library/Python/ Library/pnpm/"
    )
)
TOOL_FOLDERS = tuple(
    words(
        "/.venv/bin /venv/bin /env/bin /.env/bin /virtualenv/bin /node_modules/.bin /vendor/bin "
        "/.venv/Scripts /venv/Scripts /.bundle/bin /.conda/bin /.pixi/bin"
    )
)
TOOL_PARTS = ("/.tox/", "/.nox/", "/.direnv/", "/.pixi/envs/", "/.hatch/", "/.devbox/")
MULTIPLE = frozenset({"busybox", "toybox", "coreutils"})  # which are what they are called
LANGUAGES = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ksh", "ash"), "shell"),
    **dict.fromkeys(("python", "python3", "python2"), "python"),
    "node": "javascript",
    "perl": "perl",
    "ruby": "ruby",
    "php": "php",
}


def is_local_file(command: Command, place: Place) -> bool:
    """Return whether the program is a path outside tool folders, or made by the session."""
    text = command.words[0].text
    # A bare name is found on the search path, where `replaced_tool` looks.
    if "/" not in text:
        return False
    facts = place.facts
    if is_of_image(command, place):
        return False
    # The usual case, told without resolving the path.
    if not (facts.written or facts.downloaded) and _is_system(text):
        return False
    path = _path_of(text, place)
    return path in facts.written or path in facts.downloaded or not is_tool(path, place)


def is_of_image(command: Command, place: Place) -> bool:
    """Return whether a path is a program that a running container of this machine brings along.

    `docker exec web /opt/app/bin/check` runs what the image has in a folder of programs. What the
    session wrote or fetched under that name may be mounted there.
    """
    if not command.carriers or not _IN_RUNNING.issuperset(command.carriers):
        return False
    folder, _, name = command.words[0].text.rpartition("/")
    is_program = folder.rpartition("/")[2] in ("bin", "sbin", ".bin") and "/.." not in folder
    if not is_program or folder.startswith(_NO_TOOLS):
        return False
    return not _by_name(place.facts.downloaded, place.facts.written).get(name)


_NO_TOOLS = ("/tmp", "/var/tmp", "/dev", "/proc")  # noqa: S108 - names, nothing is written there
_IN_RUNNING = frozenset(
    [f"{one} exec" for one in ("docker", "podman", "nerdctl", "docker-compose", "podman-compose")]
    + [f"{one} compose exec" for one in ("docker", "podman", "nerdctl")]
)


def _path_of(text: str, place: Place) -> str:
    """The absolute path as it is written; links are not followed."""
    # A link in a folder of tools is a tool; where it leads is `linked_tool`'s question.
    return locate(text, replace(place, files={}) if place.files else place, has_glob=False).path


def _is_system(path: str) -> bool:
    # `/usr/../tmp/ls` begins like a tool and is none.
    return path.startswith(SYSTEM_FOLDERS) and "/.." not in path


def is_tool(path: str, place: Place) -> bool:
    """Return whether an absolute path is in a folder of tools: `/usr/bin`, `.venv/bin`."""
    if path.startswith(SYSTEM_FOLDERS):
        return True
    home = f"{place.home}/"
    if path.startswith(home) and path[len(home) :].startswith(HOME_TOOLS):
        return True
    folder = path.rpartition("/")[0]
    return folder.endswith(TOOL_FOLDERS) or any([part in path for part in TOOL_PARTS])


def linked_tool(command: Command, place: Place) -> str:
    """Return the tool that a local path is a link to, "" if none."""
    text = command.words[0].text
    fact = place.files.get(text)
    # A tool that this session wrote itself is a local file by another path.
    if fact is None or not fact.exists or fact.real_path in place.facts.written:
        return ""
    path = fact.real_path
    name = path.rpartition("/")[2]
    if path == _path_of(text, place) or not is_tool(path, place):
        return ""
    # `./vi -> /bin/busybox` runs vi: busybox goes by the name it is called by.
    return command.program if name in MULTIPLE else name


def replaced_tool(name: str, place: Place) -> str:
    """Return the file by which the session replaced a program on the PATH, "" if none."""
    facts = place.facts
    for path in _by_name(facts.downloaded, facts.written).get(name, ()):
        # `~/.local/bin/git` comes before the system's own git on the search path.
        if not _is_system(path) and is_tool(path, place):
            return path
    return ""


@lru_cache(maxsize=8)
def _by_name(*sets: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """Sort the session's files by their names, once for all commands of a line."""
    found: dict[str, list[str]] = {}
    for path in chain.from_iterable(sets):
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def run_local_file(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """Yield the effects of running a local file, by its text if the session wrote it."""
    operation = run_unread(call, word)
    path = operation.path
    is_own = path in call.place.facts.written or any(
        [known == path for known, _ in call.command.known_files]
    )
    fact = call.place.files.get(path)
    # An old script of the project is ordinary work by its place; what is new is read.
    if path and fact is not None and fact.text and (is_own or not operation.understood):
        language = _language(fact.text)
        if language:
            yield replace(call.on_file(Verb.EXECUTE, word), traits=frozenset({Trait.NAMED}))
            name = word.text
            yield Nested(text=fact.text, language=language, carrier=name, script=name)
            return
    yield operation


def _language(text: str) -> str:
    """The language of a script by its first line, "" where it names none that is read."""
    if text[:2] != "#!":
        return ""
    # `#!/usr/bin/env -S python3 -u`: options stand between env and the language.
    parts = [part for part in text[2:].split("\n", 1)[0].split() if part[:1] != "-"]
    named = [part.rsplit("/", 1)[-1] for part in parts]
    return next((LANGUAGES[name] for name in named if name in LANGUAGES), "")
