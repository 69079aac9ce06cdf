"""Sets harmless tags of HTML, SVG and XML aside, so that only the rest is looked at.

A tag is set aside only if it is written plainly, its name is on a list of elements without
behaviour, and so are its attributes and their values. Whatever is written oddly, has a handler,
runs script, loads a document or names an entity stays where it is, and the patterns find it. So
a list of harmless things decides, never a list of bad ones.

    read_markup('<p class="a">Hi <a href="https://a.example">you</a></p>').rest  ->  " Hi  you  "
    read_markup("<p onclick=x()>Hi</p>").rest  ->  "<p onclick=x()>Hi "
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re

ATTRIBUTE_LIMIT = 100

_NAME = r"[A-Za-z][\w:.-]{0,60}"
_VALUE = r"\"[^\"]*\"|'[^']*'|[^\s\"'=`>]+"
_TAG = lazy_re(rf"(/?)({_NAME})((?:\s+{_NAME}(?:\s*=\s*(?:{_VALUE}))?)*)\s*(/?)>", re.DOTALL)
_ATTRIBUTE = lazy_re(rf"({_NAME})(?:\s*=\s*({_VALUE}))?", re.DOTALL)
_COMMENT = lazy_re(r"!--(?!\s*(?:[#>\[]|esi))(?:(?!--).)*--\s*>", re.DOTALL | re.IGNORECASE)
_W3C = r"\"-//W3C//DTD [\w .]+//EN\"\s*(?:\"https?://www\.w3\.org/[\w./-]+\"\s*)?"
_DOCTYPE = lazy_re(rf"!doctype\s+(?:html|svg)\s*(?:PUBLIC\s+{_W3C})?>", re.IGNORECASE)
_ENCODING = r"(?:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)"
_DECLARATION = lazy_re(
    rf"\?xml\s+version=[\"']1\.[01][\"'](?:\s+encoding=[\"']{_ENCODING}[\"'])?"
    r"(?:\s+standalone=[\"'](?:yes|no)[\"'])?\s*\?>",
    re.IGNORECASE,
)
_PAGE_TYPE = lazy_re(rf"text/html;?\s*(?:charset={_ENCODING})?", re.IGNORECASE)
# A sheet of the site itself; as a page shows it, a feed may name one.
_OWN_SHEET = lazy_re(
    r"\?xml-stylesheet(?=\s)(?:\s+(?:type=[\"']text/(?:xsl|css|xml)[\"']|href=[\"']/?[\w-][\w./-]*[\"']"
    r"|media=[\"']\w+[\"']|title=[\"'][\w ]*[\"']))+\s*\?>"
)
# What Outlook reads of a mail: its content is read like the rest of the page.
_OF_OFFICE = lazy_re(r"!(?:--)?\[(?:if [\w !()&|.]{1,40}|endif)\](?:--)?>|!--<!\[endif\]-->")
# Pages that are made to be shown inside of others.
_PLAYERS = lazy_re(
    r"https://(?:(?:www\.)?youtube(?:-nocookie)?\.com/embed|player\.vimeo\.com/video"
    r"|open\.spotify\.com/embed|w\.soundcloud\.com/player|www\.google\.com/maps/embed"
    r"|www\.openstreetmap\.org/export|codepen\.io/[\w-]+/embed)[/?][\w./?&=%:;,#+!-]*\Z"
)
_PLAYER_ATTRIBUTES = frozenset(
    (
        *("src", "width", "height", "title", "allow", "allowfullscreen", "frameborder", "loading"),
        *("referrerpolicy", "class", "scrolling"),
    )
)
_PLAIN = lazy_re(r"[\w .,:#%/+-]*")
_SAMPLE = lazy_re(r"(/?)(?:pre|code|kbd|samp)\b", re.IGNORECASE)
_SCHEME = lazy_re(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SAFE_SCHEMES = frozenset({"http:", "https:", "mailto:", "tel:", "cid:", "sms:", "urn:"})
# Links that a page gives a script of its own to do something with.
_NOWHERE = frozenset(("javascript:void(0)", "javascript:void(0);", "javascript:;", "javascript:"))
_PICTURE = lazy_re(r"data:image/(?:png|jpe?g|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=\s]*\Z")
_ODD_STYLE = lazy_re(r"expression|script|behaviou?r|binding|@|\\|/\*|data:", re.IGNORECASE)
_BLANKS = lazy_re(r"[\x00-\x20]+")

_TEXT_ELEMENTS = frozenset(
    (
        *("p", "br", "hr", "div", "span", "a", "b", "i", "u", "s", "em", "strong", "small", "sub"),
        *("sup", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "table"),
        *("thead", "tbody", "tfoot", "tr", "td", "th", "caption", "col", "colgroup", "q", "cite"),
        *("blockquote", "code", "pre", "kbd", "samp", "var", "mark", "del", "ins", "img", "figure"),
        *("figcaption", "picture", "source", "video", "audio", "track", "section", "article"),
        *("header", "footer", "nav", "aside", "main", "details", "summary", "time", "abbr"),
        *("address", "center", "font", "label", "input", "wbr", "html", "head", "body", "title"),
        *(
            "style",
            "meta",
            "tt",
            "big",
            "oembed",
            "strike",
            "ruby",
            "rt",
            "rp",
            "bdi",
            "bdo",
            "dfn",
            "o:p",
        ),
    )
)
_DRAWING_ELEMENTS = frozenset(
    (
        *("svg", "g", "path", "circle", "rect", "line", "polyline", "polygon", "ellipse", "text"),
        *("tspan", "textpath", "defs", "lineargradient", "radialgradient", "stop", "use", "symbol"),
        *("clippath", "mask", "pattern", "filter", "desc", "metadata", "marker", "image", "switch"),
        *("animate", "animatetransform", "animatemotion", "mpath", "view", "title", "style", "a"),
    )
)
_FILTERS = lazy_re(
    r"fe(?:blend|color\w+|component\w+|composite|convolve\w+|diffuse\w+|displacement\w+|distant\w+"
    r"|drop\w+|flood|func[rgba]|gaussian\w+|image|merge\w*|morphology|offset|point\w+|specular\w+"
    r"|spot\w+|tile|turbulence)"
)
# Elements with behaviour in every vocabulary a browser or an XML tool knows.
_ACTIVE = frozenset(
    (
        *("script", "iframe", "frame", "frameset", "object", "embed", "applet", "base"),
        *("link", "form", "foreignobject", "handler", "set", "include", "import", "stylesheet"),
        *("template", "void", "java", "portal", "math", "value-of", "noscript"),
    )
)
# Of those, what does something in a document that no browser shows.
_ACTIVE_IN_FOREIGN = frozenset(("include", "java", "void", "handler"))
_LINKED = frozenset({"stylesheet", "icon", "canonical", "alternate", "manifest", "next", "prev"})
_ACTIVE_ATTRIBUTES = frozenset(
    (
        *("srcdoc", "formaction", "action", "background", "ping", "dynsrc", "lowsrc", "data"),
        *("http-equiv", "code", "codebase", "classid", "contenteditable", "autofocus", "xml:base"),
        *("xsi:nonamespaceschemalocation", "archive"),
    )
)
# Names with a dash that browsers know.
_KNOWN_WITH_DASH = frozenset({"annotation-xml", "color-profile", "event-source", "font-face"})
_HANDLERS = ("on", "x-", "ng-", "v-")
_ADDRESSES = frozenset(
    ("href", "src", "cite", "poster", "xlink:href", "srcset", "values", "from", "to", "by")
)
_WEB_VOCABULARIES = ("http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg")
_ODD_VOCABULARY = lazy_re(r"java|exslt|xinclude|transform|xalan|php", re.IGNORECASE)


class Markup(Struct, frozen=True, kw_only=True):
    """A piece of HTML or XML, taken apart.

    Args:
        rest: the markup without harmless tags.
        texts: decoded texts between tags and in attributes; for a page only attributes with special
            characters.
        code: text of code samples.
        addresses: link targets of harmless tags.
        tags: number of tags removed.
    """

    rest: str
    texts: tuple[str, ...]
    code: tuple[str, ...]
    addresses: tuple[str, ...]
    tags: int


def read_markup(text: str, *, is_xml: bool = False) -> Markup:
    """Take markup apart and remove harmless tags.

    Args:
        is_xml: also remove all elements that no browser acts on.
    """
    is_foreign = is_xml and _is_foreign(text)
    first, *pieces = text.split("<")
    kept, texts, code = [first], [first], list[str]()
    addresses: list[str] = []
    tags = depth = 0
    for piece in pieces:
        end, values = _harmless(piece, addresses, is_xml=is_xml, is_foreign=is_foreign)
        tags += end > 0
        texts += values if is_xml else [one for one in values if not _PLAIN.fullmatch(one)]
        depth = 0 if is_xml else _code_depth(piece, depth)
        kept.append(f" {piece[end:]}" if end else f"<{piece}")
        text = piece[end:] if end else piece.partition(">")[2]
        if is_xml and end and piece[:1] == "/" and text.strip() and len(texts) > 1:
            # Mixed content: what stands behind an inner element goes on with the sentence.
            texts[-1] = f"{texts[-1]} {text}"
        else:
            (code if depth else texts).append(text)
    return Markup(
        rest="".join(kept),
        texts=_plain(texts),
        code=_plain(code),
        addresses=tuple(addresses),
        tags=tags,
    )


def _code_depth(piece: str, depth: int) -> int:
    """Return in how many code samples a text stands, given how many the text before it did."""
    match = _SAMPLE.match(piece)
    if match is None:
        return depth
    return max(0, depth - 1) if match[1] else depth + 1


def _plain(texts: list[str]) -> tuple[str, ...]:
    plain = (unescape(one).strip() for one in texts)
    return tuple(one for one in plain if one)


def _is_foreign(text: str) -> bool:
    """Return whether the root declares a vocabulary of its own, and none of a browser's."""
    has_own = re.search(r"<[\w:.-]+[^<>]*\sxmlns(?::[\w.-]+)?=[\"'][^\"']+[\"']", text[:4096])
    return has_own is not None and not any(one in text for one in _WEB_VOCABULARIES)


