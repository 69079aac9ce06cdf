"""Whether the condition of a DELETE or UPDATE bounds anything.

A condition bounds a statement if it can be false for some row: every branch of its ORs must
compare a column with something else. `1=1`, `true`, `id = id`, `id IS NOT NULL`, `x LIKE '%'`,
`a OR NOT a` and conditions that name no column bound nothing.

    is_bounded(part of "WHERE id = 7 OR 1 = 1")  ->  False
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.sql.statement import Statement

MAX_DEPTH = 20

_ENDS = (
    "GROUP", "ORDER", "LIMIT", "RETURNING", "OPTION", "HAVING", "WINDOW", "FETCH", "OFFSET", ";",
    "WHEN", "ALLOW", "SETTINGS",
)  # fmt: skip
# Words of the expression grammar: they are no columns.
_NO_COLUMNS = frozenset({
    "AND", "OR", "NOT", "IS", "NULL", "TRUE", "FALSE", "IN", "LIKE", "ILIKE", "BETWEEN", "EXISTS",
    "CASE", "WHEN", "THEN", "ELSE", "END", "ANY", "ALL", "SOME", "INTERVAL", "UNKNOWN", "XOR",
    "CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_USER", "DIV", "MOD", "COLLATE", "BINARY", "DATE",
    "TIMESTAMP", "ESCAPE", "REGEXP", "RLIKE", "DISTINCT", "FROM", "AS", "SELECT", "INT", "TEXT",
})  # fmt: skip
_FALSE = (
    ("FALSE",),
    ("0",),
    ("NULL",),
    ("1", "=", "0"),
    ("0", "=", "1"),
    ("1", "<>", "1"),
    ("1", "!=", "1"),
)
_PEOPLE = vocabulary(
    "user users customer customers account accounts member members patient patients client clients"
    " employee employees student students subscriber subscribers contact contacts people person"
    " persons profile profiles tenant tenants guest guests pupil pupils citizen citizens"
)
_SIGNS = "<>=!|&"
_EQUALS = ("=", "==", "<=", ">=", "<=>", "LIKE", "ILIKE")
_KEY_ENDS = ("ID", "PK", "UUID", "KEY")
_ANY_VALUE = (
    (), ("IS", "NOT", "NULL"), (">", "0"), (">=", "0"), (">=", "1"), (">", "-", "1"), ("<>", "0"),
    ("!=", "0"), ("<>", "-", "1"), ("!=", "-", "1"), ("<>", "''"), ("!=", "''"),
)  # fmt: skip


def is_bounded(statement: Statement) -> bool:
    """Return whether a DELETE or UPDATE has a condition that limits it to some rows."""
    words = _condition(statement)
    return words is not None and not _always(words, 0)


def is_bounded_deletion(statement: Statement, table: str) -> bool:
    """Return whether a DELETE has a bound; for people, who is left out is none."""
    is_of_people = not _PEOPLE.isdisjoint(split_words(table)[-1:])
    return is_bounded(statement) and not (is_of_people and spares_few(statement))


def spares_few(statement: Statement) -> bool:
    """Return whether a condition names only what is left out: `email NOT LIKE '%@us.example'`."""
    words = _strip(_condition(statement) or ())
    parts = _split(words, frozenset({"AND"}))
    return bool(words) and all([_leaves_out(_strip(part)) for part in parts])


Words = Sequence[tuple[str, str]]


def _condition(statement: Statement) -> Words | None:
    where = statement.find("WHERE")
    if where < 0:
        return None
    end = min((at for word in _ENDS if (at := statement.find(word, where)) > 0), default=None)
    return _joined(statement.part(where + 1, end))


def _leaves_out(words: Words) -> bool:
    """Whether one comparison holds for all rows but those with a literal value."""
    keys = [key for key, _ in words]
    if "SELECT" in keys:
        return False
    is_negated = "NOT" in keys and not {"LIKE", "ILIKE", "IN", "="}.isdisjoint(keys)
    is_other = keys[-2:-1] in (["<>"], ["!="])
    last = words[-1][1] if words else ""
    return is_negated or (is_other and (last[:1] in ("'", '"') or last.isdigit()))


def _joined(condition: Statement) -> Words:
    """Return keys with their tokens, operators of several signs made one: `>` `=` is `>=`."""
    words: list[tuple[str, str]] = []
    for key, raw in zip(condition.keys, condition.raw, strict=True):
        if key in _SIGNS and words and words[-1][0][-1] in _SIGNS:
            words[-1] = (words[-1][0] + key, words[-1][1] + raw)
        else:
            words.append((key, raw))
    return words


def _always(words: Words, depth: int) -> bool:
    """Say whether a condition holds for every row, as far as its form tells."""
    words = _strip(words)
    if not words or depth > MAX_DEPTH:
        return True
    branches = _split(words, frozenset({"OR", "||"}))
    if len(branches) > 1:
        return _any_branch(branches, depth)
    parts = _split(words, frozenset({"AND"}))
    if len(parts) > 1 and not any(key == "BETWEEN" for key, _ in words):
        return all(_always(part, depth + 1) for part in parts)
    if words[0][0] == "NOT" and len(words) > 1:
        return _spelled(_strip(words[1:])) in _FALSE
    return _atom_always(words)


def _any_branch(branches: Sequence[Words], depth: int) -> bool:
    if any(_always(branch, depth + 1) for branch in branches):
        return True
    spelled = [_spelled(branch) for branch in branches]
    opposites = {("NOT", *form) for form in spelled} | {_negated(form) for form in spelled}
    return any(form in opposites for form in spelled)


def _negated(form: tuple[str, ...]) -> tuple[str, ...]:
    """Return `x IS NOT NULL` for `x IS NULL`, `a <> b` for `a = b`; itself has no twin."""
    if form[-2:] == ("IS", "NULL"):
        return (*form[:-1], "NOT", "NULL")
    if "=" in form:
        at = form.index("=")
        return (*form[:at], "<>", *form[at + 1 :])
    return ("NOT", "NOT", *form)


def _atom_always(words: Words) -> bool:
    form = _spelled(words)
    if form in _FALSE:
        return False
    if not _names_column(words):
        return True
    return any(_same_sides(words, form, operator) for operator in _EQUALS) or _is_any_key(form)


def _same_sides(words: Words, form: tuple[str, ...], operator: str) -> bool:
    """Say whether both sides of an operator are one and the same, or the right one is any text."""
    if operator not in form:
        return False
    at = form.index(operator)
    left, right = _spelled(_strip(words[:at])), _spelled(_strip(words[at + 1 :]))
    return left == right or right in {("'%'",), ("'%%'",)}


def _is_any_key(form: tuple[str, ...]) -> bool:
    """Say whether this asks a key for nothing but to exist: `id IS NOT NULL`, `id > 0`."""
    at = 2 if form[1:2] == (".",) else 0
    if not "".join(form[at : at + 1]).strip('"`[]').endswith(_KEY_ENDS):
        return False
    return form[at + 1 :] in _ANY_VALUE


def _names_column(words: Words) -> bool:
    for index, (key, _) in enumerate(words):
        following = words[index + 1][0] if index + 1 < len(words) else ""
        if key in {'"', "?", "%", ":", "$", "{"}:
            return True
        if (key[0].isalpha() or key[0] in "_@") and key not in _NO_COLUMNS and following != "(":
            return True
    return False


def _spelled(words: Words) -> tuple[str, ...]:
    return tuple(raw.upper() for _, raw in words)


def _strip(words: Words) -> Words:
    """Take away parentheses that enclose the whole; more than MAX_DEPTH leave nothing."""
    for _ in range(MAX_DEPTH):
        if len(words) < 2 or words[0][0] != "(" or _closing(words) != len(words) - 1:
            return words
        words = words[1:-1]
    return ()


def _closing(words: Words) -> int:
    depth = 0
    for index, (key, _) in enumerate(words):
        depth += (key == "(") - (key == ")")
        if depth == 0:
            return index
    return -1


def _split(words: Words, separators: frozenset[str]) -> list[Words]:
    parts: list[Words] = []
    depth, start = 0, 0
    for index, (key, _) in enumerate(words):
        depth += (key == "(") - (key == ")")
        if depth == 0 and key in separators:
            parts.append(words[start:index])
            start = index + 1
    parts.append(words[start:])
    return parts
