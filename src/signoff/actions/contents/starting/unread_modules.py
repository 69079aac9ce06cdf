"""Unread files in scripts that are no shell lines: as they are copied, renamed, loaded as modules.

Move-Item n.md modules/L/L.psm1    (n.md fetched)     modules/L/L.psm1 is fetched
Import-Module L                                       runs it
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from signoff.actions.contents.starting.named_programs import unread_files
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.vocabulary import words
from signoff.values import replace

_CARRIERS = words(
    "copy-item move-item rename-item expand-archive out-file set-content add-content "
    "shutil.copy shutil.copy2 shutil.copyfile shutil.move os.rename os.replace fs.copyFileSync "
    "fs.renameSync fs.cpSync FileUtils.cp FileUtils.mv File.rename"
)
_RENAMERS = words("rename-item")
_UNPACKERS = words("expand-archive")
_LOADERS = words("import-module")
_MODULES = words(".psm1 .psd1 .dll")


def carried_in_code(operations: Sequence[Operation], known: Collection[str]) -> Iterator[str]:
    """Yield where unread files come to lie as a script copies them; an unpacked folder ends in `/`.

    Args:
        known: absolute paths of unread files.
    """
    seen = set(known)
    for old, new in pairwise(operations):
        is_pair = old.program == new.program and new.program in _CARRIERS
        if not is_pair or old.path not in seen or new.verb is not Verb.WRITE or not new.path:
            continue
        path = new.path
        if new.program in _RENAMERS and "/" not in new.target and "\\" not in new.target:
            path = posixpath.join(posixpath.dirname(old.path), new.target)
        name = posixpath.basename(old.path)
        found = [f"{path}/"] if new.program in _UNPACKERS else [path, f"{path}/{name}"]
        seen.update(found)
        yield from found


def marked_modules(operations: Operations, facts: Facts) -> Operations:
    """Return operations in which the loading of an unread module runs code from the network."""
    unread = unread_files(facts)
    if not unread:
        return operations
    return tuple(
        [
            replace(op, traits=op.traits | {Trait.REMOTE_CODE}, reversible=False)
            if op.verb is Verb.EXECUTE and op.program in _LOADERS and _is_unread(op, unread)
            else op
            for op in operations
        ]
    )


def _is_unread(op: Operation, unread: Collection[str]) -> bool:
    """Tell whether a module is unread: named by its file, or by the name it is found under."""
    if op.path in unread:
        return True
    name = op.target.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    for path in unread:
        stem, ending = posixpath.splitext(posixpath.basename(path))
        is_module = ending.lower() in _MODULES
        folder = posixpath.basename(posixpath.dirname(path)).lower()
        if is_module and name in {stem.lower(), folder, f"{stem}{ending}".lower()}:
            return True
    return False
