"""Columns that a call names: a list of them says what a table or an export holds of people.

{"fields": ["name", "bsn", "diagnose"]}         private data of people
{"columns": ["order_id", "total", "status"]}    nothing of the kind
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.field_names import field_names
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.private_names import concerns_people, reaches_people
from signoff.assess.combined.call import Call, cached_per_call

_DEEPEST, _MOST, _LONGEST = 6, 100, 60


@cached_per_call
def names_columns(call: Call) -> bool:
    """Return whether columns of private data of people are named, with whose they are."""
    return any([are_private(names) for names in column_lists(call.action.arguments)])


def are_private(names: list[str]) -> bool:
    """Return whether some of the columns concern people, and others say whom."""
    concerns = sum([concerns_people(name) or _means(name, _CONCERNS) for name in names])
    says_whom = any([reaches_people(name) or _means(name, _REACHES) for name in names])
    return concerns > 1 or (concerns == 1 and says_whom)


def _means(name: str, concepts: frozenset[str]) -> bool:
    """Tell a column by the meaning of its first or last word, in any language."""
    words = split_words(name)
    return any([concept_of(word) in concepts for word in (*words[:1], *words[-1:])])


_CONCERNS = frozenset({"diagnosis", "medical", "health", "salary", "pension"})
_REACHES = frozenset({"name", "address", "phone", "person", "patient"})


def column_lists(arguments: Json) -> Iterator[list[str]]:
    """Yield each list of columns that the arguments of a call name."""
    return _lists(arguments, 0)


def _lists(value: Json, depth: int, name: str = "") -> Iterator[list[str]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for key, inner in islice(value.items(), _MOST):
            yield from _lists(inner, depth + 1, key)
    elif isinstance(value, list | tuple):
        texts = [one for one in islice(value, _MOST) if isinstance(one, str)]
        if not field_names("columns").isdisjoint(split_words(name[:80])):
            yield [text for text in texts if len(text) <= _LONGEST]
        for inner in islice(value, _MOST):
            yield from _lists(inner, depth + 1, name)
