"""The notation for where a program takes secrets: `data/secret_places.yaml`, own descriptions.

The places are listed at the head of that file.

    read_places("-p -u: @2 --stdin?<")      -> four places
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

import msgspec

from signoff.actions.vocabulary import lazy_re
from signoff.documents.node import Node
from signoff.values import replace

EVERY = "*"  # for every sub-command, in descriptions of users
SecretLines = tuple[tuple[str, str], ...]  # sub-commands and their places, both as written

# `-p`, `--token`, `/p` of Windows, then a mark that says which part of the value is secret.
_OPTION = lazy_re(r"(-{1,2}[0-9A-Za-z_.-]+|/[a-z]+)(!|=.*|[^0-9A-Za-z_.=-])?")
# `@2`, `@-1` from the end, `@2+` from there on, `@1:` behind a colon.
_OPERAND = lazy_re(r"@(-?[0-9]+)(\+?)([^0-9+]?)")


class PlaceKind(StrEnum):
    """How the position of a secret in a command is described."""

    OPTION = "option"
    OPERAND = "operand"
    AFTER_WORD = "after_word"
    BEGINNING = "beginning"
    INPUT = "input"


class SecretPlace(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One position of a secret in a command.

    Args:
        name: of the option, the word before, or how the word begins.
        mark: what stands between the secret and what precedes it, "" if all of it is secret.
        number: of the operand, from 1; below 0 from the last.
        is_from_there: all operands from this one on.
        letter: of a short option that can have others before it and its value after it, else "".
        only_with: an option that must be given for the place to count, "" if none must.
    """

    kind: PlaceKind
    name: str = ""
    mark: str = ""
    number: int = 0
    is_from_there: bool = False
    letter: str = ""
    only_with: str = ""


@lru_cache(maxsize=1_024)
def read_places(text: str) -> tuple[SecretPlace, ...]:
    """Parse positions as written in a description.

    Raises:
        ValueError: a word of the text is not valid.
    """
    places = [_read_place(word) for word in text.split()]
    options = [one for one in places if one.kind is PlaceKind.OPTION]
    # Where long options have one dash, `-key` is no `-k`.
    if any(len(one.name) > 2 and one.name[:2] != "--" for one in options):
        return tuple(places)
    return tuple(
        replace(one, letter=one.name[1:]) if one in options and len(one.name) == 2 else one
        for one in places
    )


def _read_place(text: str) -> SecretPlace:
    only_with, has_condition, place = text.partition("?")
    # `--stdin?<` counts only where `--stdin` is given.
    if not has_condition:
        only_with, place = "", text
    if place[:1] == "<":
        return SecretPlace(kind=PlaceKind.INPUT, mark=place[1:], only_with=only_with)
    if place[:1] in {"~", "^"} and len(place) > 1:
        kind = PlaceKind.AFTER_WORD if place[0] == "~" else PlaceKind.BEGINNING
        return SecretPlace(kind=kind, name=place[1:], only_with=only_with)
    if operand := _OPERAND.fullmatch(place):
        return SecretPlace(
            kind=PlaceKind.OPERAND,
            number=int(operand[1]),
            is_from_there=bool(operand[2]),
            mark=operand[3],
            only_with=only_with,
        )
    if option := _OPTION.fullmatch(place):
        mark = option[2] or ""
        return SecretPlace(kind=PlaceKind.OPTION, name=option[1], mark=mark, only_with=only_with)
    raise ValueError(f"`{text}` is no place of a secret; expected `-p`, `@2`, `<` or the like")


class PlaceTriggers(msgspec.Struct, frozen=True, kw_only=True):
    """Words without which a command holds no secret of its program.

    Args:
        words: options, sub-commands and words before a secret.
        letters: of short options, wherever among others.
        beginnings: how a word with a secret begins.
        always: any call can hold one.
    """

    words: frozenset[str]
    letters: frozenset[str]
    beginnings: tuple[str, ...]
    always: bool


@lru_cache(maxsize=1_024)
def triggers_of(lines: SecretLines) -> PlaceTriggers:
    """Return the words without which a command has no secret at these positions."""
    words: set[str] = set()
    letters: set[str] = set()
    beginnings: list[str] = []
    always = False
    for path, places in lines:
        # With a sub-command its first word is enough to look closer.
        if path:
            # The first word of a sub-command is enough to look closer.
            words.update(said.split()[0] for said in path.split(","))
            continue
        for place in read_places(places):
            if place.kind is PlaceKind.BEGINNING:
                beginnings.append(place.name)
            elif place.kind in {PlaceKind.OPTION, PlaceKind.AFTER_WORD}:
                words.add(place.name)
                letters.update(place.name[1:] if len(place.name) == 2 else "")
            elif place.only_with:
                words.add(place.only_with)
                letters.update(place.only_with[1:] if len(place.only_with) == 2 else "")
            else:
                always = True
    return PlaceTriggers(
        words=frozenset(words),
        letters=frozenset(letters),
        beginnings=tuple(beginnings),
        always=always,
    )


def read_places_by_program(nodes: Iterable[tuple[Node, Node]]) -> dict[str, SecretLines]:
    """Read the shipped positions, by program and sub-command.

    Raises:
        BadProgram: one of them is no place.
    """
    found: dict[str, SecretLines] = {}
    for key, value in nodes:
        names, _, path = key.text().partition("|")
        line = (path.strip(), _checked(value))
        for name in names.split():
            found[name] = (*found.get(name, ()), line)
    return found


def read_own_secrets(node: Node) -> SecretLines:
    """Read the positions for one described program: words, or positions by sub-command.

    Raises:
        BadProgram: it is neither; says where and what was expected.
    """
    if not node.is_mapping:
        return (("", _checked(node)),)
    pairs = ((key.text(), _checked(value)) for key, value in node.pairs())
    return tuple(("" if path == EVERY else path, places) for path, places in pairs)


def _checked(node: Node) -> str:
    """Return places as they are written.

    Raises:
        BadProgram: one of them is none.
    """
    text = node.text()
    try:
        read_places(text)
    except ValueError as error:
        raise node.refuse(str(error)) from None
    return text
