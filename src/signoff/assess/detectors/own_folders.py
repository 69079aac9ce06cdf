"""Which operations reach signoff's folders through a folder above them, or by a wildcard.

`cp -r ~/.config`, `grep -r . ~` and `cat ~/.c*/s*/*` name none of signoff's files and read all of
them. So a folder that is read is compared with the folders that hold keys, state and settings in
both directions: it lies in one of them, or one of them lies in it. A listing of names reads no
content and is left alone; so is a wildcard that covers none of the files that are to be kept.

    reads_through(op, evidence, links)     True for `tar czf x.tgz ~`, False for `ls -R ~`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.understand import home_of
from signoff.actions.vocabulary import lazy_re2, words
from signoff.assess.detectors.detector import Evidence, TextSource

Parts: TypeAlias = tuple[str, ...]
Links: TypeAlias = Sequence[tuple[Parts, Parts]]

# What signoff keeps in a user's home unless told otherwise.
USUAL_FOLDERS = (".config/signoff", ".local/state/signoff", ".local/share/signoff")
VARIABLES = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_STATE_HOME": ".local/state",
    "XDG_DATA_HOME": ".local/share",
    "SIGNOFF_CONFIG_DIR": ".config/signoff",
    "SIGNOFF_STATE_DIR": ".local/state/signoff",
}
CODE_PLACES = ("/site-packages/", "/src/signoff")  # signoff's own code holds no keys
PROJECT_FILE = "/.signoff.yaml"
# Keys, tokens, answers and records: what a wildcard must not cover.
KEPT_FILES = words(
    "approver.key redaction.key checkpoint.key token telegram.token telegram.secret "
    "slack.bot-token slack.app-token telegram.yaml slack.yaml approvals.db approvals.db-wal "
    "record.db record.db-wal daemon.sock"
)
KEPT_ENDINGS = (".token", ".secret", "-token")
# They show names, sizes and places, and nothing of what stands in a file.
NAMES_ONLY = words(
    "ls exa eza lsd dir vdir stat find fd fdfind tree du ncdu dust test [ [[ file realpath "
    "readlink basename dirname df getfacl lsattr namei findmnt mountpoint cd pushd code "
    "xdg-open ln os.walk os.fwalk os.listdir os.scandir glob.glob glob.iglob pathlib.Path.glob "
    "pathlib.Path.rglob pathlib.Path.iterdir pathlib.Path.walk fs.readdirSync fs.readdir "
    "fs.promises.readdir Glob LS list_directory list_dir list_files directory_tree glob "
    "find_by_name list_directory_with_sizes file_search search_files list_allowed_directories"
)
# They read the files they are given and never go down into folders.
FLAT = words(
    "cat tac head tail less more wc sort uniq cut nl od xxd hexdump strings base64 md5sum sha1sum "
    "sha256sum sha512sum cksum jq yq awk gawk sed column rev fold redirection"
)
WALKERS = words(
    "os.walk os.fwalk pathlib.Path.rglob pathlib.Path.walk os.scandir fs.readdirSync fs.readdir"
)
LINKERS = frozenset({"ln", "os.symlink", "os.link", "fs.symlinkSync", "pathlib.Path.symlink_to"})
TOLD_BY_INPUT = frozenset({"cpio", "gcpio", "afio", "pax"})  # which files, by their input
FINDERS = ("find", "fd", "fdfind", "xargs", "parallel")
HIDDEN_SKIPPED = frozenset({"rg", "ag"})
# Python 3.11 takes ten times as long to find a member in its enum as a name of the module.
_READ, _EXECUTE, _WRITE, _DELETE = Verb.READ, Verb.EXECUTE, Verb.WRITE, Verb.DELETE
_INLINE = Trait.INLINE
# An Operation keeps so much of its text: one that fills it may have lost its end.
SOURCE_LIMIT = 200
WORDS_LIMIT = 64
NAMES_KEPT = 1_024
GLOB_CHARS = frozenset("*?[")
_SHOWS_HIDDEN = lazy_re2(r"(?:^|\s)(?:--hidden|--unrestricted|-[A-Za-z]*[u.][A-Za-z]*)(?:\s|$)")
# Words of code that may be a path with a wildcard, or with a home before it.
_PATH_WORD = lazy_re2(r"[~/$][\w.~$/{}*?\[\]-]{3,200}")
# With a default too: `${XDG_CONFIG_HOME:-$HOME/.config}/signoff`.
_VARIABLE = lazy_re2(
    r"""["']?\$\{?((?:XDG_CONFIG|XDG_STATE|XDG_DATA)_HOME|SIGNOFF_(?:CONFIG|STATE)_DIR)(?::?-[^}]*)?\}?"""
)
_GIT_TAKES = lazy_re2(r"\b(?:add|stage|commit|stash|update-index|hash-object|archive)\b")
_SQL_DUMP = lazy_re2(r"\.(?:dump|clone|recover|backup|save|archive|excel|once|output|www)\b")


