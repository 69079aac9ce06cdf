"""Reads one text value: a picture, markup, a GraphQL document, a sentence, or a plain value.

Only bodies are read for markup and documents: what an address, a header or a cookie holds is a
value whatever it looks like.

    parts_of("body", "html", "<p>Hi</p>")  ->  the page without its tags, and "Hi"
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.fields.purposes import (
    has_purpose,
    purposed_syntax,
    takes_sheets,
)
from signoff.assess.contexts.graphql import strings_of
from signoff.assess.contexts.markup import Markup, is_browser_element, read_markup
from signoff.assess.contexts.part import Part
from signoff.assess.contexts.style_sheet import read_sheet, without_loaded
from signoff.assess.contexts.syntax import Syntax, is_prose, syntax_of

TEXT_LIMIT = 64 << 10
LINKS_LIMIT = 40
TEXTS_LIMIT = 100  # texts of one XML document that are read one by one
_MEDIA = lazy_re(
    r"data:((?:image|audio|video|font)/[\w.+-]+|application/(?:pdf|octet-stream|zip))"
    r"(;[\w=.+-]+)*;base64,([A-Za-z0-9+/_\s-]*={0,2})\Z",
    re.IGNORECASE,
)
_DRAWING = lazy_re(r"data:image/svg\+xml((?:;[\w=.-]+)*),(.*)\Z", re.IGNORECASE | re.DOTALL)
_CODE_IN_MEDIA = (b"<?php", b"<?=", b"<script", b"<%")
# In a text, a card or a page; at the start of a value it would be an address to load.
_PICTURE_INSIDE = lazy_re(
    r"(?<=[\w(\"':=])(?<!=)data:image/(?:png|jpe?g|gif|webp|bmp);base64,([A-Za-z0-9+/]{16,}={0,2})"
)
_PICTURE_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
_MARKUP = lazy_re(r"<[a-zA-Z!/?]")
# Within a list a fence stands as far in as its text does.
_FENCE = lazy_re(
    r"^ {0,6}(?:[*+-] |\d{1,3}[.)] )? {0,3}(```|~~~).*?(?:^ {0,9}\1[`~]*\s*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
# A block that names its language; each other line of it is of the program.
_NAMED_FENCE = lazy_re(
    r"^(```|~~~)[A-Za-z][\w+#-]{0,20}[ \t]*\n(.*?)(\n\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_FEW_WORDS = lazy_re(r"[\w\s.,:!?()'-]*")
# Code stands in a block of its own, or in the element that an editor has for it.
_BLOCK = lazy_re(r"<pre\b[^<>]*>|<[\w-]{1,40}:[\w-]{1,40}>\s*<!\[CDATA\[")
_OWN_WORD = lazy_re(r"\s*\$?[A-Za-z_.][\w.-]*[ (.:=\n]")
# What goes on from the value it stands in: SQL behind the quote that ends it or with another
# result, a shell with the output of a command.
_LEAVING = lazy_re(
    r"['\"`][\s)]*(?:(?:x?or|and|union|having|where|limit|order|group|r?like|regexp|between|in|div"
    r"|mod|is)\b|(?:&&|\|\|)[\s(]*['\"\d]|(?:;\s*)?(?:--|#|/\*)"
    r"|;\s*(?:select|insert|update|delete|drop|alter|create|exec|waitfor|declare)\b)"
    r"|\bunion\b[\s(]+(?:(?:all|distinct)\b[\s(]*)?select\b|\$\(|`",
    re.IGNORECASE,
)
# What somebody typed, as a terminal shows it; an open quote may be that of the application.
_TYPED = lazy_re(
    r"^(?:[\w.@:~/-]{0,60}\$|>>>|PS [A-Z]:\\[^>\n]{0,80}>) (?=[A-Za-z./~])"
    r"(?:[^'\"`\n]|'[^'\n]*'|\"[^\"\n]*\")*$",
    re.MULTILINE,
)
_INDENTED = lazy_re(r"^(?: {4}|\t).*$", re.MULTILINE)
WORDS_BESIDE_CODE = 5
_ROOT = lazy_re(r"\s*<([\w:.?-]{1,60})")
_DECLARED = lazy_re(r"\s*<\?xml(?:\s+[a-z]{1,20}=(?:\"[\w.-]{1,20}\"|'[\w.-]{1,20}')){1,3}\s*\?>")
# "in", "is", "and": words of a statement and of a sentence, beside three that are of none.
_ANY_WORD = lazy_re(r"(?<!\S)[a-z]{2,}[,.:;!?]?(?!\S)")
_CODE = lazy_re(r"(?<!`)(`{1,2})(?!`)[^`\n]{1,500}\1(?!`)")
# Without a `<` inside, and closed by the element around it, a section holds no tag.
_SECTION = lazy_re(
    r"(<[\w-]{1,40}:[\w-]{1,40}(?:\s[^<>]{0,500})?>)\s*<!\[CDATA\[([^<]*?)\]\]>(?=\s*</[\w-]{1,40}:)"
)
# Code in the markup of wikis, trackers and forums.
_MARKED_CODE = lazy_re(
    r"\{(?:noformat|code(?::[\w|=. -]{1,80})?)\}(?:(?!\{code|\{noformat).)*\{(?:noformat|code)\}"
    r"|<(code|nowiki|source|syntaxhighlight)(?: [\w=\"' -]{1,80})?>[^<]*</\1>"
    r"|\[code(?:=[\w.+#-]{1,20})?\](?:(?!\[/?code).)*\[/code\]"
    # Trac and MoinMoin
    r"|^[ \t]*\{\{\{(?:#!\w{1,20}[^\n]{0,80})?[ \t]*\n.*?\n[ \t]*\}\}\}[ \t]*$",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)

_MONOSPACE = lazy_re(r"(?<=[ (])\{\{(?! )[^{}\n]{1,200}\}\}(?=[\s.,;:!?)]|\Z)")


def parts_of(place: str, name: str, raw: str) -> Iterator[Part]:
    """Give what there is to look at in one value of a body."""
    if ("{" in raw or has_purpose(name)) and (program := tuple(_program(place, name, raw))):
        yield from program
    elif raw[:5].lower() == "data:" and (media := _media(place, name, raw)) is not None:
        yield from media
    elif raw[:1] == "<" and is_foreign_document(raw):
        yield from xml_parts(place, name, raw)
    elif name == "query" and (strings := strings_of(raw)) is not None:
        for one in strings:
            yield Part(place, name, one)
    elif _MARKUP.search(raw) and (markup := read_markup(_with_sections(raw[:TEXT_LIMIT]))).tags:
        yield from marked_up(place, name, raw, markup)
    elif (syntax := syntax_of(raw)) is Syntax.TEXT or _quotes_code(raw):
        yield Part(place, name, raw, Syntax.TEXT)
        yield Part(place, name, _one_line(without_code(raw)), Syntax.LINES)
    else:
        yield Part(place, name, raw, syntax)


def _with_sections(text: str) -> str:
    """Return a page in which code of an editor's own elements is code like any other."""
    return _SECTION.sub(r"\1<code>\2</code>", text) if "<![CDATA[" in text else text


