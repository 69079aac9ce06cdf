"""Secrets on their way out: what holds one, and what a command that sends takes along.

A secret leaves as a file that is named (`--body-file .env`), as the environment printed into a
pipe, as a copy under another name, in a variable inside an address, or in a push. What a program
only uses to log in (`scp -i key`) and what goes into a store of secrets (`gh secret set`) stays
what it is: no leak.

    cp .env a.png && curl -F f=@a.png URL      -> NETWORK_OUT, traits={SENDS_SECRET}
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.known.secret_owners import goes_astray, secret_variables
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.origins import DUMP, HOLDING, PRIVATE, SECRET
from signoff.actions.shell.data_flow.staged import known_secrets
from signoff.actions.shell.origins.marks import IN_PLACE, WrittenFiles
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# These put a whole folder, and any secret in it, into what they write.
PACKERS = words("tar gtar bsdtar zip 7z 7za 7zz rar ar cpio pax cp rsync ditto")
# Programs that print the environment when they are given no name.
ENVIRONMENT_DUMPERS = words(
    "env printenv set export declare typeset docker podman docker-compose heroku"
)
# Clients that send the text they are given as data.
DATA_CLIENTS = words(
    "psql mysql mariadb sqlcmd clickhouse-client cqlsh mongosh grpcurl evans redis-cli valkey-cli "
    "mosquitto_pub kcat kafkacat nats websocat wscat influx"
)
PRINTERS = words("echo printf print")
CLIENTS = words("curl wget http https xh xhs httpie curlie aria2c")
SHELLS_ELSEWHERE = words("ssh mosh sshpass docker podman kubectl oc ansible vagrant lxc")
# Options whose file is used to log in, to encrypt, or is written: it does not leave.
STAYS = words(
    "-i --identity --identity-file --key --cert --cert-key --private-key --keyfile --key-file "
    "--kubeconfig --credentials --credentials-file --netrc-file --password-file --token-file "
    "--env-file --tls-key --ssl-key --secret-key --cacert --output --cookie-jar --dump-header "
    "--config --passfile --identity-agent"
)
CLIENT_STAYS = STAYS | words("-E -o -O -c -D -K")
TEXTS = words("-t --title -b --body -m --message --notes -n --subject -s --description")
SEARCHERS = words("grep egrep fgrep zgrep rg ag ack git sed awk gawk strings")
NUMBERS = words("wc cksum md5sum sha1sum sha256sum sha512sum b2sum shasum stat du cmp")
_MATCHERS = words("grep egrep fgrep zgrep rg diff")
_OWN_REACHES = frozenset({Reach.PROJECT, Reach.TEMP})
NOT_SHOWING = NUMBERS | _MATCHERS | words("cp cut awk gawk mawk sed")
# What shows of each line no more than stands before its `=`: the names of settings.
_NAMES_ONLY = lazy_re(
    r"cut(?: -s| -d ?=| -f ?1| --delimiter==| --fields=1){2,3}"
    r"|[gm]?awk -F ?\[?=\]? (?:!?/[^/{}$]*/ ?)?\{ ?print \$1;? ?\}\s*"
    r"|sed(?: -[rEn]+)*(?: -e)? s(?P<d>[/|#,]) ?=\.\*\$?(?P=d)[^&\\/|#,]*(?P=d)g?"
    r"|e?grep(?: -(?=[A-Za-z]*o)[oEhP]+)(?: -h)? \^(?:\[[A-Za-z0-9_-]+\](?:\[[A-Za-z0-9_-]+\])?"
    r"|\[\^=\])[*+]?=?"
)
_NUMBERS = lazy_re(
    r"-[a-zA-Z]*[cqlL]|--count|--quiet|--silent|--brief|--files-with(?:out)?-match(?:es)?"
)
# How private keys and well-known tokens begin: AWS, GitHub, Slack, Stripe.
KEY_MARKS = lazy_re(
    r"PRIVATE KEY|BEGIN (?:RSA|DSA|EC|OPENSSH|PGP)|\bAKIA|\bgh[pousr]_|\bxox[abp]-|\bsk_live_"
)
STORES = words("secret secrets variable variables env vault kv ssm secretsmanager keyvault")
# `-F f=@file`, `-F f=<file` and `-d @file` (curl); in `user@host` the mark names no file.
MARKS = lazy_re(r"=@|=<|(?<![^\s=:;,])@")
PUTS = lazy_re(r"(?:^|[;\s])(?:m?put|mirror\s+-R)\s+(\S+)")
WORDS_LIMIT = 64
# These take a file along that they only write to.
CARRYING_ON = frozenset({"mv", "ln", "rename", "install", "cp"}) | IN_PLACE
SENT, NOTHING = frozenset({Trait.SENDS_SECRET}), frozenset[Trait]()
_READ, _WRITE, _OUT, _PUBLISH = Verb.READ, Verb.WRITE, Verb.NETWORK_OUT, Verb.PUBLISH
_READS_SECRET = Trait.READS_SECRET


def printed_environment(command: Command) -> int:
    """Return `DUMP` if a command prints all variables or a container's settings, else 0."""
    return DUMP if command.program in ENVIRONMENT_DUMPERS and _prints_environment(command) else 0


