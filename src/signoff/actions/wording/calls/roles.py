"""Which argument of a call is what: object, receiver, place, selection, new value.

`object_of` takes the argument that fits the noun of the tool's name best. What fits another word
of the name, or names a place, is where it happens. What is left and names something is said
beside the object, with the word the argument has for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import Operation, ResourceType, Verb
from signoff.actions.wording.calls.fields import GUESTS, NAMING, Field
from signoff.actions.wording.calls.nouns import Noun, is_known, plain, plural
from signoff.actions.wording.calls.verbs import link_of_place

PERSONS = vocabulary(
    "user username email mail login member person people employee assignee collaborator contact"
    " customer principal grantee student patient owner who handle invitee guest uid admin"
    " subscriber operator staff"
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
    vocabulary("instance server vm host machine"),
    vocabulary("directory folder path dir"),
    vocabulary("file path filename document"),
    vocabulary("issue ticket case"),
    vocabulary("product item sku article"),
    vocabulary("secret key credential"),
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
_PRESSES = vocabulary("click press tap select check")
_BUTTONS = vocabulary("element button text label")
_CALLERS = vocabulary("call invoke run exec execute perform trigger")
_ACCOUNTS = vocabulary("account user username email login")
# What is changed keeps its id; its name may be the new one.
_CHANGING = vocabulary("update edit change modify patch set rename put write transition")
MAKES = vocabulary("create add new make open insert register init initialize schedule book")
SENDS = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.SPEND, Verb.PRIVILEGE})
TALKS = vocabulary("send post comment reply share email mail text sms message dm forward notify")
_DEFAULTS = frozenset({"primary", "default", "main", ""})
_COPIES = vocabulary("cc bcc")
_MATCHING = vocabulary(
    "soql "
    "filter filters query where pattern selector match matches search criteria q"
    " jql expression condition conditions prefix"
)
_GENERAL = _MATCHING | vocabulary("scope range selection")
LONGEST_NAME = 120
NONE = Field((), ())


class NamedCall(Struct, frozen=True, gc=False):
    """A call with the noun of its name and its arguments.

    Args:
        word: the verb of the name, "" if it has none.
        is_own: whether the names of arguments may stand in a sentence as they are.
    """

    fields: tuple[Field, ...]
    noun: Noun
    word: str
    op: Operation
    is_own: bool

    @property
    def is_production(self) -> bool:
        """Whether the sentence says by itself that it happens in production."""
        return self.op.reach.value == "production"


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
    if is_about_right(call):
        found, receivers, value = _of_right(call)
    used = [one for one in (found, receivers, value) if one.texts]
    free = [one for one in call.fields if not any(one is other for other in used) and _names(one)]
    free = [one for one in free if not (one.is_place and one.texts[0].lower() in _DEFAULTS)]
    near = _near(call, free)
    chosen = _selections(call, [one for one in free if one not in near], found)
    if not found.texts and call.word not in MAKES and not call.noun.is_all:
        found = next((one for one in near if _is_of_compound(call, one)), NONE)
        near = [one for one in near if one is not found]
    wide = [
        one for one in call.fields if one.is_everything and not one.is_on and one is not receivers
    ]
    is_beside = not (found.texts or chosen) or call.word in _CALLERS
    if is_about_right(call) and call.word in _CHANGING:
        near = [receivers, *near] if receivers.texts else near
        receivers = NONE
    return Roles(
        found=NONE if found.is_everything else found,
        receivers=receivers,
        value=value,
        place=_places(call, [one for one in near if not one.is_everything]),
        beside=_beside(call, [one for one in free if one not in near]) if is_beside else (),
        chosen=chosen,
        scope="".join([_scope(call, one) for one in wide if not _is_of_noun(call, one)][:1]),
        is_all=_is_all(call, wide),
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
    return (NONE, who, right) if call.word in _CHANGING else (right, who, NONE)


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
    if call.word != "set" or any(one.words == ("value",) for one in call.fields):
        return next(
            (
                one
                for one in call.fields
                if one.words == ("value",) and _names(one) and call.word == "set"
            ),
            NONE,
        )
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
    late = 4 * (is_id != (call.word in _CHANGING))
    is_pressed = call.word in _PRESSES and core <= _BUTTONS
    if (call.word in _CALLERS and core == {"command"}) or (core and is_pressed):
        return 0
    is_right = bool(call.noun.words) and call.noun.words[-1] in _RIGHTS
    if core and core <= {*call.noun.words, *_compound(call.noun)} and not is_right:
        return 1 + late
    if one.is_about or one.is_role or _is_receiver(call, one):
        return None
    return _loose_rank(call, one, late) if core else _bare_rank(call, one, late)


def _loose_rank(call: NamedCall, one: Field, late: int) -> int | None:
    """Return the rank of an argument whose name means what the noun means, or has it in it."""
    if _is_same(call, one.core):
        return 2 + late
    if call.noun.words and call.noun.words[-1] in one.core and not one.is_selection:
        return 3
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
    if call.op.verb is Verb.SPEND and one.words == ("target",):
        return True
    return one.is_receiver and (call.op.verb in SENDS or one.has(GUESTS))


def _receivers_of(call: NamedCall, found: Field) -> Field:
    """Return the argument that says who gets what is sent, paid or shared."""
    free = [one for one in call.fields if one is not found and _names(one)]
    named = sorted(
        (one for one in free if _is_receiver(call, one)), key=lambda one: one.has(_COPIES)
    )
    if named:
        first, rest = named[0], [one for one in named[1:] if one.has(_COPIES)]
        texts = (*first.texts, *(text for one in rest for text in one.texts))
        return Field(first.words, texts, first.count + sum(one.count for one in rest))
    if call.op.verb not in SENDS or call.word in MAKES:
        return NONE
    is_message = call.op.thing is ResourceType.MESSAGE or call.word in TALKS
    is_sent = is_message or call.op.verb is Verb.NETWORK_OUT
    rooms = (one for one in free if one.is_room and is_sent and not one.is_everything)
    people = (one for one in free if one.core and one.core <= PERSONS and not one.is_everything)
    return next(iter((*rooms, *people)), NONE)


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
    kind = _kind(call, one)
    is_in = one.is_place and call.word != "set"
    link = link_of_place(call.word, kind)
    link = link if is_in or call.word in MAKES or link in ("to", "from") else "of"
    if call.word in MAKES and any(one.core <= row for row in _MONEY):
        link = "for"
    return link, "" if kind == "parent" else kind, one.texts[0][:LONGEST_NAME]


def _kind(call: NamedCall, one: Field) -> str:
    """Return what the name of an argument says it names, "" if it is a word of a foreign tool."""
    words = tuple(word for word in one.words if word in one.core or f"{word[:-1]}" in one.core)
    words = words or tuple(sorted(one.core))
    if one.words[-1:] == ("to",):
        words = one.words[-2:]
    return plain(words[-2:]) if is_known(words[-2:]) or call.is_own or one.is_place else ""


def _beside(call: NamedCall, free: Iterable[Field]) -> tuple[tuple[str, str, bool], ...]:
    """Return what is named beside a noun that no argument fits."""
    plainly = [
        one
        for one in free
        if one.core
        and not (one.is_about or one.is_role or one.is_selection or one.is_amount)
        and not (one.is_count or one.is_everything or one.is_owner or _is_receiver(call, one))
        and not one.has(_FILES)
    ]
    return tuple(
        (_kind(call, one), one.texts[0][:LONGEST_NAME], one.core <= PERSONS)
        for one in sorted(plainly, key=lambda one: not one.has(NAMING))[:1]
    )


_UNITS = vocabulary("days hours minutes weeks months years")
_FILES = vocabulary("attachment attachments files")


def _selections(
    call: NamedCall, free: Iterable[Field], found: Field
) -> tuple[tuple[str, str], ...]:
    """Return what selects the objects, as words and value; what is made is not selected."""
    if call.word in MAKES or (found.texts and not found.is_everything):
        return ()
    rows = [
        (_selecting(one), _selected(one)) for one in free if one.is_selection and one.count == 1
    ]
    return tuple(
        (words, value[:LONGEST_NAME]) for words, value in rows if words and not _is_wide(value)
    )[:1]


def _is_wide(value: str) -> bool:
    return Field(("x",), (value,)).is_everything


def _selecting(one: Field) -> str:
    """Return the words before the value of a selection."""
    if one.has(_MATCHING):
        return "that match"
    if "older" in one.words:
        return "older than"
    for word in ("since", "before"):
        if word in one.words:
            return word
    return f"with {plain(tuple(sorted(one.core))[-1:])}" if one.core else ""


def _selected(one: Field) -> str:
    unit = one.words[-1] if one.words[-1] in _UNITS else ""
    return f"{one.texts[0]} {unit}".strip() if "older" in one.words else one.texts[0]


def _is_of_noun(call: NamedCall, one: Field) -> bool:
    """Return whether `all` of an argument is all of what the noun names."""
    core = one.core
    wanted = frozenset(call.noun.words)
    return not core or core <= wanted or one.has(_GENERAL) or one.is_about or one.is_role


def _is_all(call: NamedCall, wide: Iterable[Field]) -> bool:
    own = frozenset(call.noun.words)
    named = (one for one in wide if not one.core or one.core <= own or one.has(_GENERAL))
    is_on = any(one.is_on and one.is_everything for one in call.fields)
    return call.noun.is_all or is_on or any(True for _ in named)


def _scope(call: NamedCall, one: Field) -> str:
    """Return `all` of what an argument names: `years="all"`."""
    kind = _kind(call, one)
    link = "to" if one.is_room and call.op.verb in SENDS else "for"
    return f"{link} all {plural(kind)}" if kind else ""
