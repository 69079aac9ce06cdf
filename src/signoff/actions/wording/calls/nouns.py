"""What a tool's name says it acts on: the last noun before a preposition, without its scope.

noun_of(("bulk", "delete", "project", "members"), 1, "delete")
    -> Noun(words=("member",), before=("project",), is_plural=True, is_all=False)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import THINGS, UNCOUNTABLE, singular
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import ResourceType

_PREPOSITIONS = vocabulary("to from of for in on with by at into onto via as using per and or then")
_ALL = vocabulary("all every everything everybody everyone entire whole")
_SCOPE = vocabulary(
    "bulk batch mass many multiple single each id ids the a an by new existing now force async"
    " one my own old stale permanently hard soft off on out up down turn switch"
    " production prod staging public kubectl browser git gh http rest"
)
# Two words that name one thing.
_COMPOUNDS = frozenset(
    {
        *(("pull", "request"), ("merge", "request"), ("api", "key"), ("access", "token")),
        *(("feature", "flag"), ("direct", "message"), ("access", "key"), ("ssh", "key")),
        *(("hosted", "zone"), ("payment", "intent"), ("audit", "log"), ("price", "list")),
        *(("bank", "account"), ("credit", "card"), ("gift", "card"), ("purchase", "order")),
        *(("security", "group"), ("access", "list"), ("node", "pool")),
        *(("mailing", "list"), ("deploy", "key"), ("branch", "protection"), ("vector", "store")),
        *(("payment", "method"), ("phone", "number"), ("dns", "record"), ("search", "index")),
        *(("load", "balancer"), ("status", "page"), ("calendar", "event"), ("service", "account")),
        *(("backup", "policy"), ("retention", "policy"), ("legal", "hold"), ("work", "order")),
    }
)
_PLAIN = {
    **{"db": "database", "repo": "repository", "pr": "pull request", "org": "organization"},
    **{"vm": "virtual machine", "dm": "direct message", "env": "environment", "dir": "folder"},
    **{
        "config": "configuration",
        "cert": "certificate",
        "acl": "access list",
        "mr": "merge request",
    },
    **{"sms": "text message", "email": "e-mail", "mail": "e-mail", "directory": "folder"},
    **{"param": "parameter", "cmd": "command", "apikey": "API key", "ref": "reference"},
    **{"info": "information", "datum": "data", "acls": "access list", "iam": "access"},
    **{"jcl": "JCL", "doi": "DOI"},
    **{"api key": "API key", "dns record": "DNS record", "ssh key": "SSH key", "mfa": "MFA"},
    **{
        "dna": "DNA",
        "admin": "administrator",
        "dns": "DNS",
        "vpn": "VPN",
        "vpc": "VPC",
        "waf": "firewall",
        "url": "address",
    },
}
# Nouns that no type of resource knows, but which name what tools act on.
_MORE = vocabulary(
    "host people safety address agent alias applicant application appointment approval archive"
    " article attendee audience"
    " badge block board book bot budget build button cache calendar call card category change"
    " chart check claim class clause client contract course cycle dashboard debit delivery"
    " discount docket draft element event evidence experiment field filing game gate geofence"
    " grade hold journal key label leave ledger lesson licence license limit list listing"
    " manifest meeting menu milestone model monitor motion note number part partner period"
    " pickup plan playbook playlist point pool position premium prescription printer probe quota"
    " recipe report restore result return revision room run sandbox season seat segment shift"
    " shop sku space stage star statement step stop store supplier tax template timesheet trail"
    " trial trip value vendor version view visitor"
    " allocation amendment announcement assessment auction availability award batch bed bid"
    " binding broadcast cabinet camera candidate carrier catalogue chapter circuit clip command"
    " compensation connector consent contribution conversion crew currency customer dataset"
    " deadline device diagnosis discussion donation door driver edition employment endpoint"
    " enrollment enrolment episode exam exclusion exhibit expense expiry extension feed fine"
    " fleet flight forecast gateway guardian hook household import inspection integration"
    " interview invitation jcl layer leg letter light listing loan locker machine mapping match"
    " medication membership metadata meter metric motor mutation nomination offer operation"
    " outage override package parameter parcel pass passenger permit pet phase player posting"
    " printout procedure profile promotion publication pump quantity question quote rate reading"
    " referral relay reservation rollout round route rule sample scene schedule score sensor"
    " setpoint shelf signal slot specimen sponsor status stay subject substation survey switch"
    " system tariff team test tournament track train transfer transport treatment turbine unit"
    " valve variable variant vehicle vessel visibility voter voucher waiver warrant watch wave"
    " weight window withdrawal"
)
_OF_TYPES = {
    ResourceType.MESSAGE: "message",
    ResourceType.FILE: "file",
    ResourceType.CLOUD: "cloud resource",
    ResourceType.MONEY: "payment",
    ResourceType.ACCOUNT: "account",
    ResourceType.CREDENTIAL: "credential",
    ResourceType.DATABASE: "data",
}
# They say by which service, which the card names beside the title.
_PLATFORMS = vocabulary(
    "slack discord telegram whatsapp github gitlab jira notion gmail outlook aws gcp azure linear"
)
_LONGEST_WORD = 24
_MOST_WORDS = 3


class Noun(Struct, frozen=True, gc=False):
    """What a name says is acted on.

    Args:
        words: of the noun itself, the last one in the singular; () if the name has none.
        before: the words before it: often of what it belongs to.
        is_plural: whether the name speaks of several.
        is_all: whether the name speaks of all of them.
        behind: the nouns behind a preposition: `add_member_to_project`.
    """

    words: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    is_plural: bool = False
    is_all: bool = False
    behind: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether all its words are of the lexicon, and none a foreign tool made up."""
        return is_known(self.words)


