"""What the parameters of a snippet's own functions are given, where every call of them says it.

function run(c) { exec(c) } run("ls")     ->  {"c": "ls"}
const run = c => exec(c); list.map(run)   ->  {}: somebody else calls it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from signoff.actions.code.scripts.lexer import ScriptToken, TokenKind
from signoff.actions.code.value import Value, either

_OPENING, _CLOSING = frozenset("({["), frozenset(")}]")
_BEHIND = frozenset({";", ""})

MOST_TOKENS = 4_000
MOST_FUNCTIONS = 40
DECLARES = frozenset({"const", "let", "var"})


def given_parameters(found: Sequence[ScriptToken], taken: AbstractSet[str]) -> dict[str, Value]:
    """Return the possible values of parameters that are given known texts at every call.

    Args:
        taken: dotted names that mean something already; no parameter hides them.
    """
    texts = [token.text for token in found]
    if len(texts) > MOST_TOKENS or not {"function", "=>"}.intersection(texts):
        return {}
    heads = {name.partition(".")[0] for name in taken}
    given: dict[str, Value] = {}
    seen: set[str] = set()
    for name, parameters, defined_at in list(_functions(found, texts))[:MOST_FUNCTIONS]:
        values = _called_with(found, texts, name, defined_at)
        for place, parameter in enumerate(parameters):
            told = [call[place] if place < len(call) else None for call in values]
            known = [Value(constant=text) for text in told if text is not None]
            is_clear = parameter not in heads and parameter not in seen
            if known and len(known) == len(told) and is_clear:
                given[parameter] = either(*known)
            elif parameter in given:
                del given[parameter]
            seen.add(parameter)
    return given


def _functions(
    found: Sequence[ScriptToken], texts: Sequence[str]
) -> Iterator[tuple[str, list[str], int]]:
    """Yield name, parameters and token index of every function that has a name."""
    for at, token in enumerate(found[:-3]):
        if token.kind is not TokenKind.NAME:
            continue
        if texts[at] == "function" and texts[at + 2] == "(":
            yield texts[at + 1], _parameters(found, at + 3), at + 1
        elif texts[at] in DECLARES and texts[at + 2] == "=":
            begin = at + 4 if texts[at + 3] == "async" else at + 3
            begin += texts[begin : begin + 1] == ["function"]
            if texts[begin : begin + 1] == ["("]:
                yield texts[at + 1], _parameters(found, begin + 1), at + 1
            elif texts[begin + 1 : begin + 2] == ["=>"]:
                yield texts[at + 1], [texts[begin]], at + 1


def _parameters(found: Sequence[ScriptToken], at: int) -> list[str]:
    """Return plain names up to the parenthesis; none where one is more than a name."""
    names: list[str] = []
    for token in found[at : at + 40]:
        if token.text == ")" and token.kind is TokenKind.SIGN:
            return names
        if token.kind is TokenKind.NAME:
            names.append(token.text)
        elif token.text != ",":
            return []
    return []


def _called_with(
    found: Sequence[ScriptToken], texts: Sequence[str], name: str, defined_at: int
) -> list[list[str | None]]:
    """Return the arguments of each call; [] where the function is handed on instead."""
    calls: list[list[str | None]] = []
    for at, token in enumerate(found):
        if token.text != name or token.kind is not TokenKind.NAME or at == defined_at:
            continue
        if texts[at + 1 : at + 2] != ["("] or texts[at - 1 : at] in (["."], ["?."]):
            return []
        calls.append(_arguments(found, at + 2))
    return calls


def _arguments(found: Sequence[ScriptToken], at: int) -> list[str | None]:
    """Return the arguments of a call: a text for a text alone, None for any other."""
    arguments: list[str | None] = []
    depth, tokens = 0, list[ScriptToken]()
    for token in found[at:]:
        is_sign = token.kind is TokenKind.SIGN
        depth += is_sign and token.text in "([{"
        depth -= is_sign and token.text in ")]}"
        if depth < 0 or (depth == 0 and is_sign and token.text == ","):
            is_text = len(tokens) == 1 and tokens[0].kind is TokenKind.TEXT
            arguments.append(tokens[0].text if is_text else None)
            tokens = []
            if depth < 0:
                return arguments
        else:
            tokens.append(token)
    return arguments


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
