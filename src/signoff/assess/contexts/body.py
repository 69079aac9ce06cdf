"""Takes the body of a request apart by its media type: what each piece is decides how it is read.

JSON, forms and multipart give their values by name; XML, pages and documents are read as such; an
uploaded file is read by its own type, its name is a value.

    tuple(body_parts('{"q": "x"}', "application/json"))  ->  (Part("body", "q", "x"),)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from urllib.parse import unquote_to_bytes

from signoff.actions.action import Json
from signoff.assess.contexts.fields.member_names import (
    OF_FORMS,
    is_operator,
    needs_no_parsing,
    within,
)
from signoff.assess.contexts.fields.purposes import name_in_pair
from signoff.assess.contexts.languages.tables import cells_of
from signoff.assess.contexts.markup import read_markup
from signoff.assess.contexts.objects.around import Around, around_members
from signoff.assess.contexts.packed import (
    SAML,
    packed_document,
    saml_message,
    unpacked,
)
from signoff.assess.contexts.part import REST as REST
from signoff.assess.contexts.part import Part
from signoff.assess.contexts.syntax import Syntax, is_prose, shown_as
from signoff.assess.contexts.values import (
    document_parts,
    is_foreign_document,
    marked_up,
    parts_of,
    xml_parts,
)
from signoff.values import replace

FIELD_LIMIT = 2_000  # values that are read one by one; further ones are read together
NODE_LIMIT = 20_000
JSON_LIMIT = 1 << 20
PIECE = 32 << 10
OVERLAP = 256
BODY = "body"
_LEAVES, _INNER = (str, int, float), (Mapping, list, tuple)
_NOTHING, _LIST, _PROSE, _VALUE = Around.NOTHING, Around.LIST, Syntax.PROSE, Syntax.VALUE

# Names that reach into the objects of the program, whatever stands in them.
_REACHING = re.compile(
    r"__proto__|\bprototype\b|^\$(?:lookup|graphLookup|unionWith|out|merge|function|accumulator)$"
)
# Whoever compares one of these with a pattern or a bound reads it, letter by letter.
_SECRETS = re.compile(
    r"(?:password|passwd|passphrase|pwd|secret)(?:[_.-]?(?:hash|digest|salt))?\Z"
    r"|(?:^|[_.-])(?:pass|salt|otp|totp|mfa)(?:[_.-]?(?:hash|code|secret))?\Z"
    r"|(?:reset|refresh|access|session|auth|api|csrf|verif\w{0,9}|remember|invite|confirm\w{0,6}"
    r"|activation)[_.-]?(?:token|key|code|hash)\Z|^token\Z|private[_.-]?key\Z",
    re.IGNORECASE,
)
_DOCUMENTS = re.compile(r"markdown|yaml|text/plain|text/csv|graphql|calendar|vcard|/x-ndjson|toml")
# Media types of programs: no framework reads such a body as values, it is kept as it is.
_PROGRAMS = re.compile(
    r"(?:text|application)/x-(?:sh|shellscript|python|perl|ruby|csrc|php|java|go|rust)\b"
)
# `!!python/object/apply:os.system`, `!ruby/object:Gem::Installer`; no `!Sub` and no `!!binary`.
_CLASS_TAG = re.compile(r"(?<![\w!])!{1,2}[A-Za-z]\w{0,40}[/.:][^\s,\[\]{}]{1,200}")
TAG_LIMIT = 50
_ARCHIVES = re.compile(r"^(?:image|audio|video|font)/(?!svg)|octet-stream|/(?:zip|gzip|pdf|x-tar)")
_NAME = re.compile(r';\s*name\s*=\s*(?:"([^"]*)"|([^;\s]*))', re.IGNORECASE)
_FILENAME = re.compile(r";\s*filename\*?\s*=\s*(.*?)(?:;\s*filename\*=.*)?$", re.IGNORECASE)
_TYPE = re.compile(r"^content-type\s*:\s*([^;\r\n]+)", re.IGNORECASE | re.MULTILINE)
# An uploaded text is kept as a file; a page, a drawing and XML may be shown or read.
_KEPT_TEXT = frozenset({Syntax.VALUE, Syntax.PROSE, Syntax.TEXT, Syntax.LINES, Syntax.QUERY})
# RFC 2046, 5.1.1; anything else behind two dashes is a comment of SQL or a document of YAML.
_BOUNDARY = re.compile(r"--[\w'()+,./:=?-]{1,70}[ \t]*\r?\n")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")


def body_parts(body: Json, content_type: str) -> Iterator[Part]:
    """Yield the values of a request body.

    Args:
        content_type: the header's value.
    """
    if not isinstance(body, str):
        yield from tree_parts(BODY, body)
        return
    start = body.lstrip()[:1]
    if start in ("{", "[") or "json" in content_type:
        yield from _json(body, content_type)
    elif "multipart" in content_type or (not content_type and _BOUNDARY.match(body)):
        yield from _multipart(body)
    elif "urlencoded" in content_type or ("=" in body[:200] and start != "<" and " " not in body):
        yield from form_parts(BODY, body)
        if content_type and "urlencoded" not in content_type:
            yield Part(BODY, "", body)  # Base64 ends like the name of a field
    elif body:
        yield from _content(BODY, "", body, content_type)


def form_parts(place: str, text: str) -> Iterator[Part]:
    """Yield the values of a form or query, percent-decoded.

    Args:
        place: where it is in the request, as `body`.
    """
    if not text:
        return
    for part in text.split("&", NODE_LIMIT):
        name, _, value = part.partition("=")
        plain = _form_decoded(value)
        if plain is None or place != BODY:
            yield from named_parts(place, _form_decoded(name) or name, value, plain)
        else:
            yield from named_parts(place, _form_decoded(name) or name, plain, None)


def packed_parts(place: str, name: str, value: str) -> Iterator[Part]:
    """Yield what a cookie or parameter contains in Base64; nothing if it contains none."""
    text = unpacked(value)
    if text is None:
        return
    inner = _inner(text)
    if inner is None:
        yield Part(place, name, text)
    else:
        yield from tree_parts(place, inner, name)


_FORM_IN_FORM = re.compile(
    r"[\w.\[\]-]{1,60}=[^\s&=<>'\"`;|$\\]*(?:&[\w.\[\]-]{1,60}=[^\s&=<>'\"`;|$\\]*)+"
)
# The name nearest to a value, the outermost one, the value, what is around it.
_Node = tuple[str, str, Json, Around]


def tree_parts(place: str, root: Json, outer: str = "") -> Iterator[Part]:
    """Yield every value in a JSON tree with the name nearest to it; does not recurse.

    Args:
        outer: the name of the value that the tree is in, "" for a whole body.
    """
    stack: list[_Node] = [("", outer, root, Around.NOTHING)]
    for _ in range(NODE_LIMIT):
        if not stack:
            return
        name, top, node, around = stack.pop()
        is_leaf = isinstance(node, _LEAVES)
        if is_leaf and place == BODY and (around is _NOTHING or around is _LIST):
            text = node if isinstance(node, str) else str(node)
            if needs_no_parsing(name, text):
                yield Part(place, name, text, _PROSE if is_prose(text) else _VALUE)
                continue
        is_operator_name = is_operator(name)
        if not is_leaf:
            stack.extend(_members(name, top, node, around))
        if is_operator_name and (not node or _REACHING.search(name)):
            # `{"$ne": null}` says it in its name; an empty text is told from none.
            yield Part(place, "", f"{within(top, name)}=" + ('""' if node == "" else ""))
        elif is_leaf or not (node is None or isinstance(node, _INNER)):
            yield from _leaf(place, (name, top, str(node), around))
    left = [(name, value) for name, _, value, _ in stack]
    yield from rest_parts(json.dumps(left, ensure_ascii=False)[:JSON_LIMIT])


def _members(name: str, top: str, node: Json, around: Around) -> Sequence[_Node]:
    """Yield the members of an object or list, last first."""
    if type(node) is dict or isinstance(node, Mapping):  # the first is a tenth of the second
        inner = around_members(node, name, around)
        members = list(node.items())[::-1]
        if "value" in node and (named := name_in_pair(node)) is not None:
            members = [(named if key == "value" else key, value) for key, value in members]
        if top not in ("", name) and _SECRETS.search(name):
            top = f"{top}[{name}]"  # what an operator in here compares
        return [(str(key), top or str(key), value, inner) for key, value in members]
    if isinstance(node, (list, tuple)):
        inner = Around.LIST if around is Around.NOTHING else around
        return [(name, top, value, inner) for value in reversed(node)]
    return ()


def _leaf(place: str, leaf: tuple[str, str, str, Around]) -> Iterator[Part]:
    name, top, text, around = leaf
    is_shown = around is not Around.NOTHING and around is not Around.LIST
    if is_shown and (shown := shown_as(around, name)):
        yield Part(place, name, text, shown)
    else:
        yield from named_parts(place, name, text, None, top)


def rest_parts(text: str) -> Iterator[Part]:
    """Yield text beyond the limits in overlapping pieces small enough to search."""
    for start in range(0, len(text), PIECE - OVERLAP):
        yield Part(REST, "", text[start : start + PIECE])


def named_parts(
    place: str, name: str, value: str, plain: str | None, top: str = ""
) -> Iterator[Part]:
    """Yield a value, and also its name where the name is an operator (`login[$ne]=1`).

    Args:
        plain: the value after decoding, None if that changed nothing.
        top: name of the object it is in.
    """
    inner = _inner(value if plain is None else plain)
    if inner is not None:
        yield from tree_parts(place, inner, name)
    elif name in OF_FORMS and _FORM_IN_FORM.fullmatch(value):
        yield from form_parts(place, value)
    elif name in SAML and (message := saml_message(value if plain is None else plain)):
        yield from xml_parts(place, name, message)
    elif place == "query" and is_foreign_document(value if plain is None else plain):
        yield from xml_parts(place, name, value if plain is None else plain)
    elif place == BODY and (document := packed_document(value)):
        yield from xml_parts(place, name, document)
    elif place == BODY:
        yield from parts_of(place, name, value)
    else:
        yield Part(place, name, value, text=plain)
    if is_operator(name):
        # `login[$ne]=1`: in the name stands what the value means
        yield Part(place, "", f"{within(top, name)}={value[:200]}")


def _inner(value: str) -> Json:
    """Return the document a value is, None if it is no JSON object or list."""
    if value[:1] not in ("{", "["):
        return None
    try:
        inner: Json = _loaded(value[:JSON_LIMIT])
    except (ValueError, RecursionError):
        return None
    return inner


def _loaded(text: str) -> Json:
    """Read JSON; a name given more than once has the list of its values, as readers differ."""
    document: Json = _decoder().decode(text)
    return document


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    values: dict[str, list[Json]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: all_ if len(all_) > 1 else all_[0] for name, all_ in values.items()}


def _json(body: str, content_type: str) -> Iterator[Part]:
    """Give the values of one JSON document, or of one a line; what is neither is a value."""
    try:
        yield from tree_parts(BODY, _loaded(body[:JSON_LIMIT]))
        return
    except (ValueError, RecursionError):
        lines = [line for line in body[:JSON_LIMIT].split("\n") if line.strip()]
    try:
        documents = [_loaded(line) for line in lines[:NODE_LIMIT]] if len(lines) > 1 else []
    except (ValueError, RecursionError):
        documents = []
    if documents:
        yield from tree_parts(BODY, documents)
    elif content_type and "json" not in content_type:
        yield from _content(BODY, "", body, content_type)
    else:
        yield Part(BODY, "", body)


def _content(place: str, name: str, text: str, content_type: str) -> Iterator[Part]:
    """Give a whole body or file by its media type; without one, by what it looks like."""
    start = text.lstrip()[:5].lower()
    is_xml = "xml" in content_type and "xhtml" not in content_type
    if _ARCHIVES.search(content_type) or _is_binary(text):
        yield Part(place, name, text, Syntax.BYTES, is_final=True)
    elif is_xml or start == "<?xml" or (start[:1] == "<" and "xmlns" in text[:2000]):
        yield from xml_parts(place, name, text)
    elif not name and _PROGRAMS.match(content_type):
        yield Part(place, name, text, Syntax.FILE)
    elif "html" in content_type:
        yield from marked_up(place, name, text, read_markup(text))
    elif not name and (cells := cells_of(content_type, text)):
        for cell in cells:
            yield from parts_of(place, name, cell)
    elif _DOCUMENTS.search(content_type):
        yield from _tags(place, name, text, content_type)
        yield from document_parts(place, name, text)
    else:
        yield from parts_of(place, name, text)


def _tags(place: str, name: str, text: str, content_type: str) -> Iterator[Part]:
    """Yield the tags of a YAML document that name a class: the reader makes an object of it."""
    if "yaml" not in content_type:
        return
    for tag in islice(_CLASS_TAG.finditer(text), TAG_LIMIT):
        yield Part(place, name, tag.group())


def _multipart(body: str) -> Iterator[Part]:
    boundary = body.split("\n", 1)[0].strip()
    for part in body.split(boundary, NODE_LIMIT) if boundary else (body,):
        head, _, content = part.replace("\r\n", "\n").partition("\n\n")
        line = next((x for x in head.split("\n") if x.lower().startswith("content-disp")), head)
        named, filename = _NAME.search(line), _FILENAME.search(line)
        name = (named[1] or named[2] or "") if named else ""
        content = content.rstrip("\n-")
        if filename is None:
            if content:
                yield from named_parts(BODY, name, content, None)
            continue
        yield Part(BODY, "filename", filename[1].strip().strip('"'))
        kind = _TYPE.search(head)
        if content:
            yield from _file(name, content, kind[1].strip().lower() if kind else "")


def _file(name: str, content: str, content_type: str) -> Iterator[Part]:
    """Give an uploaded file: pages, drawings and XML by their syntax, other text as a file.

    What a drawing links to is a value: the program that makes a picture of it loads it.
    """
    is_drawing = "svg" in content_type
    for part in _content(BODY, name, content, content_type):
        is_loaded = is_drawing and part.name == "link"
        is_kept = part.syntax in _KEPT_TEXT and not is_loaded
        yield replace(part, syntax=Syntax.FILE) if is_kept else part


def _is_binary(text: str) -> bool:
    """Return whether a text is the bytes of a file: more than one sign in thirty is no letter."""
    return len(_CONTROL.findall(text[:4096])) * 30 > len(text[:4096])


def _form_decoded(value: str) -> str | None:
    """Return a value as a server decodes it, None where it is no UTF-8."""
    if value.isascii() and "%" not in value:
        return value.replace("+", " ")
    if "%u" in value:
        return None
    try:
        return unquote_to_bytes(value.replace("+", " ")).decode("utf-8")
    except UnicodeDecodeError:
        return None
