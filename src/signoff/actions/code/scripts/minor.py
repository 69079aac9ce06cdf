"""Languages that need a table and little else: Lua, R, GDScript, Groovy, Julia, Elixir, Scheme."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from functools import partial

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import MEMBERS, Language
from signoff.actions.code.scripts.lexer import Grammar, TokenKind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.services.r_packages import r_packages
from signoff.actions.code.sinks import Sink, rules
from signoff.actions.code.value import UNKNOWN, Taint, Value, is_address, list_value
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import words

_QUOTES = {"'": TokenKind.TEXT, '"': TokenKind.TEXT}
_PURE = words(
    "print println cat paste paste0 c list data.frame summary mean sum length nrow ncol head tail "
    "str names library require sqrt max min sd var table plot seq rep round function if for while "
    "return string.format table.insert table.concat tostring tonumber ipairs pairs type io.write "
    "math.floor math.max math.min IO.puts IO.inspect Enum.map Enum.sum String.length @show display "
    "newline define lambda let map display car cdr sessionInfo R.version.string R.Version"
)


def _char(receiver: Value | None, arguments: list[Value]) -> Value:
    codes = [one.constant for one in arguments]
    text = "".join(chr(code) for code in codes if isinstance(code, int) and code < 0x110000)
    return Value(constant=text if len(text) == len(codes) else None)


def _decoded(receiver: Value | None, arguments: list[Value]) -> Value:
    text = arguments[0].constant if arguments else None
    try:
        plain = base64.b64decode(text, validate=True).decode() if isinstance(text, str) else None
    except ValueError:
        plain = None
    return Value(constant=plain, taints=frozenset({Taint.DECODED}))


def _same(receiver: Value | None, arguments: list[Value]) -> Value:
    return arguments[0] if arguments else UNKNOWN


def _home(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant="~")


def _temporary(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant="/tmp/made-now")  # noqa: S108 - R and Julia make one


def _paste(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant="".join(one.shown for one in arguments))


def _listed(receiver: Value | None, arguments: list[Value]) -> Value:
    return list_value(arguments) if len(arguments) != 1 else arguments[0]


def _path(receiver: Value | None, arguments: list[Value]) -> Value:
    """Join the parts of a path: `file.path("~", "docs")`, `joinpath(homedir(), ".ssh")`."""
    parts = [part for one in arguments for part in (one.items or (one,))]
    return Value(constant="/".join(part.shown for part in parts))


def _popen_or_open(recorder: Recorder, arguments: list[Value]) -> Value:
    """Record Lua's `io.open`, by its mode."""
    path = arguments[0] if arguments else UNKNOWN
    mode = arguments[1].shown if len(arguments) > 1 else "r"
    if mode[:1] in "wa":
        recorder.write("io.open", path)
        return UNKNOWN
    return recorder.read("io.open", path)


def _installed(recorder: Recorder, arguments: list[Value]) -> Value:
    """R's packages: of its own archive by name, or from an address, a file, a repository."""
    package = arguments[0] if arguments else UNKNOWN
    if is_address(package) or any(one.shown == "NULL" or one.name == "NULL" for one in arguments):
        _untrusted(recorder, package)
    return UNKNOWN


def _from_repository(recorder: Recorder, arguments: list[Value]) -> Value:
    _untrusted(recorder, arguments[0] if arguments else UNKNOWN)
    return UNKNOWN


def _added(recorder: Recorder, arguments: list[Value]) -> Value:
    """Julia's packages: by name from the registry, or from an address."""
    for one in arguments:
        if is_address(one):
            _untrusted(recorder, one)
    return UNKNOWN


def _untrusted(recorder: Recorder, package: Value) -> None:
    recorder.operate(
        Verb.INSTALL, "install", thing=ResourceType.PACKAGE, target=package.shown,
        reach=Reach.PROJECT, traits=frozenset({Trait.UNTRUSTED_SOURCE}),
    )  # fmt: skip


