"""Rules of nftables by which a firewall lets all in, or gives what passes to a stranger.

ip saddr @bridge dup to 45.9.148.37 device "wan0"        a copy of all that passes
tcp dport { 25, 110 } dnat ip to 185.193.127.60          what was meant for others
ct state established,related,new accept                  every connection
iifname "wan0" ip daddr 10.7.1.0/24 accept               the internet, to each port
udp dport 514 drop                                       records that do not arrive
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.applied.rights.open_doors import is_outside
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_HOOK = lazy_re2(r"\bhook\s+(?:input|output|forward|prerouting|postrouting|ingress|egress)\b")
_COMMENT = lazy_re2(r"(?m)^[ \t]*#[^\n]*|[ \t]#[^\n]*$")
_SENT = lazy_re2(
    r"\b(?:dup|dnat)\b(?:[ \t]+ip6?)?[ \t]+to[ \t]+[\[\"]?"
    r"((?:\d{1,3}\.){3}\d{1,3}|[\da-fA-F]*:[\da-fA-F:]{2,40})"
)
_EVERY = lazy_re2(
    r"\bct[ \t]+state[ \t]+\{?[ \t]*[\w, \t]*\bnew\b[\w, \t]*\}?[ \t]+(?:counter[ \t]+)?accept\b"
    r"|policy[ \t]+accept[ \t]*;[ \t]*accept\b"
)
_FROM_OUTSIDE = lazy_re2(
    r"(?im)^[^\n]*\biif(?:name)?[ \t]+\"?(?:wan|inet|ext|ppp|vsat|uplink|wwan|pppoe|outside)"
    r"[\w.-]*\"?[^\n]*\baccept\b"
)
_NARROW = lazy_re2(r"\b(?:dport|sport|saddr|ct|icmp\w*|limit|ipsec|udp|tcp|meta l4proto|mark)\b")
_NOT_SENT = lazy_re2(
    r"(?m)^[^\n]*\bdport[ \t]+(?:\{[^{}\n]*)?\b(?:514|6514|1514|1515|5044|24224)\b[^\n]*"
    r"\b(?:drop|reject)\b"
)
_OUT = lazy_re2(r"\bhook\s+(?:output|postrouting|egress)\b")
_POLICY = lazy_re2(r"\bhook\s+(input|forward)\b[^;{}]*;\s*policy\s+(accept|drop)\b")


def open_filter(old: str, new: str) -> str:
    """Return the rule by which a firewall lets all in or gives traffic away, "" if none does."""
    head = new[:_READ]
    if "hook" not in head or _HOOK.search(head) is None:
        return ""
    return next(_rules(old, str(_COMMENT.sub("", head))), "")


def _rules(old: str, text: str) -> Iterator[str]:
    for match in islice(_SENT.finditer(text), _MOST):
        if is_outside(str(match.group(1))):
            yield str(match.group())
    every = _EVERY.search(text)
    if every is not None:
        yield str(every.group())
    for match in islice(_FROM_OUTSIDE.finditer(text), _MOST):
        if _NARROW.search(str(match.group())) is None:
            yield str(match.group()).strip()
    lost = _NOT_SENT.search(text) if _OUT.search(text) is not None else None
    if lost is not None:
        yield str(lost.group()).strip()
    yield from _turned(old, text)


def _turned(old: str, text: str) -> Iterator[str]:
    """The chains that refused what no rule names, and let it pass now."""
    before = {str(m.group(1)) for m in islice(_POLICY.finditer(old), _MOST) if m.group(2) == "drop"}
    for match in islice(_POLICY.finditer(text), _MOST):
        if match.group(2) == "accept" and match.group(1) in before:
            yield str(match.group())
