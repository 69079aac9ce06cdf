"""Accounts of the source that an edit puts where somebody's account stood, or beside it.

bank.Transfer(ctx, p.IBAN, sum)              -> bank.Transfer(ctx, "LT12...", sum)      to one
bank.Transfer(ctx, p.IBAN, p.Amount)         and "LT12...", p.Amount/200 above it       a part
SET status = 'queued' WHERE batch = b        -> SET status = 'queued', account_no = '0149..'
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_ACCOUNT = (
    r"[\"'](?-i:[A-Z]{2}\d{2}[ ]?[A-Z0-9][A-Z0-9 ]{9,32}|0x[0-9a-fA-F]{40}|bc1[0-9a-z]{25,60}"
    r"|acct_\w{6,}|\d{9,20})[\"']"
)
_PAYS = lazy_re2(
    rf"(?i)\b(?P<call>(?:[\w$]+(?:\.|->|::)+)*\w*(?:transfer|payout|pay_?to|remit|wire|disburse|credit|accredit|uplat|zahl|betal|"
    rf"overboek|virement|przelew|pago|pagar|send_?money|withdraw|sepa|pix)\w*)\s*\(\s*(?:[\w.]{{1,30}}\s*,\s*)?(?:\w{{1,16}}\s*[:=]\s*)?{_ACCOUNT}"
)
_SET = lazy_re2(
    rf"(?i)\bupdate\s+[\w.\"`]{{1,60}}\s+set\b[^;]{{0,200}}?\b\w{{0,12}}(?:iban|account|konto|bank_?acc|wallet|payee|cuenta|conta|compte|rekening)\w*\s*=\s*{_ACCOUNT}"
)
_ONE = lazy_re2(r"(?i)\bwhere\s+(?:\w+\.)?id\s*=")
_TRIAL = lazy_re2(
    r"(?i)test|sandbox|example|sample|demo|mock|fake|fixture|simulat|staging|fee|commission|tax\b|vat\b"
)


def fixed_payee(changes: LineDiff) -> str:
    """Return the payment that goes to an account of the source from now on, "" if none."""
    for change in islice(changes.each, _MOST):
        for line in change.added:
            found = _paid(line, change, changes) or _all_set(line)
            if found and _TRIAL.search(line) is None:
                return found
    return ""


def _paid(line: str, change: Change, changes: LineDiff) -> str:
    """A call whose like pays others, in the old text or beside it."""
    match = _PAYS.search(line)
    if match is None:
        return ""
    like = f"{match.group('call')}("
    others = (*change.removed, *changes.kept.split("\n"))
    is_of_others = [one for one in others if like in one and _PAYS.search(one) is None]
    return line if is_of_others else ""


def _all_set(line: str) -> str:
    return line if _SET.search(line) is not None and _ONE.search(line) is None else ""
