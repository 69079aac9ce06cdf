"""Tells random values from words, placeholders, hashes and code."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

VALUE_LIMIT = 400
STAND_INS = (
    *(
        "example",
        "sample",
        "placeholder",
        "changeme",
        "change_me",
        "change-me",
        "redacted",
        "dummy",
        "your",
        "insert",
    ),
    *(
        "xxxx",
        "****",
        "....",
        "####",
        "0000000",
        "1111111",
        "aaaaaaa",
        "abcdefgh",
        "<",
        ">",
        "${",
        "{{",
    ),
    *("$(", "process.env", "environ", "getenv", "localhost", "replace", "%s", "tokenhere"),
)
SAMPLE = "EXAMPLE"  # in the midst or at the end of keys that documents show
# A value that calls or names something is computed where it stands, and no literal secret.
CODE = ("(", ")", "[", "]", "::", "->", "()", "self.", "this.", "config.", "request.", "params")
WEAK = frozenset(
    {"pass", "password", "pwd", "secret", "token", "xxx", "yyy", "test", "user", "admin", "key"}
)


def bits_per_character(text: str) -> float:
    """Return the Shannon entropy of a text in bits per character."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def is_placeholder(value: str, *, is_short: bool = False) -> bool:
    """Return whether a value only stands for a secret, as `<token>` or `changeme`."""
    lower = value[:VALUE_LIMIT].lower()
    if any(sign in lower for sign in STAND_INS) or lower.startswith(("$", "%", "<", "{", "@")):
        return True
    if is_short:
        return lower in WEAK or len(set(lower)) < 3
    # A prefix such as `sk-ant-api03-` would make a stand-in look varied; its end tells.
    tail = value[-32:]
    return bits_per_character(tail) < 2.5


def is_random(value: str) -> bool:
    """Return whether a value looks like a real secret: mixed, dense, no word, no code."""
    if SAMPLE in value[VALUE_LIMIT:]:
        return False
    value = value[:VALUE_LIMIT].rstrip(".,;")
    if len(value) < 10 or is_placeholder(value) or any(sign in value for sign in CODE):
        return False
    # A UUID given to a secret's name counts as one; what looks like a path never does.
    if is_uuid(value) or _is_path(value):
        return is_uuid(value)
    digits = sum(letter.isdigit() for letter in value)
    letters = sum(letter.isalpha() for letter in value)
    if value.isdigit() or letters == 0:
        return False
    bits = bits_per_character(value)
    if digits < 2:
        # Without digits it may be words run together in camel case: ask for more of everything.
        return _is_mixed(value) and len(value) >= 20 and bits >= 4.0
    return bits >= (3.0 if len(value) < 20 else 3.3) and not _is_words(value)


def is_uuid(value: str) -> bool:
    """Return whether a value has the form of a UUID."""
    parts = value.split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and all(map(str.isalnum, parts))


def _is_path(value: str) -> bool:
    # Base64 has a slash about every 64 letters, so three of them mean folders.
    return value.startswith(("/", "./", "../", "~/", "http", "@")) or value.count("/") >= 3


def _is_words(value: str) -> bool:
    """Whether it is mostly words, however joined: `my-token-2024`, `Ed25519PrivateKey`."""
    words = letters = start = 0
    for at in range(1, len(value) + 1):
        if at < len(value) and value[at].isalpha() and not _is_border(value[at - 1], value[at]):
            continue
        part = value[start:at].strip("_-.=+/0123456789")
        letters += sum(map(str.isalpha, part))
        words += len(part) if _is_word(part) else 0
        start = at
    return words >= 0.7 * letters


def _is_border(one: str, other: str) -> bool:
    return not one.isalpha() or (one.islower() and other.isupper())


def _is_word(part: str) -> bool:
    is_one_case = part.islower() or part.isupper() or part.istitle()
    vowels = sum(letter in "aeiouyAEIOUY" for letter in part)
    # Random letters in one case hold few vowels; in words, a fifth of the letters at least.
    return part.isalpha() and is_one_case and len(part) >= 3 and vowels * 5 >= len(part)


def _is_mixed(value: str) -> bool:
    """Whether upper and lower case change more often than in words run together."""
    changes = sum(
        one.isupper() != other.isupper()
        for one, other in pairwise(value)
        if one.isalpha() and other.isalpha()
    )
    return changes >= len(value) * 0.35
