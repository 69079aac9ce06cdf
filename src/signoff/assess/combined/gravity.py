"""How grave a call of a function or a tool is: by act, scope and aggravation.

A trade has its own words for a disaster, but every disaster is told the same way: something is
deleted, paid, opened, sent, ended or switched off; all of it or everybody; for good, in production,
against what guards it, or with what belongs to people. One of these is asked about. An act on
everything with one aggravation is refused.

    erase_case_files(court="*", shred=True)     DESTROYS + all + for good   -> refused
    refund_everything(auto_approve=True)        PAYS + all + unguarded      -> refused
    erase_case_file(case="12-B")                DESTROYS                    -> asked
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from signoff.actions.action import ActionKind, Json
from signoff.actions.lexicon.guards import guard_off_in
from signoff.actions.lexicon.languages.translations import says_all, says_production
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.objects import IN_PROCESS, PASSING
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.tools.naming.trials.rehearsals import is_rehearsal
from signoff.actions.understand import HOST_TOOLS
from signoff.assess.combined.call import (
    TEXT_LIMIT,
    TRIAL,
    Call,
    cached_per_call,
    entries_of,
    is_declared,
    name_words,
)
from signoff.assess.combined.functions import is_not_trial
from signoff.assess.combined.gravity_words import (
    ACCESS_WORDS,
    ALL_GIVEN,
    ALL_NAMED,
    ALL_TOLD,
    AT_ONCE,
    AUDIT,
    BACKUPS,
    CODE_ADDRESS,
    DOORS,
    EVERYBODY_ROOT,
    EXEMPTIONS,
    FETCHED_CODE,
    FETCHES,
    FOR_GOOD,
    FOR_GOOD_GIVEN,
    LOADERS,
    LOGINS_ASKED,
    MADE_AGAIN,
    OF_ONE,
    OFF_GIVEN,
    OFF_TOLD,
    OPEN_TO_ALL,
    OUTSIDE,
    OWN,
    PEOPLE,
    PRIVATE,
    PRODUCTION,
    ROOT,
    SAFETY,
    SHOWN,
    SITES,
    STRANGERS,
    SWITCHED,
    UNGUARDED,
    UNGUARDED_TOLD,
    VERBS,
    WHOLE_SCOPES,
    GraveAct,
    Weight,
)

TOLD = 400  # characters of what the author wrote
SHORT = 40
LONG = 300  # characters: longer texts are content
DEEPEST = 8


def _told(call: Call) -> str:
    return call.action.description[:TOLD]


@cached_per_call
def _given(call: Call) -> str:
    """The arguments as JSON without long texts: a file or a letter may speak of anything."""
    short = {name: _short(value) for name, value in call.action.arguments.items()}
    return json.dumps(short, ensure_ascii=False)[:TEXT_LIMIT]


def _short(value: Json, depth: int = 0) -> Json:
    if isinstance(value, str):
        return value if len(value) <= LONG else ""
    if isinstance(value, Mapping) and depth < DEEPEST:
        return {name: _short(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list | tuple) and depth < DEEPEST:
        return [_short(inner, depth + 1) for inner in value]
    return value


@cached_per_call
def _short_pairs(call: Call) -> tuple[tuple[str, str], ...]:
    """The arguments that are short texts, with their names."""
    return tuple(
        [
            ("".join(one.name), one.value)
            for one in entries_of(call)
            if isinstance(one.value, str) and len(one.value) <= SHORT
        ]
    )


@cached_per_call
def acts_of(call: Call) -> GraveAct:
    """Return the grave acts named by the tool's name and the first verb of its description."""
    first = _told(call).partition(".")[0]
    words = {_stem(word) for word in (*name_words(call), *split_words(first)[:1])}
    found = GraveAct.NOTHING
    for act, verbs in VERBS:
        if words & verbs:
            found |= act
    return found


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s", "ed"):
        cut = word[: -len(ending)]
        if word.endswith(ending) and (cut in _KNOWN or f"{cut}e" in _KNOWN):
            return cut if cut in _KNOWN else f"{cut}e"
    return word


_KNOWN = frozenset().union(*[verbs for _, verbs in VERBS])


