"""Python: pip, pipx, uv, poetry, pdm, hatch, conda and managers of Python itself."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    FETCH,
    INERT,
    LOGS_IN,
    LOOK,
    LOOK_UP,
    RELEASE,
    SETS_GLOBAL,
    SETS_PROJECT,
    SHOWS_SECRET,
    TAKEN_FROM_USER,
    TAKEN_OUT,
    Subs,
)
from signoff.actions.programs.dev.packages import (
    installed,
    is_foreign,
    package_install,
    package_remove,
    package_runner,
)
from signoff.actions.programs.interpreters import run_standard_input
from signoff.actions.programs.program import Program, program, sub

SOURCES = (
    "-i --index-url --extra-index-url -f --find-links --index --default-index -e --editable "
    "--requirement -r --with-requirements --source"
)
PIP_VALUES = (
    "-c --constraint --prefix --root --python -p --platform --python-version --implementation "
    "--abi --no-binary --only-binary --upgrade-strategy --config-settings -C --global-option "
    "--timeout --retries --proxy --trusted-host --cert --cache-dir --progress-bar --extra "
    "--group --optional --branch --tag --rev --with --from --package --directory --project "
    "-G --platforms --exclude-newer --allow-newer --env -n --name -P --python-preference"
)


_INSTALL = package_install(wide="--user --system --break-system-packages", sources=SOURCES)
_USER_INSTALL = package_install(always_wide=True, sources=SOURCES)


def _pip_install(call: Call) -> Iterator[Effect]:
    """`pip install`: a host trusted without TLS weakens; `--target` is judged by its place."""
    if call.has("--trusted-host"):
        yield call.operation(
            Verb.CONFIGURE,
            Thing.PROTECTION,
            "--trusted-host",
            traits=(Trait.WEAKENS,),
            reach=Reach.PROJECT,
        )
    yield from _INSTALL(call)
    for word in call.values("-t", "--target", "--prefix", "--root"):
        yield call.on_file(Verb.WRITE, word)


PIP_INSTALL = sub(
    handler=_pip_install,
    values=f"{SOURCES} {PIP_VALUES} -t --target",
    harmless="--dry-run -h",
)
ADD = sub(handler=_INSTALL, values=f"{SOURCES} {PIP_VALUES}", harmless="--dry-run -h")
USER_ADD = sub(handler=_USER_INSTALL, values=f"{SOURCES} {PIP_VALUES}", harmless="--dry-run -h")
OUT = sub(TAKEN_OUT, values=PIP_VALUES, harmless="--dry-run -h")
CACHE = sub(
    LOOK, subs={"purge remove clean clear prune rm": CACHE_GONE, "dir list info size": LOOK}
)
SYSTEM_OUT = sub(handler=package_remove(wide="--system --break-system-packages"), values=PIP_VALUES)
PIP_SUBS: Subs = {
    "install": PIP_INSTALL,
    "uninstall": SYSTEM_OUT,
    "download wheel": sub(FETCH, values=f"{SOURCES} {PIP_VALUES}", writes="-d --dest -w"),
    "sync compile": ADD,
    "list freeze show check search index debug inspect help completion hash tree": sub(LOOK),
    "cache": CACHE,
    "config": sub(
        subs={
            "list get debug": LOOK,
            "set unset edit": sub(SETS_GLOBAL, acting={"--site": SETS_PROJECT}),
        }
    ),
    "lock": CHANGES_PROJECT,
}


PUBLISH = sub(
    RELEASE,
    values="--token -u --username -p --password -r --repository -t --publish-url",
    harmless="--dry-run -h",
)


def _uv_run(call: Call) -> Iterator[Effect]:
    """`uv run x`: the program is unfolded elsewhere; packages and scripts it fetches are judged."""
    for word in call.values("--with", "-w", "--with-editable", "--index", "--index-url"):
        if is_foreign(word, call):
            yield installed(call, word.text, foreign=True)
    for word in call.operands[:1]:
        if word.text.startswith(("http://", "https://")):
            yield call.opaque("runs a script from an address", Trait.REMOTE_CODE)
        elif word.text == "-":
            yield from run_standard_input(call, "python")
    yield from call.perform(BUILD)


UV = program(
    "uv",
    values="--directory --project --config-file --cache-dir --color --python-preference -p "
    "--python",
    subs={
        "add": ADD,
        "sync lock": sub(ADDED, values=PIP_VALUES, harmless="--dry-run --check --locked"),
        "remove": OUT,
        "pip": sub(subs=PIP_SUBS),
        "run": sub(
            handler=_uv_run,
            values=f"{SOURCES} {PIP_VALUES} --with-editable --env-file -w",
            options_first=True,
        ),
        "tool": sub(
            subs={
                "install upgrade": USER_ADD,
                "uninstall": TAKEN_FROM_USER,
                "run": sub(
                    handler=package_runner("--from", "--with", nested=True),
                    values=PIP_VALUES,
                    options_first=True,
                ),
                "list dir": LOOK,
                "update-shell": SETS_GLOBAL,
            }
        ),
        "python": sub(
            subs={
                "install upgrade": ADDED_FOR_USER,
                "uninstall": TAKEN_FROM_USER,
                "pin": CHANGES_PROJECT,
                "list find dir": LOOK,
                "update-shell": SETS_GLOBAL,
            }
        ),
        "venv init build version format export": sub(CHANGES_PROJECT, values=PIP_VALUES),
        "publish": PUBLISH,
        "cache": CACHE,
        "self": sub(subs={"update": sub(ADDED_FOR_USER, harmless="--dry-run"), "version": LOOK}),
        "tree help generate-shell-completion audit": LOOK,
        "auth": sub(LOGS_IN, subs={"token": SHOWS_SECRET, "dir helper": LOOK}),
    },
    harmless="-V -h",
)
RUNNERS = (
    program(
        "uvx",
        values=PIP_VALUES,
        options_first=True,
        handler=package_runner("--from", "--with", nested=True),
        harmless="-V -h",
    ),
    program(
        "pipx",
        subs={
            "install install-all upgrade upgrade-all upgrade-shared inject reinstall "
            "reinstall-all pin unpin": USER_ADD,
            "uninstall uninstall-all uninject": TAKEN_FROM_USER,
            "run": sub(
                handler=package_runner("--spec", nested=True),
                values="--spec --python --pip-args --index-url -i",
                options_first=True,
            ),
            "runpip": sub(ADDED_FOR_USER),
            "list environment completions interpreter help": LOOK,
            "ensurepath": SETS_GLOBAL,
        },
        harmless="-h",
    ),
)


def _poetry_setting(call: Call) -> Iterator[Effect]:
    """`poetry config key` tells; with a value or `--unset` it changes."""
    told = len(call.operands) < 2 and not call.has("--unset", "--migrate")
    local = call.has("--local")
    yield from call.perform(LOOK if told else SETS_PROJECT if local else SETS_GLOBAL)


POETRY = program(
    "poetry",
    values="-C --directory -P --project",
    subs={
        "add": ADD,
        "install update sync lock": sub(ADDED, values=PIP_VALUES, harmless="--dry-run --check"),
        "remove": OUT,
        "run shell build check": sub(BUILD, values="-f --format -o --output"),
        "new init version export": sub(CHANGES_PROJECT, values=f"{PIP_VALUES} -f -o --output"),
        "show search about list help debug env": sub(
            LOOK,
            subs={
                "remove": sub(TAKEN_OUT),
                "use activate info list": LOOK,
            },
        ),
        "publish": PUBLISH,
        "config": sub(handler=_poetry_setting),
        "cache": CACHE,
        "source": sub(subs={"add": sub(SETS_GLOBAL), "remove": SETS_PROJECT, "show": LOOK}),
        "python": sub(subs={"install": ADDED_FOR_USER, "remove": TAKEN_FROM_USER, "list": LOOK}),
        "self": sub(
            subs={
                "add install update sync": sub(ADDED_FOR_USER, harmless="--dry-run"),
                "remove": sub(TAKEN_FROM_USER, harmless="--dry-run"),
                "lock": CHANGES_PROJECT,
                "show": sub(LOOK, subs={"plugins": LOOK}),
            }
        ),
    },
    harmless="-V -h",
)


def _environment(call: Call) -> Iterator[Effect]:
    """`virtualenv x`: an environment is made in a folder."""
    for word in call.operands[:1]:
        made = call.on_file(Verb.WRITE, word)
        if made.reach in {Reach.PROJECT, Reach.TEMP}:
            yield made
    yield from call.perform(CHANGES_PROJECT)


OTHERS = (
    program(
        "pdm rye pixi",
        values="-p --project -c --config --manifest-path",
        subs={
            "add import": ADD,
            "install update sync lock upgrade outdated fetch": sub(
                ADDED, values=PIP_VALUES, harmless="--dry-run --check"
            ),
            "remove": OUT,
            "run build test fmt lint exec task shell start": BUILD,
            "publish upload": PUBLISH,
            "config": sub(
                SETS_GLOBAL,
                acting={"--local --project -l --get": SETS_PROJECT},
                subs={
                    "list": LOOK,
                    "set append prepend unset edit": sub(
                        SETS_GLOBAL, acting={"-l --local": SETS_PROJECT}
                    ),
                },
            ),
            "cache clean": CACHE,
            "use init new venv fix export pin version project workspace": CHANGES_PROJECT,
            "list show info search tree completion self-replace toolchain py python help": sub(
                LOOK,
                subs={
                    "fetch install register": ADDED_FOR_USER,
                    "remove": TAKEN_FROM_USER,
                    "list find link": LOOK,
                },
            ),
            "self plugin": sub(
                ADDED_FOR_USER, subs={"list": LOOK, "remove uninstall": TAKEN_FROM_USER}
            ),
            "tools global": sub(
                ADDED_FOR_USER, subs={"list": LOOK, "uninstall remove": TAKEN_FROM_USER}
            ),
            "auth": LOGS_IN,
        },
        harmless="-V -h",
    ),
    program(
        "hatch flit",
        values="-e --env -p --project -f --ini-file",
        subs={
            "run build test fmt check shell": BUILD,
            "new init version clean dep": CHANGES_PROJECT,
            "publish": PUBLISH,
            "install": sub(ADDED, acting={"--user": ADDED_FOR_USER}),
            "env": sub(
                LOOK, subs={"remove prune": TAKEN_OUT, "create run": BUILD, "show find": LOOK}
            ),
            "python": sub(
                LOOK,
                subs={
                    "install update": ADDED_FOR_USER,
                    "remove": TAKEN_FROM_USER,
                    "show find": LOOK,
                },
            ),
            "config": sub(LOOK, subs={"set restore": SETS_GLOBAL}),
            "self": ADDED_FOR_USER,
            "status project": LOOK,
        },
        harmless="-h",
    ),
    program(
        "pipenv",
        subs={
            "install update upgrade sync lock": ADD,
            "uninstall": OUT,
            "clean": TAKEN_OUT,
            "run shell": BUILD,
            "check verify graph open requirements scripts": LOOK,
        },
        acting={"--rm": TAKEN_OUT, "--venv --where --py --envs": LOOK},
        values="--python",
        harmless="-h",
    ),
    program(
        "twine",
        subs={
            "upload": sub(RELEASE, values="-r --repository --repository-url -u -p --config-file"),
            "check": LOOK,
            "register": FAR_CHANGE,
        },
        harmless="-h",
    ),
)


VERSIONS = (
    program(
        "pyenv",
        subs={
            "install update": sub(ADDED_FOR_USER, acting={"-l --list": LOOK}),
            "uninstall": TAKEN_FROM_USER,
            "global": sub(SETS_GLOBAL),
            "virtualenv": ADDED,
            "virtualenv-delete": TAKEN_FROM_USER,
            "local shell exec which whence versions version init rehash commands prefix root "
            "shims help completions hooks virtualenvs activate deactivate latest doctor "
            "virtualenv-init virtualenv-prefix": LOOK,
        },
    ),
    program(
        "virtualenv mkvirtualenv pyvenv mktmpenv mkproject",
        handler=_environment,
        values="-p --python -a -i -r --prompt --app-data",
        harmless="-h",
    ),
    program("rmvirtualenv", TAKEN_OUT),
    program("workon lsvirtualenv cdvirtualenv showvirtualenv lssitepackages wipeenv", INERT),
)
PROGRAMS: tuple[Program, ...] = (
    program(
        "pip pip2 pip3 pip3.10 pip3.11 pip3.12 pip3.13",
        values="--proxy --cache-dir --python --timeout --log --trusted-host",
        subs=PIP_SUBS,
        harmless="-V -h",
    ),
    UV,
    *RUNNERS,
    POETRY,
    *OTHERS,
    *VERSIONS,
    program("pip-compile", CHANGES_PROJECT, values="-o --output-file", harmless="--dry-run -n -h"),
    program("pip-sync", ADDED, harmless="--dry-run -n -h"),
    program("pip-audit pipdeptree safety", LOOK_UP, harmless="-h --dry-run"),
    program("easy_install", handler=_USER_INSTALL),
    program("cookiecutter copier cruft", handler=package_install(), values="-o --output-dir"),
    program("tox", BUILD, values="-e -c --workdir -x", harmless="-l -a -h"),
    program("nox", BUILD, values="-s -k -f -t", harmless="-l --list -h"),
    program("pyinstaller", BUILD, values="-n --name --distpath --workpath -p -i --add-data"),
    program("2to3", BUILD),
)
