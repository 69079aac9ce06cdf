"""Editors, and tools of many trades: test runners, compilers, notebooks, generators.

Opening a file writes it at worst; commands given on the line may run programs, so they are taken
apart; extensions are code of others that runs in the editor. What a checker is told about unused,
deleted or removed things is a matter of its reports. Compilers write what `-o` names; options that
hand work to another program run that program.

    vim -c ':!x'    emacs --eval    code --install-extension    gcc -o out    jupyter execute
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested, always, remote
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.dev.databases import EVERYWHERE
from signoff.actions.programs.dev.packages import installed, is_foreign
from signoff.actions.programs.effect_presets import (
    BUILD,
    CONFIGURE_USER,
    CONTROL_PROCESS,
    INSPECT,
    SERVES_ALL,
    UNINSTALL_FOR_USER,
)
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.scripts import macro_lines
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words
from signoff.values import replace

# What the reader of editor commands does not take apart.
OPAQUE = re.compile(
    r"(?:^|[|:])\s*(?:perl|rub|tcl|mz|exe(?:cute)?\s+(?![\"']:*!))|libcall|feedkeys"
)
SCRIPT_LANGUAGES = {"lua": "lua", "py": "python", "el": "emacs"}
LISP_RUNNERS = (
    "shell-command",
    "call-process",
    "start-process",
    "delete-",
    "load",
    "url-",
    "async-shell",
    "eval",
    "write-",
    "rename-",
    "make-process",
    "require",
)


def _opened(call: ProgramCall, words: tuple[Word, ...]) -> Iterator[Operation]:
    """Yield writes of files opened in an editor, if they belong to others or the system."""
    for word in words:
        seen = call.on_file(Verb.READ, word)
        # An editor writes what it opens; only for far and protected files that counts as a change.
        far = seen.reach in {Reach.SYSTEM, Reach.HOME, Reach.ELSEWHERE}
        planted = seen.file_kind not in {FileKind.OTHER, FileKind.SOURCE, FileKind.DOC}
        yield call.on_file(Verb.WRITE, word) if far or planted else seen


def vi(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `vim -c command`, `+command`, `-S script`, `-s keys`: what the commands run."""
    given = call.command.words
    # From the raw words, since vim takes these options any number of times, between files too.
    commands = [word for option, word in pairwise(given) if option.text in {"-c", "--cmd"}]
    # vim also takes the command in the same word: `-c'!x'`.
    commands += [replace(w, text=w.text[2:]) for w in given[1:] if w.text[:2] == "-c" != w.text]
    files: list[Word] = []
    for word in call.operands:
        if word in commands or word.text.startswith("-c"):
            continue
        if word.text.startswith("+"):
            commands.append(Word(text=word.text[1:], is_known=word.is_known))
        else:
            files.append(word)
    # Behind `-e`, `-s` takes no file of keys: in `vim -es +wq` a command follows.
    keys = call.values("-s")
    commands += [replace(w, text=w.text[1:]) for w in keys if w.text[:1] == "+" and w.text[1:]]
    for word in commands:
        yield from _vi_command(call, word)
    for word in call.values("-S", "-s", "-u", "--luamod-dev", "-l"):
        # vim(1): `-u NONE` loads no script at all.
        if word.text not in {"NONE", "NORC", "DEFAULTS"} and word.text[:1] not in "-+":
            yield from _script(call, word, "vim")
    yield from _opened(call, tuple(files))
    if not files:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _script(call: ProgramCall, word: Word, language: str) -> Iterator[Effect]:
    """A script that the editor loads: its text where it is known, and the running of the file."""
    fact = call.place.files.get(locate(word.text, call.place).path) if word.is_known else None
    if fact is not None and fact.text is not None:
        language = SCRIPT_LANGUAGES.get(word.text.rpartition(".")[2], language)
        yield Nested(text=fact.text, language=language, carrier=call.name)
    yield call.on_file(Verb.EXECUTE, word)


def _vi_command(call: ProgramCall, word: Word) -> Iterator[Effect]:
    text = word.text.lstrip(": ")
    # `:!x`, `:%!x`, `:r !x`, `:w !x`, `:term x`: behind the bang stands a shell line; in `:wq!`
    # none.
    mark = text.find("!")
    if not word.is_known:
        yield call.opaque("unknown editor commands")
    elif mark >= 0 and text[:mark].strip("%.,$0123456789'<> ") in {
        "",
        "r",
        "read",
        "w",
        "te",
        "ter",
        "term",
        "terminal",
    }:
        yield Nested(text=text[mark + 1 :], language="shell", carrier=f"{call.name} -c")
    elif OPAQUE.search(text) is not None:
        yield call.opaque("editor commands that may run programs")
        yield Nested(text=text, language="literals", carrier=f"{call.name} -c")
    else:
        yield Nested(text=text, language="vim", carrier=f"{call.name} -c")


