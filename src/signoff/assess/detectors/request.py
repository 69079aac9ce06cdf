"""Takes a web request apart into its values, each with every form it can be read in.

Path, query, headers, cookies and body. Where a value stands and how it is written decide which
patterns count in it (`contexts`). Names that are more than a name are values too: `filter[$ne]=1`
says it in the name. What goes beyond the limits is left as one field called `rest`, never dropped
without a word.

    fields_of({"method": "GET", "path": "/a", "query": {"q": "%27 or 1=1"}})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from signoff.actions.action import Json
from signoff.assess.contexts.body import FIELD_LIMIT as FIELD_LIMIT
from signoff.assess.contexts.body import (
    NODE_LIMIT,
    OVERLAP,
    PIECE,
    body_parts,
    form_parts,
    packed_parts,
    rest_parts,
    tree_parts,
)
from signoff.assess.contexts.fields.passwords import (
    is_field_of_a_password,
    is_form_for_passwords,
)
from signoff.assess.contexts.fields.purposes import purposed_syntax, takes_statements
from signoff.assess.contexts.languages.whole import is_reading_statement
from signoff.assess.contexts.packed import LEAST_PACKED
from signoff.assess.contexts.part import REST as REST
from signoff.assess.contexts.part import Part
from signoff.assess.contexts.reports import (
    asked_by,
    is_of_editor,
    is_run_by_search,
    only_searches,
    syntax_of_report,
)
from signoff.assess.contexts.sql_grammar import is_whole_query
from signoff.assess.contexts.syntax import Syntax, is_prose
from signoff.assess.detectors.detector import RequestField
from signoff.assess.patterns.decoding import VALUE_LIMIT, forms
from signoff.assess.patterns.pattern import joined
from signoff.values import replace

TOTAL_LIMIT = 1 << 20  # characters of values
CUT_OFF = "more than is read"
BYTES_LIMIT = 256 << 10
KNOWN_LIMIT = 256  # characters of a header that is kept: browsers send the same ones every time
# A header of one word (`XMLHttpRequest`, `chunked`) has no sign to break out with.
_TOKEN = re.compile(r"[A-Za-z0-9][\w-]*")
_COOKIE = re.compile(r"[\w.~+-]*")
_CALLBACKS = frozenset(
    (
        *("redirect_uri", "redirect_uris", "post_logout_redirect_uri", "success_action_redirect"),
        *("redirectUris", "redirectUri", "postLogoutRedirectUris"),
    )
)
_OF_OAUTH = frozenset(
    {"client_id", "grant_type", "grant_types", "id_token_hint", "client_name", "policy"}
    | {"clientId", "publicClient", "grantTypes", "standardFlowEnabled"}
)
_SOURCES = frozenset({"uri", "rootUri", "targetUri", "baseUri", "text", "newText"})
_QUERY_NAMES = frozenset({"q", "query", "sql", "soql", "statement", "jql"})
_VALUES = frozenset({"query", "body"})  # the places of values that a client chooses to send
_NAMED = _CALLBACKS | _QUERY_NAMES
_BYTES = Syntax.BYTES
_OF_PURPOSE = frozenset({Syntax.FILE, Syntax.STATEMENT, Syntax.STYLE})
_OF_LINES = frozenset({Syntax.VALUE, Syntax.PROSE, Syntax.TEXT})
_QUERY_PATHS = frozenset({"query", "queryall", "sql", "_sql", "soql"})


def fields_of(request: Mapping[str, Json]) -> tuple[RequestField, ...]:
    """Return the values of a request, in the order method, path, query, headers, body."""
    parts = _parts(request)
    first = tuple(islice(parts, FIELD_LIMIT))
    fields: list[RequestField] = []
    size = 0
    protocol = _protocol_of(request, first)
    for part in first:
        length = len(part.raw)
        if isinstance(part, RequestField):
            fields.append(part)
            size += length
            continue
        part, text = protocol.marked(part), part.text
        is_long = length > VALUE_LIMIT or (text is not None and len(text) > VALUE_LIMIT)
        is_bytes = part.syntax is _BYTES and length <= BYTES_LIMIT
        if is_bytes or not (is_long or size > TOTAL_LIMIT):
            fields.append(_read_field(part))
        elif size <= TOTAL_LIMIT:
            fields.extend(map(_read_field, _pieces(part)))
        # Pictures are not searched, so they use up nothing of what is read.
        size += 0 if is_bytes else length
    left = list(islice((part.raw for part in parts), NODE_LIMIT))
    if left or size > TOTAL_LIMIT:
        # Read together, so that no number of values hides one.
        fields.extend(map(_read_field, rest_parts(joined(left)[:TOTAL_LIMIT] or CUT_OFF)))
    return tuple(fields)


def _pieces(part: Part) -> Iterator[Part]:
    """Give a long value in pieces that can be read, and say so if its end is left out."""
    text = part.raw if part.text is None else part.text
    for start in range(0, min(len(text), TOTAL_LIMIT), PIECE - OVERLAP):
        piece = text[start : start + PIECE]
        if start:  # begin with a word: where a cut falls means nothing
            piece = piece[OVERLAP // 2 :].partition(" ")[2] or piece
        yield replace(part, raw=piece, text=None if part.text is None else piece)
    if len(text) > TOTAL_LIMIT:
        yield Part(REST, part.name, CUT_OFF)


def _read_field(part: Part) -> RequestField:
    text = part.raw if part.text is None else part.text
    if part.is_final:
        read: tuple[str, ...] = (text,)
    else:
        # Elsewhere a plus is a plus (RFC 3986).
        read = forms(text, plus_is_space=part.place == "query" and part.text is None)
    return RequestField(
        place=part.place, name=part.name, raw=part.raw, forms=read, syntax=part.syntax.value
    )


class _Protocol(Struct, frozen=True):
    """What a request says about all of its values.

    Args:
        reported: how every value of the body is written, None if each is what it is.
        queries: names of parameters that take whole queries.
        asks_by: the parameter with the search, if it asks a store of logs or measurements.
    """

    is_of_oauth: bool
    reported: Syntax | None
    is_editor: bool
    queries: frozenset[str]
    asks_by: str
    is_for_passwords: bool

    def marked(self, part: Part) -> Part:
        """Return a value with its syntax; what a header holds is what it is."""
        if part.place not in _VALUES and part.name not in _NAMED:
            return part
        syntax = self.syntax_of(part)
        return part if syntax is part.syntax else replace(part, syntax=syntax)

    def syntax_of(self, part: Part) -> Syntax:
        """Return how one value is written."""
        if part.name in _CALLBACKS and self.is_of_oauth:
            return Syntax.CALLBACK
        if self.asks_by and part.name == self.asks_by and only_searches(part.text or part.raw):
            return Syntax.SEARCH
        return self._in_body(part) if part.place == "body" else self._in_query(part)

    def _in_body(self, part: Part) -> Syntax:
        if self.reported is not None:
            return _reported(part, self.reported)
        if self.is_for_passwords and is_field_of_a_password(part.name):
            return Syntax.PASSWORD
        if part.syntax not in _OF_PURPOSE and _is_query_in_body(part):
            return Syntax.QUERY
        return Syntax.REPORT if self.is_editor and part.name in _SOURCES else part.syntax

    def _in_query(self, part: Part) -> Syntax:
        if part.place == "query" and takes_statements(part.name):
            text = part.raw if part.text is None else part.text
            if (syntax := purposed_syntax(part.name, text)) is not None:
                return syntax
        return Syntax.QUERY if self._is_query(part) else part.syntax

    def _is_query(self, part: Part) -> bool:
        return bool(self.queries) and part.name in self.queries and is_whole_query(part.raw)


def _is_query_in_body(part: Part) -> bool:
    """Return whether a value of a body is a whole query; as a whole body, of any dialect."""
    if is_whole_query(part.raw):
        return True
    is_line = part.syntax in _OF_LINES and "\n" not in part.raw.strip()
    is_alone = not part.name and is_line
    return is_alone and is_reading_statement(part.raw)


def _protocol_of(request: Mapping[str, Json], known: tuple[Part | RequestField, ...]) -> _Protocol:
    """Return which protocols of the web a request speaks: OAuth, queries, reports."""
    names = {part.name for part in known if part.place in _VALUES}
    path = next((part.raw for part in known if part.place == "path"), "")
    kinds = [part.raw for part in known if part.name == "content-type" and part.place == "header"]
    body = request.get("body")
    takes_queries = path.rstrip("/").rpartition("/")[2].lower() in _QUERY_PATHS
    return _Protocol(
        is_of_oauth=not names.isdisjoint(_OF_OAUTH),
        reported=syntax_of_report(path, kinds[-1].lower() if kinds else "", body),
        is_editor=is_of_editor(body),
        queries=_QUERY_NAMES if takes_queries else frozenset(),
        asks_by=asked_by(path, names),
        is_for_passwords=is_form_for_passwords(path),
    )


def _reported(part: Part, reported: Syntax) -> Syntax:
    """Return how a value is written in a body that is all of one protocol."""
    is_page = reported is Syntax.REPORT and part.syntax is Syntax.MARKUP
    is_run = reported is Syntax.SEARCH and is_run_by_search(part.name)
    return part.syntax if is_page or is_run else reported


def _parts(request: Mapping[str, Json]) -> Iterator[Part | RequestField]:
    """Yield the values of a request; those that clients send the same every time as read."""
    yield Part("method", "", _text(request.get("method", "")))
    path, _, in_path = _text(request.get("path") or request.get("url") or "").partition("?")
    yield Part("path", "", _without_host(path).replace("%20", " "))
    query = request.get("query")
    for part in (*form_parts("query", in_path), *_query(query)):
        text = part.raw if part.text is None else part.text
        syntax = part.syntax
        if syntax is not Syntax.MARKUP:
            syntax = Syntax.PROSE if is_prose(text) else Syntax.VALUE
        yield part if part.syntax is syntax else replace(part, syntax=syntax)
        if len(text) >= LEAST_PACKED:
            yield from packed_parts("query", part.name, text)
    content_type = ""
    for name, value in _headers(request.get("headers")):
        yield from _header(name, value)
        content_type = value.lower() if name == "content-type" else content_type
    yield from body_parts(request.get("body"), content_type)


def _query(query: Json) -> Iterator[Part]:
    if isinstance(query, str):
        return form_parts("query", query.removeprefix("?"))
    return tree_parts("query", query)


def _headers(headers: Json) -> Iterator[tuple[str, str]]:
    if not isinstance(headers, Mapping):
        return
    for name, value in headers.items():
        for one in value if isinstance(value, (list, tuple)) else (value,):
            yield str(name).lower(), _text(one)


def _header(name: str, value: str) -> Iterable[Part | RequestField]:
    """Give the values of a header; short ones are read once, and kept."""
    return (
        _known_header(name, value) if len(value) <= KNOWN_LIMIT else _parts_of_header(name, value)
    )


@lru_cache(maxsize=1024)
def _known_header(name: str, value: str) -> tuple[Part | RequestField, ...]:
    # A protocol may give another syntax to what is named like a query.
    return tuple(
        part if part.name in _NAMED else _read_field(part) for part in _parts_of_header(name, value)
    )


def _parts_of_header(name: str, value: str) -> Iterator[Part]:
    if name == "cookie":
        pairs = [pair.strip().partition("=") for pair in value.split(";", FIELD_LIMIT)]
        for cookie, _, content in pairs:
            yield Part("cookie", cookie, content)
            if len(content) >= LEAST_PACKED:
                yield from packed_parts("cookie", cookie, unquote(content))
        if not all(_COOKIE.fullmatch(cookie) for cookie, _, _ in pairs):
            yield Part("cookie", "", value)  # not a list of cookies: it means something as a whole
    elif name == "referer":
        address, _, query = value.partition("?")
        yield Part("header", name, address)
        # The query of the page before may carry the attack, and is judged as a header is.
        for part in form_parts("query", query):
            yield replace(part, place="header", name=name)
    else:
        syntax = Syntax.TOKEN if _TOKEN.fullmatch(value) else Syntax.VALUE
        yield Part("header", name, value, syntax)


def _without_host(path: str) -> str:
    if "://" not in path[:16]:
        return path
    try:
        return urlsplit(path).path
    except ValueError:
        return path


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else str(value)