def _harmless(
    piece: str, addresses: list[str], *, is_xml: bool, is_foreign: bool
) -> tuple[int, list[str]]:
    """Return where a harmless tag ends in what follows a `<`, and the values of its attributes.

    The end is 0 if the tag is not harmless.
    """
    for pattern in (_COMMENT, _DOCTYPE, _DECLARATION, _OWN_SHEET, _OF_OFFICE):
        if match := pattern.match(piece):
            return match.end(), []
    match = _TAG.match(piece)
    if match is None:
        return 0, []
    name = match[2].lower()
    if any(name == one and is_plain(match) for one, is_plain in _PLAIN_TAGS):
        return match.end(), []
    is_named_link = name.endswith(":link") and _has_only_prefixed(name, match[3])
    if not is_named_link and not _is_element(name, is_xml=is_xml, is_foreign=is_foreign):
        return 0, []
    values = _values_of(match[3], addresses, is_xml=is_xml)
    return (0, []) if values is None else (match.end(), values)


def _values_of(written: str, addresses: list[str], *, is_xml: bool) -> list[str] | None:
    """Return the values of a tag's attributes, None if one of them may do something."""
    attributes = _ATTRIBUTE.findall(written)
    if len(attributes) > ATTRIBUTE_LIMIT:
        return None
    found: list[str] = []
    values: list[str] = []
    for name, given in attributes:
        value = unescape(given[1:-1] if given[:1] in ("'", '"') else given)
        if not _is_attribute(name.lower(), value, found, is_xml=is_xml):
            return None
        if name.lower() not in _ADDRESSES and name.partition(":")[0].lower() not in _CHECKED:
            values.append(value)
    addresses.extend(found)
    return values


