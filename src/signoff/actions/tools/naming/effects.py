"""From what a name and its arguments say to Operations; shared by MCP tools and functions.

effect(Said(verb=Verb.DELETE, words=("delete", "repository"), reach=Reach.REMOTE, ...))
    -> Operation(verb=DELETE, thing=REPOSITORY, reach=REMOTE, traits={WHOLE_STORE}, ...)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.lexicon.objects import PASSING, THINGS, WHOLE_STORES, singular
from signoff.actions.lexicon.verbs import NOUN_LIKE, Lead, verb_of_sentence
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.tools.naming.circumstances import Circumstances
from signoff.actions.tools.naming.pairs import sharpened
from signoff.values import replace

GRAVE_ACTS = frozenset({Verb.SPEND, Verb.DELETE, Verb.NETWORK_OUT, Verb.PUBLISH, Verb.PRIVILEGE})
LOOKING = frozenset({Verb.INERT, Verb.READ, Verb.NETWORK_IN})
_FOR_GOOD = frozenset({Verb.SPEND, Verb.NETWORK_OUT, Verb.PUBLISH, Verb.PRIVILEGE})
_DROPS = frozenset({"drop", "truncate"})
_ALL = frozenset({"all", "everything", "bulk", "mass", "batch", "every"})
_ABOUT_SECRETS = frozenset(
    {"count", "usage", "status", "metadata", "list", "names", "expiry", "limit", "budget", "policy"}
)
_SHOWN_TO_ALL = frozenset({"certificate", "cert"})
_KEYS = frozenset({"key", "private", "export", "pfx", "p", "pkcs", "download", "backup", "secret"})


class ToolReading(Struct, frozen=True, kw_only=True, gc=False):
    """What a tool's name and arguments say, without circumstances."""

    verb: Verb
    word: str
    words: tuple[str, ...]
    thing: ResourceType
    noun: str
    reach: Reach
    target: str
    program: str
    source: str


def effect(said: ToolReading, circumstances: Circumstances) -> Operation:
    """Build the Operation of a reading, with the circumstances added."""
    verb = _verb_for(said)
    # `share_report` reads like a report of shares, until somebody gets it.
    is_given = circumstances.is_public or not _RECEIVERS.isdisjoint(circumstances.names)
    if verb in LOOKING and said.words[:1] == ("share",) and is_given:
        verb = Verb.NETWORK_OUT
    reach = _reach(said, circumstances)
    operation = Operation(
        verb=verb,
        thing=said.thing,
        target=said.target,
        reach=reach,
        traits=_traits(replace(said, verb=verb, reach=reach), circumstances),
        reversible=_is_reversible(said, verb),
        program=said.program[:100],
        source=said.source,
    )
    operation = sharpened(operation, frozenset(said.words))
    # The verb stays: whether the tool keeps its word about a dry run is not known.
    if circumstances.is_dry:
        operation = replace(operation, traits=operation.traits | {Trait.DRY_RUN}, reversible=True)
    return operation


def _verb_for(said: ToolReading) -> Verb:
    """Adjust a verb to what it is done to."""
    if said.word == "capture" and said.thing is ResourceType.NOTHING and not _HELD & {*said.words}:
        return Verb.WRITE  # a piece on a board, a picture: no payment that was held back
    outside = said.reach not in (Reach.NONE, Reach.TEMP, Reach.PROJECT, Reach.LOOPBACK)
    if said.thing is ResourceType.MONEY and said.verb in (Verb.WRITE, Verb.EXECUTE) and outside:
        return Verb.SPEND
    if said.thing is ResourceType.DEVICE and (said.word in _MOVES or said.verb in _OF_MACHINES):
        return Verb.CONTROL
    if said.thing is ResourceType.ACCOUNT and said.noun in _RIGHTS and said.verb is Verb.WRITE:
        return Verb.PRIVILEGE
    is_new_message = said.word in _NEW and said.thing is ResourceType.MESSAGE
    if is_new_message and said.verb is Verb.WRITE and outside:
        return Verb.NETWORK_OUT
    is_watch = said.thing is ResourceType.PROTECTION and said.verb in (Verb.CONTROL, Verb.DELETE)
    return Verb.CONFIGURE if is_watch and said.noun not in ("log", "retention") else said.verb