def _program(place: str, name: str, raw: str) -> Iterator[Part]:
    """Give the parts of a style sheet, or of a program where one is taken; nothing of another."""
    if (purposed := purposed_syntax(name, raw)) is not None:
        yield Part(place, name, raw, purposed)
    elif (held := read_sheet(without_loaded(raw) if takes_sheets(name) else raw)) is not None:
        yield Part(place, name, raw, Syntax.STYLE)
        for one in held:
            yield Part(place, name, one, syntax_of(one))


def marked_up(place: str, name: str, raw: str, markup: Markup) -> Iterator[Part]:
    """Yield the searchable parts of a page: remaining markup, texts and link targets."""
    yield Part(place, name, raw, Syntax.MARKUP, markup.rest, is_final=True)
    text = _one_line(without_code(" ".join(markup.texts)))
    if text:
        yield Part(place, name, text, Syntax.CONTENT if is_prose(text) else Syntax.VALUE)
    if markup.code:
        code = " ".join(markup.code)
        is_shown = is_prose(text) or (_BLOCK.search(raw) is not None and stays_in_place(code))
        yield Part(place, name, code, Syntax.SHOWN if is_shown else Syntax.VALUE)
    yield from _links(place, markup.addresses)


def _links(place: str, addresses: tuple[str, ...]) -> Iterator[Part]:
    """Give what markup links to, each once; what goes beyond the limit as one value."""
    links = tuple(dict.fromkeys(addresses))
    for address in links[:LINKS_LIMIT]:
        yield Part(place, "link", address)
    if links[LINKS_LIMIT:]:
        yield Part(place, "link", "\n".join(links[LINKS_LIMIT:]))


def xml_parts(place: str, name: str, raw: str) -> Iterator[Part]:
    """Yield the searchable parts of an XML document: remaining markup and each text."""
    text, *sections = raw[:TEXT_LIMIT].split("<![CDATA[")
    for section in sections:
        content, _, rest = section.partition("]]>")
        text = f"{text} {rest}"
        if content.strip():
            read = xml_parts if _is_foreign_markup(content) else parts_of
            yield from read(place, name, content)
    markup = read_markup(text, is_xml=True)
    yield Part(place, name, raw, Syntax.MARKUP, markup.rest, is_final=True)
    for text in markup.texts[:TEXTS_LIMIT]:
        # An escaped page in an element is what the same page is in a section.
        page = read_markup(text) if _MARKUP.search(text) else None
        if page is not None and page.tags:
            yield from marked_up(place, name, text, page)
        else:
            yield Part(place, name, text, syntax_of(text), text)
    rest = "\n".join(markup.texts[TEXTS_LIMIT:])
    if rest:
        yield Part(place, name, rest)
    yield from _links(place, markup.addresses)


