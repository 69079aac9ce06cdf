"""Evidence that a tool hands private data to somebody outside, or opens it to everybody.

Read are the arguments: files whose name says that they hold private data of people, who gets them,
for whom something is opened and whose it is.

    send(to="a@mail.example", attachments=["lohnjournal_2025.csv"])   -> denied
    insert_acl(calendar_id="ceo@acme.example", scope={"type": "default"})   -> denied
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.private_names import holds_people, names_people
from signoff.actions.lexicon.private_values import private_kinds
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import (
    MOST_TEXTS,
    TEXT_LIMIT,
    TRIAL,
    Call,
    arguments_of,
    cached_per_call,
    matches,
    name_words,
)
from signoff.assess.combined.evidence.columns import names_columns
from signoff.assess.combined.facts import FAR, is_private_name

_MOST_TEXT = 300  # characters of an argument that may name a file or an address
_MAIL = lazy_re(r"[^\s@<>]{1,80}@([\w-]+(?:\.[\w-]+)+)")
_URL = lazy_re(r"^[A-Za-z][\w+.-]{1,20}://\S{3,500}$")
# Who sends: whoever has the same domain is no stranger.
_SENDER = lazy_re(
    r"(?i)^(?:from|sender|account|mailbox|user(?:_email|_id)?|reply_to|on_behalf_of)$"
)
# Whom a rule of access is for, when it is for everybody.
_FOR_ALL = lazy_re(
    r"(?i)\"\w*(?:scope|principal|entity|entities|member|members|audience|visibility|access|acl|sharing"
    r"|grantee|share_with|permission|permissions|link|type|role_for|viewers?|readers?)\w*\":\s?\[?"
    r"(?:\{\"type\":\s?)?\"(?:\*|public\w*|public-read\w*|everyone\w*|anyone\w*|anybody|everybody"
    r"|all_?users|all|world|internet|anonymous|unauthenticated|guest|default)\""
    r"|\"(?:is_?|make_?)?public\w*\":\s?true|\"anonymous\w*\":\s?true"
    r"|\"\w*public_?access\w*\":\s?\"(?:container|blob|read\w*|list|enabled?|on|open)\""
)
_RIGHTS = lazy_re(
    r"(?i)^(?:acl|acls|share|shares|shared|sharing|permission|permissions|access|policy|grant"
    r"|publish|public|visibility|iam|collaborator|member|link)$"
)
# Whose affairs are nobody else's, beside people's and their money.
_INNER_CIRCLE = lazy_re(
    r"(?i)(?<![a-z])(?:ceo|cfo|coo|executives?|board(?:room)?|(?:managing|board of) directors?"
    r"|legal|finances?|vorstand\w*|geschaeftsfuehrung|geschäftsführ\w*|aufsichtsrat|direktion|finanz\w*"
    r"|buchhaltung|personalabteilung|rechtsabteilung|betriebsrat|comptabilit[eé]|rrhh|contabilidad"
    r"|direzione|contabilit[aà]|mergers?|m&a)(?![a-z])"
)


# Where a machine keeps what services and people gave it: mail, recordings, records, documents.
_KEPT_DATA = lazy_re(
    r"^/(?:var/(?:spool|mail|vmail|lib|db|www|backups?)|srv|mnt|media|export|data"
    r"|(?:(?:home|Users)/[^/]+|root)/(?:Documents|Desktop|Pictures|Mail|Maildir|Dropbox|OneDrive|Library"
    r"|\.config|\.local/share|\.mozilla|\.thunderbird|\.var))(?:/|$)"
)
# Public keys, caches and packages are nobody's data.
_NOBODYS = lazy_re(r"/var/lib/(?:apt|dpkg|pacman|rpm|dnf|snapd|flatpak)\b|\.pub$|/cache")
_OURS = frozenset({Reach.PROJECT, Reach.TEMP, Reach.LOOPBACK})


def reads_kept_data(op: Operation, call: Call) -> bool:
    """True if the call reads what services or people keep on a machine, outside the project."""
    return any(
        [
            one.verb is Verb.READ
            and one.reach not in _OURS
            and _KEPT_DATA.search(one.path) is not None
            and _NOBODYS.search(one.path) is None
            for one in call.operations
        ]
    )


def sends_private_file(op: Operation, call: Call) -> bool:
    """True if a file of people's private data goes to an address outside, or to everybody."""
    if Trait.DRY_RUN in op.traits or not (_private_files(call) or names_columns(call)):
        return False
    return bool(_strangers(call)) or _FOR_ALL.search(arguments_of(call)) is not None


