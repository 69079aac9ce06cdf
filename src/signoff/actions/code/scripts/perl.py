"""Perl."""

from __future__ import annotations

import base64
import binascii
import re

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import Language
from signoff.actions.code.scripts.lexer import Grammar, TokenKind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.sinks import Sink, rules
from signoff.actions.code.value import UNKNOWN, Taint, Value, taints_of
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import lazy_re, words

GRAMMAR = Grammar(
    comments=("#",),
    blocks=(("\n=pod", "\n=cut"),),
    quotes={"'": TokenKind.TEXT, '"': TokenKind.WOVEN, "`": TokenKind.SHELL},
    quote_words={
        "qq": TokenKind.WOVEN, "qx": TokenKind.SHELL, "qw": TokenKind.WORDS,
        "qr": TokenKind.PATTERN,
        "q": TokenKind.TEXT,
        "m": TokenKind.PATTERN, "s": TokenKind.PATTERN, "tr": TokenKind.PATTERN,
        "y": TokenKind.PATTERN,
    },
    has_patterns=True,
    has_heredocs=True,
    sign_names="/.,;!&|\\\"+@0^~",
)  # fmt: skip
CALLS = {
    **rules(Sink.SHELL, "readpipe CORE.system CORE.exec"),
    **rules(Sink.SYSTEM, "system exec"),
    **rules(Sink.EVALUATE, "eval"),
    **rules(Sink.LOAD_CODE, "do DynaLoader.dl_load_file"),
    **rules(Sink.DELETE, "unlink"),
    **rules(Sink.DELETE_EMPTY, "rmdir"),
    **rules(Sink.DELETE_TREE, "rmtree remove_tree File.Path.rmtree File.Path.remove_tree"),
    **rules(Sink.MAKE, "mkdir mkpath make_path"),
    **rules(Sink.WRITE, "truncate write_file File.Slurp.write_file *.spew *.spew_utf8"),
    **rules(Sink.READ, "read_file File.Slurp.read_file *.slurp *.slurp_utf8"),
    **rules(Sink.MOVE, "rename move File.Copy.move"),
    **rules(Sink.COPY, "copy File.Copy.copy"),
    **rules(Sink.LINK, "symlink link"),
    **rules(Sink.CHANGE_MODE, "chmod chown", at=1),
    **rules(Sink.WALK, "opendir", at=1),
    **rules(Sink.CHANGE_FOLDER, "chdir"),
    **rules(Sink.FETCH, "get LWP.Simple.get *.get"),
    **rules(Sink.DOWNLOAD, "getstore LWP.Simple.getstore mirror LWP.Simple.mirror *.mirror"),
    **rules(Sink.SEND, "*.post *.post_form *.put"),
    **rules(Sink.CONNECT, "connect IO.Socket.INET.new IO.Socket.IP.new", at=1),
    **rules(Sink.KILL, "kill", at=1),
    **rules(Sink.FORK, "fork"),
    **rules(Sink.INERT, "require"),
    **rules(Sink.PRIVILEGE, "setuid"),
    **rules(Sink.SQL, "*.do *.prepare *.selectall_arrayref"),
}


def _pack(receiver: Value | None, arguments: list[Value]) -> Value:
    """`pack('H*', ...)` and the like hide a text."""
    form, data = (arguments[0].shown, arguments[1]) if len(arguments) > 1 else ("", UNKNOWN)
    try:
        if form.startswith("H") and data.is_known:
            return Value(constant=bytes.fromhex(data.shown).decode(), taints=_DECODED)
        if form.startswith(("C*", "U*", "c*", "W*")):
            return Value(constant="".join(chr(_code(one)) for one in arguments[1:]))
    except (ValueError, OverflowError):
        return Value(taints=_DECODED)
    return Value(taints=_DECODED)


def _code(value: Value) -> int:
    if not isinstance(value.constant, int):
        raise ValueError
    return value.constant


def _chr(receiver: Value | None, arguments: list[Value]) -> Value:
    code = arguments[0].constant if arguments else None
    return Value(constant=chr(code) if isinstance(code, int) and code < 0x110000 else None)


def _join(receiver: Value | None, arguments: list[Value]) -> Value:
    glue = arguments[0].shown if arguments else ""
    items = [item for one in arguments[1:] for item in (one.items or (one,))]
    return Value(constant=glue.join(item.shown for item in items), taints=taints_of(*arguments))


def _reverse(receiver: Value | None, arguments: list[Value]) -> Value:
    return Value(constant="".join(one.shown for one in arguments)[::-1])


