"""All program descriptions as one compact index, so that a start does not read the YAML.

    load_index(stored).find("git")      # a Program, decoded when it is first asked for

A wheel holds the index; in a checkout `compiling.py` makes it at the first use and again when a
file changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import msgspec

from signoff.actions.programs.families import FAMILIES
from signoff.actions.programs.program import Program

Read = Callable[[str], bytes]
FORMAT = 2  # of the stored form
PRESETS = "presets.yaml"
PLACES = "secret_places.yaml"
FILES = (PRESETS, PLACES, *(f"{family}.yaml" for family in FAMILIES))


class StoredIndex(msgspec.Struct, frozen=True, kw_only=True):
    """The stored form of all descriptions.

    Equal nodes are stored once. `subs` holds each node's sub-commands: names to places.
    `secret_places` holds sub-commands and places by program, as written (`secret_places.py`).
    """

    format: int
    digest: str
    is_release: bool
    names: dict[str, int]
    subs: tuple[dict[str, int], ...]
    nodes: tuple[msgspec.Raw, ...]
    secret_places: dict[str, tuple[tuple[str, str], ...]]


class ProgramIndex:
    """Finds program descriptions by name; decodes each on first use."""

    def __init__(self, index: StoredIndex) -> None:
        self._names, self._nodes, self._subs = index.names, index.nodes, index.subs
        self._decoded: dict[int, Program] = {}
        self.secret_places = index.secret_places
        self.digest, self.is_release = index.digest, index.is_release

    @property
    def names(self) -> Iterable[str]:
        """All described names."""
        return self._names.keys()

    def find(self, name: str) -> Program | None:
        """Return the description of a program, None if there is none."""
        at = self._names.get(name)
        if at is None:
            return None
        # A Program is never false, so a missing one is the only reason to decode.
        return self._decoded.get(at) or self._node(at)

    def _node(self, at: int) -> Program:
        found = self._decoded.get(at)
        if found is None:
            found = self._decoded[at] = _NODE.decode(self._nodes[at])
            for name, place in self._subs[at].items():
                # Sub-commands are stored apart, so that equal ones of many programs are decoded
                # once.
                found.subs[name] = self._node(place)
        return found

    def decode_all(self) -> int:
        """Decode every description, so that no call has to; return the number of names."""
        for name in self._names:
            self.find(name)
        return len(self._names)


_NODE = msgspec.msgpack.Decoder(Program)
_INDEX = msgspec.msgpack.Decoder(StoredIndex)


def digest_of(read: Read) -> str:
    """Return the digest of all description files, which names the compiled index."""
    made = hashlib.blake2b(b"signoff-programs-v1\0", digest_size=16)
    for file in FILES:
        text = read(file)
        # The length first: else text could move from one file to the next unseen.
        made.update(len(text).to_bytes(8, "big") + text)
    return made.hexdigest()


def load_index(stored: bytes) -> ProgramIndex:
    """Read a compiled index.

    Raises:
        ValueError: the bytes are from another version, or damaged.
    """
    index = _INDEX.decode(stored)
    # Of an older checkout: the caller compiles the sources again.
    if index.format != FORMAT:
        raise ValueError(f"index format {index.format}, expected {FORMAT}")
    return ProgramIndex(index)
