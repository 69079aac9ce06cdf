"""Modules of JavaScript that the session wrote, for a snippet that requires or imports them.

conf.js `module.exports = { dir: 'out' }`; `require('./conf').dir`     "out"
conf.json `{"dir": "out"}`; `require('./conf.json').dir`               "out"
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.code.settings.loaded import as_value
from signoff.actions.code.settings.session_files import module_file
from signoff.actions.code.value import NO_TAINTS, Value
from signoff.actions.contents.settings.formats import parse_json
from signoff.actions.place import Place
from signoff.actions.vocabulary import lazy_re2

_ENDINGS = ("", ".js", ".json", ".cjs", ".mjs", ".ts", "/index.js", "/index.ts")
_WHOLE = "sessionModule"
_SINGLE = lazy_re2(r"(?m)^[ \t]*(?:module\.)?exports\.(\w+)[ \t]*=[ \t]*")
_ALL = lazy_re2(r"(?m)^[ \t]*(?:module\.exports[ \t]*=|export[ \t]+default\b)")
_NAMED = lazy_re2(r"(?m)^[ \t]*export[ \t]+(const|let|var)\b")


def session_module(name: str, place: Place) -> tuple[str, str] | None:
    """Return path and text of a module by its relative name, None if the session wrote none."""
    return module_file(name, _ENDINGS, place) if name.startswith(".") else None


def settings_of(path: str, text: str) -> Value | None:
    """Return the value of a module in JSON, None if it is code."""
    if not path.endswith(".json"):
        return None
    value = parse_json(text)
    return None if value is None else as_value(value, NO_TAINTS)


def as_script(text: str) -> str:
    """Return the text of a module with its exports written as variables."""
    text = _NAMED.sub(r"\1", _SINGLE.sub(r"const \1 = ", text))
    return str(_ALL.sub(f"const {_WHOLE} = ", text))


def exports_of(names: Mapping[str, Value]) -> Value | None:
    """Return what a module exports, by the variables of `as_script`; None if nothing is known."""
    whole = names.get(_WHOLE)
    if whole is not None and whole.entries is None:
        return whole if whole.constant is not None or whole.items is not None else None
    entries = dict(whole.entries or ()) if whole is not None else dict(names)
    known = {
        name: value
        for name, value in entries.items()
        if value.constant is not None or value.items is not None or value.entries is not None
    }
    return Value(entries=tuple(known.items())) if known else None
