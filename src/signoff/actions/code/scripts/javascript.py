"""JavaScript and TypeScript, as node, deno and bun run them."""

from __future__ import annotations

import base64
import binascii
import posixpath
from urllib.parse import unquote

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import Language
from signoff.actions.code.scripts.lexer import Grammar, TokenKind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.sinks import Sink, rules
from signoff.actions.code.value import UNKNOWN, Taint, Value, taints_of
from signoff.actions.vocabulary import words
from signoff.values import replace

GRAMMAR = Grammar(
    quotes={"'": TokenKind.TEXT, '"': TokenKind.TEXT, "`": TokenKind.WOVEN},
    has_patterns=True,
    escapes_raw=True,
)
_DECODED = frozenset({Taint.DECODED})


def _each(module: str, names: str) -> list[str]:
    """Return names with their module, and their synchronous and promised forms."""
    found = []
    for name in names.split():
        found += [f"{module}.{name}", f"{module}.{name}Sync", f"{module}.promises.{name}"]
        found += [f"{module}/promises.{name}", f"{module}-extra.{name}"]
        found += [f"Deno.{name}", f"Deno.{name}Sync"]
    return found


CALLS = {
    **rules(Sink.SHELL, _each("child_process", "exec")),
    **rules(Sink.SHELL, "$ execa.execaCommand shelljs.exec execaCommand bun.$ Bun.$ zx.$ "
            "execa.$"),
    **rules(Sink.PROGRAM, _each("child_process", "spawn execFile fork")),
    **rules(Sink.PROGRAM, "execa execa.execa Bun.spawn Bun.spawnSync cross-spawn execa.sync"),
    **rules(Sink.PROGRAM, "Deno.Command Deno.run"),
    **rules(
        Sink.EVALUATE,
        "eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script globalThis.eval "
        "global.eval window.eval worker_threads.Worker",
    ),
    # The text of the body comes behind the names of the parameters.
    **rules(Sink.EVALUATE, "Function AsyncFunction GeneratorFunction", at=-1),
    **rules(
        Sink.STORED_SECRET, "keytar.getPassword keytar.findPassword keytar.findCredentials", at=0
    ),
    **rules(Sink.OPAQUE, "*.constructor process.binding process._linkedBinding"),
    **rules(Sink.LOAD_CODE, "process.dlopen"),
    **rules(Sink.DELETE, _each("fs", "unlink rm remove")),
    **rules(Sink.DELETE_TREE, _each("fs", "emptyDir")),
    **rules(Sink.DELETE_TREE, "rimraf rimraf.sync rimraf.rimraf del del.sync"),
    **rules(Sink.DELETE_EMPTY, _each("fs", "rmdir")),
    **rules(
        Sink.WRITE,
        _each("fs", "writeFile truncate createWriteStream outputFile writeJson writeTextFile"),
    ),
    **rules(Sink.WRITE, "Bun.write"),
    **rules(Sink.APPEND, _each("fs", "appendFile")),
    **rules(Sink.READ, _each("fs", "readFile createReadStream readJson readTextFile")),
    **rules(Sink.READ, "Bun.file"),
    **rules(Sink.OPEN, _each("fs", "open")),
    **rules(Sink.MAKE, _each("fs", "mkdir mkdtemp ensureDir ensureFile")),
    **rules(Sink.MOVE, _each("fs", "rename move")),
    **rules(Sink.COPY, _each("fs", "copyFile cp copy")),
    **rules(Sink.LINK, _each("fs", "symlink link")),
    **rules(Sink.CHANGE_MODE, _each("fs", "chmod chown lchmod")),
    **rules(Sink.READ_VARIABLE, "Deno.env.get Bun.env.get"),
    **rules(Sink.WALK, _each("fs", "readdir opendir")),
    **rules(Sink.WALK, "glob.sync glob.glob"),
    **rules(Sink.CHANGE_FOLDER, "process.chdir"),
    **rules(
        Sink.FETCH,
        "fetch axios.get axios got got.get http.get https.get request.get node-fetch "
        "undici.fetch undici.request superagent.get needle.get axios.head",
    ),
    **rules(
        Sink.SEND,
        "axios.post axios.put axios.patch axios.delete got.post got.put http.request "
        "https.request request.post superagent.post needle.post navigator.sendBeacon dns.lookup "
        "dns.resolve dns.resolveTxt dns.promises.lookup",
    ),
    **rules(Sink.SEND, "response.write response.end", at=-1),
    **rules(Sink.CONNECT, "net.createConnection net.connect tls.connect *.connect", at=1),
    **rules(Sink.LISTEN, "*.listen", at=1),
    **rules(Sink.SQL, "*.query *.$executeRawUnsafe *.$queryRawUnsafe *.raw *.prepare *.execute"),
    **rules(Sink.KILL, "process.kill"),
    **rules(Sink.PRIVILEGE, "process.setuid process.setgid"),
    **rules(Sink.DUPLICATE, "*.pipe"),
}  # fmt: skip


def _text(value: Value | None) -> str:
    return value.shown if value is not None else ""


def _from_codes(receiver: Value | None, arguments: list[Value]) -> Value:
    codes = [one.constant for one in arguments]
    text = "".join(chr(code) for code in codes if isinstance(code, int) and code < 0x110000)
    return Value(constant=text if len(text) == len(codes) else None)


