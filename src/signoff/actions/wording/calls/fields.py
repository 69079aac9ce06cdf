"""The arguments of a call as named texts, and what each name is for.

A list keeps its length and its first items; an item that is an object is told by its address,
name or id. Objects one level deep are opened: `parameters={"InstanceIds": ["i-1"]}`.

    fields_of({"to": ["a@b.example", "c@d.example"], "notify": True})
        -> (Field(words=("to",), texts=("a@b.example", "c@d.example"), count=2),
            Field(words=("notify",), texts=("True",), is_on=True))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.programs.secret_names import is_secret_name
from signoff.actions.wording.calls.nouns import singular_of
from signoff.values import count_of

_MOST_FIELDS = 60
_LONGEST_NAME = 100
LONGEST_TEXT = 500
_MOST_TEXTS = 3
_LARGEST = 10**18  # no id is longer
_TELLING = (
    *("email", "address", "username", "login", "name", "title", "id", "key", "number"),
    *("iban", "account", "destination", "recipient", "payee", "to"),
)
# What only says which one of the things it is.
ID_WORDS = vocabulary(
    "id ids name names key keys number numbers no num iid slug uuid guid sha title code ref uid"
    " identifier identifiers arn arns iban display full target"
)
NAMING = vocabulary("name names title display full slug username login email")
_SELECTIONS = vocabulary(
    "soql filter filters query where pattern selector match matches search criteria condition"
    " conditions prefix jql q status state category segment labels expression older since before"
    " year years season scope role"
)
EVERYTHING = vocabulary("* 1=1 all _all % everything everyone everybody any")
_ALL = vocabulary("all everything everyone everybody")
_RECEIVERS = vocabulary(
    "to cc bcc receiver receivers recipient recipients attendee attendees guest guests invitee"
    " invitees emails participants payee beneficiary destination grantee grantees audience"
    " principal phone with"
)
_OWNERS = (("owner",), ("org",), ("organization",), ("login",))
_REPOSITORY = vocabulary("repo repository")
_GRAVE_FILES = vocabulary("attachment attachments files")
GUESTS = vocabulary("attendee attendees guest guests participants invitees")
_ROOMS = vocabulary(
    "channel channels chat conversation room list audience segment phone url uri endpoint webhook"
)
_ROLES = vocabulary("role roles permission permissions level privilege privileges")
_AMOUNTS = vocabulary("amount total sum price cents value budget limit salary fee")
_MAIL_ADDRESSES = (("email", "address"), ("mail", "address"))
_LABELS = vocabulary("price budget salary fee")
_CURRENCIES = vocabulary("currency ccy coin")
_IN_CURRENCY = vocabulary("eur usd gbp chf jpy cents micros btc eth")
_COUNTS = vocabulary("count affected matched quantity qty estimated items rows records")
_TEXTS = (
    *("subject", "summary", "title", "headline", "text", "message", "body", "comment", "content"),
    *("raw", "note", "caption", "html", "payload"),
)
_FOR_GOOD = vocabulary("permanent permanently hard irreversible purge forever")
_NOTICES = vocabulary("notify notification notifications announce")
_WITHOUT = vocabulary("skip bypass ignore override force cascade autoapprove without disable")
PLACES = vocabulary(
    "project repo repository org organization organisation team workspace group channel"
    " namespace cluster database db schema table bucket region zone domain site space board"
    " folder calendar tenant host server account registry collection store ward building parent"
    " page issue ticket thread topic case plant line field app service environment company"
    " department index list conversation warehouse category school course station fleet farm"
    " clinic library"
)
SECRETS = vocabulary("password passwd passphrase secret token credential credentials pin otp pan")
_OF_SECRETS = SECRETS | vocabulary(
    "secrets passwords tokens keys key apikey env environment variable variables vault login logins"
    " auth parameter parameters config"
)
_VALUES = vocabulary(
    "value values content contents data payload text string plaintext body raw new current old"
)
# What is said about the object, or is the new state of it; no name of one.
_ABOUT = vocabulary(
    "amount price total sum cents currency since until before after effective when start end"
    " month season term time date day reason note notes comment comments env environment mode"
    " transition limit confirm body content text message html description raw summary subject"
    " headline state status color colour timezone tz duration minutes seconds hours days percent"
    " percentage factor method format locale language type kind visibility priority version"
    " sender updates grace acl level yaml json sql xml markdown data payload reference memo purpose"
    " justification operation action op"
    " fields columns on enabled active cron value values quantity qty count script code function"
    " timeout reviewer approve update caption"
)


class Field(Struct, frozen=True, gc=False):
    """One argument: the words of its name, its first texts, and how many it holds."""

    words: tuple[str, ...]
    texts: tuple[str, ...]
    count: int = 1
    is_on: bool = False
    is_number: bool = False
    is_inner: bool = False

    def has(self, names: frozenset[str]) -> bool:
        """Return whether one of the words of its name is among these."""
        return not names.isdisjoint(self.words)

    @property
    def core(self) -> frozenset[str]:
        """The words of its name but for those that say it names something, singular."""
        words = self.words
        if words[-2:] in _MAIL_ADDRESSES:  # names a person, as `email` does
            words = words[:-1]
        return frozenset(singular_of(word) for word in words if word not in ID_WORDS)

    @property
    def is_everything(self) -> bool:
        """Whether it says all of them: `ids="*"`, `scope="all"`, `everything=True`."""
        if self.is_on:
            return not _ALL.isdisjoint(self.words)
        return self.texts[:1] != () and self.texts[0].strip().lower() in EVERYTHING

    @property
    def is_place(self) -> bool:
        """Whether its name says where something is."""
        core = self.core
        return self.count == 1 and bool(core) and core <= PLACES

    @property
    def is_switch(self) -> bool:
        """Whether it says on or off."""
        return self.texts[0].lower() in _TURNED

    @property
    def is_selection(self) -> bool:
        """Whether it selects what is acted on."""
        return self.has(_SELECTIONS)

    @property
    def is_receiver(self) -> bool:
        """Whether it says who gets something."""
        return self.has(_RECEIVERS) and not self.is_about

    @property
    def is_owner(self) -> bool:
        """Whether it says only whose the repository is."""
        return self.words in _OWNERS

    @property
    def is_room(self) -> bool:
        """Whether many read what is sent there."""
        return self.has(_ROOMS)

    @property
    def is_role(self) -> bool:
        """Whether it says what somebody may do from then on."""
        return self.has(_ROLES)

    @property
    def is_amount(self) -> bool:
        """Whether it says how much money."""
        is_named = self.has(_AMOUNTS) or not _IN_CURRENCY.isdisjoint(self.words[1:])
        return is_named and _is_figure(self.texts[0])

    @property
    def is_count(self) -> bool:
        """Whether it says how many things are acted on."""
        return self.is_number and self.has(_COUNTS)

    @property
    def is_about(self) -> bool:
        """Whether it names nothing, but says how, when or with which text."""
        return self.has(_ABOUT) or self.has(SECRETS)


_SWITCHES = (("enabled",), ("enable",), ("active",), ("on",), ("value",))
_STATES = (("state",), ("mode",), ("status",), ("waf",), ("firewall",), ("mfa",))
_TURNED = {
    **dict.fromkeys(("off", "disabled"), "Switches off"),
    **dict.fromkeys(("on", "enabled"), "Switches on"),
}


def fields_of(arguments: Mapping[str, Json], about: frozenset[str]) -> tuple[Field, ...]:
    """Return the arguments of a call, those of objects behind those of the call itself.

    What is secret by the name of its argument, or the value of something secret, is left out: no
    later step could tell it from a name.

    Args:
        about: the words of the tool's name.
    """
    plain: list[Field] = []
    inner: list[Field] = []
    is_secret = not _OF_SECRETS.isdisjoint(about) or _names_secret(arguments)
    for name, value in islice(arguments.items(), _MOST_FIELDS):
        words = split_words(name[:_LONGEST_NAME])
        if is_secret_name(name) or (is_secret and _VALUES.issuperset(words)):
            continue
        if isinstance(value, Mapping):
            if not _SELECTIONS.isdisjoint(words):
                plain.extend(_selection(words, value))
                continue
            for below, one in islice(value.items(), _MOST_FIELDS):
                if is_secret_name(below) or (is_secret and below.lower() in _VALUES):
                    continue
                inner.extend(_field(split_words(below[:_LONGEST_NAME]), one, is_inner=True))
        else:
            plain.extend(_field(words, value))
    return (*plain, *inner)


def _names_secret(arguments: Mapping[str, Json]) -> bool:
    """Tell arguments, or objects in them, that name a secret: `{"key": "DB_PASSWORD", ...}`."""
    inner = [one for one in arguments.values() if isinstance(one, Mapping)]
    texts = [one for each in (arguments, *inner) for one in islice(each.values(), _MOST_FIELDS)]
    return any(
        [
            isinstance(one, str) and len(one) <= _LONGEST_NAME and is_secret_name(one)
            for one in texts
        ]
    )


def _field(words: tuple[str, ...], value: Json, *, is_inner: bool = False) -> Iterator[Field]:
    if isinstance(value, bool):
        yield Field(words, (str(value),), is_on=value, is_inner=is_inner)
    elif isinstance(value, list | tuple):
        texts = [text for item in value[:_MOST_TEXTS] if (text := _item(item))]
        if texts:
            yield Field(words, tuple(texts), count=len(value), is_inner=is_inner)
    elif text := _text(value):
        yield Field(words, (text,), is_number=not isinstance(value, str), is_inner=is_inner)


def _selection(words: tuple[str, ...], value: Mapping[str, Json]) -> Iterator[Field]:
    pairs = [
        f"{name[:40]}:{text[:80]}"
        for name, one in islice(value.items(), 3)
        if (text := _text(one)) and not is_secret_name(name)
    ]
    if pairs:
        yield Field(words, (" ".join(pairs),))


def _item(item: Json) -> str:
    """Return the text of an item of a list; of an object what names it."""
    if not isinstance(item, Mapping):
        return _text(item)
    return next((text for name in _TELLING if (text := _text(item.get(name)))), "")


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    # `str` raises for a number of more than 4300 digits (CVE-2020-10735); no id is that long.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(value) if abs(value) < _LARGEST else ""


def _is_figure(text: str) -> bool:
    return text.replace(".", "", 1).replace(",", "").isdigit() and len(text) <= 20


def without_owner(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields with the owner of a repository put before its name."""
    owner = next((one for one in fields if one.is_owner), None)
    repository = next((one for one in fields if one.core & _REPOSITORY and one.texts), None)
    if owner is None or repository is None or "/" in repository.texts[0]:
        return fields
    whole = Field(repository.words, (f"{owner.texts[0][:60]}/{repository.texts[0]}",))
    return tuple(whole if one is repository else one for one in fields if one is not owner)


