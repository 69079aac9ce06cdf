"""Finds what is described of a program, by its name.

find("git")  ->  Program(handler=..., subs=...)        find("nobody-knows-it")  ->  None
"""

from __future__ import annotations

from functools import cache

from signoff.actions.programs.compiled import ProgramIndex, digest_of, load_index
from signoff.actions.programs.program import Program

INDEX_FILE = "index.msgpack"
_FOLDER = __file__.removesuffix("registry.py") + "data/"


def read_source(name: str) -> bytes:
    """Return one description file of the package; works from a zip archive too.

    Raises:
        OSError: there is no such file.
    """
    content: bytes = __loader__.get_data(_FOLDER + name)  # type: ignore[name-defined]  # every module has one
    return content


@cache
def index() -> ProgramIndex:
    """Return the compiled index of descriptions; compile it if none is stored."""
    return _loaded()[0]


def compiled_now() -> bytes | None:
    """Return the index if this process compiled it, None if a stored one was current."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[ProgramIndex, bytes | None]:
    try:
        found = load_index(read_source(INDEX_FILE))
    except (OSError, ValueError):
        # None was stored, or one of another version: the sources are compiled below.
        found = None
    # A wheel's files do not change, so it is spared reading all sources to compare them.
    if found is not None and (found.is_release or found.digest == digest_of(read_source)):
        return found, None
    from signoff.actions.programs.compiling import compile_index  # noqa: PLC0415 - only a changed checkout needs YAML

    made = compile_index(read_source)
    return load_index(made), made


def find(name: str) -> Program | None:
    """Return the description of a program, None if there is none."""
    return index().find(name)


def load_all() -> int:
    """Decode every description, so that no call has to; return the number of names."""
    return index().decode_all()
