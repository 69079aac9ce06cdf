"""Secrets out of everything that is written down: found by their shape or by their name.

A secret becomes `hmac:` and 16 hex digits, made with a key of this installation: two records of
one secret can be matched, neither can be read. Runs on RE2, so no text can make it slow; what is
longer than the limit is cut after it was searched a margin further.

    Redactor(key).text("curl -H 'Authorization: Bearer abcdefghijklmnop'")
        -> "curl -H 'Authorization: Bearer hmac:5c1f0a...'"
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import re2

from signoff.actions.action import Json
from signoff.effects.secret_shapes import NAMED, SECRET_NAME, SHAPES

TEXT_LIMIT = 32_768
MARGIN = 4_096
DEPTH_LIMIT = 24
ITEMS_LIMIT = 500

_SHAPES = re2.compile("|".join(f"(?:{shape})" for shape in SHAPES))
_NAMED = tuple(re2.compile(named) for named in NAMED)
_SECRET_NAME = re2.compile(SECRET_NAME)


class _Found(Protocol):
    """A match of RE2, which comes without types."""

    def group(self, index: int) -> str:
        """Return what a group matched."""


@dataclass(frozen=True, slots=True)
class Redactor:
    """Masks secrets with the key of this installation."""

    key: bytes = field(repr=False)
    text_limit: int = TEXT_LIMIT

    def mask(self, secret: str) -> str:
        """Return what stands for a secret: the same for the same secret."""
        raw = secret.encode("utf-8", "surrogatepass")
        return "hmac:" + hmac.new(self.key, raw, hashlib.sha256).hexdigest()[:16]

    def text(self, text: str) -> str:
        """Return the text without its secrets, cut at the limit with a word about the rest."""
        searched = _well_formed(text[: self.text_limit + MARGIN])
        searched = _SHAPES.sub(self._masked_whole, searched)
        for named in _NAMED:
            searched = named.sub(self._masked_value, searched)
        if len(text) <= self.text_limit:
            return str(searched)
        return f"{searched[: self.text_limit]}...[{len(text):,} characters in all]"

    def value(self, value: Json, *, name: str = "", depth: int = 0) -> Json:
        """Return a JSON value without its secrets; what is named like a secret goes wholly."""
        match value:
            case str():
                is_secret = bool(value) and _SECRET_NAME.search(name[:200]) is not None
                return self.mask(value) if is_secret else self.text(value)
            case None | bool() | int() | float():
                return value
        if depth >= DEPTH_LIMIT:
            return "...[too deep]"
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        items: list[Json] = [
            self.value(item, name=name, depth=depth + 1) for item in value[:ITEMS_LIMIT]
        ]
        return [*items, f"...[{len(value):,} items in all]"] if len(value) > ITEMS_LIMIT else items

    def _mapping(self, value: Mapping[str, Json], depth: int) -> Json:
        """Return a mapping without its secrets, in keys as well."""
        kept: dict[str, Json] = {}
        for count, (name, item) in enumerate(value.items()):
            if count == ITEMS_LIMIT:
                kept["..."] = f"[{len(value):,} entries in all]"
                break
            kept[self.text(str(name))] = self.value(item, name=str(name), depth=depth + 1)
        return kept

    def _masked_whole(self, found: _Found) -> str:
        """Mask a whole match."""
        return self.mask(found.group(0))

    def _masked_value(self, found: _Found) -> str:
        """Mask the last group of a match unless it is masked already."""
        before, secret = found.group(1), found.group(2)
        return found.group(0) if secret.startswith("hmac:") else before + self.mask(secret)


def _well_formed(text: str) -> str:
    """Return the text with lone surrogates written out, which RE2 and JSON cannot carry."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
