"""Languages that need a table and little else: Lua, R, Groovy, Julia, Elixir, Scheme."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from signoff.actions.code.deeds import Deed, rules
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import Language
from signoff.actions.code.scripts.lexer import Grammar, Kind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.value import UNKNOWN, Value
from signoff.actions.file_endings import words

_QUOTES = {"'": Kind.TEXT, '"': Kind.TEXT}
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


def _paste(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant="".join(one.shown for one in arguments))


def _popen_or_open(recorder: Recorder, arguments: list[Value]) -> Value:
    """Lua's `io.open` with its mode."""
    path = arguments[0] if arguments else UNKNOWN
    mode = arguments[1].shown if len(arguments) > 1 else "r"
    if mode[:1] in "wa":
        recorder.write("io.open", path)
        return UNKNOWN
    return recorder.read("io.open", path)


LUA = Language(
    name="lua",
    grammar=Grammar(
        comments=("--",), blocks=(), quotes=_QUOTES, long_brackets=True,
        escapes_raw=True,
    ),
    calls={
        **rules(Deed.SHELL, "os.execute io.popen vim.fn.system vim.cmd"),
        **rules(Deed.EVALUATE, "load loadstring"),
        **rules(Deed.LOAD_CODE, "dofile loadfile package.loadlib"),
        **rules(Deed.DELETE, "os.remove lfs.rmdir"),
        **rules(Deed.MOVE, "os.rename"),
        **rules(Deed.READ, "io.lines io.input"),
        **rules(Deed.WRITE, "io.output"),
        **rules(Deed.MAKE, "lfs.mkdir"),
        **rules(Deed.FETCH, "http.request"),
        **rules(Deed.CONNECT, "socket.connect"),
        **rules(Deed.READ_VARIABLE, "os.getenv"),
    },
    joins=frozenset({".."}),
    folds={"string.char": _char},
    specials={"io.open": _popen_or_open},
    pure=_PURE,
    text_calls=True,
    roots=("_G.", "_ENV."),
    sigil="",
)  # fmt: skip
R = Language(
    name="r",
    grammar=Grammar(
        comments=("#",), blocks=(), quotes={**_QUOTES, "`": Kind.TEXT}, escapes_raw=True
    ),
    calls={
        **rules(Deed.SHELL, "system shell pipe base.system"),
        **rules(Deed.PROGRAM, "system2 processx.run sys.run"),
        **rules(Deed.EVALUATE, "eval parse"),
        **rules(Deed.LOAD_CODE, "source dyn.load sys.source"),
        **rules(Deed.UNPICKLE, "readRDS load"),
        **rules(Deed.DELETE_TREE, "unlink fs.dir_delete"),
        **rules(Deed.DELETE, "file.remove fs.file_delete"),
        **rules(Deed.MOVE, "file.rename"),
        **rules(Deed.COPY, "file.copy"),
        **rules(Deed.MAKE, "dir.create file.create"),
        **rules(Deed.READ, "read.csv readLines read.table scan readRDS read_csv fread read.delim"),
        **rules(Deed.WRITE, "write.csv writeLines saveRDS write.table write write_csv", at=1),
        **rules(Deed.DOWNLOAD, "download.file"),
        **rules(Deed.FETCH, "url httr.GET GET curl.curl"),
        **rules(Deed.SEND, "httr.POST POST"),
        **rules(Deed.READ_VARIABLE, "Sys.getenv"),
        **rules(Deed.WALK, "list.files"),
        **rules(Deed.CHANGE_FOLDER, "setwd"),
        **rules(Deed.SQL, "dbExecute dbGetQuery dbSendQuery", at=1),
    },
    folds={"paste0": _paste, "paste": _paste, "file.path": _paste},
    pure=_PURE,
)  # fmt: skip
GROOVY = Language(
    name="groovy",
    grammar=Grammar(quotes={"'": Kind.TEXT, '"': Kind.WOVEN}, escapes_raw=True),
    calls={
        **rules(Deed.SHELL, "*.execute", at=-1),
        **rules(Deed.SHELL, "Runtime.getRuntime.exec Runtime.runtime.exec ProcessBuilder *.exec"),
        **rules(Deed.EVALUATE, "evaluate Eval.me"),
        **rules(Deed.OPEN, "File"),
        **rules(Deed.DELETE_TREE, "*.deleteDir *.delete", at=-1),
        **rules(Deed.FETCH, "URL"),
    },
    pure=_PURE,
    bare=True,
    weave="${",
)
JULIA = Language(
    name="julia",
    grammar=Grammar(
        comments=("#",), blocks=(("#=", "=#"),),
        quotes={"'": Kind.TEXT, '"': Kind.TEXT, "`": Kind.SHELL}, escapes_raw=True,
    ),
    calls={
        **rules(Deed.EVALUATE, "eval Meta.parse include_string"),
        **rules(Deed.LOAD_CODE, "include ccall"),
        **rules(Deed.DELETE_TREE, "rm Base.rm"),
        **rules(Deed.MOVE, "mv"),
        **rules(Deed.COPY, "cp"),
        **rules(Deed.OPEN, "open"),
        **rules(Deed.READ, "read readlines readdir"),
        **rules(Deed.WRITE, "write touch"),
        **rules(Deed.MAKE, "mkdir mkpath"),
        **rules(Deed.DOWNLOAD, "download Downloads.download"),
    },
    pure=_PURE,
)  # fmt: skip
ELIXIR = Language(
    name="elixir",
    grammar=Grammar(comments=("#", "%%"), blocks=(), quotes=_QUOTES, escapes_raw=True),
    calls={
        **rules(Deed.SHELL, "System.shell :os.cmd os.cmd os:cmd cmd"),
        **rules(Deed.PROGRAM, "System.cmd Port.open System.find_executable"),
        **rules(Deed.EVALUATE, "Code.eval_string Code.compile_string"),
        **rules(Deed.LOAD_CODE, "Code.eval_file Code.require_file"),
        **rules(Deed.DELETE, "File.rm File.rm!"),
        **rules(Deed.DELETE_TREE, "File.rm_rf file.del_dir_r"),
        **rules(Deed.WRITE, "File.write File.touch File.mkdir_p"),
        **rules(Deed.READ, "File.read File.stream"),
        **rules(Deed.READ_VARIABLE, "System.get_env"),
    },
    joins=frozenset({"<>"}),
    pure=_PURE,
)
SCHEME = Language(
    name="scheme",
    grammar=Grammar(
        comments=(";",), blocks=(("#|", "|#"),), quotes={'"': Kind.TEXT}, escapes_raw=True
    ),
    calls={
        **rules(Deed.SHELL, "system shell process"),
        **rules(Deed.EVALUATE, "eval"),
        **rules(Deed.LOAD_CODE, "load"),
        **rules(Deed.DELETE, "delete-file"),
    },
    pure=_PURE,
    bare=True,
)
READERS: dict[str, Callable[[str, Recorder], None]] = {
    language.name: partial(read_with, language)
    for language in (LUA, R, GROOVY, JULIA, ELIXIR, SCHEME)
}
read_lua, read_r, read_groovy = READERS["lua"], READERS["r"], READERS["groovy"]
read_julia, read_elixir, read_scheme = READERS["julia"], READERS["elixir"], READERS["scheme"]
