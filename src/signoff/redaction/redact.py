"""Secrets out of everything that is written down: by meaning, by name, by shape.

`calls.py` says which secrets a call holds by what its programs do with them; a redactor that
knows them masks them wherever they occur. Names and shapes are looked for in every text.

A secret becomes `hmac:` and 16 hex digits, made with a key of this installation: two records of
one secret can be matched, neither can be read. Runs on RE2, so no text can make it slow; what is
longer than the limit is cut after it was searched a margin further.

    Redactor(key).text("curl -H 'Authorization: Bearer abcdefghijklmnop'")
        -> "curl -H 'Authorization: Bearer hmac:5c1f0a...'"
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import math
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import re2

from signoff.actions.action import Json
from signoff.actions.canonical import SAFE_INTEGER
from signoff.actions.programs.secret_names import is_secret_name
from signoff.actions.vocabulary import words
from signoff.redaction.contents import secrets_of_manifest
from signoff.redaction.secret_shapes import (
    MANIFEST,
    NAMED,
    RUN,
    SECRET_NAME,
    SHAPES,
    gate_of,
    is_reference,
    is_token_user,
    is_value_name,
)
from signoff.values import replace

TEXT_LIMIT = 32_768
NEVER_CUT = 1 << 40  # characters: for what must be shown whole
DIGEST_PREFIX = b"signoff-digest-v1\0"
MARGIN = 4_096  # a secret that begins before the cut and ends behind it is found whole
DEPTH_LIMIT = 24
ITEMS_LIMIT = 500

NAMES_REMEMBERED = 4_096
NAME_LIMIT = 200
SHORTEST = 8  # characters of `pin=1234`: nothing shorter can hold a secret that is known
SHORTEST_ANYWHERE = 4  # characters of a known secret that is looked for within words
# Bad passwords that are words of ordinary lines.
COMMON = words(
    "admin default docker example guest mysql none pass password postgres redis root "
    "secret test token true false user"
)
DIGESTS = ("sha256-", "sha384-", "sha512-")  # of packages, in lock files
_MASK_OF_USER = re.compile(r"[0-9a-f]{16}(?::|(?=@))")  # behind `hmac:`, in an address
NO_SECRETS = ("@", "x-oauth-basic@", "hmac:")  # in the place of a password, behind a token
MIN_DIGITS = 3  # words run together have none; random text of that length has more
MIN_BITS = 3.9  # of entropy a character
_ALL = ("|".join(f"(?:{shape})" for shape in SHAPES), *NAMED, RUN)


@functools.cache
def _gate() -> re2.Set:
    """Return what tells in one pass which of the patterns a text has anything for."""
    return gate_of((*_ALL, MANIFEST))


class _SecretMatch(Protocol):
    """A match of RE2, which comes without types."""

    def group(self, index: int) -> str:
        """Return the text that a group matched."""


class _SecretPattern(Protocol):
    """A compiled pattern of RE2, which comes without types, or of `re`."""

    def search(self, text: str) -> object | None:
        """Return a match anywhere in the text, None if there is none."""

    def sub(self, made: Callable[[_SecretMatch], str], text: str) -> str:
        """Return the text with each match replaced."""


@functools.cache
def _patterns() -> tuple[_SecretPattern, ...]:
    """Return the patterns, in the order of the gate."""
    # A run is one class of characters and nothing after it: nothing to go back over in any text.
    return (*(re2.compile(pattern) for pattern in _ALL[:-1]), re.compile(RUN))


@functools.cache
def _secret_name() -> _SecretPattern:
    pattern: _SecretPattern = re2.compile(SECRET_NAME)
    return pattern


@dataclass(frozen=True, slots=True)
class Redactor:
    """Replaces secrets in texts by masks that depend on this installation's key.

    Args:
        known: secrets found in the call, masked in every text; longest first.
    """

    key: bytes = field(repr=False)
    text_limit: int = TEXT_LIMIT
    known: tuple[str, ...] = field(default=(), repr=False)

    def knowing(self, secrets: Iterable[str]) -> Redactor:
        """Return a copy of this redactor that also masks these secrets wherever they occur."""
        every = {*self.known, *secrets}
        # The longest first, as one secret may be a part of another.
        return replace(self, known=tuple(sorted(every, key=lambda one: (-len(one), one))))

    def __post_init__(self) -> None:
        # Compiled with the first redactor: what writes nothing down does not wait for it.
        _gate(), _patterns(), _secret_name()

    def mask(self, secret: str) -> str:
        """Return the mask of a secret; the same secret always gets the same mask."""
        raw = secret.encode("utf-8", "surrogatepass")
        return "hmac:" + hmac.new(self.key, raw, hashlib.sha256).hexdigest()[:16]

    def keyed_digest(self, digest: str) -> str:
        """Return a keyed hash (64 hex digits) in place of a digest that depends on a secret."""
        # A plain hash over a short secret could be found by trying.
        return hmac.new(self.key, DIGEST_PREFIX + digest.encode(), hashlib.sha256).hexdigest()

    def text(self, text: str) -> str:
        """Return the text with its secrets masked.

        A text longer than `text_limit` is cut, and a note at the end says so.
        """
        if len(text) < SHORTEST and not self.known:
            return text if text.isascii() else _well_formed(text)
        searched = _well_formed(text[: self.text_limit + MARGIN])
        if self.known:
            searched = self.without_known(searched)
        found = _gate().Match(searched.encode())  # of bytes: it takes text by two steps more
        if found:
            for index in sorted(found):
                if index == len(_ALL):
                    searched = self._without_manifest(searched)
                    continue
                searched = _patterns()[index].sub(self._mask_for(index), searched)
        if len(text) <= self.text_limit:
            return searched
        return f"{searched[: self.text_limit]}...[{len(text):,} characters in all]"

    def without_known(self, text: str) -> str:
        """Return the text with only the `known` secrets masked, never cut."""
        for secret in self.known:
            if secret in text:
                text = self._without(secret, text)
        return text

    def _without(self, secret: str, text: str) -> str:
        """Return the text without a known secret; a common word only where it is alone."""
        mask = self.mask(secret)
        if len(secret) >= SHORTEST_ANYWHERE and secret.lower() not in COMMON:
            return text.replace(secret, mask)
        return re.sub(rf"(?<![0-9A-Za-z_]){re.escape(secret)}(?![0-9A-Za-z_])", mask, text)

    def _without_manifest(self, text: str) -> str:
        """Return the text without the values of the Kubernetes secrets in it."""
        for secret in set(secrets_of_manifest(text)):
            if not secret.startswith("hmac:") and not is_reference(secret, ""):
                text = self._without(secret, text)
        return text

    def value(self, value: Json, *, is_secret: bool = False, depth: int = 0) -> Json:
        """Return a JSON value with the secrets in its texts masked.

        Args:
            is_secret: True masks every text in it whole, as under a name like `password`.
            depth: levels of nesting above it.
        """
        match value:
            case str():
                return self._named_text(value, is_secret=is_secret)
            case None | bool():
                return value
            case int() | float():
                return plain_number(value)
        if depth >= DEPTH_LIMIT:
            return "...[too deep]"
        if type(value) is dict or isinstance(value, Mapping):
            return self._mapping(value, depth)
        items: list[Json] = [
            self.value(item, is_secret=is_secret, depth=depth + 1) for item in value[:ITEMS_LIMIT]
        ]
        return [*items, f"...[{len(value):,} items in all]"] if len(value) > ITEMS_LIMIT else items

    def _named_text(self, text: str, *, is_secret: bool) -> str:
        """Return a text without its secrets; a word of our own is nobody's secret."""
        if type(text) is not str and isinstance(text, StrEnum):
            return text.value
        return self.mask(text) if text and is_secret else self.text(text)

    def _mapping(self, value: Mapping[str, Json], depth: int) -> Json:
        """Return a mapping without its secrets, in keys as well."""
        kept: dict[str, Json] = {}
        for count, (name, item) in enumerate(value.items()):
            if count == ITEMS_LIMIT:
                kept["..."] = f"[{len(value):,} entries in all]"
                break
            is_clean, is_secret = _looked_at(name)
            is_clean = is_clean and not self.known
            clean = name if is_clean and len(name) <= self.text_limit else self.text(name)
            if type(item) is str:  # most of them
                kept[clean] = self._named_text(item, is_secret=is_secret)
            else:
                kept[clean] = self.value(item, is_secret=is_secret, depth=depth + 1)
        return kept

    def _mask_for(self, index: int) -> Callable[[_SecretMatch], str]:
        """Return how matches of a pattern are masked."""
        if index == 0:
            return self._masked_whole
        return self._masked_if_random if index == len(_ALL) - 1 else self._masked_value

    def _masked_if_random(self, found: _SecretMatch) -> str:
        """Mask a run of characters that no person would have written."""
        run = found.group(0)
        return self.mask(run) if _looks_random(run) else run

    def _masked_whole(self, found: _SecretMatch) -> str:
        """Return the mask of a whole match."""
        return self.mask(found.group(0))

    def _masked_value(self, found: _SecretMatch) -> str:
        """Mask the second group of a match unless it is masked already or no secret itself."""
        before, secret = found.group(1), found.group(2)
        if secret.startswith("hmac:") or is_reference(secret, before) or not is_value_name(before):
            return found.group(0)
        after = ""
        rest = found.group(0)[len(before) + len(secret) :]
        if user := _MASK_OF_USER.match(secret) if before.endswith("://hmac:") else None:
            # The user is masked already; a password behind it is not.
            before, secret = before + user.group(0), secret[user.end() :]
            if secret.startswith(NO_SECRETS) or is_reference(secret, before):
                return found.group(0)
        if before.endswith("://") and not is_token_user(before, secret, rest):
            return found.group(0)
        if secret[-1] in "@/":  # what ends a secret in an address
            secret, after = secret[:-1], secret[-1]
        return before + self.mask(secret) + after + rest