def _prints_environment(command: Command) -> bool:
    texts = [word.text for word in command.words[1:]]
    match command.program:
        case "docker" | "podman":
            shows = texts[:1] == ["inspect"] or texts[:2] in (
                ["container", "inspect"],
                ["compose", "config"],
            )
            # `docker inspect -f '{{.State.Status}}'` shows one field, and no variable.
            is_narrow = any([text.startswith(("-f", "--format")) for text in texts[1:]])
            return shows and (not is_narrow or "Env" in " ".join(texts))
        case "docker-compose" | "heroku":
            return texts[:1] == ["config"]
        case "declare" | "typeset" | "export":
            return all([text in {"-p", "-x", "-px", "-xp"} for text in texts])
        case _:
            return all([text.startswith("-") for text in texts])


def searches_keys(command: Command) -> bool:
    """Return whether a command searches for lines with key material and prints them."""
    if command.program not in SEARCHERS:
        return False
    texts = [word.text for word in command.words[1:]]
    # `grep -v KEY` prints every line but those.
    return "-v" not in texts and any([KEY_MARKS.search(text) is not None for text in texts])


def tells_numbers(command: Command) -> bool:
    """Return whether a command prints only counts, sizes or yes/no, no file content."""
    if command.program in NUMBERS:
        return True
    if command.program not in _MATCHERS:
        return False
    texts = [word.text for word in command.words[1:]]
    return any([_NUMBERS.fullmatch(text) is not None for text in texts])


def shows_nothing(command: Command, operations: Sequence[Operation], place: Place) -> bool:
    """Return whether nobody sees the content of what a command reads."""
    if command.program == "cp":
        return keeps_settings(operations, place)
    return tells_numbers(command) or _shows_names(command, operations)


def _shows_names(command: Command, operations: Sequence[Operation]) -> bool:
    """Tell `cut -d= -f1 .env`: which settings there are, without their values."""
    read = [op for op in operations if op.verb is _READ]
    if not read or not all([op.file_kind is FileKind.ENV for op in read]):
        return False
    files = {op.target for op in read}
    given = " ".join([word.text for word in command.words if word.text not in files])
    return _NAMES_ONLY.fullmatch(given) is not None


def keeps_settings(operations: Sequence[Operation], place: Place) -> bool:
    """Tell `cp .env .env.local`: nobody sees it, and the copy is known as such a file, too.

    Only beside it or at the root of the project: another folder may be published as a whole.
    """
    acting = [op for op in operations if op.verb in (_READ, _WRITE)]
    if {(op.file_kind, op.reach) for op in acting} != {(FileKind.ENV, Reach.PROJECT)}:
        return False
    near = {place.project, *(posixpath.dirname(op.path) for op in acting if op.verb is _READ)}
    # `cp` may also put it into a folder of the target's name.
    written = [op.path for op in acting if op.verb is _WRITE]
    return bool(written) and posixpath.dirname(written[0]) in near


def without_content(operations: Sequence[Operation]) -> list[Operation]:
    """Return a command's operations without secrecy, where its output shows no content."""
    return [
        replace(op, traits=op.traits - {_READS_SECRET}, file_kind=FileKind.DATA)
        if op.verb is _READ and _READS_SECRET in op.traits and op.reach in _OWN_REACHES
        else op
        for op in operations
    ]


def held_by(operations: Iterable[Operation], written: Mapping[str, int], place: Place) -> int:
    """Return origin bits of the files a command reads: secrets copied there before.

    Args:
        written: origins by path.
    """
    known = place.facts.secrets_read
    known = known_secrets(known) if known else known
    if not written and not known:
        return 0
    found = 0
    pieces = written.pieces if isinstance(written, WrittenFiles) else ()
    for op in operations:
        if op.path and (op.verb is _READ or op.program in CARRYING_ON):
            origins = written.get(op.path, 0)
            for one in pieces if not origins else ():
                origins |= written[one] if _is_piece(op.path, (one,), op.target) else 0
            found |= origins & HOLDING | (SECRET if origins & PRIVATE else 0)
            if op.path in known or _is_piece(op.path, known, op.target) or _packs_one(op, known):
                found |= SECRET
    return found


def _is_piece(path: str, known: Iterable[str], target: str = "") -> bool:
    """Tell whether a file, or a glob in its folder, is of the pieces of a secret: `part_*`."""
    cut = [one for one in known if one[-1:] == "*"]
    # A glob's path is its folder.
    folder = path if cut and "*" in target else None
    return any([path.startswith(one[:-1]) or posixpath.dirname(one) == folder for one in cut])


