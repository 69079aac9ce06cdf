"""Words of many languages for what guards an act, and for doing without it.

`waivers.json` holds stems of some forty languages by kind, in letters without signs on them and in
their own script; the words of concepts of the glossary count as well. A stem of six letters or more
is found inside a word too, for languages that write words together; one that ends in `_` is a whole
word.

    kinds_of(("interlock",))        {"guards"}
    kinds_of(("vergrendeling",))    {"guards"}
    kinds_of(("überbrückt",))       {"off"}
    kinds_of(("copias",))           {"copies"}
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.unicode_forms import folded

_LONGEST = 80
_INSIDE = 6  # letters of a stem that is found inside a word, too
_SIGNS = "\u3000"  # from here on scripts that part no words


class _Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    concepts: str
    words: str


class _Waivers(msgspec.Struct, frozen=True):
    """Which kinds a concept, a whole word, a beginning and a part of a word belong to."""

    concepts: dict[str, set[str]]
    whole: dict[str, set[str]]
    starts: dict[str, set[str]]
    inside: dict[str, dict[str, set[str]]]  # by the first letters of a stem
    longest: int


@lru_cache(maxsize=4_096)
def kinds_of(words: tuple[str, ...]) -> frozenset[str]:
    """Return the kinds that words of a name or value belong to."""
    tables = _tables()
    plain = folded(" ".join(words)[:_LONGEST]).split()
    found: set[str] = set()
    for word in (*words, *plain):
        found |= tables.concepts.get(concept_of(word), set())
    for word in {*plain, "".join(plain)}:
        found |= tables.whole.get(word, set())
        for cut in range(1, min(len(word), tables.longest) + 1):
            if word[:cut] in tables.starts:
                found |= tables.starts[word[:cut]]
        found.update(_inside(word, tables))
    return frozenset(found)


def _inside(word: str, tables: _Waivers) -> Iterator[str]:
    least = _INSIDE if word.isascii() else 1
    for start in range(len(word) - least + 1):
        for end in range(start + least, start + _INSIDE + 1):
            for stem, kinds in tables.inside.get(word[start:end], {}).items():
                if word.startswith(stem, start):
                    yield from kinds


@cache
def _tables() -> _Waivers:
    """Read the words, once.

    Raises:
        OSError, msgspec.DecodeError: the file is not there or is damaged; the call is denied.
    """
    path = __file__.removesuffix(".py") + ".json"
    with open(path, "rb") as file:  # noqa: PTH123 - nothing here imports `pathlib`
        kinds = msgspec.json.decode(file.read(), type=dict[str, _Kind])
    tables = _Waivers(concepts={}, whole={}, starts={}, inside={}, longest=0)
    for name, kind in kinds.items():
        for concept in kind.concepts.split():
            tables.concepts.setdefault(concept, set()).add(name)
        for stem in kind.words.split():
            plain = folded(stem).replace("_", "")
            held = _place(tables, plain, is_whole=stem.endswith("_"))
            held.setdefault(plain, set()).add(name)
    return msgspec.structs.replace(tables, longest=max(map(len, tables.starts)))


def _place(tables: _Waivers, stem: str, *, is_whole: bool) -> dict[str, set[str]]:
    if is_whole:
        return tables.whole
    if len(stem) >= _INSIDE or stem > _SIGNS:
        return tables.inside.setdefault(stem[:_INSIDE], {})
    return tables.starts
