"""Evidence that a function or tool hits many at once: the act of its name, on a wide selection.

The act stands in the name, as for `gravity`; how many are hit stands in what the arguments select
or count. A container is one thing by its name, and holds many.

    refund_orders(selector={"financial_status": "paid"})         PAYS, no end       -> refused
    bulk_update_products(query="status:active", set={"price": 0}) to nothing, no end -> refused
    delete_space(key="ENG", permanent=True)                      a container        -> refused
    refund_orders(ids=["o-1", "o-2"])                            PAYS, two of them  -> asked
"""

from __future__ import annotations

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import IN_PROCESS, PASSING, singular
from signoff.actions.lexicon.verbs import lead_verb
from signoff.actions.operation import Operation, Trait
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.bulk.selection import MANY, highest_count, is_endless
from signoff.assess.combined.call import Call, arguments_of, cached_per_call, name_words, tool_name
from signoff.assess.combined.gravity import acts_of, weights_of
from signoff.assess.combined.gravity_words import MADE_AGAIN, GraveAct, Weight

THOUSANDS = 1_000  # so many messages are no circle of colleagues
_ERASES_GIVEN = lazy_re2(
    r"(?i)\"_?(?:\w+_)?(?:gdpr_?delete\w*|hard_?delete\w*|purge|erase|destroy|wipe|shred|expunge"
    r"|delete_?(?:archive\w*|data|history|contents?|files?)|no_?undo|cascade_?delete)\":\s?\"?true"
)
_FOR_GOOD_GIVEN = lazy_re2(
    r"(?i)\"(?:\w+_)?(?:permanent(?:ly)?\w*|irrevers\w*|skip_?(?:trash|bin|recycle\w*)"
    r"|bypass_?(?:trash|bin|recycle\w*)|no_?recover\w*|empty_?trash|delete_?contents?"
    r"|with_?contents?)\":\s?true|\"(?:to_?|use_?|move_?to_?)?(?:trash|recycle_?bin|soft_?delete"
    r"|recoverable|restorable)\":\s?false"
    r"|\"\w*(?:mode|type|method|deletion)\":\s?\"(?:permanent\w*|hard\w*|purge|irrevers\w*)\""
)
# What others keep their work in; each holds hundreds of things.
_CONTAINERS = vocabulary(
    "space workspace site wiki project team drive library mailbox catalog catalogue volume zone"
    " realm domain forum guild vault archive organization organisation org tenant fileset course"
    " workgroup warehouse registry repository repo bucket cluster database keyspace community"
)
_MEMBERS = vocabulary(
    "employee employment staff worker workforce student tenant member membership user patient"
    " contract lease benefit pension enrolment enrollment subscriber subscription customer account"
    " driver licence license permit resident beneficiary pupil teacher nurse contractor tenancy"
    " insurance policyholder player seller merchant booking reservation appointment passenger"
    " application applicant claim claimant subject voter guest citizen"
)
# Beside the verbs of `GraveAct.ENDS_PEOPLE`.
_ENDS = vocabulary("unenrol unenroll disenrol disenroll expel eject close deprovision lockout")
# Money in words that are no payment: `list_credit_notes`, `create_payment_report`.
_NO_PAYMENT = vocabulary(
    "report summary list export preview draft plan template webhook link request note notes"
    " history statement policy method settings status estimate calculation forecast reminder"
)
_STARTS_PAYMENT = vocabulary(
    "create process run approve issue execute submit release trigger make start do perform bulk"
    " batch mass"
)
_VERBS_OF_PAY = vocabulary(
    "pay refund transfer payout disburse remit reimburse settle credit debit withdraw wire cashout"
    " liquidate"
)
_TO_NOTHING = lazy_re2(
    r"(?i)\"(?:\w+_)?(?:price|amount|balance|salary|salaries|wage|rate|stock|inventory|quantity|qty"
    r"|fee|grade|score|points|credits?|limit|allowance|hours|dose)\":\s?(?:0(?:\.0+)?|\"0(?:[.,]0+)?\")"
    r"\s?[,}]"
)
_LIVE = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:active|published|live|online|enabled|on_?sale|all|every\w*|\*|production)"
    r"(?:[^a-z]|$)"
)
_AT_ONCE = lazy_re2(
    r"(?i)\"(?:schedule\w*|send_?at|when|delivery|start\w*|mode|priority)\":\s?\"(?:now|immediate\w*"
    r"|asap|instant\w*|at_?once)\"|\"(?:send_?now|immediate(?:ly)?|now|instant)\":\s?true"
    r"|\"(?:skip|no|without|bypass)_?\w+\":\s?true|\"dry_?run\":\s?false"
)
# A threat, a login that is wanted, and an address, in languages of mass mail.
_THREAT = lazy_re2(
    r"(?i)\b(?:locked|blocked|suspend|deactivat|restrict|limited|expire|gesperrt|sperrung|blockiert"
    r"|eingeschr|l[äa]uft ab|bloqu|suspend|d[ée]sactiv|expir|bloccat|sospes|scad|geblokkeerd"
    r"|zablokow|verrou)"
)
_CONFIRM = lazy_re2(
    r"(?i)\b(?:confirm|verif|validat|re-?enter|enter|log ?in|sign ?in|unlock|update|bestätig"
    r"|bestaetig|einlogg|anmeld|prüf|vérifi|actualis|actualiz|identifi|conferm|aggiorn|bevestig|potwierd|zaloguj)"
)
_ADDRESS = lazy_re2(r"(?i)https?://")
# An amount with its currency, in a field that says that it is the sum.
_AMOUNT = lazy_re2(
    r"(?i)\"(?:\w+_)?(?:total|amount|sum|value|volume)\w*\":\s?\"?[0-9][0-9., ]{0,20}\s?"
    r"(?:[A-Z]{3,5}|[€$£])\""
)
# Where money goes from now on, among the values that are set.
_PAID_TO = lazy_re2(
    r"(?i)\"(?:set|update|updates|values|changes|patch|fields|data|new|to|assign)\":\s?\{"
    r"[^{}]*\"\w*(?:iban|bank_?account\w*"
    r"|account_?number|routing_?number|sort_?code|payout_?\w*|payee\w*|wallet\w*|beneficiary\w*)\":"
)


