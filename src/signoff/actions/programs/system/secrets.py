"""Keys, passwords, encryption: gpg, ssh keys, age, pass and key rings.

Showing a secret is reading a credential; exporting a private key too. Making keys in the project
and checking signatures is ordinary work.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, remote
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    DELETE_CREDENTIAL,
    INSPECT,
    REVEAL_CREDENTIAL,
    STORE_CREDENTIAL,
)
from signoff.actions.shell.command import RedirectKind, Word
from signoff.actions.vocabulary import words
from signoff.values import replace

PUBLISHED_KEY = remote(Verb.NETWORK_OUT, ResourceType.URL)
KEY_RINGS = ("freedesktop.secret", "kde.kwallet", "gnome.keyring")
GPG_LOOKS = (
    "-k --list-keys --list-public-keys -K --list-secret-keys --list-signatures --check-signatures "
    "--fingerprint --verify --list-packets --print-md --list-config --dump-options --card-status "
    "--export --print-mds --gen-random --show-keys --list-sigs --check-sigs --locate-keys"
)
GPG_CHANGES = (
    "--gen-key --generate-key --full-generate-key --full-gen-key --quick-generate-key --import "
    "--edit-key --sign-key --lsign-key --quick-sign-key --quick-add-uid --quick-add-key "
    "--passwd --change-passphrase --refresh-keys --import-ownertrust --card-edit --edit-card "
    "--quick-set-expire --quick-revoke-uid --update-trustdb --generate-revocation --gen-revoke "
    "--quick-lsign-key --tofu-policy"
)


def pgp(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `gpg`: one command option says what is done."""
    for word in call.values("-o", "--output"):
        if word.text != "-":
            yield call.on_file(Verb.WRITE, word)
    # Secret keys come first in the table: the worst command named on a line counts.
    for names, act in GPG_COMMANDS:
        if call.has(*words(names)):
            yield from call.perform(act)
            return
    yield from _coded(call)


GPG_COMMANDS: tuple[tuple[str, Act], ...] = (
    ("--export-secret-keys --export-secret-subkeys --export-secret-key", REVEAL_CREDENTIAL),
    ("--delete-secret-keys --delete-secret-and-public-keys --delete-secret-key", DELETE_CREDENTIAL),
    ("--delete-keys --delete-key --delete-public-keys", STORE_CREDENTIAL),
    ("--send-keys --send-key", PUBLISHED_KEY),
    ("--recv-keys --receive-keys --fetch-keys --recv-key --search-keys", STORE_CREDENTIAL),
    (GPG_CHANGES, STORE_CREDENTIAL),
    (GPG_LOOKS, INSPECT),
)