def _packs_one(op: Operation, known: Iterable[str]) -> bool:
    """Tell whether a whole folder is packed that holds one of the known secrets."""
    if op.program.split(" ", 1)[0] not in PACKERS:
        return False
    return any([is_inside(path, op.path) for path in known])


def marked_copies(operations: list[Operation], through: int) -> list[Operation]:
    """Mark the files a command writes if a secret went into them.

    Args:
        through: origin bits of its input.
    """
    if not through & (HOLDING | PRIVATE):
        return operations
    return [
        replace(op, traits=op.traits | {Trait.HOLDS_SECRET}) if op.verb is _WRITE else op
        for op in operations
    ]


def copies_secret(operations: Sequence[Operation]) -> bool:
    """Return whether a command reads a secret and writes a file."""
    reads = writes = False
    for op in operations:
        writes = writes or op.verb is _WRITE
        reads = reads or (op.verb is _READ and _READS_SECRET in op.traits)
    return reads and writes


class Sent(NamedTuple):
    """What the words of a command may send along; computed once per command."""

    is_talk: bool
    keys: tuple[str, ...]
    has_file: bool
    has_copy: bool

    @classmethod
    def by(
        cls,
        command: Command,
        place: Place,
        written: Mapping[str, int],
        feeding: Sequence[Command] = (),
    ) -> Sent:
        """Find variables that hold a key, and files that hold a secret, in a command's words.

        Args:
            feeding: commands whose output reaches it.
        """
        # A file in their words is one on the other machine, or the key they log in with.
        if command.program in SHELLS_ELSEWHERE:
            return cls(is_talk=False, keys=(), has_file=False, has_copy=False)
        taken = [*command.words[1:]] if command.program in CLIENTS else []
        for one in feeding:
            taken += one.words[1:] if one.program in PRINTERS else ()
        keys = [name for word in taken if not word.is_known for name in secret_variables(word.raw)]
        has_file = STORES.isdisjoint([word.text for word in command.words[1:4]]) and any(
            is_secret_file(path, place, written) for path in files_named(command)
        )
        has_copy = any([_is_packed_copy(path, place) for path in place.facts.secrets_read])
        return cls(is_talk=True, keys=tuple(keys), has_file=has_file, has_copy=has_copy)

    def along(self, op: Operation) -> frozenset[Trait]:
        """Return traits for secrets that a sending operation takes along."""
        if op.reach is Reach.LOOPBACK or not self.is_talk:
            return NOTHING
        is_out = op.verb is _OUT or op.verb is _PUBLISH
        is_astray = bool(self.keys) and op.thing is ResourceType.URL and _astray(op, self.keys)
        is_packed = op.verb is _PUBLISH and op.thing is ResourceType.PACKAGE and self.has_copy
        return SENT if is_astray or is_packed or (is_out and self.has_file) else NOTHING


def _is_packed_copy(path: str, place: Place) -> bool:
    """Tell whether a secret was copied into a plain file of the project: a package takes it up."""
    project = place.project or place.cwd
    if not is_inside(path, project) or "/.git/" in path:
        return False
    return locate(path, place).read_kind not in SECRET_KINDS


def _astray(op: Operation, names: Iterable[str]) -> bool:
    # A raw connection names its host and port as two words.
    url = look_at_url(op.target if "://" in op.target else f"x://{op.target.partition(' ')[0]}")
    return any([goes_astray(name, url.host, is_covert=url.is_covert) for name in names])


def files_named(command: Command) -> Iterator[str]:
    """Yield what may be the path of a file that a command sends."""
    before = ""
    stays = CLIENT_STAYS if command.program in CLIENTS else STAYS
    for word in command.words[1 : WORDS_LIMIT + 1]:
        text, last = word.text, before
        before = text
        option, given, value = text.partition("=") if text.startswith("--") else ("", "", text)
        last = option if given else last
        if last in stays or "://" in value or (text.startswith("-") and not given):
            continue
        parts = MARKS.split(value)
        yield from [part.partition(";")[0] for part in parts[1:]]
        if " " in value:
            yield from [found.rstrip(";,'\"") for found in PUTS.findall(value)]
        elif last not in TEXTS:
            yield value


def is_secret_file(path: str, place: Place, written: Mapping[str, int]) -> bool:
    """Return whether a path is a file of secrets, by its name or by what was written to it.

    Args:
        written: origin bits by path.
    """
    # A text of several lines or of this length is content; `-` is standard input.
    if not path or len(path) > 512 or "\n" in path or path == "-":
        return False
    at = locate(path, place)
    if at.read_kind in SECRET_KINDS:
        return True
    known = place.facts.secrets_read
    is_known = at.path in known or _is_piece(at.path, known)
    return is_known or bool(written.get(at.path, 0) & HOLDING)
