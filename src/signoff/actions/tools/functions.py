"""What a call of a plain Python function does, by its name and arguments.

The name is the developer's own word for it, so a name without a known verb is an ordinary call
of the program's own code; then the docstring's first verb tells. Nothing of it lowers the risk:
that is scored by the five factors of spec 1 alone. Operations let detectors and rules speak of
what the call does.

    transfer_funds(to="acct_9", amount=5000)   -> SPEND money, REMOTE
    calculate_total([1, 2])                    -> INERT
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.action import Action
from signoff.actions.lexicon.languages.translations import in_english
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import IN_PROCESS, singular, thing_of
from signoff.actions.lexicon.verbs import CARE, VERBS, Lead, lead_verb, verb_of_sentence
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.tools.flags import flagged_verb, named_verb
from signoff.actions.tools.naming.argument_paths import paths_in
from signoff.actions.tools.naming.circumstances import circumstances_of
from signoff.actions.tools.naming.contents import embedded, is_cut
from signoff.actions.tools.naming.effects import ToolReading, effect
from signoff.actions.tools.naming.named_object import named_object
from signoff.actions.tools.naming.pairs import is_pure
from signoff.actions.tools.naming.sentences import grave_act
from signoff.actions.tools.naming.values import (
    does_nothing,
    gives_value,
    stays_in_process,
    tells_rehearsal,
)
from signoff.actions.tools.sent_files import secrets_named
from signoff.actions.wording.calls.reading import with_words
from signoff.values import replace

_OUTSIDE = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.SPEND, Verb.NETWORK_IN})
_REMOTE_THINGS = frozenset(
    {
        ResourceType.MONEY,
        ResourceType.CLOUD,
        ResourceType.CLUSTER,
        ResourceType.MESSAGE,
        ResourceType.URL,
        ResourceType.NETWORK,
        ResourceType.DEVICE,
        ResourceType.SERVICE,
    }
)
_ARITHMETIC = frozenset({"add", "update", "set", "append", "insert", "merge", "join", "split"})
_LISTS_OF = vocabulary("schedule plan report order charge transfer release")
_NO_THING = (ResourceType.NOTHING, "")
_PLAIN = Lead(Verb.EXECUTE, "", -1)
_MILD = frozenset(
    {Verb.INERT, Verb.READ, Verb.NETWORK_IN, Verb.WRITE, Verb.EXECUTE, Verb.CONFIGURE, Verb.INSTALL}
)
_DRY = (
    "dry_run",
    "dryRun",
    "dryrun",
    "simulate",
    "preview",
    "preview_only",
    "validate_only",
    "what_if",
)
_LOOKS = frozenset({Verb.READ, Verb.INERT})
# Acts on what no program holds: ships, fields, households.
_OF_THE_WORLD = vocabulary(
    "reroute divert energize energise deenergize ignite arm disarm evacuate vent inject infuse"
    " spray disconnect reassign"
)
_KEPT_INSIDE = frozenset({None, Verb.DELETE})
_RUN_WORDS = vocabulary("run exec execute eval evaluate load import install")
_PURE_HINTS = frozenset({"pure", "readonly", "readonlyhint", "nosideeffects"})
_CODE_NOUNS = vocabulary(
    "plugin plugins extension extensions module code script pickle addon installer firmware binary"
    " executable"
)
_LOADS = frozenset(
    {Verb.READ, Verb.EXECUTE, Verb.INSTALL, Verb.WRITE, Verb.NETWORK_IN, Verb.CONTROL}
)
_RUN_FROM_FILES = vocabulary("script scripts program binary executable macro macros")
# What an act is on where only an argument says so: `scale_down(service="api")`.
_KEPT_RUNNING = frozenset(
    {ResourceType.SERVICE, ResourceType.CLUSTER, ResourceType.CLOUD, ResourceType.DEVICE}
)
# What holds rows: emptied whole where no row is named.
_ON_DISK = frozenset({ResourceType.FILE, ResourceType.DATABASE, ResourceType.CODE})
_STORES = vocabulary("table database db collection schema keyspace warehouse dataset")


def understand_function(action: Action, place: Place | None = None) -> Operations:
    """Return the Operations of a function call; never empty."""
    words = in_english(split_words(action.tool))
    lead = _lead(action, words)
    operation = _operation(action, words, lead)
    paths = (
        *(text for kind, text in embedded(action) if kind == "path"),
        *paths_in(action.arguments),
    )
    on_paths = tuple(_on_path(operation, path, place, words) for path in dict.fromkeys(paths))
    operations = on_paths or (operation,)
    return (
        *with_words(operations, action, words, lead),
        *_fetched_code(action, operation, words),
        *secrets_named(action, operations, tuple(paths), place),
        *_rest(action, operation),
    )


def _lead(action: Action, words: tuple[str, ...]) -> Lead:
    """Choose what the call does: the name first, then what raises or lowers it."""
    told = verb_of_sentence(action.description)
    lead = lead_verb(words)
    if lead is None or (_is_named_after_noun(lead, words) and told is not None):
        lead = told or lead or _PLAIN
    grave = grave_act(action.description)
    if _is_dry(action) or _stays_inside(action, words, grave):
        return replace(lead, verb=Verb.INERT)
    if _is_harmless(action, words, grave):
        lead = replace(lead, verb=Verb.INERT)
    raised = (grave, flagged_verb(action.arguments), named_verb(words, action.arguments))
    for verb in raised:
        if verb is not None and lead.verb in _MILD and CARE[verb] > CARE[lead.verb]:
            lead = replace(lead, verb=verb)
    return lead


def _is_harmless(action: Action, words: tuple[str, ...], grave: Verb | None) -> bool:
    """Tell a function that only computes; the caller's hint counts unless the docstring differs."""
    told = action.description
    if _is_arithmetic(action, words) or is_pure(words):
        return True
    if grave is None and gives_value(words, told):
        return True
    if does_nothing(told) and (VERBS.get(words[0]) in _LOOKS or gives_value(words, told)):
        return True
    names = (split_words(name) for name, hint in action.hints.items() if hint is True)
    return grave is None and any(not _PURE_HINTS.isdisjoint(("".join(name),)) for name in names)