def emacs(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `emacs --eval form`, `--script file`, `--batch -f function`."""
    for word in call.values("--eval", "-eval", "--execute", "-e"):
        # Beside what the reader of Lisp finds: these functions reach programs and files.
        if any(name in word.text for name in LISP_RUNNERS) or not word.is_known:
            yield call.opaque("Lisp that may run programs or change files")
        yield Nested(text=word.text, language="emacs", carrier=f"{call.name} --eval")
    for word in call.values("-l", "--load", "--script", "-x"):
        yield from _script(call, word, "emacs")
    yield from _opened(call, tuple(w for w in call.operands if not w.text.startswith("+")))
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def code(call: ProgramCall) -> Iterator[Effect]:
    """Effects: `code .` opens; `--install-extension` brings code of others into the editor."""
    for word in call.values("--install-extension"):
        yield installed(call, word.text, wide=True, foreign=is_foreign(word, call))
    if call.has("--uninstall-extension"):
        yield from call.perform(UNINSTALL_FOR_USER)
    # A server added here is started by the editor from then on.
    if call.has("--add-mcp"):
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            "--add-mcp",
            traits=(Trait.RUNS_LATER, Trait.GLOBAL),
        )
    # Both open this machine's files and terminal to others over the network.
    if call.texts[:1] in {("tunnel",), ("serve-web",)}:
        yield call.operation(
            Verb.CONTROL,
            ResourceType.NETWORK,
            call.texts[0],
            traits=(Trait.LISTENS,),
            reach=Reach.SYSTEM,
            reversible=False,
        )
        return
    yield call.operation(Verb.READ, ResourceType.NOTHING)


def plain(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of an editor that takes no commands on its command line."""
    yield from _opened(call, tuple(w for w in call.operands if not w.text.startswith("+")))
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def playwright(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `playwright test` and `cypress run`; `--record` uploads the results."""
    if call.name.startswith("cypress") and call.has("--record") and not call.has("--no-record"):
        yield call.operation(
            Verb.NETWORK_OUT,
            ResourceType.FILE,
            "a recording of the tests",
            traits=(Trait.SENDS_FILES,),
            reach=Reach.REMOTE,
            reversible=False,
        )
    yield from call.perform(BUILD)


TEST_FILES = (".py", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".rb", ".bats", ".sh", ".php")


def node_tests(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `jest`, `mocha`: `--globalSetup` and `--require` name code of the project."""
    for word in call.values("--require", "-r", "--globalSetup", "--setupFiles", "--import"):
        # Modules by name or below the project are the project's own code.
        if word.text.startswith(("/", "~", "../")):
            yield call.on_file(Verb.EXECUTE, word)
    # A file of tests is run; below the project it is the project's own code.
    for word in call.operands:
        path = word.text.partition("::")[0]
        if path.startswith(("/", "~", "../")) and path.endswith(TEST_FILES):
            yield call.on_file(Verb.EXECUTE, replace(word, text=path))
    yield from call.perform(BUILD)


def compiler(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `gcc -o x x.c`: builds; `-wrapper prog` and plugins are programs of their own."""
    wrapper = call.value("-wrapper")
    if wrapper is not None:
        # gcc(1): `-wrapper gdb,--args` puts a program with arguments before each step.
        line = rejoin(Word(text=part) for part in wrapper.text.split(","))
        yield Nested(text=line, language="shell", carrier=f"{call.name} -wrapper")
    for option in call.options:
        if option.name == "-fplugin" and option.value is not None:
            yield call.on_file(Verb.EXECUTE, option.value)
        # `-ofile` without a sign of a path: a file all the same.
        elif option.value is None and option.name[:2] == "-o" and option.name not in NO_FILES:
            made = [Word(text=option.name[2:])] if len(option.name) > 2 else []
            yield from (call.on_file(Verb.WRITE, word) for word in made)
    # Without `-o` a linked program is `a.out`, which may run later in the same line.
    if (
        call.operands
        and call.name in LINKERS
        and not (
            call.has(*UNLINKED)
            or any([o.name[:2] == "-o" and o.name not in NO_FILES for o in call.options])
        )
    ):
        yield call.on_file(Verb.WRITE, Word(text="a.out"))
    yield from call.perform(BUILD)


NO_FILES = words("-openmp -openmp-stubs -object -objc")
LINKERS = words("gcc g++ cc c++ clang clang++ tcc icc icx gfortran flang ifort nvcc mpicc mpicxx")
UNLINKED = ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v")


def notebook(call: ProgramCall) -> Iterator[Effect]:
    """`jupyter lab`: a server; without a token or on every interface it is open to others."""
    open_to_all = any(w.text == "*" or w.text.startswith(EVERYWHERE) for w in call.values("--ip"))
    # `--ServerApp.token=''` lets anybody who reaches the port run code.
    bare = any(
        option.name.endswith((".token", ".password")) and not (option.value and option.value.text)
        for option in call.options
    )
    if bare:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.PROTECTION,
            "a notebook server without a token",
            traits=(Trait.WEAKENS,),
            reach=Reach.PROJECT,
        )
    yield from call.perform(SERVES_ALL if open_to_all else CONTROL_PROCESS)


def spark(call: ProgramCall) -> Iterator[Effect]:
    """`spark-submit --master yarn`: a job on a cluster of others; `local[*]` runs here."""
    master = call.value("--master")
    # Spark: `local`, `local[4]`, `local-cluster[2,1,1024]`.
    name = master.text.partition("[")[0] if master is not None else "local"
    if master is None or name in {"local", "local-cluster"} or is_near_url(master.text):
        yield from call.perform(BUILD)
        return
    texts = [word.text for word in call.command.words[1:]]
    reach = Reach.PRODUCTION if any(map(is_production, texts)) else Reach.REMOTE
    target = call.texts[0] if call.operands else master.text
    yield call.operation(Verb.EXECUTE, ResourceType.CLOUD, target, reach=reach)


def ray_submit(call: ProgramCall) -> Iterator[Effect]:
    """`ray job submit --address http://host:8265 -- python x.py`: runs on a cluster of others."""
    address = call.value("--address")
    if address is None or is_near_url(address.text):
        yield from call.perform(BUILD)
        return
    texts = [word.text for word in call.command.words[1:]]
    reach = Reach.PRODUCTION if any(map(is_production, texts)) else Reach.REMOTE
    yield call.operation(Verb.EXECUTE, ResourceType.CLOUD, address.text, reach=reach)


def tex_setting(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `tlmgr option showall` tells, `tlmgr option repository x` changes."""
    told = {"show", "showall", "list", "status", "help"}
    changes = len(call.operands) > (2 if call.name.endswith("conf") else 1)
    looks = not changes or not told.isdisjoint(call.texts)
    yield from call.perform(INSPECT if looks else CONFIGURE_USER)


TEX_LINES = (
    ("\\write18{", "}"),
    ("\\ShellEscape{", "}"),
    ('\\input|"', '"'),
    ('\\input{|"', '"'),
    ('os.execute("', '"'),
    ('io.popen("', '"'),
)


def typeset(call: ProgramCall) -> Iterator[Effect]:
    """`pdflatex file`; a text given in its place may run `\\write18{command}`."""
    files = call.place.files
    for word in call.operands:
        fact = files.get(locate(word.text, call.place).path) if word.is_known else None
        # TeX takes a text in place of a file: `pdflatex '\\write18{id}'`.
        text = fact.text if fact is not None and fact.text is not None else word.text
        for start, end in TEX_LINES:
            yield from macro_lines(call, text, start, end)
    yield from call.perform(BUILD)


NEAR_CLUSTERS = words("localhost l")
CHAIN_PAYS = words(
    "transfer pay deploy write-buffer upgrade close extend set-upgrade-authority delegate-stake "
    "withdraw-stake withdraw-from-vote-account create-stake-account split-stake merge-stake "
    "deactivate-stake stake-authorize"
)
STORES_KEY = always(Verb.CONFIGURE, ResourceType.CREDENTIAL, reach=Reach.HOME)
SPENDS = remote(Verb.SPEND, ResourceType.MONEY)


def look(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a tool that only looks."""
    yield from call.perform(INSPECT)


# Networks that a tool starts on this machine, by the names its settings give them.
NEAR_CHAINS = words("localhost local hardhat dev develop development anvil ganache devnode")


def contract(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `hardhat run --network x`: on a public chain it costs money."""
    network = call.value("--network", "--rpc-url", "--fork-url")
    near = network is None or network.text in NEAR_CHAINS or is_near_url(network.text)
    # `forge script` only simulates without `--broadcast`.
    sends = call.has("--broadcast") or not call.name.startswith("forge")
    yield from call.perform(BUILD if near or not sends else SPENDS)


def chain_write(call: ProgramCall) -> Iterator[Effect]:
    """`cast send`: costs nothing only on a chain that is named and runs on this machine."""
    network = call.value("--rpc-url", "-r")
    near = network is not None and (network.text in NEAR_CHAINS or is_near_url(network.text))
    yield from call.perform(BUILD if near else SPENDS)


def solana(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `solana transfer` and `program deploy`; only a local chain is free."""
    network = call.value("--url", "-u")
    near = network is not None and (network.text in NEAR_CLUSTERS or is_near_url(network.text))
    said = set(call.texts[:2])
    if said & words("grind new recover create") or "dumpprivkey" in said:
        yield from call.perform(STORES_KEY)
    else:
        pays = bool(said & CHAIN_PAYS) and not near and not said & words("show dump")
        yield from call.perform(SPENDS if pays else BUILD)


def wasm_folders(call: ProgramCall) -> Iterator[Effect]:
    """`wasmtime --dir HOST::GUEST`: the module may write to this folder of the machine."""
    for word in call.values("--dir", "--mapdir"):
        path = word.text.rpartition("::")[0] or word.text
        yield call.on_file(Verb.WRITE, replace(word, text=path))
