"""Protected names that the literal part of a glob singles out.

A glob names a protected file only if its own letters do: `*.yml` covers `signoff.yml` as it covers
every other file, and names none of them; `sign*.yml`, `.e*` and `*id_rsa*` name one. Endings that
many files share and words that many names share (`config`, `settings`) say nothing. Literal
folders before the glob lead to what lies in them: `.claude/s*`, `.config/gh/h*`. A leading `*` or
`?` covers no name that begins with a dot, as in bash; `dotted` gives the globs for tools that see
those too.

    names_matching(".e*", "")       ->  (".env", ".envrc")
    names_matching("*.yml", "")     ->  ()
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from functools import lru_cache

from signoff.actions.file_endings import ENDINGS
from signoff.actions.globs import as_fnmatch
from signoff.actions.known.file_names import AT_ROOT, IN_FOLDER, NAMED, RANKING
from signoff.actions.operation import FileKind
from signoff.actions.vocabulary import lazy_re, words

_MAX_LEAD = 4  # folders of the longest key
_MAX_NAMES = 16
_MAX_ALTERNATIVES = 64
# Endings and words of protected names that ordinary names have as well.
_SHARED_ENDINGS = words(
    "json jsonc jsonl yml yaml toml js mjs cjs ts cfg conf ini txt xml db sqlite properties md "
    "sh py sock rc"
)
_SHARED_WORDS = words(
    "config configs conf settings setting hooks hook log logs login key keys data test tests local "
    "environment env-file account ignore json yml yaml toml js ts txt rc d"
)
_WILD = lazy_re(r"\*+|\?|\[[^\]]*\]")
_WORDS = lazy_re(r"[a-z0-9_]+")
_LETTER = lazy_re(r"[a-z0-9]")
_ALTERNATIVES = lazy_re(r"\{([^{}]*,[^{}]*)\}")


def _ranks() -> Mapping[FileKind, int]:
    """The kinds a glob may name: what is worse than ordinary, and a repository."""
    last = RANKING.index(FileKind.SHELL_HISTORY)
    kinds = (*RANKING[: last + 1], FileKind.GIT_INTERNAL)
    return {kind: rank for rank, kind in enumerate(kinds)}


def _protected() -> Mapping[str, int]:
    """Protected names with their strongest rank, the strongest first."""
    names: dict[str, int] = {}
    for table in (NAMED, IN_FOLDER, AT_ROOT):
        for key, kind in table.items():
            for part in key.replace("+", " ").split("/") if kind in _RANKS else ():
                if part:
                    names[part] = min(names.get(part, len(_RANKS)), _RANKS[kind])
    return dict(sorted(names.items(), key=lambda row: (row[1], row[0])))


def _children() -> Mapping[str, frozenset[str]]:
    """What is protected in a folder, by the folder as keys write it: `.config/gh`, `/etc`."""
    found: dict[str, frozenset[str]] = {}
    keys = [key for key, kind in IN_FOLDER.items() if kind in _RANKS]
    keys += ["/" + key for key, kind in AT_ROOT.items() if kind in _RANKS]
    for key in keys:
        folder, _, name = key.replace("+", " ").rpartition("/")
        while folder:
            found[folder] = found.get(folder, frozenset()) | {name}
            folder, _, name = folder.rpartition("/")
        if key.startswith("/"):
            found["/"] = found.get("/", frozenset()) | {name}
    return found


_RANKS = _ranks()
_PROTECTED = _protected()
_CHILDREN = _children()
_LONGEST = max(map(len, _PROTECTED))


def lead_of(parts: tuple[str, ...], at: int) -> str:
    """Return the folder before component `at` if it contains protected names, else ""."""
    if at == 0:
        return "/"
    folder = ""
    for start in range(at - 1, max(-1, at - 1 - _MAX_LEAD), -1):
        if _WILD.search(parts[start]):
            break
        folder = f"{parts[start]}/{folder}" if folder else parts[start]
        if folder in _CHILDREN:
            return folder
    rooted = f"/{folder}"
    return rooted if folder.count("/") == at - 1 and rooted in _CHILDREN and folder else ""


def _letters_needed(lead: str) -> int:
    """How many letters a glob needs behind this folder; 0 = the folder is an ordinary one."""
    if lead[:1] == "/":
        return min(len(lead), 2)
    if lead == ".git":
        return 2
    return 1 if lead[:1] == "." or "/" in lead else 0


@lru_cache(maxsize=512)
def names_matching(glob: str, lead: str) -> tuple[str, ...]:
    """Return protected names that a glob covers and has letters of.

    Args:
        lead: the folder before it, see `lead_of`.
    """
    globs = [as_fnmatch(one) for one in _alternatives(glob)]
    found = [name for one in globs for name in _names_of(one, lead)]
    return tuple(found[:_MAX_NAMES])


def _names_of(glob: str, lead: str) -> tuple[str, ...]:
    # `*` and `.*` cover everything, and single nothing out.
    if not _LETTER.search(glob) or len(_WILD.sub("?", glob.replace("*", ""))) > _LONGEST:
        return ()
    is_hidden = glob.startswith(".")
    needed = _letters_needed(lead)
    led = _CHILDREN[lead] if needed and len(_LETTER.findall(glob)) >= needed else frozenset[str]()
    return tuple(
        name
        for name in _PROTECTED
        if name.startswith(".") <= is_hidden
        and fnmatch.fnmatchcase(name, glob)
        and (name in led or _is_named(glob, name))
    )


def covers_repository(path: str) -> bool:
    """Return whether a glob that starts with a dot covers `.git`: `.g*`, `.*`."""
    name = path.rstrip("/").rpartition("/")[2]
    return name.startswith(".") and fnmatch.fnmatchcase(".git", as_fnmatch(name))


def below(folder: str, pattern: str) -> str:
    """Return the glob for names in a folder and below."""
    if pattern.startswith("/"):
        return pattern if folder in {"", ".", "/"} else f"{folder.rstrip('/')}{pattern}"
    return f"{folder.rstrip('/')}/{pattern}" if folder else pattern


def dotted(glob: str) -> tuple[str, ...]:
    """Return globs for the dot files that a glob matches in tools that do not skip them.

    `find -name '*env*'` finds `.env`, `cat *env*` does not.
    """
    rest = glob.lstrip("*?")
    if rest == glob or not rest:
        return ()
    tried = (f".{glob}", rest) if rest.startswith(".") else (f".{glob}",)
    return tuple(one for one in tried if names_matching(one, ""))


def _alternatives(glob: str) -> tuple[str, ...]:
    """What the braces of a tool's pattern stand for; the shell's own are gone by then."""
    found = [glob]
    for _ in range(4):
        first = _ALTERNATIVES.search(found[0])
        if first is None:
            break
        found = [
            one[: cut.start()] + inner + one[cut.end() :]
            for one in found
            if (cut := _ALTERNATIVES.search(one)) is not None
            for inner in cut[1].split(",")
        ][:_MAX_ALTERNATIVES]
    return tuple(found)


def _is_named(glob: str, name: str) -> bool:
    """Whether the literal part of `glob` is enough of `name`."""
    if _WILD.search(glob) is None:
        return True
    before = _WILD.split(glob, maxsplit=1)[0]
    if name[0] == "." and len(before) > 1:
        return True
    weight, size = _weight(glob, name)
    is_most = weight * 2 >= size and weight >= min(3, size - 1)
    return is_most or (weight >= 4 and weight * 3 >= size)


def _weight(glob: str, name: str) -> tuple[int, int]:
    """How many letters of what is `name`'s own stand in `glob`, and how many it has."""
    stem, dot, ending = name.rpartition(".")
    own = stem if dot and stem and ending in _SHARED_ENDINGS else name
    size = _own_letters(own) or len(own)
    return sum(_own_letters(piece) for piece in _pieces(glob, name, len(own))), size


