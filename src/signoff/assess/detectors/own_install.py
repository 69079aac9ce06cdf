"""Which operations touch what judges: the environment signoff is installed in, and its process.

A hook starts an interpreter of that environment. Whoever moves, empties or replaces it ends every
judgement, whatever the files are called. Where the environment is the project's own, packages come
and go in it: then only what the hook starts by is kept.

    touches_install(op, evidence)   "guard" for `mv /opt/env /tmp/x`, where signoff runs in it
    reaches_process(op, evidence)   True for `kill 4711` and `strace -p 4711`, where 4711 judges
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.known.reaches import parts_of
from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re2, words
from signoff.assess.detectors.detector import Evidence, TextSource
from signoff.assess.detectors.own_folders import NAMES_ONLY
from signoff.assess.detectors.own_tree import (
    CHANGING,
    LINKERS,
    MODES,
    MOVERS,
    Parts,
    folded,
    is_project_part,
    is_source,
    touches_tree,
)

SEARCHES = frozenset({"find", "fd", "fdfind", "xargs", "parallel"})
BUILDERS = ("venv", "virtualenv")  # they empty a folder where they are told to
FOLDERS = words("bin scripts lib lib64 include")
# Remade by the interpreter when they are missing.
REBUILT = ("__pycache__", ".pyc", ".pyo")
# What looks into, drives, slows or bounds a process that it is given the number of.
PROCESS_TOOLS = words(
    "kill skill gdb lldb strace ltrace py-spy gcore rbspy perf prlimit renice ionice chrt taskset "
    "nsenter reptyr criu cgclassify gdbserver cpulimit choom schedtool python:pdb"
)
TOLD = frozenset({ResourceType.PROCESS, ResourceType.MESSAGE})  # a signal is one to some tools
# Of a process below /proc: what it has open, holds in memory, or sees as its root.
OPENED = frozenset({("fd",), ("mem",), ("map_files",), ("root",), ("cwd",)})
_SOURCE_LIMIT = 200  # an Operation keeps so much of its text
_NUMBER = lazy_re2(r"[0-9]{2,10}")
_DRIVES = lazy_re2(r"kill|pidfd|prlimit|remote_exec|ptrace|process_vm|psutil|setpriority|sched_set")
_ENDS = lazy_re2(r"psutil(?:\n|.)*\.(?:kill|terminate|suspend|send_signal|rlimit)\(")
_CLEARING = lazy_re2(r"(?:^|\s)--clear(?:\s|$)")


def touches_install(op: Operation, evidence: Evidence) -> str:
    """Return what happens to signoff's environment: "guard", "guard-replaced", or ""."""
    install = evidence.facts.guard_install
    if touched := touches_tree(op, evidence):
        return touched
    if not install:
        return ""
    if op.thing is ResourceType.PACKAGE:
        return "guard-replaced" if _is_installed_there(op, install, evidence) else ""
    if op.verb not in CHANGING:
        return ""
    # What is written through a link lies elsewhere, and is still what the hook starts.
    named = {path for path in (op.path, op.target) if path.startswith("/")}
    found = {_at(op, folded(path), folded(install), evidence) for path in named}
    return "guard" if "guard" in found else "guard-replaced" if "guard-replaced" in found else ""


def _at(op: Operation, path: Parts, root: Parts, evidence: Evidence) -> str:
    """Name what a change of one path does to the environment."""
    if path == root[: len(path)]:
        if _takes_whole(op, evidence, is_root=path == root):
            return "guard"
        is_put_in = path == root and not _is_shared(evidence)
        return "guard-replaced" if is_put_in and op.verb is not Verb.DELETE else ""
    if path[: len(root)] == root:
        return _touched_inside(op, path[len(root) :], evidence)
    return "guard" if _is_searched_for(op, path, root, evidence) else ""


def _is_searched_for(op: Operation, path: Parts, root: Parts, evidence: Evidence) -> bool:
    """Tell whether a search above the environment takes a part of it by its name."""
    if op.verb is not Verb.DELETE or not path or path[:-1] != root[: len(path) - 1]:
        return False
    if not any(carrier.split(" ", 1)[0] in SEARCHES for carrier in op.carriers):
        return False
    parts = {*root[len(path) - 1 :], *FOLDERS, "pyvenv.cfg", "signoff", "site-packages"}
    return not _is_shared(evidence) and path[-1] in parts


