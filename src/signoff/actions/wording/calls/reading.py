"""What the call of a tool or function says of itself, in the pieces a sentence is made of.

The verb is the one the name leads with. The object is the argument that fits the noun of the
name: `branch` or `name` of `delete_branch`, `user` or `email` of `add_project_member`.

    call_words(action, ("add", "project", "member"), lead, operation)
        -> CallWords(does="Adds", noun="member", objects=("ada",), place=(("to", "project", "x"),))
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.action import Action, ActionKind
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.verbs import NOUN_LIKE, VERBS, Lead, lead_verb
from signoff.actions.operation import CallWords, Operation, ResourceType, Trait, Verb
from signoff.actions.wording.calls.fields import (
    GUESTS,
    Field,
    amount_in,
    fields_of,
    flags_in,
    switched,
    without_owner,
    words_of_message,
)
from signoff.actions.wording.calls.named_call import LONGEST_NAME, MAKES, NamedCall
from signoff.actions.wording.calls.nouns import Noun, is_known, is_sayable, noun_of, of_type, plain
from signoff.actions.wording.calls.roles import (
    KINDS,
    PERSONS,
    TALKS,
    Roles,
    is_about_right,
    roles_of,
)
from signoff.actions.wording.calls.verbs import (
    MESSAGES,
    does,
    guessed,
    of_description,
    told,
)
from signoff.values import replace

_LOOKS = frozenset({Verb.INERT, Verb.READ, Verb.NETWORK_IN})
_ONLY_LOOKS = _LOOKS - {Verb.NETWORK_IN}
_PLAIN_REQUESTS = vocabulary("request fetch http goto navigate visit")
_FOR = vocabulary("approve confirm authorize reject")
_TAKES = vocabulary("revoke remove take")
_RUNS = vocabulary("run apply execute exec trigger start invoke launch perform")
# What is bought has its price, which needs no name.
_BOUGHT = ("price", "fee", "budget", "salary")
_APPS = ("project", "site", "app")
_EVERYBODY = frozenset({"everyone", "everybody"})
_GIVES = vocabulary("add invite assign set grant share create update change enroll enrol elevate")
_PUBLIC = vocabulary(
    "public anyone everyone everybody world internet anonymous allusers unlisted open"
)
_OPENERS = vocabulary(
    "visibility acl access public role permission permissions sharing scope type cidr source with"
    " principal grantee audience privacy to user entity"
)
# Told by more than the name, the tool's own name stands behind what is done.
_SETS_PUBLIC = frozenset({"make", "set", "turn", "mark"})
_SETS = vocabulary("set update change toggle configure modify edit patch put")
_HOLDERS = vocabulary(
    "queue inbox trash bucket table folder topic channel stream log index mailbox bin directory"
    " collection"
)
_TOLD = frozenset({Verb.DELETE, Verb.SPEND, Verb.PUBLISH, Verb.PRIVILEGE})


def with_words(
    operations: tuple[Operation, ...],
    action: Action,
    words: tuple[str, ...],
    lead: Lead | None = None,
) -> tuple[Operation, ...]:
    """Return the operations of a call with what its name and arguments say, where that leads.

    A path says itself what is done, and code or SQL among the arguments has a reader of its own.

    Args:
        words: of the tool's name, without that of its server.
        lead: the verb, where more than the name told it; None = that of the name.
    """
    if not any(_is_told(op, action) for op in operations):
        return operations
    led = lead or lead_verb(words)
    return tuple(
        replace(op, call=call_words(action, words, led, op)) if _is_told(op, action) else op
        for op in operations
    )


def _is_told(op: Operation, action: Action) -> bool:
    # What only looks is hardly ever asked about, and most calls do no more.
    is_plain = op.verb in _ONLY_LOOKS and not op.traits
    is_own = op.program == action.tool[:100] and not op.path and op.call is None
    # Of a request the address says more than the tool.
    is_page = op.thing is ResourceType.URL and "://" in op.target
    is_own = is_own and not (is_page and not _PLAIN_REQUESTS.isdisjoint(split_words(action.tool)))
    return is_own and op.understood and not is_plain


def call_words(
    action: Action, words: tuple[str, ...], lead: Lead | None, op: Operation
) -> CallWords:
    """Return what a call says of itself.

    Args:
        lead: the verb of the name, None if it has none.
        op: what the call does.
    """
    word, at = _led(action, words, lead)
    is_own = action.kind is ActionKind.FUNCTION
    noun = noun_of(words, at, word)
    call = NamedCall(
        without_owner(fields_of(action.arguments, frozenset(words))), noun, word, op, is_own
    )
    roles = roles_of(call)
    (said, is_ours), roles = _noun_and_roles(call, roles, action)
    start, by = _start(action, words, lead, word, op)
    start = _of_noun(start, word, noun, call)
    used = frozenset((*roles.found.texts, *roles.receivers.texts))
    return CallWords(
        does=start,
        noun=said,
        is_own_noun=is_ours,
        by=by,
        is_plural=noun.is_plural or not noun.words,
        is_all=roles.is_all and said != "everybody",
        is_sent=word in MESSAGES and start != "Sends",
        objects=_names(roles.found.texts),
        count=roles.found.count if roles.found.texts else _count_of(call),
        chosen=roles.chosen,
        receivers=_names(roles.receivers.texts),
        receiver_count=roles.receivers.count if roles.receivers.texts else 0,
        link=_link(word, roles),
        role=_role_of(call),
        value="".join(roles.value.texts[:1])[:LONGEST_NAME],
        amount=amount_in(call.fields, _BOUGHT if op.verb is Verb.SPEND else noun.words),
        beside=tuple((kind, name) for kind, name, is_owner in roles.beside if not is_owner),
        place=(
            *[("of", kind, name) for kind, name, is_owner in roles.beside if is_owner],
            *roles.place,
        ),
        text=words_of_message(call.fields, used) if _is_message(call) else "",
        scope=roles.scope,
        flags=flags_in(call.fields),
        is_public="public" in words or (Trait.OPENS_ACCESS in op.traits and _is_public(call)),
    )


def _noun_and_roles(
    call: NamedCall, roles: Roles, action: Action
) -> tuple[tuple[str, bool], Roles]:
    """Return the noun of a call and whether it is one of ours, and the roles that then hold."""
    noun = _said_noun(call, roles)
    if noun is not None:
        return noun, roles
    if not _EVERYBODY.isdisjoint(split_words(action.tool)):
        return ("everybody", True), roles
    found = roles.found
    if found.texts:
        is_kind = bool(found.core) and found.core <= KINDS
        return ("" if is_kind else _noun_of_type(action, call.op), True), roles
    said = _noun_of_type(action, call.op)
    is_alone = call.op.thing is not ResourceType.CLOUD and not roles.place and not roles.is_all
    if is_alone and roles.beside and roles.beside[0][0]:
        return _named_alone(roles)
    is_app = roles.place[:1] and roles.place[0][1] in _APPS
    if (said and not is_app) or roles.is_all:
        return (said, True), roles
    return _named_alone(roles)


def _named_alone(roles: Roles) -> tuple[tuple[str, bool], Roles]:
    """Return what only an argument says is acted on: `unlock(door="d-1")`."""
    if roles.place:
        found, rest = Field((), (roles.place[0][2],)), roles.place[1:]
        return (roles.place[0][1], True), replace(roles, found=found, place=rest)
    if roles.beside and roles.beside[0][0]:
        found = Field((), (roles.beside[0][1],))
        return (roles.beside[0][0], True), replace(roles, found=found, beside=roles.beside[1:])
    return ("", True), roles


def _led(action: Action, words: tuple[str, ...], lead: Lead | None) -> tuple[str, int]:
    """Return the verb of a name and its index, -1 where another text told it."""
    # A name of a foreign server stays in its quotation marks, whatever it describes itself as.
    is_told = lead is None or words[lead.at : lead.at + 1] != (lead.word,) or lead.at < 0
    if action.kind is ActionKind.FUNCTION and is_told:
        own = of_description(words, action.description)
        if own and own != words[0] and not is_known(words[:1]):  # `place_order`, "Order parts."
            own = words[0]
        own = own or (words[0] if words[:1] and words[0] in VERBS and len(words) > 1 else "")
        if not own and (lead is None or not lead.word or not is_known(words[:1])):
            own = guessed(words, frozenset(one for one in words if is_known((one,))))
        if own:
            return own, words.index(own)
    if lead is None:
        return "", -1
    is_there = 0 <= lead.at < len(words) and words[lead.at] == lead.word
    is_last = is_there and 0 < lead.at == len(words) - 1
    if action.kind is ActionKind.FUNCTION and is_last and lead.word in NOUN_LIKE:
        first = guessed(words, frozenset(one for one in words if is_known((one,))))
        if first:  # `issue_refund`, `unpublish_archive`
            return first, 0
    return lead.word, lead.at if is_there else -1


def _noun_of_type(action: Action, op: Operation) -> str:
    """Return the noun for a tool that names none, of what its service keeps."""
    server = action.tool.rpartition("__")[0]
    is_mail = any(word in server for word in ("mail", "outlook", "slack", "chat", "inbox"))
    return "" if op.thing is ResourceType.MESSAGE and not is_mail else of_type(op.thing)


def _link(word: str, roles: Roles) -> str:
    if word == "share" or roles.receivers.has(GUESTS):
        return "with"
    if word in MAKES:
        return "for" if roles.found.texts else "to"
    if word in _FOR:
        return "for"
    return "from" if word in _TAKES else "to"


def _of_noun(start: str, word: str, noun: Noun, call: NamedCall) -> str:
    """Return the verb as its noun takes it: a queue is emptied, a cache cleared."""
    head = noun.words[-1] if noun.words else ""
    if start == "Deletes" and head == "cache":
        return "Clears"
    if word in _SETS_PUBLIC and "public" in split_words(call.op.program):
        return "Opens"
    if word == "purge" and head in _HOLDERS:
        return "Empties"
    # `email_files(to="ada")`: the files are sent; `email_customers()`: the customers get it.
    if word in MESSAGES and head and call.fields and not {head} <= PERSONS:
        return "Sends" if any(one.is_receiver for one in call.fields) else start
    if word == "reset" and not head and call.op.thing is ResourceType.REPOSITORY:
        return "Resets the working tree to"
    turned = switched(call.fields) if word in _SETS else ""
    return turned or start


def _start(
    action: Action, words: tuple[str, ...], lead: Lead | None, word: str, op: Operation
) -> tuple[str, str]:
    """Return the words a sentence begins with, and the tool's name where they do not tell it."""
    name = action.tool.rpartition("__")[2][:60]
    is_off = "off" in words and op.verb in (Verb.CONTROL, Verb.CONFIGURE)
    if is_off:
        return "Switches off", ""
    known = VERBS.get(word)
    is_mild = known in (Verb.READ, Verb.INERT, Verb.NETWORK_IN, Verb.EXECUTE)
    # A flag, a docstring or the server's own hint says more than the name.
    is_raised = lead is not None and known is not None and lead.verb not in (known, *_LOOKS)
    is_raised = is_raised and (lead is None or lead.word == word)
    is_told = lead is None or lead.verb is not Verb.EXECUTE
    # A flag that takes rights along changes nothing of what the call is about.
    is_raised = is_raised and not (op.verb is Verb.PRIVILEGE and not is_mild)
    is_raised = is_raised or (is_mild and is_told and op.verb in _TOLD)
    is_raised = is_raised or (known is Verb.WRITE and op.verb is Verb.DELETE)
    is_raised = is_raised and word not in _RUNS
    if word and not is_raised:
        return does(word), ""
    if op.verb in _TOLD or (is_raised and op.verb is Verb.NETWORK_OUT):
        return told(op.verb), name
    return (does(word), "") if word else ("", name)


