"""Finds what is described of a program: by its name in the index, then in its family.

A family is loaded when the first of its programs is asked for; a process that stays loads all of
them beforehand. The index is written from the families (`scripts/index_programs.py`), and a test
holds it against them.

    find("git")  ->  Program(names=("git",), ...)        find("nobody-knows-it")  ->  None
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import chain

from signoff.actions.programs.index import (
    dev,
    infra,
    near,
    system,
    system_desktop,
    system_foreign,
    system_network,
    system_packages,
    system_storage,
    system_text,
)
from signoff.actions.programs.program import Program

NAMES: dict[str, str] = {
    **near.NAMES,
    **system.NAMES,
    **system_desktop.NAMES,
    **system_foreign.NAMES,
    **system_network.NAMES,
    **system_packages.NAMES,
    **system_storage.NAMES,
    **system_text.NAMES,
    **infra.NAMES,
    **dev.NAMES,
}
INDEX: dict[str, str] = {name: family for family, names in NAMES.items() for name in names.split()}


def find(name: str) -> Program | None:
    """Give what is described of a program, None if nothing is."""
    return _described(name) if name in INDEX else None


@cache
def _described(name: str) -> Program:
    return described_in(INDEX[name])[name]


@cache
def described_in(family: str) -> Mapping[str, Program]:
    """Load a family; its programs by name."""
    programs: tuple[Program, ...] = import_module(f"signoff.actions.programs.{family}").PROGRAMS
    return {name: one for one in programs for name in one.names}


def load_all() -> int:
    """Load every family, so that no call has to wait for one; give the number of names."""
    return len(dict(chain.from_iterable(described_in(family).items() for family in NAMES)))