def _pieces(glob: str, name: str, end: int) -> list[str]:
    """The literal pieces of `glob` as they lie in `name` before `end`."""
    literal = _WILD.split(glob)
    found: list[str] = []
    at = 0
    for place, piece in enumerate(literal):
        is_last = place == len(literal) - 1
        start = len(name) - len(piece) if is_last else name.find(piece, at)
        if start < 0:
            continue
        at = start + len(piece)
        found.append(name[start : min(at, end)])
    return found


def _own_letters(text: str) -> int:
    return sum(len(word) for word in _WORDS.findall(text) if word.strip("_") not in _SHARED_WORDS)


_CONTENT_KINDS = frozenset({FileKind.SOURCE, FileKind.DOC, FileKind.DATA})
_PACKED = frozenset({"gz", "bz2", "xz", "zst", "lz4", "br"})
_PACKAGES = frozenset({"tar", "cpio"})


def takes_whole_kind(glob: str) -> bool:
    """Return whether a glob takes all files of one type: `*.c`, `*.fastq.gz`."""
    stem, dot, ending = glob.rpartition(".")
    inner, mark, packed = stem.rpartition(".")
    # `*.tar.gz` and `*.log.gz` are packages and logs.
    if mark and ending.lower() in _PACKED and packed.lower() not in _PACKAGES:
        stem, ending = inner, packed
    return bool(dot) and set(stem) == {"*"} and ENDINGS.get(ending.lower()) in _CONTENT_KINDS
