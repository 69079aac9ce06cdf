"""Options that only a handler asks for are described, so that none is completed to another."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType

from signoff.actions.programs.handlers import handler_of
from signoff.actions.programs.program import Program
from signoff.actions.programs.registry import find, index


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, tuple | frozenset):
        yield from (text for item in value if isinstance(item, str) for text in item.split())
    elif isinstance(value, CodeType):
        for inner in value.co_consts:
            yield from _texts(inner)


def _asked(handler: object) -> Iterator[str]:
    """The words in a handler's code and in what it closes over."""
    if isinstance(handler, FunctionType):
        yield from _texts(handler.__code__)
        for name in handler.__code__.co_names:
            yield from _texts(handler.__globals__.get(name))
        for cell in handler.__closure__ or ():
            yield from _texts(cell.cell_contents)
            yield from _asked(cell.cell_contents)


def _completed(described: Program, path: str, seen: set[int]) -> Iterator[str]:
    if id(described) in seen:
        return
    seen.add(id(described))
    handler = handler_of(described.handler) if described.handler is not None else None
    for option in set(_asked(handler)):
        if option[:2] == "--" and len(option) > 3 and option not in described.known:
            fits = [name for name in described.known if name.startswith(option)]
            if len(fits) == 1 and "=" not in option:
                yield f"{path}: {option} becomes {fits[0]}"
    for name, inner in described.subs.items():
        yield from _completed(inner, f"{path} {name}", seen)


def test_no_option_that_a_handler_asks_for_is_completed_to_another() -> None:
    """`npm i x --global` is no shortened `--globalconfig x`; `switches` says so."""
    seen: set[int] = set()
    found = [
        line
        for name in index().names
        if (described := find(name)) is not None
        for line in _completed(described, name, seen)
    ]

    assert [] == [line for line in found if "--help" not in line]
