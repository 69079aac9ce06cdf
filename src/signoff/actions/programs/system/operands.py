"""What operands of system tools name: disks, files, modes."""

from __future__ import annotations

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

DEVICE_WORDS = words("device partition disk drive volume dev sdx sdxn sdxy nvme")


def device_like(call: ProgramCall, word: Word) -> bool:
    """Return whether a word names a disk or partition, not an image file."""
    # An unknown target may be a disk: the worse case counts.
    if not word.is_known:
        return True
    at = locate(word.text, call.place)
    if at.kind is FileKind.DEVICE or word.text.lower().startswith(("/dev/", "\\\\.\\")):
        # `/dev/null` and its kin lie in `/dev` and are no disks.
        return at.reach is not Reach.NONE
    # `mkfs.ext4 device`, `dd of=sdX`: placeholders of manuals stand for a disk; `disk.img` is a
    # file.
    last = word.text.rsplit("/", 1)[-1].lower()
    bare = "/" not in word.text and "." not in last
    return bare or not DEVICE_WORDS.isdisjoint(last.replace("_", " ").replace("-", " ").split())


def on_device(call: ProgramCall, verb: Verb, word: Word, *traits: Trait) -> Operation:
    """Build an Operation on a disk, or on the file if the word names a disk image."""
    if not device_like(call, word):
        return call.on_file(verb, word, *traits)
    return call.operation(
        verb,
        ResourceType.DEVICE,
        word.text,
        traits=(*traits, Trait.NAMED),
        reach=Reach.SYSTEM,
        reversible=False,
    )


def listed(call: ProgramCall, word: Word) -> Operation:
    """Build the Operation of listing names and sizes; no content is read."""
    operation = call.on_file(Verb.READ, word)
    # `ls -l ~/.ssh` tells that keys exist and shows none of them.
    if operation.file_kind not in SECRET_KINDS and Trait.READS_SECRET not in operation.traits:
        return operation
    return replace(
        operation,
        thing=ResourceType.NOTHING,
        file_kind=FileKind.OTHER,
        traits=operation.traits - {Trait.READS_SECRET},
    )


def files_given(call: ProgramCall) -> tuple[Word, ...]:
    """Return the operands, and the option values that are paths.

    An option that takes a word in one tool takes none in its neighbour (`column -t`, `cat -n`):
    a path behind it is then a file that is read.
    """
    if not call.options:
        return call.operands
    taken = (option.value for option in call.options if option.value is not None)
    return call.operands + tuple(w for w in taken if w.text[:1] in {"/", "~"} or "/" in w.text)


SYMBOLIC = lazy_re(r"([ugoa]*)((?:[-+=](?:[ugo]|[rwxXst]*))+)")
SETS_ID = lazy_re(r"[+=][rwxXt]*s")


def raises_rights(mode: str) -> bool:
    """Tell whether a file mode sets the setuid bit, so that it runs as its owner."""
    if mode.isascii() and mode.isdigit():
        # Leading zeros mean nothing to chmod (`04755`); of four digits the first holds setuid as
        # bit 4.
        return len(mode.lstrip("0")) == 4 and int(mode.lstrip("0")[0], 8) & 4 != 0
    # `+s` and `a+s` set setuid as `u+s` does; `u-s` takes it away. A clause may act several times.
    clauses = (SYMBOLIC.fullmatch(clause) for clause in mode.split(","))
    return any(
        [
            found is not None
            and (found[2][0] == "+" if not found[1] else not {"u", "a"}.isdisjoint(found[1]))
            and SETS_ID.search(found[2]) is not None
            for found in clauses
        ]
    )