@cached_per_call
def weights_of(call: Call) -> Weight:
    """Return the circumstances that make the acts of a call worse."""
    names, given, told = name_words(call), _given(call), _told(call)
    about = names | frozenset(split_words(told)) | frozenset(split_words(given[:2_000]))
    hints = call.action.hints
    says = {
        Weight.ALL: bool(names & ALL_NAMED)
        or any([says_all(text) for _, text in _short_pairs(call)])
        or ALL_GIVEN.search(given) is not None
        or ALL_TOLD.search(OF_ONE.sub("", told)) is not None,
        Weight.FOR_GOOD: FOR_GOOD.search(told) is not None
        or FOR_GOOD_GIVEN.search(given) is not None,
        Weight.PRODUCTION: PRODUCTION.search(told) is not None
        or PRODUCTION.search(given) is not None
        or any([says_production(name, text) for name, text in _short_pairs(call)])
        or any([hints.get(name) is True for name in ("production", "prod", "live")]),
        Weight.UNGUARDED: UNGUARDED.search(given) is not None
        or UNGUARDED_TOLD.search(told) is not None,
        Weight.OF_PEOPLE: bool(about & PEOPLE),
        Weight.OF_BACKUPS: bool(names & BACKUPS) or "restore points" in told.lower(),
        Weight.OF_SAFETY: any([SAFETY.search(text) for text in (call.action.tool, given, told)]),
        Weight.OF_AUDIT: any([AUDIT.search(text) for text in (call.action.tool, given, told)]),
        Weight.OF_ROOT: ROOT.search(given) is not None or ROOT.search(told) is not None,
        Weight.PUBLIC: OPEN_TO_ALL.search(given) is not None
        or OPEN_TO_ALL.search(told) is not None,
        Weight.OUTSIDE: any([OWN.search(m.group()) is None for m in OUTSIDE.finditer(given)]),
        Weight.FROM_NETWORK: CODE_ADDRESS.search(given) is not None
        and (bool(names & LOADERS) or FETCHES.search(told) is not None),
    }
    found = Weight.NOTHING
    for weight, is_said in says.items():
        if is_said:
            found |= weight
    return found


def is_real(op: Operation, call: Call) -> bool:
    """True if the call is not a shell line and names no place for tests.

    A function whose author declares what it does by hints is asked about with its full proof.
    """
    is_function = call.action.kind is ActionKind.FUNCTION
    # A host that names a foreign tool without its server: `send_bulk_message`.
    is_tool = call.action.kind is ActionKind.TOOL and call.action.tool not in HOST_TOOLS
    if is_declared(call) or not (is_function or is_tool) or is_rehearsal(call.action.arguments):
        return False
    # What waits for somebody, or goes to a stand-in, was read as an act that is not made.
    if op.reach is Reach.LOOPBACK and op.thing is ResourceType.NOTHING and op.reversible:
        return False
    # A server's own words about its tool may raise, and never lower.
    return is_not_trial(op, call) and not (is_function and _is_told_trial(call))


@cached_per_call
def _is_told_trial(call: Call) -> bool:
    # "No sandbox" says that it is none.
    return TRIAL.search(_told(call).lower().replace("no sandbox", "")) is not None


_DEEP = Weight.FOR_GOOD | Weight.PRODUCTION | Weight.UNGUARDED


def destroys_all(op: Operation, call: Call) -> bool:
    """True if all of something important is deleted: for good, in production, or with backups."""
    weights = weights_of(call)
    if GraveAct.DESTROYS not in acts_of(call) or Weight.ALL not in weights:
        return False
    held = MADE_AGAIN if Weight.PRODUCTION in weights else MADE_AGAIN | PASSING | IN_PROCESS
    if Trait.REBUILDABLE in op.traits or not held.isdisjoint(name_words(call)):
        return False
    if weights & (Weight.PRODUCTION | Weight.FOR_GOOD | Weight.OF_BACKUPS):
        return True
    is_theirs = not PEOPLE.isdisjoint(name_words(call))
    is_given = ALL_GIVEN.search(_given(call)) is not None
    return Weight.OF_PEOPLE in weights and (Weight.UNGUARDED in weights or (is_theirs and is_given))


def pays_everybody(op: Operation, call: Call) -> bool:
    """True if money of everybody moves: unchecked, in production, or clients' money."""
    weights = weights_of(call)
    is_all = GraveAct.PAYS in acts_of(call) and Weight.ALL in weights
    return is_all and (bool(weights & _DEEP) or AT_ONCE.search(_given(call)) is not None)


def ends_people(op: Operation, call: Call) -> bool:
    """True if everybody loses work, home or membership."""
    people = GraveAct.ENDS_PEOPLE in acts_of(call) and Weight.OF_PEOPLE in weights_of(call)
    is_all = not ALL_NAMED.isdisjoint(name_words(call)) or ALL_GIVEN.search(_given(call))
    return people and bool(is_all)


