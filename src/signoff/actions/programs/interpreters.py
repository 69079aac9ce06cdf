"""Shells and language interpreters: inline code, script files, modules, standard input.

What they are given to run is taken apart where it is known: inline code by its language, a
script by its text where it was looked at beforehand. Code that arrives on standard input from
another command, or from a place that is unknown, is opaque; the data flow says more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from signoff.actions.facts import FileFact
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.program import Handler
from signoff.actions.programs.scripts import only_checks, run_read, run_unread, script_at
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_every_interface, is_near_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

PROTECTED_KINDS = frozenset({FileKind.GUARD, FileKind.AGENT_CONFIG})
# A word without a folder that is a file's name all the same: `.env`, `id_rsa`, `dump.sql`.
PLAIN_FILE = lazy_re(r"\.?[A-Za-z_][\w-]*(?:\.[A-Za-z]\w{0,7})?|\.[\w.-]+")
# Programs that run a shell as somebody else when they are given no command.
PRIVILEGED = frozenset(
    {"sudo", "sudo-rs", "doas", "su", "runuser", "pkexec", "gosu", "su-exec", "setpriv", "sg"}
    | {"setuidgid", "chpst", "run0", "sux", "capsh"}
)
# In the order in which node's `require` looks.
JS_ENDINGS = (".js", ".cjs", ".mjs", "/index.js")
STDIN_NAMES = frozenset({"-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"})


def run_script(call: ProgramCall, word: Word, language: str) -> Iterator[Effect]:
    """Yield the effects of running a script file, by its text if known."""
    # A script by the name `/dev/stdin` expects input; where it comes from is not on this line.
    if word.text in STDIN_NAMES - {"-"} and call.command.stdin is None:
        yield call.opaque("its code comes on standard input", Trait.INLINE)
        return
    if word.text in STDIN_NAMES:
        yield from run_standard_input(call, language)
        yield from _read_by_code(call, call.operands[1:])
        return
    if word.text.startswith(("http://", "https://", "ftp://")):
        yield run_address(call, word)
        return
    # The name of the script is what a program prints, or came out of base64 and the like.
    is_printed = word.sources and (not word.is_known or word.is_decoded)
    if is_printed or word.text.startswith(("/dev/fd/", "/proc/self/fd/")):
        yield from _run_printed(call, word, language)
        return
    # An unread script is handed these files, and could write them.
    yield from _protected_operands(call)
    own = tuple(_project_script(call, word))
    if own:
        yield from (*own, script_at(call, word))
        return
    at = locate(word.text, call.place) if word.is_known else None
    fact = _look_of(call, at.path, language) if at else None
    if fact is not None and fact.text is not None:
        yield run_read(call, call.on_file(Verb.EXECUTE, word))
        carrier = f"{call.name} {word.text}"
        yield Nested(text=fact.text, language=language, carrier=carrier, script=word.text)
        return
    yield run_unread(call, word)


def run_address(call: ProgramCall, word: Word) -> Operation:
    """Build the Operation of running unread code from a URL."""
    traits = (Trait.REMOTE_CODE, Trait.NAMED)
    return call.operation(
        Verb.EXECUTE, ResourceType.CODE, word.text, reach=Reach.REMOTE, traits=traits
    )


def _look_of(call: ProgramCall, path: str, language: str) -> FileFact | None:
    """The look at a script; JavaScript finds `tool.js` by the name `tool`."""
    files = call.place.files
    fact = files.get(path)
    if language != "javascript" or (fact is not None and fact.text is not None):
        return fact
    return next((files[at] for end in JS_ENDINGS if (at := f"{path}{end}") in files), fact)


def _protected_operands(call: ProgramCall) -> Iterator[Effect]:
    """What a script could do to files of the guard and of agents that it is given: change them."""
    for other in call.operands[1:]:
        if other.is_known and "." in other.text:
            changed = call.on_file(Verb.WRITE, other)
            if changed.file_kind in PROTECTED_KINDS:
                yield changed


PROJECT_SCRIPTS = words(
    "Makefile.PL Build.PL "
    "manage.py artisan console rails rake setup.py ace drush wp-cli.phar composer.phar yiic yii "
    "craft spark alembic flask wp"
)


def _project_script(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """Judge `python manage.py flush` as `manage.py flush`: scripts every such project has."""
    name = word.text.rsplit("/", 1)[-1]
    if word.is_known and name in PROJECT_SCRIPTS:
        given = [f"{key}={rejoin((value,))}" for key, value in call.command.assignments]
        line = " ".join((*given, rejoin((Word(text=name), *call.operands[1:]))))
        yield Nested(text=line, language="shell", carrier=f"{call.name} {name}")


def _run_printed(call: ProgramCall, word: Word, language: str) -> Iterator[Effect]:
    """Run what another command prints (`. <(cmd)`): known text is taken apart, else opaque."""
    fact = call.place.files.get(word.text)
    if fact is not None and fact.text is not None:
        yield Nested(text=fact.text, language=language, carrier=call.name)
    else:
        yield call.opaque("runs what another command prints", Trait.INLINE)


def run_standard_input(call: ProgramCall, language: str) -> Iterator[Effect]:
    """Yield the effects of running standard input as code in this language."""
    stream = call.command.stdin
    is_empty = stream is None or (stream.text is not None and not stream.text.strip())
    if is_empty and _is_privileged(call):
        yield call.operation(Verb.PRIVILEGE, ResourceType.CODE, f"a {call.name} with other rights")
    elif (stream is None or stream.text == "") and _is_started_elsewhere(call):
        # `find -exec sh \;`, `awk 'BEGIN{system("sh")}'`: known ways out of a restricted program.
        yield call.opaque("starts a shell that takes its orders from elsewhere", Trait.INLINE)
    elif stream is None:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    elif stream.text is not None:
        yield Nested(text=stream.text, language=language, carrier=f"{call.name} <stdin>")
    elif stream.path and stream.path not in STDIN_NAMES:
        yield from run_script(call, Word(text=stream.path), language)
    else:
        yield call.opaque("its code comes on standard input", Trait.INLINE)


def _is_privileged(call: ProgramCall) -> bool:
    """Whether a carrier gives other rights: `sudo`, `su -c`, `runuser -l x`."""
    return any([name.split(" ", 1)[0] in PRIVILEGED for name in call.command.carriers])


def _edited_in_place(call: ProgramCall) -> Iterator[Effect]:
    """`perl -pi -e ... file`, `ruby -i -pe ... file`: the operands are rewritten."""
    # `-i.bak` takes the ending of the copy in its own word.
    if any(option.name.startswith("-i") for option in call.options):
        for word in call.operands:
            yield call.on_file(Verb.WRITE, word, Trait.PARTIAL)


def _read_by_code(call: ProgramCall, given: Iterable[Word]) -> Iterator[Effect]:
    """What inline code is handed by name, it reads: `perl -pe 1 FILE`, `sys.argv[1]`, `ARGF`.

    What else it does to a file it was handed is known only when it runs, and asked about as that.
    """
    for word in given:
        is_path = "/" in word.text and "://" not in word.text
        if word.is_known and (is_path or PLAIN_FILE.fullmatch(word.text)):
            yield call.on_file(Verb.READ, word)


# What a shell is started in rather than by: this shell itself, another one, the project's own
# environment, a container, another machine, a terminal. Their own rules say what they open.
SURROUNDINGS = words(
    "command builtin time exec noglob nocorrect eval . source trap function alias "
    "sh bash zsh dash ksh mksh ash fish csh tcsh rbash "
    "uv poetry pipenv pdm hatch rye pixi conda mamba micromamba nix-shell nix devbox flox "
    "pyenv rbenv nodenv asdf mise volta nvm nvs n fnm direnv "
    "docker podman nerdctl finch docker-compose podman-compose kubectl oc k3s-kubectl "
    "microk8s.kubectl ssh mosh vagrant gcloud lxc incus distrobox tmux screen"
)


def _is_started_elsewhere(call: ProgramCall) -> bool:
    """Whether another program (env, find, awk, an editor) starts this shell with nothing to run."""
    starters = [name.split(" ", 1)[0] for name in call.command.carriers]
    return any(name not in SURROUNDINGS for name in starters)


def interpreter(language: str, *code_options: str, module: str = "") -> Handler:
    """Return the handler of an interpreter.

    Args:
        code_options: options that take code.
        module: option that names a module.
    """

    def run(call: ProgramCall) -> Iterator[Effect]:
        ran = False
        # `php -S` is PHP's development server; in other languages `-S` is something else.
        for address in call.values("-S") if language == "php" else ():
            ran = True
            yield _served(call, address.text, address)
        for code in call.values(*code_options):
            ran = True
            yield _inline(call, code, language, code_options[0])
        if ran:
            yield from _edited_in_place(call)
            yield from _read_by_code(call, call.operands)
        named = call.value(module) if module else None
        if named is not None:
            yield from _run_module(call, named)
        elif not ran and call.operands:
            yield from _run_or_check(call, language)
        elif not ran:
            yield from run_standard_input(call, language)

    return run


def operand(language: str) -> Handler:
    """Return the handler of a sub-command whose first operand is code: `deno eval CODE`."""

    def run(call: ProgramCall) -> Iterator[Effect]:
        for word in call.operands[:1]:
            yield Nested(
                text=word.text, language=language, carrier=call.name, is_known=word.is_known
            )

    return run


def _inline(call: ProgramCall, code: Word, language: str, option: str) -> Nested:
    """Give the code of an option; `ruby -run -e rm -- -r x` is `rm -r x`."""
    # Ruby's library `un` brings the commands of a shell: rm, cp, mv, httpd.
    if language == "ruby" and "un" in [word.text for word in call.values("-r")]:
        name = "http-server" if code.text == "httpd" else code.text
        line = rejoin((Word(text=name), *call.operands))
        return Nested(text=line, language="shell", carrier="ruby -run")
    # `ruby -rstripe -e ...` knows the library as if the code had named it.
    loaded = call.values("-r") if language == "ruby" else ()
    named = "".join(f'require "{word.text}"\n' for word in loaded if word.is_known)
    return Nested(
        text=named + code.text,
        language=language,
        carrier=f"{call.name} {option}",
        is_known=code.is_known,
    )


_PARSES = {"php": ("-l", "--syntax-check"), "ruby": ("-c",), "javascript": ("-c", "--check")}
_LOADS_BEFORE = ("-r", "--require", "--import", "--loader", "--experimental-loader")


def _run_or_check(call: ProgramCall, language: str) -> Iterator[Effect]:
    """`php -l a.php` only parses the file; `perl -c` also runs its `BEGIN` blocks."""
    named = call.operands[0]
    if _only_parses(call, language):
        yield from (call.on_file(Verb.READ, word) for word in call.operands)
    elif language == "perl" and call.has("-c") and _is_of_project(call, named):
        yield call.on_file(Verb.EXECUTE, named)
    else:
        yield from run_script(call, named, language)


def _only_parses(call: ProgramCall, language: str) -> bool:
    if language == "javascript" and (call.name != "node" or call.values(*_LOADS_BEFORE)):
        return False
    return call.has(*_PARSES.get(language, ()))


def _is_of_project(call: ProgramCall, word: Word) -> bool:
    return word.is_known and call.on_file(Verb.EXECUTE, word).reach is Reach.PROJECT


MODULE_AS_PROGRAM = {"pip": "pip", "pytest": "pytest", "unittest": "pytest", "venv": "virtualenv"}
MODULE_AS_PROGRAM["doctest"] = "pytest"
# Profilers, debuggers and the like run the script or module behind their own options; the reader
# knows them by these names (`shell/wrappers/runners.py`).
RUNNING_MODULES = words("cProfile profile pdb trace runpy bdb")
MODULE_AS_PROGRAM |= {name: f"python:{name}" for name in RUNNING_MODULES}
INERT_MODULES = words(
    "json.tool this platform site sysconfig calendar compileall py_compile tokenize ast dis pydoc"
)
UNPACKING_MODULES = frozenset({"zipfile", "tarfile"})
SERVING_MODULES = frozenset({"http.server", "SimpleHTTPServer", "pyftpdlib"})


def _run_module(call: ProgramCall, named: Word) -> Iterator[Effect]:
    """Judge `python -m module ...` as the program of that name, where there is one."""
    if not named.is_known:
        yield call.opaque("the module is unknown")
    elif named.text == "timeit":
        for word in (*call.operands, *call.values("-s", "--setup")):
            yield Nested(text=word.text, language="python", carrier="python -m timeit")
    elif named.text in UNPACKING_MODULES:
        yield from _unpack(call)
    elif named.text in INERT_MODULES:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    elif named.text == "ensurepip":
        # It puts pip into the environment of the interpreter it is started by.
        yield call.operation(Verb.INSTALL, ResourceType.PACKAGE, "pip", reach=Reach.PROJECT)
    elif named.text in SERVING_MODULES:
        yield _served(call, named.text, _option_value(call, "--bind", "-b"))
        yield call.on_file(Verb.READ, _served_folder(call))
    else:
        words = call.command.words
        # The raw words, because options behind the module are the module's own.
        start = next((i for i, w in enumerate(words) if w.text == named.text), 0)
        root = named.text.partition(".")[0]
        # `python -m signoff.any.part` is judged as signoff itself (threats.md T-43).
        name = MODULE_AS_PROGRAM.get(named.text, root if root == "signoff" else named.text)
        line = rejoin((Word(text=name), *words[start + 1 :]))
        yield Nested(text=line, language="shell", carrier=f"{call.name} {PYTHON_MODULE}")


def _unpack(call: ProgramCall) -> Iterator[Effect]:
    """`python -m zipfile -e a.zip folder` unpacks; `-c` packs, `-l` and `-t` look."""
    unpacked = call.values("-e", "--extract")
    given = [*unpacked, *call.values("-l", "-t", "-c", "--list", "--test"), *call.operands]
    for word in given[:1]:
        yield call.on_file(Verb.WRITE if call.has("-c", "--create") else Verb.READ, word)
    if call.has("-e", "--extract"):
        target = given[1] if given[1:] else Word(text=".")
        # As tar's unpacking, so that rules on unpacked files hold here, too.
        yield replace(call.on_file(Verb.WRITE, target), program="tar")


def _served_folder(call: ProgramCall) -> Word:
    """Return the folder a module serves: everything in it can be fetched."""
    return _option_value(call, "--directory", "-d") or Word(text=".")


def _option_value(call: ProgramCall, long: str, short: str) -> Word | None:
    """The value of a module's own option, which Python's description does not know."""
    found = None
    for word, value in pairwise((*call.command.words, Word(text=""))):
        if word.text in (long, short):
            found = value
        elif word.text.startswith(f"{long}="):
            found = replace(word, text=word.text.partition("=")[2])
    return found


def _served(call: ProgramCall, target: str, bound: Word | None) -> Operation:
    """A server: of the project where no address is given, else of those who reach the address."""
    if bound is None:
        return call.operation(Verb.CONTROL, ResourceType.PROCESS, target, reach=Reach.PROJECT)
    if not is_every_interface(bound.text) and is_near_url(f"//{bound.text}"):
        return call.operation(Verb.CONTROL, ResourceType.PROCESS, target, reach=Reach.LOOPBACK)
    return call.operation(
        Verb.CONTROL, ResourceType.PROCESS, target, traits=(Trait.LISTENS,), reach=Reach.SYSTEM
    )


INSTALLED_FOLDERS = ("/usr/share/", "/usr/lib/", "/usr/local/share/", "/opt/", "/nix/store/")


def source_file(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `. FILE` and `source FILE`, which run in this shell."""
    if call.operands and _is_installed(call, call.operands[0]):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    elif call.operands:
        yield from run_script(call, call.operands[0], "shell")
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _is_installed(call: ProgramCall, word: Word) -> bool:
    """Whether a file is part of the system's software, which only an installation can change."""
    at = locate(word.text, call.place) if word.is_known else None
    return at is not None and at.is_exact and at.path.startswith(INSTALLED_FOLDERS)


def evaluate(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of an `eval` whose text is unknown."""
    # Known text was unfolded by the reader of shells, and is judged as its own commands.
    if all(word.is_known for word in call.operands):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        yield call.opaque("the code is known only when it runs", Trait.INLINE)


def shell(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a shell whose text the parser could not follow."""
    # Both spellings: clusters are also offered whole by the parser of options.
    named = call.has("-c", "-lc", "-ic", "-ec", "-xc", "-cx", "-lic", "-ce")
    if named and call.operands:
        word = call.operands[0]
        yield Nested(
            text=word.text, language="shell", carrier=f"{call.name} -c", is_known=word.is_known
        )
    elif call.operands and only_checks(call.command.words):
        yield from (call.on_file(Verb.READ, word) for word in call.operands[:1])
    elif call.operands and not call.has("-s"):
        # bash(1): with `-s` operands are arguments, and the script comes from standard input.
        yield from run_script(call, call.operands[0], "shell")
    else:
        yield from run_standard_input(call, "shell")


PYTHON_MODULE = "-m"
