"""Evidence that an act on all of a kind is left to nobody, or goes without what holds it back.

The words of a trade are endless, the form is the same in each language: everything is selected
(`*`, `hall:*`, all), and beside it an argument that asks for somebody is null or empty, or a
condition of several words is switched off, or the call says that it is for real.

    rozsudky_zmenit(spis="*", schvalil=None)                        refused
    smelter_command(furnaces="hall:*", vent_on_overheat=False)      refused
    smelter_command(furnaces=["F2"], vent_on_overheat=False)        asked about
    tank_command(tanks="*", valve="drain", mode="live")             refused
    pay_run(run="11", duplicate_check=False, approver=None)         refused
    price_set(site="*", publish=False)                              nothing: no act is ordered
    list_runs(filter="*", cursor=None)                              nothing: a look
"""

from __future__ import annotations

from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import (
    act_of,
    is_look,
    says_all,
    words_of_trials,
)
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.tools.naming.trials.environments import names_of_stand_in
from signoff.actions.tools.naming.trials.rehearsals import is_nobody, is_trial_switch
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.bulk.selection import REMARKS
from signoff.assess.combined.call import Call, Entry, cached_per_call, entries_of, name_words
from signoff.assess.combined.facts import FAR
from signoff.assess.combined.gravity_words import MADE_AGAIN

# A selection of all: `*`, `hall:*`, `plan=*`, `prepaid-*`, `93*`; a path is none.
_ALL_OF = lazy_re2(r"^(?:[^\s/*\\.]{1,40}[:=_-]|[A-Z0-9]{1,10})?\*$|^%$")
# What `*` matches there are names of files, addresses or events, or columns.
_MATCHED = vocabulary(
    "glob globs pattern patterns include exclude file files path paths origin origins cors event"
    " events topic field fields column columns attributes environment branch branches ref host"
    " hosts mask test tests spec specs"
)
# What is left open in any call and asks for nobody.
_OPEN = vocabulary(
    "cursor page offset limit token filter filters sort order query search after before from since"
    " start until end to expiry expires timeout format fields version body payload value content"
    " next previous locale language region description parent folder prefix suffix default"
)
# Conditions that only say what is shown or taken along.
_SHOWS = vocabulary(
    "include included includes show with without recursive recurse expand verbose raw pretty header"
    " headers case sensitive return wait async stream cache cached debug names only"
)
_TRIALS = vocabulary("draft proposal simulation trial mock demo sandbox dryrun")
_BOLD = vocabulary(
    "force forced skip bypass ignore override overwrite allow hard permanent permanently purge"
    " delete erase cascade no without disable disabled unsafe silent quiet auto automatic now"
    " immediately notify notification email send publish"
)
_SHORT = 48  # characters of a state or a mode at most
_CHECKS = vocabulary("test tests lint build format bench benchmark spec specs suite typecheck")
_PRESENT = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})


@cached_per_call
def is_for_every_one(call: Call) -> bool:
    """Return whether a value selects all of a kind, in any language."""
    return any([_selects_all(one) for one in entries_of(call)])


def _selects_all(one: Entry) -> bool:
    if not isinstance(one.value, str) or not (REMARKS | _MATCHED).isdisjoint(one.name):
        return False
    return _ALL_OF.search(one.value) is not None or says_all(one.value)


def nobody_answers(op: Operation, call: Call) -> bool:
    """True if all of a kind is acted on, and an argument that names somebody is left empty."""
    return _is_for_real(op, call) and any([_is_left_open(one) for one in entries_of(call)])


def nothing_holds_back(op: Operation, call: Call) -> bool:
    """True if all of a kind is acted on, and a condition of the act is switched off."""
    return _is_for_real(op, call) and any([_is_switched_off(one) for one in entries_of(call)])


