"""Teach-back: the approver says in their own words what would happen.

At least 15 words, and the key terms of the action must occur: what it is done to, by name. That
is checked here; a validator, a model for instance, may check the rest and may only refuse.

    check_teach_back(step, Proof(text="This deletes the whole data folder in my home ..."))
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Protocol

from signoff.actions.operation import Operation, Reach
from signoff.challenge.proofs.questions import ranked
from signoff.challenge.request import Request
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep
from signoff.challenge.visible import visible

MIN_WORDS = 15
MIN_DIFFERENT = 8
TERMS = 3
TERM_LIMIT = 60
TEXT_LIMIT = 10_000
REACH_TERMS = {Reach.HOME: "home", Reach.SYSTEM: "system", Reach.PRODUCTION: "production"}


class TeachBackValidator(Protocol):
    """Judges the meaning of an explanation, after its words were checked."""

    async def validate(self, text: str, step: ProofStep, headline: str) -> str:
        """Return "" if the text explains `headline`, else what is missing."""


class WordsOnly:
    """Checks nothing further: words and key terms are enough."""

    async def validate(self, text: str, step: ProofStep, headline: str) -> str:
        """Return ""."""
        return ""


def make_teach_back(request: Request, *, min_review_s: float) -> ProofStep:
    """Return the step for a request."""
    return ProofStep(kind=ProofKind.TEACH_BACK, terms=key_terms(request), min_review_s=min_review_s)


def check_teach_back(step: ProofStep, proof: Proof) -> str:
    """Return "" if the text is long enough and names the key terms, else what is missing."""
    text = proof.text[:TEXT_LIMIT].casefold()
    words = [word for word in text.split() if any(char.isalnum() for char in word)]
    if len(words) < MIN_WORDS:
        return f"explain in at least {MIN_WORDS} words what would happen; that were {len(words)}"
    if len(set(words)) < MIN_DIFFERENT:
        return "explain it in your own words, not the same ones again"
    missing = [term for term in step.terms if term.casefold() not in text]
    if missing:
        return f"say what would happen to {', '.join(f'`{term}`' for term in missing)}"
    return ""


def key_terms(request: Request) -> tuple[str, ...]:
    """Return the terms an explanation must name: what it is done to; failing that, the tool."""
    found: dict[str, None] = {}
    for operation in ranked(request.assessment.operations):
        for term in _terms_of(operation):
            found.setdefault(visible(term), None)
    if not found:
        found = {visible(term): None for term in _names(request)}
    return tuple(found)[:TERMS]


def _terms_of(operation: Operation) -> Iterator[str]:
    """Yield what names one operation's target."""
    target = operation.target
    name = _host(target) if "://" in target else posixpath.basename(target.rstrip("/"))
    name = name.split()[-1] if name.split() else ""
    if sum(char.isalnum() for char in name) > 1:
        yield name[:TERM_LIMIT]
    elif operation.reach in REACH_TERMS:
        yield REACH_TERMS[operation.reach]
    elif operation.program:
        yield operation.program.split()[-1][:TERM_LIMIT]


def _host(url: str) -> str:
    """Return the host of an address."""
    return url.partition("://")[2].partition("/")[0]


def _names(request: Request) -> Iterator[str]:
    """Yield the tool and the short values it is called with."""
    yield request.action.tool[:TERM_LIMIT]
    for value in request.action.arguments.values():
        if isinstance(value, str) and 0 < len(value) <= TERM_LIMIT and " " not in value:
            yield value