_FROM_REPOSITORIES = (
    "devtools.install_github devtools.install_url devtools.install_git remotes.install_github "
    "remotes.install_url remotes.install_git remotes.install_gitlab pak.pkg_install"
)
LUA = Language(
    name="lua",
    grammar=Grammar(
        comments=("--",), blocks=(), quotes=_QUOTES, long_brackets=True,
        escapes_raw=True,
    ),
    calls={
        **rules(Sink.SHELL, "os.execute io.popen vim.cmd"),
        **rules(Sink.SYSTEM, "vim.fn.system vim.fn.systemlist vim.fn.jobstart vim.fn.termopen"),
        **rules(Sink.SYSTEM, "vim.system vim.loop.spawn vim.uv.spawn"),
        **rules(Sink.DELETE_TREE, "vim.fn.delete vim.fs.rm"),
        **rules(Sink.EVALUATE, "vim.api.nvim_command vim.api.nvim_exec vim.api.nvim_exec2"),
        **rules(Sink.EVALUATE, "load loadstring"),
        **rules(Sink.LOAD_CODE, "dofile loadfile package.loadlib"),
        **rules(Sink.DELETE, "os.remove lfs.rmdir"),
        **rules(Sink.MOVE, "os.rename"),
        **rules(Sink.READ, "io.lines io.input"),
        **rules(Sink.WRITE, "io.output"),
        **rules(Sink.MAKE, "lfs.mkdir"),
        **rules(Sink.FETCH, "http.request https.request *.request"),
        **rules(Sink.CONNECT, "socket.connect *.connect"),
        **rules(Sink.READ_VARIABLE, "os.getenv"),
    },
    joins=frozenset({".."}),
    folds={"string.char": _char},
    specials={"io.open": _popen_or_open},
    pure=_PURE,
    imports=frozenset({"require"}),
    text_calls=True,
    members=MEMBERS | {":"},
    roots=("_G.", "_ENV."),
    sigil="",
)  # fmt: skip
R = Language(
    name="r",
    grammar=Grammar(
        comments=("#",), blocks=(), quotes={**_QUOTES, "`": TokenKind.TEXT}, escapes_raw=True,
        signs=("<<-", "<-"),
    ),
    calls={
        **rules(Sink.SHELL, "system shell pipe base.system"),
        **rules(Sink.PROGRAM, "system2 processx.run sys.run"),
        **rules(Sink.EVALUATE, "eval parse"),
        **rules(Sink.LOAD_CODE, "source dyn.load sys.source *.source_url source_url"),
        **rules(Sink.UNPICKLE, "readRDS load"),
        **rules(Sink.DELETE_TREE, "unlink fs.dir_delete"),
        **rules(Sink.DELETE, "file.remove fs.file_delete"),
        **rules(Sink.MOVE, "file.rename"),
        **rules(Sink.COPY, "file.copy"),
        **rules(Sink.MAKE, "dir.create file.create"),
        **rules(Sink.READ, "read.csv readLines read.table scan readRDS read_csv fread read.delim"),
        **rules(Sink.WRITE, "write.csv writeLines saveRDS write.table write write_csv", at=1),
        **rules(Sink.DOWNLOAD, "download.file"),
        **rules(Sink.FETCH, "url httr.GET GET curl.curl RCurl.getURL getURL *.read_html"),
        **rules(Sink.SEND, "httr.POST POST httr.PUT PUT RCurl.postForm postForm"),
        **rules(Sink.READ_VARIABLE, "Sys.getenv"),
        **rules(Sink.WALK, "list.files"),
        **rules(Sink.CHANGE_FOLDER, "setwd"),
        **rules(Sink.SQL, "*.dbExecute *.dbGetQuery *.dbSendQuery *.dbSendStatement", at=1),
        **rules(Sink.SQL, "dbExecute dbGetQuery dbSendQuery dbSendStatement", at=1),
    },
    folds={
        **dict.fromkeys(("paste0", "paste"), _paste),
        **dict.fromkeys(("file.path", "fs.path"), _path),
        "fs.path_home": _home,
        "c": _listed,
        "tempdir": _temporary,
        **dict.fromkeys(("path.expand", "normalizePath", "Sys.glob", "shQuote"), _same),
    },
    specials={
        **r_packages(),
        "install.packages": _installed,
        **dict.fromkeys(_FROM_REPOSITORIES.split(), _from_repository),
    },
    # It takes variables away, no files.
    pure=_PURE | words("rm"),
)  # fmt: skip
GDSCRIPT = Language(
    name="gdscript",
    grammar=Grammar(comments=("#",), blocks=(), quotes=_QUOTES, escapes_raw=True),
    calls={
        **rules(Sink.PROGRAM, "OS.execute OS.create_process OS.execute_with_pipe"),
        **rules(Sink.DELETE, "DirAccess.remove_absolute OS.move_to_trash *.remove"),
        **rules(Sink.OPEN, "FileAccess.open"),
        **rules(Sink.FETCH, "*.request"),
        **rules(Sink.READ_VARIABLE, "OS.get_environment"),
    },
    pure=_PURE | words("extends func quit pass var const printerr load preload"),
)
GROOVY = Language(
    name="groovy",
    grammar=Grammar(quotes={"'": TokenKind.TEXT, '"': TokenKind.WOVEN}, escapes_raw=True),
    calls={
        **rules(Sink.SHELL, "*.execute", at=-1),
        **rules(Sink.SHELL, "Runtime.getRuntime.exec Runtime.runtime.exec ProcessBuilder *.exec"),
        **rules(Sink.EVALUATE, "evaluate Eval.me *.evaluate"),
        **rules(Sink.OPEN, "File"),
        **rules(Sink.DELETE_TREE, "*.deleteDir *.delete", at=-1),
        **rules(Sink.FETCH, "URL"),
    },
    pure=_PURE,
    bare=True,
    assemble="${",
)
JULIA = Language(
    name="julia",
    grammar=Grammar(
        comments=("#",), blocks=(("#=", "=#"),),
        quotes={"'": TokenKind.TEXT, '"': TokenKind.TEXT, "`": TokenKind.SHELL}, escapes_raw=True,
    ),
    calls={
        **rules(Sink.EVALUATE, "eval Meta.parse include_string"),
        **rules(Sink.LOAD_CODE, "include ccall"),
        **rules(Sink.DELETE_TREE, "rm Base.rm"),
        **rules(Sink.MOVE, "mv"),
        **rules(Sink.COPY, "cp"),
        **rules(Sink.OPEN, "open"),
        **rules(Sink.READ, "read readlines readdir"),
        **rules(Sink.WRITE, "write touch"),
        **rules(Sink.MAKE, "mkdir mkpath"),
        **rules(Sink.DOWNLOAD, "download Downloads.download"),
        **rules(Sink.FETCH, "HTTP.get"),
        **rules(Sink.SEND, "HTTP.post HTTP.put"),
        **rules(Sink.REQUEST, "HTTP.request"),
        **rules(Sink.CONNECT, "connect"),
    },
    folds={
        "homedir": _home,
        "mktempdir": _temporary,
        "joinpath": _path,
        "base64decode": _decoded,
        **dict.fromkeys(("expanduser", "abspath", "realpath", "String", "Meta.parse"), _same),
    },
    specials={"Pkg.add": _added, "Pkg.develop": _added},
    pure=_PURE,
)  # fmt: skip
ELIXIR = Language(
    name="elixir",
    grammar=Grammar(
        comments=("#", "%%"),
        blocks=(),
        quotes=_QUOTES,
        escapes_raw=True,
        ends_names=("!", "?"),
    ),
    calls={
        **rules(Sink.SHELL, "System.shell :os.cmd os.cmd os:cmd cmd"),
        **rules(Sink.PROGRAM, "System.cmd Port.open System.find_executable"),
        **rules(Sink.EVALUATE, "Code.eval_string Code.compile_string"),
        **rules(Sink.LOAD_CODE, "Code.eval_file Code.require_file"),
        **rules(Sink.OPAQUE, "Module.concat Module.safe_concat"),
        **rules(Sink.DELETE, "File.rm"),
        **rules(Sink.DELETE_TREE, "File.rm_rf file.del_dir_r"),
        **rules(Sink.WRITE, "File.write File.touch File.mkdir_p"),
        **rules(Sink.READ, "File.read File.stream"),
        **rules(Sink.FETCH, "HTTPoison.get Req.get httpc.request"),
        **rules(Sink.SEND, "HTTPoison.post Req.post"),
        **rules(Sink.READ_VARIABLE, "System.get_env"),
    },
    folds={
        **dict.fromkeys(("System.user_home", "System.user_home!"), _home),
        **dict.fromkeys(("Path.expand", "Path.absname"), _same),
        "Path.join": _path,
    },
    joins=frozenset({"<>"}),
    pure=_PURE,
)
SCHEME = Language(
    name="scheme",
    grammar=Grammar(
        comments=(";",), blocks=(("#|", "|#"),), quotes={'"': TokenKind.TEXT}, escapes_raw=True
    ),
    calls={
        **rules(Sink.SHELL, "system shell process"),
        **rules(Sink.EVALUATE, "eval"),
        **rules(Sink.LOAD_CODE, "load"),
        **rules(Sink.DELETE, "delete-file"),
    },
    pure=_PURE,
    bare=True,
)
READERS: dict[str, Callable[[str, Recorder], None]] = {
    language.name: partial(read_with, language)
    for language in (LUA, R, GDSCRIPT, GROOVY, JULIA, ELIXIR, SCHEME)
}
read_lua, read_r, read_groovy = READERS["lua"], READERS["r"], READERS["groovy"]
read_gdscript = READERS["gdscript"]
read_elixir, read_scheme = READERS["elixir"], READERS["scheme"]
# `mktempdir() do d ... end` gives the block a folder that Julia itself takes away again.
_TEMPORARY_BLOCK = re.compile(r"\bmktempdir\(\s*\)\s+do\s+(\w+)[ \t]*(?=\n|;)")


def read_julia(text: str, recorder: Recorder) -> None:
    """Record what Julia code does."""
    read_with(JULIA, _TEMPORARY_BLOCK.sub(r"\1 = mktempdir()", text), recorder)
