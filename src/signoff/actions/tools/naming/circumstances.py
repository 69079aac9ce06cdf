"""What the arguments of a call say about how far and how wide it goes.

Production, everything at once, many people, public access, money, other people's attention:
each is read from the names and values of the arguments, never from the agent's own description.

    circumstances_of(Action(tool="pay", arguments={"to": ["a", "b"], "amount": 5}))
        -> Circumstances(amount="5", recipients=("a", "b"), ...)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.actions.lexicon.languages.translations import says_all, says_production
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.trials.rehearsals import is_rehearsal

_PRODUCTION = vocabulary("production prod live")
_STAGING = vocabulary("staging preproduction uat")
_DEVELOPMENT = vocabulary("dev development local localhost")
_DATABASES = vocabulary("database db schema environment env")
_PLACES = vocabulary(
    "env environment stage target namespace context cluster database db host server branch"
    " workspace project profile region instance deployment app connection conn alias datasource dsn"
    " tenant org site subscription catalog keyspace shard system landscape"
)
_KINDS = vocabulary("kind type resource")  # of what is named: `kind="Namespace", name="prod"`
_NAMES = vocabulary("name")
_AMOUNTS = vocabulary("amount price total sum cents value quantity qty usd eur cost budget")
_RECIPIENTS = vocabulary(
    "to cc bcc recipient recipients attendee attendees guest guests invitee invitees emails"
    " participants user_ids channel members"
)
_GUESTS = vocabulary("attendee attendees guest guests invitee invitees participants")
_EVERYTHING = vocabulary("all everything everyone everybody anyone entire whole bulk mass any")
_OPEN = vocabulary("public anyone everyone world allusers internet anonymous open unlisted")
_ACCESS = vocabulary(
    "visibility acl access public role permission permissions sharing scope type cidr source"
    " principal grantee audience privacy with"
)
_FORCE = vocabulary("force hard cascade recursive permanent permanently skip bypass override")
_MASKS = vocabulary("redact redacted mask masked masking")
_MANY = 10
MOST_ARGUMENTS = 500


class Circumstances(Struct, frozen=True, kw_only=True):
    """What makes a call more or less risky: production, everything at once, a dry run ..."""

    is_production: bool = False
    is_staging: bool = False
    is_development: bool = False
    is_everything: bool = False
    is_public: bool = False
    is_forced: bool = False
    is_dry: bool = False
    is_masked: bool = False
    is_admin: bool = False
    is_switched_off: bool = False
    has_guests: bool = False
    amount: str = ""
    recipients: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def is_bulk(self) -> bool:
        """True if it goes to many recipients at once."""
        return len(self.recipients) > _MANY


def circumstances_of(action: Action) -> Circumstances:
    """Return the circumstances that a call's arguments and environment show."""
    pairs = _flat(action.arguments)
    names = frozenset().union(*[words for words, _ in pairs])

    def under(wanted: frozenset[str]) -> list[tuple[frozenset[str], str]]:
        """The pairs whose name has one of the words; mostly no name has."""
        return [] if wanted.isdisjoint(names) else [one for one in pairs if wanted & one[0]]

    kinds = {text.lower() for _, text in under(_KINDS)}
    places = [*under(_PLACES), *([] if _PLACES.isdisjoint(kinds) else under(_NAMES))]
    return Circumstances(
        is_production=_says(action.environment, _PRODUCTION)
        or any(_says(text, _PRODUCTION) for _, text in places)
        or any([says_production(name, text) for words, text in pairs for name in words]),
        is_staging=_says(action.environment, _STAGING)
        or any(_says(text, _STAGING) for _, text in places),
        is_development=any(_says(text, _DEVELOPMENT) for _, text in under(_DATABASES)),
        is_everything=any([_is_everything(words, text) or says_all(text) for words, text in pairs]),
        is_public=any(_is_open(words, text) for words, text in under(_ACCESS)),
        # How Python writes a boolean: the texts here are values made by `str`.
        is_forced=any(text == "True" for _, text in under(_FORCE)),
        is_dry=is_rehearsal(action.arguments, action.tool)
        or action.arguments.get("preview") is True,
        is_masked=any(text == "True" for _, text in under(_MASKS)),
        is_admin=any(_says(text, _ADMINS) for _, text in under(_ROLES)),
        is_switched_off=any(_is_off(words, text) for words, text in under(_SWITCHES)),
        has_guests=any(text for _, text in under(_GUESTS))
        or ("invite" in action.tool and any("@" in text for _, text in under(_RECIPIENTS))),
        amount=next((text for _, text in under(_AMOUNTS)), "")[:40],
        recipients=tuple([text[:100] for _, text in under(_RECIPIENTS) if text]),
        names=names,
    )


_ADMINS = vocabulary("admin administrator owner root superuser sudo maintainer full")
# Arguments that switch a protection; a branch's own rules are an ordinary setting of a project.
_SWITCHES = vocabulary(
    "enabled enable active waf firewall audit logging mfa 2fa otp antivirus encryption protection"
    " monitoring ddos captcha mode state"
)
_OFF = vocabulary("off disabled disable none false inactive")
_ROLES = vocabulary("role roles permission permissions privilege privileges access scope scopes")


def _flat(arguments: Mapping[str, Json]) -> list[tuple[frozenset[str], str]]:
    """Return the words of every argument's name with its value as text, lists item by item."""
    found: list[tuple[frozenset[str], str]] = []
    waiting: list[tuple[str, Json]] = list(islice(arguments.items(), MOST_ARGUMENTS))[::-1]
    while waiting and len(found) < MOST_ARGUMENTS:
        name, value = waiting.pop()
        if isinstance(value, str):
            found.append((frozenset(split_words(name)), value))
        elif isinstance(value, Mapping):
            inner = list(islice(value.items(), MOST_ARGUMENTS))
            waiting.extend(inner[::-1])
        elif isinstance(value, Sequence):
            waiting.extend((name, item) for item in list(islice(value, MOST_ARGUMENTS))[::-1])
        # `str` raises for a number of more than 4300 digits (CVE-2020-10735).
        elif not (isinstance(value, int) and value.bit_length() > 500):
            found.append((frozenset(split_words(name)), "" if value is None else str(value)))
    return found


def _says(text: str, wanted: frozenset[str]) -> bool:
    """Tell whether a short value has one of the words; long values are prose."""
    return 0 < len(text) <= 200 and bool(wanted & set(split_words(text)))


def _is_everything(words: frozenset[str], text: str) -> bool:
    """Tell `all=True`, `ids="*"`, `to="everyone"`, `where="1=1"`."""
    if text == "True":
        return bool(words & _EVERYTHING)
    return text in ("*", "%", "1=1") or (len(text) <= 40 and text.lower() in _EVERYTHING)


def _is_off(words: frozenset[str], text: str) -> bool:
    """Return whether an argument switches something off: `waf="off"`, `enabled=False`."""
    return text == "False" or text.lower() in _OFF


def _is_open(words: frozenset[str], text: str) -> bool:
    """Tell a value that opens something to everybody."""
    if text == "True":
        return "public" in words
    is_any_network = text.startswith(("0.0.0.0/0", "::/0"))
    return is_any_network or (len(text) <= 60 and bool(_OPEN & set(split_words(text))))
