"""sed: the commands that run programs or touch files: `e`, `w`, `r`, `s///e`, `s///w`."""

from __future__ import annotations

import re

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN_PART, Value

MAX_CHARS = 20_000
MAX_COMMANDS = 500

_ADDRESS = re.compile(r"[\s;{}]*(?:\d+(?:~\d+)?|\$)?[\s,]*(?:[+~]?\d+|\$)?[\s!]*")
_LABEL = re.compile(r"[ \t]*[^\s;}]*")
_ESCAPED = ("\\/", "\\n")
_FLAGS = re.compile(r"[gpiImM\d]*")
_FILE_READS = frozenset("rR")
_FILE_WRITES = frozenset("wW")
_TEXTS = frozenset("aic")


def read_sed(text: str, recorder: Recorder) -> None:
    """Record what a sed script does."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "sed")
        return
    at = 0
    for _ in range(MAX_COMMANDS):
        at = _skip_addresses(text, at)
        if at < 0 or at >= len(text):
            break
        at = _command(text, at, recorder)
        if at < 0:
            recorder.opaque("the text cannot be read", "sed")
            return
    else:
        recorder.opaque("too many commands", "sed")


def _skip_addresses(text: str, at: int) -> int:
    """Step over line numbers and patterns before a command."""
    for _ in range(4):
        match = _ADDRESS.match(text, at)
        at = match.end() if match else at
        if at >= len(text) or text[at] not in "/\\":
            break
        at = (
            _closing(text, at + 1, "/")
            if text[at] == "/"
            else _closing(text, at + 2, text[at + 1 : at + 2])
        )
        if at < 0:
            return -1
        while at < len(text) and text[at] in "IM":
            at += 1
    return at


def _closing(text: str, at: int, delimiter: str) -> int:
    """Return the index after the next `delimiter` that no backslash and no bracket hides."""
    while at < len(text):
        char = text[at]
        if char == delimiter:
            return at + 1
        # Within brackets the delimiter is an ordinary character (POSIX sed).
        end = _bracket_end(text, at) if char == "[" else 0
        at = end or at + (2 if char == "\\" else 1)
    return -1


def _bracket_end(text: str, at: int) -> int:
    """Return the index after the bracket that begins at `at`, 0 if nothing closes it."""
    at += 2 if text[at + 1 : at + 2] == "^" else 1
    at += text[at : at + 1] == "]"  # first in a bracket it is an ordinary character
    while at < len(text) and text[at] != "\n":
        if text[at] == "]":
            return at + 1
        named = text[at : at + 2] in ("[:", "[.", "[=")
        end = text.find(text[at + 1] + "]", at + 2) if named else -1
        at = end + 2 if end > 0 else at + (2 if text[at : at + 2] in _ESCAPED else 1)
    return 0


def _rest_of_line(text: str, at: int) -> tuple[str, int]:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return text[at:end].strip(), end


def _command(text: str, at: int, recorder: Recorder) -> int:
    """Read one command and return where the next begins, -1 if it cannot be read."""
    name = text[at]
    if name in "sy":
        return _substitute(text, at, recorder)
    if name in _TEXTS:
        return _text_end(text, at)
    if name == "#":
        return _rest_of_line(text, at)[1]
    if name in ":btTv":
        return _label_end(text, at)
    if name in _FILE_READS | _FILE_WRITES or name == "e":
        rest, end = _rest_of_line(text, at + 1)
        _touch(name, rest, recorder)
        return end
    return at + 1 if name.isalpha() or name in "={}!;\n" else -1


def _text_end(text: str, at: int) -> int:
    """Return where the text of `a`, `i` or `c` ends: its line, and those a backslash continues."""
    end = _rest_of_line(text, at)[1]
    # A backslash at the end carries the text on to the next line.
    while end < len(text) and text[end - 1] == "\\":
        end = _rest_of_line(text, end + 1)[1]
    return end


def _label_end(text: str, at: int) -> int:
    """Return where a label ends: GNU sed takes what stands behind a `;` for a command."""
    label = _LABEL.match(text, at + 1)
    at = label.end() if label else at + 1
    if text[at : at + 1].isspace():
        return at
    ends = [end for end in (text.find(sign, at) for sign in ";\n}") if end >= 0]
    return min(ends, default=len(text))


def _touch(name: str, rest: str, recorder: Recorder) -> None:
    if name == "e":
        recorder.run("sed e", Value(constant=rest or UNKNOWN_PART))
    elif rest in {"/dev/stdout", "/dev/stderr", "/dev/stdin"}:
        return
    elif name in _FILE_READS:
        recorder.read("sed r", Value(constant=rest or UNKNOWN_PART))
    else:
        recorder.write("sed w", Value(constant=rest or UNKNOWN_PART))


def _substitute(text: str, at: int, recorder: Recorder) -> int:
    delimiter = text[at + 1 : at + 2]
    if not delimiter or delimiter in "\\\n":
        return -1
    # In `y` a bracket means itself.
    middle = (_closing if text[at] == "s" else _replacement_end)(text, at + 2, delimiter)
    end = _replacement_end(text, middle, delimiter) if middle > 0 else -1
    # `y` takes no flags; what stands behind it is the next command.
    if end < 0 or text[at] == "y":
        return end
    flags_end = _flags_end(text, end)
    letter = text[flags_end : flags_end + 1]
    if letter == "e":
        replacement = text[middle : end - 1].replace("\\" + delimiter, delimiter)
        recorder.run(
            "sed s///e",
            Value(
                constant=UNKNOWN_PART
                if "\\" in replacement or "&" in replacement
                else replacement or UNKNOWN_PART
            ),
        )
        return flags_end + 1
    if letter == "w":
        rest, line_end = _rest_of_line(text, flags_end + 1)
        _touch("w", rest, recorder)
        return line_end
    return flags_end


def _flags_end(text: str, at: int) -> int:
    match = _FLAGS.match(text, at)
    return match.end() if match else at


def _replacement_end(text: str, at: int, delimiter: str) -> int:
    """Return the index after the next `delimiter` that no backslash hides."""
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == delimiter:
            return at + 1
        at += 1
    return -1
