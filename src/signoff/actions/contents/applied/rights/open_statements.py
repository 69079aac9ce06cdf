"""Statements of policies that let everybody do everything with what they stand at.

{"Effect": "Allow", "Principal": "*", "Action": "s3:*", "Resource": "*"}
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.named_only.blocks import block_around, bracketed, item_around
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60  # statements
_EFFECT = lazy_re2(r"(?i)\beffect[\"']?\s*[:=]\s*[\"']?(?:\w+\.){0,3}allow\b")
_EVERYBODY = lazy_re2(
    r"(?i)\bprincipals?[\"']?\s*[:=]?\s*[\[{\s]*(?:[\"']?AWS[\"']?\s*[:=]\s*\[?\s*)?[\"']\*[\"']"
    r"|\bidentifiers\s*=\s*\[\s*\"\*\"|\bAnyPrincipal\(\)|\bStarPrincipal\(\)"
)
_ALL_ACTS = lazy_re2(r"(?i)\bactions?[\"']?\s*[:=][\s\[\"'-]*(?:[\w-]+:)?\*(?:[\"'\s,\]]|$)")
_BOUNDED = lazy_re2(r"(?i)\bconditions?[\"']?\s*[:={]|\bstatement\b")


def opened_to_all(text: str) -> str:
    """Return the statement that lets everybody do everything, else ""."""
    if len(text) > _READ or _EFFECT.search(text) is None or _EVERYBODY.search(text) is None:
        return ""
    pairs = bracketed(text)
    for match in islice(_EFFECT.finditer(text), _MOST):
        around, item = block_around(pairs, match.start()), item_around(text, match.start())
        if item is not None and (around is None or around[0] < item[0]):
            around = item
        statement = text[around[0] + 1 : around[1]] if around is not None else ""
        is_open = _EVERYBODY.search(statement) and _ALL_ACTS.search(statement)
        if is_open is not None and _BOUNDED.search(statement) is None:
            return " ".join(statement.split())
    return ""
