"""Files that a tool runs without being given their names, where they came from the network.

`make` runs the Makefile of its folder, `npm install` what package.json names, `pytest` the
conftest.py files. If nobody looked at such a file after it was fetched, the tool runs remote code.

    curl -o Makefile URL ; make      -> EXECUTE Makefile, traits={REMOTE_CODE}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from signoff.actions.known.entry_points import runs_file
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside
from signoff.actions.place import Place
from signoff.actions.shell.command import Command

FETCHED = 1  # as in `provenance.py`
RUNNING = frozenset({Verb.EXECUTE, Verb.INSTALL, Verb.PUBLISH})
PATHS_LIMIT = 64
_MAKE = "Makefile makefile GNUmakefile BSDmakefile *.mk"
_NODE = "package.json .npmrc .pnpmfile.cjs .yarnrc.yml"
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
        ("gradle gradlew", "*.gradle *.gradle.kts"),
        ("mvn mvnw", "pom.xml"),
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
        ("msbuild dotnet", "*.csproj *.props *.targets *.sln"),
    )
    for name in names.split()
}


def fetched_entries(
    command: Command, operations: Sequence[Operation], place: Place, written: Mapping[str, int]
) -> Iterator[Operation]:
    """Yield the running of each fetched file that a command loads without naming it.

    Args:
        written: origins by path of what the line wrote before.
    """
    downloaded = place.facts.downloaded
    if not downloaded and not written:
        return
    if not any([op.verb in RUNNING for op in operations]):
        return
    paths = [path for path, origins in written.items() if origins & FETCHED]
    paths += sorted(path for path in downloaded if not path.endswith("/"))
    for path in paths[:PATHS_LIMIT]:
        if is_inside(path, command.cwd) and _loads(command, path):
            yield _run(command, path)


def _loads(command: Command, path: str) -> bool:
    name, words = path.rpartition("/")[2], [word.text for word in command.words[:3]]
    program = words[2] if words[1:2] == ["-m"] and words[2:] else command.program
    if any([fnmatchcase(name, one) for one in ENTRY_NAMES.get(program, ())]):
        return True
    return runs_file(" ".join(words), path)


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
        why=f"`{path[-80:]}` was not read",
        program=command.program,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
