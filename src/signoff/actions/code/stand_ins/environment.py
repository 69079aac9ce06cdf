"""Variables of the environment that a script sets for itself, at its top and without a condition.

process.env.PUBSUB_EMULATOR_HOST = "localhost:8085"        ENV["AWS_ENDPOINT_URL"] = "..."
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.code.scripts.lexer import ScriptToken, TokenKind

_OPENING, _CLOSING = frozenset("({["), frozenset(")}]")
_BEHIND = frozenset({";", ""})


def set_variables(
    tokens: Sequence[ScriptToken], maybe: frozenset[int]
) -> dict[int, tuple[str, str]]:
    """Return the variables that are set to a text, by the place of the statement that does it.

    One that may be set otherwise, or taken away, is not among them.

    Args:
        maybe: tokens that stand under a condition.
    """
    found = list(_settings(tokens, maybe))
    unsure = {name for _, name, value in found if not value}
    return {at: (name, value) for at, name, value in found if name not in unsure}


def _settings(
    tokens: Sequence[ScriptToken], maybe: frozenset[int]
) -> Iterator[tuple[int, str, str]]:
    """Yield where a variable is set or taken away, its name, and its value, "" if it is unsure."""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.SIGN:
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.kind is not TokenKind.NAME:
            continue
        is_taken = at > 0 and tokens[at - 1].text in ("delete", "unset")
        for size in (5, 4):
            name = _named(tokens[at : at + size], size)
            behind = tokens[at + size : at + size + 1]
            if not name or not (is_taken or any([one.text[-1:] == "=" for one in behind])):
                continue
            is_sure = not depth and at not in maybe and not is_taken
            yield at, name, _setting(tokens[at : at + size + 3], size) if is_sure else ""


def _named(part: Sequence[ScriptToken], size: int) -> str:
    """Read `process.env.X` (five tokens) or `ENV["X"]` (four), "" for anything else."""
    texts = [one.text for one in part]
    if size == 5 and texts[:4] == ["process", ".", "env", "."]:
        return "".join(texts[4:])
    is_item = size == 4 and texts[:2] == ["ENV", "["] and texts[3:] == ["]"]
    return texts[2] if is_item else ""


def _setting(part: Sequence[ScriptToken], size: int) -> str:
    """Return the text that a variable is set to, "" if it is only read or set to another value."""
    if len(part) < size + 2 or part[size].text != "=" or part[size + 1].kind is not TokenKind.TEXT:
        return ""
    behind = part[size + 2 : size + 3]
    is_end = all([one.kind is not TokenKind.SIGN or one.text in _BEHIND for one in behind])
    return part[size + 1].text if is_end else ""
