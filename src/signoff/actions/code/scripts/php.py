"""PHP."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.language import Language
from signoff.actions.code.scripts.lexer import Grammar, TokenKind
from signoff.actions.code.scripts.machine import read_with
from signoff.actions.code.sinks import Sink, rules
from signoff.actions.code.value import UNKNOWN, Taint, Value, taints_of
from signoff.actions.vocabulary import words

GRAMMAR = Grammar(
    comments=("//", "#"),
    quotes={"'": TokenKind.TEXT, '"': TokenKind.WOVEN, "`": TokenKind.SHELL},
)
CALLS = {
    **rules(Sink.SHELL, "system exec shell_exec passthru popen proc_open pcntl_exec"),
    **rules(Sink.EVALUATE, "eval assert"),
    **rules(Sink.EVALUATE, "create_function", at=1),
    **rules(Sink.OPAQUE, "call_user_func call_user_func_array unserialize array_map array_filter "
            "usort preg_replace_callback dl ReflectionFunction"),
    **rules(Sink.LOAD_CODE, "include include_once require require_once"),
    **rules(Sink.DELETE, "unlink"),
    **rules(Sink.DELETE_EMPTY, "rmdir"),
    **rules(Sink.WRITE, "file_put_contents touch ftruncate"),
    **rules(Sink.READ, "readfile file show_source highlight_file parse_ini_file"),
    **rules(Sink.OPEN, "SplFileObject"),
    **rules(Sink.MAKE, "mkdir"),
    **rules(Sink.MOVE, "rename move_uploaded_file"),
    **rules(Sink.COPY, "copy"),
    **rules(Sink.LINK, "symlink link"),
    **rules(Sink.CHANGE_MODE, "chmod chown chgrp"),
    **rules(Sink.WALK, "glob scandir opendir RecursiveDirectoryIterator DirectoryIterator"),
    **rules(Sink.WALK, "FilesystemIterator"),
    **rules(Sink.CHANGE_FOLDER, "chdir"),
    **rules(Sink.FETCH, "curl_init get_headers"),
    **rules(Sink.CONNECT, "fsockopen pfsockopen stream_socket_client"),
    **rules(Sink.LISTEN, "stream_socket_server"),
    **rules(Sink.MAIL, "mail"),
    **rules(Sink.SQL, "mysqli_query *.query *.exec *.prepare pg_query", at=0),
    **rules(Sink.KILL, "posix_kill"),
    **rules(Sink.FORK, "pcntl_fork"),
    **rules(Sink.READ_VARIABLE, "getenv"),
    **rules(Sink.SET_VARIABLE, "putenv"),
}  # fmt: skip
CALLS.update(rules(Sink.SQL, "mysqli_query pg_query", at=1))
_DECODED = frozenset({Taint.DECODED})


def _with(work: Callable[[str], str]) -> Callable[[Value | None, list[Value]], Value]:
    def fold(receiver: Value | None, arguments: list[Value]) -> Value:
        try:
            return Value(constant=work(arguments[0].shown), taints=_DECODED)
        except (binascii.Error, ValueError, IndexError):
            return Value(taints=_DECODED)

    return fold


def _chr(receiver: Value | None, arguments: list[Value]) -> Value:
    code = arguments[0].constant if arguments else None
    return Value(constant=chr(code) if isinstance(code, int) and code < 0x110000 else None)


def _listed(receiver: Value | None, arguments: list[Value]) -> Value:
    return arguments[0] if arguments else Value()


def _path(receiver: Value | None, arguments: list[Value]) -> Value:
    return receiver or Value()


FOLDS = {
    **dict.fromkeys(
        ("RecursiveIteratorIterator", "IteratorIterator", "iterator_to_array"), _listed
    ),
    **dict.fromkeys(("*.getPathname", "*.getRealPath", "*.getPath"), _path),
    "base64_decode": _with(lambda text: base64.b64decode(text).decode()),
    "str_rot13": _with(lambda text: codecs.decode(text, "rot_13")),
    "hex2bin": _with(lambda text: bytes.fromhex(text).decode()),
    "strrev": _with(lambda text: text[::-1]),
    "gzinflate": lambda receiver, arguments: Value(taints=_DECODED),
    "gzuncompress": lambda receiver, arguments: Value(taints=_DECODED),
    "chr": _chr,
    "stream_context_create": lambda receiver, arguments: Value(
        kind="context", taints=taints_of(*arguments)
    ),
    "getcwd": lambda receiver, arguments: Value(constant="."),
    "trim": lambda receiver, arguments: arguments[0] if arguments else UNKNOWN,
}
PURE = words(
    "echo print printf var_dump print_r json_encode json_decode count strlen strtolower strtoupper "
    "explode implode array_keys array_values in_array isset empty sprintf phpinfo phpversion "
    "date time microtime str_replace substr strpos die exit sort range max min round rand "
    "var_export number_format is_array is_string array_merge array_push if for foreach while "
    "function switch return new"
)


def _get(recorder: Recorder, arguments: list[Value]) -> Value:
    """Record PHP's reading of a URL or file."""
    path = arguments[0] if arguments else UNKNOWN
    mode = arguments[1].shown if len(arguments) > 1 else "r"
    if "://" in path.shown and not path.shown.startswith(("php:", "file:")):
        context = arguments[2] if len(arguments) > 2 else UNKNOWN
        if context.kind == "context":
            return recorder.send("open", path, path, context)
        return recorder.fetch("open", path)
    if path.shown.startswith("php:"):
        return UNKNOWN
    if mode[:1] in "wacx":
        recorder.write("open", path)
        return UNKNOWN
    return recorder.read("open", path)


LANGUAGE = Language(
    name="php",
    grammar=GRAMMAR,
    calls=CALLS,
    joins=frozenset({"."}),
    folds=FOLDS,
    pure=PURE,
    bare=False,
    assemble="$",
    specials={"file_get_contents": _get, "fopen": _get},
    sigil="$",
    names_classes=True,
)


# A condition, which no version of PHP takes for a text to evaluate.
_CONDITION = re.compile(
    r"\bassert\s*\((?=\s*(?:!|[^;?\n]{0,80}?(?:===|!==|\binstanceof\b)|(?:is_\w+|isset|in_array"
    r"|empty|str_(?:contains|starts_with|ends_with))\s*\()[^;?]*?\)\s*;)"
)


def read_php(text: str, recorder: Recorder) -> None:
    """Record what a PHP text does; a call through a variable is unknown."""
    body = text.replace("<?php", " ").replace("<?=", " ").replace("?>", ";")
    for word in ("include", "require", "include_once", "require_once"):
        body = body.replace(f"{word} '", f"{word}('").replace(f'{word} "', f'{word}("')
    read_with(LANGUAGE, _CONDITION.sub("asserted(", body), recorder)
