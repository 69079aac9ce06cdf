"""Programs that create, copy, move, link and delete files: the everyday set of POSIX and GNU."""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_DEVICE
from signoff.actions.programs.listings import is_tree
from signoff.actions.programs.system.operands import on_device, raises_rights
from signoff.actions.shell.command import Word

DATABASE_ENDINGS = (".db", ".sqlite", ".sqlite3", ".mdb", ".db3", ".rdb")


def copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cp`, `install`: sources are read, the last word or `-t` is written."""
    into = call.value("-t", "--target-directory")
    sources = call.operands if into is not None else call.operands[:-1]
    target = into if into is not None else (call.operands[-1] if call.operands else None)
    for word in sources:
        yield call.on_file(Verb.READ, word)
    if target is not None:
        yield call.on_file(Verb.WRITE, target)
        for word in sources:
            # Whether the target is a folder is unknown, so the file that would lie in it is
            # judged as well.
            yield call.on_file(Verb.WRITE, _inside(target, word))


def install(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `install`: a copy with a mode; a setuid mode is a way to raise rights."""
    if call.has("-d", "--directory"):
        for word in call.operands:
            yield call.on_file(Verb.WRITE, word)
    else:
        yield from copy(call)
    mode = call.value("-m", "--mode")
    if mode is not None and raises_rights(mode.text):
        yield call.operation(
            Verb.PRIVILEGE,
            ResourceType.ACCOUNT,
            mode.text,
            traits=(Trait.BACKDOOR,),
            reach=Reach.SYSTEM,
            reversible=False,
        )


def _inside(folder: Word, source: Word) -> Word:
    """The file that a copy into a folder would make."""
    name = source.text.rstrip("/").rsplit("/", 1)[-1]
    return Word(
        text=f"{folder.text.rstrip('/')}/{name}" if folder.text != "/" else f"/{name}",
        is_known=folder.is_known and source.is_known and not source.has_glob,
        raw=folder.raw,
    )


def move(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `mv`: the source is deleted; within the project that is no loss."""
    into = call.value("-t", "--target-directory")
    sources = call.operands if into is not None else call.operands[:-1]
    target = into if into is not None else (call.operands[-1] if call.operands else None)
    # What is moved there is gone for good.
    lost = target is not None and target.text == "/dev/null"
    for word in sources:
        is_file = "." in word.text.strip("./").rsplit("/", 1)[-1]
        gone = call.on_file(Verb.DELETE, word, *(() if is_file else (Trait.RECURSIVE,)))
        written = call.on_file(Verb.WRITE, word)
        kept = Trait.BROAD not in written.traits or _is_renamed_each(word, target, written.reach)
        # A project without its `.git` has lost its history here.
        kept = kept and gone.thing is not ResourceType.REPOSITORY
        yield written if kept and not lost else gone
    if target is not None:
        yield call.on_file(Verb.WRITE, target)


def _is_renamed_each(word: Word, target: Word | None, reach: Reach) -> bool:
    """Whether a loop gives each file another name where it lies: `mv "$f" "old_$f"`."""
    if target is None or not word.has_glob or reach is not Reach.PROJECT:
        return False
    folder, _, name = word.text.rpartition("/")
    into, _, renamed = target.text.rpartition("/")
    # The old name inside the new one keeps the names apart, so no file lands on another.
    return folder == into and name != renamed and name in renamed


def link(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `ln`: writes a link; one to a secret or protected file counts as its target."""
    operands = call.operands
    if not operands:
        return
    # Through the link the file can be read under a name that no rule knows (CWE-59).
    yield call.on_file(Verb.READ, operands[0])
    yield call.on_file(Verb.WRITE, operands[-1] if len(operands) > 1 else Word(text="."))


def disk_copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `dd if=... of=...`."""
    done = False
    for word in call.operands:
        name, _, value = word.text.partition("=")
        part = Word(text=value, is_known=word.is_known)
        if name == "if":
            yield call.on_file(Verb.READ, part)
        elif name == "of":
            done = True
            yield call.on_file(Verb.WRITE, part)
    if not done:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def rescue(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ddrescue IN OUT MAP`."""
    for word in call.operands[:1]:
        yield call.on_file(Verb.READ, word)
    for word in call.operands[1:]:
        yield call.on_file(Verb.WRITE, word)


def truncate(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `truncate`: size 0 empties files, terabytes fill the disk."""
    size = call.value("-s", "--size")
    empties = size is not None and NO_BYTES.fullmatch(size.text) is not None
    for word in call.operands:
        yield _emptied(call, word) if empties else call.on_file(Verb.WRITE, word)
    if size is not None and size.text[-1:].upper() in "TPEZY":
        yield call.operation(Verb.WRITE, ResourceType.FILE, traits=(Trait.EXHAUSTS,))


