"""What the words of an unknown sub-command or option say: the net under the knowledge base.

Programs are named by people, and people use the same few verbs: `delete`, `list`, `create`,
`send`. Where a program is not described, its sub-command words decide the verb class, and nouns
such as `cluster` or `backup` say how much would be gone. Words are taken whole, split at `-`,
`_`, `:`, `.` and case changes; the first part of a word is its verb before the last, and the most
severe word counts over all of them.

    lex(("ec2", "terminate-instances")) -> verb DELETE
    lex(("sns", "list-topics"))         -> verb READ
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from signoff.actions.lexicon.compound_names import split_compound
from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.vocabulary import words

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
    "toggle flip rollback configure config install init bootstrap setup kill block unblock ban mute"
)
READ = words(
    "list ls get show describe status info view search find check diff log logs history top "
    "version versions help cat print inspect query validate lint test whoami watch tail explain "
    "count wait plan preview download pull fetch completion completions read scan audit "
    "inventory display dump report stats stat events ps explore examine lookup resolve verify "
    "doctor health ping browse open outdated graph tree head metrics usage estimate receive peek "
    "poll preflight simulate dryrun"
)
SPEND = words("purchase buy payout pay refund donate")
STORES = words(
    "cluster clusters bucket buckets repo repos repository repositories project projects "
    "database databases db dbs account accounts organization organizations org orgs keyspace "
    "vcluster fleet datastore tenant tenants registry registries vault vaults keyring keyrings "
    "dbaas fileset filesets filesystem filesystems tablespace tablespaces realm realms datacenter"
)
# `instance` or `group` alone is no store; with the word before it, it is.
COMPOUND_STORES = (
    ("db", "instance"),
    ("storage", "account"),
    ("storage", "container"),
    ("resource", "group"),
    ("user", "pool"),
    ("file", "system"),
    ("key", "ring"),
    ("sql", "instance"),
    ("rdb", "instance"),
    ("sql", "instances"),
)
# An identity of programs: one login of many, while an account holds everything.
NOT_STORES = (("service", "account"), ("service", "accounts"))
BACKUPS = words("backup backups snapshot snapshots recovery-point vault-backup checkpoint archive")
SECRETS = words(
    "secret secrets credential credentials token tokens password passwords passwd key keys "
    "keyring apikey passphrase kubeconfig"
)
PRODUCTION = words("prod production prd live")
MAX_KEPT = 64  # characters of a name whose parts are remembered
OPEN_TO_ALL = ("public-read", "allUsers", "allAuthenticatedUsers", "publicRead")
EVERY_ADDRESS = ("0.0.0.0/0", "::/0")
# Ports of shells, desktops, databases and engines; 80 and 443 are open to all by design.
WAYS_IN = words(
    "22 3389 23 5900 3306 5432 1433 6379 27017 9200 2375 2376 5985 10250 -1 all 0-65535"
)
# Verbs that also name a group of commands: `run services list`, `deploy releases list`.
GROUPING = words(
    "run deploy config configure import message release app comment share invite tag label build "
    "scale backup restore user update push group authorize mail email sync copy install apply "
    "patch set edit service exec execute publish upload new move archive forward "
    "block-storage lock register"
)


# Verbs whose operand is a label or a name, whatever it says.
# Tools that drive a browser or device: `click "Delete account"` names a button.
LABELLING = words("click tap press type fill hover capture focus screenshot goto scroll dblclick")
TESTS = words("test tests spec specs e2e")
RUNNING = words("run runner")
TEST_RUNNERS = words("runtests runtest testrunner runspecs unittests")


# As options these say how something is done, or bring a text along: `--release`, `--message`.
QUALITIES = words("release message comment mail email label tag notify announce share reply post")
# What a program leaves out of the data it reads: `--drop-densest-as-needed`, `--remove-duplicates`.
_OF_DATA = words(
    "duplicate duplicates dup dups empty blank rate ratio prob probability fraction percent na nan"
    " nans null nulls missing outlier outliers whitespace spaces newlines comments noise background"
    " adapter adapters primer primers holes gaps overlaps densest sparsest smallest largest smaller"
    " larger longest shortest needed features polygons lines points vertices edges reads bases"
    " contigs variants samples frames silence stopwords punctuation accents tags prefix suffix"
    " header headers footer margins metadata exif chroma alpha columns fields singletons unmapped"
    " secondary supplementary ambiguous invalid redundant trailing leading islands slivers"
)
_KEPT = words(
    "table tables user users file files folder folders branch branches index indexes disk"
)
# Marks of paths, assignments, hosts and addresses.
_MARKS = frozenset("/=.@:")
_ORDER = (
    (DELETE, Verb.DELETE),
    (SPEND, Verb.SPEND),
    (SEND, Verb.NETWORK_OUT),
    (WRITE, Verb.WRITE),
    (READ, Verb.READ),
)
_RANK = {Verb.DELETE: 4, Verb.SPEND: 3, Verb.NETWORK_OUT: 2, Verb.WRITE: 1, Verb.READ: 0}
# Reversed, so that a word in two groups keeps its most severe meaning.
_VERBS: dict[str, Verb] = {word: verb for group, verb in reversed(_ORDER) for word in group}


class WordMeaning(Struct, frozen=True, kw_only=True, gc=False):
    """The meaning of command words: a verb, None if there is none, and its noun."""

    verb: Verb | None
    noun: tuple[str, ...] = ()
    word: str = ""
    is_grouping: bool = False

    @property
    def rank(self) -> int:
        """Severity of the verb, from 0; -1 without one."""
        return -1 if self.verb is None else _RANK[self.verb]

    @property
    def is_store(self) -> bool:
        """Whether the noun is a whole store, such as a database, bucket or cluster."""
        # Before STORES, which has `account`.
        if any(self.noun[-len(pair) :] == pair for pair in NOT_STORES):
            return False
        if any(self.noun[-len(pair) :] == pair for pair in COMPOUND_STORES):
            return True
        return not STORES.isdisjoint(self.noun[-1:])

    @property
    def is_backup(self) -> bool:
        """Whether the noun is a backup or snapshot."""
        return not BACKUPS.isdisjoint(self.noun[-1:]) or self.noun[-2:] == ("recovery", "point")

    @property
    def is_secret(self) -> bool:
        """Whether the noun is a secret, key or token."""
        return not SECRETS.isdisjoint(self.noun[-1:])


class Lexed(Struct, frozen=True, gc=False):
    """The verb and noun found in words; `verb` is None if no word is a known verb."""

    verb: Verb | None
    thing: ResourceType | None = None
    traits: frozenset[Trait] = frozenset()
    word: str = ""


def split_name(text: str) -> tuple[str, ...]:
    """Split a name into lower-case words at separators and case changes."""
    # Long texts are seldom seen twice and would only fill the cache.
    return _kept_parts(text) if len(text) <= MAX_KEPT else _parts(text)


def _parts(text: str) -> tuple[str, ...]:
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


_kept_parts = lru_cache(maxsize=4096)(_parts)


def read_words(names: Sequence[str]) -> WordMeaning:
    """Find the verb of command words and its noun; the most severe verb wins.

    The noun is the rest of the verb's own word, else the word before it, else the one after.
    """
    found: list[WordMeaning] = []
    for place, word in enumerate(names):
        if word[:1] == "-" and word.lstrip("-") in QUALITIES:
            continue
        told = _verb_in(split_name(word))
        if told is None:
            continue
        verb, rest = told
        noun = rest or tuple(part for w in names[max(place - 2, 0) : place] for part in _noun(w))
        if not noun and place + 1 < len(names):
            noun = _noun(names[place + 1])
        found.append(WordMeaning(verb=verb, noun=noun, word=word, is_grouping=word in GROUPING))
    # In `deploy releases list` the verb is `list`; `deploy` alone is the verb.
    firm = [said for said in found if not said.is_grouping] or found
    return max(firm, key=lambda said: said.rank, default=WordMeaning(verb=None))


def _verb_in(parts: tuple[str, ...]) -> tuple[Verb, tuple[str, ...]] | None:
    """The verb of one word and its other parts: the first part, else the last, else any."""
    # `delete-user` and `user-delete` are both in use; a verb in the middle is the exception.
    for place in (0, -1, *range(1, len(parts) - 1)) if parts else ():
        verb = _VERBS.get(parts[place])
        if verb is not None:
            return verb, parts[:place] + (parts[place + 1 :] if place >= 0 else ())
    for place, part in enumerate(parts):
        compound = split_compound(part)
        if compound is not None:
            return Verb.DELETE, (*parts[:place], compound[1], *parts[place + 1 :])
    return None


def says_how(option: str) -> bool:
    """Return whether an option, without its dashes, says how data is read, and is no act.

    What is left out of the data on its way through is in the source as before.
    """
    if option in QUALITIES:
        return True
    verb, *rest = split_name(option) or ("",)
    is_kept = not (STORES | BACKUPS | SECRETS | _KEPT).isdisjoint(rest)
    return verb in DELETE and not is_kept and not _OF_DATA.isdisjoint(rest)


def command_words(program: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the words of an undescribed program that may be sub-commands.

    A test runner is given names of tests, and a path names a file. Behind a word that acts on a
    label (`click SEND`) stands the label. A word of several parts (`remove-user`) is a sub-command
    only where it is first or behind a noun: `users remove-all`, but not `show remove-user` or
    `capture remove-x`. A program that is named after what it deletes is the first of them.
    """
    if runs_tests(program):
        return ()
    kept: list[str] = [program] if names and split_compound(program) is not None else []
    for word in names:
        if "/" in word:
            continue
        parts = split_name(word)
        if kept and len(parts) > 1 and not _is_group(kept[-1]):
            continue
        kept.append(word)
        if len(kept) == 1 and word.lower() in LABELLING:
            break
    return tuple(kept)


