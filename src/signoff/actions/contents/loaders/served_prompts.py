"""Prompts of a language that a program serves to every machine: whoever connects runs code in it.

A prompt on this machine only, or behind a secret that the source does not hold, is a tool.

    Node.start(:"ops@0.0.0.0"); Node.set_cookie(:press)            for everybody, by a known word
    ThreadedServer(SlaveService, hostname="0.0.0.0")               for everybody
    Node.start(:"a@127.0.0.1"); Node.set_cookie(:test)             for this machine
    Node.set_cookie(String.to_atom(System.fetch_env!("COOKIE")))   behind a secret
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_WORDS = ("Node.start", "net_kernel", "icService", "SlaveService", "repl", "DRb", "pry")
_ALL = r"(?:0\.0\.0\.0|\[?::\]?)"
# Each that serves, with what has to stand beside it: a word of the source, or the address of all.
_SERVED = (
    (
        lazy_re2(rf"\bNode\.start\s*\(?\s*:?[\"']?[\w.-]+@{_ALL}"),
        lazy_re2(r"\bNode\.set_cookie\s*\(?\s*(?:[\w.]+(?:\(\))?\s*,\s*)?:[\"']?\w"),
    ),
    (
        lazy_re2(rf"\bnet_kernel:start\s*\([^)\n]{{0,80}}?[\w.-]+@{_ALL}"),
        lazy_re2(r"\berlang:set_cookie\s*\(\s*(?:node\(\)\s*,\s*)?'?[a-z]\w*'?\s*\)"),
    ),
    (
        lazy_re2(r"\b(?:SlaveService|ClassicService)\b"),
        lazy_re2(rf"\bhostname\s*=\s*[\"']{_ALL}[\"']"),
    ),
    (
        lazy_re2(r"\brepl\.start\s*\(\s*\{[^{}]{0,200}\binput\s*:\s*\w+"),
        lazy_re2(rf"\.listen\s*\([^()\n]{{0,80}}[\"']{_ALL}[\"']"),
    ),
    (
        lazy_re2(r"clojure\.core\.server/(?:io-prepl|repl)\b"),
        lazy_re2(rf":address\s+\"{_ALL}\""),
    ),
    (
        lazy_re2(
            r"\bDRb\.start_service\s*\(?\s*[\"']druby://[^\"'\n]{0,80}[\"']\s*,\s*"
            r"(?:binding|Kernel|Object|TOPLEVEL_BINDING)\b"
        ),
        lazy_re2(rf"druby://(?:{_ALL})?:\d"),
    ),
    (
        lazy_re2(r"\bserve_repl\s*\(|\b(?:remote_pry|pry_remote)\b"),
        lazy_re2(
            rf"\b(?:serve_repl|remote_pry|pry_remote)\s*\(?\s*(?:(?:Sockets\.)?IPv4\(0\)"
            rf"|(?:ip)?[\"']{_ALL}[\"'])"
        ),
    ),
)
# A secret of its own guards the connection.
_GUARDED = lazy_re2(r"(?i)\bauthenticator\s*=|:tls-keys|\brejectUnauthorized\b|\bDRb::ACL|ACL\.new")


def served_prompt(text: str) -> str:
    """Return where a program serves a prompt to every machine, "" if nowhere."""
    head = text[:_READ]
    if not any(word in head for word in _WORDS):
        return ""
    for served, beside in _SERVED:
        found = served.search(head)
        if found is not None and beside.search(head) and not _GUARDED.search(head):
            return str(found.group())
    return ""
