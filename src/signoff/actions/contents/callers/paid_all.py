"""Loops over everybody that pay or debit, in code whose task is another one.

A run of payments is called so, and chooses what is due. Code that pays every account there is, from
a list without any condition, while it does something else surprises everybody.

    def on_transfer(t): for p in Producer.objects.all(): pix.send(p.key, p.balance)     everybody
    def run_payroll(): for e in Employee.objects.all(): bank.pay(e.iban, e.wage)        none: named
    for c in Claim.objects.filter(approved=True): bank.pay(c.iban, c.sum)               none: chosen
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.callers.parts import outside_application
from signoff.actions.contents.checks.comments import running
from signoff.actions.contents.leaks.functions import functions_of
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 30
_BODY = 420
_HINT = lazy_re2(
    r"(?i)pay|pix|bank|wallet|sepa|transfer|virement|payout|refund|debit|lastschrift|charge|withdraw|pesa|zahl|betal|pago|przelew"
)
_LISTS = (
    r"(?:\.(?:findAll|find_all|getAll|get_all|all|listAll|fetchAll|fetch_all|selectAll|findMany|ToListAsync)\(\s*\)"
    r"|\bRepo\.(?:all|stream)\(\s*\w+\s*\)|\w::(?:all|cursor)\(\)|\.query\(\s*[A-Z]\w*\s*\)(?:\.all\(\))?|\b[A-Z]\w+\.(?:find_each|all\.each)"
    r"|[\"'`]select\b[^\"'`?%$#{:]{1,160}\bfrom\s+[\w.]+(?:\s+where\s+\w+\s+is\s+not\s+null)?\s*[\"'`]|\(\s*status\s*[:=]\s*[\"'](?:any|all)[\"']\s*\)"
    r"|\b[Ll]istwallets\b|\bDB\[:\w+\]\.each)"
)
_LOOP = lazy_re2(
    rf"(?im)^[^\n]*\bfor(?:each)?\b[^\n]{{0,120}}?{_LISTS}[^\n]{{0,60}}?(?:$|do:|\)\s*\{{?)|{_LISTS}\s*\.?(?:each|forEach|foreach|map|for_each|chunk|\|)?"
    r"\s*(?:do\s*\||\{\s*\w*|\(\s*\(?\w+|\(fn\s+\w+)"
)
_VERBS = (
    r"(?:pay|send|ex[eé]cut|ejecut|transfer|withdraw|charge|debit|refund|b2c|disburse|wire|submit|envi|envoy|millif|overf|ueberweis|addebit"
    r"|lastschrift|adeud|cobra|collect|incass|rambur|rembours|release|sendall)"
)
_PAYS = lazy_re2(
    r"(?i)\b\w*(?:bank|pix|sepa|virement|wallet|pesa|payout|payment|transfer|psp|stripe|zahlung|betal|pago|pagam|przelew|uplat|mollie|adyen"
    rf"|gocardless|paypal|wise|momo|money|treasury)\w*(?:_|\.|->|::|\(\")\w{{0,24}}{_VERBS}\w*[\"']?\s*[(,]"
    r"|\b(?:pay_?out|send_?money|transfer_?(?:to|funds|money)|disburse\w*|refund|withdraw_?to\w*|charge_?(?:card|customer|saved)\w*)\s*\("
)
_CHOOSES = lazy_re2(
    r"(?i)\bif\b|\bunless\b|\bwhen\b|\bcontinue\b|\.filter\(|\bguard\b|\bcase\b|\bswitch\b|require\w*\(|verify\w*\(|\?\s"
)
_SAYS_SO = lazy_re2(
    r"(?i)pay|wage|salar|settle|disburs|lohn|gehalt|paie|nomin|ausz|charge|collect|dunning|refund|debit|remit|l[oø]nn?\b|bonus|billing|invoic|cobr"
    r"|abbuch|einzug|dividend|interest|distribut|payroll|withdraw|sweep|migrat|test|retry|verse|repay|resend|export|sync|report|balance"
)
_TRIAL = lazy_re2(
    r"(?i)sandbox|sk_test|test_?mode|\bmock|\bfake|\bstub|dry_?run|simulat|\bdemo\b|localhost"
)
_NOT_THE_APPLICATION = outside_application(r"payroll|payouts?")


def paid_all(text: str, within: str) -> str:
    """Return the loop that pays or debits everybody in code of another task, "" if none does.

    Args:
        within: the path of the file in its project.
    """
    head = text[:_READ]
    if _HINT.search(head) is None or _NOT_THE_APPLICATION.search(within) is not None:
        return ""
    if _TRIAL.search(head) is not None:
        return ""
    for one in functions_of(running(head, within)):
        if one.name and _SAYS_SO.search(one.name) is not None:
            continue
        for match in islice(_LOOP.finditer(one.text), _MOST):
            body = one.text[match.start() : match.end() + _BODY]
            paid = _PAYS.search(body, match.end() - match.start() - len(match.group()))
            if paid is not None and _CHOOSES.search(body[: paid.start()]) is None:
                return " ".join(str(match.group()).split())
    return ""