def amount_in(fields: tuple[Field, ...], noun: tuple[str, ...] = ()) -> str:
    """Return the amount of money with its currency, "" if none is given.

    Args:
        noun: what the name speaks of; a price of something else is called one.
    """
    found = next((one for one in fields if one.is_amount), None)
    if found is None:
        return ""
    figure, text = found.texts[0], ""
    if found.is_number or figure.replace(".", "", 1).isdigit():
        whole, dot, parts = figure.partition(".")
        text = f"{int(whole or 0):,}{dot}{parts if len(parts) != 1 else f'{parts}0'}"
        text = text.removesuffix(".00")
    given = next((one.texts[0] for one in fields if one.has(_CURRENCIES)), "")
    unit = next((word for word in found.words if word in _IN_CURRENCY), "")
    unit = unit if unit in ("cents", "micros") else unit.upper()
    given = given[:5].upper() if given[:5].isalpha() else unit
    label = next((word for word in found.words if word in _LABELS and word not in noun), "")
    return f"{label} {text or figure} {given}".strip()


def words_of_message(fields: tuple[Field, ...], used: frozenset[str]) -> str:
    """Return the subject of a message, else its first line, "" if it has none."""
    for name in _TEXTS:
        for one in fields:
            if one.words[-1:] == (name,) and one.texts[0] not in used and not one.is_number:
                return next(iter(one.texts[0].strip().splitlines()), "")
    return ""


def switched(fields: tuple[Field, ...]) -> str:
    """Return what a flag of a setting does to it: `enabled=False` switches it off."""
    for one in fields:
        if one.words in _SWITCHES and one.texts[0] in ("True", "False"):
            return "Switches on" if one.is_on else "Switches off"
        if one.words == ("open",) and one.texts[0] in ("True", "False"):
            return "Opens" if one.is_on else "Closes"
        if one.words in _STATES and one.texts[0].lower() in _TURNED:
            return _TURNED[one.texts[0].lower()]
    return ""


def flags_in(fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Return what is switched on and makes the call graver, in words."""
    said: list[str] = []
    for one in fields:
        if one.texts == ("all",) and {"send", "updates"} <= set(one.words):
            said.append("and tells them by mail")
        if one.has(_GRAVE_FILES) and not one.is_on and one.texts != ("False",):
            said.append(f"with {count_of(one.count, 'attachment')}")
        if not one.is_on:
            continue
        if one.has(_FOR_GOOD):
            said.append("for good")
        elif one.has(_NOTICES):
            said.append("and notifies people")
        elif one.has(_WITHOUT):
            name = "_".join(one.words)[:30]
            said.append(f"with `{name}`")
    return tuple(dict.fromkeys(said))[:2]
