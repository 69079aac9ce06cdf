"""Tells what the name of a value says about it: nothing, that code may stand there, an operator.

Requests send the same names every time, so what a short name says is kept.

    is_operator("filter[$ne]")                  ->  True
    needs_no_parsing("title", "The garden")     ->  True: nothing in it to take apart
    needs_no_parsing("css", "a { color: red }") ->  False
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from signoff.assess.contexts.fields.purposes import has_purpose
from signoff.assess.contexts.packed import SAML, begins_as_document

NAME_LIMIT = 64  # characters of a name that is kept
QUERY = "query"
_STARTS = "dD7P"  # of an address with data in it, of XML in Base64
# A query string as the value of a member: `"params": "query=select+a&hitsPerPage=10"`.
OF_FORMS = frozenset(("params", "query_string", "querystring", "queryString", "search_params"))
# `items[0][name]`: the way forms write lists and objects, no more than a name.
_PLAIN_NAME = re.compile(r"[\w.:/$-]*(?:\[[\w.: -]*\])*")
_OPERATOR = re.compile(r"(?:^|[\[.])\$|__proto__|\bprototype\b|\bclass[.\[]")


class _NameKind(Enum):
    """How much a name says about its value."""

    PLAIN = 0
    PURPOSED = 1  # code, or a form in a form, may stand there
    SPECIAL = 2  # an operator, or the name of a protocol


def is_operator(name: str) -> bool:
    """Return whether a name is more than a name: `login[$ne]`, `__proto__`."""
    return _cached_operator(name) if len(name) <= NAME_LIMIT else _reads_as_operator(name)


def needs_no_parsing(name: str, text: str) -> bool:
    """Return whether a value of a body is one sentence or value, with nothing to take apart."""
    kind = _kind_of(name) if len(name) <= NAME_LIMIT else _NameKind.SPECIAL
    if kind is _NameKind.SPECIAL:
        return False
    if kind is _NameKind.PURPOSED and not (text.isalnum() and text.isascii()):
        return False
    if "{" in text or "<" in text or "\n" in text or "`" in text:
        return False
    first = text[:1]
    # A list, a picture, XML in Base64.
    is_packed = first in _STARTS and (text[:5].lower() == "data:" or begins_as_document(text))
    return first != "[" and not is_packed


def within(top: str, name: str) -> str:
    """Return an operator with the outermost name it is in, as forms write it."""
    return f"{top}[{name}]" if top not in ("", name) and _PLAIN_NAME.fullmatch(top) else name


@lru_cache(maxsize=1024)
def _cached_operator(name: str) -> bool:
    return _reads_as_operator(name)


def _reads_as_operator(name: str) -> bool:
    return not _PLAIN_NAME.fullmatch(name) or _OPERATOR.search(name) is not None


@lru_cache(maxsize=1024)
def _kind_of(name: str) -> _NameKind:
    if name in SAML or name == QUERY or _reads_as_operator(name):
        return _NameKind.SPECIAL
    return _NameKind.PURPOSED if name in OF_FORMS or has_purpose(name) else _NameKind.PLAIN
