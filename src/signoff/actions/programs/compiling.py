"""Compiles the YAML descriptions into the index that `compiled.py` reads.

index = compile_index(read)        # bytes; `read("git.yaml")` gives the text of one file
"""

from __future__ import annotations

import msgspec

from signoff.actions.programs.compiled import (
    FORMAT,
    PLACES,
    PRESETS,
    Read,
    StoredIndex,
    digest_of,
)
from signoff.actions.programs.families import FAMILIES
from signoff.actions.programs.program import Program
from signoff.actions.programs.source import (
    Described,
    read_presets,
    read_programs,
    read_secret_places,
)
from signoff.errors import BadProgram

# Equal nodes must be equal bytes, and a wheel the same wherever it is built.
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


def read_family(read: Read, family: str) -> Described:
    """Parse one shipped description file.

    Args:
        read: returns a file's bytes.
        family: its name.

    Raises:
        BadProgram: it is not valid.
    """
    presets = read_presets(read(PRESETS).decode(), file=PRESETS)
    return read_programs(read(f"{family}.yaml").decode(), file=f"{family}.yaml", presets=presets)


def compile_index(read: Read, *, is_release: bool = False) -> bytes:
    """Compile all shipped descriptions to bytes for `load_index`.

    Args:
        read: returns a file's bytes.

    Raises:
        BadProgram: a file is not valid, or describes a name twice.
    """
    presets = read_presets(read(PRESETS).decode(), file=PRESETS)
    names: dict[str, int] = {}
    owners: dict[str, str] = {}
    nodes = _Nodes()
    for family in FAMILIES:
        file = f"{family}.yaml"
        for one in read_programs(read(file).decode(), file=file, presets=presets).programs:
            at = nodes.place_of(one)
            for name in one.names:
                # Which of two descriptions counted would depend on the order of files.
                if name in names:
                    raise BadProgram(f"{file}: `{name}` is described in {owners[name]} already")
                names[name], owners[name] = at, file
    index = StoredIndex(
        format=FORMAT,
        digest=digest_of(read),
        is_release=is_release,
        names=names,
        subs=tuple(nodes.subs),
        nodes=tuple(msgspec.Raw(node) for node, _ in nodes.places),
        secret_places=read_secret_places(read(PLACES).decode(), file=PLACES),
    )
    return _ENCODER.encode(index)


class _Nodes:
    """Encoded nodes and their sub-commands by index, equal ones once."""

    def __init__(self) -> None:
        self.places: dict[tuple[bytes, bytes], int] = {}
        self.subs: list[dict[str, int]] = []

    def place_of(self, one: Program) -> int:
        """Store a description and its sub-commands; return its index."""
        subs = {name: self.place_of(inner) for name, inner in one.subs.items()}
        # Without names, so that programs that are alike share one node.
        own = _ENCODER.encode(msgspec.structs.replace(one, names=(), subs={}))
        at = self.places.setdefault((own, _ENCODER.encode(subs)), len(self.places))
        if at == len(self.subs):
            self.subs.append(subs)
        return at