_RECEIVERS = frozenset(
    {"visibility", "with", "to", "users", "emails", "audience", "people", "recipients", "access"}
)
_HELD = frozenset({"authorization", "authorisation", "auth", "intent", "hold", "funds"})
_MOVES = frozenset({"open", "close", "load"})
_OF_MACHINES = frozenset({Verb.WRITE, Verb.EXECUTE, Verb.PUBLISH})
_NEW = frozenset({"create", "add", "new", "make", "open", "insert", "react", "submit"})
_RIGHTS = frozenset(
    {"role", "permission", "access", "acl", "admin", "owner", "collaborator", "privilege", "policy"}
    | {"iam", "grant", "group"}
)


_OWN_WORDS = frozenset({"process", "subprocess"})
_OWN_NAMES = frozenset({"pid", "process", "id", "handle", "signal", "timeout", "seconds", "force"})
_LOCAL_GIT = frozenset({"commit", "add", "stage", "stash", "branch", "checkout", "tag", "init"})
_OWN_REACHES = frozenset({Reach.NONE, Reach.PROJECT})


def _reach(said: ToolReading, circumstances: Circumstances) -> Reach:
    """Widen the reach to production, or to what others share, where the call says so."""
    says_production = bool({"production", "prod"} & set(said.words))
    if (circumstances.is_production or says_production) and said.verb is not Verb.INERT:
        return Reach.PRODUCTION
    # A process told by its number or handle alone is one of this machine.
    if said.verb is Verb.CONTROL and said.thing is ResourceType.PROCESS:
        is_own = bool(_OWN_WORDS & set(said.words)) and circumstances.names <= _OWN_NAMES
        return Reach.PROJECT if is_own and said.reach is Reach.REMOTE else said.reach
    # Rows made in a database of one's own, and commits that stay until somebody pushes them.
    if said.verb is Verb.WRITE and said.reach is Reach.REMOTE:
        is_local_git = len(said.words) == 2 and said.words[0] == "git" and said.word in _LOCAL_GIT
        if circumstances.is_development or is_local_git:
            return Reach.PROJECT
    # Staging is shared: what changes there changes for others.
    is_shared = circumstances.is_staging and said.verb not in LOOKING
    return Reach.REMOTE if is_shared and said.reach in _OWN_REACHES else said.reach


def _traits(said: ToolReading, circumstances: Circumstances) -> frozenset[Trait]:
    """Return the traits that the words of a call imply."""
    words = set(said.words)
    if said.verb in LOOKING:
        looks_at_secret = said.thing is ResourceType.CREDENTIAL and said.verb is not Verb.INERT
        is_about = bool(_ABOUT_SECRETS & words) or circumstances.is_masked
        # A server shows its certificate to everybody; the key is what it keeps.
        is_about = is_about or (said.noun in _SHOWN_TO_ALL and not words & _KEYS)
        return frozenset({Trait.READS_SECRET} if looks_at_secret and not is_about else ())
    is_all = circumstances.is_bulk or circumstances.is_everything or bool(_ALL & words)
    is_admin = circumstances.is_admin or bool(_ADMINS & words)
    is_opened = is_admin and said.verb is Verb.PRIVILEGE and said.word not in _TAKES_AWAY
    # `public` tells a reply to a customer from an internal note: nobody gets access by it.
    is_said = said.thing is ResourceType.MESSAGE and said.verb is Verb.NETWORK_OUT
    is_protection = said.thing is ResourceType.PROTECTION
    # The rules of a branch are an ordinary setting of a project.
    is_off = circumstances.is_switched_off and "branch" not in words
    is_weakened = is_protection and (said.word in _WEAKENING or is_off)
    facts = (
        (Trait.FORCED, circumstances.is_forced),
        (Trait.OPENS_ACCESS, (circumstances.is_public and not is_said) or is_opened),
        (Trait.BULK, is_all),
        (Trait.BY_PATTERN, _picks_processes(said, circumstances)),
        (Trait.WEAKENS, is_weakened),
    )
    traits = {trait for trait, is_true in facts if is_true}
    if said.verb is Verb.DELETE:
        traits |= _deletion(said, circumstances)
    return frozenset(traits)


