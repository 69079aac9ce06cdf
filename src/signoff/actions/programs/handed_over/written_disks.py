"""Disks that a program is told to write to, where its description does not know of disks.

A converter, a tester or an image writer fills whatever file it is given, a disk as well.

    gdal_translate dem.tif /dev/sdb          WRITE device
    imager --out /dev/nvme0n1 os.img         WRITE device
    fio --filename=/dev/sdb --rw=randwrite   WRITE device
    meter --device /dev/sdb                  nothing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re2, words

_DISK = lazy_re2(
    r"^/dev/(?:[svh]d[a-z]\w*|xvd[a-z]\w*|nvme\d+n\d+\w*|r?disk\d+\w*|mmcblk\d+\w*|md\d+\w*|dm-\d+"
    r"|mapper/[\w.-]+|n?st\d+\w*|disk/by-[\w./:-]+|[\w-]+vg[\w-]*/[\w-]+)$"
)
_WRITTEN_TO = words(
    "-o --out --output --outfile --output-file --output-path --dest --destination --drive --target"
    " --to --write-to --flash of out output"
)
_NAMED = words("--filename --file --device --disk --path --drive -f -d")
# fio(1) and its like say beside the disk that they write.
_WRITING = lazy_re2(r"^--?(?:rw|readwrite|mode|op|io(?:-?type)?|workload)[= ](?:rand)?(?:write|rw)")
_DRY = ("--dry-run", "--dryrun", "--check", "--read-only", "--readonly", "--simulate", "--no-write")
_RUNS = frozenset({Verb.EXECUTE})
# Code and settings tell a program what to do; they are not what it puts onto a disk.
_TELLS = words("py js ts mjs rb pl sh lua r jl jar go php yaml yml toml json conf cfg ini txt md")


def written_disks(
    command: Command, place: Place, found: Sequence[Operation]
) -> Iterator[Operation]:
    """Yield the disks that a program writes to, if all that is known of it is that it runs."""
    # Called for every command: nearly all end here.
    if not any(["/dev/" in word.text for word in command.words]) or not _only_runs(found):
        return
    texts = [word.text for word in command.words[1:]]
    call = ProgramCall(name=command.program, command=command, place=place)
    if not {text.partition("=")[0] for text in texts}.isdisjoint(_DRY):
        return
    for disk in dict.fromkeys(_disks(texts)):
        yield call.operation(
            Verb.WRITE,
            ResourceType.DEVICE,
            disk,
            traits=(Trait.NAMED,),
            reach=Reach.SYSTEM,
            reversible=False,
        )


def _only_runs(found: Sequence[Operation]) -> bool:
    runs = [op for op in found if op.verb in _RUNS and op.thing is ResourceType.CODE]
    return bool(runs) and not any([op.thing is ResourceType.DEVICE for op in found])


def _disks(texts: Sequence[str]) -> Iterator[str]:
    is_writing = any([_WRITING.search(text) is not None for text in _with_values(texts)])
    for at, text in enumerate(texts):
        name, mark, value = text.partition("=")
        if mark and _DISK.search(value) is not None:
            given = name, value
        elif at and _DISK.search(text) is not None:
            given = texts[at - 1], text
        else:
            continue
        is_last = at == len(texts) - 1 and not mark and _names_source(texts[:at])
        if given[0] in _WRITTEN_TO or is_last or (is_writing and given[0] in _NAMED):
            yield given[1]


def _with_values(texts: Sequence[str]) -> list[str]:
    return [*texts, *[f"{one} {two}" for one, two in pairwise(texts)]]


def _names_source(before: Sequence[str]) -> bool:
    """Tell whether the words before a disk name a file that is put onto it."""
    is_value_of = before[-1][:1] == "-" and before[-1] not in _WRITTEN_TO
    files = [text for text in before if text[:1] != "-" and _is_file(text)]
    return bool(files) and not is_value_of


def _is_file(text: str) -> bool:
    name = text.rpartition("/")[2]
    ending = name.strip(".").rpartition(".")[2].lower() if "." in name.strip(".") else ""
    return ending not in _TELLS and ending != "" and not text.startswith("/dev/")
