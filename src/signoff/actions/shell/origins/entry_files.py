"""Files that a tool runs without being given their names, where they came from the network.

`make` runs the Makefile of its folder, `npm install` what package.json names, `pytest` the
conftest.py files. If nobody looked at such a file after it was fetched, the tool runs remote code.

    curl -o Makefile URL ; make      -> EXECUTE Makefile, traits={REMOTE_CODE}
    curl -o h.js URL ; node -r ./h.js app.js      the same of h.js
    curl -o lib.py URL ; python3 -c 'import lib'  the same of lib.py
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import chain, islice

from signoff.actions.code.python.calls import CALLS
from signoff.actions.code.sinks import Sink
from signoff.actions.known.entry_points import runs_file
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.shell.origins.marks import WrittenFiles
from signoff.actions.shell.origins.named_code import named_code, runs_code
from signoff.actions.vocabulary import lazy_re, words

RUNNING = frozenset({Verb.EXECUTE, Verb.INSTALL, Verb.PUBLISH})
PATHS_LIMIT = 64
_MAKE = "Makefile makefile GNUmakefile BSDmakefile *.mk"
_NODE = "package.json .npmrc .pnpmfile.cjs .yarnrc.yml .pnp.cjs yarn-*.cjs"
_PYTHON_BUILD = "setup.py pyproject.toml setup.cfg"
_COMPOSE = "docker-compose*.yml docker-compose*.yaml compose*.yml compose*.yaml Dockerfile*"
_TESTS = "conftest.py test_*.py *_test.py pytest.ini"
# The names of the files that each program loads and runs.
ENTRY_NAMES: Mapping[str, tuple[str, ...]] = {
    name: tuple(files.split())
    for names, files in (
        ("make gmake bmake nmake mingw32-make", _MAKE),
        ("just", "justfile Justfile .justfile *.just"),
        ("npm pnpm yarn bun npx", _NODE),
        ("pip pip3 uv poetry pdm hatch pipx build flit", _PYTHON_BUILD),
        ("pytest py.test ptw unittest", _TESTS),
        ("tox", f"tox.ini {_PYTHON_BUILD} {_TESTS}"),
        ("nox", "noxfile.py"),
        ("docker podman nerdctl docker-compose podman-compose", f"{_COMPOSE} Containerfile*"),
        ("rake", "Rakefile rakefile Rakefile.rb *.rake"),
        ("bundle gem", "Gemfile *.gemspec"),
        ("gradle gradlew", "*.gradle *.gradle.kts gradle-wrapper.jar gradle-wrapper.properties"),
        ("mvn mvnw", "pom.xml maven-wrapper.jar maven-wrapper.properties extensions.xml"),
        ("cmake ctest", "CMakeLists.txt *.cmake CMakePresets.json"),
        ("meson", "meson.build"),
        ("bazel bazelisk", "BUILD BUILD.bazel WORKSPACE MODULE.bazel *.bzl"),
        ("cargo", "build.rs Cargo.toml"),
        ("composer", "composer.json"),
        ("mix", "mix.exs"),
        ("sbt", "build.sbt"),
        ("vagrant", "Vagrantfile"),
        ("direnv", ".envrc"),
        ("invoke inv", "tasks.py"),
        ("fab", "fabfile.py"),
        ("scons", "SConstruct SConscript"),
        ("pre-commit", ".pre-commit-config.yaml"),
        ("gulp", "gulpfile.*"),
        ("grunt", "Gruntfile.*"),
        ("java", "*.class"),
        ("msbuild dotnet", "*.csproj *.props *.targets *.sln"),
    )
    for name in names.split()
}

# The options behind which a program is handed a file to load and run; "" = its first operand.
LOADING_OPTIONS: Mapping[str, frozenset[str]] = {
    name: frozenset(options.split()) | ({""} if options.endswith(" ") else frozenset())
    for names, options in (
        ("node nodejs bun tsx ts-node", "-r --require --import --loader --experimental-loader"),
        ("vim vi nvim ex view gvim", "-S -u -s --cmd"),
        ("emacs", "-l --load --script"),
        ("gdb", "-x -ix --command --init-command -command"),
        ("lldb", "-s -S --source"),
        ("ruby irb", "-r"),
        ("bash", "--rcfile --init-file"),
        ("awk gawk mawk nawk sed gsed", "-f --file"),
        ("R octave", "-f --file"),
        ("tmux screen", "-f -c"),
        ("ssh scp sftp", "-F"),
        ("sqlite3", "-init --init"),
        ("at batch", "-f"),
        ("crontab", "-u "),
        ("launchctl systemctl", "load bootstrap link enable "),
        ("ansible-playbook ansible-console ansible puppet", "-i --inventory -e apply "),
        ("chef-apply chef-solo chef-client knife salt-ssh salt-call", "-c -j exec "),
        ("dc", "-f "),
        ("docker podman nerdctl docker-compose podman-compose", "-f --file"),
        ("task go-task", "-t --taskfile"),
        ("ant mvn mvnw scons", "-f --file -buildfile --sconstruct"),
        ("cargo", "--manifest-path"),
        ("wp", "eval-file --require"),
        ("drush", "scr php:script php-script"),
        ("kotlinc kotlin", "-script"),
        ("v", "run crun"),
        ("celery flask", "-A --app"),
        ("eslint webpack rollup jest vite", "-c --config"),
    )
    for name in names.split()
}
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "python3", "python", "perl", "ruby"})
# What runs the lines of its input where one of these words stands behind it.
FED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("xargs", "parallel", "ssh", "docker", "podman", "kubectl", "oc"), _SHELLS),
    "crontab": frozenset({"-"}),
    "at": frozenset({"now"}),
}
# What runs the cells of a notebook or a document; these show it, unless they are told to run it.
SHOWING = words("jupyter jupyter-nbconvert nbconvert jupytext")
NOTEBOOKS = SHOWING | words(
    "papermill nbclient jupyter-execute runipy ploomber quarto treon nbmake"
)
RUN_WORDS = words("--execute execute run --ExecutePreprocessor.enabled=True")
# Data that may bring code, by the call that loads it.
UNPICKLERS = frozenset(name for name, rule in CALLS.items() if rule.sink is Sink.UNPICKLE)
_IMPORTED = lazy_re(r"(?:^|[\s;\"'])(?:import|from)\s+([A-Za-z_][\w.]*)")
_QUOTED = lazy_re(r"[\"']([^\"'\n]{1,200})[\"']")
# What a task of this name runs loads these, whatever the task says.
_TASK_RUNNERS = words(
    "make gmake just npm pnpm yarn bun task go-task rake tox nox mise poetry uv pdm hatch"
)
_TEST_TASKS = words("test tests check ci unit coverage cov pytest verify t")
_TEST_STARTS = ("conftest.py", *("sitecustomize.py", "usercustomize.py"))
# The variables that name folders of modules, and what is loaded from there.
_SEARCHED: Mapping[str, tuple[str, ...]] = {
    "PYTHONPATH": (".py", ".so", ".pth"),
    "NODE_PATH": (".js", ".cjs", ".mjs", ".node"),
    "RUBYLIB": (".rb", ".so"),
    "PERL5LIB": (".pm", ".pl"),
    "LUA_PATH": (".lua",),
    "LD_LIBRARY_PATH": (".so",),
    "DYLD_LIBRARY_PATH": (".dylib",),
    "CLASSPATH": (".class", ".jar"),
}
_BY_NAME = words("python python3 pypy pypy3")  # their code says which modules it loads
START_UP_MODULES = frozenset({"sitecustomize.py", "usercustomize.py"})


def fetched_entries(
    command: Command, operations: Sequence[Operation], place: Place, written: WrittenFiles
) -> Iterator[Operation]:
    """Yield the running of each downloaded file that a command loads without naming it.

    Args:
        written: origins by path of what the line wrote before.
    """
    downloaded = place.facts.downloaded
    if not downloaded and not written:
        return
    program = command.program
    loaded = {op.path for op in operations if op.verb is Verb.READ and op.program in UNPICKLERS}
    is_run = bool(loaded) or program in NOTEBOOKS or program in LOADING_OPTIONS or program in FED
    is_run = is_run or program == "git"  # it runs hooks
    if not is_run and not any([op.verb in RUNNING or runs_code(op) for op in operations]):
        return
    texts = [word.text for word in command.words[:3]]
    loader = texts[2] if texts[1:2] == ["-m"] and texts[2:] else program
    entries, start = ENTRY_NAMES.get(loader, ()), " ".join(texts)
    if loader in _TASK_RUNNERS and not _TEST_TASKS.isdisjoint(start.replace(":", " ").split()):
        entries = (*entries, *_TEST_STARTS)
    # What hangs on the command alone is worked out once: there may be as many files as commands.
    paths = [*islice(chain(written.fetched, _single_files(downloaded)), PATHS_LIMIT)]
    run = {op.path for op in operations if op.path and op.verb is Verb.EXECUTE}
    named = named_code(command) if any(map(runs_code, operations)) else frozenset()
    handed = _handed(command) | named - run
    for path in paths:
        is_entry = is_inside(path, command.cwd) and _loads(start, entries, path)
        if (
            is_entry
            or path in handed
            or path in loaded
            or _is_imported(command, path)
            or _is_searched(command, path)
            or (program in FED and _is_fed(command, operations, path))
        ):
            yield _run(command, path)


@lru_cache(maxsize=8)
def _single_files(downloaded: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in downloaded if not path.endswith("/"))[:PATHS_LIMIT])


def _loads(start: str, entries: Iterable[str], path: str) -> bool:
    name = path.rpartition("/")[2]
    return any([fnmatchcase(name, one) for one in entries]) or runs_file(start, path)


def _handed(command: Command) -> set[str]:
    """Return the files that a program is handed behind its options."""
    options = LOADING_OPTIONS.get(command.program)
    found: set[str] = set()
    if command.program in _COMPOSERS and any([word.text in _SHOWN for word in command.words[1:6]]):
        return found
    if command.program in NOTEBOOKS and _runs_cells(command):
        return {_at(command, word.text) for word in command.words[1:]}
    before = ""
    for word in command.words[1:] if options else ():
        option, _, value = word.text.partition("=") if word.text[:1] == "-" else ("", "", word.text)
        if not options or not value:
            pass
        elif (option or before) in options or ("" in options and not option):
            found.add(_at(command, value.removeprefix("@")))
            found.add(_at(command, f"{value.replace('.', '/')}.py"))  # a module of Python
        before = word.text if word.text[:1] == "-" or word.text in (options or ()) else ""
    return found


# These show what a composition holds, or end it.
_COMPOSERS = words("docker podman nerdctl docker-compose podman-compose")
_SHOWN = words("config ps logs down images port top version ls convert")


def _runs_cells(command: Command) -> bool:
    """Tell whether the cells of a notebook run, and it is not only shown in another form."""
    texts = {word.text for word in command.words[1:]}
    return command.program not in SHOWING or not RUN_WORDS.isdisjoint(texts)


def _is_fed(command: Command, operations: Sequence[Operation], path: str) -> bool:
    """Tell whether lines of a file run one by one, or in a shell elsewhere: `parallel < lines`."""
    names = FED.get(command.program)
    if names is None or not any([op.verb is Verb.READ and op.path == path for op in operations]):
        return False
    texts = [word.text for word in command.words[1:]]
    if command.program == "parallel":
        # Without a command of its own, GNU parallel runs each line of its input.
        return all([text[:1] == "-" for text in texts])
    return any([text.rpartition("/")[2] in names for text in texts])


def _is_imported(command: Command, path: str) -> bool:
    """Tell whether Python code in a call's words, or its start, loads a module."""
    if not path.endswith(".py") or not command.program.startswith(("python", "pypy")):
        return False
    folder, _, name = path.rpartition("/")
    searched = [command.cwd]
    for variable, value in command.assignments:
        if variable == "PYTHONPATH":
            searched += [_at(command, part) for part in value.text.split(":")]
    texts = [word.text for word in command.words[1:]]
    if any(["sys.path" in text for text in texts]):
        searched += [_at(command, part) for text in texts for part in _QUOTED.findall(text)]
    if folder not in searched:
        return False
    stem = name.removesuffix(".py")
    is_module = "-m" in texts[:-1] and texts[texts.index("-m") + 1].partition(".")[0] == stem
    names = [one.partition(".")[0] for text in texts for one in _IMPORTED.findall(text)]
    return is_module or stem in names or (bool(command.assignments) and name in START_UP_MODULES)


def _is_searched(command: Command, path: str) -> bool:
    """Tell whether a variable tells programs to look for modules in the folder of a file."""
    folder, _, name = path.rpartition("/")
    for variable, value in command.assignments:
        endings = _SEARCHED.get(variable)
        if endings is None or not name.endswith(endings) or command.program in _BY_NAME:
            continue
        if folder in [_at(command, part) for part in value.text.split(":") if part]:
            return True
    return False


def _at(command: Command, text: str) -> str:
    return posixpath.normpath(posixpath.join(command.cwd, text))


def _run(command: Command, path: str) -> Operation:
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=path,
        path=path,
        reach=Reach.UNKNOWN,
        traits=frozenset({Trait.REMOTE_CODE, Trait.NAMED}),
        reversible=False,
        understood=False,
        why=f"what is in `{path[-80:]}` is not known",
        program=command.program,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