# truncate(1): `<` before the size means "at most"; a unit is multiplied with nothing.
NO_BYTES = re.compile(r"(?i)<?-?0+(?:[KMGTPEZYRQ](?:i?B)?)?")
MANY_TERABYTES = re.compile(r"(?i)(?:(?:[2-9]|\d{2,})T|\d+[PEZY])(?:i?B)?")


def allocate(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `fallocate -l SIZE FILE`: terabytes fill the disk."""
    for word in call.operands:
        yield call.on_file(Verb.WRITE, word)
    size = call.value("-l", "--length")
    if size is not None and MANY_TERABYTES.fullmatch(size.text) is not None:
        yield call.operation(Verb.WRITE, ResourceType.FILE, traits=(Trait.EXHAUSTS,))


def _emptied(call: ProgramCall, word: Word) -> Operation:
    gone = call.on_file(Verb.DELETE, word)
    # Emptying a file of others is as bad as deleting it.
    if is_tree(word) or gone.reach not in {Reach.PROJECT, Reach.TEMP}:
        return gone
    # Databases are seldom under version control; text files of a project are.
    if gone.reach is Reach.PROJECT and word.text.lower().endswith(DATABASE_ENDINGS):
        return call.operation(
            Verb.DELETE,
            ResourceType.DATABASE,
            word.text,
            traits=(Trait.UNBOUNDED,),
            reach=Reach.PROJECT,
            reversible=False,
        )
    return call.on_file(Verb.WRITE, word)


def overwritten(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `shred`, `scrub`: what was in a file or on a disk is gone for good."""
    for word in call.operands:
        yield on_device(call, Verb.DELETE, word)
    for word in call.values("-X", "--freespace"):
        yield call.on_file(Verb.WRITE, word)
        # `scrub -X` fills the free space of a disk and wipes it.
        yield from call.perform(CONFIGURE_DEVICE)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def yes(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `yes > file` fills the disk; into a pipe it only answers."""
    endless = any(
        r.kind.value != "read" and r.target.text != "/dev/null" for r in call.command.redirects
    )
    traits = (Trait.EXHAUSTS,) if endless else ()
    yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=traits)


def node(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `mknod NAME b MAJOR MINOR`: a block device node reaches a disk by another name."""
    for word in call.operands[:1]:
        yield call.on_file(Verb.WRITE, word)
    # `p` makes a pipe, which reaches no device.
    if len(call.operands) > 1 and call.texts[1] in {"b", "c", "u"}:
        yield call.operation(Verb.CONFIGURE, ResourceType.DEVICE, call.texts[0], reach=Reach.SYSTEM)


def by_rule(call: ProgramCall) -> Iterator[Effect]:
    """`rename`, `mmv`: the files named, or those here that a rule selects, are renamed."""
    if call.has("-n", "--nono", "--just-print", "--dry-run", "--no-act"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    for word in call.operands[1:]:
        yield call.on_file(Verb.WRITE, word)
    # mmv names no files: its rule selects them.
    yield call.operation(Verb.WRITE, ResourceType.FILE, ".", reach=Reach.PROJECT)


def duplicates(call: ProgramCall) -> Iterator[Effect]:
    """`fdupes`, `jdupes`, `rdfind`: look for equal files; some options delete all but one."""
    deleting = call.has("-d", "--delete", "-N", "--no-prompt", "-deleteduplicates", "--remove")
    dry = call.value("-dryrun")
    refused = call.value("-deleteduplicates")
    # rdfind's options have values: `-deleteduplicates false`, `-dryrun true`.
    deleting = deleting and not (refused is not None and refused.text == "false")
    deleting = deleting and not (dry is not None and dry.text == "true")
    linking = call.has("-L", "--linkhard", "-l", "--linksoft", "-makehardlinks", "-makesymlinks")
    for word in call.operands or (Word(text="."),):
        if deleting:
            yield call.on_file(Verb.DELETE, word, Trait.RECURSIVE, Trait.BROAD)
        else:
            yield call.on_file(Verb.WRITE if linking else Verb.READ, word)


def emptied_folder(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `trash-empty`: everything in the trash is gone."""
    yield call.operation(
        Verb.DELETE,
        ResourceType.FILE,
        "the trash",
        traits=(Trait.BROAD,),
        reach=Reach.UNKNOWN,
        reversible=False,
    )
