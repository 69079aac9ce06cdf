"""Places that a session mounted into a folder where anything may be deleted.

`rm -rf /tmp/m/*` is ordinary; after `mount --bind ~ /tmp/m` it is what `rm -rf ~/*` is.

    mount:1:foreign:/tmp/m     the home folder, the system, a disk or another machine lies there
    mount:2:own:/p/build/src   a folder of the project lies there
    mount:3:gone:/tmp/m        nothing does any more

    mount_marks(commands, place)           the marks of one line
    loses_mounted(op, facts)               "foreign", "own" or "": what a deletion takes along
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from signoff.actions.facts import Facts, next_number, numbered_marks
from signoff.actions.operation import Operation, Reach, Verb
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command, operands
from signoff.actions.vocabulary import words
from signoff.values import replace

MOUNT = "mount:"
FOREIGN, OWN, GONE = "foreign", "own", "gone"
_MOUNTERS = words(
    "mount bindfs sshfs s3fs gcsfuse goofys mount.cifs mount.nfs davfs2 mount.davfs curlftpfs"
    " mount_smbfs mount_nfs mountpoint-s3 mount-s3"
)
_OF_PATHS = words("mount bindfs")  # what others are given without a slash is a bucket or a volume
_WITH_WORD = words("rclone juicefs blobfuse2 geesefs")  # `rclone mount REMOTE: FOLDER`
_UNMOUNTERS = words("umount fusermount fusermount3")
_VALUES = words("-o -t -O -p -L -U --options --types --source --target --label --uuid -F")
_KEEPING = words("rmdir umount")  # of what is mounted these delete nothing
_NO_DATA = words("tmpfs ramfs proc sysfs devpts overlay")


def mount_marks(commands: Sequence[Command], place: Place) -> Iterator[str]:
    """Yield a mark for each place that a line mounts or takes away again."""
    number = next_number(place.facts.created, MOUNT)
    for command in commands:
        for kind, path in _changes(command, place):
            yield f"{MOUNT}{number}:{kind}:{path}"
            number += 1


def loses_mounted(op: Operation, facts: Facts) -> str:
    """Return what a deletion takes along of what lies there since, "" if nothing."""
    if op.verb is not Verb.DELETE or not op.path or op.program in _KEEPING:
        return ""
    if not any([mark.startswith(MOUNT) for mark in facts.created]):
        return ""
    last = {path: kind for kind, path in numbered_marks(facts.created, MOUNT)}
    lost = [
        kind
        for path, kind in last.items()
        if kind != GONE and (is_inside(op.path, path) or is_inside(path, op.path))
    ]
    return min(lost, default="")  # "foreign" weighs more than "own"


def _changes(command: Command, place: Place) -> Iterator[tuple[str, str]]:
    texts = [word.text for word in command.words[1:]]
    given = [text for text in operands(texts, _VALUES) if text]
    if command.program in _UNMOUNTERS:
        yield from [(GONE, _at(command, text)) for text in given]
        return
    if command.program in _WITH_WORD and given[:1] == ["mount"]:
        given = given[1:]
    elif command.program not in _MOUNTERS:
        return
    if len(given) == 2 and _NO_DATA.isdisjoint([word.text for word in command.words]):
        is_path = command.program in _OF_PATHS or "/" in given[0]
        kind = _kind(given[0], replace(place, cwd=command.cwd)) if is_path else FOREIGN
        if kind:
            yield kind, _at(command, given[1])


def _kind(source: str, place: Place) -> str:
    """Return what a source is; "" for an image in the project or in a temporary folder."""
    if ":" in source or source.startswith(("//", "/dev/", "UUID=", "LABEL=")):
        return FOREIGN
    at = locate(source, place, has_glob=False)
    if at.reach not in {Reach.PROJECT, Reach.TEMP}:
        return FOREIGN
    is_file = "." in at.path.rpartition("/")[2][1:]
    return OWN if at.reach is Reach.PROJECT and not is_file else ""


def _at(command: Command, text: str) -> str:
    return posixpath.normpath(posixpath.join(command.cwd, text))
