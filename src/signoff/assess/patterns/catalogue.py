"""All patterns there are, compiled by channel.

`content` is looked for in what agents hand over and get back, `request` in web requests,
`response` in what leaves. Each set is compiled when it is first used.

    catalogue().of(Channel.REQUEST).scan("1 union select 2")
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from signoff.assess.patterns.families import (
    command,
    header,
    inclusion,
    ldap,
    mcp,
    nosql,
    path,
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

CONTENT = (*secrets.PATTERNS, *prompt.PATTERNS, *mcp.PATTERNS)
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
)
RESPONSE = response.PATTERNS


class Catalogue:
    """The pattern sets, by the name of the channel."""

    def __init__(self, content: PatternSet, request: PatternSet, result: PatternSet) -> None:
        self._sets: Mapping[str, PatternSet] = {
            "arguments": content,
            "description": content,
            "request": request,
            "result": result,
        }

    def of(self, channel: str) -> PatternSet:
        """Give the patterns that are looked for in a channel."""
        return self._sets[channel]


@cache
def catalogue() -> Catalogue:
    """Give all patterns there are."""
    return Catalogue(
        PatternSet(CONTENT), PatternSet(REQUEST, chunk=18), PatternSet((*CONTENT, *RESPONSE))
    )


@cache
def certainty(id: str) -> float:
    """Give how sure a match of a pattern is, 0 for an id that is no pattern's."""
    for pattern in (*REQUEST, *CONTENT, *RESPONSE):
        if pattern.id == id:
            return pattern.certainty
    return 0.0
