"""Calls of compiled languages that read files named by literals, taken out of a text.

What a text reads becomes Operations; the rest of it is then held to what only computes. So a
script that counts lines of sources passes, and one that deletes, sends or runs stays unread: the
names that do so are still in the rest.

    take_readings("csharp", 'File.ReadAllText("a.json").Length')    ('"".Length', ("a.json",))
    take_readings("csharp", 'File.Delete("a.json")')                unchanged, ()
    take_readings("java", 'Files.readString(Path.of(name))')        unchanged, ()
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re

MOST = 100
# A text without escapes and without parts that are put in.
_TEXT = r'"([^"\\\n$%{}]{1,300})"'


class FileCalls(Struct, frozen=True, kw_only=True):
    """How one language reads files.

    Args:
        calls: what reads, up to the bracket before the path; `{path}` stands for the path.
        lists: what gives the paths of a folder that match a second text, for a loop.
        walks: what hands the paths below a folder to a name, `each`, or to all names of `NAME ->`.
        near: what listens on this machine and connects to that, with no path in it.
        imports: lines that only make these names known.
        spoils: what a value of these may not be asked to do; the text is left as it is then.
    """

    calls: tuple[str, ...]
    lists: tuple[str, ...] = ()
    walks: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    imports: str = r"(?!)"
    spoils: re.Pattern[str] = lazy_re(r"(?!)")


_CHANGES = lazy_re(
    r"\.\s*(?:delete\w*|rename\w*|write\w*|append(?:Text|Bytes|To)\b|set(?:Writable|ReadOnly|Executable"
    r"|LastModified|Readable)\w*|mkdirs?|create\w*|copy(?:To|Recursively|Into)\w*|move\w*|transfer\w*"
    r"|to(?:File|URL|URI|Path|RealPath)\b|open\w*|new\w*|\w*[wW]riter\w*|[oO]utputStream|execute\b|exec\b"
    r"|start\b|getFileSystem|leftShift|read(?:Text|Lines|Bytes)|useLines|forEachLine|eachLine|inputStream|bufferedReader"
    r"|reader|with\w+Stream|text\s*=[^=]|bytes\s*=[^=]|<<)"
)
_JVM_PATH = r"(?:java\.nio\.file\.)?Paths?\s*\.\s*(?:of|get)\s*\(\s*{path}\s*\)"
_JVM = FileCalls(
    calls=(
        r"(?:java\.nio\.file\.)?Files\s*\.\s*(?:readString|readAllLines|readAllBytes|exists|notExists"
        rf"|size|isRegularFile|isDirectory|lines|newBufferedReader)\s*\(\s*{_JVM_PATH}\s*\)",
        r"(?:java\.nio\.file\.)?Files\s*\.\s*(?:readString|readAllLines|lines|size)\s*\(\s*{path}\s*\)",
        r"new\s+(?:java\.[a-z.]+\.)?(?:JarFile|ZipFile|FileReader|FileInputStream)\s*\(\s*{path}\s*\)",
        r"(?:new\s+)?(?:java\.io\.)?File\s*\(\s*{path}\s*\)\s*\.\s*(?:length|exists|isFile|isDirectory|readText"
        r"|readLines|readBytes|useLines|forEachLine|eachLine|getText|lastModified|text|bufferedReader"
        r"|listFiles|list|walk|walkTopDown)\b",
        r"(?:scala\.io\.)?Source\s*\.\s*fromFile\s*\(\s*{path}\s*\)",
    ),
    walks=(
        rf"(?:java\.nio\.file\.)?Files\s*\.\s*(?:walk|list|find)\s*\(\s*{_JVM_PATH}[^()]{{0,40}}\)",
    ),
    imports=(
        r"(?m)^\s*import\s+(?:java\.nio\.(?:file\.(?:\*|Files|Paths?)|charset\.(?:\*|StandardCharsets))"
        r"|java\.io\.(?:\*|File|FileReader|BufferedReader|IOException|FileInputStream|InputStream)"
        r"|java\.util\.(?:jar|zip)\.(?:\*|_|JarFile|ZipFile|JarEntry|ZipEntry)|scala\.io\.Source"
        r"|java\.io\._|java\.nio\.file\._)\s*;?[ \t]*$"
    ),
    spoils=_CHANGES,
)
_OF: Mapping[str, FileCalls] = {
    **dict.fromkeys(("java", "kotlin", "scala"), _JVM),
    "csharp": FileCalls(
        calls=(
            r"(?:System\.IO\.)?File\s*\.\s*(?:ReadAllText|ReadAllLines|ReadLines|ReadAllBytes|Exists"
            r"|OpenText|OpenRead)(?:Async)?\s*\(\s*{path}\s*\)",
            r"(?:System\.IO\.)?Directory\s*\.\s*(?:Exists|GetFiles|GetDirectories|EnumerateFiles"
            r"|EnumerateDirectories)\s*\(\s*{path}\s*\)",
            r"new\s+(?:System\.IO\.)?StreamReader\s*\(\s*{path}\s*\)",
            r"(?:XDocument|XElement)\s*\.\s*Load\s*\(\s*(?!\"\w+:){path}\s*\)",
        ),
        lists=(
            r"(?:System\.IO\.)?Directory\s*\.\s*(?:EnumerateFiles|GetFiles)\s*\(\s*{path}\s*,\s*"
            r"\"(\*\.\w[\w.*]*)\"\s*(?:,\s*(?:System\.IO\.)?SearchOption\s*\.\s*\w+\s*)?\)",
        ),
        imports=r"(?m)^\s*(?:using\s+System\.IO\s*;|open\s+System\.IO)[ \t]*$",
    ),
    "go": FileCalls(
        walks=(
            r"filepath\s*\.\s*(?:WalkDir|Walk)\s*\(\s*{path}\s*,\s*func\s*\(\s*(?P<each>\w+)\s+string\b",
        ),
        calls=(r"(?:os|ioutil)\s*\.\s*(?:ReadFile|Stat|Lstat|ReadDir|Open)\s*\(\s*{path}\s*\)",),
        near=(
            r"net\s*\.\s*Listen\s*\(\s*\"tcp[46]?\"\s*,\s*\"(?:127\.0\.0\.1|localhost|\[::1\]):\d*\"\s*\)",
            r"net\s*\.\s*Dial\s*\(\s*\"tcp[46]?\"\s*,\s*\w+\.Addr\(\)\.String\(\)\s*\)",
        ),
        imports=r"(?m)^\s*(?:import\s+)?\"(?:os|io|bufio|net|io/ioutil)\"[ \t]*$",
        spoils=lazy_re(
            r"\b(?:os|ioutil|net)\s*\.\s*(?!(?:Stdout|Stderr|Exit|Conn|Listener)\b)|\.\s*(?:Chmod|Chown|Truncate|Fd"
            r"|Write\w*|Sync|SyscallConn|Chdir)\b"
        ),
    ),
    "rust": FileCalls(
        calls=(
            r"(?:std\s*::\s*)?fs\s*::\s*(?:read_to_string|read|metadata|read_dir)\s*\(\s*{path}\s*\)",
            r"(?:std\s*::\s*fs\s*::\s*)?File\s*::\s*open\s*\(\s*{path}\s*\)",
        ),
        imports=(
            r"(?m)^\s*use\s+std::(?:fs(?:::(?:File|\{self,\s*File\}))?|io::(?:BufRead|BufReader|Read"
            r"|\{(?:\s*(?:BufRead|BufReader|Read)\s*,?)+\}))\s*;[ \t]*$"
        ),
        spoils=lazy_re(r"\.\s*(?:set_len|set_permissions|write\w*|into_raw_fd|as_raw_fd)\b"),
    ),
    "swift": FileCalls(
        calls=(
            r"String\s*\(\s*contentsOfFile\s*:\s*{path}\s*(?:,\s*encoding\s*:\s*\.\w+\s*)?\)",
            r"FileManager\s*\.\s*default\s*\.\s*(?:fileExists|contentsOfDirectory)\s*\(\s*atPath\s*:"
            r"\s*{path}\s*\)",
        )
    ),
    "cpp": FileCalls(
        calls=(r"(?:std::)?ifstream\s+\w+\s*[({{]\s*{path}\s*[)}}]",),
        imports=r"(?m)^\s*#\s*include\s*<fstream>[ \t]*$",
        spoils=lazy_re(r"\b\w*fstream\b"),
    ),
    "haskell": FileCalls(calls=(r"\b(?:\w+\.)?readFile\s+{path}",)),
    "clojure": FileCalls(calls=(r"\(\s*slurp\s+{path}\s*\)",)),
}  # fmt: skip
# A name that is given a text or goes through what a listing gives.
_GIVEN = r"\b(?:(?:const|final|static|auto|var|val|let|string|String)\s+)+(\w{1,40})\s*(?:=|:=)\s*"
_EACH = r"\(\s*(?:var|string|let)\s+(\w{1,40})\s+in\s+"


def take_readings(language: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without the calls that read files, and the paths they read."""
    told = _OF.get(language)
    if told is None:
        return text, ()
    paths: list[str] = []
    text = re.sub(r";[ \t]*(?=import\b)", ";\n", text)
    rest = _without(_compiled(told.near), text, paths)
    walked, rest = _walked(told, rest, paths)
    rest = _without(_compiled(told.lists), rest, paths)
    looped = frozenset(re.findall(_EACH + r'""', rest))
    rest = _named_by_texts(rest)
    rest = _without(_compiled(told.calls), rest, paths)
    for name in islice(sorted(looped | walked), MOST):
        rest = _without(_compiled(told.calls, re.escape(name)), rest, [])
    if rest == text:
        return text, ()
    rest = re.sub(told.imports, "", rest)
    return (
        (text, ()) if told.spoils.search(rest) is not None else (rest, tuple(dict.fromkeys(paths)))
    )


