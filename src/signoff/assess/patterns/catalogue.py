"""All patterns there are, compiled by channel.

`CONTENT` is looked for in what agents hand over and get back, `REQUEST` in web requests. Each set
is compiled when it is first used. That of requests begins with the engine that compiles quickly;
a process that stays calls `warm`. Where the edge gives a shelf, each set is compiled only once.

    catalogue().of(Channel.REQUEST).scan("1 union select 2")
"""

from __future__ import annotations

from functools import cache

from signoff.assess.patterns.engines import Shelf
from signoff.assess.patterns.families import (
    command,
    header,
    inclusion,
    ldap,
    mcp,
    nosql,
    objects,
    path,
    personal,
    prompt,
    redirect,
    response,
    scanner,
    secrets,
    server_request,
    sql,
    template,
    xml,
    xss,
)
from signoff.assess.patterns.pattern_set import PatternSet

CONTENT = (
    *secrets.PATTERNS,
    *prompt.PATTERNS,
    *mcp.PATTERNS,
    *response.PATTERNS,
    *personal.PATTERNS,
)
REQUEST = (
    *sql.PATTERNS,
    *nosql.PATTERNS,
    *xss.PATTERNS,
    *command.PATTERNS,
    *template.PATTERNS,
    *path.PATTERNS,
    *xml.PATTERNS,
    *redirect.PATTERNS,
    *server_request.PATTERNS,
    *inclusion.PATTERNS,
    *header.PATTERNS,
    *ldap.PATTERNS,
    *scanner.PATTERNS,
    *objects.PATTERNS,
)


COUNTS_FROM = 0.5  # a match that is less certain says nothing by itself


class Catalogue:
    """All pattern sets, by the text source they are searched in."""

    def __init__(self, content: PatternSet, request: PatternSet) -> None:
        self._content, self._request = content, request

    def of(self, channel: str) -> PatternSet:
        """Return the patterns that are searched in a text source."""
        return self._request if channel == "request" else self._content

    def warm(self) -> Catalogue:
        """Return the catalogue with fast matchers compiled, for a long-lived process."""
        return Catalogue(self._content.warm(), self._request.warm())


@cache
def catalogue() -> Catalogue:
    """Return the catalogue of all patterns, built once per process."""
    return catalogue_on(None)


def catalogue_on(shelf: Shelf | None) -> Catalogue:
    """Return a catalogue of all patterns that caches compiled forms.

    Args:
        shelf: the cache; None = no cache.
    """
    return Catalogue(
        PatternSet(CONTENT, shelf=shelf),
        # Small chunks: these expressions are large, and compiling one big set takes far longer.
        PatternSet(REQUEST, chunk=18, is_quick=True, shelf=shelf),
    )


@cache
def certainty(id: str) -> float:
    """Return how certain a match of this pattern is, 0..1; 0 for an unknown id."""
    return next((one.certainty for one in (*REQUEST, *CONTENT) if one.id == id), 0.0)
