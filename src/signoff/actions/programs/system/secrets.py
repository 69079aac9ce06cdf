"""Keys, passwords, encryption: gpg, ssh keys, age, pass and key rings.

Showing a secret is reading a credential; exporting a private key too. Making keys in the project
and checking signatures is ordinary work.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    INERT,
    LOOK,
    LOOK_UP,
    SECRET_GONE,
    SECRET_SET,
    SHOWS_SECRET,
    setting,
)
from signoff.actions.shell.command import Word

PUBLISHED_KEY = Act(
    Verb.NETWORK_OUT, Thing.URL, On.OPERANDS, reach=Reach.REMOTE, reversible=False, always=True
)
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


def pgp(call: Call) -> Iterator[Effect]:
    """`gpg`: one command option says what is done."""
    for word in call.values("-o", "--output"):
        if word.text != "-":
            yield call.on_file(Verb.WRITE, word)
    for names, act in GPG_COMMANDS:
        if call.has(*words(names)):
            yield from call.perform(act)
            return
    yield from _coded(call)


GPG_COMMANDS: tuple[tuple[str, Act], ...] = (
    ("--export-secret-keys --export-secret-subkeys --export-secret-key", SHOWS_SECRET),
    ("--delete-secret-keys --delete-secret-and-public-keys --delete-secret-key", SECRET_GONE),
    ("--delete-keys --delete-key --delete-public-keys", SECRET_SET),
    ("--send-keys --send-key", PUBLISHED_KEY),
    ("--recv-keys --receive-keys --fetch-keys --recv-key --search-keys", SECRET_SET),
    (GPG_CHANGES, SECRET_SET),
    (GPG_LOOKS, LOOK),
)


def _coded(call: Call) -> Iterator[Effect]:
    """Encrypt, sign or decrypt the files named."""
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
        secret = any(part in word.text.lower() for part in ("pass", "secret", "key", "credential"))
        if opened and secret:
            yield from call.perform(SHOWS_SECRET)
    if not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def make_key(call: Call) -> Iterator[Effect]:
    """`ssh-keygen`: makes, shows, changes keys."""
    file = call.value("-f") or Word(text="~/.ssh/id_ed25519")
    if call.has("-l", "-B", "-F", "-L", "-Q"):
        yield call.operation(Verb.READ, Thing.NOTHING)
    elif call.has("-y", "-e"):
        yield call.on_file(Verb.READ, file)
    elif call.has("-R", "-A", "-K"):
        yield call.on_file(Verb.WRITE, call.value("-f") or Word(text="~/.ssh/known_hosts"))
    elif call.has("-Y"):
        yield call.operation(Verb.INERT, Thing.NOTHING)
    else:
        yield call.on_file(Verb.WRITE, file)


def copy_key(call: Call) -> Iterator[Effect]:
    """`ssh-copy-id`: one more key opens another machine."""
    if call.has("-n"):
        yield call.operation(Verb.INERT, Thing.NOTHING)
        return
    yield call.operation(
        Verb.CONFIGURE,
        Thing.ACCOUNT,
        " ".join(call.texts),
        traits=(Trait.OPENS_ACCESS,),
        reach=Reach.REMOTE,
        reversible=False,
    )


def age(call: Call) -> Iterator[Effect]:
    """`age`: encrypts and decrypts files; the identity it is given is read."""
    yield from (call.on_file(Verb.READ, w) for w in call.operands)
    if call.has("-d", "--decrypt"):
        yield from (call.on_file(Verb.READ, w) for w in call.values("-i", "--identity"))
    yield from (call.on_file(Verb.WRITE, w) for w in call.values("-o", "--output"))
    if not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def password_store(call: Call) -> Iterator[Effect]:
    """`pass NAME` shows; the commands make, change, delete."""
    what = call.texts[0] if call.operands else ""
    if what in {"", "ls", "list", "find", "search", "help", "version"}:
        yield call.operation(Verb.READ, Thing.NOTHING)
    elif what in {"rm", "remove", "delete"}:
        yield from call.perform(SECRET_GONE)
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
        yield from call.perform(SECRET_SET)
    else:
        yield from call.perform(SHOWS_SECRET)


STORE = {
    "list ls search status info version help history diff verify doctor audit generate": LOOK,
    "get show export dump read reveal clip cat fetch view totp otp code print lookup": SHOWS_SECRET,
    "rm remove delete del purge destroy erase": SECRET_GONE,
    "add set new edit init import store lock unlock login sync create insert clear mv "
    "config register stop-agent rotate": SECRET_SET,
}

PROGRAMS: tuple[Program, ...] = (
    program(
        "gpg gpg2 gpgsm",
        switches="--clear-sign --clearsign --dearmor --decrypt --detach-sign --enarmor --encrypt "
        "--sign --symmetric",
        handler=pgp,
        values="-o --output -r --recipient -u --local-user --homedir --keyserver --passphrase "
        "--passphrase-file --cipher-algo --digest-algo --pinentry-mode --trust-model -R",
    ),
    program(
        "gpgconf gpg-connect-agent gpg-agent gpgv gpg-zip",
        INERT,
        acting={"--kill -K --launch --reload": INERT, "--change-options": SECRET_SET},
    ),
    setting(
        "gpg-card ykman pkcs11-tool pkcs15-init opensc-tool tpm2 yubico-piv-tool sc-hsm-tool",
        SECRET_SET,
        subs={
            "list info status checkkeys": LOOK,
            "oath": setting(
                "",
                SECRET_SET,
                subs={
                    "accounts": setting("", SECRET_SET, subs={"code": SHOWS_SECRET, "list": LOOK})
                },
            ),
            "getrandom pcrread getcap": LOOK,
        },
        acting={"--list-slots -L -O --list-objects -M --list-mechanisms": LOOK},
    ),
    program("tpm2_getrandom tpm2_pcrread tpm2_getcap", LOOK),
    program("tpm2_clear tpm2_evictcontrol tpm2_nvundefine", SECRET_GONE),
    program(
        "sq",
        LOOK,
        subs={
            "inspect verify packet version": LOOK,
            "decrypt encrypt sign": writes(On.NOTHING),
            "key cert network pki keyring": SECRET_SET,
        },
    ),
    program(
        "ssh-keygen",
        handler=make_key,
        values="-f -t -b -C -N -P -m -R -F -E -I -n -O -s -V -D -Y -a -Z -z -w -M",
    ),
    setting("ssh-add", SECRET_SET, acting={"-l -L": LOOK, "-d -D": SECRET_SET}, values="-t -s -e"),
    program("ssh-copy-id", handler=copy_key, values="-i -p -o -F"),
    setting("ssh-keyscan", LOOK_UP),
    program("ssh-agent keychain gpg-preset-passphrase", INERT),
    program(
        "puttygen dropbearkey dropbearconvert signify minisign rage-keygen age-keygen",
        writes(On.NOTHING),
        writes="-o --output -f -s -p",
    ),
    program("age rage", handler=age, values="-i --identity -r --recipient -R -o --output -j"),
    program(
        "sops",
        LOOK,
        subs={
            "decrypt exec-env exec-file": SHOWS_SECRET,
            "encrypt edit rotate updatekeys set unset": writes(On.LAST),
            "filestatus": LOOK,
        },
        acting={"-d --decrypt": SHOWS_SECRET, "-e --encrypt -i -r --rotate": writes(On.LAST)},
    ),
    program("pass gopass prs passage", handler=password_store),
    setting(
        "rbw lpass keepassxc-cli kpcli keepass2 enpass-cli pass-cli ripasso "
        "dashlane dcli nordpass skate secrethub keyring",
        SECRET_SET,
        subs=STORE,
    ),
    program(
        "secret-tool",
        LOOK,
        subs={
            "lookup": SHOWS_SECRET,
            "search": SHOWS_SECRET,
            "store": SECRET_SET,
            "clear": SECRET_GONE,
        },
    ),
    setting(
        "keyctl",
        SECRET_SET,
        subs={
            "show list rlist describe rdescribe": LOOK,
            "print read pipe": SHOWS_SECRET,
            "clear revoke unlink purge invalidate": SECRET_GONE,
        },
    ),
    program("kwallet-query", SHOWS_SECRET, acting={"-l": LOOK}, values="-f"),
    program("oathtool totp authenticator gauth paperkey seahorse", SHOWS_SECRET),
    setting(
        "certbot acme.sh lego mkcert cfssl step easyrsa",
        SECRET_SET,
        subs={
            "certificates plugins show-cert": LOOK,
            "certificate": setting("", SECRET_SET, subs={"inspect verify fingerprint lint": LOOK}),
            "info scan": LOOK,
            "revoke delete": SECRET_GONE,
            "crypto": setting("", SECRET_SET, subs={"jwt hash jwk": LOOK}),
        },
        acting={"-CAROOT": LOOK},
        harmless="--dry-run",
    ),
    setting(
        "certtool certutil keytool",
        SECRET_SET,
        acting={"-list -printcert -L --certificate-info": LOOK, "-delete -D": SECRET_GONE},
    ),
)