def _coded(call: ProgramCall) -> Iterator[Effect]:
    """Encrypt, sign or decrypt the files named."""
    # gpg without a command guesses from the file, and decrypts what is encrypted.
    opened = call.has("-d", "--decrypt") or not call.has(
        "-e",
        "--encrypt",
        "-c",
        "--symmetric",
        "-s",
        "--sign",
        "-b",
        "--detach-sign",
        "--clearsign",
        "--clear-sign",
        "-es",
        "-se",
        "-ae",
        "-sa",
        "-ab",
        "--dearmor",
        "--enarmor",
    )
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
        # What comes out of such a file is a secret in plain text; other encrypted files are
        # documents.
        if opened and _holds_secret(word):
            yield from call.perform(REVEAL_CREDENTIAL)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def make_key(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ssh-keygen`: makes, shows, changes keys."""
    # The default of ssh-keygen(1); it asks before it overwrites a key, but takes `y` from a pipe.
    file = call.value("-f") or Word(text="~/.ssh/id_ed25519")
    if call.has("-l", "-B", "-F", "-L", "-Q"):
        yield call.operation(Verb.READ, ResourceType.NOTHING)
    elif call.has("-y", "-e"):
        # Both read the private key and print its public half.
        yield call.on_file(Verb.READ, file)
    elif call.has("-R", "-A", "-K"):
        yield call.on_file(Verb.WRITE, call.value("-f") or Word(text="~/.ssh/known_hosts"))
    elif call.has("-Y"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        yield call.on_file(Verb.WRITE, file)


def copy_key(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ssh-copy-id`: one more key opens another machine."""
    if call.has("-n"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.ACCOUNT,
        " ".join(call.texts),
        traits=(Trait.OPENS_ACCESS,),
        reach=Reach.REMOTE,
        reversible=False,
    )


def _holds_secret(file: Word) -> bool:
    name = file.text.lower()
    return any([part in name for part in ("pass", "secret", "key", "credential", ".env", "token")])


def _is_kept(call: ProgramCall) -> bool:
    """Return whether the output is redirected to a file."""
    return any([file.kind is not RedirectKind.READ for file in call.command.redirects])


def age(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `age`: encrypts and decrypts files; the identity it is given is read."""
    yield from (call.on_file(Verb.READ, w) for w in call.operands)
    # Only decrypting needs the identity, which is a private key; encrypting takes a public one.
    if call.has("-d", "--decrypt"):
        yield from (call.on_file(Verb.READ, w) for w in call.values("-i", "--identity"))
        # age(1): without `-o` the plain text goes to the standard output, as with `gpg -d`.
        into = call.values("-o", "--output")
        is_shown = all([word.text == "-" for word in into]) and not _is_kept(call)
        if is_shown and any(map(_holds_secret, call.operands)):
            yield from call.perform(REVEAL_CREDENTIAL)
    yield from (call.on_file(Verb.WRITE, w) for w in call.values("-o", "--output"))
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def password_store(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `pass NAME` shows; the commands make, change, delete."""
    what = call.texts[0] if call.operands else ""
    # Names of entries, not what they hold.
    if what in {"", "ls", "list", "find", "search", "help", "version"}:
        yield call.operation(Verb.READ, ResourceType.NOTHING)
    elif what in {"rm", "remove", "delete"}:
        yield from call.perform(DELETE_CREDENTIAL)
    elif what in {
        "insert",
        "add",
        "edit",
        "generate",
        "mv",
        "rename",
        "cp",
        "copy",
        "init",
        "git",
        "import",
        "recipients",
        "setup",
        "clone",
        "create",
        "sync",
    }:
        yield from call.perform(STORE_CREDENTIAL)
    else:
        # `pass NAME` is short for `pass show NAME`.
        shown = call.operands[1:] if what == "show" and len(call.operands) > 1 else call.operands
        yield from replace(call, operands=shown).perform(REVEAL_CREDENTIAL)


def bus(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `dbus-send --dest=org.freedesktop.secrets ...`: the key ring, by its service."""
    text = " ".join([word.text for word in call.command.words[1:]]).lower()
    if any([name in text for name in KEY_RINGS]):
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "key ring", traits=(Trait.READS_SECRET,)
        )


MAKING = ("-genkeypair", "-genkey", "-genseckey", "-importcert", "-importpass")


def key_store(call: ProgramCall) -> Iterator[Effect]:
    """`keytool -genkeypair -keystore F`: a store in a temporary or build folder is a file there."""
    kept = call.value("-keystore", "--keystore")
    if call.has(*MAKING) and kept is not None:
        written = call.on_file(Verb.WRITE, kept)
        is_thrown_away = written.reach is Reach.TEMP or Trait.REBUILDABLE in written.traits
        if is_thrown_away or written.file_kind is FileKind.TEST:
            yield written
            return
    if call.has("-list", "-printcert", "-printcrl", "-printcertreq", "-exportcert", "-help"):
        yield from call.perform(INSPECT)
    elif call.has("-delete"):
        yield from call.perform(DELETE_CREDENTIAL)
    else:
        yield from call.perform(STORE_CREDENTIAL)
