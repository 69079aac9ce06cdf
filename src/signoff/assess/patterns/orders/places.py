"""Places to fill in and keys of programs, which look like the mark of a role or like a way out.

is_slot("npm owner add <user> <package>", 14, 20)  ->  True
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_LINE = 240
_BLOCK = 4000  # characters within which the end of a marked part is looked for
_SLOT = lazy_re2(r"^<(?:user|assistant|system|admin|instructions?|important)>$")
_SLOTS = lazy_re2(r"<[\w:|-]{1,40}>")
_PLACE_LEFT = ("{", "$", "<", "%7b", "%7B")
_KEY_ONLY = lazy_re2(r"(?i)^\W*(?:system|assistant|developer|admin)\s*:\s*[\w.\[\]]+\W{0,3}$")


def is_slot(text: str, start: int, end: int) -> bool:
    """Tell `npm owner add <user> <package>`: a place to fill in, not the mark of a role."""
    line = _line_at(text, end)
    if not line or _SLOT.search(text[start:end]) is None:
        return False
    if f"</{text[start + 1 : end]}" in text[end : end + _BLOCK]:
        return False
    return not line.lstrip().startswith("<") and len(_SLOTS.sub("", line)) > len("ls ")


def is_key(text: str, start: int, end: int) -> bool:
    """Tell `system: SYSTEM_PROMPT,`: a key of a program, and no sentence behind it."""
    return start < end and _KEY_ONLY.search(_line_at(text, end)) is not None


def carries_picture(text: str, start: int, end: int) -> bool:
    """Tell an address that carries a picture along, and has no place for anything else."""
    address = text[start:end]
    return "=data:image/" in address and not any(mark in address for mark in _PLACE_LEFT)


def _line_at(text: str, at: int) -> str:
    """Give the line at a place; "" for one too long to be a line of a guide or a program."""
    before = text[max(0, at - _LINE) : at].rpartition("\n")
    after = text[at : at + _LINE].partition("\n")
    is_whole = (before[1] or at <= _LINE) and (after[1] or at + _LINE >= len(text))
    return before[2] + after[0] if is_whole else ""
