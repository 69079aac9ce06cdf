"""What a command hands to a service by its words, whatever the program is.

A program that uploads, publishes or posts is known by a word of its own (`put`, `push`, `slack`)
or by what its description says. It takes along what its words name: a file of secrets, a folder
where programs keep their logins, a file of people's private data, the output of a command that
read a secret, in a text.

    wrangler r2 object put web/a.woff2 --file .env     -> WRITE, traits={SENDS_SECRET}
    butler push ~/.config ann/game:extras              -> PUBLISH, traits={SENDS_SECRET}
    huggingface-cli upload ann/x patients_iban.csv     -> NETWORK_OUT, traits={SENDS_SECRET}
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import NamedTuple

from signoff.actions.known.hosts import HostClass
from signoff.actions.lexicon.private_names import holds_people, names_people
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.lexicon import split_name
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.dumps import (
    BACKUPS,
    CARRIERS,
    PEOPLE_FOLDER,
    SENDERS,
    STORE,
    STRANGER,
)
from signoff.actions.shell.data_flow.feeding import has_sources
from signoff.actions.shell.data_flow.origins import HOLDING
from signoff.actions.shell.data_flow.secrets import (
    SENT,
    SHELLS_ELSEWHERE,
    STORES,
    WORDS_LIMIT,
    files_named,
    is_secret_file,
)
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# Sub-commands that hand over what is named behind them.
UPLOADS = words(
    "upload put push publish send share sync cp copy copyto add attach post import submit transmit"
    " deliver ship transfer ingest export"
)
# Of those, the ones that leave this machine whatever the program is.
SENDS = words("upload publish share send post submit transmit deliver")
# What a service keeps objects in, for others to fetch.
_OBJECTS = words("storage bucket buckets object objects blob blobs asset assets cdn channel r2 s3")
# They make a site or a release of a whole folder.
DEPLOYS = words("deploy release pages surge")
MOST_WORDS = 6  # of a line that are its sub-command
# A place where others find it: a hub of data, a site, a release, whatever is called public.
_HUB = lazy_re(
    r"(?i)(?<![a-z])(?:public|datasets?|gists?|pages|releases?|spaces?|kernels?|hub|zenodo|figshare"
    r"|kaggle|huggingface|itch|anyone|everyone|world)(?![a-z])"
)
# Where everybody may read, by an option or by the name of the place.
_PUBLIC = lazy_re(
    r"(?i)(?:^|\s)--?(?:\w+-)*(?:public|anyone|everyone|world)(?:-\w+)*(?=[\s=]|$)"
    r"|[= /_-](?:public|anyone|everyone|allusers)(?:-read\w*)?(?=[\s/_-]|$)"
)
# An option that says where something goes.
_TARGET = lazy_re(
    r"(?i)(?:^|\s)--?(?:\w+-)*(?:to|dest\w*|target|tgt|sink|output|upload|push|remote)(?:-\w+)*[= ]"
    r"['\"]?[a-z][\w+.-]{1,20}://"
)
_NOT_PUBLIC = lazy_re(r"(?i)(?<![a-z])private(?![a-z])")
# The screen and the microphone, as programs that record are told.
_CAPTURES = lazy_re(
    r"-f\s+(?:x11grab|gdigrab|kmsgrab|avfoundation|pulse|alsa|dshow|lavfi\s+-i\s+ddagrab)\b"
    r"|\b(?:ximagesrc|pulsesrc|alsasrc|pipewiresrc|waylandsrc|autoaudiosrc|jackaudiosrc"
    r"|d3d11screencapturesrc|avfvideosrc|screen://|pulse://|alsa://)"
)
# Texts that a program sends as they are.
_TEXT_NAME = lazy_re(
    r"(?i)^-{0,2}(?:message|msg|text|body|content|comment|title|subject|data|payload|notes?|description"
    r"|caption|status|pretext|attachment\w*|fields?|release[_-]?notes|changelog)\b"
)
_ADDRESS = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s'\"`|<>]{3,300}")
# Folders where programs keep settings and logins; all of the home holds them too.
_HOME_TREES = words(
    ".config .local .local/share .cache Library Library/Preferences AppData AppData/Roaming"
    " AppData/Local Library/Application+Support .var .var/app snap"
)
_TALK = frozenset({ResourceType.URL, ResourceType.CLOUD, ResourceType.MESSAGE})
_LOCAL = frozenset({ResourceType.NOTHING, ResourceType.CODE})
_GONE = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
_OUTSIDE = frozenset({HostClass.PUBLIC, HostClass.UNKNOWN})


class _Handing(NamedTuple):
    """What the words of a command say about what it hands over, and to whom.

    Args:
        uploads: a sub-command hands over what is named behind it.
        sends: it does so to another machine, whatever the program is.
        deploys: it makes a site or a release of a folder.
        outside: an address of a host that is not of a private network is named.
        is_inside: addresses are named, and all are of this machine or a private network.
        files: what may be the path of a file, or the name of a data set.
    """

    place: Place
    program: str
    uploads: bool
    sends: bool
    deploys: bool
    outside: bool
    is_inside: bool
    is_shown: bool
    is_public: bool
    is_strange: bool
    files: tuple[str, ...]

    @classmethod
    def by(cls, command: Command, place: Place) -> _Handing:
        """Read the words of a command."""
        texts = [word.text for word in command.words[:WORDS_LIMIT]]
        # What is behind a slash or a dot is a path, and no sub-command.
        named = [one for one in texts[: MOST_WORDS + 1] if _SUB_COMMAND.fullmatch(one)]
        parts = {part for text in named[:MOST_WORDS] for part in split_name(text[:80])}
        line = " ".join(texts)[:2_000]
        addresses = _ADDRESS.findall(line)
        hosts = [look_at_url(one).host_class for one in addresses]
        is_stored = not (UPLOADS.isdisjoint(parts) or _OBJECTS.isdisjoint(parts))
        return cls(
            place=place,
            program=command.program,
            uploads=not UPLOADS.isdisjoint(parts) or _TARGET.search(line) is not None,
            sends=is_stored or not SENDS.isdisjoint(parts),
            deploys=not DEPLOYS.isdisjoint(parts),
            outside=not _OUTSIDE.isdisjoint(hosts),
            is_inside=bool(hosts) and _OUTSIDE.isdisjoint(hosts),
            is_shown=_HUB.search(line) is not None and _NOT_PUBLIC.search(line) is None,
            is_public=_PUBLIC.search(line) is not None,
            is_strange=any([STRANGER.search(text) for text in texts]),
            files=(*files_named(command), *map(_table_of, addresses)),
        )

    def hands_out(self, op: Operation) -> bool:
        """Return whether an operation hands over what is named, to another machine."""
        if op.verb in _GONE:
            return True
        if op.thing in _TALK:
            return self.uploads and op.reach in _FAR and op.verb is Verb.WRITE
        # Of code the words of an interpreter say nothing: `python manage.py upload`.
        is_own = op.thing is ResourceType.NOTHING or self.program == op.program
        return (self.uploads and (self.outside or self.is_public)) or (self.sends and is_own)

    def gives_home(self, op: Operation) -> bool:
        """Return whether an operation publishes a folder where programs keep their logins."""
        is_site = self.deploys and op.thing in _TALK and op.reach in _FAR
        is_sent = self.sends if op.verb is Verb.NETWORK_OUT else self.hands_out(op)
        is_shown = op.verb is Verb.PUBLISH or is_sent
        is_home = any([_is_home_tree(one, self.place) for one in self.files])
        return (is_shown or is_site) and is_home

    def gives_people(self, op: Operation) -> bool:
        """Return whether an operation gives private data of people to somebody outside."""
        if self.is_inside or not self._is_given(op):
            return False
        if any([holds_people(one) for one in self.files]) or self._names_records(op):
            return True
        return self.is_strange and any([PEOPLE_FOLDER.search(one) for one in self.files])

    def _is_given(self, op: Operation) -> bool:
        if Trait.COVERT in op.traits or STRANGER.search(op.target) is not None:
            return True
        is_client = op.verb is Verb.EXECUTE or Trait.SENDS_FILES in op.traits
        if is_client and self.is_strange:
            return True
        store = STORE.match(op.target)
        if self.program in CARRIERS or not self.hands_out(op):
            return False
        if store is not None and BACKUPS.search(store[1]) is not None:
            return False
        is_shown = self.is_public if op.thing is ResourceType.CLOUD else self.is_shown
        if op.verb is Verb.PUBLISH or is_shown:
            return True
        is_service = self.sends and op.thing is not ResourceType.CLOUD
        return store is None and (is_service or self.program in SENDERS or self.outside)

    def _names_records(self, op: Operation) -> bool:
        """Whether a table or data set is named; the words of a client are texts and fields."""
        is_named = op.verb is Verb.PUBLISH or self.is_shown or self.outside
        if self.program in SENDERS or not is_named:
            return False
        return any([_NAME.fullmatch(one) is not None and names_people(one) for one in self.files])


_SUB_COMMAND = lazy_re(r"[A-Za-z][\w:-]*")
_NAME = lazy_re(r"[\w./-]*[a-zA-Z][\w./-]*")


def _table_of(address: str) -> str:
    """Return the last part of an address in a private network: an index, a table, a data set."""
    url = look_at_url(address)
    return "" if url.host_class in _OUTSIDE else url.path.rstrip("/").rpartition("/")[2]


def _records(command: Command) -> bool:
    """Tell whether the screen or the microphone goes to a machine that only a number names."""
    line = " ".join([word.text for word in command.words[:WORDS_LIMIT]])[:2_000]
    return _CAPTURES.search(line) is not None and STRANGER.search(line) is not None


def handed_over(
    command: Command,
    operations: list[Operation],
    place: Place,
    written: Mapping[str, int],
    origins: int,
) -> list[Operation]:
    """Mark the operations that hand a secret or private data to somebody outside.

    Args:
        written: origin bits of the files that the line wrote.
        origins: origin bits of what reaches the command.
    """
    if command.program in SHELLS_ELSEWHERE or not _is_worth_reading(command, operations):
        return operations
    said = _Handing.by(command, place)
    has_secret = STORES.isdisjoint(_first_parts(command)) and any(
        [is_secret_file(path, place, written) for path in said.files]
    )
    has_text = (
        bool(origins & HOLDING) and said.outside and _has_secret_text(command, is_sent=said.uploads)
    )
    has_text = has_text or _records(command)
    return [
        replace(op, traits=op.traits | SENT)
        if _may_go_out(op)
        and (
            has_text
            or (has_secret and op.verb not in _GONE and said.hands_out(op))
            or said.gives_home(op)
            or said.gives_people(op)
        )
        else op
        for op in operations
    ]


def _is_worth_reading(command: Command, operations: list[Operation]) -> bool:
    """Tell whether anything may be handed over at all: nearly every command ends here."""
    if not any(map(_may_go_out, operations)):
        return False
    given = command.words[:WORDS_LIMIT]
    line = " ".join([word.text for word in given])
    # The name of a file, a table or a host, or what another command prints.
    if not has_sources(command) and not any(map(line[len(command.program) :].__contains__, "./~_")):
        return False
    if any([op.verb in _GONE or op.thing in _TALK for op in operations]):
        return True
    return any(map(line.__contains__, _LEADS)) or _NUMBERS.search(line) is not None


# One of them stands in each command that hands something over and is no client.
_LEADS = ("://", "bucket", "storage", "object", "blob", "public", *sorted(SENDS))
_NUMBERS = lazy_re(r"\d\.\d{1,3}\.\d")
_LOOPBACK, _SENDS_SECRET = Reach.LOOPBACK, Trait.SENDS_SECRET
_WRITE, _EXECUTE = Verb.WRITE, Verb.EXECUTE


def _may_go_out(op: Operation) -> bool:
    verb = op.verb
    if verb is _WRITE or verb is _EXECUTE:
        is_out = op.thing in _TALK or op.thing in _LOCAL
    else:
        is_out = verb in _GONE
    return is_out and op.reach is not _LOOPBACK and _SENDS_SECRET not in op.traits


def _first_parts(command: Command) -> set[str]:
    """The words that may say what is stored: a store of secrets keeps them for itself."""
    return {
        part
        for word in command.words[:5]
        if "/" not in word.text and not word.text.startswith(".")
        for part in split_name(word.text[:80])
    }


def _has_secret_text(command: Command, *, is_sent: bool) -> bool:
    """Tell whether a word is a text that takes up what other commands print.

    Args:
        is_sent: a sub-command says that the words are sent.
    """
    before = ""
    for word in command.words[1:]:
        name = word.text.partition("=")[0].partition(":")[0]
        if word.sources and (_TEXT_NAME.match(name) or _TEXT_NAME.match(before)):
            return True
        # What follows no option is handed over as it is: `push "$(cat key)"`.
        if word.sources and is_sent and before[:1] != "-" and word.text[:1] != "-":
            return True
        before = word.text
    return False


def _is_home_tree(text: str, place: Place) -> bool:
    """Tell whether a path is the home folder, or a folder of it for settings of all programs."""
    if "://" in text or not text:
        return False
    path = locate(text, place, has_glob=False).path
    if path == place.home:
        return True
    inner = posixpath.relpath(path, place.home) if path.startswith(f"{place.home}/") else ""
    return inner.replace(" ", "+") in _HOME_TREES