class OwnFolders(Struct, frozen=True, kw_only=True, gc=False):
    """The folders of signoff's keys, state and settings, split into path parts.

    Args:
        holders: the folders themselves.
        above: these and all their parents, for a quick first check.
        over: all their parents, and those of signoff's installed code.
    """

    holders: tuple[Parts, ...]
    above: frozenset[Parts]
    over: frozenset[Parts]


def reads_through(op: Operation, evidence: Evidence, links: Links) -> bool:
    """Return whether an Operation reads signoff's files without naming them directly.

    Through links, code, moves or a shell of a database.

    Args:
        links: the links the call creates (`links_of`).
    """
    if op.program in TOLD_BY_INPUT and _is_told(evidence):
        return True
    verb = op.verb
    if verb is _READ:
        return op.program not in NAMES_ONLY and _reads(op, evidence, links)
    if verb is _EXECUTE:
        return bool(op.traits) and _INLINE in op.traits and _names_in_code(op, evidence)
    return verb is _WRITE and op.program == "mv" and _moves(op, evidence)


def _reads(op: Operation, evidence: Evidence, links: Links) -> bool:
    """Tell whether a reading goes into a folder of signoff's, from above or behind a link."""
    path, target = (op.path, op.target) if op.path else _by_variable(op, evidence)
    if not path.startswith("/"):
        return False
    parts = _parts(path)
    base, tail = _unlinked(parts, links), _tail_of(target)
    if not tail and base[-1:] and _is_kept(base[-1]) and _is_found(op):
        base, tail = base[:-1], base[-1:]  # a search found it at some depth
    is_led = path != op.path or base != parts  # its own reach does not say where it leads
    own = own_folders(evidence)
    if base not in own.above and not is_led:
        return False
    return any(
        _goes_into(holder, base, tail, op, evidence)
        # A link or variable led here, so a path inside of the folder was not noticed by its name.
        or (is_led and not tail and _below(holder, base) is not None)
        for holder in own.holders
    )


def _goes_into(holder: Parts, base: Parts, tail: Parts, op: Operation, evidence: Evidence) -> bool:
    """Tell whether a reading below a folder comes to what a holder keeps."""
    below = _below(base, holder)
    if below is None:
        return False
    if tail:
        return _covers(tail, below, op, evidence)
    if not below or op.program in FLAT or _skips(op, below, evidence):
        return False
    return op.program != "git" or _GIT_TAKES.search(_text(op, evidence)) is not None


def changes_through(op: Operation, evidence: Evidence) -> bool:
    """Return whether a folder that contains signoff or its runtime is deleted as a whole."""
    if op.verb is not _DELETE or not op.path.startswith("/") or Trait.BROAD in op.traits:
        return False  # what is broad is refused as such
    return _parts(op.path) in own_folders(evidence).over and not _tail_of(op.target)


def dumps_record(op: Operation, evidence: Evidence) -> bool:
    """Return whether a database shell writes out a whole database of signoff."""
    if op.program not in ("sqlite3", "sqlite") or not op.path.endswith(".db"):
        return False
    base = _parts(op.path)
    is_own = any(base[: len(holder)] == holder for holder in own_folders(evidence).holders)
    return is_own and _SQL_DUMP.search(_text(op, evidence)) is not None


