"""Names of tools that look, in other shapes than a verb in front.

English compounds have their head last, and what a head of this kind names is a look:

    workspace_log_query     a query          esearch, ldapsearch     a search, written together
    usageReferences         references       orders_by_customer      orders, as a list
    typeHierarchy           a hierarchy      subscribe_once          one message, and no more

A plain verb of change anywhere in the name says more: `delete_by_query` deletes.
"""

from __future__ import annotations

import re

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import singular
from signoff.actions.lexicon.verbs import NOUN_LIKE, VERBS, Lead
from signoff.actions.operation import Verb

# Heads that say that something is looked up, whatever stands before them.
_HEADS = vocabulary(
    "query queries search searches lookup lookups hierarchy reference references usage usages"
    " definition definitions implementation implementations declaration declarations used callers"
    " callees symbols diagnostics listing overview preview"
)
# Written behind a short word without a sign between; `forget` and `discount` end in other verbs.
_JOINED = re.compile(r"([a-z]{1,6}?)(?:search|fetch|lookup|query|info|summary|stats|status)")
_ONE = vocabulary("once one next")
_WAITS = vocabulary("subscribe receive echo listen await wait sample poll")
_JOINS = vocabulary("by for of in near within at between per since")
_SAFE = frozenset({Verb.WRITE, Verb.PERSIST, Verb.READ, Verb.INERT, Verb.NETWORK_IN})
_HANDS_ON = vocabulary("webhook callback url endpoint command handler forward target sink")


def looks(words: tuple[str, ...], lead: Lead | None, arguments: frozenset[str]) -> Lead | None:
    """Return the look that a name's head says, None if the name says no more than its verb.

    Args:
        lead: the verb that leads the name, None if it has none.
        arguments: words of the arguments' names.
    """
    if not words or (lead is not None and lead.verb not in _SAFE):
        return None
    last, at = words[-1], len(words) - 1
    if _is_one_message(words) and _HANDS_ON.isdisjoint(arguments):
        return Lead(Verb.READ, words[-2], at - 1)
    if last in _HEADS and len(words) > 1 and _are_nouns(words[:-1]):
        return Lead(Verb.READ, last, at)
    if lead is None and (_is_joined(last) or _is_listing(words)):
        return Lead(Verb.READ, last, at)
    return None


def _is_one_message(words: tuple[str, ...]) -> bool:
    return len(words) > 1 and words[-1] in _ONE and words[-2] in _WAITS


def _are_nouns(words: tuple[str, ...]) -> bool:
    """Tell words that are all nouns, or could be; `type` is what a hierarchy is of."""
    return all([word not in VERBS or word in NOUN_LIKE or word == "type" for word in words])


def _is_joined(word: str) -> bool:
    found = _JOINED.fullmatch(word)
    return found is not None and found[1] not in VERBS


def _is_listing(words: tuple[str, ...]) -> bool:
    """Tell `orders_by_customer`: a plural, and what it is chosen by."""
    at = next((at for at, word in enumerate(words) if word in _JOINS), 0)
    return 0 < at < len(words) - 1 and singular(words[at - 1]) != words[at - 1]
