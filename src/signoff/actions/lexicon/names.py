"""The words of a name, however the name is spelled.

    delete_user  deleteUser  DeleteUser  delete-user  admin.delete_user  mcp__admin__delete_user
        -> ..., "delete", "user"

Letters only: digits and signs part words. A name of monstrous length is read at both ends.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LONGEST_NAME = 2_000
_FIRST_MARK = "\u02ff"
_OF_EMOJI = "\ufe0e\ufe0f\u20e3"  # marks of signs that are no letters
# Why a tool is not understood of which only the name was read.
NAME_SAYS_NOTHING = "its name does not say what it does"


def vocabulary(words: str) -> frozenset[str]:
    """Return the set of blank-separated words of a text."""
    return frozenset(words.split())


def split_words(name: str) -> tuple[str, ...]:
    """Split an identifier into lower-case words, in order: `getUserId` gives get, user, id."""
    if len(name) > LONGEST_NAME:
        # Both ends: the verb stands at the one, the thing at the other.
        half = LONGEST_NAME // 2
        name = f"{name[:half]} {name[-half:]}"
    return _words_of(name)


@lru_cache(maxsize=4_096)
def _words_of(name: str) -> tuple[str, ...]:
    words: list[str] = []
    for run in _letter_runs(name):
        words.extend(_split_camel(run))
    return tuple(words)


def _letter_runs(name: str) -> list[str]:
    """Return the longest stretches of letters.

    A vowel sign of Hindi or a tone mark of Thai belongs to the letter before it.
    """
    if name.isascii():
        return "".join(char if char.isalpha() else " " for char in name).split()
    return "".join([char if _is_of_word(char) else " " for char in name]).split()


def _is_of_word(char: str) -> bool:
    is_mark = char > _FIRST_MARK and char not in _OF_EMOJI
    return char.isalpha() or (is_mark and unicodedata.category(char)[0] == "M")


def _split_camel(run: str) -> list[str]:
    """Split `deleteURLNow` into `delete`, `url`, `now`."""
    if run.islower() or run.isupper():
        return [run.lower()]
    starts = [0]
    for at in range(1, len(run)):
        if not run[at].isupper():
            continue
        after_small = not run[at - 1].isupper()
        before_small = at + 1 < len(run) and run[at + 1].islower()
        if after_small or before_small:
            starts.append(at)
    ends = [*starts[1:], len(run)]
    return [run[start:end].lower() for start, end in zip(starts, ends, strict=True)]
