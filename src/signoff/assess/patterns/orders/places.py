"""Places to fill in and keys of programs, which look like the mark of a role or like a way out.

is_slot("npm owner add <user> <package>", 14, 20)  ->  True
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_LINE = 240
_BLOCK = 4000  # characters within which the end of a marked part is looked for
_SLOT = lazy_re2(r"(?i)^<(?:user|assistant|system|admin|instructions?|important)>$")
# `<user>@<host>`, `<user>[:<password>]`, `C:\\Users\\<User>\\x`: a part of an address or a path.
_USER = lazy_re2(r"(?i)^<(?:user|admin)>$")
_JOINED = lazy_re2(r"^\[?[@:=]\[?<\w")
_IN_PATH = lazy_re2(r"^[\\/]<\w+>[\\/]\w")
_SLOTS = lazy_re2(r"<[\w:|-]{1,40}>")
_PLACE_LEFT = ("{", "$", "<", "%7b", "%7B")
# As files of PNG, GIF, JPEG, SVG, WebP and icons begin, in base64.
_PICTURE = lazy_re2(
    r"=data:image/[\w.+-]{1,20};base64(?:,|%2[Cc])"
    r"(?:iVBORw0KGgo|R0lGOD|/9j/|%2[Ff]9j%2[Ff]|PHN2Zy|PD94bWw|UklGR|AAABAA)"
    r"(?:[\w+/=-]|%[0-9A-Fa-f]{2})*(?:&|\)?$)"
)
_REST = lazy_re2(r"[^)\s]*")
# Another value beside the picture, empty or named as what may be carried out.
_OPEN_END = lazy_re2(r"(?i)&[\w-]+=(?:\)?$|[^&]*(?:secret|token|history|canary|prompt|data\b[^:]))")
_KEY_ONLY = lazy_re2(r"(?i)^\W*(?:system|assistant|developer|admin)\s*:\s*[\w.\[\]]+\W{0,3}$")


# The brackets of a call, and in them another argument in brackets or another place to fill in.
_CALL = lazy_re2(r"^[^\n]*\b[a-z]\w*\(([^\n]*)$")
_OTHER = lazy_re2(
    r"\[(?:[A-Z]+_[A-Z_]+|[A-Z]+(?:\|[A-Z]+)+|\w+\s?\.{3}|[a-z]\w*\d?(?:\s\.{3})?)\]"
    r"|<\w+>"
)
_BRACKETS = lazy_re2(r"\[[^\]\n]{0,40}\]|<[^>\n]{0,40}>|[()]")
_BARE_WORDS = 2
_MEASURED = lazy_re2(
    r"(?i)^\W*(?:system|assistant|developer|admin)\s*:\s*[-+]?\d[\d.,:]*\s?(?:[%a-zµ]{1,4}\b)?\W*$"
)
_FIELD = lazy_re2(r"^\s*[\pL ]{2,24}:\s\S")
_VERSION = lazy_re2(
    r"^\W*[Ss]ystem\s*:\s*[A-Z]\w+(?:[ /-][A-Z][\w.]*){0,2}[ /-]v?\d[\w.]{0,12}\s*$"
)
_WRAPPED = lazy_re2(r"\b(?:the|an?|this|that|its|their|each|every)\s(?:[a-z-]+\s){0,2}[a-z-]+\s?$")
_TOLD = lazy_re2(r"(?i)^(?:they|it|this|that|these|those)\s")
_FULL_LINE = 40
_SAID = 200
_TO_READER = lazy_re2(
    r"(?i)\b(?:ignore|disregard|forget|must|shall|never|always|do\snot|don't|please|assistant|agents?"
    r"|ai|model|instructions?|prompts?|reply|respond|answer|you\sare|your|https?)\b|\w@\w"
)


def is_slot(text: str, start: int, end: int) -> bool:
    """Tell `npm owner add <user> <package>`: a place to fill in, not the mark of a role."""
    line = _line_at(text, end)
    if not line or _SLOT.search(text[start:end]) is None:
        return False
    if f"</{text[start + 1 : end]}" in text[end : end + _BLOCK]:
        return False
    if _USER.search(text[start:end]) is not None and _is_joined(text, start, end):
        return True
    return not line.lstrip().startswith("<") and len(_SLOTS.sub("", line)) > len("ls ")


def _is_joined(text: str, start: int, end: int) -> bool:
    is_address = _JOINED.search(text[end : end + 4]) is not None
    return is_address or (start > 0 and _IN_PATH.search(text[start - 1 : end + 2]) is not None)


def is_option(text: str, start: int, end: int) -> bool:
    """Tell `add_files(<target> [SYSTEM] [BEFORE|AFTER] [item ...])`: an argument of a call."""
    if text[start:end] != "[SYSTEM]":
        return False
    line = _line_at(text, end)
    call = _CALL.search(line)
    if call is None or "[SYSTEM]" not in call[1] or _OTHER.search(call[1]) is None:
        return False
    return len(_BRACKETS.sub(" ", call[1]).split()) <= _BARE_WORDS


def is_measured(text: str, start: int, end: int) -> bool:
    """Tell `System : 0.256 s`, as a stopwatch prints it."""
    return start < end and _MEASURED.search(_line_at(text, end)) is not None


def is_version(text: str, start: int, end: int) -> bool:
    """Tell `System: Debian 12` in a list of fields: what somebody runs, by name and version."""
    begin = text.rfind("\n", 0, end) + 1
    above = text[max(0, begin - _LINE) : max(0, begin - 1)].rpartition("\n")[2]
    is_listed = _FIELD.search(above) is not None
    return start < end and is_listed and _VERSION.search(_line_at(text, end)) is not None


def is_wrapped(text: str, start: int, end: int) -> bool:
    """Tell `... with the help / system: they made ...`: a sentence that goes on in a new line."""
    begin = text.rfind("\n", 0, end) + 1
    above = text[max(0, begin - _LINE) : max(0, begin - 1)].rpartition("\n")[2]
    if _WRAPPED.search(above) is None or not text[begin:end].startswith("system:"):
        return False
    behind = text[end - 1 : end + _SAID]
    is_told = len(above) >= _FULL_LINE and _TOLD.search(behind) is not None
    return is_told and _TO_READER.search(behind) is None


def is_key(text: str, start: int, end: int) -> bool:
    """Tell `system: SYSTEM_PROMPT,`: a key of a program, and no sentence behind it."""
    return start < end and _KEY_ONLY.search(_line_at(text, end)) is not None


def carries_picture(text: str, start: int, end: int) -> bool:
    """Tell an address that carries a picture along, and has no place for anything else."""
    rest = _REST.match(text, end)
    address = text[start:end] + (rest[0] if rest is not None else "")
    if _OPEN_END.search(address) is not None or _PICTURE.search(address) is None:
        return False
    return not any(mark in address for mark in _PLACE_LEFT)


def _line_at(text: str, at: int) -> str:
    """Give the line at a place; "" for one too long to be a line of a guide or a program."""
    before = text[max(0, at - _LINE) : at].rpartition("\n")
    after = text[at : at + _LINE].partition("\n")
    is_whole = (before[1] or at <= _LINE) and (after[1] or at + _LINE >= len(text))
    return before[2] + after[0] if is_whole else ""
