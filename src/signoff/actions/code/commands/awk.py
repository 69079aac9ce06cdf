"""awk: `system()`, pipes, redirections; patterns and printed texts are data."""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.lexer import Grammar, ScriptToken, TokenKind, tokens
from signoff.actions.code.value import UNKNOWN_PART, Value
from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.values import replace

MAX_CHARS = 20_000

GRAMMAR = Grammar(
    comments=("#",), blocks=(), quotes={'"': TokenKind.TEXT}, has_patterns=True, escapes_raw=True
)
SHELL_NAMES = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})
_READS_INPUT = frozenset({"-", "-s", "-e", "-x", "-ex", "-u"})
_ENDS = frozenset({";", "}", ")", "{"})


def read_awk(text: str, recorder: Recorder) -> None:
    """Record what an awk program does."""
    if len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", "awk")
        return
    found, is_closed = tokens(text, GRAMMAR)
    if not is_closed:
        recorder.opaque("the text cannot be read", "awk")
    found = _with_variables(found, {"HOME": recorder.place.home, **recorder.place.variables})
    known = _assigned(found)
    _judge_names(found, recorder)
    for at, token in enumerate(found):
        if token.kind is TokenKind.NAME:
            _named(found, at, known, recorder)
        elif token.kind is TokenKind.SIGN:
            _signed(found, at, known, recorder)


def _with_variables(found: list[ScriptToken], given: Mapping[str, str]) -> list[ScriptToken]:
    """Put the text of a variable of the environment in place of `ENVIRON["NAME"]`."""
    if not given:
        return found
    put: list[ScriptToken] = []
    at = 0
    while at < len(found):
        name = found[at + 2] if found[at].text == "ENVIRON" and at + 3 < len(found) else None
        if name is not None and name.kind is TokenKind.TEXT and name.text in given:
            put.append(replace(name, text=given[name.text]))
            at += 4
        else:
            put.append(found[at])
            at += 1
    return put


def _named(found: list[ScriptToken], at: int, known: dict[str, str], recorder: Recorder) -> None:
    name = found[at].text
    if name == "system":
        recorder.run("system", _text(found, at + 2, known))
    elif name == "getline":
        _getline(found, at, known, recorder)
    elif name.startswith("@"):
        recorder.opaque("calls a function by a name that is worked out", "awk")


def _signed(found: list[ScriptToken], at: int, known: dict[str, str], recorder: Recorder) -> None:
    if found[at].text == "|":
        _pipe(found, at, known, recorder)
    elif found[at].text in {">", ">>"} and _is_printing(found, at):
        _redirect(found, at, known, recorder)


def _judge_names(found: list[ScriptToken], recorder: Recorder) -> None:
    for token in found:
        if token.kind is TokenKind.TEXT and token.text.startswith("/inet"):
            # gawk opens connections by `/inet/tcp/0/host/port` (gawk manual, TCP/IP Networking).
            host = token.text.split("/")[4] if token.text.count("/") > 4 else UNKNOWN_PART
            recorder.connect("awk", Value(constant=host))
            recorder.has_fetched = True
        if token.text == "ENVIRON":
            recorder.operate(Verb.READ, "awk", thing=ResourceType.SETTING, reach=Reach.PROJECT)


def _assigned(found: list[ScriptToken]) -> dict[str, str]:
    """Return variables that are given one plain text, and nothing else ever."""
    known: dict[str, str] = {}
    for at, token in enumerate(found[:-2]):
        if token.kind is not TokenKind.NAME or found[at + 1].text not in {"=", "+="}:
            continue
        after = found[at + 3] if at + 3 < len(found) else None
        is_plain = found[at + 2].kind is TokenKind.TEXT and (
            after is None or after.kind is TokenKind.END or after.text in _ENDS
        )
        first = token.text not in known
        # A second assignment: which of them holds depends on the data, so neither is known.
        known[token.text] = found[at + 2].text if is_plain and first else UNKNOWN_PART
    return known


def _text(found: list[ScriptToken], at: int, known: dict[str, str]) -> Value:
    """Return the texts and variables from `at` on, put together as awk does."""
    pieces: list[str] = []
    for token in found[at : at + 40]:
        if token.text in {"print", "printf"} and token.kind is TokenKind.NAME:
            continue
        if token.kind is TokenKind.TEXT:
            pieces.append(token.text)
        elif token.kind is TokenKind.END or token.text in _ENDS or token.text == "|":
            break
        elif token.kind is TokenKind.NAME:
            pieces.append(known.get(token.text, UNKNOWN_PART))
        elif token.kind is not TokenKind.SIGN or token.text in {"$", ","}:
            pieces.append(UNKNOWN_PART)
    return Value(constant="".join(pieces) or UNKNOWN_PART)


def _before(found: list[ScriptToken], at: int, known: dict[str, str]) -> Value:
    start = at
    while (
        start > 0
        and found[start - 1].text not in _ENDS
        and found[start - 1].kind is not TokenKind.END
    ):
        start -= 1
    while found[start].text in {"while", "if", "("}:
        start += 1
    return _text(found[start:at], 0, known)


def _getline(found: list[ScriptToken], at: int, known: dict[str, str], recorder: Recorder) -> None:
    # `"command" | getline` is read at its pipe.
    if at and found[at - 1].text in {"|", "|&"}:
        return
    for offset in (1, 2):
        if at + offset + 1 < len(found) and found[at + offset].text == "<":
            recorder.read("getline", _text(found, at + offset + 1, known))


def _pipe(found: list[ScriptToken], at: int, known: dict[str, str], recorder: Recorder) -> None:
    """`"command" | getline` and `print ... | "command"`."""
    following = found[at + 1] if at + 1 < len(found) else None
    at_command = at + 2 if following is not None and following.text == "&" else at + 1
    is_inward = at_command < len(found) and found[at_command].text == "getline"
    line = _before(found, at, known) if is_inward else _text(found, at_command, known)
    if line.shown.startswith("/inet"):
        return
    given = line.shown.split()
    is_shell = bool(given) and given[0].rpartition("/")[2] in SHELL_NAMES
    if not is_inward and is_shell:
        printed = _before(found, at, known)
        recorder.run("print |", printed)
        # `sh -c LINE` runs its own line, whatever it is fed.
        if set(given[1:]) <= _READS_INPUT:
            return
    recorder.run("awk |", line)


def _is_printing(found: list[ScriptToken], at: int) -> bool:
    """Whether a `>` stands behind a print and in no comparison's parentheses."""
    depth = 0
    for token in reversed(found[max(0, at - 60) : at]):
        depth += (token.text == ")") - (token.text == "(")
        if depth < 0 or token.text in {";", "{", "}"} or token.kind is TokenKind.END:
            return False
        if token.kind is TokenKind.NAME and token.text in {"print", "printf"}:
            return True
    return False


def _redirect(found: list[ScriptToken], at: int, known: dict[str, str], recorder: Recorder) -> None:
    path = _text(found, at + 1, known)
    # gawk gives these its own streams and opens no file.
    if path.shown not in {"/dev/stderr", "/dev/stdout"}:
        recorder.write("awk", path)
