"""Records of who did what, erased by the code of an application without a bound of age.

Old records are removed by their age, and that is ordinary. Who erases those of one person, of one
kind of act, or all of them hides something.

    AuditLog.objects.filter(user="jdv").delete()                 the statement
    DELETE FROM audit_log WHERE at < now() - interval '7 years'  none: by age
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_BEFORE = 260
_BEHIND = 200
# Tables and classes of such records, in many languages.
_RECORDS = (
    r"(?:\w*(?:audit|auditor|audyt|odit|auditspor)(?:s|_?logs?|_?trails?|_?entr(?:y|ies)|_?events?|_?records?|_?journal|_?eintrag\w*"
    r"|_?logg?|ia|ilogi|s?spor|\.\w+)?\w{0,12}|bitacoras?|bitácoras?|revis(?:jons|ions)_?(?:spor|log|protokoll)\w*|access_?logs?"
    r"|accesslog|logentr(?:y|ies)|denetim_?\w*|trilha_?\w*|dziennik_?\w*|security_?(?:log|event)s?|journal_?audit|piste_?audit"
    r"|log_?acces\w*|tilgangslogg?|nhat_?ky\w*|jejak_?\w*|lokitus\w*)"
)
_ERASED = lazy_re2(
    rf"(?i)[\"'`;(]\s*(?:delete\s+from|truncate(?:\s+table)?|drop\s+table(?:\s+if\s+exists)?)\s+[`\"\[]?(?:\w+\.)?{_RECORDS}\b[^;\"'`]{{0,300}}"
    rf"|\b{_RECORDS}\.objects\.(?:all|filter|exclude)\([^\n]{{0,120}}?\)\.delete\("
    rf"|\b(?:\w+\.)*{_RECORDS}\.(?:delete_?(?:all|many)\w*|destroy_all|clear|truncate|purge)\("
    rf"|\b{_RECORDS}::(?:query\(\)->)?(?:where\([^\n]{{1,160}}?\)->)?(?:delete|truncate|forceDelete)\("
    rf"|\b{_RECORDS}\.where\([^\n]{{0,120}}?\)\.(?:delete_all|destroy_all)"
    rf"|\bRepo\.delete_all\(\s*(?:\w+\.)*{_RECORDS}\b"
    rf"|\bcollection\(\s*[\"']{_RECORDS}[\"']\s*\)\.(?:delete\w*|remove\w*|drop)\("
    rf"|\.query\(\s*{_RECORDS}\s*\)\.(?:filter\([^\n]{{1,160}}?\)\.)?delete\("
    rf"|\bRemoveRange\(\s*(?:\w+\.)*{_RECORDS}\b"
)
# What says that the age decides, or that these are none to keep.
_BY_AGE = lazy_re2(
    r"(?i)older|__lte?\b|interval|\bago\b|days|cutoff|retention|expir|grenze|lessthan|before\(|->sub|subyears?|timedelta|vor_"
    r"|\bage\b|max_age|\bttl\b|year|month|threshold|limit|rotat|anonymi|dry_?run"
)
_NOT_KEPT = lazy_re2(
    r"(?i)(?:^|[/_.-])(?:tests?|specs?|__tests__|e2e|fixtures?|seed\w*|factor(?:y|ies)|migrat\w*|demo|samples?|examples?|bench\w*"
    r"|mocks?|conftest|reset\w*|dev|playground)(?:[/_.-]|$)"
)


def erased_audit(text: str, within: str) -> str:
    """Return the statement that erases records of who did what, "" if none does.

    Args:
        within: the path of the file in its project.
    """
    if _NOT_KEPT.search(within) is not None:
        return ""
    head = text[:_READ]
    for match in islice(_ERASED.finditer(head), _MOST):
        found = str(match.group())
        before = head[max(match.start() - _BEFORE, 0) : match.start()]
        behind = head[match.end() : match.end() + _BEHIND].partition("\n")[0]
        is_compared = "<" in found + behind
        if not is_compared and _BY_AGE.search(before + found + behind) is None:
            return " ".join(found.split())
    return ""
