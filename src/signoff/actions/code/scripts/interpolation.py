"""Values inside texts: `${x}`, `#{x}`, `$x`, `@{[ ... ]}`.

A name with a known value is put in, anything else leaves an unknown part; code that is in
a text is read as code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from signoff.actions.code.value import NO_TAINTS, UNKNOWN_PART, Value

MAX_WOVEN = 40

_SIGIL_NAME = re.compile(r"\$\{?([^\W\d]\w*)\}?(?:\[[^\]]*\]|->\w+)?")
Evaluate = Callable[[str], Value]


def assemble(text: str, opening: str, evaluate: Evaluate, names: Mapping[str, Value]) -> Value:
    """Return a string literal with its interpolated values put in.

    Args:
        opening: how the language starts an interpolation.
        evaluate: evaluates an embedded expression.
        names: values of variables.
    """
    if not opening or (opening[0] not in text and "@{" not in text):
        return Value(constant=text)
    if opening == "$":
        return _with_sigils(text, evaluate, names)
    return _with_braces(text, opening, evaluate)


def _with_braces(text: str, opening: str, evaluate: Evaluate) -> Value:
    pieces: list[str] = []
    taints = NO_TAINTS
    at = 0
    for _ in range(MAX_WOVEN):
        start = text.find(opening, at)
        if start < 0:
            pieces.append(text[at:])
            break
        end = _closing(text, start + len(opening), "}")
        value = evaluate(text[start + len(opening) : end])
        pieces += (text[at:start], value.shown)
        taints |= value.taints
        at = end + 1
    else:
        pieces.append(UNKNOWN_PART)
    return Value(constant="".join(pieces), taints=taints)


def _with_sigils(text: str, evaluate: Evaluate, names: Mapping[str, Value]) -> Value:
    start = text.find("@{[")
    taints = NO_TAINTS
    if start >= 0:
        end = _closing(text, start + 3, "]")
        inner = evaluate(text[start + 3 : end])
        text = f"{text[:start]}{inner.shown}{text[end + 2 :]}"
        taints = inner.taints
    for name in dict.fromkeys(_SIGIL_NAME.findall(text)[:MAX_WOVEN]):
        taints |= names.get(f"${name}", Value()).taints

    def put_in(match: re.Match[str]) -> str:
        known = names.get(f"${match[1]}")
        is_plain = match[0].strip("${}") == match[1]
        # `$x[0]` and `$x->y` are parts of a value that only the run knows.
        return known.shown if known is not None and is_plain else UNKNOWN_PART

    return Value(constant=_SIGIL_NAME.sub(put_in, text), taints=taints)


def _closing(text: str, at: int, closer: str) -> int:
    """Return where the brace or bracket opened before `at` closes, or the end."""
    opener = "{" if closer == "}" else "["
    depth = 1
    for index in range(at, len(text)):
        depth += (text[index] == opener) - (text[index] == closer)
        if depth == 0:
            return index
    return len(text)
