"""Descriptions of programs in the user's and the project's folder, read again on a change.

Folders are looked at no more than twice a second, when somebody asks. A file that changed this
very moment may be half written, so it is read a moment later. A bad file, or one that has
vanished, leaves the last good descriptions in force and says so in `problem`; while there never
were good ones, asking for them raises, and the gate refuses.

    programs = OwnProgramFiles(user=ProgramFolder(path="/home/dev/.config/signoff/programs"))
    programs.current()      # for `Facts(programs=...)`; None if nothing is described
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from msgspec import Struct

from signoff.actions.programs.acts import Act
from signoff.actions.programs.compiled import PRESETS
from signoff.actions.programs.own import OwnPrograms, own_programs
from signoff.actions.programs.program import Program
from signoff.actions.programs.registry import read_source
from signoff.actions.programs.source import Described, read_presets, read_programs
from signoff.errors import BadProgram, BadSettings
from signoff.storage.reloading.periodic_check import PeriodicCheck
from signoff.storage.text_file import Signature, are_settled, read_text, signature_of
from signoff.values import replace

FILES_LIMIT = 64  # of one folder
FILE_LIMIT = 262_144  # bytes
FOLDER_LIMIT = 1_048_576  # bytes of all files of one folder
NAMES_LIMIT = 5_000  # of one folder
ENDINGS = (".yaml", ".yml")

Signatures = dict[str, Signature]


class ProgramFolder(Struct, frozen=True, kw_only=True):
    """A folder of program descriptions.

    Args:
        path: absolute; "" = there is none.
        is_named: settings name it, so that it must be there.
        inside: the project it has to lie in, links followed; "" = anywhere.
    """

    path: str = ""
    is_named: bool = False
    inside: str = ""


class _ReadFolders(Struct, frozen=True, kw_only=True):
    """Descriptions, the files they were read from, and the state of all files at the last look."""

    programs: OwnPrograms | None
    files: frozenset[str]
    signatures: tuple[Signatures, ...]


class OwnProgramFiles:
    """Keeps users' and projects' program descriptions current; swaps them as a whole.

    Args:
        only_adds: the user's descriptions only add, as a project's do: the machine is under a
            bundle.
    """

    def __init__(
        self,
        *,
        user: ProgramFolder | None = None,
        project: ProgramFolder | None = None,
        only_adds: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.problem = ""
        self._folders = (user or ProgramFolder(), project or ProgramFolder())
        self._only_adds = only_adds
        self._loaded = PeriodicCheck(self._checked, clock=clock)

    def current(self) -> OwnPrograms | None:
        """Return the descriptions in force, read again if a file has changed.

        Raises:
            BadProgram: there are no good ones yet, and those on disk are refused.
        """
        return self._loaded.current().programs

    def _checked(self, loaded: _ReadFolders | None) -> _ReadFolders:
        """Return what is in force now; read the folders again if they have changed."""
        signatures = tuple(_signatures(folder.path) for folder in self._folders)
        if loaded is None or (
            signatures != loaded.signatures
            and are_settled(one for files in signatures for one in files.values())
        ):
            loaded = self._reloaded(loaded, signatures)
        return loaded

    def _reloaded(
        self, last_good: _ReadFolders | None, signatures: tuple[Signatures, ...]
    ) -> _ReadFolders:
        """Read the files again; what is bad leaves the last good descriptions in force."""
        try:
            if last_good is not None:
                _check_still_there(last_good.files, signatures)
            programs = self._read(signatures)
        except BadProgram as error:
            self.problem = str(error)
            if last_good is None:
                raise
            # Signatures of the bad files: they are not read again until they change again.
            return replace(last_good, signatures=signatures)
        self.problem = ""
        files = frozenset(file for state in signatures for file in state)
        return _ReadFolders(programs=programs, files=files, signatures=signatures)

    def _read(self, signatures: tuple[Signatures, ...]) -> OwnPrograms | None:
        """Read all files of both folders."""
        digest = hashlib.blake2b(b"signoff-own-programs-v1", digest_size=16)
        read: list[list[Program]] = []
        for folder, files in zip(self._folders, signatures, strict=True):
            _check_folder(folder)
            texts = _texts(sorted(files), folder.path)
            for text in ("", *texts.values()):  # "" stands between the two folders
                # With lengths: the same bytes cut into other files are other descriptions.
                digest.update(len(text).to_bytes(8, "big") + text.encode())
            read.append(read_files(texts))
        user, project = read
        if self._only_adds:
            user, project = [], [*user, *project]
        return own_programs(user, project, digest=digest.hexdigest())


def read_own_file(text: str, *, file: str) -> Described:
    """Parse one description file of a user or project.

    Args:
        file: its name, for messages.

    Raises:
        BadProgram: it is not valid; the message says where.
    """
    return read_programs(text, file=file, presets=_presets(), allows_handlers=False)


@cache
def _presets() -> Mapping[str, Act]:
    return read_presets(read_source(PRESETS).decode(), file=PRESETS)


def read_files(texts: Mapping[str, str]) -> list[Program]:
    """Parse all description files of one folder.

    Args:
        texts: texts by file name.

    Raises:
        BadProgram: one is not valid, or a name is described twice.
    """
    places: dict[str, str] = {}
    programs: list[Program] = []
    for file, text in texts.items():
        described = read_own_file(text, file=file)
        programs.extend(described.programs)
        for one, place in zip(described.programs, described.places, strict=True):
            for name in one.names:
                if name in places:
                    raise BadProgram(f"{place}: `{name}` is described at {places[name]} already")
                places[name] = place
        if len(places) > NAMES_LIMIT:
            raise BadProgram(f"{file}:1:1: more than {NAMES_LIMIT} names in this folder")
    return programs


def texts_of(folder: ProgramFolder) -> dict[str, str]:
    """Read the description files of a folder, by file name.

    Raises:
        BadProgram: the folder does not exist, or a file cannot be read.
    """
    _check_folder(folder)
    return _texts(sorted(_signatures(folder.path)), folder.path)


def _texts(files: Iterable[str], folder: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for file in files:
        try:
            text = read_text(file, limit=FILE_LIMIT)
        except BadSettings as error:
            raise BadProgram(str(error)) from error
        if text is None:
            raise BadProgram(f"{file}: is gone while it is read")
        texts[file] = text
    if len(texts) > FILES_LIMIT:
        raise BadProgram(f"{folder}: more than {FILES_LIMIT} files; put several programs into one")
    if sum(map(len, texts.values())) > FOLDER_LIMIT:
        raise BadProgram(f"{folder}: more than {FOLDER_LIMIT} characters in all")
    return texts


def _check_folder(folder: ProgramFolder) -> None:
    """Refuse a folder that settings name and that is not there, or not where it must be."""
    if folder.is_named and not os.path.isdir(folder.path):
        raise BadProgram(f"{folder.path}: no such folder; `programs` in the settings names it")
    real, inside = os.path.realpath(folder.path), os.path.realpath(folder.inside)
    # A link out of the project would let a project describe programs by files nobody reviewed
    # with it.
    if folder.path and folder.inside and not real.startswith(f"{inside}/"):
        raise BadProgram(f"{folder.path}: leads out of the project, to {real}")


def _signatures(folder: str) -> Signatures:
    """Return what changes when the files of a folder do; one more than allowed shows too many."""
    try:
        names = os.listdir(folder) if folder else []
    except OSError:
        return {}
    found: Signatures = {}
    for name in sorted(name for name in names if name.endswith(ENDINGS))[: FILES_LIMIT + 1]:
        file = os.path.join(folder, name)
        signature = signature_of(file)
        if signature is not None:
            found[file] = signature
    return found


def _check_still_there(files: frozenset[str], now: tuple[Signatures, ...]) -> None:
    """Refuse a change that makes a file vanish: what described less must be said, not unsaid."""
    for file in sorted(files.difference(*now)):
        raise BadProgram(
            f"{file}: is gone; what it describes stays in force until the daemon restarts"
        )