def _is_element(name: str, *, is_xml: bool, is_foreign: bool) -> bool:
    if name in _TEXT_ELEMENTS or name in _DRAWING_ELEMENTS or _FILTERS.fullmatch(name) is not None:
        return True
    if name == "xml":  # data of a page in old browsers; with a prefix a name like any other
        return False
    if is_foreign:
        return name.rpartition(":")[2] not in _ACTIVE_IN_FOREIGN
    # Elements of a vocabulary no browser knows do nothing but by their attributes.
    is_unknown = is_xml or ":" in name or "-" in name
    return is_unknown and name.rpartition(":")[2] not in _ACTIVE and name not in _KNOWN_WITH_DASH


def is_browser_element(name: str) -> bool:
    """Return whether a browser knows an element of this name, or the name is odd."""
    known = (
        name in _TEXT_ELEMENTS or name in _DRAWING_ELEMENTS or _FILTERS.fullmatch(name) is not None
    )
    return known or name.rpartition(":")[2] in _ACTIVE or not name[:1].isalpha()


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    """Return the attributes of a tag; of one that is given twice the first, as browsers read."""
    written = _ATTRIBUTE.findall(tag[3])
    return {name.lower(): value.strip("'\"") for name, value in reversed(written)}


def _has_only_prefixed(name: str, attributes: str) -> bool:
    """Return whether all attributes have the prefix of their element: `<ac:link ac:anchor="a">`.

    Browsers read the address of a link from an attribute without one.
    """
    prefix = name.partition(":")[0]
    found = [one.lower() for one, _ in _ATTRIBUTE.findall(attributes)]
    return prefix not in ("xlink", "xml") and all(one.startswith(f"{prefix}:") for one in found)


