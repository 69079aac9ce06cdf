"""Evidence in calls of functions and tools: name, arguments and docstring say the same.

Read are the words of the name, the arguments, and what the author of the function wrote about it.
Each of them alone is asked about; a call is refused where two say that many people, all of
something or a protection is at stake.

    delete_all_grades(classes="all"), "Irreversibly clear the grade book."   -> refused
    delete_all_drafts()                                                      -> asked about
"""

from __future__ import annotations

import re
from itertools import islice

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import IN_PROCESS, PASSING
from signoff.actions.operation import Operation, Reach, ResourceType, Trait
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import (
    MOST_TEXTS,
    TEXT_LIMIT,
    TRIAL,
    Call,
    arguments_of,
    cached_per_call,
    entries_of,
    is_declared,
    name_words,
)

# So many people in a list are no single case any more.
MANY_PEOPLE = 3
_ALL_WORDS = vocabulary("all every everything everyone everybody bulk mass entire")
# Verbs that leave nothing.
_WHOLE_VERBS = vocabulary("wipe shred nuke obliterate annihilate raze")
_ALL_GIVEN = lazy_re(
    r"(?i)\"\w+\":\s?\[?\"(?:\*|all|everything|everyone|1\s?=\s?1)\"|\"(?:\w+_)?all\":\s?true"
)
_FOR_GOOD_GIVEN = lazy_re(
    r"(?i)\"(?:permanent(?:ly)?|hard(?:_delete)?|irreversible|purge|force)\":\s?true"
    r"|\"(?:skip|no|without)_?(?:backups?|snapshots?|archive)\":\s?true"
    r"|\"(?:keep|make|create|take|with)_?(?:an?_)?(?:backups?|snapshots?|archive|copy)\":\s?false"
    r"|\"(?:include|with|and)_?(?:replicas?|backups?|archives?|snapshots?|copies)\":\s?true"
)
_FOR_GOOD_TOLD = lazy_re(
    r"(?i)\birrevers|\bcannot be undone|\bpermanent|\bfor good\b|\bno (?:way back|recovery|undo)\b"
    r"|\bunrecoverabl|\bwip(?:e|es|ing) "
)
# What is remarked about a call names no place.
_REMARKS = vocabulary(
    "reason comment note notes description message text body title subject why justification"
    " purpose explanation rationale"
)
# Nor does the file that an act reads its list from.
_NO_PLACES = _REMARKS | vocabulary("staged upload input payload")
# What only the person, their bank or their doctor knows, as a column is called.
_SENSITIVE = lazy_re(
    r"(?i)\"(?:\w+_)?(?:iban|pan|cvv2?|cvc|card_?number|ssn|tax_?id|salary|diagnos[ie]s|passport\w*"
    r"|date_of_birth|dob|birth_?date|national_?id|medical\w*|account_?number|password\w*|phone\w*"
    r"|home_?address|expiry|religion|ethnicity)\""
)
_PERSONAL = lazy_re(r"(?i)\"(?:\w+_)?(?:name|e?mail|holder|address|phone\w*)\"")
_OUTSIDE = lazy_re(
    r"(?i)\"(?:(?:s?ftps?|https?|scp|s3)://[^\"]{4,500}|[^\"@\s]{1,80}@[^\"\s]{3,120}\.[a-z]{2,12})\""
)
_OWN_HOSTS = lazy_re(r"(?i)//(?:localhost|127\.|\[::1\]|[^/\"]*\.(?:local|internal|test|lan)\b)")
_ABOUT_PEOPLE = vocabulary(
    "patient patients student students pupil pupils customer customers client clients employee"
    " employees member members citizen citizens tenant tenants source sources witness witnesses"
    " medical clinical health payroll salary salaries radiology dicom imaging identity identities"
    " passport passports grades diagnosis diagnoses personal private confidential kyc hr cards"
)
_OPEN = lazy_re(
    r"(?i)\"\w*(?:principal|audience|visibility|access|acl|sharing|with|scope|grantee|to)\":\s?"
    r"\[?\"(?:\*|public|everyone|anyone|all_?users|world|internet)\"|\"public\":\s?true"
)
_ENDS = vocabulary("terminate dismiss fire expel evict suspend deactivate offboard ban deport")
_PEOPLE = vocabulary(
    "employee employees staff worker workers student students tenant tenants member members user"
    " users patient patients account accounts contract contracts driver drivers"
)
_OVERRIDES = lazy_re(
    r"(?i)\"(?:override|bypass|ignore|skip|disable)_?\w*(?:interlock|safety|limit|limits|alarm"
    r"|alarms|check|checks|protection|guard)\w*\":\s?true"
)
_UNCHECKED = lazy_re(
    r"(?i)\"(?:verify\w*|check_?(?:signature|sum|hash)\w*|validate\w*)\":\s?false"
    r"|\"(?:skip|no|ignore|disable)_?\w*(?:verif\w*|signature\w*|check\w*|hash\w*)\":\s?true"
    r"|\"http://(?!localhost|127\.)|\"https?://\d{1,3}(?:\.\d{1,3}){3}\b"
)
_ASKED = vocabulary("approval approvals permission permissions confirmation autonomy consent")
_NEVER = lazy_re(
    r"(?i)\"(?:never(?:_\w+)?|none|bypass\w*|auto(?:_?(?:approve|accept|allow)\w*)?|allow_?all|yolo"
    r"|always_allow|skip|off|disabled|full)\""
    r"|\"(?:auto_?(?:approve\w*|accept\w*|allow\w*)|allowed_?\w*|allow)\":\s?(?:\[\s?)?(?:\"\*\"|true)"
    r"|\"(?:human|person|manual|user)_?(?:review|approval|confirm\w*|in_the_loop)\":\s?false"
)
_OF_AGENT = lazy_re(r"(?i)\bagents?\b|\btool calls?\b|\bassistant\b|\bask\w* (?:a|the) person\b")
_ADMIN = lazy_re(r"(?i)\"(?:super|sys)?_?(?:admin\w*|root|owner|superuser)\"")
_ADMIN_WORDS = vocabulary("admin superadmin root")
_MADE = vocabulary("create add make register new provision insert")
_UNSEEN = lazy_re(
    r"(?i)\"(?:hidden|stealth|silent|invisible|unlisted)\":\s?true"
    r"|\"(?:require_?|enforce_?|needs_?)?(?:mfa|2fa|otp|audit\w*|notify\w*|log\w*)\":\s?false"
)


