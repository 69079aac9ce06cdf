"""Calls that delete folders or files, in each language, with the expression of what they delete.

shutil.rmtree(home)                     Deletion(said="home", is_tree=True)
Directory(p).delete(recursive: true)    Deletion(said="Directory(p)", is_tree=True)
Files.walk(p).forEach(Files::delete)    Deletion(said="p", is_tree=True)
for f in files: os.remove(f)            Deletion(said="f", is_tree=False)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from signoff.actions.contents.erasing.brackets import inner, parts, statement
from signoff.actions.vocabulary import lazy_re2

_MOST = 40
_BACK = 200  # characters before a method, in which its receiver stands
DELETES = lazy_re2(
    r"(?i)rm_?tree|\brm(?:sync|dir|_rf?)?\b|rimraf|delete_?(?:directory|recursively|tree|folder"
    r"|async|if_?exists)?|remove_?(?:all|item|dir|tree"
    r"|recursively|file)?|unlink|clean_?directory|empty_?dir|\bdel\b|del_dir"
)
_OF_TREES = lazy_re2(
    r"(?P<call>\b(?:shutil\.|File::Path::|fs\.)?(?:rmtree|remove_tree|rm_tree)|\brimraf(?:\.sync"
    r"|Sync)?|\b(?:FileUtils\.)?(?:rm_rf?|remove_dir"
    r"|remove_entry(?:_secure)?|deleteDirectory|forceDelete|cleanDirectory|deleteQuietly)"
    r"|\bFile(?:::|\.)(?:deleteDirectory|cleanDirectory|rm_rf!?)"
    r"|\b(?:os\.)?RemoveAll|\b(?:std::)?(?:fs|filesystem)?(?:::)?remove_(?:dir_)?all"
    r"|\bDirectory\.Delete|\b(?:fs|fsp|fsPromises|promises|fse)?\.?"
    r"(?:promises\.)?(?:rmSync|rmdirSync|rmdir|emptyDirSync|emptyDir|removeSync)"
    r"|\bDeno\.remove(?:Sync)?|\bdeleteAsync|\bos\.remove\.all"
    r"|\.removeItem|\b(?:fs::)?dir_delete|\bdir\.rmtree"
    r"|\bfile:del_dir_r|\bIO\.delete|\bremoveDir"
    r"|\bremoveDirectoryRecursive\w*)!?\s*\(\s*(?:(?:atPath|at|path|target)\s*:\s*)?"
    r"|(?P<maybe>\b(?:await\s+)?(?:fs\.|fsp\.|fs\.promises\.)?(?:rm|remove|unlink)\s*\()"
    r"|(?P<bare>\b(?:remove_tree|rmtree|rm_rf|FileUtils\.rm_rf?|removeDirectoryRecursive|removePathForcibly"
    r"|(?:\w+/)?delete-(?:tree|dir|directory|recursively)|removeDir)[ \t]+"
    # Gradle's own task.
    r"|(?m:^|\{)[ \t]*delete[ \t]+(?:\(?[ \t]*(?:fileTree|files?)\([ \t]*(?:dir[ \t]*:[ \t]*)?)?)"
    r"|(?P<shell>[\"'`](?:sudo\s+)?(?:rm\s+-\w*[rR]\w*|rmdir\s+/s(?:\s+/q)?"
    r"|rd\s+/s(?:\s+/q)?)\s+(?:-\S+\s+)*)"
    r"|(?P<words>[\"']rm[\"']\s*,\s*\[?\s*[\"']-\w*[rR]\w*[\"']\s*,\s*)"
    r"|(?P<ps>\bRemove-Item\s+)"
)
_METHOD = lazy_re2(
    r"(?:\.|->)(?:(?P<tree>deleteRecursively|removeRecursively|rmtree|remove_tree|delete_tree"
    r"|deleteDir)\s*(?:\(|\b)"
    r"|(?P<maybe>delete(?:Sync)?|Delete)\s*\()"
)
_ALL_BELOW = lazy_re2(r"^\s*(?:recursive\s*[:=]\s*true|true)\b")
_RECURSIVE = lazy_re2(r"(?i)\brecursive\s*[\"']?\s*(?:[:=]|=>)\s*(?:true|t\b)")
_WALKED = lazy_re2(r"(?:Files\.walk|Files\.walkFileTree|FileUtils\.listFiles|Files\.find)\s*\(")
_DELETES_LINE = lazy_re2(r"(?i)delete|\.remove")
_AHEAD = 260
_LINE = 400
_OF_FILES = lazy_re2(
    r"(?P<call>\b(?:os\.(?:remove|unlink|Remove)|(?:File|FileSystem)(?:::|\.)(?:delete|unlink"
    r"|rm!?|Delete)|Files\.delete(?:IfExists)?"
    r"|QFile::remove|QDir\(\)\.remove|fs\.unlink(?:Sync)?|fs::remove_file|(?:fs::|std::)remove"
    r"|file\.remove|unlink(?:Sync)?|os\.rename)\s*\(\s*)"
    r"|(?P<method>(?:\.|->)(?:unlink|delete|deleteSync|deleteIfExists|remove|rmdir)\s*\()"
    r"|(?P<bare>\bunlink[ \t]+)"
)
_RECEIVER = lazy_re2(
    r"((?:(?:new\s+)?[$@\w:]+[!?]?(?:\([^()\n]{0,120}(?:\([^()\n]{0,60}\)[^()\n]{0,60})?\))?[!?]?(?:\."
    r"|->|\?\.|!\.)?){1,6})$"
)
_CMAKE = lazy_re2(r"\bfile\(\s*REMOVE_RECURSE\s+")
_CMAKE_ROOT = lazy_re2(r"\$\{(?:CMAKE|PROJECT)_(?:CURRENT_)?SOURCE_DIR\}")
_RUNS = lazy_re2(
    r"(?i)(?:system|exec|execute|popen|spawn|shell|run|start|call|command|cmd|process|qx|sh"
    r"|check_output)\w*[^\n]{0,60}$|`$|%x.?$|qx.?$"
)
_SAYS = lazy_re2(
    r"(?i)\b(?:print\w*|puts|echo|log\w*|console\.\w+|say|writeln|write-host|raise|throw|warn\w*"
    r"|error|help)\b[^\n;]*$"
)


class Deletion(Struct, frozen=True, kw_only=True):
    """One call that deletes."""

    said: str
    at: int
    line: str
    is_tree: bool


def deletions_in(text: str, *, has_lines: bool = True) -> Iterator[Deletion]:
    """Yield the calls of a text that delete, with what they delete.

    Args:
        has_lines: lines for a shell count; in a test they are samples.
    """
    yield from _of_cmake(text)
    for match in islice(_OF_TREES.finditer(text), _MOST):
        kind = str(match.lastgroup)
        is_line = kind in ("shell", "words")
        said = _said(text, match.start(), match.end(), kind)
        if said and (has_lines or not is_line) and not in_literal(text, match.start()):
            yield _deletion(text, said, match.start(), is_tree=True)
    for match in islice(_METHOD.finditer(text), _MOST):
        rest = text[match.end() : match.end() + 40]
        if match.group("tree") or _ALL_BELOW.search(rest):
            yield _deletion(text, _receiver(text, match.start()), match.start(), is_tree=True)
    for match in islice(_WALKED.finditer(text), _MOST):
        said = inner(text, match.end())
        if _DELETES_LINE.search(text[match.end() : match.end() + len(said) + _AHEAD]):
            yield _deletion(text, said, match.start(), is_tree=True)
    yield from _of_files(text)


def in_literal(text: str, at: int) -> bool:
    """Return whether a place stands in a literal that begins on its line."""
    quote = ""
    for sign in text[max(text.rfind("\n", 0, at) + 1, at - _LINE) : at]:
        if sign == quote:
            quote = ""
        elif sign in "\"'`" and not quote:
            quote = sign
    return bool(quote)


def _of_files(text: str) -> Iterator[Deletion]:
    for match in islice(_OF_FILES.finditer(text), _MOST):
        if match.group("method"):
            said = _receiver(text, match.start())
        else:
            said = _first(
                inner(text, match.end()) if match.group("call") else statement(text, match.end())
            )
        if said:
            yield _deletion(text, said, match.start(), is_tree=False)


def _said(text: str, start: int, end: int, kind: str) -> str:
    """What a call that deletes trees is given, "" if it deletes none."""
    if kind == "shell":
        return _of_shell(text, start, end)
    if kind in ("call", "words"):
        return _first(inner(text, end))
    if kind == "maybe":
        given = inner(text, end)
        return _first(given) if _RECURSIVE.search(given) is not None else ""
    said = statement(text, end)
    is_whole = kind != "ps" or "-recurse" in said.lower()
    return _first(said.partition(" -")[0] if kind == "ps" else said) if is_whole else ""


def _of_shell(text: str, start: int, end: int) -> str:
    """What a line `rm -rf ...` names that a program hands to a shell, joined with what follows."""
    before = text[max(0, start - 120) : start]
    line = before.rpartition("\n")[2]
    if _RUNS.search(before) is None or _SAYS.search(line) is not None:
        return ""
    quote = text[start]
    return quote + statement(text, start)[end - start :]


def _of_cmake(text: str) -> Iterator[Deletion]:
    """The words of a command of CMake as texts."""
    for match in islice(_CMAKE.finditer(text), _MOST) if "REMOVE_RECURSE" in text else ():
        given = str(_CMAKE_ROOT.sub(".", inner(text, match.end())))
        for one in given.split()[:_MOST]:
            word = one.strip('"')
            yield _deletion(text, f'"{word}"', match.start(), is_tree=True)


def _first(given: str) -> str:
    return next(iter(parts(given)), "")


def _receiver(text: str, end: int) -> str:
    before = text[max(0, end - _BACK) : end]
    match = _RECEIVER.search(before)
    return str(match.group(1)) if match is not None else ""


def _deletion(text: str, said: str, at: int, *, is_tree: bool) -> Deletion:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)].strip()
    return Deletion(said=said, at=at, line=line, is_tree=is_tree)
