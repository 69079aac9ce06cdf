"""Tells headers whose values are full of signs by their grammar: browsers and proxies fill them.

is_quiet("accept", "text/html;q=0.9,*/*")       ->  True
is_quiet("accept-language", "en'; drop table")  ->  False
is_odd_address("x-forwarded-for", "' or 1=1")   ->  True
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re

# Values with a grammar of their own, written by browsers: full of `;`, `*/` and quotes.
_QUIET = frozenset(
    {
        *("accept", "accept-encoding", "accept-language", "authorization", "connection", "date"),
        *("content-length", "content-type", "host", "if-none-match", "if-modified-since", "origin"),
        *("priority", "sec-ch-ua", "sec-ch-ua-platform", "sec-fetch-dest", "sec-fetch-mode"),
        *("sec-fetch-site", "te", "upgrade-insecure-requests", "via", "cache-control", "range"),
    }
)
# What their grammars have no sign of: a value with one of these was written by no browser.
_NEVER_IN_LISTS = frozenset("'`$\\{}|<>()")
_LISTS_OF_WORDS = frozenset(
    {
        *("accept-encoding", "accept-language", "connection", "te", "priority", "cache-control"),
        *("range", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "origin", "host"),
        "upgrade-insecure-requests",
    }
)
_ADDRESSES = frozenset({"x-forwarded-for", "x-real-ip", "true-client-ip", "cf-connecting-ip"})
_ADDRESS_LIST = lazy_re(r"[\w.:%\[\], -]*")


def is_odd_address(name: str, value: str) -> bool:
    """Return whether a header of addresses holds anything else: no proxy writes it."""
    return name in _ADDRESSES and _ADDRESS_LIST.fullmatch(value) is None


def is_quiet(name: str, value: str) -> bool:
    """Return whether browsers fill a header with signs of its own; braces are none of them."""
    if name in _LISTS_OF_WORDS and not _NEVER_IN_LISTS.isdisjoint(value):
        return False
    # Struts ran `%{...}` from Content-Type (CVE-2017-5638); browsers write no brace there.
    has_own_braces = name not in ("content-type", "accept", "accept-language")
    return name in _QUIET and (has_own_braces or "{" not in value)
