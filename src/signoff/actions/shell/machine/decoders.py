"""Programs that turn one text into another: what `base64 -d`, `rev`, `tr` make of a known text.

Bytes that are no UTF-8 stand as Latin-1 characters, so that the next decoder gets them back.

    decode("base64", ("-d",), "cm0gLXJm")  ->  "rm -rf"
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable

from signoff.actions.shell.words.escapes import decode_ansi
from signoff.actions.vocabulary import words

MAX_DECODED = 100_000

_NOT_HEX = re.compile(r"[^0-9a-fA-F]+")
_SPACES = re.compile(r"\s+")
_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
    "[:space:]": " \t\n\r\v\f",
}

_CASES = frozenset({"[:upper:]", "[:lower:]"})

DECODERS = words(
    "base64 base32 gbase64 basenc xxd gzip bzip2 xz zstd lzma pigz openssl uudecode rev gunzip "
    "zcat gzcat bunzip2 bzcat xzcat unxz zstdcat unzstd rot13"
)


def is_decoder(program: str, options: tuple[str, ...]) -> bool:
    """Return whether the command decodes something, such as Base64."""
    match program:
        case "base64" | "base32" | "gbase64" | "basenc":
            letters = _letters(options)
            return "d" in letters or "D" in letters or "--decode" in options
        case "xxd":
            return "r" in _letters(options)
        case "gzip" | "bzip2" | "xz" | "zstd" | "lzma" | "pigz":
            return "d" in _letters(options) or "--decompress" in options
        case "openssl":
            return "-d" in options
        case _:
            return program in DECODERS


def _letters(options: tuple[str, ...]) -> str:
    return "".join(o[1:] for o in options if o[:1] == "-" and o[1:2] != "-")


def decode(program: str, options: tuple[str, ...], text: str) -> str | None:
    """Return the decoder's output, None if unknown."""
    unpack = _UNPACKERS.get(program)
    if program != "openssl" and any(o[:1] != "-" for o in options):
        return None  # it reads a file
    try:
        return unpack(options, text) if unpack is not None else None
    except (ValueError, binascii.Error, zlib.error, OverflowError):
        return None


def _base64(_: tuple[str, ...], text: str) -> str | None:
    # `validate`: Python would skip odd characters where `base64 -d` stops at them.
    return _shown(base64.b64decode(_SPACES.sub("", text), validate=True))


def _base32(_: tuple[str, ...], text: str) -> str | None:
    return _shown(base64.b32decode(_SPACES.sub("", text)))


def _xxd(options: tuple[str, ...], text: str) -> str | None:
    if "p" in _letters(options) or "--plain" in options:
        return _shown(bytes.fromhex(_NOT_HEX.sub("", text)))
    return None


def _openssl(options: tuple[str, ...], text: str) -> str | None:
    # Any other word names a cipher or a key: then the text is not known.
    is_base64 = set(options) <= {"base64", "enc", "-base64", "-a", "-A", "-d"}
    return _base64(options, text) if is_base64 else None


def _gunzip(_: tuple[str, ...], text: str) -> str | None:
    # 31 = 15 + 16: the largest window, and a gzip header (zlib manual).
    unpacker = zlib.decompressobj(31)
    # CWE-409: a small text may unpack to gigabytes, so no more than this is taken out.
    data = unpacker.decompress(text.encode("latin-1"), MAX_DECODED)
    return _shown(data) if unpacker.eof else None


def _rev(_: tuple[str, ...], text: str) -> str | None:
    return "\n".join(line[::-1] for line in text.split("\n"))


_UNPACKERS: dict[str, Callable[[tuple[str, ...], str], str | None]] = {
    **dict.fromkeys(("base64", "gbase64"), _base64),
    **dict.fromkeys(("gzip", "gunzip", "zcat", "gzcat", "pigz"), _gunzip),
    "base32": _base32,
    "xxd": _xxd,
    "openssl": _openssl,
    "rev": _rev,
}


def pack(program: str, text: str) -> str | None:
    """Return a text as `gzip` or `base64` would encode it, to follow the decoding later."""
    data = _raw(text)
    if program == "base64":
        return base64.b64encode(data).decode() + "\n"
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return (packer.compress(data) + packer.flush()).decode("latin-1")


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _shown(data: bytes) -> str:
    try:
        return data[:MAX_DECODED].decode()
    except UnicodeDecodeError:
        return data[:MAX_DECODED].decode("latin-1")


def translate(arguments: tuple[str, ...], text: str) -> str | None:
    """Return a text as `tr` would change it, for plain sets, ranges and common classes."""
    flags = [a for a in arguments if a[:1] == "-" and len(a) > 1]
    sets = [_set(a) for a in arguments if a not in flags]
    if flags in (["-d"], ["--delete"]) and len(sets) == 1:
        return text.translate({ord(c): None for c in sets[0]})
    # A class that is not in the table, an equivalence class, or a repeat `[x*n]` (POSIX tr).
    if any(mark in text for text in sets for mark in ("[:", "[=", "*")):
        return None
    if flags or len(sets) != 2 or not sets[0] or not sets[1]:
        return None
    # GNU and BSD tr repeat the last character of a shorter second set.
    new = sets[1] + sets[1][-1] * max(0, len(sets[0]) - len(sets[1]))
    return text.translate(dict(zip(map(ord, sets[0]), new, strict=False)))


def hides_letters(arguments: tuple[str, ...]) -> bool:
    """Return whether a `tr` replaces letters by other letters, as rot13 does.

    Deleting, squeezing, changing the case and putting one character for many hide nothing.
    """
    flags = [a for a in arguments if a[:1] == "-" and len(a) > 1]
    sets = [a for a in arguments if a not in flags]
    if any("d" in flag for flag in flags) or len(sets) < 2:
        return False
    if all(text in _CASES for text in sets):
        return False
    old, new = (_set(text) for text in sets[:2])
    if not old or not new or (len(set(new)) == 1 and not new[0].isalnum()):
        return False
    new += new[-1] * max(0, len(old) - len(new))
    return any(b.isalnum() and a.casefold() != b.casefold() for a, b in zip(old, new, strict=False))


def _set(text: str) -> str:
    for name, characters in _CLASSES.items():
        text = text.replace(name, characters)
    text = decode_ansi(text)
    made: list[str] = []
    i = 0
    while i < len(text):
        if i + 2 < len(text) and text[i + 1] == "-" and 0 <= ord(text[i + 2]) - ord(text[i]) < 256:
            made.extend(map(chr, range(ord(text[i]), ord(text[i + 2]) + 1)))
            i += 3
        else:
            made.append(text[i])
            i += 1
    return "".join(made)
