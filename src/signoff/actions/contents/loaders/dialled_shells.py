"""Shells that a program opens to an address by a helper of its own, or runs from a plain socket.

Nothing is joined in the text itself: the helper lies elsewhere, or each line that comes is run.
Only addresses of strangers count; what a client gets back from a call is a shell over there.

    reverse_shell("203.0.113.4", 9001);                         dials out
    inet_pton(.., "203.0.113.4", ..) connect(s) recv(s, b) system(b)   runs what comes
    shell = connect_shell("203.0.113.4")                        types there
"""

from __future__ import annotations

import re
from itertools import islice

from signoff.actions.known.hosts import HostClass, address_of, class_of_host
from signoff.actions.vocabulary import lazy_re, lazy_re2

_READ = 60_000  # characters
_MOST = 40
_NEAR_HOME = frozenset({HostClass.LOOPBACK, HostClass.PRIVATE, HostClass.LINK_LOCAL})
_DIALS = lazy_re2(
    r"(?i)\b(\w*(?:(?:reverse|rev|connect_?back|back_?connect|dial|connect)_?(?:tcp_?)?shell"
    r"|shell_?(?:dial|connect|back|call_?back|phone_?home)|(?:spawn|start|launch|open)_?rev\w*_?shell)\w*)!?"
    r"\s*\(\s*(?:\w+\s*[:=]\s*)?[\"'](\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?[\"']"
)
_TAKEN = lazy_re(r"(?:[=:?,(\[+]|\breturn|\bawait|\bas|\bwith|\byield)\s*$")
_COMMENT = lazy_re(r"\s*(?://|#|\*|/\*|--)")
_SOCKET = lazy_re2(r"\b\w*connect\s*\(")
_ADDRESS = lazy_re2(
    r"(?i)\b\w*(?:inet_(?:pton|addr|aton)|ip4?addr_aton)\s*\([^;\"\n]{0,60}\"([\d.]{7,15})\""
    r"|\b(?:IP4_ADDR|IPAddress)\b[^;\n\d]{0,60}?(\d{1,3}(?:\s*,\s*\d{1,3}){3})"
    r"|\b\w+(?:\.|->)connect\s*\(\s*\"([\d.]{7,15})\""
)
_RECEIVED = lazy_re2(
    r"\b\w*(?:recv|recvfrom|read)\w*\s*\(\s*\w+\s*,\s*(?:\([^()]{0,30}\)\s*)?&?(\w+)"
    r"|\b(\w+)\s*=\s*\w+(?:\.|->)read\w*\s*\("
)
_RUNS = lazy_re2(
    r"\b(?:system|popen|wordexp|esp_console_run|shell_execute_cmd|FreeRTOS_CLIProcessCommand"
    r"|luaL_(?:dostring|loadstring)|PyRun_\w*String|mp_\w*exec\w*)\s*\(([^;{}]{0,160})"
)


def dialled_shell(text: str) -> str:
    """Return where a stranger's machine gets a shell, or has its lines run, "" if nowhere."""
    head = text[:_READ]
    by_helper = _by_helper(head) if "shell" in head.lower() else ""
    return by_helper or (_by_socket(head) if "connect" in head else "")


def _by_helper(text: str) -> str:
    for match in islice(_DIALS.finditer(text), _MOST):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        is_said = before.count('"') % 2 or before.count("'") % 2 or _COMMENT.match(before)
        if not is_said and not _TAKEN.search(before) and _is_strange(str(match.group(2))):
            return str(match.group())
    return ""


def _by_socket(text: str) -> str:
    if _RUNS.search(text) is None or _SOCKET.search(text) is None:
        return ""
    named = [
        str(next(filter(None, one.groups()), "")) for one in islice(_ADDRESS.finditer(text), _MOST)
    ]
    if not any([_is_strange(re.sub(r"\s*,\s*", ".", one)) for one in named]):
        return ""
    received = {one.group(1) or one.group(2) for one in islice(_RECEIVED.finditer(text), _MOST)}
    for match in islice(_RUNS.finditer(text), _MOST):
        if not received.isdisjoint(re.findall(r"\w+", str(match.group(1)))):
            return str(match.group())
    return ""


def _is_strange(address: str) -> bool:
    """Whether an address is none of this machine or of a network at home."""
    return address_of(address) is not None and class_of_host(address) not in _NEAR_HOME
