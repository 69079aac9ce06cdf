"""The words of a text as features: words, neighbours, and words near to each other.

features_of("drop_db crm2")
    -> Features(words={"drop", "db", "crm", "drop _", "_ db", "db crm", "crm 0"},
                pairs={("db", "drop"), ("crm", "drop"), ("crm", "db")})
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

from signoff.actions.lexicon.languages.glossary import in_english
from signoff.actions.vocabulary import lazy_re

OWN = "signoff"  # what touches us is told by rules that nobody can move
NEAR = 6  # words from one to the other of a pair; 8 and 12 are no better (docs/adr/0037)
TEXT_LIMIT = 8_000  # characters of a call that are read
WORD = lazy_re(r"[^\W\d_]+|\d+|[^\s\w]|_")
CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
# Who is at an address is a name that anybody chose.
HOST = lazy_re(
    # Bounded, as names of hosts are (RFC 1035): `1.1.1.` without an end is searched once.
    r"(?:(?<=//)|(?<=@))[\w-]+(?:\.[\w-]+)+"
    r"|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}\.(?:com|org|net|io|dev|example|test)\b"
)
HOME = lazy_re(r"/(?:home|Users)/[\w.-]+")


class Features(NamedTuple):
    """What a classifier weighs.

    Args:
        words: words, neighbours as one text, operations, findings.
        pairs: words near to each other, the two in the order of the alphabet.
    """

    words: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()

    def and_of(self, others: Iterable[Features]) -> Features:
        """Return these and those of other texts."""
        both = tuple(others)
        return Features(
            self.words.union(*[one.words for one in both]),
            self.pairs.union(*[one.pairs for one in both]),
        )

    def with_facts(self, *facts: frozenset[str]) -> Features:
        """Return these and what is known besides the words."""
        return Features(self.words.union(*facts), self.pairs)


def features_of(text: str) -> Features:
    """Return the words of a text in lower case, neighbours that hold a word, and words near.

    Words of other languages are told in English. Options of one letter count as words; signs and
    letters alone say more of the syntax than of the act.
    """
    text = text[:TEXT_LIMIT]
    # Each is looked for only where it can be: most texts have none.
    if "/home/" in text or "/Users/" in text:
        text = HOME.sub("/home/u", text)
    if "." in text:
        text = HOST.sub("host", text)
    if not text.islower():
        text = CAMEL.sub(" ", text).lower()
    told = ["0" if word.isdigit() else word for word in WORD.findall(text) if word != OWN]
    found = in_english(told)
    telling = [len(word) > 1 for word in found]
    neighbours = [
        f"{first} {second}"
        for first, second, is_first, is_second in zip(
            found, found[1:], telling, telling[1:], strict=False
        )
        if is_first or is_second or first == "-"
    ]
    words = list(compress(found, telling))
    return Features(frozenset((*words, *neighbours)), _pairs(words))


def _pairs(told: list[str]) -> frozenset[tuple[str, str]]:
    """Return the words that stand near to each other; which comes first says little."""
    near = {pair for apart in range(1, NEAR + 1) for pair in zip(told, told[apart:], strict=False)}
    return frozenset([(a, b) if a < b else (b, a) for a, b in near])
