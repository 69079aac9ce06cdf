"""What a script language is to the machine that reads it: its grammar, its calls, its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.lexer import Grammar, ScriptToken, TokenKind
from signoff.actions.code.sinks import CallRule
from signoff.actions.code.value import UNKNOWN, Value
from signoff.actions.vocabulary import words

Fold = Callable[[Value | None, list[Value]], Value]
Special = Callable[[Recorder, list[Value]], Value]
OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(OPENERS.values())
STOPS = frozenset({";", ")", "]", "}", ","})


MEMBERS = frozenset({".", "->", "::", "?.", "&."})


def _nothing_loaded(text: str) -> Sequence[str]:
    return ()


class Language(Struct, frozen=True, kw_only=True):
    """One script language: its grammar, and what its library calls do.

    Args:
        calls: rules of library calls, by dotted name.
        joins: operators that concatenate texts.
        bare: True if calls may be written without parentheses.
        folds: calls whose result is computed, with the function that computes it.
        pure: names of calls without side effects; other unknown calls make it ordinary code.
        imports: calls and keywords that load a module by name.
        loaded: gives the libraries a text loads, where it does so without naming them again.
        names_classes: True where a name with a capital is a class of a library.
        specials: calls with a function of their own that records what they do.
    """

    name: str
    grammar: Grammar
    calls: Mapping[str, CallRule]
    joins: frozenset[str] = frozenset({"+"})
    bare: bool = False
    folds: Mapping[str, Fold] = field(default_factory=dict)
    pure: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    dynamic: frozenset[str] = frozenset()  # names that reach anything by a worked-out name
    assemble: str = ""  # what begins a value inside a text: "${", "#{", "$"
    specials: Mapping[str, Special] = field(default_factory=dict)
    environment: frozenset[str] = frozenset()  # names of the mapping of variables
    roots: tuple[str, ...] = ()  # names of the mapping of everything
    may_run: frozenset[str] = frozenset()  # calls whose first argument may be code
    text_calls: bool = False  # a text right behind a name is its argument: Lua
    members: frozenset[str] = MEMBERS  # signs before the name of a member
    loaded: Callable[[str], Sequence[str]] = _nothing_loaded
    names_classes: bool = False
    sigil: str = ""  # a called name that begins with it is a variable


NOTHING = ScriptToken(TokenKind.END, "")
PREFIXES = frozenset({
    "await", "new", "typeof", "void", "return", "yield", "delete", "throw", "not", "and", "or",
    "do", "else", "then", "async", "case",
})  # fmt: skip
PREFIX_SIGNS = frozenset({"\\", "!", "+", "*", "&", "~", "...", "@", "**"})
UNFINISHED = frozenset({"/", "-", "+", "*", "=", ".", "(", "[", "{", ",", "&&", "||"})
DECLARES = frozenset({"const", "let", "var", "my", "our", "local", "export", "await"})
CLAUSES = frozenset(
    {"if", "unless", "while", "until", "and", "or", "do", "for", "foreach", "rescue", "then"}
)


def quoted_values(values: list[Value]) -> str:
    """Return the first value as the name of a module or file."""
    return (values[0].name or values[0].shown) if values else ""


def any_owner(name: str) -> str:
    """Return the dotted name that matches a method on any object: `*.exec`."""
    return f"*.{name.rpartition('.')[2]}" if "." in name else name


def number(text: str) -> Value:
    """Return the value of a number literal."""
    plain = text.replace("_", "")
    try:
        return Value(
            constant=int(plain, 0)
            if not plain.startswith("0") or plain[1:2] in "xXoObB"
            else int(plain, 8)
        )
    except ValueError:
        return UNKNOWN


_CONDITIONS = words(
    "if elsif elseif unless while until for foreach switch case catch else do try rescue"
)
POSTFIXES = words("if unless while until")


def conditional(found: Sequence[ScriptToken]) -> frozenset[int]:
    """Return the indexes of tokens that may not run: bodies of conditions and loops.

    These are blocks in braces and single statements after `if (...)`; in Ruby and Lua everything up
    to the next `end`.
    """
    if not any([one.kind is TokenKind.NAME and one.text in _CONDITIONS for one in found]):
        return frozenset()
    has_end = any([one.kind is TokenKind.NAME and one.text == "end" for one in found])
    places: set[int] = set()
    for at, one in enumerate(found):
        # One that lies in another is in its range, so no token is looked at again and again.
        if at not in places and one.kind is TokenKind.NAME and one.text in _CONDITIONS:
            places.update(range(at, _body_end(found, at + 1, has_end=has_end)))
    return frozenset(places)


def _body_end(found: Sequence[ScriptToken], at: int, *, has_end: bool) -> int:
    """Where what a condition decides about ends."""
    if at < len(found) and found[at].text == "(":
        at = _past(found, at)
    if at < len(found) and found[at].text == "{":
        return _past(found, at)
    closer = {"end"} if has_end else {";"}
    end = at
    while end < len(found) and found[end].text not in closer:
        if found[end].kind is TokenKind.END and not has_end:
            break
        end += 1
    return end


def _past(found: Sequence[ScriptToken], at: int) -> int:
    """Return the index after the bracket that opens at `at`."""
    level = 0
    for place in range(at, len(found)):
        if found[place].kind is TokenKind.SIGN:
            level += (found[place].text in OPENERS) - (found[place].text in _CLOSERS)
            if level == 0:
                return place + 1
    return len(found)
