"""Tells a whole query of a search service from SQL that breaks out of a value.

Such a query compares names with literal values, one after the other, and hands the result to the
commands of the service. A name stands on the left of each comparison and another plain value on
the right, so that none is always true, and no literal is SQL itself.

    is_filter('price > 5 AND brand = "A"')  ->  True
    is_filter("contains(name, 'o''hara')")   ->  True
    is_filter("a = a or b = 'x'")           ->  False
    is_filter("x' or 1=1")                  ->  False
"""

from __future__ import annotations

import re
from functools import cache
from typing import cast

import re2

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.sql_grammar import reads_behind_a_quote

TEXT_LIMIT = 4096
# Names of an interface that takes filters, and those where services take one as a text.
FILTERS = frozenset(
    (
        *("filter", "filters", "where", "query", "conditions", "criteria", "selector", "pipeline"),
        *("aggregate", "match"),
    )
)
OF_FILTERS = FILTERS | {
    *("q", "fq", "filter_by", "filterby", "expr", "expression", "cql_filter", "if", "when"),
    *("rule", "search"),
}

# Where people look for words and phrases.
OF_SEARCHES = OF_FILTERS | {"keywords", "keyword", "term", "terms", "s", "k", "text", "lookfor"}
# What a phrase in quotes beside an operator fits.
OF_PHRASES = frozenset(("sql.quoted-logic", "sql.quoted-logic-call", "sql.select-after"))