def _decode_base64(receiver: Value | None, arguments: list[Value]) -> Value:
    try:
        return Value(constant=base64.b64decode(_text(arguments[0])).decode(), taints=_DECODED)
    except (binascii.Error, ValueError, IndexError):
        return Value(taints=_DECODED | taints_of(*arguments))


def _buffer(receiver: Value | None, arguments: list[Value]) -> Value:
    encoding = _text(arguments[1]) if len(arguments) > 1 else ""
    if encoding == "base64":
        return _decode_base64(receiver, arguments)
    if encoding == "hex" and arguments[0].is_known:
        try:
            return Value(constant=bytes.fromhex(_text(arguments[0])).decode(), taints=_DECODED)
        except ValueError:
            return Value(taints=_DECODED)
    return arguments[0] if arguments else UNKNOWN


def _same(receiver: Value | None, arguments: list[Value]) -> Value:
    return receiver or UNKNOWN


def _unescape(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant=unquote(_text(arguments[0])), taints=_DECODED) if arguments else UNKNOWN


def _join_path(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant=posixpath.join("", *(_text(one) for one in arguments)))


def _join(receiver: Value | None, arguments: list[Value]) -> Value:
    if receiver is None or receiver.items is None:
        return UNKNOWN
    glue = _text(arguments[0]) if arguments else ","
    return Value(constant=glue.join(item.shown for item in receiver.items))


def _reverse(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(items=receiver.items[::-1]) if receiver and receiver.items else UNKNOWN


def _split(receiver: Value | None, arguments: list[Value]) -> Value:
    text, glue = _text(receiver), _text(arguments[0]) if arguments else ""
    pieces = text.split(glue) if glue else list(text[:500])
    return Value(items=tuple(Value(constant=piece) for piece in pieces[:500]))


def _concat(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant=_text(receiver) + "".join(_text(one) for one in arguments))


FOLDS = {
    "String.fromCharCode": _from_codes, "String.fromCodePoint": _from_codes,
    "atob": _decode_base64, "Buffer.from": _buffer, "*.toString": _same, "*.trim": _same,
    "*.text": _same, "decodeURIComponent": _unescape, "unescape": _unescape,
    "path.join": _join_path, "path.resolve": _join_path, "*.join": _join, "*.reverse": _reverse,
    "*.split": _split, "*.concat": _concat,
    "os.homedir": lambda receiver, arguments: Value(constant="~"),
    "os.tmpdir": lambda receiver, arguments: Value(constant="/tmp"),  # noqa: S108 - a name
    "process.cwd": lambda receiver, arguments: Value(constant="."),
}  # fmt: skip
PURE = words(
    "console.log console.error console.table console.warn console.info console.dir JSON.parse "
    "JSON.stringify Math.max Math.min Math.floor Math.round Math.random Object.keys Object.values "
    "Object.entries Array.from Array.isArray Number String Boolean parseInt parseFloat isNaN "
    "Promise.all Promise.resolve Date.now process.exit process.stdout.write Symbol Date Map Set "
    "*.map *.filter *.forEach *.reduce *.slice *.length *.includes *.replace *.match *.then "
    "*.catch *.push *.toFixed *.toUpperCase *.toLowerCase *.padEnd *.padStart *.sort *.keys "
    "*.startsWith *.endsWith *.test *.json *.some *.every *.find *.flat *.on if for while function "
    "catch switch return typeof process.uptime process.memoryUsage os.cpus os.platform assert"
)
LANGUAGE = Language(
    name="javascript",
    grammar=GRAMMAR,
    calls=CALLS,
    folds=FOLDS,
    pure=PURE,
    imports=frozenset({"require", "import", "*.require"}),
    dynamic=frozenset({"global", "globalThis", "window", "process", "module", "require", "this"}),
    assemble="${",
    may_run=frozenset({"setTimeout", "setInterval", "setImmediate"}),
    environment=frozenset({"process.env", "Deno.env", "Bun.env"}),
    roots=("global.", "globalThis.", "window.", "self."),
)


# Where the module that runs programs is named, a method of its names is taken for its own.
WITH_PROGRAMS = replace(
    LANGUAGE,
    calls={
        **CALLS,
        **rules(Sink.SHELL, "*.exec *.execSync exec execSync"),
        **rules(Sink.PROGRAM, "*.spawn *.spawnSync *.execFile *.execFileSync *.fork"),
    },
)


def read_javascript(text: str, recorder: Recorder) -> None:
    """Record what a JavaScript text does."""
    # Only then: `/x/.exec(y)` is what patterns do in every other text.
    language = WITH_PROGRAMS if "child_process" in text else LANGUAGE
    read_with(language, _with_requires(text), recorder)


def _with_requires(text: str) -> str:
    """Write `import a from 'b'` as the call it stands for."""
    if "import" not in text or "from" not in text:
        return text
    lines = []
    for line in text.replace(";", ";\n").split("\n"):
        words_of = line.strip()
        if words_of.startswith("import ") and " from " in words_of:
            names, _, module = words_of.removeprefix("import ").rpartition(" from ")
            names = names.replace("* as ", "").replace(" as ", ": ")
            line = f"const {names.strip()} = require({module.strip().rstrip(';')});"
        lines.append(line)
    return "\n".join(lines)