def _is_told(evidence: Evidence) -> bool:
    """Tell whether names below a folder that holds signoff's are found in the same call."""
    found = [_parts(one.path) for one in evidence.operations if one.program in FINDERS and one.path]
    holders = own_folders(evidence).holders
    return any(_below(base, holder) for base in found for holder in holders)


def _by_variable(op: Operation, evidence: Evidence) -> tuple[str, str]:
    """Return path and target of what is named by a variable that leads to signoff's folders."""
    found = _VARIABLE.match(op.target) if "$" in op.target else None
    if found is None:
        return "", ""
    home = home_of(evidence.action, evidence.facts)
    folder = f"{home}/{VARIABLES[found.group(1)]}"
    parts = (folder + op.target[found.end() :].strip("\"'")).split("/")
    static = next((at for at, part in enumerate(parts) if _is_open(part)), len(parts))
    return "/".join(parts[:static]), "/".join(parts)


def _unlinked(base: Parts, links: Links) -> Parts:
    """Return where a path leads behind the links this very call makes."""
    for link, to in links:
        if base[: len(link)] == link:
            return (*to, *base[len(link) :])
    return base


def links_of(operations: Operations) -> Links:
    """Return the links a call creates, each with its target."""
    made = [one for one in operations if one.program in LINKERS and one.path]
    return [
        (_parts(link.path), _parts(to.path))
        for to, link in pairwise(made)
        if to.verb is Verb.READ and link.verb is Verb.WRITE
    ]


def _moves(op: Operation, evidence: Evidence) -> bool:
    """Tell whether a folder above is moved away: what is not the last path of a `mv`."""
    base = _parts(op.path)
    if not any(_below(base, holder) for holder in own_folders(evidence).holders):
        return False
    same = [one for one in evidence.operations if one.program == "mv" and one.group == op.group]
    return same[-1] is not op


def _names_in_code(op: Operation, evidence: Evidence) -> bool:
    """Tell whether the text of unparsed code has a path whose wildcard covers signoff's folders."""
    home, holders = home_of(evidence.action, evidence.facts), own_folders(evidence).holders
    for found in _path_words(_text(op, evidence)):
        expanded = found.replace("${HOME}", "~").replace("$HOME", "~")
        expanded = f"{home}{expanded[1:]}" if expanded.startswith("~/") else expanded
        parts = _parts(expanded)
        static = next((at for at, part in enumerate(parts) if _is_open(part)), len(parts))
        for holder in holders:
            below = _below(parts[:static], holder)
            if below is not None and parts[static:] and _matches(parts[static:], below):
                return True
    return False


def _covers(tail: Parts, below: Parts, op: Operation, evidence: Evidence) -> bool:
    """Tell whether a pattern below a folder covers a kept file, or a folder that is read whole."""
    if _spans(tail, op, evidence):
        return _is_kept(tail[-1].replace("**", "*"))
    if len(tail) <= len(below):  # a folder above, or the folder itself
        is_met = all(_meets(pattern, name, op) for pattern, name in zip(tail, below, strict=False))
        return is_met and op.program not in FLAT
    return all(
        _meets(pattern, name, op) for pattern, name in zip(tail, below, strict=False)
    ) and _matches(tail[len(below) :], ())


def _spans(tail: Parts, op: Operation, evidence: Evidence) -> bool:
    """Tell whether a wildcard stands for any depth: what a search found, what a walk gives."""
    if any("**" in part for part in tail) or _is_found(op):
        return True
    return _is_code(op) and any(one.program in WALKERS for one in evidence.operations)


def _is_found(op: Operation) -> bool:
    """Tell whether a search gave the names of what is read."""
    return any(carrier.split(" ", 1)[0] in FINDERS for carrier in op.carriers)


