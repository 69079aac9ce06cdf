"""Names that forms give a text of people, in the languages that sites are written in.

is_text_name("comment_text")  ->  True
is_text_name("descrição")     ->  True
is_text_name("host")          ->  False
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from signoff.actions.lexicon.languages.field_names import field_names
from signoff.actions.vocabulary import lazy_re

_DOTLESS = "\u0131"  # of Turkish
_SIGNS = lazy_re(r"[\W_]+")


@lru_cache(maxsize=1024)
def is_text_name(name: str) -> bool:
    """Return whether a field takes a text of people; of `post[body]` the last part counts."""
    return _plain(name.rstrip("]").rpartition("[")[2]) in _names()


def _plain(name: str) -> str:
    """Return a name without signs and accents: `Descrição` is `descricao`."""
    return _SIGNS.sub("", unicodedata.normalize("NFKD", name.lower().replace(_DOTLESS, "i")))


@cache
def _names() -> frozenset[str]:
    return frozenset(map(_plain, field_names("texts")))
