"""What a search selects: the expression of `find`, read by its own grammar.

Tests that stand side by side must all hold, `-o` gives a second way to be selected, `!` turns a
test around, and what precedes an action in the same branch decides what the action gets:
`-name '*.o' -o -delete` deletes everything that is *not* an object file.

    choices_of(["-name", "*.o", "-o", "-name", "*.d"])     ->  two choices, by name
    choices_before(["-size", "0", "-delete"], "-delete")   ->  one choice, is_empty
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from signoff.actions.vocabulary import words

MAX_CHOICES = 16  # branches of `-o`; with more the search is taken to choose everything
EXECUTING = words("-exec -execdir -ok -okdir")
WRITING = words("-fprint -fprintf -fprint0 -fls")
NAME_TESTS = words("-name -iname")
PATH_TESTS = words("-path -ipath -wholename -iwholename -regex -iregex")
EVERY_NAME = words("* *.* .* ?* ./* .*/.* *?")
_VALUED = words(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -mtime -mmin "
    "-atime -amin -ctime -cmin -newer -anewer -cnewer -size -inum -samefile -links -type -xtype "
    "-user -group -uid -gid -perm -fstype -used -context -maxdepth -mindepth -regextype -Bmin "
    "-Btime -flags -printf -fprint -fprint0 -fls -newermt -newerat -newerct"
)
_PRINTING = words("-print -print0 -printf -ls")
_ACTIONS = words("-delete -quit") | _PRINTING | EXECUTING | WRITING
_AGES = words("-mtime -mmin -atime -amin -ctime -cmin -Btime -Bmin")
_NEWER = words("-newer -anewer -cnewer -newermt -newerat -newerct")
_GROUP = "("
_EMPTY_SIZE = re.compile(r"0[bcwkMG]?")
_OR = words("-o -or ,")
_NOT = words("! -not")
_AND = words("-a -and")


class Test(Struct, frozen=True):
    """One test in a `find` expression; a negated group has the name `(`."""

    name: str
    value: str = ""
    is_negated: bool = False


Branch = tuple[Test, ...]


class Choice(Struct, frozen=True, kw_only=True):
    """One alternative of a file search's conditions.

    Args:
        names: globs of the file names, () for any.
        exact: the only file, as inode number or path of a file it equals; "" for none.
        is_empty: True if only empty files and folders match.
        is_old: True if only files older than some age match.
    """

    names: tuple[str, ...] = ()
    exact: str = ""
    is_empty: bool = False
    is_old: bool = False


def choices_of(texts: Sequence[str]) -> tuple[Choice, ...]:
    """Return the selections for which `find` runs commands; without any, those it prints."""
    reading = _Expression(texts)
    branches = reading.whole()
    for actions in (EXECUTING, _PRINTING):
        reached = [branch for name, found in reading.actions if name in actions for branch in found]
        if reached:
            return _choices(reached)
    return _choices(_not_pruned(branches))


def choices_before(texts: Sequence[str], action: str) -> tuple[Choice, ...]:
    """Return the selections on which an action such as `-delete` works; () without one."""
    reading = _Expression(texts)
    reading.whole()
    reached = [found for name, found in reading.actions if name == action]
    return _choices([branch for found in reached for branch in found])


def _choices(branches: Sequence[Branch]) -> tuple[Choice, ...]:
    if len(branches) > MAX_CHOICES:
        return (Choice(),)
    return tuple(dict.fromkeys(_choice(branch) for branch in branches))


def _not_pruned(branches: list[Branch]) -> list[Branch]:
    """The branches whose files are printed, as `-path ./x -prune -o ..` is meant."""
    kept = [branch for branch in branches if not any(test.name == "-prune" for test in branch)]
    # Where each branch prunes, what it prunes is all there is.
    return kept or branches


def _choice(branch: Branch) -> Choice:
    held = [test for test in branch if not test.is_negated]
    exact = next((t.name[1:] + "-" + t.value for t in held if t.name == "-inum"), "")
    same = next((t.value for t in held if t.name == "-samefile"), "")
    return Choice(
        names=_names(held),
        exact=exact if _is_number(exact) else same,
        is_empty=any(_is_empty(test) for test in held),
        # Of all tests: `! -newer x` is a negated one that means old.
        is_old=any(_is_age(test) for test in branch),
    )


def _is_number(exact: str) -> bool:
    return bool(exact) and not exact.startswith(("inum-+", "inum--"))


def _names(held: Sequence[Test]) -> tuple[str, ...]:
    by_name = [t.value for t in held if t.name in NAME_TESTS and t.value not in EVERY_NAME]
    by_path = [t.value for t in held if t.name in PATH_TESTS and t.value not in EVERY_NAME]
    # The test with most letters of its own narrows most; all of them must hold.
    chosen = by_name or by_path
    return (max(chosen, key=_own_letters),) if chosen else ()


def _own_letters(glob: str) -> int:
    return sum(char.isalnum() for char in glob)


def _is_empty(test: Test) -> bool:
    return test.name == "-empty" or (
        test.name == "-size" and _EMPTY_SIZE.fullmatch(test.value) is not None
    )


def _is_age(test: Test) -> bool:
    if test.name in _AGES:
        return test.value[:1] == "+" and not test.is_negated
    return test.name in _NEWER and test.is_negated


class _Expression:
    """Reads one expression; `actions` are those met, with the branches that lead to them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.at = 0
        self.actions: list[tuple[str, list[Branch]]] = []

    def whole(self) -> list[Branch]:
        """Every branch of the expression; closing marks too many are skipped."""
        found = self._either([()])
        while self.at < len(self.texts):
            self.at += 1
            found = self._either(found)
        return found

    def _either(self, before: list[Branch]) -> list[Branch]:
        found: list[Branch] = []
        here = list(before)
        while self.at < len(self.texts) and self.texts[self.at] not in {")", "\\)"}:
            text = self.texts[self.at]
            if text in _OR:
                self.at += 1
                found += here
                here = list(before)
            else:
                here = self._next(here, text)[: MAX_CHOICES + 1]
        return (found + here)[: MAX_CHOICES + 1]

    def _next(self, here: list[Branch], text: str) -> list[Branch]:
        """The branches behind one more test, group or action."""
        negated = False
        while text in _NOT or text in _AND:
            negated ^= text in _NOT
            self.at += 1
            text = self.texts[self.at] if self.at < len(self.texts) else ")"
        if text in {_GROUP, "\\("}:
            return self._group(here, is_negated=negated)
        if text in {")", "\\)"}:
            return here
        self.at += 1
        if text in _ACTIONS:
            self.actions.append((text, here))
            self._skip_action(text)
            return here
        value = self._value() if text in _VALUED else ""
        return [(*branch, Test(text, value, negated)) for branch in here]

    def _group(self, here: list[Branch], *, is_negated: bool) -> list[Branch]:
        self.at += 1
        inside = self._either(here)
        self.at += 1
        if not is_negated:
            return inside
        # What a group that is turned around selects is anything else, so it narrows nothing.
        return [(*branch, Test(_GROUP, is_negated=True)) for branch in here]

    def _value(self) -> str:
        value = self.texts[self.at] if self.at < len(self.texts) else ""
        self.at += 1
        return value

    def _skip_action(self, name: str) -> None:
        """Skip the words of an action."""
        if name in EXECUTING:
            while self.at < len(self.texts) and not self._ends_command():
                self.at += 1
            self.at += 1
        elif name in WRITING or name == "-printf":
            self.at += 2 if name == "-fprintf" else 1

    def _ends_command(self) -> bool:
        text = self.texts[self.at]
        return text in {";", "\\;"} or (text == "+" and self.texts[self.at - 1] == "{}")
