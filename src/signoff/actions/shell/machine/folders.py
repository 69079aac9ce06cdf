"""The working folder and the stack of folders: `cd`, `pushd`, `popd`.

"pushd /; pushd /srv; pushd +1"  leaves  folder=/, stack=(the first folder, /srv)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from signoff.actions.shell.command import Word
from signoff.actions.shell.state import ShellScope

# `+1` counts from the folder in force, `-1` from the end of the stack (bash, `pushd`).
_PLACE = re.compile(r"([-+])([0-9]{1,6})")


def change(words: Sequence[Word], scope: ShellScope) -> None:
    """Apply `cd`; a folder that cannot be known becomes unknown."""
    operands = [word for word in words if word.text[:1] != "-" or word.text == "-"]
    if any([_PLACE.fullmatch(word.text) for word in words]):
        scope.move_to("")  # zsh counts on the stack, bash refuses
    elif not operands:
        scope.move_to(_home(scope))
    else:
        _change_to(operands[0], scope)


def _change_to(target: Word, scope: ShellScope) -> None:
    if target.text == "-" and target.is_known:
        scope.move_to(scope.before)
    elif not target.is_known or target.has_glob or "CDPATH" in scope.variables:
        scope.move_to("")
    else:
        scope.move_to(scope.absolute(target.text) if target.text else scope.folder)


def _home(scope: ShellScope) -> str:
    home = scope.variables.get("HOME")
    return home.text if home is not None and home.is_known else ""


def push(words: Sequence[Word], scope: ShellScope) -> None:
    """Apply `pushd`: remember the folder and change to another, or rotate the stack."""
    operands, stays = _operands(words)
    if not operands or _PLACE.fullmatch(operands[0].text):
        _turn(operands[0].text if operands else "", scope, stays=stays)
    elif stays:
        scope.stack = (*scope.stack, scope.absolute(operands[0].text))
    else:
        scope.stack = (*scope.stack, scope.folder)
        change(operands, scope)


def pop(words: Sequence[Word], scope: ShellScope) -> None:
    """Apply `popd`: change back, or remove one folder from the stack."""
    operands, stays = _operands(words)
    folders = _folders(scope)
    at = _index(operands[0].text, len(folders)) if operands else int(stays)
    if not 0 <= at < len(folders) or len(folders) < 2:
        scope.move_to("")
        return
    folders.pop(at)
    _put(folders, scope, moves=at == 0 and not stays)


def _operands(words: Sequence[Word]) -> tuple[list[Word], bool]:
    """What is not an option, and whether `-n` says to stay."""
    stays = any([word.text == "-n" for word in words])
    places = [
        word
        for word in words
        if word.text[:1] != "-" or word.text == "-" or _PLACE.fullmatch(word.text)
    ]
    return places, stays


def _turn(place: str, scope: ShellScope, *, stays: bool) -> None:
    folders = _folders(scope)
    if not place:
        folders[:2] = folders[1::-1]
        at = 0 if len(folders) > 1 else -1
    else:
        at = _index(place, len(folders))
    if not 0 <= at < len(folders):
        scope.move_to("")
        return
    _put(folders[at:] + folders[:at], scope, moves=not stays)


def _folders(scope: ShellScope) -> list[str]:
    """The stack as `dirs` prints it: the folder in force, then the latest first."""
    return [scope.folder, *reversed(scope.stack)]


def _put(folders: list[str], scope: ShellScope, *, moves: bool) -> None:
    first, *rest = folders
    scope.stack = tuple(reversed(rest))
    if moves:
        scope.move_to(first)


def _index(place: str, count: int) -> int:
    match = _PLACE.fullmatch(place)
    if match is None:
        return -1
    number = int(match[2])
    return number if match[1] == "+" else count - 1 - number
