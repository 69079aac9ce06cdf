"""Script for the console of an application that only looks at what is open there.

Nobody describes the objects of every application, but their methods are named after what they do.
A script looks where each call gives a value by its name (`GetChildren`, `isA`, `join`), and nothing
is assigned but its own variables.

    only_looks("for _, p in workspace:GetChildren() do print(p.Name) end", LUA.grammar)    True
    only_looks("workspace.Map.Parent = nil", LUA.grammar)                                  False
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.code.scripts.lexer import Grammar, ScriptToken, TokenKind, tokens
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.verbs import NOUN_LIKE, VERBS
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import words

MAX_CHARS = 20_000
# Functions of the languages themselves that give a value or print one; in lower case.
_GIVES = words(
    "print println printf puts warn echo log info tostring tonumber tostr tofixed ipairs "
    "pairs next type typeof select unpack math string table array object number boolean date "
    "regexp parseint parsefloat isnan isfinite json stringify parse length len size sort "
    "slice concat  indexof lastindexof includes contains startswith endswith match matchall "
    "test split substr  substring substringafter trim tolowercase touppercase lower upper "
    "charat charcodeat padstart  padend repeat keys values entries foreach map filter reduce "
    "some every find findindex flat flatmap  reverse rep format sub gsub gmatch byte char "
    "floor ceil abs max min sqrt random round pow sin cos  huge clock time difftime tick join "
    "isarray isa inspect each collect findall groupby sum  count first last any all unique "
    "tolist toset totable rawlen rawequal rawget assert error pcall  function for if while "
    "switch catch return and or not in of elseif until do then local case throw else finally"
)
# They change a list or a map, which must be one of the script's own.
_FILLS = words("push insert add append unshift put set addall")
_LOOKS = frozenset({Verb.READ, Verb.INERT})
_NOT_LOOKS = vocabulary("load run exec compile import eval require select open scroll watch_")
_ASSIGNS = frozenset({"=", "+=", ".=", "<<"})
_OPERATORS = frozenset({"-", "*", "/", "%", "|", "||", "&", "&&", "?", "..", "^"})
_MEMBERS = (".", ":", "?.")
_FAR = vocabulary("http https url request async ajax fetch download web upload send socket remote")
_MADE = words("array object map set date regexp error")
_FORBIDS = words(
    "eval require loadstring load dofile function_ import importscripts delete getfenv "
    "setfenv  setmetatable debug rawset prototype constructor __proto__ call apply bind void "
    "with goto yield  unlink system exec evalfile"
)


def only_looks(text: str, grammar: Grammar) -> bool:
    """Return whether a script calls only what gives values, and changes only its own variables."""
    found, is_closed = tokens(text, grammar)
    plain = [one for one in found if one.kind is not TokenKind.END]
    if not is_closed or not plain or len(text) > MAX_CHARS or not _are_known(plain):
        return False
    own = _own_names(plain)
    return all([_is_look(plain, at, own) for at in range(len(plain))])


def _are_known(found: Sequence[ScriptToken]) -> bool:
    """Tell tokens that are names, signs, numbers and texts without code in them."""
    kinds = {TokenKind.NAME, TokenKind.SIGN, TokenKind.NUMBER, TokenKind.TEXT, TokenKind.PATTERN}
    if any([one.kind not in kinds for one in found]):
        return False
    return all([one.text.lower() not in _FORBIDS for one in found if one.kind is TokenKind.NAME])


def _own_names(found: Sequence[ScriptToken]) -> frozenset[str]:
    """Return the variables that are given a new list or map, and functions of the script."""
    own = set()
    for at, one in enumerate(found[:-2]):
        is_name = one.kind is TokenKind.NAME and _text(found, at - 1) not in (".", ":", "?.")
        if is_name and found[at + 1].text == "=" and _text(found, at + 2) in ("{", "["):
            own.add(one.text)
        if one.text == "function" and found[at + 1].kind is TokenKind.NAME:
            own.add(found[at + 1].text)
    return frozenset(own)


def _text(found: Sequence[ScriptToken], at: int) -> str:
    return found[at].text if 0 <= at < len(found) else ""


def _is_look(found: Sequence[ScriptToken], at: int, own: frozenset[str]) -> bool:
    one = found[at]
    if one.kind is TokenKind.SIGN:
        return _is_plain_sign(found, at, own)
    return one.kind is not TokenKind.NAME or _is_plain_name(found, at, own)


def _is_plain_sign(found: Sequence[ScriptToken], at: int, own: frozenset[str]) -> bool:
    one, after = found[at], _text(found, at + 1)
    if one.text in _ASSIGNS and _text(found, at - 1) != "~":
        return _is_own_target(found, at, own)
    if one.text in ("+", "-") and after == one.text:
        return _is_counted(found, at)
    # `(f or g)(x)`, `t[k](x)`: what is called is worked out.
    return one.text not in (")", "]") or after != "("


def _is_plain_name(found: Sequence[ScriptToken], at: int, own: frozenset[str]) -> bool:
    one, after = found[at], _text(found, at + 1)
    if after == "(":
        return _is_given(found, at, own)
    # Lua calls by a text or a table behind a name: `f "x"`, `f {x}`.
    is_text = at + 1 < len(found) and found[at + 1].kind is TokenKind.TEXT
    if is_text or after == "{":
        return one.text.lower() in _GIVES
    return not _is_act(found, at)


def _is_act(found: Sequence[ScriptToken], at: int) -> bool:
    """Tell a method that is handed on without being called: `pcall(map.Destroy, map)`."""
    said = split_words(found[at].text)
    is_member = _text(found, at - 1) in _MEMBERS
    is_verb = bool(said) and said[0] in VERBS and said[0] not in NOUN_LIKE
    return is_member and is_verb and VERBS[said[0]] not in _LOOKS


def _is_counted(found: Sequence[ScriptToken], at: int) -> bool:
    """Tell `i++` and `++i` from `layer.index++`."""
    if at and found[at - 1].kind is TokenKind.NAME:
        return _text(found, at - 2) not in _MEMBERS
    is_name = at + 2 < len(found) and found[at + 2].kind is TokenKind.NAME
    return is_name and _text(found, at + 3) not in (*_MEMBERS, "[")


def _is_given(found: Sequence[ScriptToken], at: int, own: frozenset[str]) -> bool:
    name, before = found[at].text, _text(found, at - 1)
    lowered = name.lower()
    if before == "new":
        return lowered in _MADE
    if name in own or lowered in _GIVES:
        return True
    if lowered in _FILLS:
        owner = _text(found, at - 2)
        return owner in own or owner == "table"
    said = split_words(name)
    is_look = bool(said) and VERBS.get(said[0]) in _LOOKS and said[0] not in _NOT_LOOKS
    return is_look and _FAR.isdisjoint(said)


def _is_own_target(found: Sequence[ScriptToken], at: int, own: frozenset[str]) -> bool:
    """Tell `n = 1` and `counts[k] = 1`, whose root is the script's own, from `layer.name = x`."""
    place, depth = at - 1, 0
    if _text(found, place) in _OPERATORS:
        place -= 1
    end = place
    while place >= 0:
        text = found[place].text if found[place].kind is TokenKind.SIGN else ""
        depth += (text == "]") - (text == "[")
        if depth == 0 and text != "[":
            is_name = found[place].kind is TokenKind.NAME
            if is_name and _text(found, place - 1) not in _MEMBERS:
                return place == end or found[place].text in own
            if not is_name and text not in _MEMBERS:
                return False
        place -= 1
    return False
