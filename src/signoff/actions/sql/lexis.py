"""How SQL text falls into tokens, by family of dialects: strings, names and comments as data.

One linear pass: every part of the pattern begins with a character that no part before it takes,
so there is nothing to backtrack into. Servers disagree on what a quote hides: a backslash, `#`, a
nested comment, `/*! ... */`. Where the dialect is not known and the text holds such a sign, the
caller reads it once for each family and adds up what comes out; a family in which a quote stays
open could not run the text and is left out.

    tokens("DROP /* x */ TABLE a", lexis_of(""))  ->  (("DROP", "TABLE", "a"), closed)
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from msgspec import Struct

from signoff.values import replace

MAX_TOKENS = 10_000
MAX_COMMENTS = 2_000

# A word may carry the signs of variables and temporary tables: @x, @@x, #t, ##t.
# A run of signs is tried once, at its first: else a long one would take the square of its length.
_WORD = r"[^\W\d][\w$\#@]*|(?<![@\#])[@\#]+[^\W\d][\w$\#@]*"
_PLAIN_WORD = r"[^\W\d][\w$@]*|(?<!@)@+[^\W\d][\w$@]*"
_SHORT_NAME = r"\[[\w $@\#.\-]*\]"
_BACKTICK_NAME = r"`[^`]*`?"
_NUMBER = r"\d[\w.]*"
_STANDARD_STRING = r"'[^']*(?:''[^']*)*'?"
_ESCAPING_STRING = r"[eE]'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'?"
_BACKSLASH_STRING = r"'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'?"
_DOUBLE = r'"[^"]*(?:""[^"]*)*"?'
_BACKSLASH_DOUBLE = r'"[^"\\]*(?:(?:""|\\.)[^"\\]*)*"?'
_DOLLAR = r"\$(?:[^\W\d]\w*)?\$"
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_EXECUTABLE = re.compile(r"/\*M?!\d*")
_OPEN_QUOTE = ("'", '"', "`")
_CLOSED = re.compile(
    r"""[eE]?'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'(?!')|'[^']*(?:''[^']*)*'(?!')"""
    r"""|"[^"\\]*(?:(?:""|\\.)[^"\\]*)*"(?!")|"[^"]*(?:""[^"]*)*"(?!")|`[^`]*`""",
    re.DOTALL,
)


class Lexis(Struct, frozen=True, kw_only=True):
    """How one family of databases writes strings, names and comments."""

    expression: str
    nests_comments: bool = False
    runs_comments: bool = False  # /*! ... */ is code
    has_hash_comments: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression of one token, compiled on first use."""
        return _compiled(self.expression)


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.DOTALL)


def _any_of(*parts: str) -> str:
    return "|".join((*parts, r"\*/", r"[^\s\w]", r"\w"))


_DASHES = r"--[^\n]*"
_SPACED_DASHES = r"--(?=\s|$)[^\n]*"
_HASH = r"\#[^\n]*"
_SLASH_STAR = r"/\*"

STANDARD = Lexis(
    expression=_any_of(
        _ESCAPING_STRING, _STANDARD_STRING, _DOUBLE, _BACKTICK_NAME, _SHORT_NAME, _DASHES,
        _SLASH_STAR, _DOLLAR, _WORD, _NUMBER,
    ),
    nests_comments=True,
)  # fmt: skip
TRANSACT = Lexis(
    expression=_any_of(
        _STANDARD_STRING,
        _DOUBLE,
        r"\[[^\]]*(?:\]\][^\]]*)*\]?",
        _DASHES,
        _SLASH_STAR,
        _WORD,
        _NUMBER,
    ),
    nests_comments=True,
)
ORACLE = Lexis(
    expression=_any_of(
        r"[nN]?[qQ]'(?:\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|<[^>]*>|![^!]*(?:!(?!')[^!]*)*!)'",
        _STANDARD_STRING, _DOUBLE, _DASHES, _SLASH_STAR, _WORD, _NUMBER,
    ),
)  # fmt: skip
SQLITE = Lexis(
    expression=_any_of(
        _STANDARD_STRING, _DOUBLE, _BACKTICK_NAME, r"\[[^\]]*\]?", _DASHES, _SLASH_STAR, _WORD,
        _NUMBER,
    ),
)  # fmt: skip
MYSQL = Lexis(
    expression=_any_of(
        _BACKSLASH_STRING, _BACKSLASH_DOUBLE, _BACKTICK_NAME, _SPACED_DASHES, _HASH, _SLASH_STAR,
        _PLAIN_WORD, _NUMBER,
    ),
    runs_comments=True,
    has_hash_comments=True,
)  # fmt: skip
# For text of unknown dialect whose dollar quotes can only be the bodies of routines.
MYSQL_WITH_DOLLARS = replace(MYSQL, expression=_any_of(_DOLLAR, MYSQL.expression))
# BigQuery, Spark, Snowflake, ClickHouse, Databricks, Hive: backslashes count, comments do not run.
WAREHOUSE = Lexis(
    expression=_any_of(
        r"'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''",
        r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""',
        _BACKSLASH_STRING, _BACKSLASH_DOUBLE, _BACKTICK_NAME, _DASHES, _SLASH_STAR, _DOLLAR, _WORD,
        _NUMBER,
    ),
    nests_comments=True,
)  # fmt: skip

_FAMILIES = {
    STANDARD: ("ansi", "postgres", "postgresql", "psql", "redshift", "duckdb", "cockroach",
               "cockroachdb", "greenplum", "timescaledb", "trino", "presto", "db2", "vertica"),
    TRANSACT: ("tsql", "mssql", "sqlserver", "sybase", "fabric"),
    ORACLE: ("oracle", "plsql"),
    SQLITE: ("sqlite", "sqlite3"),
    MYSQL: ("mysql", "mariadb", "tidb", "singlestore", "doris", "starrocks"),
    WAREHOUSE: ("bigquery", "spark", "sparksql", "snowflake", "clickhouse", "databricks", "hive"),
}  # fmt: skip
_LEXIS_OF = {name: lexis for lexis, names in _FAMILIES.items() for name in names}
_BODY = re.compile(r"(?i)^\s*(?:create|do)\b[^$;]*\$\w*\$")
_DISPUTED = ("\\", "#", "/*", "--", "$")


def lexes_of(text: str, dialect: str) -> tuple[Lexis, ...]:
    """Return the dialects `text` must be parsed in: one if it is known or makes no difference."""
    known = _LEXIS_OF.get(dialect.lower())
    if known is not None:
        return (known,)
    if not any(sign in text for sign in _DISPUTED):
        return (STANDARD,)
    # In MySQL `$$` is a name, which can hide a `;` only where no routine's body is meant.
    is_name = "$" in text and ";" in text and not _BODY.search(text)
    return (STANDARD, MYSQL if is_name else MYSQL_WITH_DOLLARS)


def tokens(text: str, lexis: Lexis) -> tuple[list[str], bool]:
    """Split `text` into tokens without comments; False if a quote or comment stays open."""
    if "/*" in text or "$" in text:
        return _walk(text, lexis)
    found = [match[0] for match in islice(lexis.pattern.finditer(text), MAX_TOKENS + 1)]
    if "--" in text or (lexis.has_hash_comments and "#" in text):
        found = [token for token in found if not _is_comment(token, lexis)]
    return found, _is_closed(found)


def key(token: str) -> str:
    """Return the normalised form of a token: a word in capitals, `'` a string, `"` a name."""
    first = token[0]
    if first.isalpha() or first == "_":
        return "'" if token[-1] == "'" else token.upper()
    if first in "'$":
        return "'" if len(token) > 1 else token
    if first in '"`' or (first == "[" and len(token) > 1):
        return '"'
    return token