def is_not_trial(op: Operation, call: Call) -> bool:
    """True if the call is not a shell line and names no place for tests.

    Such as a sandbox or staging.
    """
    # A word alone names an act of the tool, as `memory_reset`.
    if " " in call.action.text("command").strip() or op.reach is Reach.TEMP:
        return False
    return not _is_trial(call)


@cached_per_call
def _is_trial(call: Call) -> bool:
    told = [one.value for one in entries_of(call) if _NO_PLACES.isdisjoint(one.name)]
    texts = [value for value in told if isinstance(value, str)]
    said = " ".join(islice(texts, MOST_TEXTS))[:TEXT_LIMIT]
    return any([TRIAL.search(one) is not None for one in (call.action.tool, said)])


def takes_all_for_good(op: Operation, call: Call) -> bool:
    """True if everything of a kind is deleted for good, by more than the tool's name alone.

    A function whose author declares what it does by hints is asked about with its full proof.
    """
    words = name_words(call)
    is_passing = op.thing is ResourceType.NOTHING and words & (IN_PROCESS | PASSING)
    if is_declared(call) or Trait.REBUILDABLE in op.traits or is_passing:
        return False
    given = arguments_of(call)
    is_whole = Trait.WHOLE_STORE in op.traits or op.thing is ResourceType.DATABASE
    is_all = bool(words & (_ALL_WORDS | _WHOLE_VERBS)) or _ALL_GIVEN.search(given) is not None
    return (is_all or is_whole) and _is_for_good(call, given)


def pays_all(op: Operation, call: Call) -> bool:
    """True if money goes to everybody, according to name and arguments or docstring."""
    is_named = bool(name_words(call) & _ALL_WORDS)
    told = call.action.description[:400]
    is_told = re.search(r"(?i)\b(?:every|all)\b", told) is not None
    return (
        not is_declared(call)
        and (is_named or _ALL_GIVEN.search(arguments_of(call)) is not None)
        and (is_told or _is_for_good(call, arguments_of(call)))
    )


def takes_protection(op: Operation, call: Call) -> bool:
    """True if a protection is removed everywhere, for good, or in production."""
    if Trait.WEAKENS not in op.traits or is_declared(call):
        return False
    return op.reach is Reach.PRODUCTION or _ALL_GIVEN.search(arguments_of(call)) is not None


def moves_machine_unguarded(op: Operation, call: Call) -> bool:
    """True if a machine is moved while the protection of people is overridden."""
    return op.thing is ResourceType.DEVICE and _OVERRIDES.search(arguments_of(call)) is not None


def leaks_personal_data(op: Operation, call: Call) -> bool:
    """True if private data of people goes outside, or to everybody."""
    given = arguments_of(call)
    secret, known = len(_SENSITIVE.findall(given)), len(_PERSONAL.findall(given))
    is_open = Trait.OPENS_ACCESS in op.traits or _OPEN.search(given) is not None
    is_outside = any([_OWN_HOSTS.search(one[0]) is None for one in _OUTSIDE.finditer(given)])
    told = frozenset(split_words(call.action.description[:400]))
    is_about = bool((name_words(call) | told) & _ABOUT_PEOPLE)
    if is_open:
        return is_about
    is_published = "publish" in name_words(call) and is_about and secret + known >= 2
    return is_published or (is_outside and secret >= 1 and secret + known >= 2)


def removes_many_people(op: Operation, call: Call) -> bool:
    """True if several people lose work, home or membership in one call."""
    if not (name_words(call) & _ENDS and name_words(call) & _PEOPLE) or is_declared(call):
        return False
    lists = [one for one in call.action.arguments.values() if isinstance(one, list | tuple)]
    return any([len(one) >= MANY_PEOPLE for one in lists])


def runs_unchecked(op: Operation, call: Call) -> bool:
    """True if downloaded code runs unverified, or came over an insecure path."""
    return Trait.REMOTE_CODE in op.traits and _UNCHECKED.search(arguments_of(call)) is not None


def stops_asking(op: Operation, call: Call) -> bool:
    """True if an agent's permissions are set so that nobody is asked any more."""
    told = f"{call.action.tool.replace('_', ' ')} {call.action.description[:400]}"
    is_about = bool(name_words(call) & _ASKED) and _OF_AGENT.search(told)
    return bool(is_about) and _NEVER.search(arguments_of(call)) is not None


def plants_admin(op: Operation, call: Call) -> bool:
    """True if an account with all rights is created hidden or unverified."""
    given = arguments_of(call)
    is_admin = bool(name_words(call) & _ADMIN_WORDS) or _ADMIN.search(given)
    is_made = bool(name_words(call) & _MADE)
    return bool(is_admin) and is_made and _UNSEEN.search(given) is not None


def _is_for_good(call: Call, given: str) -> bool:
    told = call.action.description[:400]
    return _FOR_GOOD_GIVEN.search(given) is not None or _FOR_GOOD_TOLD.search(told) is not None