def is_ordered_for_all(op: Operation, call: Call) -> bool:
    """True if all of a kind is acted on, and a value says that it is for real: `mode: "live"`."""
    is_own = any([_selects_all(one) and not one.above for one in entries_of(call)])
    if not is_own or not _is_for_real(op, call):
        return False
    told = [one.value.split() for one in entries_of(call) if isinstance(one.value, str)]
    alone = {folded(words[0][:_SHORT]) for words in told if len(words) == 1}
    is_read = any([VERBS.get(word) in _PRESENT or is_look(word) for word in alone])
    return not is_read and not words_of_trials("production").isdisjoint(alone)


def lacks_both(op: Operation, call: Call) -> bool:
    """True if nobody is named who answers for an act, and a condition of it is switched off."""
    found = entries_of(call)
    is_bare = any(map(_is_left_open, found)) and any(
        [one.value is False and _is_switched_off(one) for one in found]
    )
    # The rules of a branch are asked about, whatever they are.
    is_branch = op.thing is ResourceType.REPOSITORY or "branch" in name_words(call)
    return is_bare and not is_branch and _is_act_of_service(op, call) and not _is_held(call)


def _is_for_real(op: Operation, call: Call) -> bool:
    return _is_act_of_service(op, call) and is_for_every_one(call) and not _is_held(call)


def _is_act_of_service(op: Operation, call: Call) -> bool:
    names = name_words(call)
    is_far = op.reach in FAR or op.reach in (Reach.UNKNOWN, Reach.LOOPBACK)
    is_again = Trait.REBUILDABLE in op.traits or not MADE_AGAIN.isdisjoint(names)
    return is_far and not is_again and _CHECKS.isdisjoint(names)


@cached_per_call
def _is_held(call: Call) -> bool:
    """Tell a call at a stand-in, and one that refuses an act: `publish: false`, `declare: null`."""
    if names_of_stand_in(call.action.arguments):
        return True
    if any([_says_trial(one) for one in entries_of(call)]):
        return True
    return any([_is_refused_act(one) for one in entries_of(call)])


def _says_trial(one: Entry) -> bool:
    """Tell a switch to try only, and a value of one or two words that says that it is a trial."""
    if isinstance(one.value, bool):
        return one.value and is_trial_switch("_".join(one.name), "".join(one.name))
    told = split_words(one.value) if isinstance(one.value, str) and len(one.value) <= _SHORT else ()
    return 0 < len(told) <= 2 and any([_is_trial_word(word) for word in told])


def _is_trial_word(word: str) -> bool:
    said = {word, folded(word)}
    lists = ("stand_ins", "proposals", "drafts", "models")
    return concept_of(word) in _TRIALS or any([said & words_of_trials(kind) for kind in lists])


def _is_refused_act(one: Entry) -> bool:
    is_refused = one.value is None or is_nobody(one.value)
    return is_refused and len(one.name) == 1 and _is_act(one.name[0])


def _is_act(word: str) -> bool:
    said = {word, folded(word), concept_of(word), concept_of(folded(word)), act_of(word)}
    verbs = {VERBS.get(one) for one in said} - {None}
    return bool(verbs - _PRESENT)


def _is_left_open(one: Entry) -> bool:
    if one.above or not one.name or (one.value is not None and one.value != ""):
        return False
    said = {*one.name, *map(concept_of, one.name), *map(concept_of, map(folded, one.name))}
    return _OPEN.isdisjoint(said)


def _is_switched_off(one: Entry) -> bool:
    is_nothing = one.value is False or (one.value == 0 and not isinstance(one.value, bool))
    if not is_nothing or len(one.name) < 2 or not _SHOWS.isdisjoint(one.name):
        return False
    if one.value is not False and not _OPEN.isdisjoint(one.name):
        return False
    if is_trial_switch("_".join(one.name), "".join(one.name)):
        return False
    # `force_update: false`, `skip_checks: false`, `hard_delete: false`: the careful value.
    said = {*one.name, *map(concept_of, one.name), *map(act_of, one.name)}
    if not _BOLD.isdisjoint(said):
        return False
    return VERBS.get(one.name[0]) not in _PRESENT and not is_look(one.name[0])
