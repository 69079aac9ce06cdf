"""Package managers of Linux distributions: apt, dpkg, dnf, rpm, pacman, snap and the others.

An install from a file or address is an install from a source nobody vouched for. The command of
`pacman` and its front ends is an option.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, installs
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CLEAR_TEMP,
    CONFIGURE_SYSTEM,
    INSPECT,
    INSTALL_ON_SYSTEM,
    PREVIEW,
    UNINSTALL_FROM_SYSTEM,
)
from signoff.actions.programs.program import Handler
from signoff.actions.vocabulary import words

# Package files: what they hold came from no configured repository and is not signed by one.
FILE_ENDINGS = (
    ".deb",
    ".rpm",
    ".pkg.tar.zst",
    ".apk",
    ".xbps",
    ".eopkg",
    ".tgz",
    ".txz",
    ".snap",
    ".flatpakref",
    ".flatpak",
    ".ipk",
)
FOREIGN = installs(Trait.UNTRUSTED_SOURCE, reach=Reach.SYSTEM)


def installing(call: ProgramCall) -> Iterator[Effect]:
    """Install named packages; a file or address comes from a source nobody vouched for."""
    foreign = any(
        # apt and dnf take an operand with such a beginning for a file or an address, not for a
        # name.
        t.startswith(("/", "./", "http://", "https://", "../")) or t.endswith(FILE_ENDINGS)
        for t in call.texts
    )
    yield from call.perform(FOREIGN if foreign else INSTALL_ON_SYSTEM)


# apt.conf(5): lists of shell lines; `::=` appends to a list.
RUN_KEYS = ("-invoke", "-invoke-success", "::pre-install-pkgs", "::post-install-pkgs")
# Programs, and folders of programs, that apt starts by their path.
PROGRAM_KEYS = ("dir::bin", "::proxy-auto-detect", "dir::etc", "::compressor", "::method")


def settings(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `apt -o KEY=VALUE`, whatever is done: some keys hold lines that are run."""
    for word in call.values("-o", "--option"):
        name, _, line = word.text.partition("=")
        key = name.strip().lower().rstrip(":")
        if not word.is_known or key.endswith(RUN_KEYS):
            text, is_known = line.strip("\"';"), word.is_known
            yield Nested(text=text, language="shell", carrier=f"{call.name} -o", is_known=is_known)
        elif any([part in key for part in PROGRAM_KEYS]):
            yield call.opaque(f"`{name[:60]}` names a program that apt starts")
    for word in call.values("-c", "--config-file"):
        yield call.opaque(f"the settings in `{word.text[:80]}` were not read")


def by_letters(looks: str, removes: str, installs_: str) -> Handler:
    """Return the handler of a package tool whose command is an option letter.

    Args:
        looks: letters that only look.
        removes: letters that remove.
        installs_: letters that install.
    """
    look, gone, new = words(looks), words(removes), words(installs_)

    def run(call: ProgramCall) -> Iterator[Effect]:
        names = {o.name for o in call.options}
        if names & look:
            yield from call.perform(INSPECT)
        elif names & gone:
            yield from call.perform(UNINSTALL_FROM_SYSTEM)
        elif names & new or call.operands:
            yield from installing(call)
        else:
            yield from call.perform(INSPECT)

    return run