def _decode_base64(receiver: Value | None, arguments: list[Value]) -> Value:
    try:
        return Value(constant=base64.b64decode(arguments[0].shown).decode(), taints=_DECODED)
    except (binascii.Error, ValueError, IndexError):
        return Value(taints=_DECODED)


def _open(recorder: Recorder, arguments: list[Value]) -> Value:
    """`open` takes a mode and a path in one text or two, or a command beside a bar."""
    mode = arguments[1].shown.strip() if len(arguments) > 1 else ""
    rest = arguments[2:]
    if mode in {"-|", "|-"}:
        recorder.run("open", rest[0] if len(rest) == 1 else Value(items=tuple(rest)))
    elif mode.startswith("|") or mode.endswith("|"):
        recorder.run("open", Value(constant=mode.strip("| ")))
    elif mode.startswith((">&", "<&")):
        recorder.has_duplicate = True
    else:
        path = rest[0] if rest else Value(constant=mode.lstrip("+<> "))
        if ">" in mode[:3] or mode.startswith("+"):
            recorder.write("open", path)
        else:
            return recorder.read("open", path)
    return UNKNOWN


_DECODED = frozenset({Taint.DECODED})
_MANY = frozenset({Taint.MANY})
FOLDS = {
    "pack": _pack, "chr": _chr, "join": _join, "reverse": _reverse,
    "unpack": lambda receiver, arguments: Value(taints=_DECODED),
    "decode_base64": _decode_base64, "MIME.Base64.decode_base64": _decode_base64,
}  # fmt: skip
PURE = words(
    "print printf say length substr index rindex sprintf uc lc ucfirst lcfirst split map grep sort "
    "keys values each push pop shift unshift splice scalar defined exists delete die warn return "
    "sleep time localtime gmtime abs int sqrt rand srand hex oct ord chomp chop wantarray ref "
    "bless if elsif unless while until for foreach my our sub close binmode exit lstat stat wait qw"
)


def _require(recorder: Recorder, arguments: list[Value]) -> Value:
    """`require` of a path runs a file; of a name, a module."""
    path = arguments[0] if arguments else UNKNOWN
    if path.text is not None:
        recorder.on_file(Verb.EXECUTE, "require", path)
    return UNKNOWN


def _glob(recorder: Recorder, arguments: list[Value]) -> Value:
    """`glob` gives names: of keys, where the pattern says so."""
    pattern = arguments[0].shown if arguments else ""
    recorder.walks_secrets |= any(folder in pattern for folder in ("/.ssh/", "/.gnupg/", "/.aws/"))
    recorder.is_ordinary = True
    found = Value(constant=pattern or None, taints=_MANY)
    return Value(items=(found,), taints=_MANY)


LANGUAGE = Language(
    name="perl",
    grammar=GRAMMAR,
    calls=CALLS,
    joins=frozenset({"."}),
    bare=True,
    folds=FOLDS,
    pure=PURE,
    assemble="$",
    specials={"open": _open, "require": _require, "glob": _glob},
    environment=frozenset({"$ENV", "%ENV"}),
)


# `open my $f, "<", $path or die`: as a call with its arguments in parentheses, without `my`.
_DECLARED = lazy_re(r"\b((?:sys)?open\s*\(\s*)(?:my|our|local)\b")
_BARE_OPEN = lazy_re(
    r"\bopen\s+(?:(?:my|our|local)\s+)?(\*?[A-Za-z_]\w*|\$\w+)\s*,"
    r"((?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?!\b(?:or|and)\b)[^;\"'|&\n]){1,500})"
)


def _with_parentheses(text: str) -> str:
    """Return the text with each `open` of a written path as a call with parentheses."""
    return _BARE_OPEN.sub(_as_call, _DECLARED.sub(r"\1", text))


def _as_call(found: re.Match[str]) -> str:
    # Without a text in it nothing is known of the file: that it is unknown is said elsewhere.
    is_written = not set("'\"").isdisjoint(found[2])
    return f"open({found[1]},{found[2]})" if is_written else found[0]


ENDLESS = ("forkwhile", "whilefork", "while(fork", "1){fork", ";;){fork", "{fork;redo", "untilfork")


def read_perl(text: str, recorder: Recorder) -> None:
    """Record what a Perl text does; a call through a reference is unknown."""
    if any(sign in text for sign in ("&{", "&$", "->($", "->('")):
        recorder.opaque("calls something whose name is unknown", "perl")
    plain = "".join(text[:2_000].split())
    if "fork" in plain and any(sign in plain for sign in ENDLESS) and "wait" not in plain:
        recorder.fork("fork", is_loop=True)
    read_with(LANGUAGE, _with_parentheses(text) if "open" in text else text, recorder)