@cached_per_call
def _private_files(call: Call) -> bool:
    return any([holds_people(text) for text in _short_texts(call) if "\n" not in text])


def streams_private_store(op: Operation, call: Call) -> bool:
    """True if a connection is set up that hands private data to a stranger from now on."""
    if Trait.DRY_RUN in op.traits or not _strangers(call):
        return False
    given = [*split_words(call.action.tool), *split_words(" ".join(_short_texts(call))[:2_000])]
    return not _CONNECTIONS.isdisjoint(given) and any(map(names_people, _short_texts(call)))


_CONNECTIONS = vocabulary(
    "connector sink webhook export exporter replication replica mirror forward forwarder"
    " subscription stream destination sync drain"
)


@cached_per_call
def _strangers(call: Call) -> frozenset[str]:
    """The hosts of addresses in the arguments that are neither private nor the sender's own."""
    own, found = set[str](), set[str]()
    for name, value in islice(call.action.arguments.items(), MOST_TEXTS):
        hosts = {host for text in islice(strings_of(value), MOST_TEXTS) for host in _hosts(text)}
        (own if _SENDER.match(name) else found).update(hosts)
    return frozenset(one for one in found - own if class_of_host(one) is HostClass.PUBLIC)


def _hosts(text: str) -> list[str]:
    if len(text) > _MOST_TEXT:
        return []
    if _URL.match(text) is not None:
        return [look_at_url(text).host]
    return [host.lower() for host in _MAIL.findall(text)]


def _short_texts(call: Call) -> list[str]:
    texts = islice(strings_of(call.action.arguments), MOST_TEXTS)
    return [text for text in texts if len(text) <= _MOST_TEXT]


def text_holds_person(op: Operation, call: Call) -> bool:
    """True if a text that is sent holds several kinds of values of one person."""
    if "://" in op.target and look_at_url(op.target).host_class is not HostClass.PUBLIC:
        return False
    return _holds_person(call) and TRIAL.search(op.target) is None


@cached_per_call
def _holds_person(call: Call) -> bool:
    text = call.action.text("command") or arguments_of(call)
    return len(private_kinds(text)) > 1


def is_written_rule(op: Operation, call: Call) -> bool:
    """True for what the content of a file says."""
    return op.thing is ResourceType.CODE and op.path != ""


def opens_private_object(op: Operation, call: Call) -> bool:
    """True if everybody may see what is private by its name, according to the arguments."""
    words = name_words(call)
    is_right = Trait.OPENS_ACCESS in op.traits or any([_RIGHTS.match(one) for one in words])
    given = arguments_of(call)
    if not is_right or _FOR_ALL.search(given) is None:
        return False
    return names_columns(call) or any([_is_private(text) for text in _short_texts(call)])


def _is_private(text: str) -> bool:
    return is_private_name(text) or _INNER_CIRCLE.search(text) is not None


# Rules of a store that let everybody read and change it, or all there is in it.
_OPEN_RULES = lazy_re(
    r"(?i)\bwrite\b[^;\n]{0,40}:\s*if\s+true\b|\.write[\"']?\s*:\s*[\"']?true\b"
    r"|=\*\*\}\s*\{\s*allow\s+read[^;\n]{0,40}:\s*if\s+true\b"
)
_OPEN_POLICY = lazy_re(r"[\"']Principal[\"']\s*:\s*(?:\{[^}]{0,30})?\[?[\"']\*")
_CHANGES = frozenset({Verb.WRITE, Verb.CONFIGURE})


def opens_live_store(op: Operation, call: Call) -> bool:
    """True if rules that open a whole store, or a private one, are made and go to production."""
    line = call.action.text("command")[:TEXT_LIMIT]
    is_private = matches(_OPEN_POLICY, line, call) and _is_private(op.source)
    if not (is_private or matches(_OPEN_RULES, line, call)):
        return False
    others = [one for one in call.operations if one.verb in _CHANGES and one.group != op.group]
    return any([one.reach in FAR and _is_live(one) for one in others])


def _is_live(op: Operation) -> bool:
    return op.reach is Reach.PRODUCTION or is_production(op.source)