def _is_charset(tag: re.Match[str]) -> bool:
    """Return whether a `meta` says what bytes a page is of, as mails do, and nothing else."""
    found = _attributes(tag)
    is_type = found.get("http-equiv", "").lower() == "content-type"
    return (
        is_type and len(found) == 2 and _PAGE_TYPE.fullmatch(found.get("content", "")) is not None
    )


def _is_own_link(tag: re.Match[str]) -> bool:
    """Return whether a `link` names a file of the same site, and has nothing but plain words."""
    found = _attributes(tag)
    address = unescape(found.get("href", "")).strip()
    is_plain = set(found) <= {"rel", "href", "type", "sizes", "media", "title", "hreflang"}
    is_own = _SCHEME.match(address) is None and not address.startswith(("//", "\\", "/\\"))
    return is_plain and is_own and set(found.get("rel", "-").lower().split()) <= _LINKED


def _is_player(tag: re.Match[str]) -> bool:
    """Return whether a frame shows a player of a known host, and has nothing but plain words."""
    found = _attributes(tag)
    if tag[1]:
        return not found
    address = unescape(found.get("src", ""))
    return found.keys() <= _PLAYER_ATTRIBUTES and _PLAYERS.match(address) is not None


def _is_attribute(name: str, value: str, addresses: list[str], *, is_xml: bool) -> bool:
    """Return whether an attribute does nothing; what it links to is put on the list."""
    if name.startswith(_HANDLERS) or name in _ACTIVE_ATTRIBUTES:
        return False
    if name in _ADDRESSES or (name == "url" and not is_xml):
        return _is_address(value, addresses)
    if name == "xsi:schemalocation":
        addresses.extend(value.split())
        return is_xml
    check = _CHECKED.get(name.partition(":")[0])
    if check is not None:
        return check(value)
    return is_xml or not (_is_risky(value) and "script" in value.lower())


def _is_address(value: str, addresses: list[str]) -> bool:
    if value.strip() in _NOWHERE:
        return True
    if _is_risky(value):
        return _PICTURE.match(value) is not None
    if _SCHEME.match(value.strip()):
        addresses.append(value)
    return True


def _is_risky(value: str) -> bool:
    """Return whether a value has a scheme that is not one of plain links."""
    scheme = _SCHEME.match(_BLANKS.sub("", value))
    return scheme is not None and scheme.group().lower() not in _SAFE_SCHEMES


# Attributes whose value decides.
_CHECKED: Mapping[str, Callable[[str], bool]] = {
    "xmlns": lambda value: not _ODD_VOCABULARY.search(value),
    "style": lambda value: not _ODD_STYLE.search(value),
    "charset": lambda value: value.lower() == "utf-8",
    "attributename": lambda value: value.lower() not in _ADDRESSES | {"style"},
}
# Elements with behaviour that do nothing if they are written like this.
_PLAIN_TAGS = (("link", _is_own_link), ("iframe", _is_player), ("meta", _is_charset))
