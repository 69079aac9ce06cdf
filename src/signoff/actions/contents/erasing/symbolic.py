"""The path that an expression of any language names, as far as its literals and names tell.

A path begins with `~` for the home of whoever runs the code, with `.` for the project, or is
absolute; `*` stands for what is listed, `**` for all below, `?` for what nobody can tell.

    Path.home() / "repos"                          ~/repos
    os.path.join(b, "data"), b from list("/home")  /home/*/data
    args.isEmpty ? "/dev/sda" : args[0]            /dev/sda or ?
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from signoff.actions.contents.erasing.brackets import parts
from signoff.actions.contents.erasing.names import Names
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_DEEP = 5
_MOST = 10
_MOST_PIECES = 24
_MOST_STEPS = 1_500  # pieces read for one text; names that are given each other would never end
_LONG = 400
_HOME = (
    r"(?:std::)?(?:Path|Pathname|pathlib\.Path)\.home\(\)|(?:os\.path\.)?(?:expanduser"
    r"|expand_path|expand|path\.expand|fs::path_home)"
    r"\(\s*[\"']~/?[\"']\)|(?:\w+\.)*homedir\(\)|Dir\.home\b|(?:dirs::|home::)?home_dir\(\)"
    r"|(?:os\.)?UserHomeDir\(\)|NSHomeDirectory\(\)|(?:QDir::)?homePath\(\)"
    r"|(?:\w+\.)*user_home!?(?:\(\))?|\bpath_home\(\)|\bgetHomeDir(?:ectory)?\b(?:\(\))?|\bPath\.userHome\b"
    r"|\(?System/get(?:Property|env)\s+\"(?:user\.home|HOME)\"\)?|\bsys\.env\(\"HOME\"\)|\(fs/home\)"
    r"|QStandardPaths::\w+\(\s*QStandardPaths::HomeLocation\s*\)"
    r"|(?:\w+\.)*homeDirectoryForCurrentUser|URL\.homeDirectory"
    r"|(?:Environment\.GetFolderPath\(\s*)?(?:Environment\.)?SpecialFolder\.UserProfile\s*\)?"
    r"|(?:[\w.:$]{0,30}(?:getenv|getEnv|get_env!?|GetEnvironmentVariable|getProperty|properties|props"
    r"|environ|environment"
    r"|env|ENV|var|var_os|fetch|get|Get|_SERVER|_ENV)!?\s*[(\[{.]{1,2}\s*)[\"']?(?:HOME"
    r"|USERPROFILE|user\.home)\b[\"']?[)\]}]?"
    r"|\$env:(?:USERPROFILE|HOME)\b|%USERPROFILE%|\$\{?HOME\b\}?|\benv\.(?:HOME|USERPROFILE)\b"
)
_PERSONAL_FOLDER = (
    r"QStandardPaths::\w+\(\s*QStandardPaths::(?:Documents|Pictures|Desktop|Music|Movies"
    r"|Download)Location\s*\)"
    r"|(?:Environment\.GetFolderPath\(\s*)?(?:Environment\.)?SpecialFolder\.(?:My\w+|Desktop\w*"
    r"|Personal)\s*\)?"
)
_CWD = (
    r"Paths?\.(?:get|of)\(\s*\"\"\s*\)|Path\.cwd\(\)|process\.cwd\(\)|os\.[gG]etcwd\(\)"
    r"|os\.Getwd\(\)|Directory\.current\b"
    r"|Dir\.(?:pwd|getwd)|\bgetcwd\(\)|[\w.(]*[\"']user\.dir[\"']\)|File\.cwd!?\(\)"
    r"|current_dir\(\)|currentDirectoryPath|\bbaseDirectory\.value\b|\b(?:root|project)Dir\b"
    r"|base_path\(\s*\)|Rails\.root|GetCurrentDirectory\(\)"
)
_TEMP = (
    r"(?i)[\w.:]*(?:mkdtemp|tmpdir|tempdir|createtemp\w*|temporarydirectory|systemtemp|mktmpdir"
    r"|gettemppath|temp_dir"
    r"|tmp_path|tempfile|tempname|system_tmp|createsystemtemp|temporaryitems|sys_get_temp)\w*"
)
_ALL_BELOW = (
    r"[\w.:]*(?:rglob|[wW]alk\w*|WalkDir::new|Find\.find|RecursiveDirectoryIterator"
    r"|recursive_directory_iterator"
    r"|enumerator)\s*\(|\brecursive[\s:=]+(?:true|TRUE|T)\b|\b(?:\w+(?:::|\.))?(?:AllDirectories"
    r"|Subdirectories)\b"
)
_LISTED = (
    r"[\w.:]*(?:iterdir|list_?[dD]irs?|list\.dirs|list\.files|readdir(?:Sync)?|scandir|listFiles"
    r"|ReadDir|children|entries"
    r"|each_child|i?glob1?|wildcard|File\.ls!?|contentsOfDirectory|GetDirectories|GetFiles"
    r"|EnumerateDirectories"
    r"|EnumerateFiles|EnumerateFileSystem\w+|read_dir|directory_iterator|entryInfoList|entryList"
    r"|dir_ls|lfs\.dir"
    r"|Files\.list|listSync|list)!?\s*\(|\bGet-ChildItem\b|\bDirectoryIterator\("
)
_UP = (
    r"\.[pP]arent(?:File|Path)?\b(?:\(\))?|\.getParent(?:File)?\b(?:\(\))?"
    r"|deletingLastPathComponent\(\)"
    r"|[\w.:]*\bdirname\s*\((?:[^(),]{1,60}(?:\(\))?,\s*(?P<far>\d)\s*\))?|\.cdUp\(\)"
)
_PIECE = lazy_re2(
    rf"(?P<home>{_HOME})|(?P<own>{_PERSONAL_FOLDER})|(?P<here>{_CWD})|(?P<all>{_ALL_BELOW})"
    rf"|(?P<listed>{_LISTED})|(?P<up>{_UP})"
    r"|(?P<option>\b\w+\s*[=:]\s*(?:true|false|TRUE|FALSE|True|False|T|F|\d+)\b)"
    r"|(?P<text>[a-zA-Z@$]{0,2}(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`))"
    rf"|(?P<temp>{_TEMP})"
    r"|(?P<method>\.\w+[!?]?\s*\()|(?P<call>[$@]?[A-Za-z_]\w*(?:(?:\.|::|->)\w+)*[!?]?\s*\()"
    r"|(?P<label>\b[a-zA-Z]\w*:\s)|(?P<const>\b(?:[A-Z]\w*::\w+|[A-Z][a-z]\w*(?:\.\w+)+))"
    r"|(?P<name>[$@&%]{0,2}[A-Za-z_]\w*(?:(?:\.|->|\?\.|!\.)\w+)*|\$\{\w+\})"
)
_BRANCH = lazy_re(r"\s\?\s|\s:\s|\s\?:\s|\?\?|\|\||\bor\b|\belse\b|\bif\b|\bunless\b|\sUnion\s")
_LIST = lazy_re(
    r"\s*(?:(?:await|new|const|\.\.\.)\s+)?(?:c|[lL]ist(?:Of|\.of)?|[aA]rray(?:Of|List)?"
    r"|[sS]et(?:Of)?|[sS]eq|[vV]ector|tuple|Arrays\.asList"
    r"|vec!|<\w+>|qw|%w|\w+\[\]|\[\]\w+|&)?\s*([\[({])(.*)[\])}]\s*"
    r"(?:\.(?:iter|into_iter|each|map|as_slice)\(?\)?)?\s*",
    re.DOTALL,
)
_PUT_IN = lazy_re(
    r"\$ENV\{(\w+)\}|\$env:(\w+)|%([A-Z]\w*)%|\$\{([^}]*)\}|#\{([^}]*)\}|\\\(([^)]*)\)"
    r"|\{([^}:]*)[^}]*\}|\$([A-Za-z_]\w*)|%[sdv]"
)
# Calls that give the path they are given, or one made of the pieces they are given.
_GIVES_PATH = words(
    "path paths file directory join resolve abspath realpath normpath normalize fspath str string"
    " dir uri url new expanduser"
    " directoryinfo fileinfo of get pathname pathbuf from catdir catfile combine file.path"
    " sprintf format fileurlwithpath"
    " sorted list reversed set next tolist toarray asjava qdir qfile qstring basename expand_path"
    " abs clean c array filter"
    " tostring string_of unwrap p isdirectory path_join cat paste paste0 rel realpathsync values"
    " items enumerate tuple zip"
    " remove_tree join_path path_dir asscala arrayof listof wrap as_path to_path filename"
    " absolutepath normalizepath first"
)
_RECEIVER = lazy_re(r"[$@]?([a-z_]\w*(?:(?:\.|->|::)\w+)*?)(?:\.|->)\w+[!?]?\s*\($")
_NOTHING = words("await new this self sudo const true false null nil None self.class")
_EMPTY: dict[str, int] = {"": -1}
_TEMPORARY = "?/temporary"  # a folder that the code has made for itself
_FIXED = {"home": "~", "own": "~/Documents", "here": ".", "temp": _TEMPORARY}


class _Built(Struct):
    """A path in the making: its candidates, each with where its first loop stands."""

    found: dict[str, int]
    is_listed: bool = False
    is_all: bool = False
    up: int = 0


class Paths:
    """The paths that the expressions of one text name."""

    def __init__(self, text: str) -> None:
        self._names = Names(text)
        self._known: dict[tuple[str, int, int], dict[str, int]] = {}
        self._steps = 0

    @property
    def is_spent(self) -> bool:
        """Whether more had to be read than is read, so that nothing is ruled out."""
        return self._steps > _MOST_STEPS

    def of(self, said: str, at: int, depth: int = 0) -> dict[str, int]:
        """Return each path an expression can name, with where its first loop stands, or -1."""
        key = said, at, depth
        if key in self._known:
            return self._known[key]
        found: dict[str, int] = {}
        if depth > _DEEP or self.is_spent:
            return {"?": -1}
        for one in islice(_alternatives(said[:_LONG]), _MOST):
            found.update(self._joined(one, at, depth))
        self._known[key] = dict(islice(found.items(), _MOST))
        return self._known[key]

    def _joined(self, said: str, at: int, depth: int) -> dict[str, int]:
        built = _Built(found=dict(_EMPTY))
        for match in islice(_PIECE.finditer(said), _MOST_PIECES):
            self._steps += 1
            self._take(built, str(match.lastgroup), match, (at, depth))
        found = built.found
        for _ in range(built.up):
            found = {_above(path): since for path, since in found.items()}
        if built.is_all or built.is_listed:
            sign = "**" if built.is_all else "*"
            found = {_starred(path, sign): since for path, since in found.items()}
        return {path: since for path, since in found.items() if path}

    def _take(self, built: _Built, kind: str, match: re.Match[str], place: tuple[int, int]) -> None:
        """Add one piece of an expression to the path."""
        built.is_all |= kind == "all"
        built.is_listed |= kind == "listed"
        if kind in ("up", "far"):
            self._go_up(built, match, place)
        elif kind in _FIXED:
            self._add(built, {_FIXED[kind]: -1})
        else:
            read = {
                "text": self._text,
                "call": self._called,
                "all": self._receiver,
                "listed": self._receiver,
                "name": self._name,
            }.get(kind)
            found = read(match.group(), *place) if read is not None else {}
            self._add(built, found, is_value=kind != "text")

    def _go_up(self, built: _Built, match: re.Match[str], place: tuple[int, int]) -> None:
        """Leave a folder: at once behind a value, at the end for a function around it."""
        if match.group().startswith((".", "deleting")):
            built.found = {_above(path): since for path, since in built.found.items() if path}
            built.found = built.found or {"?": -1}
            return
        built.up += int(match.group("far") or 1)
        # What stands in the brackets was matched with the call.
        self._add(built, self.of(_within(match), place[0], place[1] + 1))

    def _add(self, built: _Built, options: dict[str, int], *, is_value: bool = False) -> None:
        if options and options != _EMPTY:
            pairs = [(a, b) for a in built.found.items() for b in options.items()][:_MOST]
            built.found = {
                _plus(a[0], b[0], is_value=is_value): _earlier(a[1], b[1]) for a, b in pairs
            }

    def _name(self, said: str, at: int, depth: int) -> dict[str, int]:
        names = re.findall(r"[A-Za-z_]\w*", said)
        if not names or (names[0] in _NOTHING and len(names) == 1):
            return dict(_EMPTY)
        for one in dict.fromkeys((names[-1], names[0])):
            found: dict[str, int] = {}
            for bound in self._names.of(one, at):
                for path, since in self.of(bound.said, bound.at, depth + 1).items():
                    found[path] = _earlier(since, bound.at) if bound.is_loop else since
            if found:
                return found
        is_class = names[0][0].isupper() and not said.isupper()
        return dict(_EMPTY) if is_class and len(names) == 1 else {"?": -1}

    def _called(self, said: str, at: int, depth: int) -> dict[str, int]:
        """What a call gives: a path for what it is given, or what nobody can tell."""
        if found := self._receiver(said, at, depth):
            return found
        last = re.split(r"\.|::|->", said.rstrip("( \t\n!?").lower())[-1]
        return {} if last in _GIVES_PATH else {"?": -1}

    def _receiver(self, said: str, at: int, depth: int) -> dict[str, int]:
        """The paths of the name whose method is called, if it has any."""
        named = _RECEIVER.match(said)
        found = self._name(named[1], at, depth) if named is not None else {}
        return {} if found == {"?": -1} else found

    def _text(self, literal: str, at: int, depth: int) -> dict[str, int]:
        """A literal with what is put into it."""
        inside = literal.strip("bfrRuLF@$")[1:-1]
        found: dict[str, int] = dict(_EMPTY)
        done = 0
        for match in islice(_PUT_IN.finditer(inside), _MOST):
            before = inside[done : match.start()]
            name = next(filter(None, match.groups()), "")
            is_home = name.strip() in ("HOME", "USERPROFILE")
            put = {"~": -1} if is_home else self.of(name, at, depth + 1) or {"?": -1}
            found = {
                f"{a}{before}{b}": _earlier(s, t) for a, s in found.items() for b, t in put.items()
            }
            done = match.end()
        return {f"{a}{inside[done:]}": s for a, s in islice(found.items(), _MOST)}


def _alternatives(said: str) -> Iterator[str]:
    """The entries of a list, the branches of a choice: each may be what is meant."""
    listed = _LIST.fullmatch(said)
    entries = parts(listed[2]) if listed is not None else (said,)
    for one in entries:
        entry = one if listed is None or "=>" not in one else one.partition("=>")[0]
        if any([quote in entry for quote in "\"'`"]) and _in_text(entry):
            yield entry
        else:
            yield from [branch for branch in _BRANCH.split(entry) if branch and branch.strip()]


def _in_text(entry: str) -> bool:
    """Whether the words of a choice stand within one literal."""
    stripped = entry.strip()
    return (
        stripped[:1] in "\"'`"
        and stripped.endswith(stripped[0])
        and stripped.count(stripped[0]) == 2
    )


def _within(match: re.Match[str]) -> str:
    said = match.group()
    return said.partition("(")[2].rpartition(",")[0] if match.group("far") else ""


def _plus(path: str, piece: str, *, is_value: bool) -> str:
    """A path with one more piece; the value of a name may begin anew, as `join` has it."""
    if not path or piece.startswith(("~", _TEMPORARY)) or (is_value and piece.startswith("/")):
        return piece
    if path == "/":
        return f"/{piece.lstrip('/')}"
    return f"{path.rstrip('/')}/{piece.lstrip('/')}"


def _above(path: str) -> str:
    head, sign, _ = path.rstrip("/").rpartition("/")
    if path in (".", "..") or path.endswith("/.."):
        return ".." if path == "." else f"{path}/.."
    return head or ("/" if sign else ".")


def _starred(path: str, sign: str) -> str:
    if not path:
        return "?"
    if "*" not in path:
        return f"{path.rstrip('/')}/{sign}"
    if sign == "**" and "**" not in path:
        head, _, tail = path.partition("*")
        return f"{head}**/*{tail}"
    return path


def _earlier(one: int, other: int) -> int:
    return max(one, other) if min(one, other) < 0 else min(one, other)
