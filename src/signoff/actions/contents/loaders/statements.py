"""A text of any programming language or format as statements: their names, and what they set.

Nobody reads every language, yet nearly all join lines by brackets, set a name by a sign and hand
values over in brackets. Lines of comments are left out; what stands between quotes is text, of
which only a path and the names put into it count.

    x = get(u)\\nrun(x)      names {x, get, u} setting x, then names {run, x}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import re2
from msgspec import Struct

from signoff.actions.vocabulary import lazy_re, lazy_re2, words

MAX_STATEMENTS = 1_500
MAX_CHARS = 4_000  # of one statement; a bracket that is never closed would join a whole file
_TOKEN = lazy_re(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|[(){}\[\];\n]"
    r"|[\w.$~{}@-]{0,100}/[\w.$~/{}-]+|[\w%$:]{1,60}\\[\w.\\%-]+|[A-Za-z_]\w*"
)
_COMMENT = lazy_re(
    r"(?i)\s*(?://|#(?:[ \t#!*-]|$)|--[ \t]|dnl\b|<!--|/?\*[ \t*]|/\*|rem[ \t]|\*>|%[ \t])"
)
# Only where they begin a line: between quotes, the signs of comments are text.
_DOCSTRING = lazy_re2(
    r"(?ms)^[ \t]*(?:\"{3}(?:[^\"]|\"[^\"]|\"\"[^\"])*\"{3}[ \t]*$"
    r"|'{3}(?:[^']|'[^']|''[^'])*'{3}[ \t]*$"
    r"|/\*.*?\*/|<!--.*?-->|#\[=*\[.*?\]=*\])"
)
_WORD_CHARS = 12
_FAR_BRACKET = 400  # characters; a block that ends behind them does not end on its line
_TEXT = lazy_re(r"(\b[fF]|\$)?(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')")
_LONG_TEXT = lazy_re2(
    r"(?s)\"{3}(?:[^\"]|\"[^\"]|\"\"[^\"])*\"{3}|'{3}(?:[^']|'[^']|''[^'])*'{3}|`[^`]*`"
)
_RUN_NAME = lazy_re2(r"`\s*(?:/\S*/)?(?:ba|z|da|k|a)?sh\s+-\w*c\s+[\"']?\$")
_TOKEN_TEXT = lazy_re(r"[\w.:/@%?=&+~-]{1,200}")
_PUT_IN = lazy_re(r"[$#@%]?[{(<]\s*([A-Za-z_]\w*)|[$%@]([A-Za-z_]\w*)")
_PATH_LIKE = lazy_re(r"[^\s:;,|<>\"'`]*[/\\.][^\s;,|<>\"'`]+")
_GOES_ON = ("\\", "|", ",", "&&", "+", "=", "..", "||")
_CONTINUES = ('"', "'", ".", "+", "&", "|", "?.", "||", "<<")
# A goal of Prolog or a call of Erlang: the comma behind it ends a statement.
_GOAL = lazy_re(r"\s*(?:[A-Z{\[_][^=\n]{0,80}=\s*)?[a-z]\w*(?::\w+)?\(.*\)\s*,\s*$")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_AND_THEN = lazy_re(r"[;&|]+")
_QUOTES = frozenset("\"'`")
_NO_VALUE_BEFORE = frozenset("(=:")
_OPENS_LIST = frozenset("(,=:[?&|<")
_LVALUE = (
    r"[$@%&*]*(?:[A-Za-z_][\w.]*|\{[\w\s,:{}]{1,300}\}|\[[\w\s,]{1,300}\]"
    r"|\([\w\s,]{1,300}\))(?:\[[^\]\n]{0,60}\])?"
)
_SETS = lazy_re(
    r"(?m)(?:^|[{;])[ \t]*(?:[({]\s*)?(?:[\w<>\[\]?*&.]+\s+){0,4}?"
    rf"({_LVALUE}(?:\s*,\s*{_LVALUE}){{0,4}})"
    r"(?:\s*:\s*[\w<>\[\]?.|, ]{1,40})?\s*(?::=|<<?-|\|\|=|\?\?=|\+=|\.=|<<|\?=|=(?![=~>]))"
)
_BINDS = lazy_re(
    r"\bas\s+(\w+)|\bfor(?:each)?\s*\(?\s*(?:const|let|var|auto|final"
    r"|my)?\s*[$(]*([\w, $]{1,60}?)\)?\s+"
    r"(?:in|of)\b|\bforeach\b[^\n]*?\bas\s+\$(\w+)|\bset(?:q|f|!)?\s+[\"'{]?([\w-]+)"
    r"|\((?:def|defvar|defparameter|define|let\*?)\s+[\[(]*([\w-]+)|\binto\s+(?:table\s+)?(?:@?data\()?([\w-]+)"
    r"|\b(?:data|field-symbol)\(\s*<?(\w+)|\bimporting\s+\w+\s*=\s*(\w+)\b(?!\()"
    r"|\b(?:ok|some|just|right)\s*\(?\s*(?:mut\s+)?(\w+)\)?\s*(?:=(?!=)|<-|->)"
    r"|\bmove\s+\S+\s+to\s+([\w-]+)|\((?:\w+\s+)?(\w+)\s*:?=(?!=)|\b(?:VALUE|01|05"
    r"|77)\s+([\w-]+)\s+pic\b",
    2,
)
_PARAMETERS = lazy_re(
    r"\(?([\w ,]{1,80})\)?\s*=>|\b(?:function|func|fn|fun|lambda|sub"
    r"|proc)\b\s*\w*\s*\(?([\w\s,:*&.\[\]]{0,300})\)?"
    r"|\{\s*([\w ,]{1,60}?)\s*->|\|\s*([\w ,]{1,60}?)\s*\||\\\s*(\w+)\s*->"
)
_DEFINES = lazy_re(
    r"\b(?:def|function|func|fun|fn|sub|proc|procedure|defun|defn|defp|class|struct"
    r"|interface)\s+(?:\([^)]*\)\s*)?([\w-]+)\b(?!\s*=)\s*"
    r"[(\[]?([^)\]{]*)|^\s*(?:[\w<>\[\]*&]+\s+){1,4}(\w+)\s*\(([^)=]*)\)\s*\{?$"
)
_NO_NAMES = words(
    "self this cls it me let const var val my local auto def set final new await async return int "
    "str string bool byte char float double void any error object long public private static if "
    "else for in of while with try except catch from import true false null none nil not and or "
    "end do then begin function func fn fun lambda sub proc the to is as using"
)
_IMPORTS = lazy_re(
    r"\s*(?:from\s+[\w.]+\s+import|import\s+(?:static\s+)?[\w.{*,\s}]+(?:from\b|;|$)"
    r"|using\s+[\w.]+\s*;?$"
    r"|#\s*include|use\s+[\w:]+|package\s|@\w[\w.]*\b(?![^\n]*;))"
)
_VARIABLE = lazy_re(r"[$@]\{?(\w+)")
_ALIAS = lazy_re(r"\bas\s+(\w+)")
# A class by its whole name: `new System.Diagnostics.ProcessStartInfo(path)`.
_CONSTRUCTED = lazy_re(r"(?:[A-Z]\w*\.)+[A-Z]\w*(?=\s*\()")
# An arm of Erlang that goes on behind its sign.
_ARM = lazy_re(r"^(\s*\{.{1,200}\}\s*(?:when\b.{1,100})?->)\s*(\S.*)$")
_NAME = lazy_re(r"[A-Za-z_]\w*")


# `'base' . '64'`, `"a" + "b"`: what stands between two literals that become one text.
_BETWEEN = lazy_re2(r"\"[ \t]*(?:\.\.?|\+\+?|<>|~|&)[ \t]*\"|'[ \t]*(?:\.\.?|\+\+?|<>|~|&)[ \t]*'")


class CodeStatement(Struct, frozen=True, kw_only=True, gc=False):
    """One statement.

    Args:
        names: names outside of texts, names put into texts, and paths that texts are.
        sets: the names that it gives a value, or that stand for one in a block it opens.
        defines: name of the function that it begins, "" if none.
    """

    text: str
    names: frozenset[str]
    sets: frozenset[str]
    given: frozenset[str]
    defines: str = ""
    is_import: bool = False


def statements_of(text: str) -> tuple[CodeStatement, ...]:
    """Return the statements of a text, without its comments; at most `MAX_STATEMENTS`."""
    pieces = islice(((p, n) for p, n in _pieces(text) if n or "|" in p), MAX_STATEMENTS)
    return tuple([_statement(piece, names) for piece, names in pieces])


def names_in(text: str) -> frozenset[str]:
    """Return the names, names put into texts and path literals of a piece of code."""
    names: set[str] = set()
    for match in _TOKEN.finditer(text):
        _add_names(match.group(), names)
    return frozenset(names)


def joined(text: str) -> str:
    """Return code in which texts that are put together of literals stand as one."""
    return str(_BETWEEN.sub("", text))


def code_of(text: str) -> str:
    """Return code with its texts blanked out, but for words and what is put in."""
    return str(_TEXT.sub(_blanked, text))


def without_texts(text: str) -> str:
    """Return code without texts of several lines and with its others blanked out."""
    return code_of(_LONG_TEXT.sub('""', text))


def without_prose(text: str) -> str:
    """Return code without texts of several words; an address, a path or a name stays."""
    return str(_TEXT.sub(_token_or_blank, _LONG_TEXT.sub(_long_or_run, text)))


def _long_or_run(match: re2._Match[str]) -> str:
    """Keep what a shell runs in backticks, as Julia, Ruby and Perl write it."""
    is_run = _RUN_NAME.match(match.group()) is not None
    return match.group() if is_run else '""'


def _token_or_blank(match: re.Match[str]) -> str:
    return match.group() if _TOKEN_TEXT.fullmatch(match.group()[1:-1]) else _blanked(match)


def _blanked(match: re.Match[str]) -> str:
    before, inner = match.group(1), match.group()[1:-1]
    is_code = before or "${" in inner or "#{" in inner or len(inner) <= _WORD_CHARS
    whole = match.group()
    return whole if is_code else f"{whole[0]}{' ' * (len(whole) - 2)}{whole[-1]}"


def first_name(given: str) -> str:
    """Return the name or path that comes first in arguments, "" if a literal word does."""
    given = _CONSTRUCTED.sub("", given)
    for match in _TOKEN.finditer(given):
        part = match.group()
        if part[0] in "([{" or part == "\n":
            continue
        if part[0] in "\"'`":
            inner = part[1:-1]
            if _PATH_LIKE.fullmatch(inner):
                return inner
            put = _PUT_IN.match(inner)
            return (put.group(1) or put.group(2)) if put else ""
        behind = given[match.end() : match.end() + 3].lstrip()[:1]
        if len(part) == 1 and behind in _QUOTES:
            continue
        # A constructor, or the name of an argument.
        if part.lower() not in _NO_NAMES and behind not in _NO_VALUE_BEFORE:
            return part
    return ""


def programs_in(given: str) -> set[str]:
    """Return what arguments start: a text that is a path, or the first words of a line."""
    found: set[str] = set()
    for match in _TEXT.finditer(given):
        inner = match.group().lstrip("fF$")[1:-1]
        if _PATH_LIKE.fullmatch(inner):
            found.add(inner)
        for part in _AND_THEN.split(inner):
            found.update(part.split()[:1])
    return found


class _Splitter:
    """Cuts lines into statements: at a sign that ends one, and where no bracket is open."""

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._names: set[str] = set()
        self._size = 0
        self._open = 0

    def cut(self) -> tuple[str, frozenset[str]]:
        """Return the statement so far, and begin another."""
        piece = "\n".join(self._kept), frozenset(self._names)
        self._kept, self._names, self._size, self._open = [], set(), 0, 0
        return piece

    def take(self, line: str, following: str) -> Iterator[tuple[str, frozenset[str]]]:
        """Read a line; yield the statements that end in it."""
        begin = 0
        for match in _TOKEN.finditer(line):
            part = match.group()
            if (part == "{" and not _is_list(line, match.start())) or (
                part == ";" and not self._open
            ):
                self._kept.append(line[begin : match.end()])
                begin = match.end()
                yield self.cut()
            elif part in _BRACKETS:
                self._open = max(self._open + _BRACKETS[part], 0)
            else:
                _add_names(part, self._names)
        self._kept.append(line[begin:])
        self._size += len(line)
        goes_on = self._open or (_goes_on(line, following) and not _GOAL.match(line))
        if not goes_on or self._size > MAX_CHARS:
            yield self.cut()


def _pieces(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    lines = [
        line
        for whole in _DOCSTRING.sub("", text).split("\n")
        for line in ((_ARM.sub(r"\1\n\2", whole)).split("\n") if "->" in whole else (whole,))
        if line and not line.isspace() and not _COMMENT.match(line)
    ]
    splitter = _Splitter()
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        yield from splitter.take(line, following)
    yield splitter.cut()


def _goes_on(line: str, following: str) -> bool:
    """Whether a line is joined with the one behind it, which begins with a text or a sign."""
    ended = line.rstrip()
    if not ended or ended.endswith((";", "}", "]", ">", ".")):
        return False
    return ended.endswith(_GOES_ON) or following.lstrip().startswith(_CONTINUES)


def _is_list(line: str, at: int) -> bool:
    """Whether a curly bracket opens a value, or a block that ends on its line."""
    before = line[:at].rstrip()
    # `=> {` opens a block.
    is_value = before[-1:] in _OPENS_LIST or before.endswith(("return", "$", "@"))
    return "}" in line[at : at + _FAR_BRACKET] or is_value


def _add_names(part: str, names: set[str]) -> None:
    if part[0] in "\"'`":
        inner = part[1:-1]
        if _PATH_LIKE.fullmatch(inner) and "://" not in inner:
            names.add(inner)
        elif "." in inner or "/" in inner:
            names.update([one for one in inner.split() if "/" in one and "://" not in one])
        for match in _PUT_IN.finditer(inner):
            names.add(match.group(1) or match.group(2))
    elif "/" in part or "\\" in part:
        names.add(part)
        names.update(_VARIABLE.findall(part))
    elif part.lower() not in _NO_NAMES:
        names.add(part)


def _statement(text: str, names: frozenset[str]) -> CodeStatement:
    short = text[:MAX_CHARS]
    if _IMPORTS.match(short) is not None:
        # The one name that a library's call gets here; it brings in no value.
        own = frozenset(_ALIAS.findall(short))
        return CodeStatement(text=short, names=own, sets=own, given=frozenset(), is_import=True)
    found: set[str] = set()
    for match in _SETS.finditer(short):
        # Between brackets, `name=value,` names an argument.
        is_argument = match.start() > 0 and _line_end(short, match.end()) == ","
        for one in () if is_argument else match.group(1).split(","):
            parts = _NAME.findall(one.split("[")[0] or one)
            found.update([parts[0], parts[-1]] if parts else ())
    for match in _BINDS.finditer(short):
        found.update(_NAME.findall(next(filter(None, match.groups()), "")))
    given: set[str] = set()
    for match in _PARAMETERS.finditer(short):
        given.update(_NAME.findall(next(filter(None, match.groups()), "")))
    defines, parameters = "", ""
    if (head := _DEFINES.search(short)) is not None:
        defines = head.group(1) or head.group(3)
        parameters = head.group(2) or head.group(4) or ""
        text = text[: head.start()] + " " * len(head.group()) + text[head.end() :]
    given.update(_parameters(parameters))
    return CodeStatement(
        text=text,
        names=names,
        sets=frozenset([name for name in found if name.lower() not in _NO_NAMES]),
        given=frozenset([name for name in given if name.lower() not in _NO_NAMES]),
        defines=defines,
    )


def _line_end(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].rstrip()[-1:]


def _parameters(text: str) -> Iterator[str]:
    for one in text.split(","):
        found = _NAME.findall(one.partition("=")[0].partition(":")[0])
        yield from found[:1] + found[-1:]