def noun_of(words: tuple[str, ...], at: int, lead: str) -> Noun:
    """Return the noun of a name.

    Args:
        at: index of the verb, negative if the name has none.
        lead: the verb.
    """
    if words[-1:] == ("tool",) and len(words) > 1 and at < len(words) - 1:
        words = words[:-1]
    # `API-patch-page`: of which interface a tool is says nothing of what it does.
    if words[:1] == ("api",) and at != 0:
        words, at = words[1:], at - 1
    at = at if 0 <= at < len(words) and words[at] == lead else -1
    is_compound = 0 <= at < len(words) - 1 and (lead, singular(words[at + 1])) in _COMPOUNDS
    rest = [*words[:at], *words[at + (0 if is_compound else 1) :]] if at >= 0 else list(words)
    is_all = not _ALL.isdisjoint(rest)
    cut = next((i for i, word in enumerate(rest) if i and word in _PREPOSITIONS), len(rest))
    own = [
        word
        for i, word in enumerate(rest[:cut])
        if _is_noun(word) or (i == cut - 1 and i and _can_end(word))
    ] or [word for word in rest[:cut][-1:] if _can_end(word)]
    behind = tuple(singular(word) for word in rest[cut + 1 :] if _is_noun(word))
    if not own:
        own, behind = list(behind[-1:]), behind[:-1]
    if not own:
        return Noun(is_all=is_all)
    head = singular_of(own[-1])
    if head == "assignment" and len(own) > 1:  # `role_assignment`: the role is what is assigned
        own = own[:-1]
        head = singular_of(own[-1])
    is_two = len(own) > 1 and (own[-2], head) in _COMPOUNDS
    start = len(own) - (2 if is_two else 1)
    noun = (*own[start:-1], head)
    before = tuple(singular_of(word) for word in own[:start] if word not in _PLATFORMS)
    return Noun(noun, before, head != own[-1], is_all, behind)


def _is_noun(word: str) -> bool:
    if len(word) < 2 or word in _ALL or word in _SCOPE or word in _PREPOSITIONS:
        return False
    return word not in VERBS or singular(word) in THINGS or word in _MORE


def _can_end(word: str) -> bool:
    """Return whether a word is a noun at the end of a name, even one that is a verb elsewhere."""
    return len(word) > 2 and not (word in _ALL or word in _SCOPE or word in _PREPOSITIONS)


def singular_of(word: str) -> str:
    """Return the singular of a noun that a name speaks of."""
    if word in THINGS or word in _MORE or word in UNCOUNTABLE or word.endswith(("us", "is")):
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return f"{word.removesuffix(ending)}{instead}"
    return singular(word)


def is_known(words: tuple[str, ...]) -> bool:
    """Return whether every word of a noun is one of ours."""
    return all(
        word in THINGS or word in _MORE or word in _PARTS or word in VERBS or word in _PREPOSITIONS
        for word in words
    )


_PARTS = frozenset(word for pair in _COMPOUNDS for word in pair)


def plain(words: tuple[str, ...]) -> str:
    """Return a noun as people write it: `db` is a database."""
    said = " ".join(words)
    return _PLAIN.get(said) or " ".join(_PLAIN.get(word, word) for word in words)


def is_sayable(words: tuple[str, ...]) -> bool:
    """Return whether words of a name are short and plain enough to stand in a sentence."""
    is_short = 0 < len(words) <= _MOST_WORDS
    return is_short and all(len(word) <= _LONGEST_WORD and word.isascii() for word in words)


def of_type(thing: ResourceType) -> str:
    """Return the noun of a type of resource, "" if it says no more than "something"."""
    return _OF_TYPES.get(thing, "")


def with_article(noun: str) -> str:
    """Return a noun of which one is meant: `an issue`, `a user`; `money` has no article."""
    last = noun.rpartition(" ")[2].lower()
    if (
        last in UNCOUNTABLE
        or last == "jcl"
        or (last.endswith("s") and not last.endswith(("ss", "us")))
    ):
        return noun
    is_vowel = noun[:1] in "aeiouAM" and not noun.startswith(("user", "unit", "uni"))
    is_vowel = is_vowel and not (noun[:1] == "M" and not noun.startswith("MFA"))
    return f"{'an' if is_vowel else 'a'} {noun}"