def _stays_inside(action: Action, words: tuple[str, ...], grave: Verb | None) -> bool:
    """Tell what only the running program holds, as the author says; code that runs is more."""
    is_held = grave in _KEPT_INSIDE and _RUN_WORDS.isdisjoint(words)
    return is_held and stays_in_process(action.description)


def _is_dry(action: Action) -> bool:
    """Tell `dry_run=True` of a function whose author speaks of it.

    A function that takes any keyword would ignore the word, and act.
    """
    is_given = any([action.arguments.get(name) is True for name in _DRY])
    return is_given and tells_rehearsal(action.description)


def _fetched_code(
    action: Action, operation: Operation, words: tuple[str, ...]
) -> tuple[Operation, ...]:
    """Tell code that is fetched and loaded: `load_plugin("https://...")`."""
    if _CODE_NOUNS.isdisjoint(words) or operation.verb not in _LOADS:
        return ()
    if not any(value.startswith(("http://", "https://")) for value in _texts(action)):
        return ()
    loaded = replace(operation, verb=Verb.EXECUTE, thing=ResourceType.CODE, reach=Reach.REMOTE)
    return (replace(loaded, traits=operation.traits | {Trait.REMOTE_CODE}, reversible=False),)


def _texts(action: Action) -> tuple[str, ...]:
    first = islice(action.arguments.values(), 100)
    return tuple(value for value in first if isinstance(value, str))


def _rest(action: Action, operation: Operation) -> Operations:
    """Add an Operation for arguments that were not read."""
    if not is_cut(action):
        return ()
    # Each reader stops at its limit without a word; this one operation says so for all.
    why = "more arguments than can be read"
    return (replace(operation, verb=Verb.EXECUTE, understood=False, why=why),)


def _is_named_after_noun(lead: Lead, words: tuple[str, ...]) -> bool:
    """Tell `is_valid` from a verb that is at the end of a name, where it is a noun."""
    if lead.at != len(words) - 1 or lead.at == 0:
        return False
    # `amortization_schedule`: a noun at the end, unless a verb stands before it.
    return CARE[lead.verb] <= CARE[Verb.READ] or lead.word in _LISTS_OF


