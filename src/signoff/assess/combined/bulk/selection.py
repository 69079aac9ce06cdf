"""Whom a call of a function or tool selects: one, a bounded list, or everybody of a kind.

A selection has no end where it names nobody: a status, a date, a department, a segment. Where it
names somebody (an id, an address), or only what is left over (expired, bounced), it has one. A
number that the call gives itself says how many they are.

    {"filter": {"status": "active"}}                 no end
    {"employee_ids": "department:Logistics"}         no end: a group in the place of ids
    {"recipient_count": 48210}                       so many
    {"filter": {"email": "a@example.org"}}           one
    {"query": "label:newsletter older_than:6m"}      what is left over
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.call import MOST_ENTRIES, Call, Entry, cached_per_call, entries_of

MANY = 100
LONGEST = 300  # characters: a longer text is content

_SELECTORS = vocabulary(
    "selector selection filter filters where criteria criterion condition conditions query match"
    " matching cohort population target targets search predicate selected"
)
# What is remarked about a call selects nothing.
REMARKS = vocabulary(
    "reason comment note notes description message text body title subject why justification"
    " purpose explanation rationale template label labels display"
)
_TARGETS = vocabulary("target targets")
_GROUPS = vocabulary(
    "department departments dept division team unit orgunit organisation organization company"
    " branch region country county district city site location office plant store stores class"
    " grade course cohort segment segments audience tier plan status state role group population"
    " portfolio fleet shard warehouse season year school clinic ward created since before after"
)
_IDENTITIES = vocabulary(
    "id ids uuid uuids guid email emails mail username login handle sku skus iban phone name names"
    " key keys slug ref code serial barcode"
)
# At the top of a call these name whom it hits; `reason_code` and `template_name` do not.
_OWN_IDENTITIES = vocabulary("id ids uuid uuids email emails sku skus iban username login number")
# An id of these tells where it happens, not to whom.
_PLACES = vocabulary(
    "account org organization organisation tenant store shop project workspace site company"
    " template request batch campaign environment env school course portal location region job run"
    " client user caller actor operator approver manager from sender enterprise property estate"
    " hotel instance cluster subdomain cursor session connection realm zone"
)
# How a structured condition calls the column it is about: `{"field": "email", "op": "="}`.
_COLUMNS = vocabulary("property field column attribute operator op")
_ID_PLACES = vocabulary("id ids uuid uuids number numbers")
# An identity written within a query: `email = 'a@b.example'`, `id in (1, 2)`.
_IDENTITY_SAID = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:\w*_)?(?:ids?|uuid|guid|e-?mail|username|login|sku|iban|phone|name|number"
    r"|key|slug|code)[\"'`]?\s*(?:=|:|==|\beq\b|\bin\b|\bis\b|\blike\b)\s*[\"'(\[]*[\w@.+-]"
    r"|[^\s\"'@]@[\w-]+\."
)
# What nobody misses: what is over, left behind, or was never wanted.
_LEFT_OVER = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:in_?active|archived?|expired?|bounced?|unsubscribed?|spam|junk|trash(?:ed)?"
    r"|duplicates?|duplicated|closed|resolved|stale|obsolete|drafts?|cancell?ed|void(?:ed)?|deleted"
    r"|older_?than|last_?(?:seen|login|used|activity|active)|orphan(?:ed)?|abandoned|failed"
    r"|rejected|invalid|unverified|unconfirmed|null|none|empty|unused|churned|former|terminated"
    r"|withdrawn|newsletter|promotions?)(?:[^a-z]|$)"
)
_COUNTED_LAST = vocabulary("count total number size matched affected")
_COUNTED_FIRST = vocabulary("num number count total affected matched matches n")
# Counts of something else: of a page, of words, of attempts.
_NO_MEMBERS = vocabulary(
    "page pages token tokens word words char chars character characters line lines byte bytes batch"
    " chunk retry retries max min limit price amount sum value step steps thread threads worker"
    " pool cache file image font window buffer port room seats"
)


@cached_per_call
def highest_count(call: Call) -> int:
    """Return the largest number of members that an argument gives; 0 if none does."""
    return max((_count(name, value) for name, value in _numbers(call)), default=0)


def _numbers(call: Call) -> Iterator[tuple[tuple[str, ...], int]]:
    for name, value in islice(call.action.arguments.items(), MOST_ENTRIES):
        if isinstance(value, list | tuple):
            yield ("count", *split_words(name[:80])), len(value)
    for one in entries_of(call):
        text = "" if isinstance(one.value, bool) else _text(one)
        if len(text) <= 12 and text.isdecimal() and text.isascii():
            yield one.name, int(text)


def _count(words: tuple[str, ...], number: int) -> int:
    if not words or not _NO_MEMBERS.isdisjoint(words):
        return 0
    is_count = words[-1] in _COUNTED_LAST or words[0] in _COUNTED_FIRST
    return number if is_count and len(words) > 1 else 0


@cached_per_call
def is_endless(call: Call) -> bool:
    """Return whether the call selects by a condition or group, and names nobody by it."""
    found = entries_of(call)
    chosen = [one for one in found if _selects(one)]
    if not chosen or any([_names_somebody(one) for one in found]):
        return False
    said = " ".join([" ".join((*one.above, *one.name, _text(one))) for one in chosen])
    return _LEFT_OVER.search(said) is None


def _selects(one: Entry) -> bool:
    """Tell what stands under a selector, is a group, or is a group in the place of ids."""
    if isinstance(one.value, bool) or not 0 < len(_text(one)) <= LONGEST:
        return False
    return _is_under_selector(one) or not _GROUPS.isdisjoint(one.name) or _is_group_of_ids(one)


def _is_under_selector(one: Entry) -> bool:
    return not _SELECTORS.isdisjoint((*one.above, *one.name))


def _is_group_of_ids(one: Entry) -> bool:
    """Tell `employee_ids="department:Logistics"`."""
    group, mark, _ = _text(one).replace("=", ":").partition(":")
    is_group = bool(mark) and group.strip().lower() in _GROUPS
    return is_group and not _ID_PLACES.isdisjoint(one.name)


def _names_somebody(one: Entry) -> bool:
    """Tell an id or a name of one that is hit, as a value or within a query."""
    text = _text(one)
    if not text or isinstance(one.value, bool) or _is_group_of_ids(one):
        return False
    if not _is_under_selector(one):
        is_own = not one.above and one.name[-1:] != () and one.name[-1] in _OWN_IDENTITIES
        return is_own and _PLACES.isdisjoint(one.name)
    if not _COLUMNS.isdisjoint(one.name):
        return not _IDENTITIES.isdisjoint(split_words(text[:80]))
    is_named = not _IDENTITIES.isdisjoint(one.name) or _is_one_target(one, text)
    return is_named or (len(text) <= LONGEST and _IDENTITY_SAID.search(text) is not None)


def _is_one_target(one: Entry, text: str) -> bool:
    """Tell `targets=["10.8.1.2"]`, a machine, from a condition on machines."""
    is_name = " " not in text and any([char.isdecimal() for char in text])
    return is_name and one.name[-1:] != () and one.name[-1] in _TARGETS


def _text(one: Entry) -> str:
    # `str` raises for a number of more than 4300 digits (CVE-2020-10735).
    is_long = isinstance(one.value, int) and one.value.bit_length() > 500
    return "" if one.value is None or is_long else str(one.value)
