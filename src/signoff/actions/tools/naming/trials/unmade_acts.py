"""Calls whose arguments say that the act is not made yet, or is made of a draft.

Names in all languages are read. What is told is held back only where nothing orders the act, means
everything or says production, and where no safeguard is switched off (`held_back` asks that):

- an act is refused:        filter_ansicht {"periode": "2025-08", "likvidovat": false}
- a cart is not ordered:    bestilling {"kurv": "uge 12", "send": false}
- a draft is acted on:      ordine_annulla {"ordine": "BOZZA-12"}
- a state says proposal:    ventil_stäng {"läge": "förslag"}
- a state says waiting, and who decides: lainaus {"tila": "odottaa", "päättää": "johtaja"}
- it is provisional:        kapelle_reservieren {"vorläufig": true}
- only if it is unused:     delete_automation {"id": "a1", "only_if_disabled": true}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import act_of, is_often_noun, words_of_trials
from signoff.actions.lexicon.languages.waivers import kinds_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import CARE, VERBS
from signoff.actions.operation import Verb
from signoff.actions.tools.naming.trials.arguments import MOST, folded_words
from signoff.actions.tools.naming.trials.named_stand_ins import is_content
from signoff.actions.tools.naming.trials.rehearsals import MODES, is_nobody, is_trial_switch
from signoff.actions.tools.naming.waivers import WAIVED, waivers_in

UNREAD = Verb.EXECUTE  # stands for an act that no name tells
_KEPT = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.DELETE, Verb.CONTROL})
_MADE_LATER = _KEPT | {Verb.SPEND, Verb.PERSIST, UNREAD}
_DECIDED = _MADE_LATER | {Verb.NETWORK_OUT, Verb.PUBLISH}
_BOOKED = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.PERSIST, UNREAD})
# Acts that would be all of a call: where one is refused, nothing is done. Without a notice, a
# refund or a record, an act is done all the same.
_ENDS = frozenset({Verb.DELETE, Verb.SPEND, Verb.PUBLISH, Verb.NETWORK_OUT, UNREAD, Verb.CONTROL})
_NO_ENDS = vocabulary(
    "notify notification notice warn alert remind reminder message refund return restore reply"
    " forward answer inform escalate contact comment restart reset record register log clear"
    " overwrite cancel stop use run check email mail sms text power file page file buy"
)
_SELECTIONS = vocabulary("query filter where condition selection search criteria select")
_STATES = ("status", "condition", "situation")
_PASSES_ON = vocabulary(
    "approve grant accept publish release send submit deploy promote confirm finalize finalise"
    " execute sign merge start permit authorise authorize apply commit activate"
)
_FEWEST = 3  # arguments of a call that says what it would set, beside the switch
_ID = 48  # characters of an id at most
_Switch = tuple[str, str, Json]  # the name, the same in one word, the value


def unmade(
    given: list[_Switch], words: tuple[str, ...], arguments: Mapping[str, Json]
) -> frozenset[Verb]:
    """Return the acts that a call only prepares; `UNREAD` among them is one that nobody can read.

    Args:
        words: the words of the tool's own name.
    """
    found = frozenset[Verb]().union(
        _refused(given, words),
        _of_drafts(given, words),
        _of_states(given, words),
        _of_conditions(given),
        _of_authors(given, words),
    )
    if not found or _waives(arguments, words) or any(map(_is_earnest, given)):
        return frozenset()
    # What nobody reads may set anything in a part of its own.
    return found if _is_flat(arguments) else found - {UNREAD}


def _is_earnest(one: _Switch) -> bool:
    """Tell a trial that is refused: `probelauf: false`."""
    name, short, value = one
    return is_nobody(value) and is_trial_switch(name, short)


def _is_flat(arguments: Mapping[str, Json]) -> bool:
    values = [*arguments.values()]
    inner = [one for value in values if isinstance(value, list | tuple) for one in value]
    return not any([isinstance(one, Mapping) for one in (*values, *inner)])


def _waives(arguments: Mapping[str, Json], words: tuple[str, ...]) -> bool:
    found = waivers_in(arguments, words)
    return any([found[kind] for kind in (*WAIVED, "copies", "wide")])


def _refused(given: list[_Switch], words: tuple[str, ...]) -> frozenset[Verb]:
    """Tell an end that is refused: `likvidovat: false`, `pay: false`, `skicka: false`."""
    modes = [
        folded_words(value)
        for _, short, value in given
        if isinstance(value, str) and short in MODES
    ]
    if not all([any(map(_is_proposal, told)) for told in modes]):
        return frozenset()
    ends = [_end(name) for name, _, value in given if value is False]
    found = frozenset([verb for verb in ends if verb is not None])
    if not found:
        return frozenset()
    # A change that is not applied is only shown; `set_rule(gate, apply=False)` switches the rule.
    is_shown = any([value is False and _is_applied(name) for name, _, value in given])
    if is_shown and len(given) > _FEWEST:
        found |= {Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL}
    # What is ordered without being paid is owed; a cart, or what is only kept free, is not ordered.
    is_kept = any([_names(short, "carts") for _, short, _ in given])
    is_kept = (
        is_kept or UNREAD in found or any([word in words_of_trials("holds") for word in words])
    )
    return found - {Verb.SPEND} | ({Verb.SPEND} if is_kept else frozenset()) | {UNREAD}


def _end(name: str) -> Verb | None:
    """Return the act that an argument would order; `delete_copies` names one of its own."""
    told = split_words(name[:MOST])
    word = folded("".join(told))
    if not told or "notices" in kinds_of(told):
        return None
    if _is_carried(word):
        return UNREAD
    acts = {act_of(word), concept_of(word), concept_of(told[0]), word} - {""}
    verbs = [VERBS[act] for act in acts if act in VERBS and VERBS[act] in _ENDS]
    is_end = _NO_ENDS.isdisjoint(acts) and (len(told) == 1 or bool(act_of(word)))
    return max(verbs, key=CARE.__getitem__) if verbs and is_end else None


def _is_applied(name: str) -> bool:
    word = folded("".join(split_words(name[:MOST])))
    return word in words_of_trials("applied") and word not in _CARRIED_OUT


# Words that say as often that something was done: a test that was not, with a result.
_CARRIED_OUT = vocabulary(
    "shishi iverksett umsetzen anvend anwenden final pinal definitif definitivo endgueltig"
    " 实施 実施 시행 反映"
)


def _is_carried(word: str) -> bool:
    return any([word in words_of_trials(kind) for kind in ("carried_out", "applied", "completed")])


def _of_drafts(given: list[_Switch], words: tuple[str, ...]) -> frozenset[Verb]:
    """Tell `probe: "ENTWURF-17"`: an id in which a word says that it is a draft."""
    if any([_is_passed_on(word) for word in words]):
        return frozenset()
    for name, _, value in given:
        if isinstance(value, str) and len(value) <= _ID and not is_content(name):
            is_one = len(value.split()) <= 2 and "*" not in value and "%" not in value
            is_id = is_one and any([char in value for char in "-_./ "])
            if is_id and any([_is_draft(word) for word in folded_words(value)]):
                return _KEPT
    return frozenset()


def _is_passed_on(word: str) -> bool:
    """Tell an act by which a draft becomes real."""
    return not is_often_noun(word) and not _PASSES_ON.isdisjoint(
        (word, act_of(word), concept_of(word))
    )


def _is_draft(word: str) -> bool:
    return concept_of(word) == "draft" or word == "draft" or word in words_of_trials("drafts")


def _of_states(given: list[_Switch], words: tuple[str, ...]) -> frozenset[Verb]:
    """Tell a state or a way of working that says that it is a proposal, or that it waits."""
    if any([_is_passed_on(word) for word in words]) or any([_selects(one) for one in given]):
        return frozenset()
    states = [
        folded_words(value)
        for _, short, value in given
        if isinstance(value, str) and len(value) <= _ID and _is_state(short)
    ]
    has_more = len(given) > 1
    is_decided = any(
        [
            (short in _APPROVERS or _names(short, "approvers")) and not is_nobody(value)
            for _, short, value in given
        ]
    )
    if any([bool(told) and all(map(_is_proposal, told)) for told in states]) and has_more:
        return _DECIDED if is_decided or _is_made(given, words) else _MADE_LATER
    if is_decided and any([any(map(_is_waiting, told)) for told in states]):
        return _DECIDED
    # `status: "menunggu_pengurus"` says for whom it waits.
    if any([len(told) > 1 and _is_waiting(told[0]) for told in states]) and has_more:
        return _BOOKED
    is_provisional = any(
        [value is True and _names(short, "provisional") for _, short, value in given]
    )
    return _BOOKED if is_provisional else frozenset()


def _is_made(given: list[_Switch], words: tuple[str, ...]) -> bool:
    """Tell a tool that makes the draft, and no time at which it comes out by itself."""
    told = [word for name, _, _ in given for word in split_words(name[:MOST])]
    if any([not _LATER.isdisjoint((word, concept_of(word), act_of(word))) for word in told]):
        return False
    return any([word in ("create", "new", "add") or act_of(word) == "create" for word in words])


_APPROVERS = vocabulary("approver approvers reviewer reviewers signers signatories")
_LATER = vocabulary(
    "publish published send schedule scheduled date time recipient recipients notify"
)


def _selects(one: _Switch) -> bool:
    told = split_words(one[0][:MOST])
    return not _SELECTIONS.isdisjoint([*told, *map(concept_of, told)])


def _is_state(short: str) -> bool:
    return concept_of(short) in _STATES or short in words_of_trials("states")


def _is_proposal(word: str) -> bool:
    return _is_draft(word) or concept_of(word) == "proposal" or word in words_of_trials("proposals")


def _is_waiting(word: str) -> bool:
    return (
        _is_proposal(word)
        or word in words_of_trials("waiting")
        or word in words_of_trials("requested")
        or word in _PARKED
    )


_PARKED = vocabulary("staged parked unapproved unsigned provisional tentative")


def _names(short: str, kind: str) -> bool:
    stems = words_of_trials(kind)
    least = 4 if short.isascii() else 1
    return any([short[:cut] in stems for cut in range(least, len(short) + 1)])


def _of_authors(given: list[_Switch], words: tuple[str, ...]) -> frozenset[Verb]:
    """Tell an entry of a named author that nobody has signed or published yet."""
    is_told = any(
        [_names(short, "authors") and isinstance(value, str) for _, short, value in given]
    )
    refused = [split_words(name[:MOST]) for name, _, value in given if value is False]
    is_unsigned = any([len(told) == 1 and _is_signed(told[0]) for told in refused])
    is_kept = is_told and is_unsigned and not any([_is_passed_on(word) for word in words])
    return _KEPT if is_kept else frozenset()


def _is_signed(word: str) -> bool:
    plain = folded(word)
    said = {concept_of(word), concept_of(plain), act_of(plain), word}
    return not _SIGNED.isdisjoint(said)


_SIGNED = vocabulary(
    "sign publish confirm approve assign signed published confirmed approved assigned"
)


def _of_conditions(given: list[_Switch]) -> frozenset[Verb]:
    """Tell `only_if_disabled: true`, `only_if_status: "staged"`: what is in use stays."""
    for name, _, value in given:
        told = split_words(name[:MOST])
        if told[:2] == ("only", "if") and len(given) > 1:
            said = (
                told[2:] if value is True else folded_words(value) if isinstance(value, str) else ()
            )
            if not _UNUSED.isdisjoint(said):
                return _KEPT
    return frozenset()


_UNUSED = vocabulary(
    "disabled unused empty draft staged stopped inactive unpublished unsent pending"
)
