"""Which recursive deletions lose nothing of others: the session's own folders, single files.

A folder counts as the session's where an earlier call made it, it was looked for then and was not
there, and nothing of others was moved into it since.

    is_own_work(DELETE reproduction, evidence)    True after `mkdir reproduction`
"""

from __future__ import annotations

from signoff.actions.facts import FileFact
from signoff.actions.known.reaches import linked_trees
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.understand import place_of
from signoff.assess.detectors.detector import Evidence

OWN_REACHES = frozenset({Reach.PROJECT, Reach.TEMP})
OUTPUT_BESIDE = {
    "bin": frozenset({"obj"}),
    "library": frozenset({"temp", "obj"}),
    "intermediate": frozenset({"binaries", "saved", "deriveddatacache"}),
    "binaries": frozenset({"intermediate"}),
    "work": frozenset({".nextflow"}),
    "install": frozenset({"log"}),
    "devel": frozenset({"build"}),
    "simulation": frozenset({"xsim.dir", ".xil"}),
}
GLOB_CHARS = frozenset("*?[")


def is_own_work(op: Operation, evidence: Evidence) -> bool:
    """Return whether a deletion removes only what the session created, or a single file."""
    facts = evidence.facts
    if op.verb is not Verb.DELETE or op.thing is not ResourceType.FILE or not op.path:
        return False
    if Trait.BROAD in op.traits or op.reach not in OWN_REACHES:
        return False
    # A pattern may match more than was looked at.
    if not GLOB_CHARS.isdisjoint(op.target):
        return False
    if _is_no_tree(op, facts.files.get(op.path)) or _is_made_here(op, evidence):
        return True
    return _is_output_pair(op, evidence)


def _is_output_pair(op: Operation, evidence: Evidence) -> bool:
    """Tell whether a folder goes together with those beside it that the same tool makes.

    `bin` with `obj` is output of .NET, `Library` with `Temp` or `Obj` is what Unity makes again,
    `work` with `.nextflow` what Nextflow does, `install` with `log` what colcon does.
    """
    folder, name = _parts_of(op.target)
    others = OUTPUT_BESIDE.get(name)
    return others is not None and any(
        [
            one.verb is Verb.DELETE
            and _parts_of(one.target)[0] == folder
            and _parts_of(one.target)[1] in others
            for one in evidence.operations
        ]
    )


def _parts_of(target: str) -> tuple[str, str]:
    folder, _, name = target.replace("\\", "/").rstrip("/").rpartition("/")
    return folder, name.lower()


def _is_no_tree(op: Operation, fact: FileFact | None) -> bool:
    """Tell whether a path was looked at and is no folder: a file of that name, or nothing."""
    # Behind a link it is another place that is emptied.
    if fact is None or fact.real_path != op.path or Trait.NAMED not in op.traits:
        return False
    return not fact.exists or not fact.is_directory


def _is_made_here(op: Operation, evidence: Evidence) -> bool:
    facts = evidence.facts
    own = _own_folder(op.path, facts.created)
    if not own or _holds_others(own, facts.moved) or _is_linked_tree(own, evidence):
        return False
    fact = facts.files.get(op.path)
    return fact is None or fact.real_path == op.path


def _own_folder(path: str, created: frozenset[str]) -> str:
    """Return the folder of the session that a path is or lies in, "" without one."""
    while path:
        if path in created:
            return path
        path = path.rpartition("/")[0]
    return ""


def _is_linked_tree(folder: str, evidence: Evidence) -> bool:
    """Tell whether git filled the folder with the project's files: they are not the session's."""
    place = place_of(evidence.action, evidence.facts)
    return folder in linked_trees(evidence.facts.created, place.home, place.project)


def _holds_others(folder: str, moved: frozenset[str]) -> bool:
    below = f"{folder}/"
    return any([path == folder or path.startswith(below) for path in moved])