_SETS_SOMETHING = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.PRIVILEGE})


def switches_safety_off(op: Operation, call: Call) -> bool:
    """True if safety, audit or protection is switched off where it matters."""
    weights, given = weights_of(call), _given(call)
    if op.verb in _SETS_SOMETHING and guard_off_in(given):
        return True
    if GraveAct.SWITCHES_OFF not in acts_of(call) or not SHOWN.isdisjoint(name_words(call)):
        return False
    is_told = OFF_TOLD.search(_told(call)) is not None
    is_off = is_told or OFF_GIVEN.search(given) is not None or bool(name_words(call) & SWITCHED)
    if not is_off:
        return False
    if Weight.OF_SAFETY in weights:
        return True
    return Weight.OF_AUDIT in weights and bool(weights & (_DEEP | Weight.ALL))


def excludes_everything(op: Operation, call: Call) -> bool:
    """True if a monitoring or security product is told to ignore everything."""
    names = name_words(call)
    is_exemption = bool(names & EXEMPTIONS)
    return is_exemption and ALL_GIVEN.search(_given(call)) is not None


def opens_everything(op: Operation, call: Call) -> bool:
    """True if everybody gets in, somebody gets all rights, or private data become public."""
    weights, acts = weights_of(call), acts_of(call)
    names = name_words(call)
    if GraveAct.OPENS in acts and Weight.OF_ROOT in weights and Weight.ALL in weights:
        return bool(names & ACCESS_WORDS)
    if GraveAct.OPENS in acts and Weight.ALL in weights and Weight.UNGUARDED in weights:
        return bool(names & DOORS)
    if Trait.OPENS_ACCESS in op.traits and Weight.PUBLIC in weights:
        is_whole = bool(weights & Weight.ALL) and Weight.PRODUCTION in weights
        is_site = not SITES.isdisjoint(split_words(_given(call)[:2_000]))
        return _is_private(call) or (is_whole and not is_site)
    is_shown = bool(acts & (GraveAct.OPENS | GraveAct.SENDS)) and Weight.PUBLIC in weights
    return is_shown and _is_private(call)


def makes_all_administrators(op: Operation, call: Call) -> bool:
    """True if whoever signs up, or has no account, becomes an administrator."""
    return EVERYBODY_ROOT.search(_given(call)) is not None


def admits_stranger(op: Operation, call: Call) -> bool:
    """True if an outsider gets all rights over a cloud, organisation or account."""
    if op.verb is not Verb.PRIVILEGE or Weight.OF_ROOT not in weights_of(call):
        return False
    given = _given(call)
    is_strange = not STRANGERS.isdisjoint(split_words(given[:2_000]))
    is_outside = OUTSIDE.search(given) is not None and is_strange
    return is_outside and WHOLE_SCOPES.search(given) is not None


def asks_everybody(op: Operation, call: Call) -> bool:
    """True if a message to everybody asks for a card, password or login at a URL."""
    weights = weights_of(call)
    is_sent = GraveAct.SENDS in acts_of(call) and Weight.ALL in weights
    return is_sent and LOGINS_ASKED.search(_given(call)) is not None


def sends_people(op: Operation, call: Call) -> bool:
    """True if all stored data about people goes outside."""
    weights = weights_of(call)
    is_sent = (
        GraveAct.SENDS in acts_of(call) and Weight.OUTSIDE in weights and Weight.ALL in weights
    )
    return is_sent and _is_private(call)


@cached_per_call
def _is_private(call: Call) -> bool:
    words = (*name_words(call), *split_words(_told(call)), *split_words(_given(call)[:2_000]))
    return not PRIVATE.isdisjoint(words)


def runs_unread(op: Operation, call: Call) -> bool:
    """True if code is downloaded and run unread, from an unverified source."""
    weights = weights_of(call)
    if GraveAct.RUNS not in acts_of(call):
        return False
    is_code = CODE_ADDRESS.search(_given(call)) and name_words(call) & FETCHED_CODE
    return Weight.FROM_NETWORK in weights or (bool(is_code) and Weight.UNGUARDED in weights)


def moves_unguarded(op: Operation, call: Call) -> bool:
    """True if a machine is moved against its safeguards."""
    weights = weights_of(call)
    is_moved = GraveAct.MOVES in acts_of(call) and Weight.UNGUARDED in weights
    return is_moved and Weight.OF_SAFETY in weights
