"""Values that an edit puts into a page as markup which stood there as text before.

Every template language has a word for a value that is not escaped. Alone it is everyday work; an
edit that puts the same value of the old text behind such a word takes the escaping from it.

    txt comment.text                -> Unsafe.data comment.text
    {{ $post->body }}               -> {!! $post->body !!}
    el.textContent = note           -> el.innerHTML = note
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_READ = 60_000  # characters of each text
_MOST = 40
_VALUE = r"(?P<value>[$@]?[A-Za-z_][\w$@.>\[\]'\"()!?-]{0,80})"
_RAW = (
    lazy_re2(
        r"(?:\bUnsafe\.data|\bpreEscaped\w+|\btoHtmlRaw|\bHtml\.(?:Raw|raw|preEscaped)|\btemplate\.(?:HTML|JS|URL)"
        r"|\braw|\bunsafeHTML|\bbypassSecurityTrust\w+|\bHTML\.fragment|\bRawHtml|\bhtml_safe|\bmark_safe|\bMarkup|\bHtmlString"
        rf"|\bMarkupString|\binclude_raw|\brawText|\brawHtml|\bunsafeRaw|\bPreEscaped|\bnode_raw)"
        rf"(?:[ \t]*\(|[ \t])[ \t(]*{_VALUE}"
    ),
    lazy_re2(
        rf"(?:(?m:^)[ \t]*[a-z][\w.#-]*!=[ \t]+|\{{!!\s*|\{{\{{\{{\s*|<%==\s*|<%-\s*|\{{@html\s+|"
        rf"\bv-html\s*=\s*[\"']|\[innerHTML\]\s*=\s*[\"']|\bth:utext\s*=\s*[\"']\$\{{){_VALUE}"
    ),
    lazy_re2(
        rf"(?:\b(?:inner|outer)HTML\s*=\s*|\binsertAdjacentHTML\s*\([^,\n]{{1,30}},\s*|\.html\s*\(\s*|\bset(?:Html|InnerHTML)\s*\(\s*){_VALUE}"
    ),
    lazy_re2(rf"\(MarkupString\)[ \t(]*{_VALUE}"),
    lazy_re2(rf"{_VALUE}\s*(?:\|\s*(?:safe|raw|noescape)\b|\.html_safe\b|\?no_esc\b)"),
)
_HINTS = (
    "unsafe",
    "raw",
    "html",
    "safe",
    "escape",
    "{!!",
    "{{{",
    "<%",
    "utext",
    "no_esc",
    "markup",
)
_CLEANS = lazy_re2(
    r"(?i)saniti[sz]|purif|bleach|escape|markdown|\bclean|strip_?tags|allow_?list|nl2br"
)
# `on table mart.raw from role x`: a schema of that name, and no value.
_OF_STATEMENTS = words("from where to as on in join set values group order limit")
_WORD = lazy_re(r"[^\W\d]\w{1,}")


def raw_value(old: str, new: str) -> str:
    """Return a value that was text in a page and is markup now, "" if none."""
    low = new[:_READ].lower()
    if not any([hint in low for hint in _HINTS]):
        return ""
    head, before = new[:_READ], old[:_READ]
    if _CLEANS.search(head) is not None and _CLEANS.search(before) is None:
        return ""
    for find in _RAW:
        known = {_bare(str(match.group("value"))) for match in islice(find.finditer(before), _MOST)}
        for match in islice(find.finditer(head), _MOST):
            value = _bare(str(match.group("value")))
            if (
                value
                and value.lower() not in _OF_STATEMENTS
                and value not in known
                and _stood(value, before)
                and not _quotes(match.group())
                # `wide={!!url}` of JSX is a truth value; Blade closes what it opens.
                and ("!!}" in head or not str(match.group()).startswith("{!!"))
            ):
                return str(match.group()).strip()
    return ""


def _bare(value: str) -> str:
    found = _WORD.findall(value)
    return ".".join(found) if found else ""


def _stood(value: str, old: str) -> bool:
    """Whether the old text showed the value: its words in one line, next to each other."""
    parts = value.split(".")
    if len(parts) == 1 and len(parts[0]) < 2:
        return False
    return any([value in _bare(line) for line in old.split("\n")])


def _quotes(found: str) -> bool:
    return found.rstrip().endswith(('"', "'")) and found.count('"') + found.count("'") == 1