def pacman(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `pacman -S|-R|-Q|-U ...` and its many front ends."""
    letters = "".join(o.name[1:] for o in call.options if o.name[:1] == "-" and o.name[1:2] != "-")
    # pacman(8): `-p` prints what would be done, whatever the operation is.
    if call.has("-p", "--print", "--print-format"):
        yield from call.perform(PREVIEW)
    elif "R" in letters or call.has("--remove"):
        yield from call.perform(UNINSTALL_FROM_SYSTEM)
    elif "U" in letters or call.has("--upgrade"):
        # `-U` takes files and URLs only.
        yield from call.perform(FOREIGN)
    elif "S" in letters or call.has("--sync"):
        yield from _synced(call, letters)
    elif "D" in letters or call.has("--database"):
        looking = call.has("-k", "--check")
        yield from call.perform(INSPECT if looking else CONFIGURE_SYSTEM)
    elif (
        call.has("--gendb", "-G", "--getpkgbuild")
        or letters[:1] in {"Q", "F", "T", "V", "P", "h"}
        or any(
            o.name.startswith(("--query", "--files", "--deptest", "--show")) for o in call.options
        )
        # Plain pacman without an operation does nothing; its front ends (`yay`) upgrade the
        # system.
        or call.name == "pacman"
    ):
        yield from call.perform(INSPECT)
    else:
        yield from call.perform(INSTALL_ON_SYSTEM)


def _synced(call: ProgramCall, letters: str) -> Iterator[Effect]:
    looking = {"s", "i", "g", "l"} & set(letters) or call.has(
        "--search", "--info", "--groups", "--list"
    )
    if looking:
        yield from call.perform(INSPECT)
    elif call.has("-c", "--clean") or "c" in letters:
        # `-Sc` empties the cache of downloads, which can be fetched again.
        yield from call.perform(CLEAR_TEMP)
    else:
        yield from call.perform(INSTALL_ON_SYSTEM)


def dpkg(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `dpkg -i|-r|-l ...`."""
    if call.is_dry("--dry-run", "--no-act", "--simulate"):
        yield from call.perform(PREVIEW)
    elif call.has("-i", "--install", "--unpack"):
        yield from call.perform(FOREIGN)
    elif call.has("-r", "--remove", "-P", "--purge"):
        yield from call.perform(UNINSTALL_FROM_SYSTEM)
    elif call.has(
        "--configure",
        "--set-selections",
        "--add-architecture",
        "--clear-avail",
        "--remove-architecture",
        "--triggers-only",
        "--clear-selections",
    ):
        yield from call.perform(CONFIGURE_SYSTEM)
    elif call.has("-b", "--build", "-x", "--extract", "-e", "--control", "-X", "-R"):
        # `dpkg -x ARCHIVE FOLDER` reads the first and writes the second; one operand is what is
        # written.
        for word in call.operands[:1] if call.operands[1:] else ():
            yield call.on_file(Verb.READ, word)
        for word in call.operands[1:] or call.operands:
            yield call.on_file(Verb.WRITE, word)
    else:
        yield from call.perform(INSPECT)


def selected(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `eselect MODULE ACTION`: news are only read."""
    action = call.texts[1] if len(call.texts) > 1 else "list"
    looking = {"list", "show", "help", "usage", "version", "read", "count"}
    # `eselect news read` marks news as read and changes nothing of the system.
    is_news = call.texts[:1] == ("news",)
    yield from call.perform(INSPECT if is_news or action in looking else CONFIGURE_SYSTEM)


def rpm(call: ProgramCall) -> Iterator[Effect]:
    """`rpm -q|-i|-e ...`: the first letter is the mode; macros run `%(command)` and Lua."""
    for word in call.values("--eval", "-E", "--define", "-D"):
        _, found, line = word.text.partition("%(")
        if found:
            yield Nested(text=line.rpartition(")")[0], language="shell", carrier="rpm --eval")
        _, found, code = word.text.partition("%{lua:")
        if found:
            yield Nested(text=code.rpartition("}")[0], language="lua", carrier="rpm --eval")
    letters = "".join(o.name[1:] for o in call.options if o.name[:1] == "-" and o.name[1:2] != "-")
    if (
        # Asked first: beside an install, `--test` changes nothing.
        call.has("--test", "--eval", "--showrc", "--querytags")
        or "E" in letters
        or call.has("-q", "-V", "--query", "--verify", "-K", "--checksig")
        or letters[:1] in set("qVK")
    ):
        yield from call.perform(INSPECT)
    elif call.has("-e", "--erase") or letters[:1] == "e":
        yield from call.perform(UNINSTALL_FROM_SYSTEM)
    elif call.has("-i", "-U", "-F", "--install", "--upgrade", "--freshen", "--reinstall"):
        yield from call.perform(FOREIGN)
    elif call.options:
        # Left over: rebuilding the database, importing keys, setting owners and rights.
        yield from call.perform(CONFIGURE_SYSTEM)
    else:
        yield from call.perform(INSPECT)
