"""Which argument of a call is what: object, receiver, place, selection, new value.

`object_of` takes the argument that fits the noun of the tool's name best. What fits another word
of the name, or names a place, is where it happens. What is left and names something is said
beside the object, with the word the argument has for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import plural
from signoff.actions.operation import ResourceType, Verb
from signoff.actions.wording.calls.fields import GUESTS, NAMING, Field
from signoff.actions.wording.calls.named_call import (
    CHANGING,
    LONGEST_NAME,
    MAKES,
    SENDS,
    NamedCall,
    kind_of,
)
from signoff.actions.wording.calls.nouns import Noun
from signoff.actions.wording.calls.selections import is_of_noun, scope_of, selections, takes_all
from signoff.actions.wording.calls.verbs import link_of_place
from signoff.values import count_of

PERSONS = vocabulary(
    "user username email mail login member person people employee assignee collaborator contact"
    " customer principal grantee student patient owner who handle invitee guest uid admin"
    " subscriber operator staff attendee participant"
)
_HOLDERS = PERSONS | {"team", "group"}
# They name a right; who gets it is the object, and the right is said beside it.
_RIGHTS = vocabulary("role permission access right grant privilege admin policy membership")
# Words that name the same thing: of the second kind only where nothing is made.
_ONE_THING = (
    PERSONS,
    vocabulary("repository repo"),
    vocabulary("request pr pull merge"),
    vocabulary("database db"),
    vocabulary("environment env"),
    vocabulary("instance server vm host hostname machine"),
    vocabulary("directory folder path dir"),
    vocabulary("file path filename document"),
    vocabulary("issue ticket case"),
    vocabulary("product item sku article"),
    vocabulary("secret key credential path"),
    vocabulary("zone domain"),
)
_MONEY = (
    vocabulary("payment invoice order charge intent"),
    vocabulary("refund order payment charge intent"),
)
_CLOSE = (
    *_MONEY,
    vocabulary("message mail email thread ts"),
    vocabulary("price product item sku article"),
)
KINDS = vocabulary("object entity resource model type kind")
# With these a person holds the right: `grant_admin`, but `add_admin` adds a person.
_GRANTS = vocabulary("grant give revoke elevate assign")
_IS_PERSON = vocabulary("admin owner")
_EXPORTS = vocabulary("export dump download")
_STAGES = frozenset({"stage", "state", "status"})
_TO_PERSONS = vocabulary("invite notify remind contact alert inform nudge")
_SETTERS = vocabulary("set transition")
# A channel of this name says how something is sent, and not to whom.
_MEDIA = vocabulary("email mail e-mail sms push post letter phone whatsapp web app")
_NAMED_SETTINGS = vocabulary("parameter param variable setting option flag key value")
# They are no thing: what an argument of their name holds is the new one.
_ATTRIBUTES = vocabulary("status state grade score quantity visibility rate")
_EVERYBODY = (("anyone",), ("everyone",), ("everybody",), ("public",))
_PRESSES = vocabulary("click press tap select check")
_BUTTONS = vocabulary("element button text label")
_CALLERS = vocabulary("call invoke run exec execute perform trigger")
_ACCOUNTS = vocabulary("account user username email login")
TALKS = vocabulary("send post comment reply share email mail text sms message dm forward notify")
_DEFAULTS = frozenset({"primary", "default", "main", ""})
_COPIES = vocabulary("cc bcc")
NONE = Field((), ())


class Roles(Struct, frozen=True, gc=False):
    """The arguments of a call by what they are."""

    found: Field
    receivers: Field
    value: Field
    place: tuple[tuple[str, str, str], ...]
    beside: tuple[tuple[str, str, bool], ...]
    chosen: tuple[tuple[str, str], ...]
    scope: str
    is_all: bool


def roles_of(call: NamedCall) -> Roles:
    """Return what each argument of a call is."""
    value = _value_of(call)
    found = _object_of(call, value)
    receivers = _receivers_of(call, found)
    if call.word in _TO_PERSONS and not found.texts and {*call.noun.words} & PERSONS:
        # `invite_people(emails=...)`: who gets it is who the act is about.
        found, receivers = receivers, NONE
    if is_about_right(call):
        found, receivers, value = _of_right(call)
    used = [one for one in (found, receivers, value) if one.texts]
    free = [one for one in call.fields if not any(one is other for other in used) and _names(one)]
    free = [one for one in free if not (one.is_place and one.texts[0].lower() in _DEFAULTS)]
    near = _near(call, free)
    chosen = selections(call, [one for one in free if one not in near], found)
    if not found.texts and call.word not in MAKES and not call.noun.is_all:
        found = next((one for one in near if _is_of_compound(call, one)), NONE)
        near = [one for one in near if one is not found]
    wide = [
        one for one in call.fields if one.is_everything and not one.is_on and one is not receivers
    ]
    is_sent = bool(receivers.texts)
    rest = [one for one in free if one not in near and not (is_sent and one.core <= PERSONS)]
    is_beside = not (found.texts or chosen) or call.word in _CALLERS or is_about_right(call)
    if is_about_right(call) and call.word in CHANGING:
        near = [receivers, *near] if receivers.texts else near
        receivers = NONE
    return Roles(
        found=NONE if found.is_everything else found,
        receivers=receivers,
        value=value,
        place=_places(call, [one for one in near if not one.is_everything]),
        beside=_beside(call, rest) if is_beside else (),
        chosen=chosen,
        scope="".join([scope_of(call, one) for one in wide if not is_of_noun(call, one)][:1]),
        is_all=takes_all(call, wide),
    )


def is_about_right(call: NamedCall) -> bool:
    """Return whether the name speaks of a right that somebody gets or loses."""
    head = call.noun.words[-1:] or ("",)
    is_person = head[0] in _IS_PERSON and call.word not in _GRANTS
    held = any(one.core and one.core <= _HOLDERS for one in call.fields)
    return head[0] in _RIGHTS and not is_person and held


def _of_right(call: NamedCall) -> tuple[Field, Field, Field]:
    """Return the right, who gets it, and what it is set to."""
    held = [one for one in call.fields if one.core and one.core <= _HOLDERS]
    who = next((one for one in held if one.core <= PERSONS), held[0])
    head = call.noun.words[-1]
    fits = (one for one in call.fields if one is not who and _names(one))
    right = next((one for one in fits if one.is_role or one.core == {head}), NONE)
    return (NONE, who, right) if call.word in CHANGING else (right, who, NONE)


def _is_of_compound(call: NamedCall, one: Field) -> bool:
    """Tell `recipe` of `share_recipe_card` from `bucket` of `set_bucket_acl`."""
    return one.core <= {*call.noun.before} and not (one.is_place or one.is_everything)


def _names(one: Field) -> bool:
    return bool(one.texts) and not one.is_on and one.texts != ("False",) and not is_prose(one)


def is_prose(one: Field) -> bool:
    """Return whether it holds a text and no name."""
    return any(
        len(text) > 200 or text.count(" ") > 12 or ("\n" in text and len(text) > 60)
        for text in one.texts
    )


def _value_of(call: NamedCall) -> Field:
    """Return the argument that holds what something is set to."""
    head = call.noun.words[-1:]
    is_moved = call.word == "transition" and not _STAGES & {*call.noun.words}
    is_set = call.word in _SETTERS or bool(call.word in CHANGING and _ATTRIBUTES & {*head})
    if is_moved or not is_set or any(one.words == ("value",) for one in call.fields):
        return next(
            (
                one
                for one in call.fields
                if one.words == ("value",) and _names(one) and call.word == "set"
            ),
            NONE,
        )
    # `set_robot_parameter(parameter="speed")` names what is set, and its value is kept back.
    if _NAMED_SETTINGS & {*call.noun.words}:
        return NONE
    wanted = frozenset((*call.noun.words, *call.noun.before[-1:]))
    fits = (one for one in call.fields if one.core and one.core <= wanted and _names(one))
    own = [one for one in fits if call.noun.words[-1] in one.core or one.core == {"mode"}]
    return own[0] if own and not own[0].is_everything else NONE


def _object_of(call: NamedCall, value: Field) -> Field:
    """Return the argument that names what is acted on, an empty one if none does."""
    ranked = [
        (rank, at)
        for at, one in enumerate(call.fields)
        if one is not value and _names(one) and (rank := _rank(call, one)) is not None
    ]
    return call.fields[min(ranked)[1]] if ranked else NONE


def _rank(call: NamedCall, one: Field) -> int | None:
    """Return how well an argument fits the noun of the name, the lowest best; None for not."""
    core = one.core
    is_id = not one.has(NAMING) and core != set(one.words)
    late = 4 * (is_id != (call.word in CHANGING))
    is_pressed = call.word in _PRESSES and core <= _BUTTONS
    if (call.word in _CALLERS and core == {"command"}) or (core and is_pressed):
        return 0
    is_right = bool(call.noun.words) and call.noun.words[-1] in _RIGHTS
    if core and core <= {*call.noun.words, *_compound(call.noun)} and not is_right:
        return 1 + late
    is_kind = not call.noun.words and len(core) > 1 and core <= KINDS
    if not is_kind and (one.is_about or one.is_role or _is_receiver(call, one)):
        return None
    return _loose_rank(call, one, late) if core else _bare_rank(call, one, late)


def _loose_rank(call: NamedCall, one: Field, late: int) -> int | None:
    """Return the rank of an argument whose name means what the noun means, or has it in it."""
    if _is_same(call, one.core):
        return 2 + late
    if call.noun.words and call.noun.words[-1] in one.core and not one.is_selection:
        return None if one.is_amount else 3
    is_bare = not call.noun.words and (one.core <= KINDS or one.count > 1)
    return 8 if is_bare and not one.is_selection and not one.has(_FILES) else None


def _bare_rank(call: NamedCall, one: Field, late: int) -> int | None:
    """Return the rank of an argument that is called `id`, `name` or nothing."""
    if one.is_selection or one.is_amount or one.is_count:
        return None
    if one.words:
        return 4 + late
    # `list_members(90)`: a figure without a name is none of several things.
    return None if one.is_number and call.noun.is_plural else 9


def _compound(noun: Noun) -> tuple[str, ...]:
    return noun.before if len(noun.words) > 1 else ()


def _is_same(call: NamedCall, core: frozenset[str]) -> bool:
    """Return whether another word of the same meaning names the noun."""
    head = call.noun.words[-1:] or ("",)
    rows = _ONE_THING if call.word in MAKES else (*_ONE_THING, *_CLOSE)
    if head[0] == "account":
        return core <= _ACCOUNTS
    return any(head[0] in row and core <= row for row in rows)


def _is_receiver(call: NamedCall, one: Field) -> bool:
    is_account = one.words == ("target",) or "iban" in one.words
    is_account = is_account or (not call.noun.words and one.core == {"account"})
    if call.op.verb is Verb.SPEND and is_account:
        return True
    if call.word in _EXPORTS:
        is_far = one.words == ("url",) and "://" in one.texts[0]
        is_mail = bool(one.core) and one.core <= {"email", "mail"}
        return one.is_receiver or is_mail or is_far
    return one.is_receiver and (call.op.verb in SENDS or one.has(GUESTS))


def _receivers_of(call: NamedCall, found: Field) -> Field:
    """Return the argument that says who gets what is sent, paid or shared."""
    free = [one for one in call.fields if one is not found and _names(one)]
    if call.word == "share":
        wide = [one for one in call.fields if one.is_on and one.words in _EVERYBODY]
        free.extend(Field(("to",), one.words) for one in wide)
    named = sorted(
        (one for one in free if _is_receiver(call, one)), key=lambda one: one.has(_COPIES)
    )
    if named:
        first, rest = named[0], [one for one in named[1:] if one.has(_COPIES)]
        if first.is_number and first.words[-1:] == ("recipients",):
            first = Field(first.words, (count_of(int(float(first.texts[0])), "recipient"),))
        texts = (*first.texts, *(text for one in rest for text in one.texts))
        return Field(first.words, texts, first.count + sum(one.count for one in rest))
    if call.op.verb not in SENDS or call.word in MAKES:
        return NONE
    is_message = call.op.thing is ResourceType.MESSAGE or call.word in TALKS
    is_sent = is_message or call.op.verb is Verb.NETWORK_OUT
    rooms = (
        one
        for one in free
        if one.is_room and is_sent and not one.is_everything and one.texts[0].lower() not in _MEDIA
    )
    people = (one for one in free if one.core and one.core <= PERSONS and not one.is_everything)
    # `offboard(employee="ann")`: who else would be meant.
    return next(iter((*rooms, *(people if call.noun.words else ()))), NONE)


def _near(call: NamedCall, free: list[Field]) -> list[Field]:
    """Return the arguments that say where it happens: of another word of the name, then places."""
    others = frozenset((*call.noun.before, *call.noun.behind))
    near = [one for one in free if one.core and one.core <= others]
    near += [one for one in free if one not in near and one.is_place]
    if call.word in MAKES:
        head = call.noun.words[-1:] or ("",)
        rows = [row for row in _MONEY if head[0] in row]
        near = [
            *(one for one in free if one.core and any(one.core <= row for row in rows)),
            *(one for one in near if not any(one.core <= row for row in rows)),
        ]
    return [one for one in near if not (call.is_production and one.core <= {"environment", "env"})]


def _places(call: NamedCall, near: list[Field]) -> tuple[tuple[str, str, str], ...]:
    """Return the two nearest places; the second is where the first is."""
    found = [_placed(call, one) for one in near[:2]]
    return tuple(
        (link if not at else "in", kind, name) for at, (link, kind, name) in enumerate(found)
    )


def _placed(call: NamedCall, one: Field) -> tuple[str, str, str]:
    """Return link, kind and name of a place."""
    kind = kind_of(call, one)
    is_in = one.is_place and call.word != "set"
    link = link_of_place(call.word, kind)
    link = link if is_in or call.word in MAKES or link in ("to", "from") else "of"
    if call.word in MAKES and any(one.core <= row for row in _MONEY):
        link = "for"
    return link, "" if kind == "parent" else kind, one.texts[0][:LONGEST_NAME]


def _beside(call: NamedCall, free: Iterable[Field]) -> tuple[tuple[str, str, bool], ...]:
    """Return what is named beside a noun that no argument fits."""
    plainly = [
        one
        for one in free
        if one.core
        and not (one.is_about or one.is_role or one.is_selection or one.is_amount)
        and not (one.is_count or one.is_everything or one.is_owner or _is_receiver(call, one))
        and not (one.has(_FILES) or one.is_switch)
    ]
    best = sorted(plainly, key=lambda one: not one.has(NAMING))[:1]
    return tuple((*_titled(call, one), one.core <= PERSONS) for one in best)


def _titled(call: NamedCall, one: Field) -> tuple[str, str]:
    """Return kind and name of an argument, of several how many they are."""
    kind = kind_of(call, one)
    if one.count > 1:
        return f"{one.count:,} {plural(kind) or 'items'}", ""
    return kind, one.texts[0][:LONGEST_NAME]


_FILES = vocabulary("attachment attachments files")
