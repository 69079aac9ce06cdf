"""Running what was cloned a moment ago: `git clone URL && cd x && ./configure`.

The text of a repository that the same line fetches is known to nobody. A script of it that runs
is code from the network; a build in its folder runs what was written now.

    git clone https://g.example/x && ./x/install.sh   -> EXECUTE, traits={REMOTE_CODE}
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.origins.foreign import WHOLE
from signoff.actions.shell.origins.marks import UNPACKERS, fetches
from signoff.actions.shell.origins.named_code import named_code, runs_code
from signoff.actions.vocabulary import words
from signoff.values import replace

# How each program is told to bring a repository, by its first words.
CLONERS = {
    "git": frozenset({"clone"}),
    "gh": frozenset({"clone"}),
    "glab": frozenset({"clone"}),
    "hg": frozenset({"clone"}),
    "svn": frozenset({"checkout", "co", "export"}),
    "jj": frozenset({"clone"}),
    "bzr": frozenset({"branch", "checkout", "export"}),
    "fossil": frozenset({"clone", "open"}),
    "darcs": frozenset({"clone", "get"}),
    "degit": frozenset(),  # takes a repository at once
    "tiged": frozenset(),
    "giget": frozenset(),
}
# These know a repository by `owner/name`.
BY_NAME = frozenset({"gh", "glab", "degit", "tiged", "giget"})
# These run what a folder holds, or packages it names, without being given a file.
BUILDERS = words(
    "make gmake bmake nmake ninja just rake cmake ctest scons meson waf bazel bazelisk buck2 pants "
    "npm pnpm yarn bun npx pnpx bunx deno node tsx nx turbo jest vitest mocha webpack vite next "
    "gulp grunt playwright cypress go cargo zig swift stack cabal dune mix rebar3 lein sbt mill "
    "gradle gradlew mvn mvnw ant dotnet msbuild nuget composer phpunit bundle gem rspec pip pip3 "
    "uv poetry pdm hatch pipx tox nox pytest py.test unittest python python3 invoke fab task "
    "docker podman docker-compose podman-compose nerdctl buildah vagrant pre-commit "
    "ansible-playbook terraform tofu pulumi helmfile skaffold tilt direnv autoreconf"
)
# Behind their script stand the arguments of the script: files it reads, not code it runs.
INTERPRETERS = words("python python3 node tsx")
# Modules of Python that run what they are given.
_RUNNERS = words(
    "runpy pdb cProfile profile trace doctest zipapp build venv coverage flask uvicorn gunicorn"
    " celery django streamlit jupyter notebook papermill behave robot locust mkdocs sphinx"
)
INTO = frozenset({"-C", "--directory", "-d"})
# A builder is told by these in which folder it works.
WORKS_IN = words("-C --directory --prefix --cwd --dir --project --project-directory --chdir -f")
VALUES = frozenset(
    {"-b", "--branch", "--depth", "-o", "--origin", "-c", "--config", "-j", "--jobs"}
)
ARRIVING = CLONERS.keys() | UNPACKERS | {"patch"}  # programs that bring a folder or a change
GIT_BRINGS = words("clone submodule subtree apply am")
LOOKED = "/.git/LOOKED_INTO"  # the session read a file of the folder
RUNS = frozenset({Verb.EXECUTE, Verb.INSTALL})


def mark_cloned(
    commands: Sequence[Command],
    by_command: list[list[Operation]],
    downloaded: Collection[str] = (),
) -> None:
    """Add to the operations, in place, that code in a cloned folder is foreign.

    Args:
        downloaded: what the session fetched; folders end in `/`.
    """
    if not downloaded and not any([_may_bring(command) for command in commands[:-1]]):
        return  # what the last command brings is met by no other
    folders = [path[:-1] for path in downloaded if path.endswith("/")]
    unseen = [folder for folder in folders if f"{folder}{LOOKED}" not in downloaded]
    trees = [path.removesuffix(WHOLE) for path in downloaded if path.endswith(WHOLE)]
    below: list[str] = []  # what lies in a folder of these was unpacked from the network
    for at, command in enumerate(commands):
        if folders:
            by_command[at] = [_marked(op, command, folders) for op in by_command[at]]
        if unseen:
            by_command[at] = [_refused(op, command, unseen) for op in by_command[at]]
        if below:
            by_command[at] = _below_archive(command, by_command[at], below)
        if trees:
            by_command[at] = [_unread(op, command, trees) for op in by_command[at]]
        if _may_bring(command):
            _note_folder(command, commands, by_command, folders, below)


def _below_archive(
    command: Command, operations: list[Operation], roots: Sequence[str]
) -> list[Operation]:
    """Return a command's operations, of which what lies below an archive's folder is foreign."""
    if any([command.cwd.startswith(f"{root.rstrip('/')}/") for root in roots]):
        operations = [_marked(op, command, [command.cwd]) for op in operations]
    if command.words and "/" in command.words[0].text:
        operations = [_unread_script(op, roots) for op in operations]
    return operations


def _may_bring(command: Command) -> bool:
    """Tell, at little cost, whether a command may fill a folder from the network."""
    program = command.program
    if program != "git":
        return program in ARRIVING
    return any([word.text in GIT_BRINGS for word in command.words])


def _note_folder(
    command: Command,
    commands: Sequence[Command],
    by_command: Sequence[Sequence[Operation]],
    folders: list[str],
    below: list[str],
) -> None:
    """Keep the folder that a command fills from the network, if it is such a command."""
    if folder := cloned_into(command):
        folders.append(folder)
    elif folder := _arrived_in(command, commands, by_command):
        is_named = folder != command.cwd or command.program not in UNPACKERS
        (folders if is_named else below).append(folder)


def _arrived_in(
    command: Command, commands: Sequence[Command], by_command: Sequence[Sequence[Operation]]
) -> str:
    """The folder that an archive or a patch straight from the network goes into, "" for none."""
    is_archive = command.program in UNPACKERS
    if not (is_archive or _applies_patch(command)):
        return ""
    is_new = _is_fed(command, commands, by_command)
    if not is_new and not (is_archive and _is_fetched(command, by_command)):
        return ""
    return _unpacked_into(command) if is_archive else command.cwd


def _is_fed(
    command: Command, commands: Sequence[Command], by_command: Sequence[Sequence[Operation]]
) -> bool:
    """Tell whether what a command reads comes straight from the network, through any filters."""
    todo, seen = [command], set[int]()
    while todo:
        stdin = todo.pop().stdin
        for source in stdin.sources if stdin is not None else ():
            # The same filter may be reached by several ways; each is followed once.
            if source not in seen and 0 <= source < len(commands):
                seen.add(source)
                todo.append(commands[source])
                if any(map(fetches, by_command[source])):
                    return True
    return False


def _is_fetched(command: Command, by_command: Sequence[Sequence[Operation]]) -> bool:
    """Tell whether a command names a file that an earlier command of the line fetched."""
    before = [ops for ops in by_command[: command.index] if any(map(fetches, ops))]
    written = {op.path for ops in before for op in ops if op.path and op.verb is Verb.WRITE}
    if not written:
        return False
    named = [posixpath.join(command.cwd, word.text) for word in command.words[1:]]
    return not written.isdisjoint(map(posixpath.normpath, named))


def _unpacked_into(command: Command) -> str:
    """The folder an archive is unpacked into: `tar -C DIR`, `unzip -d DIR`, else the current."""
    texts = [word.text for word in command.words[1:]]
    given = next((b for a, b in pairwise(texts) if a in INTO), "")
    given = given or next((t.partition("=")[2] for t in texts if t.startswith("--directory=")), "")
    return posixpath.normpath(posixpath.join(command.cwd, given))


def _applies_patch(command: Command) -> bool:
    texts = [word.text for word in command.words[1:]]
    if command.program == "patch":
        return "--dry-run" not in texts
    return command.program == "git" and texts[:1] in (["apply"], ["am"]) and "--check" not in texts


def cloned_into(command: Command) -> str:
    """Return the folder that `git clone` and the like create, "" if none or unknown."""
    telling = CLONERS.get(command.program)
    if telling is None or not command.cwd:
        return ""
    texts = [word.text for word in command.words[1:]]
    if command.program == "git" and texts[:1] in (["submodule"], ["subtree"]):
        return _added_into(command, texts)
    at = next((n for n, text in enumerate(texts) if text in telling), None)
    if at is None and telling:
        return ""
    texts = texts[at + 1 :] if at is not None else texts
    plain = [
        text
        for n, text in enumerate(texts)
        if text[:1] != "-" and not (n and texts[n - 1] in VALUES)
    ]
    # A plain path is cloned from this disk, and brings nothing from the network.
    is_named = command.program in BY_NAME
    if not plain or not (is_named or "://" in plain[0] or "@" in plain[0]):
        return ""
    name = plain[0].rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].removesuffix(".git")
    return posixpath.normpath(posixpath.join(command.cwd, plain[1] if plain[1:] else name))


def _added_into(command: Command, texts: Sequence[str]) -> str:
    """The folder that `git submodule add` and `git subtree add` fill."""
    if texts[1:2] != ["add"]:
        return ""
    prefix = next((text.partition("=")[2] for text in texts if text.startswith("--prefix=")), "")
    at = next((n for n, text in enumerate(texts) if "://" in text or "@" in text), 0)
    if not at:
        return ""
    if texts[0] == "submodule":
        name = texts[at].rstrip("/").rpartition("/")[2].removesuffix(".git")
        prefix = (*texts[at + 1 : at + 2], name)[0]
    elif "-P" in texts[:-1]:
        prefix = texts[texts.index("-P") + 1]
    return posixpath.normpath(posixpath.join(command.cwd, prefix)) if prefix else ""


def _marked(op: Operation, command: Command, folders: Sequence[str]) -> Operation:
    named = named_code(command) if runs_code(op) else ()
    if op.verb not in RUNS and not named:
        return op
    if any(_is_inside(path, folder) for path in named for folder in folders):
        is_script = True
    elif op.path and op.verb is Verb.EXECUTE:
        is_script = any(_is_inside(op.path, folder) for folder in folders)
    else:
        is_script = command.program in {"configure", "autogen.sh", "bootstrap"} and _is_here(
            command, folders
        )
    if is_script:
        traits = op.traits | {Trait.REMOTE_CODE}
        run = replace(op, verb=Verb.EXECUTE, traits=traits, reversible=False)
        return run if op.verb in RUNS else replace(run, thing=ResourceType.CODE)
    return _unread(op, command, folders)


def _refused(op: Operation, command: Command, folders: Sequence[str]) -> Operation:
    """Say of a builder in a folder that came by an earlier call, unseen: it runs remote code."""
    if _unread(op, command, folders) is op:
        return op
    return replace(op, traits=op.traits | {Trait.REMOTE_CODE})


def looked_into(operations: Iterable[Operation], downloaded: Collection[str]) -> Iterator[str]:
    """Yield a mark for each downloaded folder in which a call reads a file."""
    folders = [path for path in downloaded if path.endswith("/")]
    for op in operations if folders else ():
        if op.verb is Verb.READ and op.path:
            yield from [
                f"{folder[:-1]}{LOOKED}" for folder in folders if op.path.startswith(folder)
            ]


def _unread(op: Operation, command: Command, folders: Sequence[str]) -> Operation:
    """Say of what a builder runs that nobody read it."""
    # Inline code stands in the call itself, so it was read.
    if op.verb not in RUNS or Trait.INLINE in op.traits:
        return op
    is_script = bool(op.path) and any(_is_inside(op.path, folder) for folder in folders)
    if not is_script and not _runs_folder(command, folders):
        return op
    why = "builds what was cloned a moment ago"
    traits = op.traits | {Trait.WRITTEN_NOW}
    return replace(op, traits=traits, understood=False, why=why, reversible=False)


def _unread_script(op: Operation, roots: Sequence[str]) -> Operation:
    """Say of a script in a folder below an archive's that it may have come with it."""
    inside = [op.path.removeprefix(f"{root.rstrip('/')}/") for root in roots if op.path]
    is_below = op.verb is Verb.EXECUTE and any([rest != op.path and "/" in rest for rest in inside])
    if not is_below:
        return op
    why = "runs what may have been unpacked a moment ago"
    return replace(op, understood=False, why=why, traits=op.traits | {Trait.WRITTEN_NOW})


