"""Jobs that pay everybody: each open item is approved by the program itself and paid.

Or each balance goes to one account that the source names, or all that was ever paid goes back.

for c in claims.filter(paid_at=None): c.status = APPROVED; client.pay(c)    approved by nobody
for p in PaymentIntent.list(): Refund.create(p), with a live key            all of them
for rows.Next() { live.Transfer(ctx, "TR00...", balance) }                  to one account
for o in orders.filter(event=e): Refund.create(o)                           of one event
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
    r"|(?:sepa|swift|ach|bacs|pix|upi|mpesa|bank\w*)(?:\w*\.)(?:\w*\.)?(?:\w*)(?:execut\w*|send\w*"
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
# An account in the source, whoever is paid, unless it is where the money comes from.
_ACCOUNT = lazy_re2(
    r"(?i)(\w{0,20})(?:[\"']?\s*(?:=>|[=:])\s*)?(?-i:[\"'](?:[A-Z]{2}\d{2}[A-Z0-9 ]{10,34}"
    r"|0x[0-9a-fA-F]{40}|acct_\w+)[\"'])"
)
_COMES_FROM = lazy_re2(
    r"(?i)from|source|debtor|debit|sender|absender|auftraggeber|origin|payer|ordenante|ordinante|own"
)
_PAYEE = lazy_re2(
    r"(?i)(?:\.|->|\[[:\"'])\s*\w{0,20}(?:iban|account|konto|payee|recipient|wallet|beneficiar|cuenta"
    r"|conta|destination|empfaenger|msisdn|phone)"
)
_IN_CALL = 260  # characters
# All rows of what was paid, and what makes them fewer.
_LISTS_ROWS = lazy_re2(
    r"(?i)\b(?:order|payment|charge|booking|ticket|transaction|purchase|sale|invoice|donation|deposit)s?"
    r"(?:\.|::|->)(?:objects\b|all\b|where\b|find_each|find_?(?:many|all)\b|query\b|paid\b|select\b|unscoped)"
    r"|\bRepo\.(?:all|stream)\(|\bselect\b[^\n]{1,80}\bfrom\s+(?:orders|payments|charges|bookings|tickets"
    r"|transactions|purchases|invoices|donations|deposits)\b"
)
_FEWER = lazy_re2(
    r"(?i)limit|\btake\b|\bfirst\b|\[:|__|_id\b|\bids?\b|since|between|cancel|request|approv|review|date"
    r"|_at\b|event|batch|[<>]=?\s*[\w:$?@]|\bday|\bargv|\bargs|options|params|disput|duplicat|double|confirm"
)
_ASKS_FIRST = lazy_re2(
    r"(?i)\binput\s*\(|confirm|--limit|add_argument|\bprompt\b|approv|read_?line"
)
_LOOKS_FOR_ERRORS = lazy_re2(
    r"(?m)^[^\n]*\bif\s*\(?\s*(?:\w+(?:,\s*\w+)?\s*:?=[^\n]*;\s*)?(?:err\w*|let\s+Err\b|!ok\b)[^\n]*$"
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
        before = head[: match.start()]
        if (
            _approves_all(listed, body[: paid.start()])
            or _pays_one(head, listed, body, paid.start())
            or _refunds_all(text, listed, before, body)
        ):
            return " ".join(listed.split())
    return ""


def _approves_all(listed: str, before: str) -> bool:
    """Whether each item is approved here, with nothing between that chooses."""
    if _WAS_APPROVED.search(listed) is not None or _CHOOSES.search(before) is not None:
        return False
    return _APPROVES.search(before) is not None


def _pays_one(head: str, listed: str, body: str, at: int) -> bool:
    """Whether what belongs to each goes to one account that stands in the source."""
    before = str(_LOOKS_FOR_ERRORS.sub("", body[:at]))
    if _WAS_APPROVED.search(listed) is not None or _CHOOSES.search(before) is not None:
        return False
    if _LIVE.search(head) is None:
        return False
    done, call = body[: at + _IN_CALL], body[at : at + _IN_CALL]
    if _FIXED.search(done) is not None:
        return _LIVE.search(done) is not None or _PAYEE.search(call) is None
    account = _ACCOUNT.search(call)
    is_payee = account is not None and _COMES_FROM.search(str(account.group(1))) is None
    return is_payee and _PAYEE.search(call) is None


def _refunds_all(text: str, listed: str, before: str, body: str) -> bool:
    """Whether all payments of a live account are listed and each refunded."""
    refunded = _REFUNDS.search(body)
    if refunded is None or _LIVE.search(text) is None:
        return False
    is_all = _LISTS_PAYMENTS.search(listed) or _LISTS_PAYMENTS.search(before[-400:])
    kept = _ONLY_PAID.sub("", body[: refunded.start()])
    return bool(is_all or _all_rows(text, listed)) and _CHOOSES.search(kept) is None


def _all_rows(text: str, listed: str) -> bool:
    """Whether a loop goes over all rows of what was paid, and nobody is asked before."""
    rows = _LISTS_ROWS.search(listed)
    return rows is not None and not (_FEWER.search(listed) or _ASKS_FIRST.search(text))
