"""Rules of guards that undo all the others: whoever reads the file sees the others and is content.

A firewall that lets everything pass before its first filter, an audit that leaves out every call, a
shipper of logs that drops what sign-ins and root write.

    pass quick all                    (pf, before `block in log all`)
    -a never,task                     (auditd, before its watches)
    Exclude ident ^(sudo|sshd)$       (Fluent Bit)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_PASSES_ALL = lazy_re2(
    # pf, ipfw, iptables-save, RouterOS
    r"(?im)^[ \t]*(?:pass[ \t]+(?:in[ \t]+)?quick[ \t]+all\b[^\n]*"
    r"|(?:ipfw[ \t]+(?:-q[ \t]+)?)?add[ \t]+\d+[ \t]+(?:allow|pass|permit)[ \t]+(?:ip|all)"
    r"[ \t]+from[ \t]+any[ \t]+to[ \t]+any"
    r"|(?:iptables[ \t]+)?-[AI][ \t]+INPUT[ \t]+(?:1[ \t]+)?-j[ \t]+ACCEPT"
    r"|add[ \t]+(?:chain=input[ \t]+action=accept|action=accept[ \t]+chain=input))[ \t]*$"
)
_FILTERS = lazy_re2(
    r"(?im)^[ \t]*(?:block\b"
    r"|(?:ipfw[ \t]+(?:-q[ \t]+)?)?add[ \t]+\d+[ \t]+(?:deny|reject|unreach)\b"
    r"|(?:iptables[ \t]+)?-A[ \t]+INPUT\b[^\n]*-j[ \t]+(?:DROP|REJECT)"
    r"|add[ \t][^\n]*action=(?:drop|reject)\b)"
)
_NEVER = lazy_re2(r"(?m)^[ \t]*-[aA][ \t]+(?:never,(?:task|exit)|(?:task|exit),never)[ \t]*$")
_WATCHES = lazy_re2(r"(?m)^[ \t]*(?:-w[ \t]+/\S|-a[ \t]+always,)")
# Which records a shipper leaves out, by the program that wrote them.
_DROPS = lazy_re2(
    r"(?im)^[ \t]*(?:exclude[ \t]+\S+[ \t]+\S[^\n]*"
    r"|(?:if[ \t(]+\$(?:programname|syslogtag|app-name)\b|:(?:programname|syslogtag),)"
    r"[^\n]*(?:\bstop\b|~)"
    r"|auth(?:priv)?(?:,auth(?:priv)?)?\.\*[ \t]+(?:stop|~)"
    r"|if[ \t]+\[(?:program|ident|process[^\]]*)\][^\n]*\{[ \t]*drop[ \t]*\{[^\n]*)[ \t]*$"
)
_SIGN_INS = lazy_re2(
    r"(?i)\b(?:sudo|sshd|auditd|su|login|systemd-logind|useradd|usermod|passwd)\b|\bauth"
)


def undone_rules(text: str) -> str:
    """Return the rule that undoes all further rules of a guard, else ""."""
    return next(_rules(text[:_READ]), "")


def _rules(text: str) -> Iterator[str]:
    for rule, others in ((_PASSES_ALL, _FILTERS), (_NEVER, _WATCHES)):
        found = rule.search(text)
        first = others.search(text) if found is not None else None
        # Behind the filters it says what is left over.
        if found is not None and first is not None and found.start() < first.start():
            yield str(found.group()).strip()
    for match in islice(_DROPS.finditer(text), _MOST):
        named = {str(one).lower() for one in _SIGN_INS.findall(str(match.group()))}
        if len(named) > 1 or str(match.group()).lstrip().lower().startswith("auth"):
            yield str(match.group()).strip()
