"""Names that fields of forms, tables and tools have in many languages, by what the field holds.

`field_names.json` holds a row a kind of field, and in it the words by groups of languages, in
small letters and as people write them. English words stand among them.

    "estado" in field_names("states")               True
    "descrição" in field_names("texts")             True
"""

from __future__ import annotations

from functools import cache

import msgspec


@cache
def field_names(kind: str) -> frozenset[str]:
    """Return the names of one kind of field, in all languages.

    Args:
        kind: `columns` (lists of columns), `languages` (a language or country is chosen),
            `private` (only the caller sees it), `receivers` (who is sent something), `states`
            (the state of a record) or `texts` (what people write).

    Raises:
        KeyError: there is no such kind.
        OSError, msgspec.DecodeError: the file is not there or is damaged; the call is denied.
    """
    return frozenset([word for words in _kinds()[kind].values() for word in words.split()])


@cache
def _kinds() -> dict[str, dict[str, str]]:
    path = __file__.removesuffix(".py") + ".json"
    with open(path, "rb") as file:  # noqa: PTH123 - nothing here imports `pathlib`
        return msgspec.json.decode(file.read(), type=dict[str, dict[str, str]])
