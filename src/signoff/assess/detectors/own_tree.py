"""Which operations change the working tree signoff is imported from, in an editable installation.

Its package is protected by its path. The tree around it changes it as well: version control and
package managers work in a folder that no path of the operation names, an archive is unpacked over
it, a folder above is moved, or a module that Python loads at its start is put beside it.

    touches_tree(op, evidence)    "guard-replaced" for `git -C /srv/signoff pull`
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from signoff.actions.known.reaches import parts_of
from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.shell.origins.own_tree import changes_tree
from signoff.actions.vocabulary import words
from signoff.assess.detectors.detector import Evidence, TextSource

Parts: TypeAlias = tuple[str, ...]

CHANGING = frozenset({Verb.WRITE, Verb.DELETE, Verb.PRIVILEGE, Verb.CONFIGURE})
MOVERS = words(
    "mv os.rename os.renames os.replace shutil.move pathlib.Path.rename pathlib.Path.replace "
    "fs.rename fs.renameSync"
)
LINKERS = words("ln os.symlink os.link fs.symlinkSync pathlib.Path.symlink_to rename prename")
MODES = words("chmod chown chgrp chattr setfacl")
MAKES_FOLDERS = words("mkdir os.mkdir os.makedirs pathlib.Path.mkdir fs.mkdirSync touch")
LOADED = (".py", ".pth", ".so", ".pyd")


def touches_tree(op: Operation, evidence: Evidence) -> str:
    """Return what happens to signoff's working tree: "guard", "guard-replaced", or ""."""
    facts = evidence.facts
    if _is_changed(op, evidence):
        is_shared = any(
            [
                place and is_project_part(place, evidence)
                for place in (facts.guard_tree, facts.guard_install)
            ]
        )
        return "" if is_shared and op.thing is ResourceType.PACKAGE else "guard-replaced"
    if not facts.guard_tree or op.verb not in CHANGING:
        return ""
    code = _code(facts.guard_paths, facts.guard_tree)
    named = {path for path in (op.path, op.target) if path.startswith("/")}
    found = {_at(op, folded(path), code, evidence) for path in named}
    return "guard" if "guard" in found else "guard-replaced" if "guard-replaced" in found else ""


def _is_changed(op: Operation, evidence: Evidence) -> bool:
    """Tell whether version control or a package manager works in the tree."""
    if op.traits and Trait.GUARD_TREE in op.traits:
        return True
    # Code and tools of servers say where they work in an argument of their own.
    is_led = bool(op.carriers) or evidence.action.tool != "Bash"
    text, tree = evidence.texts.get(TextSource.ARGUMENTS, "")[:65_536], evidence.facts.guard_tree
    return bool(tree) and is_led and changes_tree(op) and tree in text


def _at(op: Operation, path: Parts, code: Parts, evidence: Evidence) -> str:
    """Name what a change of one path does to the code in the tree."""
    root = folded(evidence.facts.guard_tree)
    if path != code[: len(path)]:
        is_beside = path[:-1] == code[:-1] and path[-1].endswith(LOADED)
        return "guard-replaced" if is_beside and op.verb is Verb.WRITE else ""
    if op.program in MOVERS and is_source(op, evidence):
        return "guard"
    # A folder above the tree holds other things too; deleting one is found by the files in it.
    if len(path) < len(root) or op.verb is Verb.DELETE or op.program in MAKES_FOLDERS:
        return ""
    return "guard" if op.program in MODES | LINKERS else "guard-replaced"


def is_project_part(folder: str, evidence: Evidence) -> bool:
    """Return whether a folder is in the project, where installing packages is normal."""
    facts = evidence.facts
    project = folded(facts.project or evidence.action.cwd)
    return bool(project) and folded(folder)[: len(project)] == project


def is_source(op: Operation, evidence: Evidence) -> bool:
    """Return whether this path is a source of a move: all paths but the last are."""
    same = [
        one
        for one in evidence.operations
        if one.program == op.program and one.group == op.group and one.path
    ]
    return same[-1] is not op


@lru_cache(maxsize=256)
def folded(path: str) -> Parts:
    """Return the parts of a path in lower case; macOS ignores case in file names."""
    return parts_of(path.lower())


@lru_cache(maxsize=16)
def _code(guard_paths: tuple[str, ...], tree: str) -> Parts:
    """Return where the package lies in the tree."""
    inside = [path for path in guard_paths if path.startswith(f"{tree}/")]
    return next((folded(path) for path in inside if path.endswith("/signoff")), folded(tree))
