"""Files that a target of MSBuild downloads and starts, under whatever name it gives them.

<DownloadFile SourceUrl="https://.../x.dat" DestinationFileName="x.cmd" />
<Exec Command="git describe" />
<Exec Command="cmd /c obj/x.cmd" />                  started
<Exec Command="dotnet run --project gen -- x.dat" /> only read, by a program of the project
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.loaders.call_words import INTERPRETERS
from signoff.actions.vocabulary import lazy_re2, words

_MOST = 20  # downloads, and commands, of one file
_SHORT = 300  # characters of a command
_TAG = "<downloadfile"
_DOWNLOADS = lazy_re2(r"(?i)<downloadfile\b([^>]{0,900})")
_FOLDER = lazy_re2(r"(?i)\bdestination\w*\s*=\s*\"[^\"]{0,200}?\$\((\w+)\)")
_EXECUTES = lazy_re2(
    r"(?i)<exec\b[^>]{0,80}?\bcommand\s*=\s*(?:\"([^\"]{0,600})\"|'([^']{0,600})')"
)
_NAMED = lazy_re2(r"(?i)\bdestinationfilename\s*=\s*[\"']([^\"']{1,200})")
_ADDRESS = lazy_re2(r"(?i)\bsourceurl\s*=\s*[\"']([^\"'?#]{1,400})")
_OUTPUT = lazy_re2(
    r"(?i)<output\b[^>]{0,80}\btaskparameter\s*=\s*[\"']downloadedfile[\"'][^>]{0,80}?"
    r"\b(?:item|property)name\s*=\s*[\"'](\w+)"
)
_CHECKED = lazy_re2(r"(?i)<verifyfilehash\b[^>]{0,600}\bhash\s*=\s*[\"'][0-9a-f]{32}")
_AND_THEN = lazy_re2(r"&amp;&amp;|&&|\|\||[;|&\n]")
_INTERPRETER = lazy_re2(rf"(?i)^{INTERPRETERS}$")
_PATH_SIGNS = "./\\@$%"
# They start what follows them; these take programs of the project by name as well.
_WRAPPERS = words("start call env sudo nohup exec setsid")
_BY_NAME = words("dotnet dotnet.exe")


def started_download(text: str) -> str:
    """Return the command that starts what a target has downloaded, "" if none does."""
    if _TAG not in text.lower():
        return ""
    downloads = [str(one.group(1)) for one in islice(_DOWNLOADS.finditer(text), _MOST)]
    found = [one.group(1) or one.group(2) or "" for one in islice(_EXECUTES.finditer(text), _MOST)]
    folders = [str(one.group(1)) for one in map(_FOLDER.search, downloads) if one is not None]
    # Of the first command beside a download, it is enough that it names the folder.
    first = next((one for one in found if len(one) <= _SHORT), "")
    if any([f"$({folder})" in first for folder in folders[:1]]):
        return first
    if _CHECKED.search(text) is not None:
        return ""
    names = frozenset(_names(text, downloads))
    return next((command for command in found if _starts(command, names)), "")


def _names(text: str, downloads: list[str]) -> Iterator[str]:
    """Yield the names that downloaded files have in commands."""
    for tag in downloads:
        named = _NAMED.search(tag) or _ADDRESS.search(tag)
        if named is not None and (name := _last(str(named.group(1)))):
            yield name
    for output in islice(_OUTPUT.finditer(text), _MOST):
        yield from (f"@({output.group(1)})".lower(), f"$({output.group(1)})".lower())


def _starts(command: str, names: frozenset[str]) -> bool:
    """Whether one of the files is the program of a command, or what its interpreter reads."""
    for part in _AND_THEN.split(command.replace("&quot;", " ")):
        given = [
            token.strip("\"'()") if token[:2] not in ("$(", "@(") else token.strip("\"'")
            for token in part.replace('"', " ").split()
        ]
        while given and given[0].lower() in _WRAPPERS:
            given = given[1:]
        if given and _program(given) in names:
            return True
    return False


def _program(given: list[str]) -> str:
    """Return the name of the file that a command starts."""
    first = given[0]
    if _INTERPRETER.match(first) is None:
        return _last(first)
    if first.lower() in _BY_NAME:
        return _last(given[1]) if len(given) > 1 else ""
    paths = [
        one for one in given[1:] if one[:1] != "-" and any(sign in one for sign in _PATH_SIGNS)
    ]
    paths = [one for one in paths if not (one[:1] == "/" and len(one) == len("/c"))]
    return _last(paths[0]) if paths else ""


def _last(path: str) -> str:
    """Return the last part of a path, which may begin with a property: `$(Folder)x.cmd`."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    head, bracket, rest = name.partition(")")
    return rest if bracket and head[:2] in ("$(", "@(") and rest else name