# Operators of a filter that only compare.
COMPARING = frozenset(
    (
        *("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "and", "or", "not", "nor", "exists"),
        *("regex", "options", "all", "size", "mod", "elemmatch", "null", "notnull", "like"),
        *("contains", "containsi", "between", "startswith", "endswith", "eqi", "nei", "ilike"),
    )
)
OPERATORS = lazy_re(r"\$(\w+)")

# OData doubles a quote in a text, and names the type before one.
_TEXT = (
    r"\"[^\"'\\]*\"|(?:\b(?:datetime|datetimeoffset|time|guid|duration|date|binary))?"
    r"'[^\"'\\]*(?:''[^\"'\\]+)*'"
)
# Regular expressions in double quotes: an apostrophe in them closes nothing.
_LITERAL = rf"(?:{_TEXT}|-?[\d.]+|[\w.*:@/-]+)"
_LIST = rf"[\[(]\s*{_LITERAL}(?:\s*,\s*{_LITERAL})*\s*[\])]"
# Functions of filters; none of them reads or does anything but with its arguments.
_CHANGED = (
    r"(?:tolower|toupper|lower|upper|trim|length|year|month|day|hour|date|round|floor|ceiling)"
)
_NAME = r"[a-z_][\w.]*"
_OPERAND = rf"(?:{_CHANGED}\(\s*{_NAME}\s*\)|{_NAME})"
_CALL = (
    r"(?:not\s+)?(?:contains|startswith|endswith|substringof)\(\s*(?:"
    rf"{_OPERAND}\s*,\s*(?:{_TEXT})|(?:{_TEXT})\s*,\s*{_OPERAND})\s*\)"
)
_COMPARISON = (
    rf"(?:not\s+|-)?{_OPERAND}\s*(?:"
    rf"(?:[=!<>~]=?|:(?:[<>]=?|=)?|\b(?:i?like|contains|startswith|eq|ne|gt|ge|lt|le)\b)\s*(?:{_LITERAL})"
    rf"|(?:[=:]|\b(?:not\s+)?in\b)\s*{_LIST}|\bis\s+(?:null|empty)\b)"
)
# A property of a feature beside a shape of numbers.
_SHAPE = (
    r"(?:(?:multi)?(?:point|linestring|polygon)|envelope|bbox)\s*"
    r"\((?:[\d\s.,-]|\([\d\s.,-]*\)|\(\([\d\s.,-]*\)\))*\)"
)
_SPATIAL = (
    r"(?:not\s+)?(?:s_)?(?:within|intersects|contains|disjoint|crosses|overlaps|touches|equals)"
    rf"\(\s*{_NAME}\s*,\s*{_SHAPE}\s*\)"
)
_PART = rf"(?:{_CALL}|{_SPATIAL}|{_COMPARISON}|\b(?:include|exclude)\b)"
# A command of the service: words, plain signs and literals without an apostrophe.
_COMMAND = (
    r"\|\s*(?:stats|where|eval|rex|table|sort|head|top|rare|dedup|fields|timechart|chart|rename|bin"
    r"|search|transaction|summarize|project|extend|take|limit|count|order|json|line_format|logfmt)\b"
    r"(?:[^|'\"`;$#\\{}]|\"[^\"'`;]*\")*"
)
_FILTER = (
    r"(?is)\s*(?:search\s+)?(?:\*\[)?(?:[\s(]|not\s*\()*"
    rf"{_PART}[\s)]*(?:(?:\band\b|\bor\b|&&|\|\||;|,|\s)(?:[\s(]|not\s*\()*{_PART}[\s)]*)*\]?\s*(?:{_COMMAND})*"
)
_SAME = lazy_re(
    r"\b([a-z_][\w.]{0,80})\s*(?:=|==|:|like|~|<=|>=)\s*\1(?![\w.*:@/-])", re.IGNORECASE
)
_DOUBLED = lazy_re(r"(?<=[^\s='(,])''(?=[^\s,)'])")
_OF_SEARCH = lazy_re(
    r"\s+|[()]"
    # `ti:"select stories"`: letters at both ends, and no operator of a statement first.
    r"|(?:\A|(?<=[\s(:=]))\"(?!(?:or|and|union|having|like|in|is)\b)[^\W_]"
    r"(?:[^\"'=;<>()\\`]|(?<=[^\W\d_])'(?=[^\W\d_]))*(?<=\w)\"(?=[\s)]|\Z)"
    r"|[+-]?\w+[:=](?=[\w(\"])"
    r"|[+-]?[./]?\w(?:[\w.+#&/*?-]|'(?=[^\W\d_]))*(?=[\s):=]|\Z)",
    re.IGNORECASE,
)
_QUOTED = lazy_re(r"\"([^\"]*)\"|'([^']*)'")
# Behind a quote a division by names that no table has.
_PATH = lazy_re(r"/[a-z][\w.-]{2,40}(?:/[\w.-]{1,40}){0,8}", re.IGNORECASE)


@cache
def _filter() -> re.Pattern[str]:
    return cast("re.Pattern[str]", re2.compile(_FILTER))


def compares_only(name: str) -> bool:
    """Return whether a name in brackets is a filter whose operators only compare."""
    is_comparing = all(one.lower() in COMPARING for one in OPERATORS.findall(name))
    return is_comparing and name.partition("[")[0].lower() in FILTERS


def is_search(value: str) -> bool:
    """Return whether a value is words, phrases and operators, as catalogues take them.

    A phrase stands alone between blanks, and an apostrophe within a word: neither ends a string
    with anything behind it that a statement could go on with.
    """
    if len(value) > TEXT_LIMIT or value.count("(") != value.count(")"):
        return False
    at, end = 0, len(value)
    while at < end:
        piece = _OF_SEARCH.match(value, at)
        if piece is None:
            return False
        at = piece.end()
    return True


def is_filter(value: str) -> bool:
    """Return whether a value is comparisons of names with values, as search services take them."""
    if len(value) > TEXT_LIMIT or value.count("(") != value.count(")"):
        return False
    if "--" in _QUOTED.sub("_", _DOUBLED.sub("_", value)):
        return False
    if _filter().fullmatch(value) is None or _SAME.search(value):
        return False
    plain = _DOUBLED.sub("_", value)
    texts = [found[1] or found[2] or "" for found in _QUOTED.finditer(plain)]
    return not any(reads_behind_a_quote(one) and not _PATH.fullmatch(one) for one in texts)
