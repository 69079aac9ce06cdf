"""Words of other languages that mean what an English word means.

`glossary.json` holds the words of some forty languages under 420 concepts, in their own script and
as they are written without signs. A word that is English as well, or means something else in a
widespread language, is not in it (docs/adr/0037). One word is looked at, not its place: a name of a
tool is understood better by `actions/lexicon/languages/translations.py`.

    in_english(["usun", "wszystkie", "faktury"])     ["delete", "all", "invoice"]
    words_of("production")                           {"produktion", "produccion", "tuotanto", ...}
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec


def in_english(words: Sequence[str]) -> list[str]:
    """Return words in lower case with those of other languages in English, where they are known."""
    known = _glossary().get
    return [known(word, word) for word in words]


def concept_of(word: str) -> str:
    """Return what a word in lower case means in English, "" if no language has it."""
    return _glossary().get(word, "")


def words_of(*concepts: str) -> frozenset[str]:
    """Return the words of all languages for some concepts; English ones are not among them."""
    return frozenset([word for word, concept in _glossary().items() if concept in concepts])


@cache
def _glossary() -> dict[str, str]:
    """Read the words, once.

    Raises:
        OSError, msgspec.DecodeError: the file is not there or is damaged; the call is denied.
    """
    path = __file__.removesuffix(".py") + ".json"
    with open(path, "rb") as file:  # noqa: PTH123 - nothing here imports `pathlib`
        concepts = msgspec.json.decode(file.read(), type=dict[str, str])
    return {word: concept for concept, text in concepts.items() for word in text.split()}
