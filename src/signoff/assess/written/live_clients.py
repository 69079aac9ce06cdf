"""What written code does to production by a client that its author calls live.

A program tells apart its databases by the names of their clients. What changes rows behind one of
them is no trial, in whatever language it stands; neither is a read of who people are.

    live().orders.updateOne({...}, {...})               production-impact.change
    prodPool.query("UPDATE orders SET ...")             production-impact.change
    live.execute("SELECT name, phone FROM patients")    production-impact.people-read
    product.update(...), dev.orders.updateOne(...)      nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.checks.comments import running
from signoff.actions.operation import FileKind
from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.evidence.people_read import selects_people
from signoff.assess.finding import Finding, Severity

_READ = 60_000  # characters
_MOST = 20
_QUIET = frozenset({FileKind.TEST, FileKind.DOC, FileKind.GENERATED, FileKind.LOCK, FileKind.LOG})
_CODE = lazy_re2(
    r"(?i)\.(?:py|[cm]?[jt]sx?|go|rs|rb|rake|kts?|groovy|java|scala|cs|fs|php|pl|lua|exs?|swift|nim|cr|dart)$"
)
_HINT = lazy_re2(r"(?i)(?:\b|_)(?:live|prod|production)(?:\b|_|[a-z]*(?:db|pool|conn|client))")
_CLIENT = (
    r"(?:\b(?:live|prod|production|Live|Prod|Production|LIVE|PROD|PRODUCTION)(?:[A-Z_]\w{0,40})?"
    r"|\b\w{1,40}_(?:live|prod|production|LIVE|PROD|PRODUCTION))(?:\(\))?(?:\.\w{1,60}(?:\(\))?){0,3}"
)
_DOCUMENTS = (
    r"(?:(?:update|insert|delete|replace)_?(?:one|many|One|Many)|bulk_?[wW]rite|find_?[oO]ne_?[aA]nd_?\w+"
    r"|(?:create|drop)_?(?:[iI]ndex(?:es)?|[cC]ollection))"
)
_CHANGED = lazy_re2(rf"({_CLIENT}\.{_DOCUMENTS})\(")
_STATED = lazy_re2(
    rf"({_CLIENT}\.(?:\$?[eE]xec\w*|\$?[qQ]uery\w*|run|prepare|raw|unsafe))\(\s*(?:\w{{1,20}}\s*,\s*)?(?:\w{{1,12}}\()?[bfru]{{0,2}}"
    r"(?:\"{1,3}|'{1,3}|`)\s*((?i:update|insert|delete|alter|create|drop|truncate|merge|select)\s[^\"'`]{1,600})"
)


def done_by_live_clients(text: str, where: Located) -> Iterator[Finding]:
    """Yield what the code of a file changes or reads of people in production."""
    is_code = where.kind not in _QUIET and _CODE.search(where.path) is not None
    if not is_code or _HINT.search(text[:_READ]) is None:
        return
    code = running(text[:_READ], where.path)
    for match in islice(_CHANGED.finditer(code), _MOST):
        yield _found("change", Severity.HIGH, f"Changes production by `{match.group(1)}`")
    for match in islice(_STATED.finditer(code), _MOST):
        statement = " ".join(str(match.group(2)).split())
        said = f"by `{match.group(1)}`: {statement[:80]}"
        if not statement.lower().startswith("select"):
            yield _found("change", Severity.HIGH, f"Changes production {said}")
        elif selects_people(statement):
            yield _found("people-read", Severity.MEDIUM, f"Reads who people are {said}")


def _found(line: str, severity: Severity, evidence: str) -> Finding:
    return Finding(
        detector="production-impact",
        category=f"production-impact.{line}",
        severity=severity,
        evidence=evidence,
    )