def _runs_folder(command: Command, folders: Sequence[str]) -> bool:
    """Tell whether a builder works in one of the folders, or is told to: `make -C /tmp/tool`."""
    program = command.program
    if program not in BUILDERS:
        return False
    if _is_here(command, folders):
        return True
    texts = [word.text for word in command.words[1:]]
    if program in INTERPRETERS:
        texts = _words_of_code(texts)
    named = [text.rpartition("=")[2] for text in texts if "/" in text]
    given = [word.text for name, word in command.assignments if name == "PYTHONPATH"]
    named += [path for text in given for path in text.split(":")]
    named += [value for option, value in pairwise(texts) if option in WORKS_IN]
    paths = [posixpath.normpath(posixpath.join(command.cwd, text)) for text in named]
    return any(_is_inside(path, folder) for path in paths for folder in folders)


def _words_of_code(texts: list[str]) -> list[str]:
    """The words up to the script or module that an interpreter runs; behind it stands its data."""
    at = next((at for at, text in enumerate(texts) if text[:1] != "-"), len(texts))
    if "-m" not in texts:
        return texts[: at + 1]
    module = texts[at] if at < len(texts) and texts[at - 1] == "-m" else ""
    # `python -m pip install FOLDER` runs what the folder holds; a package of one's own reads it.
    if "." not in module or module.partition(".")[0] in BUILDERS | _RUNNERS:
        return texts
    return [*texts[:at], module.replace(".", "/")]


def _is_here(command: Command, folders: Sequence[str]) -> bool:
    return any(_is_inside(command.cwd, folder) for folder in folders)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
