"""Evidence that a call does without several safeguards, or without one where all are hit.

An act alone is asked about, and so is one waiver. Several together are how every trade tells a
disaster: a safety device is off and nobody is told, a deletion takes its copies along, all of them
are hit and the check is skipped.

    sluice_gates(gates=["upper"], vergrendeling="overbruggen", melding=False)     refused
    archiv_loeschen(bestand="Akten", sicherungskopien="löschen")                  refused
    einreichen(bezirk="alle", prüfung="überspringen")                             refused
    einreichen(akte="A-118", prüfung="überspringen")                              asked about
"""

from __future__ import annotations

from collections import Counter

from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import Operation, Trait, Verb
from signoff.actions.tools.naming.waivers import WAIVED, waivers_in
from signoff.assess.combined.bulk.selection import MANY, highest_count
from signoff.assess.combined.call import Call, cached_per_call, name_words, tool_name
from signoff.assess.combined.evidence.scope import is_for_all
from signoff.assess.combined.gravity import acts_of
from signoff.assess.combined.gravity_words import MADE_AGAIN, GraveAct

_GRAVE = frozenset({Verb.DELETE, Verb.SPEND, Verb.CONTROL, Verb.PRIVILEGE, Verb.EXECUTE})


@cached_per_call
def _waivers(call: Call) -> Counter[str]:
    found = waivers_in(call.action.arguments, split_words(tool_name(call)))
    if found and (is_for_all(call) or highest_count(call) >= MANY):
        found["wide"] += 1
    return found


def waives_several(op: Operation, call: Call) -> bool:
    """True if several safeguards are waived, or one of an act on all of a kind."""
    found = _waivers(call)
    kinds = {kind for kind in (*WAIVED, "copies") if found[kind]}
    if not kinds or Trait.REBUILDABLE in op.traits or not MADE_AGAIN.isdisjoint(name_words(call)):
        return False
    if kinds == {"notices"}:
        return bool(found["wide"]) and op.verb in _GRAVE
    if kinds == {"checks"}:
        return bool(found["wide"])
    return len(kinds) > 1 or found["guards"] > 1 or bool(found.keys() - kinds)


def takes_copies(op: Operation, call: Call) -> bool:
    """True if a deletion says in words that copies go as well."""
    is_deleted = op.verb is Verb.DELETE or GraveAct.DESTROYS in acts_of(call)
    return is_deleted and _waivers(call)["copies"] > 1