def _is_arithmetic(action: Action, words: tuple[str, ...]) -> bool:
    """Tell `add(2, 3)` from `add(member)`: one word, and nothing but numbers given."""
    values = action.arguments.values()
    return (
        len(words) == 1
        and words[0] in _ARITHMETIC
        and bool(values)
        # `bool` is an `int` to Python, but `set(True)` switches something.
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    )


def _operation(action: Action, words: tuple[str, ...], lead: Lead) -> Operation:
    """Build the Operation that the function's name describes."""
    rest = words[: lead.at] + words[lead.at + 1 :] if lead.at >= 0 else words
    thing, noun = thing_of(rest)
    # `purge_old()`: what is deleted stands in the docstring's first sentence.
    if thing is ResourceType.NOTHING and lead.verb is Verb.DELETE:
        first = action.description[:200].partition(".")[0]
        thing, noun = thing_of(split_words(first))
    if thing is ResourceType.NOTHING and lead.verb is Verb.CONTROL:
        thing, noun = _given_thing(action)
    # `rotate_key`: a key that is set or changed is a credential; elsewhere it may be a row's.
    if lead.verb is Verb.CONFIGURE and singular(words[-1]) == "key":
        thing, noun = ResourceType.CREDENTIAL, "key"
    names = ", ".join(name[:30] for name in islice(action.arguments, 6))
    said = ToolReading(
        verb=lead.verb,
        word=lead.word,
        words=words,
        thing=thing,
        noun=noun,
        reach=_reach(lead, thing, noun),
        target=named_object(action),
        program=action.tool,
        source=f"{action.tool[:100]}({names})"[:200],
    )
    operation = effect(said, circumstances_of(action))
    if operation.verb is not Verb.DELETE:
        return operation
    if thing is ResourceType.DATABASE and noun in _STORES:
        return replace(operation, traits=operation.traits | {Trait.UNBOUNDED}, reversible=False)
    if lead.at < 0 or lead_verb(words) != lead:  # told by the docstring, a flag or a name
        # The name does not say so itself, so no loss of a file or a database is claimed.
        told = ResourceType.NOTHING if thing in _ON_DISK else thing
        return replace(operation, thing=told, reversible=False)
    return operation


def _given_thing(action: Action) -> tuple[ResourceType, str]:
    """Return what keeps running and is named by an argument; NOTHING and "" if none is."""
    for name, value in islice(action.arguments.items(), 20):
        thing, noun = thing_of(split_words(name)) if isinstance(value, str) else _NO_THING
        if thing in _KEPT_RUNNING:
            return thing, noun
    return _NO_THING


def _reach(lead: Lead, thing: ResourceType, noun: str) -> Reach:
    """Tell what leaves the program from what stays in it."""
    if lead.verb is Verb.INERT or noun in IN_PROCESS:
        return Reach.NONE
    if lead.verb in _OUTSIDE or lead.word in _OF_THE_WORLD:
        return Reach.REMOTE
    is_change = lead.verb not in (Verb.READ, Verb.WRITE, Verb.EXECUTE)
    if thing is ResourceType.DEVICE and lead.verb is not Verb.READ:
        return Reach.REMOTE
    if thing is ResourceType.MONEY and lead.verb is Verb.EXECUTE:  # process_payment, handle_refund
        return Reach.REMOTE
    if thing in _REMOTE_THINGS and (is_change or lead.word == "create"):
        return Reach.REMOTE
    return Reach.NONE


def _on_path(
    operation: Operation, path: str, place: Place | None, words: tuple[str, ...]
) -> Operation:
    """Turn an Operation to a file among the arguments."""
    if operation.verb is Verb.EXECUTE and not _RUN_FROM_FILES.isdisjoint(words):
        why = f"what `{path[:100]}` does when it runs"
        return replace(operation, thing=ResourceType.CODE, understood=False, why=why)
    # A path is given to be opened, whatever the name says: `analyze("data.csv")`.
    if operation.verb in (Verb.INERT, Verb.EXECUTE):
        operation = replace(operation, verb=Verb.READ)
    if operation.verb not in (Verb.READ, Verb.WRITE, Verb.DELETE):
        return operation
    operation = replace(operation, thing=ResourceType.FILE, target=path[:500], reach=Reach.PROJECT)
    if place is None:
        return operation
    located = locate(path, place, has_glob=False)
    return replace(operation, path=located.path, reach=located.reach, file_kind=located.kind)
