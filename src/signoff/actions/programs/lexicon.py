"""What the words of an unknown sub-command or option say: the net under the knowledge base.

Programs are named by people, and people use the same few verbs: `delete`, `list`, `create`,
`send`. Where a program is not described, its sub-command words decide the verb class, and nouns
such as `cluster` or `backup` say how much would be gone. Words are taken whole, split at `-`,
`_`, `:`, `.` and case changes; the first verb found wins within a word, the most severe word over
all of them.

    lex(("ec2", "terminate-instances")) -> verb DELETE
    lex(("sns", "list-topics"))         -> verb READ
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from signoff.actions.operation import Thing, Trait, Verb


def words(text: str) -> frozenset[str]:
    """Split a line of names."""
    return frozenset(text.split())


DELETE = words(
    "delete del remove rm rmi destroy purge erase wipe drop terminate unregister deregister prune "
    "nuke truncate empty flush uninstall discard shred obliterate deprovision decommission evict "
    "rmtree unpublish yank expunge undeploy teardown dispose trash rb"
)
SEND = words(
    "send publish post upload mail email notify broadcast invite share submit transmit tweet sms "
    "comment reply forward message release announce"
)
WRITE = words(
    "create new add set update modify edit put patch apply change replace rename move mv copy cp "
    "import restore register attach associate enable disable start stop restart reboot resume "
    "suspend scale deploy rollout upgrade migrate promote push invoke execute exec run cancel "
    "abort detach disassociate disconnect unlink lock unlock assign unassign tag untag label "
    "annotate rotate reset revoke grant approve merge close reopen transfer pause trigger "
    "write insert upsert sync mount umount provision resize rebuild allocate deallocate "
    "activate deactivate link unset shutdown reload bind unbind join leave "
    "archive subscribe unsubscribe authorize deauthorize taint untaint cordon drain undo "
    "rollback configure config install init bootstrap setup kill block unblock ban mute"
)
READ = words(
    "list ls get show describe status info view search find check diff log logs history top "
    "version versions help cat print inspect query validate lint test whoami watch tail explain "
    "count wait plan preview download pull fetch completion completions read scan audit "
    "inventory display dump report stats stat events ps explore examine lookup resolve verify "
    "doctor health ping browse open outdated graph tree head metrics usage estimate"
)
STORES = words(
    "cluster clusters bucket buckets repo repos repository repositories project projects "
    "database databases db dbs account accounts organization organizations org orgs keyspace "
    "vcluster fleet datastore subscription tenant tenants"
)
BACKUPS = words("backup backups snapshot snapshots recovery-point vault-backup checkpoint archive")
SECRETS = words(
    "secret secrets credential credentials token tokens password passwords passwd key keys "
    "keyring apikey passphrase kubeconfig"
)
PRODUCTION = words("prod production prd live")


@dataclass(frozen=True, slots=True)
class Lexed:
    """What words say. `verb` is None where no word is a known verb."""

    verb: Verb | None
    thing: Thing | None = None
    traits: frozenset[Trait] = frozenset()
    word: str = ""


_ORDER = ((DELETE, Verb.DELETE), (SEND, Verb.NETWORK_OUT), (WRITE, Verb.WRITE), (READ, Verb.READ))
_RANK = {Verb.DELETE: 3, Verb.NETWORK_OUT: 2, Verb.WRITE: 1, Verb.READ: 0}
_VERBS: dict[str, Verb] = {word: verb for group, verb in reversed(_ORDER) for word in group}


def split_name(text: str) -> tuple[str, ...]:
    """Split a name into lower-case words at separators and case changes."""
    out: list[str] = []
    word = ""
    for here, following in zip(text, text[1:] + " ", strict=False):
        if not here.isalnum():
            if word:
                out.append(word.lower())
            word = ""
            continue
        word += here
        if here.islower() and following.isupper():
            out.append(word.lower())
            word = ""
    if word:
        out.append(word.lower())
    return tuple(out)


def lex(names: Iterable[str]) -> Lexed:
    """Read verbs and nouns out of sub-command words, most severe first."""
    best: Verb | None = None
    said = ""
    nouns: set[str] = set()
    for word in names:
        parts = split_name(word)
        nouns.update(parts)
        verb = next((_VERBS[p] for p in parts if p in _VERBS), None)
        if verb is not None and (best is None or _RANK[verb] > _RANK[best]):
            best, said = verb, word
    traits: set[Trait] = set()
    thing: Thing | None = None
    if nouns & BACKUPS:
        thing = Thing.BACKUP
    elif nouns & SECRETS:
        thing = Thing.CREDENTIAL
    if nouns & STORES:
        traits.add(Trait.WHOLE_STORE)
    return Lexed(best, thing, frozenset(traits), said)


def is_production(text: str) -> bool:
    """Whether a name speaks of production: a whole word of it, not letters inside one."""
    return not PRODUCTION.isdisjoint(split_name(text))
