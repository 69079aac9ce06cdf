"""Names of fields in many languages stand in a data file, by what the field holds."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from signoff.actions.lexicon.languages import field_names as module
from signoff.actions.lexicon.languages.field_names import field_names
from signoff.assess.contexts.fields.text_names import is_text_name

FILE = Path(module.__file__).with_suffix(".json")
KINDS = ("columns", "languages", "private", "receivers", "states", "texts")


def test_the_file_holds_the_kinds_that_are_asked_for() -> None:
    """No other, and each in several languages."""
    kinds = json.loads(FILE.read_text("utf-8"))

    assert tuple(kinds) == KINDS
    assert all(len(field_names(kind)) > 20 for kind in kinds)


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_written_as_they_are_looked_up(kind: str) -> None:
    """Small letters, composed: a word in another form would never be found."""
    odd = [w for w in field_names(kind) if w != unicodedata.normalize("NFC", w.lower())]

    assert odd == []


def test_an_unknown_kind_is_an_error() -> None:
    """Not an empty set, which would find nothing without a word."""
    with pytest.raises(KeyError):
        field_names("colours")


@pytest.mark.parametrize("name", ["comment_text", "descrição", "留言", "post[body]"])
def test_a_text_of_people_is_known_by_its_name(name: str) -> None:
    """In each language of the file."""
    assert is_text_name(name)
    assert not is_text_name("host")
