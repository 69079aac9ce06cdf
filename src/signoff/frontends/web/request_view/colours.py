"""Syntax colours of a text: which stretch is a string, a keyword, a comment.

Colours are decoration. They change no character, hide none, and every colour is readable. Shell
lines are coloured by the grammar that judges them; other languages by patterns in linear time,
because the text comes from outside.

    colour_spans("rm -rf 'a b'", "shell")  ->  [Span(0, 2, "command"), Span(3, 6, "flag"), ...]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import re2
import tree_sitter_bash
from tree_sitter import Language, Node, Parser

LENGTH_LIMIT = 20_000  # characters; what is longer has no colours
SHELL = "shell"

NODE_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("string", "raw_string", "ansi_c_string", "heredoc_body"), "string"),
    **dict.fromkeys(("simple_expansion", "expansion", "variable_name"), "variable"),
    **dict.fromkeys(("comment",), "comment"),
    **dict.fromkeys(("command_name",), "command"),
    **dict.fromkeys(("number", "file_descriptor"), "number"),
    **dict.fromkeys(("heredoc_start", "heredoc_end"), "operator"),
}
OPERATORS = frozenset({"|", "|&", "||", "&&", ";", ";;", "&", ">", ">>", "<", "<<", "<<<", ">&"})
SHELL_WORDS = frozenset(
    {
        *("if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until"),
        *("case", "esac", "function", "export", "declare", "local", "readonly", "unset"),
    }
)

ENDINGS: Mapping[str, str] = {
    **dict.fromkeys(("sh", "bash", "zsh"), SHELL),
    **dict.fromkeys(("py", "pyi", "pyx"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx", "ts", "tsx", "mts"), "javascript"),
    **dict.fromkeys(("json", "jsonc", "yaml", "yml", "toml", "ini", "cfg", "env", "tf"), "data"),
    **dict.fromkeys(("c", "h", "cc", "cpp", "hpp", "java", "kt", "swift", "cs"), "braces"),
    **dict.fromkeys(("go", "rs", "scala", "dart", "php", "css", "scss"), "braces"),
    **dict.fromkeys(("rb", "pl", "r", "ex", "exs", "lua"), "script"),
    "sql": "sql",
}
HASH, SLASHES, DASHES = r"#[^\n]*", r"//[^\n]*|/\*(?s:.*?)\*/", r"--[^\n]*"
QUOTED = r"""\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"""
LONG_QUOTED = r'"""(?s:.*?)"""|' + r"'''(?s:.*?)'''|"
KEYWORDS: Mapping[str, tuple[str, str, str]] = {  # comment, string, keywords
    "python": (
        HASH,
        LONG_QUOTED + QUOTED,
        "and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return try while with yield "
        "None True False match case",
    ),
    "javascript": (
        SLASHES,
        QUOTED + r"|`(?s:.*?)`",
        "async await break case catch class const continue default delete do else enum export "
        "extends finally for from function if implements import in instanceof interface let new "
        "null of private public return static super switch this throw true false try type typeof "
        "undefined var void while yield",
    ),
    "braces": (
        SLASHES,
        QUOTED,
        "abstract as async auto await bool break case catch char class const continue default "
        "defer do double else enum export extends false final float fn for func function go goto "
        "if impl import in int interface let long match mod mut namespace new nil null package "
        "private protected pub public return self static string struct super switch this throw "
        "trait true try type union unsafe use var void where while",
    ),
    "script": (
        HASH,
        QUOTED,
        "and begin break case class def defmodule do else elsif end ensure false for function if "
        "in local module my next nil not or redo require rescue return self sub then true unless "
        "until use while yield",
    ),
    "sql": (
        DASHES + r"|/\*(?s:.*?)\*/",
        QUOTED,
        "ADD ALL ALTER AND AS BEGIN BY CASCADE COLUMN COMMIT CREATE DATABASE DELETE DROP ELSE END "
        "EXISTS FROM GRANT GROUP HAVING IF IN INDEX INSERT INTO IS JOIN LIKE LIMIT NOT NULL ON OR "
        "ORDER REVOKE ROLLBACK SCHEMA SELECT SET TABLE THEN TO TRUNCATE UNION UPDATE USING VALUES "
        "VIEW WHEN WHERE WITH",
    ),
    "data": (HASH, QUOTED, "true false null yes no on off True False"),
}


class Span(NamedTuple):
    """A coloured range of a text: `start` to `end`, in characters."""

    start: int
    end: int
    kind: str


def language_of(path: str) -> str:
    """Return the language of a file by its name, "" if it is not highlighted."""
    name = path.rpartition("/")[2].casefold()
    return ENDINGS.get(name.rpartition(".")[2], "")


def colour_spans(text: str, language: str) -> list[Span]:
    """Return coloured ranges, in order; [] if the text is too long or the language unknown."""
    if len(text) > LENGTH_LIMIT:
        return []
    if language == SHELL:
        return list(_of_shell(text))
    if language not in KEYWORDS:
        return []
    return [
        Span(found.start(), found.end(), str(found.lastgroup))
        for found in _pattern(language).finditer(text)
        if found.end() > found.start()
    ]


def _of_shell(text: str) -> Iterator[Span]:
    """Yield the stretches of a shell line by its syntax tree."""
    data = text.encode()
    waiting = [_parser().parse(data).root_node]
    while waiting:
        node = waiting.pop()
        kind = _kind(node)
        if not kind:
            # The last one put on the stack comes first.
            waiting.extend(reversed(node.children))
        elif text.isascii():
            yield Span(node.start_byte, node.end_byte, kind)
        else:
            # The parser counts bytes, a span characters.
            start = len(data[: node.start_byte].decode("utf-8", "ignore"))
            length = len(data[node.start_byte : node.end_byte].decode("utf-8", "ignore"))
            yield Span(start, start + length, kind)


def _kind(node: Node) -> str:
    if node.type in NODE_KINDS:
        return NODE_KINDS[node.type]
    if node.type in OPERATORS:
        return "operator"
    if node.type in SHELL_WORDS:
        return "keyword"
    if node.type == "word" and (node.text or b"").startswith(b"-"):
        return "flag"
    return ""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


@cache
def _pattern(language: str) -> re2._Regexp:
    comment, string, words = KEYWORDS[language]
    case = "i" if language == "sql" else ""
    parts = (
        rf"(?P<string>{string})",
        rf"(?P<comment>{comment})",
        rf"(?P<keyword>(?{case}:\b(?:{'|'.join(words.split())})\b))",
        r"(?P<number>\b\d[\w.]*\b)",
    )
    return re2.compile("|".join(parts))
