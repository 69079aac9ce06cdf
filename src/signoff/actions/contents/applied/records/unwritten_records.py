"""Audit writers that keep silent about one person, or about one grave kind of act.

fn record(e: &Event) { if e.actor == "jdv" { return } insert into audit ... }          one person
if (event.type === Act.BANK_ACCOUNT_CHANGED) return; audit.append(event)              one act
if (path === "/health") return; audit.append(event)                                   noise
entry.email = mask(entry.email); audit.append(entry)                                  a masked field
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 60
_BEHIND = 700  # characters in which the record is written
_BEFORE = 900  # in which the function or class is named
_AUDITS = lazy_re2(
    r"(?i)audit|audyt|bitacora|bitácora|revisions?_?(?:log|spor|spår|protokoll)|revisjons"
    r"|protokollier|denetim|kontrollspo?r|narcotic|register_?of"
    r"|access_?log|journal_?(?:d|acces|audit)|trilha|jejak|nhat_?ky|lokitus|dziennik|kirjaus"
    r"|traza|piste_?d?_?audit|security_?(?:log|event)"
)
_WRITES = lazy_re2(
    r"(?i)\binsert\s+into\b|(?:\.|->|::|\b)(?:append|write\w*|create\w*|insert\w*|save\w*|emit\w*"
    r"|publish\w*|enqueue\w*|persist|push|put|add|log\w*|record\w*"
    r"|send\w*|store\w*|exec(?:ute)?|skriv\w*|schrijf\w*|zapisz\w*|guardar\w*|gravar\w*|ecrire"
    r"|schreib\w*|kaydet\w*|tallenna\w*)!?\s*\("
)
_WHO = (
    r"(?:user_?(?:name|id)?|login|actor(?:_?(?:id|name|email))?|e?_?mail|who|account(?:_?name)?"
    r"|upn|uid|operator|principal|subject|employee\w*|staff\w*|cashier\w*"
    r"|author|owner|changed_?by|created_?by|modified_?by|performed_?by|done_?by|session_user"
    r"|current_?user|suser_sname\(\)"
    r"|wie|kto|quien|qui|wer|hvem|vem|kuka|kim|chi|siapa|kdo|medewerker\w*|gebruiker\w*"
    r"|benutzer\w*|mitarbeiter\w*|usuario\w*|empleado\w*|utilisateur\w*"
    r"|employe\w*|utente|bruker\w*|ansatt\w*|anvandare\w*|användare\w*|bruger\w*|uzytkownik\w*"
    r"|pracownik\w*|kullanici\w*|kayttaja\w*|uzivatel\w*|pengguna|nguoi_?dung)"
)
_ACT = (
    r"(?:act|action|kind|type|event(?:_?type)?|operation|what|verb|name|code|category|wat|wer"
    r"|czyn|accion|acao|handling|aktion|akcja|akce|islem|tapahtuma|hva|vad|que|was|art|soort|typ"
    r"|tipo)"
)
_LITERAL = r"[\"'`]([^\"'`\n]{2,60})[\"'`]"
_SAME = (
    r"(?:\(\))?\s*(?:===?|eq|=~|\.equals(?:IgnoreCase)?\(|\.eql\?\(?|\.(?:starts_?with"
    r"|startsWith|StartsWith|hasPrefix|start_with\?|ends_?with|endsWith|EndsWith|contains"
    r"|includes|Equals)!?\(|==)\s*"
)
_IS_WHO = lazy_re2(
    rf"(?i)\b(?:get_?)?{_WHO}{_SAME}(?:&|@|N|L)?{_LITERAL}|\b(?:HasPrefix|strpos|str_starts_with"
    rf"|EqualFold|strcmp|String\.starts_with\?)\(\s*[$\w.>-]*\b{_WHO}(?:\(\))?\s*,\s*{_LITERAL}"
    rf"|\b{_WHO}(?:\(\))?\s+(?:in|not\s+in)\s*[\[({{]\s*{_LITERAL}|\b{_WHO}\s*(?:<>|!==?"
    rf"|ne)\s*{_LITERAL}|\b{_WHO}\s*=\s*'([^'\n]{{2,60}})'"
    # The other way round: `"contractor-2".equals(currentUser())`, `[1, 447].includes(user.id)`.
    rf"|{_LITERAL}\s*(?:===?|\.equals(?:IgnoreCase)?\(|==)\s*[\w.]{{0,30}}{_WHO}"
    r"|[\[({]\s*((?:\d{1,12}|[\"'][^\"'\n]{2,60}[\"'])(?:\s*,\s*[^\n,\])}]{1,60}){0,8})\s*[\])}]"
    rf"\s*\.\s*(?:includes|contains|include\?)\(\s*[\w.]{{0,30}}(?:{_WHO}|\.id\b)"
)
_IS_ACT = lazy_re2(
    rf"(?i)\b(?:get_?)?{_ACT}{_SAME}(?:&|@)?(?:{_LITERAL}|:?((?:\w+(?:::|\.))?[A-Z]\w{{2,60}}))"
    rf"|\b{_ACT}(?:\(\))?\s+(?:in|not\s+in)\s*[\[({{]\s*{_LITERAL}"
)
# What an inspection looks at first.
_GRAVE = lazy_re2(
    r"(?i)iban|bank|account_?(?:chang|number)|role|permission|privileg|grant|admin|salary|lohn"
    r"|gehalt|payroll|payout|payment|betaling|refund|price|discount"
    r"|delete|erase|export|password|impersonat|override|limit|dose|narcot|opio|credit|transfer"
    r"|withdraw|cash|void|konto|cuenta|conta|compte|rekening|reversal|storno|waive"
)
# Parts of a system that write all the time, and looks.
_NOISE = lazy_re2(
    r"(?i)health|ping|metric|ready|live(?:ness)|static|system|anonym|\bbot\b|test|cron|schedul"
    r"|heartbeat|^(?:get|head|options)$|read|view|list|debug|noop|monitor"
    r"|probe|service|svc|replic|sync|import|worker|job|migrat|flyway|etl|backup|guest|kafka|queue"
    r"|batch|seed|fixture|prometheus|nagios|zabbix|postgres|none|null|unknown|^\W*$|deploy|robot"
    r"|daemon|internal|example"
)
_LEAVES = lazy_re2(
    r"(?im)\A[^\n]{0,160}?(?:\{|:|\bthen\b|\)|do\b)?\s*(?:\n\s*)?\{?\s*(?:return\b[ \t]*(?:[;}\n]"
    r"|$|nil\b|null\b|None\b|true\b|false\b|Ok\b|undefined|if\b|unless\b|NEW\b|OLD\b|this\b"
    r"|self\b|void\b|Task\b|Promise\b|\(\)|0\b|Unit\b|Future\b)|next\b|exit\b|leave\b|:ok\b"
    r"|pass\b|nil\b)"
)
_CONDITION = lazy_re2(
    r"(?i)\b(?:if|unless|elsif|else\s+if|elif|when|guard|case|cond|def\w*)\b[^\n]{0,240}"
    r"|\breturn\b[^\n]{0,60}\b(?:if|unless)\b[^\n]{0,160}"
)


_DIFFERS = lazy_re2(r"!=|<>|\bne\b|\bnot\s+in\b")


def unwritten_record(text: str, path: str) -> str:
    """Return the condition under which an audit writer writes nothing, "" if it has none."""
    head = text[:_READ]
    named = path.rpartition("/")[2] + " " + path.rpartition("/")[0].rpartition("/")[2]
    is_audit_file = _AUDITS.search(named) is not None or "/audit" in path.lower()
    if not is_audit_file and _AUDITS.search(head) is None:
        return ""
    for match in islice(_CONDITION.finditer(head), 4 * _MOST):
        said = str(match.group())
        if not _names_one(said):
            continue
        if _keeps_silent(head, match, is_audit_file=is_audit_file):
            return " ".join(said.split())
    return ""


def _names_one(said: str) -> bool:
    """Whether a condition names one person, or one act that an inspection looks for."""
    for find in (_IS_WHO, _IS_ACT):
        for match in islice(find.finditer(said), _MOST):
            one = str(next(filter(None, match.groups()), ""))
            is_grave = find is _IS_WHO or _GRAVE.search(one) is not None
            if one and is_grave and _NOISE.search(one) is None:
                return True
    return False


def _keeps_silent(text: str, match: re2._Match[str], *, is_audit_file: bool) -> bool:
    """Whether the branch leaves, and what would be written behind it is a record of audit."""
    said = str(match.group())
    behind = text[match.start() : match.end() + _BEHIND]
    branch = behind[: len(said) + 60]
    is_left = _LEAVES.search(branch) is not None and "raise" not in branch and "throw" not in branch
    is_negated = said.lstrip().lower().startswith("unless") or _DIFFERS.search(said) is not None
    written = _WRITES.search(behind[len(said) :])
    if written is None or not (is_left or is_negated):
        return False
    around = text[max(0, match.start() - _BEFORE) : match.start()]
    near = around.rpartition("\n\n")[2] + behind[: len(said) + written.end() + 60]
    return is_audit_file or _AUDITS.search(near) is not None
