"""Jobs that pay everybody: each open item is approved by the program itself and paid.

for c in claims.filter(paid_at=None): c.status = APPROVED; client.pay(c)    approved by nobody
for p in PaymentIntent.list(): Refund.create(p), with a live key            all of them
for i in invoices.filter(approved=True): pay(i)                             approved by somebody
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.erasing.folders import code_in
from signoff.actions.vocabulary import lazy_re2

_MOST = 30
_BODY = 700  # characters
_LOOP = lazy_re2(
    r"(?m)\bfor(?:each)?\b[^\n]{0,200}$|[^\n]+?\.(?:each|find_each|forEach|foreach|map|each_entry"
    r"|chunkById|for_each)\b[^\n]*$|\bwhile\b[^\n]{0,80}\bnext[^\n]*$"
    r"|\bForEach-Object\b[^\n]*$|\bEnum\.each\([^\n]*$"
)
_PAYS = lazy_re2(
    r"(?i)(?:\.|->|::|\b)(?:pay(?:_?out|_?all|ment)?s?|make_?payment|create_?(?:payout|transfer"
    r"|payment|refund)|send_?(?:money|payment|payout|funds)|disburse\w*"
    r"|transfer(?:_?(?:to|funds|money))?|b2c\w*|(?:payout|transfer|refund|payment"
    r"|disbursement)s?(?:\.|::|->)(?:create|send|submit|execute)!?|refund!?"
    r"|(?:sepa|swift|ach|bacs|pix|upi|mpesa|bank\w*)(?:\w*\.)(?:\w*)(?:execut\w*|send\w*"
    r"|submit\w*|ejecut\w*|execut\w*|utfor\w*|ausfuehr\w*|transfer\w*|pay\w*)"
    r"|auszahl\w*|bezahl\w*|ueberweis\w*|pagar\w*|paga|payer\w*|virer|verser|betaal\w*"
    r"|uitbetal\w*|betala\w*|utbetal\w*|udbetal\w*|zaplac\w*|wyplac\w*|zaplat\w*|vyplat\w*|ode\w*"
    r"|lipa\w*|bayar\w*|maksa\w*)!?\s*\("
)
_APPROVES = lazy_re2(
    r"(?i)\b(?:status|state|stato|estado|statut|stan|durum|tila|stav)\w*[\"')\]]?\s*(?:=|:|=>|,"
    r"|\()\s*[:\"'\w.]{0,40}(?:approved|aprobad|aprovad|genehmigt|godk|onayla|schval|zatwierdz"
    r"|goedgekeurd"
    r"|approuv|hyvaksy|freigegeben)|\b(?:set)?_?(?:approved|aprobado|aprovado|genehmigt"
    r"|freigegeben|godkjent|goedgekeurd|zatwierdzony|approuve|schvaleno|onaylayan)_?(?:by|por|von"
    r"|av|door|przez|par|id)?(?:_?id)?[\"')\]]?"
    r"\s*(?:=|:|=>|\()\s*(?:true\b|1\b|[:\"']?(?:system|auto\w*|sistema|admin|robot|bot|job)\b)"
    r"|\.(?:approve|aprobar|aprovar|genehmigen|freigeben|godkjenn|goedkeuren|zatwierdz|approuver"
    r"|schval)\w*!?\s*\(?"
)
_REFUNDS = lazy_re2(r"(?i)\brefunds?\b[\w.:>-]{0,20}(?:\.|::|->)?(?:create|new|issue)?!?\s*\(")
_LISTS_PAYMENTS = lazy_re2(
    r"(?i)\b(?:payment_?intents?|charges?|payments?|transactions?|orders?)\w*(?:\.|->|::)(?:list"
    r"|all|find_?all|auto_?paging\w*|search|fetch_?all)\w*\b"
)
_FIXED = lazy_re2(
    r"(?i)\b(?:phone\w*|msisdn|iban|account\w*|to|recipient\w*|destination|beneficiary\w*|wallet"
    r"|payee\w*|konto\w*|empfaenger\w*|destinatario|conta|cuenta|party_?b)[\"']?\s*(?:=|:|=>)\s*"
    r"[\"'](?:\+?\d{8,16}|[A-Z]{2}\d{2}[A-Z0-9 ]{10,34}|0x[0-9a-fA-F]{40}|acct_\w+)[\"']"
)
_LIVE = lazy_re2(
    r"(?i)sk_live|rk_live|\blive\b|_live\b|live_|\bprod(?:uction)?\b|_prod\b|prod_"
    r"|produ[ck][a-z]*\b|https://(?:api|www|secure|gateway)\."
)
_TRIAL = lazy_re2(
    r"(?i)sandbox|sk_test|test_mode|testmode|\bmock|\bfake|\bstub|dry_?run|simulat|\bdemo\b"
    r"|localhost|preview"
)
_CHOOSES = lazy_re2(
    r"(?i)\bif\b|\bunless\b|\bwhen\b|\bcontinue\b|\bnext\b\s+(?:if|unless)|\.filter\(|\bguard\b"
    r"|require\w*\(|verify\w*\(|check\w*\("
)
_ONLY_PAID = lazy_re2(
    r"(?im)^[^\n]*\bif\b[^\n]*(?:status|state|paid|succe|refunded|null|nil|none"
    r"|exist)[^\n]*(?:\n\s*(?:continue|next)\b[^\n]*)?"
)
_WAS_APPROVED = lazy_re2(
    r"(?i)approved\s*[=:(]|eligib|\.due|overdue|confirmed|scheduled|chosen|selected|reviewed"
    r"|is_?approved|status\s*[:=]+\s*[\"'\w.]*approved"
)


def paid_out(text: str) -> str:
    """Return the loop that approves and pays, or refunds, all that it lists; "" if none does."""
    if _PAYS.search(text) is None:
        return ""
    head = code_in(text)
    if _TRIAL.search(head) is not None:
        return ""
    for match in islice(_LOOP.finditer(head), _MOST):
        body = head[match.end() : match.end() + _BODY]
        paid = _PAYS.search(body)
        if paid is None:
            continue
        listed = str(match.group())
        done = body[: paid.end() + 200]
        if _approves_all(listed, body[: paid.start()], done) or _refunds_all(
            text, listed, head[: match.start()], body
        ):
            return " ".join(listed.split())
    return ""


def _approves_all(listed: str, before: str, done: str) -> bool:
    """Whether each item is approved here, with nothing between that chooses."""
    if _WAS_APPROVED.search(listed) is not None or _CHOOSES.search(before) is not None:
        return False
    return _APPROVES.search(before) is not None or (
        _FIXED.search(done) is not None and _LIVE.search(done) is not None
    )


def _refunds_all(text: str, listed: str, before: str, body: str) -> bool:
    """Whether all payments of a live account are listed and each refunded."""
    refunded = _REFUNDS.search(body)
    if refunded is None or _LIVE.search(text) is None:
        return False
    is_all = _LISTS_PAYMENTS.search(listed) or _LISTS_PAYMENTS.search(before[-400:])
    kept = _ONLY_PAID.sub("", body[: refunded.start()])
    return is_all is not None and _CHOOSES.search(kept) is None
