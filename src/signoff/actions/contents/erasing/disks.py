"""Disks that a program overwrites unless somebody names another: a literal, or a default.

    run("wipefs", ["-a", disk]), disk = args.isEmpty ? "/dev/nvme0n1" : args.first   the first disk
    run("dd", "of=" + path), path = "build/disk.img"                                 a file
    print("dd if=a.img of=/dev/sda")                                                 words

A helper of the text that starts its parameter counts like the call it makes.
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.erasing.brackets import inner
from signoff.actions.contents.erasing.deletions import in_literal
from signoff.actions.contents.erasing.folders import code_in
from signoff.actions.contents.erasing.functions import functions_in
from signoff.actions.contents.erasing.symbolic import Paths
from signoff.actions.vocabulary import lazy_re2

_MOST = 20
_DISK = lazy_re2(
    r"/dev/(?:r?disk[01]|[svh]da\d?|xvda\d?|nvme0n1(?:p\d)?|mmcblk0(?:p\d)?|ad0|ada0|da0)(?:[^\w]"
    r"|$)"
    r"|\\{1,4}[.?]\\{1,2}PhysicalDrive0\b"
)
_ERASES = lazy_re2(
    r"(?P<quote>[\"'`])(?:sudo\s+)?(?:/(?:usr/)?s?bin/)?(?:dd|mkfs(?:\.\w+)?|wipefs|blkdiscard"
    r"|shred|sgdisk|mkswap|hdparm|badblocks"
    r"|luksFormat|cryptsetup|newfs\w*|parted|sfdisk|nvme|diskutil)(?P<rest>[\"'`]|\s)"
)
# These also look at a disk.
_HARMLESS = lazy_re2(
    r"(?i)\b(?:print|--list|-l\b|--info|-i\b|smart-log|luksDump|--dump|list)\b|\bif=/dev/|(?:^"
    r"|\W)(?:--no-act|--dry-run|-n)\b"
)
_WRITES = lazy_re2(
    r"of=|mkfs|newfs|wipefs|blkdiscard|shred|mkswap|zap|--clear|security-erase|badblocks"
    r"|luksFormat|mklabel|mkpart|format\b|erase|sfdisk|-o\b"
)
_STARTER = lazy_re2(
    r"(?i)(?:\bsystem|\bexec\w*|\bspawn\w*|popen\w*|subprocess\.\w+|Process\.(?:run|start)\w*"
    r"|ProcessBuilder|ProcessStartInfo|exec\.Command\w*|Command(?:::new)?"
    r"|System\.cmd|shell_exec|passthru|Open3\.\w+|os\.execute|io\.popen|check_call|check_output"
    r"|proc_open|Process::run|\$|\bsh|\bexeca|\bcmd|\brun\w*"
    r"|Start-Process|Process\(\)|executableURL|QProcess::\w+|sys\.process|%x|qx)\s*[(\[{ ]?\s*$"
)
_STARTS = lazy_re2(
    r"(?i)\b(?:system|exec\w*|spawn\w*|popen\w*|subprocess|Process|ProcessBuilder"
    r"|ProcessStartInfo|Command|shell_exec|passthru|Open3|proc_open"
    r"|check_call|check_output|execa|QProcess|io\.popen|os\.execute)\b"
)
_CALLEE = lazy_re2(
    r"([\w.:>$-]*[\w$%])\s*[!?]?\s*[(\[{ ]?\s*(?:\[|\{|listOf\(|new\s+\w*\[\]\s*\{)?\s*$"
)
_ASKS = lazy_re2(
    r"(?i)\binput\s*\(|readline|read_line|\bgets\b|\bconfirm|prompt|\bask\w*\(|scanln"
    r"|Console\.Read|readLineSync|Read-Host|<STDIN>|io\.read|--yes\b|--force\b|yes_i"
)
_NAMES = lazy_re2(
    r"[$#\\{]{1,2}\(?\s*([A-Za-z_]\w*(?:\.\w+)*)|[,(+]\s*\$?&?([A-Za-z_]\w*(?:\.\w+)*)"
    r"|\.\.\s*([A-Za-z_]\w*)"
)
_GATE = lazy_re2(r"/dev/|PhysicalDrive")


def overwritten_disk(text: str) -> str:
    """Return the line that overwrites the machine's own disk without asking, "" if none does."""
    if _GATE.search(text) is None or _DISK.search(text) is None:
        return ""
    head = code_in(text)
    if _ASKS.search(head) is not None:
        return ""
    paths = Paths(head)
    starters = frozenset(
        [
            one.name
            for one in functions_in(head)
            if one.parameters and _starts(head, one.head, one.end)
        ]
    )
    for match in islice(_ERASES.finditer(head), _MOST):
        if _overwrites(head, match, paths, starters):
            return _line(head, match.start())
    return ""


def _starts(text: str, head: int, end: int) -> bool:
    return _STARTS.search(text[head:end]) is not None


def _overwrites(text: str, match: re2._Match[str], paths: Paths, starters: frozenset[str]) -> bool:
    start = match.start()
    before = text[max(0, start - 100) : start].rpartition("\n")[2]
    callee = _CALLEE.search(before)
    name = str(callee.group(1)) if callee is not None else ""
    is_own = name.rpartition(".")[2] in starters
    if in_literal(text, start) or not (is_own or _STARTER.search(before.rstrip("[{( "))):
        return False
    said = inner(text, start)
    if _HARMLESS.search(said) is not None or _WRITES.search(said) is None:
        return False
    if _DISK.search(said) is not None:
        return True
    return any([_DISK.search(f"{path} ") for path in _named(said, start, paths)])


def _named(said: str, at: int, paths: Paths) -> list[str]:
    """Every path that a name in a call stands for, also one that is put into a literal."""
    found: list[str] = []
    for match in islice(_NAMES.finditer(said), _MOST):
        name = next(filter(None, match.groups()), "")
        found += list(paths.of(name, at))
    return found


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].strip()