def _walked(told: FileCalls, text: str, paths: list[str]) -> tuple[frozenset[str], str]:
    """Return the names that stand for paths below a walked folder, and the text without a walk.

    What such a name is given elsewhere is no path: a text that is one counts by itself.
    """
    names: set[str] = set()
    for walk in _compiled(told.walks):
        for found in islice(walk.finditer(text), MOST):
            paths.append(f"{found[1]}/*")
            each = found.groupdict().get("each")
            names |= {each} if each else set(_LAMBDA.findall(text))
        text = walk.sub('""', text) if "each" not in walk.groupindex else text
    return frozenset({name for name in names if not re.search(rf"\b{name}\s*:?=(?!=)", text)}), text


_LAMBDA = lazy_re(r"(?<![\w.])\(?(\w{1,40})\)?\s*[-=]>")


def _named_by_texts(text: str) -> str:
    """Put the text in the place of each name that stands for it and is given no other value."""
    for found in islice(re.finditer(_GIVEN + _TEXT, text), MOST):
        name = found[1]
        if len(re.findall(rf"\b{name}\s*(?::=|\+=|=(?!=))", text)) == 1:
            text = re.sub(rf"(?<=[(,])(\s*){name}(?=\s*[),])", rf'\1"{found[2]}"', text)
    return text


def _without(calls: tuple[re.Pattern[str], ...], text: str, paths: list[str]) -> str:
    for call in calls:
        paths.extend(_paths_of(call, text))
        text = call.sub('""', text)
    return text


def _paths_of(call: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield what is read: a file, or a folder with the pattern of the files in it."""
    for found in islice(call.finditer(text), MOST):
        parts = [part for part in found.groups() if part]
        yield from ["/".join(parts)] if parts else []


@cache
def _compiled(calls: tuple[str, ...], path: str = _TEXT) -> tuple[re.Pattern[str], ...]:
    return tuple([re.compile(rf"(?<![\w.]){_filled(one, path)}") for one in calls])


def _filled(call: str, path: str) -> str:
    return call.replace("{path}", path).replace("{{", "{").replace("}}", "}")
