"""Rules after which a guard sees or stops nothing that matters, though its file looks whole.

-w /srv/ledger -p rwa   with   -a never,exit -F dir=/srv/ledger    auditd: a watch taken back
chain incoming { policy drop; ... accept }                         nftables: all is accepted at last
udp dport 53 dnat ip to 203.0.113.20                               look-ups answered by a stranger
exclude: any: [resources: {namespaces: ["*"]}]                     Kyverno: no place is left
Target: {Arn: arn:aws:scheduler:::aws-sdk:cloudtrail:stopLogging}  a schedule stops the records
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.applied.rights.open_doors import is_outside
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_WATCH = lazy_re2(
    r"(?m)^[ \t]*-w[ \t]+(/\S+)|^[ \t]*-a[ \t]+always,exit\b[^\n]*?\b(?:dir|path)=(/\S+)"
)
_LEFT_OUT = lazy_re2(
    r"(?m)^[ \t]*(?:-[aA][ \t]+(?:never,exit|exit,never)\b[^\n]*?\b(?:dir|path)=(/\S+)"
    r"|-W[ \t]+(/\S+))[^\n]*"
)
_BLIND = lazy_re2(
    r"(?m)^[ \t]*(?:-a[ \t]+never,user\b[^\n]*|-[aA][ \t]+(?:never"
    r"|always),exclude[ \t]+[^\n]*\bmsgtype="
    r"(?:SYSCALL|PATH|EXECVE|USER_AUTH|USER_CMD|USER_LOGIN|CONFIG_CHANGE|ALL)\b[^\n]*"
    r"|-A[ \t]+(?:never,exit|exit,never)[ \t]+-F[ \t]+(?:auid|uid"
    r"|exe)=\S+(?:[ \t]+-S[ \t]+all)?[ \t]*"
    r"|-e[ \t]+0[ \t]*)$"
)
_DELETES = lazy_re2(r"(?m)^[ \t]*-D[ \t]*$")
_CHAIN = lazy_re2(r"(?s)\bchain\s+(\S+)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_DROPS = lazy_re2(r"\bpolicy\s+drop\b")
_HOOK = lazy_re2(r"\bhook\s+(?:input|forward)\b")
_ACCEPTS = lazy_re2(
    r"(?m)^[ \t]*(?:counter[ \t]+)?accept[ \t]*(?:comment[ \t]+\"[^\"\n]*\")?;?[ \t]*$"
    r"|\bpolicy\s+accept\b"
)
# What every machine of a network asks elsewhere, sent to one address.
_TURNED = lazy_re2(
    r"(?im)^[^\n#]*\bdport[ \t]+(?:\{[^}\n]*)?\b53\b[^\n]*(?:\bdnat[ \t]+(?:ip6?[ \t]+)?to"
    r"|--to-destination)[ \t]+([\w.:]+)"
    r"|^[^\n#]*\bdst-port=(?:[\d,]*,)?53\b[^\n]*\bto-addresses=([\d.]+)"
)
_EXEMPT = lazy_re2(
    r"(?s)\bexclude:.{0,400}?(?:\b(?:namespaces|names)[\"']?:\s*(?:\[\s*"
    r"|\n\s*-\s*)[\"']?\*[\"']?\s*(?:[\],\n]|$)"
    r"|\bsystem:(?:authenticated|serviceaccounts)\b[\"']?\s*(?:[\],}\n]|$))"
    r"|\bexcludedNamespaces:\s*(?:\[\s*|\n\s*-\s*)[\"']\*[\"']"
)
_STOPS = lazy_re2(
    r"(?i)\baws-sdk:(?:cloudtrail:(?:stopLogging|deleteTrail)|guardduty:(?:deleteDetector"
    r"|updateDetector)"
    r"|configservice:stopConfigurationRecorder|securityhub:disableSecurityHub"
    r"|logs:deleteLogGroup)\b"
)
_SPARED = lazy_re2(r"(?m)^[ \t]*(?:exclude|excludedNamespaces|exceptions):[ \t]*(?:\[|$)")
_OF_POLICY = lazy_re2(r"\bkinds:|\bvalidate:|\bkind:\s*\w*Policy\b|\bk8s\w+\b")


def exempted_more(old: str, new: str) -> str:
    """Return the exemption of a rule for clusters that an edit adds, else ""."""
    if not old or _OF_POLICY.search(f"{old[:_READ]} {new[:_READ]}") is None:
        return ""
    now = list(islice(_SPARED.finditer(new[:_READ]), _MOST))
    is_more = len(now) > len(list(islice(_SPARED.finditer(old[:_READ]), _MOST)))
    return " ".join(new[now[-1].start() : now[-1].end() + 120].split()) if is_more else ""


def blinded_guard(text: str) -> str:
    """Return the rule after which a guard sees or stops nothing that matters, else ""."""
    return next(_rules(text[:_READ]), "")


def exempted_all(old: str, new: str) -> str:
    """Return the exemption by which an edit leaves nobody to a rule for clusters, else ""."""
    match = _EXEMPT.search(new[:_READ]) if old else None
    is_new = match is not None and _EXEMPT.search(old[:_READ]) is None
    return " ".join(str(match.group()).split()) if match is not None and is_new else ""


def _rules(text: str) -> Iterator[str]:
    yield from _audits(text)
    if "chain" in text:
        yield from _filters(text)
    if (match := _STOPS.search(text)) is not None:
        yield str(match.group())
    for match in islice(_TURNED.finditer(text), _MOST):
        host = str(match.group(1) or match.group(2)).partition(":")[0]
        if is_outside(host):
            yield str(match.group()).strip()


def _audits(text: str) -> Iterator[str]:
    """What the rules of an audit take back of what they watch."""
    watches = list(islice(_WATCH.finditer(text), _MOST))
    watched = {str(match.group(1) or match.group(2)).rstrip("/") for match in watches}
    if not watches:
        return
    for match in islice(_LEFT_OUT.finditer(text), _MOST):
        if str(match.group(1) or match.group(2)).rstrip("/") in watched:
            yield str(match.group()).strip()
    for find in (_BLIND, _DELETES):
        for match in islice(find.finditer(text), _MOST):
            # At the head of a file the old rules go before the new ones come.
            if find is _BLIND or match.start() > watches[-1].start():
                yield str(match.group()).strip()


def _filters(text: str) -> Iterator[str]:
    """Chains that drop what nobody admitted, and accept the rest after all."""
    dropping: set[str] = set()
    for match in islice(_CHAIN.finditer(text), _MOST):
        name, body = str(match.group(1)), str(match.group(2))
        if _HOOK.search(body) is not None and _DROPS.search(body) is not None:
            dropping.add(name)
        accepts = _ACCEPTS.search(body) if name in dropping else None
        if accepts is not None:
            yield f"chain {name}: {str(accepts.group()).strip()}"
