"""Which recursive deletions lose nothing of others: own folders, single files, output by its name.

A folder counts as the session's where an earlier call made it, it was looked for then and was not
there, and nothing of others was moved into it since.

    is_own_work(DELETE reproduction, evidence)    True after `mkdir reproduction`
"""

from __future__ import annotations

from signoff.actions.facts import FileFact, is_made_link
from signoff.actions.known.reaches import linked_trees
from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import words
from signoff.assess.detectors.detector import Evidence

OWN_REACHES = frozenset({Reach.PROJECT, Reach.TEMP})
OUTPUT_BESIDE = {
    "bin": frozenset({"obj"}),
    "obj": frozenset({"bin"}),
    "publish": frozenset({"testresults", "bin", "obj"}),
    "artifacts": frozenset({"testresults", "bin", "obj"}),
    "library": frozenset({"temp", "obj"}),
    "intermediate": frozenset({"binaries", "saved", "deriveddatacache"}),
    "binaries": frozenset({"intermediate"}),
    "work": frozenset({".nextflow"}),
    "install": frozenset({"log"}),
    "devel": frozenset({"build"}),
    "pkg": frozenset({".resource_types", ".yardoc"}),
    "simulation": frozenset({"xsim.dir", ".xil"}),
    **dict.fromkeys(("cover", "deps"), frozenset({"_build"})),
    "doc": frozenset({"_build", ".yardoc"}),
    "result": frozenset({"dist-newstyle"}),
}
# Ends of names for what a program keeps for its own speed.
PASSING = words("cache caches tmp temp thumbnails thumbs peaks intermediates previews")
BUILDS = frozenset({"build", "out"})
# How a build differs from others beside it, without digits: `x86`, `arm64`.
BUILD_KINDS = words(
    "asan tsan ubsan msan lsan asan-ubsan debug release relwithdebinfo minsizerel coverage cov"
    " profile pgo lto x arm aarch amd riscv ppc wasm emscripten web linux windows win mingw msvc"
    " macos darwin osx ios android gcc clang llvm ninja make unix static shared host native cross"
    " sim simulator emulator dbg rel opt fuzz sanitize sanitizer sanitizers test tests ci local dev"
)
SOURCES = words(
    "src lib internal pkg cmd include source sources packages services apps modules crates plugins"
    " components"
)
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
    fact = facts.files.get(op.path)
    if is_made_link(op.path, fact or facts.files.get(op.target), facts):
        return op.target[-1:] != "/"
    if _is_no_tree(op, fact) or _is_made_here(op, evidence):
        return True
    return _is_output_pair(op, evidence) or _is_made_again(op, evidence)


def _is_made_again(op: Operation, evidence: Evidence) -> bool:
    """Tell whether a folder is output by the parts of its name.

    A build folder of one kind is (`build-asan`), and so is a hidden cache. Another name that ends
    in `cache` may be a source folder: it counts beside what is surely made again, in one command.
    """
    folder, name = _parts_of(op.target)
    said = split_words(op.target.rstrip("/").rpartition("/")[2])
    if not said or not SOURCES.isdisjoint(folder.lower().split("/")):
        return False
    if said[0] in BUILDS or said[:2] == ("cmake", "build"):
        rest = said[2:] if said[0] == "cmake" else said[1:]
        return bool(rest) and BUILD_KINDS.issuperset(rest)
    if said[-1] not in PASSING:
        return False
    return name.startswith(".") or any(
        [
            one.group == op.group
            and one.verb is Verb.DELETE
            and Trait.REBUILDABLE in one.traits
            and one.reach is Reach.PROJECT
            for one in evidence.operations
        ]
    )


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