def _matches(tail: Parts, below: Parts) -> bool:
    """Tell whether a pattern leads through folders to a kept file, or to one of these folders."""
    if any("**" in part for part in tail):
        return _is_kept(tail[-1].replace("**", "*"))
    paired = zip(tail, below, strict=False)
    if not all(fnmatchcase(name, pattern) for pattern, name in paired):
        return False
    if len(tail) <= len(below):
        return True
    left = tail[len(below) :]
    return len(left) == 1 and _is_kept(left[0])


@lru_cache(NAMES_KEPT)
def _is_kept(pattern: str) -> bool:
    """Tell whether a name or pattern can mean a kept file; secrets of messengers end like these."""
    is_secret = pattern.endswith(KEPT_ENDINGS)
    return is_secret or any(fnmatchcase(name, pattern) for name in KEPT_FILES)


def _meets(pattern: str, name: str, op: Operation) -> bool:
    """Tell whether one part of a pattern covers a name; a shell's `*` covers no hidden one."""
    if name.startswith(".") and not pattern.startswith((".", "[")) and not _is_code(op):
        return False
    return fnmatchcase(name, pattern)


def _skips(op: Operation, below: Parts, evidence: Evidence) -> bool:
    """Tell whether a search passes over what is hidden, and what is kept lies there."""
    if op.program not in HIDDEN_SKIPPED or len(op.source) >= SOURCE_LIMIT:
        return False
    is_hidden = any(part.startswith(".") for part in below)
    return is_hidden and not _SHOWS_HIDDEN.search(_text(op, evidence))


def _is_code(op: Operation) -> bool:
    """Tell whether a function of a language reads, whose `*` may be any text."""
    return "." in op.program or op.program == "open"


def _is_open(part: str) -> bool:
    return not GLOB_CHARS.isdisjoint(part)


def _tail_of(target: str) -> Parts:
    """Return the parts of a target from its first wildcard on."""
    if GLOB_CHARS.isdisjoint(target):
        return ()
    parts = _parts(target)
    return parts[next(at for at, part in enumerate(parts) if _is_open(part)) :]


def _below(base: Parts, holder: Parts) -> Parts | None:
    """Return what leads from a folder down to another, None if that lies elsewhere."""
    return holder[len(base) :] if holder[: len(base)] == base else None


@lru_cache(maxsize=512)
def _parts(path: str) -> Parts:
    # In lower case: on macOS a file answers to every spelling of its name.
    return tuple([part for part in path.lower().split("/") if part not in ("", ".")])


def own_folders(evidence: Evidence) -> OwnFolders:
    """Return where signoff's own files are for one call."""
    facts = evidence.facts
    return _own_folders(facts.guard_paths, facts.home or home_of(evidence.action, facts))


@lru_cache(maxsize=64)
def _own_folders(guard_paths: tuple[str, ...], home: str) -> OwnFolders:
    told = [path for path in guard_paths if not _is_code_place(path)]
    usual = [f"{home}/{folder}" for folder in USUAL_FOLDERS]
    holders = tuple(dict.fromkeys(_parts(path) for path in (*told, *usual)))
    code = [_parts(path) for path in guard_paths if any(p in f"{path}/" for p in CODE_PLACES)]
    over = frozenset(folder[:at] for folder in (*holders, *code) for at in range(len(folder)))
    above = frozenset(folder[:at] for folder in holders for at in range(len(folder) + 1))
    return OwnFolders(holders=holders, above=above, over=over)


def _is_code_place(path: str) -> bool:
    return path.endswith(PROJECT_FILE) or any(place in f"{path}/" for place in CODE_PLACES)


def _path_words(text: str) -> Iterator[str]:
    """Yield the words of a text that may be a path with a wildcard."""
    if "*" in text or "?" in text or "[" in text:
        for at, found in enumerate(_PATH_WORD.finditer(text)):
            if at >= WORDS_LIMIT:
                return
            yield found.group()


def _text(op: Operation, evidence: Evidence) -> str:
    if 0 < len(op.source) < SOURCE_LIMIT:
        return op.source
    return f"{op.source}\n{evidence.texts.get(TextSource.ARGUMENTS, '')[:65_536]}"
