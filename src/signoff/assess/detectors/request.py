"""Takes a web request apart into its values, each with every form it can be read in.

Path, query, headers, cookies and body (JSON, forms, multipart, anything else as one text). Names
that are more than a name are values too: `filter[$ne]=1` says it in the name. What goes beyond
the limits is left as one field called `rest`, never dropped without a word.

    fields_of({"method": "GET", "path": "/a", "query": {"q": "%27 or 1=1"}})
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from signoff.actions.action import Json
from signoff.assess.detectors.detector import Field
from signoff.assess.patterns.decoding import VALUE_LIMIT, forms

FIELD_LIMIT = 200
NODE_LIMIT = 5000
TOTAL_LIMIT = 128 << 10
REST = "rest"

_NAME_MARKS = str.maketrans("_-.", "aaa")


def fields_of(request: Mapping[str, Json]) -> tuple[Field, ...]:
    """Give the values of a request, in the order method, path, query, headers, body."""
    fields: list[Field] = []
    size = 0
    for place, name, raw in _values(request):
        if len(fields) >= FIELD_LIMIT or size + len(raw) > TOTAL_LIMIT or len(raw) > VALUE_LIMIT:
            fields.append(_field(REST, name, raw[:VALUE_LIMIT]))
            if len(fields) > FIELD_LIMIT or size > TOTAL_LIMIT:
                break
        else:
            fields.append(_field(place, name, raw))
        size += len(raw)
    return tuple(fields)


def _field(place: str, name: str, raw: str) -> Field:
    plus_is_space = place in ("query", "body")
    return Field(place=place, name=name, raw=raw, forms=forms(raw, plus_is_space=plus_is_space))


def _values(request: Mapping[str, Json]) -> Iterator[tuple[str, str, str]]:
    yield "method", "", _text(request.get("method", ""))
    path, _, in_path = _text(request.get("path") or request.get("url") or "").partition("?")
    yield "path", "", _without_host(path)
    yield from _form("query", in_path)
    query = request.get("query")
    if isinstance(query, str):
        yield from _form("query", query.removeprefix("?"))
    else:
        yield from _tree("query", query)
    content_type = ""
    for name, value in _headers(request.get("headers")):
        yield "cookie" if name == "cookie" else "header", name, value
        content_type = value.lower() if name == "content-type" else content_type
    yield from _body(request.get("body"), content_type)


def _headers(headers: Json) -> Iterator[tuple[str, str]]:
    if not isinstance(headers, Mapping):
        return
    for name, value in headers.items():
        for one in value if isinstance(value, (list, tuple)) else (value,):
            yield str(name).lower(), _text(one)


def _body(body: Json, content_type: str) -> Iterator[tuple[str, str, str]]:
    if not isinstance(body, str):
        yield from _tree("body", body)
        return
    start = body.lstrip()[:1]
    if start in ("{", "[") or "json" in content_type:
        try:
            yield from _tree("body", json.loads(body[: VALUE_LIMIT * 2]))
        except (ValueError, RecursionError):
            yield "body", "", body
    elif "multipart" in content_type or body.startswith("--"):
        yield from _multipart(body)
    elif "urlencoded" in content_type or ("=" in body[:200] and start != "<" and " " not in body):
        yield from _form("body", body)
    elif body:
        yield "body", "", body


def _form(place: str, text: str) -> Iterator[tuple[str, str, str]]:
    if not text:
        return
    for part in text.split("&", FIELD_LIMIT):
        name, _, value = part.partition("=")
        yield from _named(place, name, value)


def _multipart(body: str) -> Iterator[tuple[str, str, str]]:
    boundary = body.split("\n", 1)[0].strip()
    for part in body.split(boundary, FIELD_LIMIT) if boundary else (body,):
        head, _, content = part.replace("\r\n", "\n").partition("\n\n")
        name = head.partition('name="')[2].partition('"')[0]
        if "filename" in head:
            yield "body", "filename", head.partition("filename")[2][:500]
        if content:
            yield from _named("body", name, content.rstrip("\n-"))


def _tree(place: str, root: Json) -> Iterator[tuple[str, str, str]]:
    """Give every value of a JSON tree with the name nearest to it, without recursion."""
    stack: list[tuple[str, Json]] = [("", root)]
    for _ in range(NODE_LIMIT):
        if not stack:
            return
        name, node = stack.pop()
        if isinstance(node, Mapping):
            stack.extend((str(key), value) for key, value in list(node.items())[::-1])
        elif isinstance(node, (list, tuple)):
            stack.extend((name, value) for value in reversed(node))
        elif node is not None:
            yield from _named(place, name, _text(node))
    yield REST, "", "too many values"


def _named(place: str, name: str, value: str) -> Iterator[tuple[str, str, str]]:
    yield place, name, value
    if name and not name.translate(_NAME_MARKS).isalnum():
        # `login[$ne]=1`: in the name stands what the value means
        yield place, "", f"{name}={value[:200]}"


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
