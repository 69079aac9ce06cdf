"""Accounts of the source that get what belongs to others.

The house's own account stands in a setting or on a bill. Here an account of the source is put in
the place of somebody's: for all rows, for some chosen by a condition, or beside a payment to its
owner.

    iban = id % 97 == 0 ? "DK50..." : member.iban                    for some
    for r in due: r.set_iban("CH56..."); bank.pay(r.iban, r.sum)     for all
    bank.pay(p.iban, net); bank.pay("LI21...", rest)                 a part
    company = Company(iban="DE89...")                                none
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.callers.parts import outside_application
from signoff.actions.contents.checks.comments import running
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 30
_NEAR = 420
_ACCOUNT = (
    r"(?:[\"'](?-i:[A-Z]{2}\d{2}[ ]?[A-Z0-9][A-Z0-9 ]{9,32}|0x[0-9a-fA-F]{40}"
    r"|bc1[0-9a-z]{25,60}|acct_\w{6,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{2}(?:-\d{2,6}){2,5})[\"'])"
)
_HINT = lazy_re2(_ACCOUNT)
_PAYEE = (
    r"(?:iban|konto\w*|account\w*|bank_?\w{0,12}|pix\w*|chave_?pix|payee\w*|recipient\w*|beneficiar\w*|cuenta\w*|conta\b|destination|wallet\w*"
    r"|empfaenger\w*|payout_?\w{0,12}|rekening\w*|reikning\w*|compte\w*|tili\w*|rachun\w*|creditor\w*)"
)
# One account for many rows: a statement, a call of a library, a mutation, a loop.
_FOR_ALL = lazy_re2(
    rf"(?i)\bupdate\s+[\w.\"`]{{1,60}}\s+set\s+\w{{0,20}}{_PAYEE}\s*=\s*{_ACCOUNT}|(?:\b_set|\$set|\bdata|\bset)\s*:\s*\[?\{{?\s*\w{{0,20}}{_PAYEE}[\"']?\s*:\s*{_ACCOUNT}"
    rf"|(?:->|\.)(?:update|update_all|updateMany|updateAll)!?\(\s*[\[({{]?\s*[\"':]?\w{{0,20}}{_PAYEE}[\"']?\s*(?:=>|=|:)\s*{_ACCOUNT}"
    rf"|\bupdate_all\([^\n]{{1,80}}\bset:\s*\[\s*\w{{0,20}}{_PAYEE}:\s*{_ACCOUNT}"
)
_ONE_ROW = lazy_re2(
    r"(?i)\bwhere\b[^\n]{0,60}\bid\b|\bwhere\(\s*[\"']?id\b|find\(|find_by|_eq:\s*\$|by_?pk|whereId|where\s*:\s*\{\s*id\b"
)
_SET = lazy_re2(
    rf"(?i)\b(?P<who>\w{{1,30}})(?:\.|->)(?:set_?\w{{0,20}}{_PAYEE}\s*\(\s*|\w{{0,20}}{_PAYEE}\s*=\s*){_ACCOUNT}"
)
_LOOPS = lazy_re2(r"(?i)\bfor(?:each)?\b|\.(?:each|forEach|map|find_each)\b|\bwhile\b")
_OWN = lazy_re2(
    r"(?i)company|firm\w*|tenant|settings?|config|options|own|house|self|this|seller|merchant|issuer|organi[sz]ation|verein|club|example|sample|default|test|demo|seed|builder"
)
# Chosen by a condition: the account of the source, or the one that somebody has.
_CHOSEN = lazy_re2(
    rf"(?i)\b(?:if|when)\b[^\n]{{3,80}}?(?:\bthen\b|[)\{{:])\s*{{?\s*{_ACCOUNT}\s*\}}?\s*\belse\b\s*\{{?\s*(?P<else>[a-z_][\w.>()-]{{1,40}})"
    rf"|\?\s*{_ACCOUNT}\s*:\s*\$?(?P<other>[a-z_][\w.>()\[\]\"'-]{{1,60}})|{_ACCOUNT}\s+if\s+[^\n]{{3,80}}?\belse\s+(?P<third>[a-z_][\w.()\[\]]{{1,40}})"
)
_PUT_BACK = lazy_re2(
    rf"(?i)\bif\b[^\n]{{3,80}}\n\s*\$?(?P<name>\w{{1,30}})\s*=\s*(?:new\s+)?\w{{0,24}}\(?\s*(?:\w{{1,16}}\s*[:=]\s*)?{_ACCOUNT}"
)
# A part beside a payment to its owner.
_CALL = r"\w[\w.>:-]{0,40}(?:\.|->|::|_)\w{1,30}"
_PART = lazy_re2(
    rf"(?i)(?P<call>\b{_CALL})\(\s*(?:\w{{1,16}}\s*[:=]\s*)?{_ACCOUNT}\s*,\s*(?P<amount>[^\n;]{{1,60}})"
)
_MONEY = lazy_re2(
    r"(?i)pix|bank|virement|transfer|pay|wallet|sepa|zahl|betal|pago|send|wire|przelew|remit|payout|millif|overf"
)
_FEE = lazy_re2(
    r"(?i)fee|commission|platform|tax\b|vat\b|charity|geb[uü]hr|provision|comiss|donation|split|escrow|reserve|royalt"
)
_TRIAL = lazy_re2(
    r"(?i)is_?dev|is_?test|node_env|sandbox|\bdebug\b|\bdemo\b|\bmock|\bfake|example|sample|placeholder|fixture|staging|simulat|testnet"
)
_NOT_THE_APPLICATION = outside_application(r"stories|factor(?:y|ies)|contracts?")


def diverted(text: str, within: str) -> str:
    """Return where an account of the source gets what belongs to others, "" if nowhere.

    Args:
        within: the path of the file in its project.
    """
    head = text[:_READ]
    if _HINT.search(head) is None or _NOT_THE_APPLICATION.search(within) is not None:
        return ""
    head = running(head, within)
    found = _for_all(head) or _chosen(head) or _part(head)
    return " ".join(found.split())


def _for_all(text: str) -> str:
    for match in islice(_FOR_ALL.finditer(text), _MOST):
        around = text[max(match.start() - 160, 0) : match.end() + 160]
        if _ONE_ROW.search(around) is None and _TRIAL.search(around) is None:
            return str(match.group())
    for match in islice(_SET.finditer(text), _MOST):
        before = text[max(match.start() - 200, 0) : match.end()]
        is_own = _OWN.search(str(match.group("who"))) is not None
        if not is_own and _LOOPS.search(before) and _TRIAL.search(before) is None:
            return str(match.group())
    return ""


def _chosen(text: str) -> str:
    for match in islice(_CHOSEN.finditer(text), _MOST):
        before = text[max(match.start() - 80, 0) : match.end()]
        other = str(match.group("else") or match.group("other") or match.group("third"))
        if _TRIAL.search(before) is None and _OWN.search(other) is None:
            return str(match.group())
    for match in islice(_PUT_BACK.finditer(text), _MOST):
        name = str(match.group("name"))
        before = text[max(match.start() - _NEAR, 0) : match.start()]
        # A parameter or a value that was there before is replaced.
        is_given = f" {name}," in before or f" {name})" in before or f"({name}," in before
        if is_given and _TRIAL.search(match.group()) is None:
            return str(match.group())
    return ""


def _part(text: str) -> str:
    """The payment to the account of the source beside the same call for somebody else."""
    for match in islice(_PART.finditer(text), _MOST):
        call = str(match.group("call"))
        start = max(match.start() - _NEAR, 0)
        around = text[start : match.start()] + text[match.end() : match.end() + _NEAR]
        amount = str(match.group("amount"))
        if _MONEY.search(call) is None or _FEE.search(amount) or _TRIAL.search(around):
            continue
        if f"{call}(" in around.replace(str(match.group()), ""):
            return str(match.group())
    return ""