def _takes_whole(op: Operation, evidence: Evidence, *, is_root: bool) -> bool:
    """Tell whether the environment, or a folder above it, is moved, deleted or emptied."""
    if Trait.BROAD in op.traits and op.verb is Verb.DELETE:
        return False  # refused as such
    if op.verb is Verb.DELETE:
        # A search below a folder above takes what it finds: judged by what that is.
        if _has_wildcard(op.target):
            return is_root and not op.target.endswith(REBUILT)
        return True
    if op.program in MOVERS:
        return is_source(op, evidence)
    if op.program in MODES:
        return is_root or not _holds_project(op, evidence)
    return is_root and (op.program in LINKERS or _is_cleared(op, evidence))


def _holds_project(op: Operation, evidence: Evidence) -> bool:
    """Tell whether the project, or the home, lies below a folder: its modes are another matter."""
    above, facts = folded(op.path), evidence.facts
    return any(
        folded(place)[: len(above)] == above
        for place in (facts.project or evidence.action.cwd, facts.home)
        if place
    )


def _touched_inside(op: Operation, below: Parts, evidence: Evidence) -> str:
    if op.target.endswith(REBUILT):
        return ""
    if below == ("pyvenv.cfg",) or (len(below) == 1 and below[0] in FOLDERS):
        return "guard"
    if below[0] in {"bin", "scripts"} and below[-1].startswith(("python", "signoff")):
        return "guard"
    if _is_shared(evidence):
        return ""
    return "guard" if op.verb is Verb.DELETE else "guard-replaced"


def _is_shared(evidence: Evidence) -> bool:
    """Tell whether the environment is the project's, where packages are installed by right."""
    return is_project_part(evidence.facts.guard_install, evidence)


def _is_installed_there(op: Operation, install: str, evidence: Evidence) -> bool:
    if op.verb not in CHANGING | {Verb.INSTALL} or _is_shared(evidence):
        return False
    return install in _text(op, evidence)


def _is_cleared(op: Operation, evidence: Evidence) -> bool:
    text = _text(op, evidence)
    return any(name in text for name in BUILDERS) and _CLEARING.search(text) is not None


def reaches_process(op: Operation, evidence: Evidence) -> bool:
    """Return whether an Operation acts on signoff's own process by its id."""
    judging = evidence.facts.guard_processes
    if not judging:
        return False
    if op.path.startswith("/proc/") or op.target.startswith("/proc/"):
        return _looks_into(op, judging)
    if op.program == evidence.action.tool and op.thing in TOLD:
        # A tool of a server is given the number in an argument.
        return any(str(value) in _texts(judging) for value in evidence.action.arguments.values())
    is_tool = op.program in PROCESS_TOOLS or any(
        carrier.partition(" ")[0] in PROCESS_TOOLS for carrier in op.carriers
    )
    if op.thing is ResourceType.PROCESS and op.verb is Verb.CONTROL:
        numbers = f"{op.target} {_text(op, evidence)}" if is_tool else op.target
    elif is_tool or _drives_processes(op, evidence):
        numbers = f"{op.target} {_text(op, evidence)}"
        if "signoff" in numbers and _ENDS.search(numbers):  # sought by its name
            return True
    else:
        return False
    return any(int(number) in judging for number in _NUMBER.findall(numbers))


def _drives_processes(op: Operation, evidence: Evidence) -> bool:
    """Tell whether inline code drives processes by functions that are not taken apart."""
    is_code = op.program == "code" or (op.traits and Trait.INLINE in op.traits)
    return bool(is_code) and _DRIVES.search(_text(op, evidence)) is not None


def _looks_into(op: Operation, judging: frozenset[int]) -> bool:
    """Tell whether a file below `/proc` of a process that judges is changed, or shows its inside.

    What a process has open is a link: its target is kept as the call names it.
    """
    parts = parts_of(op.path if op.path.startswith("/proc/") else op.target)
    is_looked_at = op.verb is Verb.READ and (parts[2:3] not in OPENED or op.program in NAMES_ONLY)
    return not is_looked_at and parts[1:2] in _names(judging)


@lru_cache(maxsize=16)
def _texts(numbers: frozenset[int]) -> frozenset[str]:
    return frozenset(map(str, numbers))


@lru_cache(maxsize=16)
def _names(numbers: frozenset[int]) -> frozenset[tuple[str, ...]]:
    return frozenset((str(number),) for number in numbers)


def _has_wildcard(target: str) -> bool:
    return any(mark in target for mark in "*?[")


def _text(op: Operation, evidence: Evidence) -> str:
    """Return the call around an operation: a variable before it may say where it goes."""
    whole = evidence.texts.get(TextSource.ARGUMENTS, "")[:65_536]
    return whole if "=" in whole or len(op.source) >= _SOURCE_LIMIT else f"{op.source}\n{whole}"