def _picks_processes(said: ToolReading, circumstances: Circumstances) -> bool:
    """Tell a tool that ends every process of a name or pattern."""
    is_ended = said.thing is ResourceType.PROCESS and said.verb is Verb.CONTROL
    return is_ended and not _PATTERNS.isdisjoint(circumstances.names)


_PATTERNS = frozenset({"pattern", "regex", "regexp", "glob", "match", "matching"})
_ADMINS = frozenset({"admin", "owner", "root", "superuser"})
_TAKES_AWAY = frozenset({"revoke", "ban", "block", "suspend", "deactivate", "kick", "demote"})
_WEAKENING = frozenset(
    {"disable", "delete", "remove", "stop", "pause", "kill", "suspend", "bypass", "clear", "purge"}
    | {"wipe", "truncate", "erase", "flush", "override", "drop"}
)


# Whose zones are those of the domain name system, with every name of a domain in them.
_KEEPS_ZONES = (
    *("cloudflare", "route53", "dns", "aws", "gcloud", "gcp", "azure", "hetzner", "ovh", "gandi"),
    *("godaddy", "namecheap", "digitalocean", "ns1", "bunny", "porkbun", "powerdns"),
)


def _deletion(said: ToolReading, circumstances: Circumstances) -> set[Trait]:
    """Return traits for how much a deletion removes."""
    traits: set[Trait] = set()
    if is_passing(said):
        return {Trait.REBUILDABLE}
    last = next((w for w in map(singular, reversed(said.words)) if w in THINGS), "")
    is_zone = last == "zone" and said.program.removeprefix("mcp__").startswith(_KEEPS_ZONES)
    if (last in WHOLE_STORES or is_zone) and said.reach is not Reach.NONE:
        traits.add(Trait.WHOLE_STORE)
    if said.thing is ResourceType.DATABASE and said.word in _DROPS:
        traits.add(Trait.SCHEMA_LOSS)
    if circumstances.is_everything or _ALL & set(said.words):
        traits |= (
            {Trait.BROAD, Trait.UNBOUNDED} if said.thing is ResourceType.DATABASE else {Trait.BROAD}
        )
    if said.target and not traits:
        traits.add(Trait.NAMED)
    return traits


def is_passing(said: ToolReading) -> bool:
    """Return whether only something rebuildable is cleared: `clear_cache`."""
    if said.thing is not ResourceType.NOTHING:
        return said.noun in PASSING
    return not PASSING.isdisjoint((*said.words, *map(singular, said.words)))


def _is_reversible(said: ToolReading, verb: Verb) -> bool:
    """Return whether the act can be undone cheaply."""
    if verb in _FOR_GOOD:
        return False
    if verb is Verb.DELETE:
        return is_passing(said) or said.word == "trash"
    return verb is not Verb.EXECUTE or said.reach is not Reach.PRODUCTION


def raised(action: Action, lead: Lead) -> Lead:
    """Let the server's own annotations make the verb worse, never better."""
    hints = action.hints
    # Annotations of MCP are booleans; another value is none. To spend is graver than to delete.
    if hints.get("destructiveHint") is True and lead.verb is not Verb.SPEND:
        return replace(lead, verb=Verb.DELETE)
    told = verb_of_sentence(action.description)
    is_plain = told is not None and told.word not in NOUN_LIKE
    if told is not None and is_plain and lead.verb in LOOKING and told.verb in GRAVE_ACTS:
        return replace(lead, verb=told.verb)
    if hints.get("readOnlyHint") is False and lead.verb in LOOKING:
        return replace(lead, verb=Verb.WRITE)
    return lead
