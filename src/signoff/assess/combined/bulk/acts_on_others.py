"""Acts of code that hit others and are not taken back: each entry of a list, or all at once.

What a client library calls its acts is a word of everyday speech: cancel, revoke, capture,
reinstall. In a loop over what production holds each of them is done to everybody. A condition that
leaves some out makes it one act of many, unless the call itself says that there is no way back.

    for s in Carrier(env="prod").shipments(): s.cancel(force=True)      each shipment
    for srv in api.get("/server"): api.post(f"/server/{srv}/reinstall")  each server
    model.objects.all()._raw_delete("default")                           no loop is needed
    for s in shipments(status="test"): s.cancel()                        some of them
"""

from __future__ import annotations

from itertools import takewhile

from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import lazy_re2

_ACTS = lazy_re2(
    r"(?i)[._](?:cancel|revoke|reject|repudiate|capture|charge|debit|transfer|disburse|reinstall"
    r"|anonymi[sz]e|void"
    r"|write_?off|evict|suspend|deactivate|terminate|destroy|purge|obliterate|uninstall|unenroll"
    r"|withdraw|foreclose"
    r"|shut_?down|power_?off|force_?off|dismiss|expel|resubmit|del)(?:_?(?:all|each|one|now"
    r"|payment|user\w*|account|order|policy))?\s*\("
    r"|[\"'`][^\"'`\n]*/(?:reinstall|anonymi[sz]e|cancel|revoke|suspend|terminate|wipe|power-?off"
    r"|deactivate|purge|evict)[\"'`?]"
    r"|ComputerSystem\.Reset\b|\bForceOff\b"
    r"|\bnew\s+(?:ScheduleKeyDeletion|Delete\w+|Terminate\w+|Disable\w+|Revoke\w+"
    r"|Deregister\w+)Command\s*\("
    r"|always_invoice\b|\b(?:notify|notifier|mailer|messag\w*|sms\w*)\.(?:sms|email|send\w*|push"
    r"|notify)\s*\("
)
# A payment, whatever language its call is named in: an account number and an amount.
_ACCOUNT = lazy_re2(r"(?i)\biban\b|account_?number|kontonummer|sort_?code|wallet|sendTransaction\(")
_AMOUNT = lazy_re2(
    r"(?i)\b(?:amount|betrag|importe|monto|montant|kwota|valor|cents|bedrag|belopp|importo|sum"
    r"|value|distribution_balance)\s*[=:]"
)
# Told by the call itself: there is no way back, and nobody is asked.
_FOR_GOOD = lazy_re2(
    r"(?i)\birreversibl\w*[\"']?\s*[=:]\s*true|\bappeal\w*[\"']?\s*[=:]\s*false"
    r"|\bforce\w*[\"']?\s*[=:]\s*true"
    r"|\b(?:final|dispose|recover_paid|hard)\w*[\"']?\s*[=:]\s*true|immediately|decline_final"
    r"|ForceOff|/reinstall|ScheduleKeyDeletion"
    r"|_final\b|skip_?(?:approval|review|confirm\w*)[\"']?\s*[=:]\s*true"
)
_NARROWS = lazy_re2(
    r"(?i)\b(?:if|unless|when|filter|where|reject|limit|first|startswith|endswith|includes|match"
    r"|continue)\b|\btest\b"
    r"|\bold\b|expired|stale|archived|orphan|\btmp|temp\b|draft|sandbox|staging"
)
# Done to everybody by one statement: rows, indices, keys, tables without a condition.
_AT_ONCE = lazy_re2(
    r"(?i)\.all\(\)\s*\._?(?:raw_)?delete\s*\(|\.exclude\([^\n]{0,120}\)\.delete\s*\("
    r"|__table__\.delete\(\)\s*\)"
    r"|indices\.delete\(\s*(?:\{\s*)?index\s*[:=]\s*[\"'](?:\*|_all)[\"']"
    r"|\bclean_with\(\s*:?truncation"
    r"|maxmemory[\"']\s*,\s*[\"']?(?:1mb|1kb|1|0)\b[\"']?|\bobliterate\(\s*\{\s*force\s*:\s*true"
)
_PAGE_SIZE = lazy_re2(r"(?i)[\"']?\b(?:page_?)?(?:limit|size)[\"']?\s*(?:=>|[:=])\s*\d{2,}")
_PRODUCTION_ONLY = lazy_re2(
    r"(?i)\bscheduled?_?key_?deletion|reinstall|forceoff"
    r"|flighttermination|customers\.del\b"
)
# Records of who did what, and guards of a service, that code switches off.
_UNGUARDS = lazy_re2(
    r"(?i)\bdisable_audit\w*\s*\(|\bnoaudit\s+policy|clean_audit_trail"
    r"|create_exclusion\([^~]{0,300}audit"
    r"|secret_scanning[^}]{0,80}disabled|/branches/[^\"'`\s]{0,60}/protection"
)
# A guard of a plant that is overridden, by the name of its tag.
_OVERRIDES = lazy_re2(
    r"(?i)(?:bypass|override|interlock|verriegel|forrigling|emniyet|estop|muting|overbrug|blocage"
    r"|enclavamiento)[^~]{0,400}?"
    r"(?:write_?value|set_?value|write_?(?:node|tag|coil|register)\w*)\s*\("
)
_PLANT = lazy_re2(r"(?i)\bopc\.tcp://|\bmodbus|snap7|pycomm3|bacnet|\bpymavlink|\bknx\b")


def is_done_to_others(head: str, body: str) -> bool:
    """Return whether a loop does to each entry what is not taken back."""
    body = _own_lines(body)
    if _ACCOUNT.search(body) is not None and _AMOUNT.search(body) is not None:
        return True
    act = _ACTS.search(body)
    if act is None:
        return False
    if _FOR_GOOD.search(body) is not None or _PRODUCTION_ONLY.search(body) is not None:
        return True
    said = _PAGE_SIZE.sub(" ", f"{head}\n{body[: act.end()]}")
    return _NARROWS.search(said) is None


def _own_lines(body: str) -> str:
    """Return a loop of Python up to the first line that stands no further in than its head."""
    first, _, below = body.partition("\n")
    if not first.rstrip().endswith(":"):
        return body
    lines = below.split("\n")
    depth = min([len(one) - len(one.lstrip()) for one in lines[:1] if one.strip()], default=0)
    kept = takewhile(lambda one: not one.strip() or len(one) - len(one.lstrip()) >= depth, lines)
    return "\n".join([first, *kept])


def needs_no_loop(code: str) -> bool:
    """Return whether code empties, unguards or overrides something of others by one statement."""
    if _UNGUARDS.search(code) is not None:
        return True
    if _PLANT.search(code) is not None and _OVERRIDES.search(code) is not None:
        return True
    return is_production(code) and _AT_ONCE.search(code) is not None