def document_parts(place: str, name: str, raw: str) -> Iterator[Part]:
    """Yield a document (Markdown, YAML, a table, a program) without its quoted code."""
    if is_prose(raw):
        markup = read_markup(without_code(raw[:TEXT_LIMIT]))
        yield Part(place, name, raw, Syntax.TEXT, markup.rest, is_final=True)
    else:
        yield from parts_of(place, name or "query", raw)


def _is_foreign_markup(text: str) -> bool:
    """Return whether a text begins with an element that no browser knows."""
    root = _ROOT.match(text)
    return root is not None and (root[1] == "?xml" or not is_browser_element(root[1].lower()))


def is_foreign_document(text: str) -> bool:
    """Return whether a value is one whole XML document that no browser acts on."""
    declared = _DECLARED.match(text)
    root = _ROOT.match(text, declared.end() if declared else 0)
    if root is None or not text.rstrip().endswith(f"</{root[1]}>"):
        return False
    # Outside a drawing a browser does not know `view`, with which queries of SharePoint begin.
    is_known = is_browser_element(root[1].lower()) and root[1].lower() != "view"
    return not is_known and "<" not in read_markup(text, is_xml=True).rest


def _quotes_code(text: str) -> bool:
    """Return whether a sentence quotes code as Markdown does: "what does `x | y` do here"."""
    if "`" not in text:
        return False
    if _NAMED_FENCE.search(text) and _is_shown_block(text):
        return True
    rest = _CODE.sub(" ", text)
    is_sentence = is_prose(rest) and len(_ANY_WORD.findall(rest)) >= WORDS_BESIDE_CODE
    return is_sentence or is_prose(rest, WORDS_BESIDE_CODE)


def _is_shown_block(text: str) -> bool:
    """Return whether a text is code of a named language and a few words: "Try this:"."""
    rest = _NAMED_FENCE.sub(" ", text)
    blocks = tuple(_NAMED_FENCE.finditer(text))
    is_said = _FEW_WORDS.fullmatch(rest) is not None and re.search(r"[^\W\d_]{2}", rest) is not None
    return is_said and all(one[3] and stays_in_place(one[2]) for one in blocks)


def stays_in_place(code: str) -> bool:
    """Return whether code starts with a word and cannot break out of a value."""
    return _OWN_WORD.match(code) is not None and _LEAVING.search(code) is None


def without_code(text: str) -> str:
    """Return a Markdown text without its code spans and blocks."""
    text = _TYPED.sub(" ", _MARKED_CODE.sub(" ", _FENCE.sub(" ", text)))
    return _INDENTED.sub("\n", _CODE.sub(" ", text))


def without_quotations(text: str) -> str:
    """Return a text without its code, `{{...}}` of Jira included."""
    return _MONOSPACE.sub(" ", without_code(text))


def without_pictures(text: str) -> str:
    """Return a Markdown text without its embedded images (`![Plan](data:image/png...)`).

    One that holds code stays where it is.
    """
    return _PICTURE_INSIDE.sub(lambda one: one[0] if _holds_code(one[1]) else "_", text)


def _holds_code(content: str) -> bool:
    plain = _decoded(content)
    if plain is None or not plain.startswith(_PICTURE_STARTS):
        return True
    return any(sign in plain.lower() for sign in _CODE_IN_MEDIA)


def _one_line(text: str) -> str:
    """Return a text as one line: where its lines end means nothing to a shell."""
    return " ".join(text.split())


def _media(place: str, name: str, raw: str) -> Iterator[Part] | None:
    """Give the parts of a `data:` address of a medium, None if it is anything else."""
    drawing = _DRAWING.match(raw)
    if drawing:
        return xml_parts(place, name, _drawing(drawing[1], drawing[2]))
    media = _MEDIA.match(raw)
    if media is None:
        return None
    content = _decoded(media[3])
    if content is None or any(sign in content.lower() for sign in _CODE_IN_MEDIA):
        return None
    return iter((Part(place, name, raw, Syntax.BYTES, "", is_final=True),))


def _drawing(parameters: str, content: str) -> str:
    if "base64" not in parameters.lower():
        return unquote(content)
    return (_decoded(content) or b"").decode("utf-8", "replace")


def _decoded(content: str) -> bytes | None:
    text = re.sub(r"\s", "", content).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(text[: len(text) - (len(text) % 4 == 1)] + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return None
