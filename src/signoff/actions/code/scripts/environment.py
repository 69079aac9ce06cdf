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
) -> Iterator[tuple[str, str]]:
    """Yield the names and values of variables that are set to a text.

    Args:
        maybe: tokens that stand under a condition.
    """
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.SIGN:
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth or at in maybe or token.kind is not TokenKind.NAME:
            continue
        for size in (5, 4):
            found = _setting(tokens[at : at + size + 3], size)
            if found is not None:
                yield found


def _setting(part: Sequence[ScriptToken], size: int) -> tuple[str, str] | None:
    """Read `process.env.X = "y"` (five tokens before the sign) or `ENV["X"] = "y"` (four)."""
    if len(part) < size + 2 or part[size].text != "=" or part[size + 1].kind is not TokenKind.TEXT:
        return None
    if len(part) > size + 2 and part[size + 2].kind not in (TokenKind.END, TokenKind.NAME):
        is_end = part[size + 2].kind is TokenKind.SIGN and part[size + 2].text in _BEHIND
        if not is_end:
            return None
    texts = [one.text for one in part[:size]]
    is_dotted = size == 5 and texts[:4] == ["process", ".", "env", "."]
    is_item = size == 4 and texts[0] == "ENV" and (texts[1], texts[3]) == ("[", "]")
    return (
        (texts[-1] if is_dotted else texts[2], part[size + 1].text)
        if is_dotted or is_item
        else None
    )