def _is_comment(token: str, lexis: Lexis) -> bool:
    return token.startswith("--") or (lexis.has_hash_comments and token.startswith("#"))


def _is_closed(found: list[str]) -> bool:
    if not found or not found[-1].lstrip("eE").startswith(_OPEN_QUOTE):
        return True
    return _CLOSED.fullmatch(found[-1]) is not None


def _walk(text: str, lexis: Lexis) -> tuple[list[str], bool]:
    """Split text that holds block comments or dollar quotes, which end where a search finds."""
    found: list[str] = []
    at = comments = 0
    while len(found) <= MAX_TOKENS:
        match = lexis.pattern.search(text, at)
        if match is None:
            return found, _is_closed(found)
        piece, at = match[0], match.end()
        if piece == "/*":
            comments += 1
            at = _after_comment(text, match.start(), lexis) if comments <= MAX_COMMENTS else -1
        elif piece[0] == "$" and len(piece) > 1:
            end = text.find(piece, at)
            found.append(text[match.start() : end + len(piece)] if end >= 0 else piece)
            at = end + len(piece) if end >= 0 else -1
        elif piece != "*/" and not _is_comment(piece, lexis):
            found.append(piece)
        if at < 0:
            return found, False
    return found, True


def _after_comment(text: str, start: int, lexis: Lexis) -> int:
    """Return where reading goes on after the comment at `start`, -1 if it never ends."""
    if lexis.runs_comments and (inside := _EXECUTABLE.match(text, start)):
        return inside.end()
    depth, at = 1, start + 2
    for _ in range(MAX_COMMENTS):
        if depth == 0:
            return at
        edge = _COMMENT_EDGE.search(text, at)
        if edge is None:
            return -1
        at = edge.end()
        depth += 0 if edge[0] == "/*" and not lexis.nests_comments else _STEP[edge[0]]
    return -1


_STEP = {"/*": 1, "*/": -1}