@cached_per_call
def _hits_many(call: Call) -> bool:
    return is_endless(call) or highest_count(call) >= MANY


def _is_made_again(op: Operation, call: Call) -> bool:
    held = MADE_AGAIN | PASSING | IN_PROCESS
    return Trait.REBUILDABLE in op.traits or not held.isdisjoint(name_words(call))


def destroys_many(op: Operation, call: Call) -> bool:
    """True if many are deleted for good, or in production, by a condition that names nobody."""
    erases = _ERASES_GIVEN.search(arguments_of(call)) is not None
    if not (erases or GraveAct.DESTROYS in acts_of(call)) or _is_made_again(op, call):
        return False
    weights = weights_of(call)
    is_deep = erases or bool(weights & (Weight.FOR_GOOD | Weight.PRODUCTION | Weight.OF_BACKUPS))
    return is_deep and _hits_many(call)


def destroys_container(op: Operation, call: Call) -> bool:
    """True if what others keep their work in is deleted for good, past any recycle bin."""
    words = tuple([singular(word) for word in split_words(tool_name(call))])
    is_container = bool(words) and words[-1] in _CONTAINERS
    return is_container and _FOR_GOOD_GIVEN.search(arguments_of(call)) is not None


def pays_many(op: Operation, call: Call) -> bool:
    """True if everybody whom a condition selects is paid, or to a hundred and more."""
    words = split_words(tool_name(call))
    lead = lead_verb(words)
    pays = GraveAct.PAYS in acts_of(call) or _AMOUNT.search(arguments_of(call)) is not None
    if not pays or not _NO_PAYMENT.isdisjoint(words) or lead is None:
        return False
    is_paid = lead.word in _VERBS_OF_PAY or lead.word in _STARTS_PAYMENT
    return is_paid and _hits_many(call)


def leads_money_away(op: Operation, call: Call) -> bool:
    """True if the account that many are paid at is set to another one."""
    return _PAID_TO.search(arguments_of(call)) is not None and _hits_many(call)


def ends_many(op: Operation, call: Call) -> bool:
    """True if work, home, membership or access of everybody of a group ends."""
    named = {singular(word) for word in name_words(call)}
    is_end = GraveAct.ENDS_PEOPLE in acts_of(call) or not _ENDS.isdisjoint(named)
    return is_end and not _MEMBERS.isdisjoint(named) and _hits_many(call)


def sets_to_nothing(op: Operation, call: Call) -> bool:
    """True if a price, balance or stock of many that are in use is set to zero."""
    given = arguments_of(call)
    is_used = highest_count(call) >= MANY or _LIVE.search(given) is not None
    return is_used and _hits_many(call) and _TO_NOTHING.search(given) is not None


def tells_thousands(op: Operation, call: Call) -> bool:
    """True if a message goes out at once to a thousand and more."""
    if GraveAct.SENDS not in acts_of(call):
        return False
    is_at_once = _AT_ONCE.search(arguments_of(call)) is not None
    return is_at_once and highest_count(call) >= THOUSANDS


def threatens_many(op: Operation, call: Call) -> bool:
    """True if a message to many threatens, and wants a login at an address."""
    is_wide = _hits_many(call) or Weight.ALL in weights_of(call)
    if GraveAct.SENDS not in acts_of(call) or not is_wide:
        return False
    given = arguments_of(call)
    return all([one.search(given) is not None for one in (_THREAT, _CONFIRM, _ADDRESS)])
