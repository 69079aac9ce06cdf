"""Calls of Python whose result can be worked out from known arguments: no effect, only a value.

Decoding says so in the value (`Taint.DECODED`): text that is decoded and then run is judged for
that too. Nothing grows beyond `MAX_RESULT`.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import posixpath
import zlib
from collections.abc import Callable, Mapping, Sequence

from signoff.actions.code.value import UNKNOWN_PART, Constant, Taint, Value, taints_of
from signoff.actions.vocabulary import words

MAX_RESULT = 20_000
Arguments = Sequence[Value]
_DECODED = frozenset({Taint.DECODED})
_DECODERS = words(
    "bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex binascii.a2b_base64 "
    "base64.b64decode base64.standard_b64decode base64.urlsafe_b64decode base64.decodebytes "
    "base64.b32decode base64.b16decode base64.b85decode base64.a85decode"
)


def fold(name: str, arguments: Arguments) -> Value | None:
    """Compute a pure function on known arguments; None if it is not a known pure function."""
    folder = FOLDERS.get(name)
    if folder is None:
        return None
    try:
        return folder(arguments)
    except (ValueError, TypeError, IndexError, binascii.Error, zlib.error, OverflowError):
        # That it came out of a decoder is known, whatever it is.
        decoded = _DECODED if name in _DECODERS else frozenset[Taint]()
        return Value(taints=taints_of(*arguments) | decoded)


def fold_method(name: str, receiver: Value, arguments: Arguments) -> Value | None:
    """Compute a method of a known text; None if that is not possible."""
    constant = receiver.constant
    method = METHODS.get(name)
    if method is None or receiver.kind == "file" or not isinstance(constant, str | bytes):
        return None
    if name not in {"join", "format"} and not all(value.is_known for value in arguments):
        return Value(taints=receiver.taints | taints_of(*arguments))
    try:
        return method(receiver, arguments)
    except (ValueError, TypeError, IndexError, KeyError, LookupError, AttributeError):
        return Value(taints=receiver.taints | taints_of(*arguments))


def _bytes(value: Value) -> bytes:
    if isinstance(value.constant, bytes):
        return value.constant
    if isinstance(value.constant, str) and value.is_known:
        return value.constant.encode()
    raise ValueError


def _decoded(constant: Constant) -> Value:
    return Value(constant=constant, taints=_DECODED)


def _inflate(data: bytes, bits: int) -> bytes:
    return zlib.decompressobj(bits).decompress(data, MAX_RESULT)


def _chr(arguments: Arguments) -> Value:
    number = arguments[0].constant
    if not isinstance(number, int):
        raise TypeError
    return Value(constant=chr(number), taints=arguments[0].taints)


def _join_paths(arguments: Arguments) -> Value:
    joined = posixpath.join(*(value.shown for value in arguments))
    return Value(constant=joined, taints=taints_of(*arguments))


def _path(arguments: Arguments) -> Value:
    if not arguments:
        return Value(constant=".", kind="pathlib.Path")
    return Value(
        constant=posixpath.join(*(value.shown for value in arguments)),
        kind="pathlib.Path",
        taints=taints_of(*arguments),
    )


def _same(arguments: Arguments) -> Value:
    return arguments[0]


def _text(arguments: Arguments) -> Value:
    value = arguments[0] if arguments else Value(constant="")
    if isinstance(value.constant, bytes) and len(arguments) == 1:
        return Value(constant=repr(value.constant))
    return Value(constant=value.shown if value.constant is not None else None, taints=value.taints)


def _bytes_of(arguments: Arguments) -> Value:
    items = arguments[0].items
    if items is None:
        return Value(constant=_bytes(arguments[0]))
    return Value(constant=bytes(_number(item) for item in items))


def _number(value: Value) -> int:
    if not isinstance(value.constant, int):
        raise TypeError
    return value.constant


def _int(arguments: Arguments) -> Value:
    constant = arguments[0].constant
    if isinstance(constant, int | float):
        return Value(constant=int(constant))
    base = _number(arguments[1]) if len(arguments) > 1 else 10
    text = arguments[0].text
    if text is None or len(text) > 64:
        raise ValueError
    return Value(constant=int(text, base))


def _ord(arguments: Arguments) -> Value:
    return Value(constant=ord(arguments[0].shown))


def _reversed(arguments: Arguments) -> Value:
    value = arguments[0]
    if value.items is not None:
        return Value(items=value.items[::-1])
    letters = tuple(Value(constant=letter) for letter in value.shown[::-1])
    return Value(items=letters)


def _codec(arguments: Arguments) -> Value:
    encoding = arguments[1].shown if len(arguments) > 1 else "utf-8"
    return _decode(arguments[0], encoding)


def _decode(value: Value, encoding: str) -> Value:
    """Decode with the codecs that give text for text, or bytes for text."""
    name = encoding.lower().replace("-", "_")
    if name in {"rot13", "rot_13"}:
        return _decoded(codecs.decode(value.shown, "rot_13"))
    if name in {"hex", "hex_codec"}:
        return _decoded(bytes.fromhex(_bytes(value).decode()))
    if name in {"base64", "base64_codec"}:
        return _decoded(base64.b64decode(_bytes(value)))
    if name in {"zlib", "zip", "zlib_codec"}:
        return _decoded(_inflate(_bytes(value), 15))
    if name in {
        "utf_8",
        "utf8",
        "ascii",
        "latin1",
        "latin_1",
        "utf_16",
        "utf_16_le",
        "unicode_escape",
    }:
        return Value(constant=_bytes(value).decode(name), taints=value.taints)
    raise ValueError


def _list(arguments: Arguments) -> Value:
    value = arguments[0] if arguments else Value(items=())
    if value.items is not None:
        return value
    if isinstance(value.constant, str) and len(value.constant) <= 500:
        return Value(items=tuple(Value(constant=letter) for letter in value.constant))
    return Value(taints=value.taints)


def _split_shell(arguments: Arguments) -> Value:
    return Value(items=tuple(Value(constant=word) for word in arguments[0].shown.split()))


FOLDERS: Mapping[str, Callable[[Arguments], Value]] = {
    "chr": _chr, "ord": _ord, "str": _text, "int": _int, "bytes": _bytes_of, "bytearray": _bytes_of,
    "list": _list, "tuple": _list, "sorted": _list, "set": _list, "iter": _list,
    "reversed": _reversed, "compile": _same, "repr": _text,
    "textwrap.dedent": _same, "os.fsencode": _same, "os.fspath": _same, "shlex.quote": _same,
    "shlex.split": _split_shell,
    "bytes.fromhex": lambda a: _decoded(bytes.fromhex(a[0].shown)),
    "bytearray.fromhex": lambda a: _decoded(bytes.fromhex(a[0].shown)),
    "binascii.unhexlify": lambda a: _decoded(binascii.unhexlify(_bytes(a[0]))),
    "binascii.a2b_hex": lambda a: _decoded(binascii.unhexlify(_bytes(a[0]))),
    "binascii.a2b_base64": lambda a: _decoded(binascii.a2b_base64(_bytes(a[0]))),
    "base64.b64decode": lambda a: _decoded(base64.b64decode(_bytes(a[0]))),
    "base64.standard_b64decode": lambda a: _decoded(base64.b64decode(_bytes(a[0]))),
    "base64.urlsafe_b64decode": lambda a: _decoded(base64.urlsafe_b64decode(_bytes(a[0]))),
    "base64.decodebytes": lambda a: _decoded(base64.b64decode(_bytes(a[0]))),
    "base64.b32decode": lambda a: _decoded(base64.b32decode(_bytes(a[0]))),
    "base64.b16decode": lambda a: _decoded(base64.b16decode(_bytes(a[0]), casefold=True)),
    "base64.b85decode": lambda a: _decoded(base64.b85decode(_bytes(a[0]))),
    "base64.a85decode": lambda a: _decoded(base64.a85decode(_bytes(a[0]))),
    "zlib.decompress": lambda a: _decoded(_inflate(_bytes(a[0]), 15)),
    "gzip.decompress": lambda a: _decoded(_inflate(_bytes(a[0]), 31)),
    "codecs.decode": _codec, "codecs.encode": _codec,
    "os.path.join": _join_paths, "posixpath.join": _join_paths,
    "os.path.expanduser": _same, "os.path.abspath": _same, "os.path.realpath": _same,
    "os.path.normpath": _same, "os.path.expandvars": _same,
    "os.path.dirname": lambda a: Value(constant=posixpath.dirname(a[0].shown)),
    "os.getcwd": lambda a: Value(constant="."),
    "pathlib.Path.home": lambda a: Value(constant="~", kind="pathlib.Path"),
    "pathlib.Path.cwd": lambda a: Value(constant=".", kind="pathlib.Path"),
    "pathlib.Path": _path, "pathlib.PurePath": _path, "pathlib.PosixPath": _path,
    "tempfile.gettempdir": lambda a: Value(constant="/tmp"),  # noqa: S108 - a name to compare with
    "tempfile.mkdtemp": lambda a: Value(constant="/tmp/new"),  # noqa: S108 - as above
    "tempfile.TemporaryDirectory": lambda a: Value(constant="/tmp/new"),  # noqa: S108 - as above
    "tempfile.NamedTemporaryFile": lambda a: Value(constant="/tmp/new", kind="file"),  # noqa: S108 - as above
}  # fmt: skip


def _joined(receiver: Value, arguments: Arguments) -> Value:
    items = arguments[0].items
    if items is None:
        return Value(taints=taints_of(*arguments))
    text = receiver.shown.join(item.shown for item in items)
    if isinstance(receiver.constant, bytes):
        return Value(constant=receiver.constant.join(_bytes(item) for item in items))
    return Value(constant=text[:MAX_RESULT], taints=taints_of(*arguments))


def _formatted(receiver: Value, arguments: Arguments) -> Value:
    """`'{} {}'.format(a, b)`: plain fields only."""
    pieces = receiver.shown.split("{}")
    texts = [value.shown for value in arguments] + [UNKNOWN_PART] * len(pieces)
    woven = "".join(piece + text for piece, text in zip(pieces, texts, strict=False))
    text = woven[: len(woven) - len(texts[len(pieces) - 1])]
    if "{" in text:
        for index, value in enumerate(arguments):
            text = text.replace(f"{{{index}}}", value.shown)
    return Value(constant=text, taints=receiver.taints | taints_of(*arguments))


def _replaced(receiver: Value, arguments: Arguments) -> Value:
    text = receiver.shown.replace(arguments[0].shown, arguments[1].shown)
    return Value(constant=text[:MAX_RESULT], taints=receiver.taints)


def _split(receiver: Value, arguments: Arguments) -> Value:
    return _pieces(receiver, receiver.shown.split(arguments[0].shown if arguments else None))


def _lines(receiver: Value, _: Arguments) -> Value:
    return _pieces(receiver, receiver.shown.splitlines())


def _pieces(receiver: Value, pieces: list[str]) -> Value:
    taints = receiver.taints
    items = tuple(Value(constant=piece, taints=taints) for piece in pieces[:500])
    return Value(items=items, taints=taints)


def _by(function: Callable[[str], str]) -> Callable[[Value, Arguments], Value]:
    def apply(receiver: Value, arguments: Arguments) -> Value:
        return Value(constant=function(receiver.shown), taints=receiver.taints, kind=receiver.kind)

    return apply


METHODS: Mapping[str, Callable[[Value, Arguments], Value]] = {
    "join": _joined, "format": _formatted, "replace": _replaced, "split": _split,
    "splitlines": _lines, "readlines": _lines,
    "decode": lambda r, a: _decode(r, a[0].shown if a else "utf-8"),
    "encode": lambda r, a: Value(constant=r.shown.encode(), taints=r.taints),
    "strip": _by(str.strip), "lower": _by(str.lower), "upper": _by(str.upper),
    "rstrip": _by(str.rstrip), "lstrip": _by(str.lstrip), "title": _by(str.title),
    "swapcase": _by(str.swapcase), "read": _by(str), "expanduser": _by(str), "resolve": _by(str),
    "absolute": _by(str), "as_posix": _by(str),
    "joinpath": lambda r, a: _path((r, *a)),
}  # fmt: skip
