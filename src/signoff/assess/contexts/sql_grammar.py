"""Tells SQL from a sentence that has SQL words in it.

A value can only change a statement if it is SQL where it lands: as it stands (a number was
expected), or behind a quote that closes the application's string. A sentence is SQL in neither
place: three names in a row, or `in python`, fit no grammar of SQL. What follows a comment sign or
leads up to the closing quote does not matter, as a database does not read it.

    reads_as_sql("1 union select name from users")     ->  True
    reads_as_sql("union select committee report 2019") ->  False
    reads_as_sql("Tom's friend said: ' or 1=1 --")     ->  True
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.vocabulary import lazy_re

QUOTE_LIMIT = 12
TEXT_LIMIT = 4096

_TOKEN = lazy_re(
    r"(?P<space>\s+)|(?P<comment>--[^\n]*|\#[^\n]*|/\*!?\d*|\*/)"
    r"|(?P<string>'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)|`[^`]*(?:`|\Z))"
    r"|(?P<number>0[xX][0-9a-fA-F]+|\d[\d.]*(?:[eE]\d+)?)"
    r"|(?P<word>[@\\$]{0,2}[^\W\d][\w$.]*|@@?\w+)"
    r"|(?P<operator>[<>=!]{1,3}|\|\||&&|[-+*/%^|&~])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)|(?P<end>;)|(?P<other>.)",
    re.DOTALL,
)
_QUOTE = lazy_re("['\"`\u2018\u2019\u00b4]")
_QUERY = lazy_re(r"(?:\s|--[^\n]*\n)*(?:select|with)\s[^;]*?\sfrom\s", re.IGNORECASE)
_ESCAPED_QUOTE = lazy_re(r"\\'|(?<=[^\s='(,])''(?=[^\s,)])")
_UNARY = frozenset("-+~!*")
_BEFORE_STAR = frozenset({"select", "distinct", "all", ",", "(", "top"})
_STATEMENTS = frozenset(
    (
        *("select", "insert", "update", "delete", "drop", "create", "alter", "truncate", "exec"),
        *("execute", "declare", "waitfor", "shutdown", "grant", "revoke", "call", "begin", "if"),
        *("set", "print", "use", "backup", "copy", "merge", "replace", "with", "show", "desc"),
        # They stand between others: a setting is made valid, a change is kept.
        *("reconfigure", "restore", "commit", "rollback", "checkpoint", "kill", "dbcc", "bulk"),
        *("pragma", "attach", "load", "flush", "lock", "rename", "do", "prepare", "handler"),
    )
)
_BEFORE_SELECT = frozenset(
    (
        *("", "(", "union", "all", "distinct", "except", "intersect", "minus", "as", "exists"),
        *("any", "some", "then", "else", "when", ";", "in", "not", "operator", "and", "or", ","),
        *("into", "values", "begin", "for", "like", "comment"),
    )
)
# Words that join what stands before them to what follows.
_JOINING = frozenset(
    (
        *("and", "or", "xor", "union", "except", "intersect", "minus", "having", "order", "group"),
        *("limit", "like", "rlike", "regexp", "in", "is", "between", "where", "from", "into", "as"),
        *("on", "join", "inner", "outer", "left", "right", "div", "mod", "collate", "procedure"),
        *("asc", "offset", "fetch", "escape", "then", "else", "end", "when", "by", "set"),
        *("values", "using", "to", "for", "natural", "cross", "returning", "similar", "glob"),
    )
)
_CORE = ("union", "select", "from", "value")
# Statements that some databases take without a semicolon before them.
_UNSEPARATED = frozenset(
    (
        *("insert", "update", "delete", "drop", "create", "alter", "exec", "execute", "declare"),
        *("waitfor", "shutdown", "truncate", "grant", "if"),
    )
)
_LEADING = frozenset(
    (
        *("nulls", "over", "partition", "unsigned", "signed", "unbounded", "preceding", "against"),
        *(
            "waitfor",
            "current",
            "identified",
            "default",
            "temporary",
            "tablespace",
            "escaped",
            "lines",
            "terminated",
        ),
        *("not", "exists", "all", "distinct", "any", "some", "case", "top", "interval", "binary"),
        *("select", "null", "true", "false", "delay", "time", "table", "database", "cascade"),
        *("add", "modify", "rename", "change", "separator"),
        *("program", "immediate", "only", "next", "rows", "percent", "outfile", "dumpfile"),
    )
)
_THINGS = frozenset(
    (
        *("table", "database", "schema", "view", "index", "user", "login", "role", "function"),
        *("procedure", "trigger", "column", "or", "temp", "temporary", "unique", "sequence"),
        *("tablespace", "type", "extension", "materialized", "session", "system", "server"),
    )
)
# What must follow a word for it to be the word of SQL.
_FOLLOWS: dict[str, frozenset[str]] = {
    "order": frozenset({"by"}),
    "group": frozenset({"by"}),
    "in": frozenset({"(", "select", "boolean"}),
    "is": frozenset({"null", "not", "true", "false", "distinct", "unknown", "of"}),
    "union": frozenset({"all", "distinct", "select", "(", "values", "table"}),
    "to": frozenset({"program", "word", "operator"}),
    "drop": _THINGS,
    "create": _THINGS,
    "alter": _THINGS,
    "truncate": frozenset({"table", "word"}),
    "insert": frozenset({"into", "overwrite", "ignore"}),
}
# Where a second name may follow a first one, as in `column alias`; three never do.
_LISTING = frozenset(
    (
        *("select", "from", "join", "into", "as", "using", "user", "login"),
        *("add", "modify", "rename", "change"),
        *_STATEMENTS,
    )
)
_CONDITION = frozenset(
    (
        *(
            "and",
            "or",
            "xor",
            "where",
            "having",
            "on",
            "like",
            "in",
            "is",
            "between",
            "not",
            "when",
        ),
        "table",
    )
)

# What a sign stands for, and what it cannot follow.
_STEPS: dict[str, tuple[str, frozenset[str]]] = {
    "string": ("value", frozenset({";"})),
    "number": ("value", frozenset({";"})),
    "open": ("(", frozenset()),
    "close": ("close", frozenset({"operator", ","})),
    "comma": (",", frozenset({"operator", ",", ";", "select", "union", "from", "where", "by"})),
    "end": (";", frozenset()),
}


def reads_as_sql(value: str) -> bool:
    """Return whether a value parses as SQL, by itself or behind one of its quotes."""
    if _is_accepted(value[:TEXT_LIMIT], is_after_value=False):
        return True
    quotes = [found.end() for found in _QUOTE.finditer(value)]
    # Behind the first and the last ones: what stands before an attack does not hide it.
    tried = dict.fromkeys((*quotes[:QUOTE_LIMIT], *quotes[-QUOTE_LIMIT:]))
    return any(_is_accepted(value[at : at + TEXT_LIMIT], is_after_value=True) for at in tried)


def is_whole_query(value: str) -> bool:
    """Return whether a value is a complete query, which breaks out of nothing."""
    if _QUERY.match(value) is None:
        return False
    text = value[:TEXT_LIMIT]
    # MySQL and SOQL write a quote in a string as `\'`, others as `''`.
    plain = _ESCAPED_QUOTE.sub("_", text)
    return _is_accepted(text, is_after_value=False) or (
        plain != text and _is_accepted(plain, is_after_value=False)
    )


def reads_behind_a_quote(value: str) -> bool:
    """Return whether a text parses as SQL after a closed quote."""
    return _is_accepted(value[:TEXT_LIMIT], is_after_value=True)


def _is_accepted(text: str, *, is_after_value: bool) -> bool:
    before, adjacent, limit = ("behind quote", 1, 1) if is_after_value else ("", 0, 1)
    has_effect, count, core, clause = False, 0, 0, ""
    for kind, word in _tokens(text):
        step = _step(kind, word, before)
        if step is None:
            break
        limit = 2 if step in _LISTING else 1 if step in _CONDITION else limit
        # "from the display table": a name like the ones before it.
        is_name = step == "value" or (step == "table" and before == "value" and clause == "from")
        clause = step if step in _LISTING else clause
        adjacent = adjacent + 1 if is_name else int(step == "close")
        if adjacent > limit:
            break
        core += core < len(_CORE) and step == _CORE[core]
        has_effect = has_effect or step not in ("value", "close", "(", ",")
        before, count = step, count + 1
    else:
        return has_effect and count > 1
    # What stands behind a whole query may be written in a way this grammar does not know.
    return core == len(_CORE)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        if kind not in ("space", "comment"):
            yield kind, match.group().lower()


def _step(kind: str, word: str, before: str) -> str | None:
    """Return what precedes the next token, None where no grammar goes on like this."""
    needed = _FOLLOWS.get(before)
    if needed is not None and not needed & {word, kind}:
        return None
    if kind == "word":
        return _word(word, before)
    if kind == "operator":
        return _operator(word, before)
    if kind == "other":
        return "value" if word in "?$@{}\\\x00." else None
    step, not_after = _STEPS[kind]
    return None if before in not_after else step


def _operator(word: str, before: str) -> str | None:
    if word == "*" and before in _BEFORE_STAR:
        return "value"  # every column
    is_odd = before in ("", "operator", ",", ";") and word not in _UNARY
    return None if is_odd else "operator"


def _word(word: str, before: str) -> str | None:
    if before == ";" and word not in _STATEMENTS:
        return None
    if word == "select" and before not in _BEFORE_SELECT:
        return None
    if word in _STATEMENTS and word not in _UNSEPARATED and before == "behind quote":
        return None
    if word in _JOINING:
        return None if before in ("operator", ";") else word
    if word in _LEADING or (word in _STATEMENTS and before in (";", "", "behind quote")):
        return word
    return "value"