@functools.lru_cache(maxsize=NAMES_REMEMBERED)
def _looked_at(name: str) -> tuple[bool, bool]:
    """Tell of a name whether it is written down as it is, and whether it names a secret."""
    is_short = len(name) <= NAME_LIMIT
    is_clean = is_short and name.isascii() and not _gate().Match(name.encode())
    short = _well_formed(name[:NAME_LIMIT])
    return is_clean, _secret_name().search(short) is not None or is_secret_name(short)


def _looks_random(run: str) -> bool:
    """Tell whether a run of characters is a mixture as keys and tokens are: no word, no digest."""
    # Digests, UUIDs and constants are written in one case.
    if run.islower() or run.isupper() or run.startswith(("hmac:", *DIGESTS)):
        return False
    counts = Counter(run)
    if sum(counts[digit] for digit in string.digits) < MIN_DIGITS:
        return False
    bits = -sum(n / len(run) * math.log2(n / len(run)) for n in counts.values())
    return bits >= MIN_BITS


def plain_number(number: float) -> Json:
    """Return a number in its shortest JSON form; NaN, infinities and huge integers as text."""
    if isinstance(number, float) and number.is_integer():
        number = int(number)  # 1.0 is 1 in JSON, and quicker to write
    is_fine = math.isfinite(number) if isinstance(number, float) else abs(number) <= SAFE_INTEGER
    return number if is_fine else f"{number!r:.100}"


def _well_formed(text: str) -> str:
    """Return the text with lone surrogates written out, which RE2 and JSON cannot carry."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