def runs_tests(program: str) -> bool:
    """Return whether a program's name says that it runs tests: `runtests.py`."""
    parts = split_name(program.partition(".")[0])
    if not TEST_RUNNERS.isdisjoint(parts):
        return True
    return not TESTS.isdisjoint(parts) and (len(parts) == 1 or not RUNNING.isdisjoint(parts))


def _is_group(word: str) -> bool:
    """Whether a word names a group of sub-commands: a noun in the plural, a store."""
    parts = split_name(word)
    if len(parts) != 1 or parts[0] in _VERBS:
        return parts[:1] != () and parts[0] in GROUPING
    return parts[0].endswith("s") or parts[0] in STORES | BACKUPS | SECRETS


def _noun(word: str) -> tuple[str, ...]:
    """The parts of a word that can be a noun; addresses, paths and names with marks are none."""
    return () if len(word) > 40 or not _MARKS.isdisjoint(word) else split_name(word)


def lex(names: Iterable[str]) -> Lexed:
    """Find verb and noun in sub-command words; the most severe verb wins."""
    said = read_words(tuple(names))
    thing = ResourceType.CREDENTIAL if said.is_secret else None
    return Lexed(
        said.verb,
        ResourceType.BACKUP if said.is_backup else thing,
        frozenset({Trait.WHOLE_STORE}) if said.is_store else frozenset(),
        said.word,
    )


def is_production(text: str) -> bool:
    """Tell whether a name contains a whole word for production, as `prod-db` does."""
    lowered = text.lower()
    for word in PRODUCTION:
        if word in lowered:
            # Whole words only: `product` and `reproduce` are not production, nor is `alive`.
            return not PRODUCTION.isdisjoint(split_name(text))
    return False


def opens_to_all(texts: Iterable[str]) -> bool:
    """Tell whether words give access to everybody: public access, ingress from any address."""
    # `CidrIp=0.0.0.0/0,FromPort=22`: services write such rules in one word.
    parts = {part for text in texts for part in text.replace("=", " ").replace(",", " ").split()}
    if any(mark in part for part in parts for mark in OPEN_TO_ALL):
        return True
    everybody = any(mark in part for part in parts for mark in EVERY_ADDRESS)
    ports = {part.rsplit(":", 1)[-1].split("-", 1)[0] or part for part in parts}
    # A web server open to everybody is what it is for; a database or a shell is not.
    return everybody and not WAYS_IN.isdisjoint(parts | ports)