def _said_noun(call: NamedCall, roles: Roles) -> tuple[str, bool] | None:
    """Return the noun and whether it is one of ours; a foreign server's own word is quoted."""
    noun, is_own = call.noun, call.is_own
    if is_about_right(call) and noun.words[-1] in ("admin", "owner"):
        return f"{plain(noun.words)} rights", True
    if call.word in ("tweet", "retweet"):
        return "tweet", True
    if not noun.words or not is_sayable(noun.words):
        return None
    taken = {kind for _, kind, _ in roles.place} | {kind for kind, _, _ in roles.beside}
    free = tuple(one for one in noun.before if plain((one,)) not in taken)
    free = free if is_own else tuple(one for one in free if is_known((one,)))
    if call.word == "merge" and noun.words == ("merge", "request"):
        return "request", True
    whole = (*free[-1:], *noun.words) if len(noun.words) == 1 else noun.words
    words = whole if is_sayable(whole) else noun.words
    return plain(words), is_own or is_known(noun.words)


def _names(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text[:LONGEST_NAME] for text in texts)


def _role_of(call: NamedCall) -> str:
    """Return the right that somebody gets."""
    if call.word not in _GIVES and call.op.verb is not Verb.PRIVILEGE:
        return ""
    found = next((one for one in call.fields if one.is_role and not one.is_on), None)
    is_taken = found is None or found.texts == ("False",) or is_about_right(call)
    is_taken = is_taken or call.noun.words[-1:] == ("role",) or "role" in call.noun.before
    return "" if is_taken or found is None else found.texts[0][:60]


def _count_of(call: NamedCall) -> int:
    """Return how many are meant; of what is bought a quantity is no number of orders."""
    if call.op.verb is Verb.SPEND:
        return 0
    found = next((one.texts[0] for one in call.fields if one.is_count), "")
    return int(found) if found.isdigit() else 0


def _is_message(call: NamedCall) -> bool:
    is_talk = call.op.thing is ResourceType.MESSAGE or call.word in TALKS
    return is_talk and call.op.verb in (Verb.NETWORK_OUT, Verb.PUBLISH, Verb.WRITE)


def _is_public(call: NamedCall) -> bool:
    """Return whether an argument opens something to everybody."""
    for one in call.fields:
        if one.is_on and "public" in one.words:
            return True
        if not one.has(_OPENERS):
            continue
        words = frozenset(split_words(one.texts[0][:60]))
        is_any_network = one.texts[0].startswith(("0.0.0.0/0", "::/0"))
        if is_any_network or one.is_everything or not _PUBLIC.isdisjoint(words):
            return True
    return False
