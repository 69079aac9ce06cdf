"""Which commands change the working tree or the environment that signoff itself runs from.

An editable installation loads signoff from a checkout. Version control and package managers change
that checkout without a path in the call: they work where they stand, or where an option says.

    git -C /srv/signoff pull        uv sync --project /srv/signoff      trait GUARD_TREE
    ~/.venvs/signoff/bin/pip install x                                  the same
    git -C /srv/signoff log         git -C /srv/other pull              nothing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.programs.vcs.git import KEEPS_FILES
from signoff.actions.shell.command import Command, Word
from signoff.actions.vocabulary import words
from signoff.values import replace

CHANGES = frozenset({Verb.WRITE, Verb.DELETE, Verb.NETWORK_IN, Verb.INSTALL, Verb.CONFIGURE})
# Other version control: what takes or shows, and puts nothing into the working tree.
KEEPS = KEEPS_FILES | words("ci worktree heads tags incoming outgoing bookmark")
# Managers of the environment in a project's folder; others install where they run.
CHECKOUTS = frozenset({"gh pr checkout", "glab mr checkout"})
PROJECT_MANAGERS = words("uv poetry pdm pipenv hatch rye pixi pip pip3 flit tox nox")


def mark_own_tree(found: list[Operation], command: Command, place: Place) -> list[Operation]:
    """Return a command's operations, marked where they change signoff's working tree."""
    facts = place.facts
    changing = [changes_tree(op) for op in found] if facts.guard_tree else []
    if any(changing) and _is_there(command, place):
        return [_marked(op) if changes_tree(op) else op for op in found]
    install = facts.guard_install
    installing = [is_installing(op) for op in found] if install else []
    if any(installing) and _is_named(command, place, install, command.words):
        return [_marked(op) if is_installing(op) else op for op in found]
    return found


def is_installing(op: Operation) -> bool:
    """Return whether an operation changes the packages of an environment."""
    return op.thing is ResourceType.PACKAGE and op.verb in CHANGES


def _marked(op: Operation) -> Operation:
    return replace(op, traits=op.traits | {Trait.GUARD_TREE})


def changes_tree(op: Operation) -> bool:
    """Return whether an operation changes the working tree it runs in, or its environment."""
    if op.verb not in CHANGES:
        return False
    if op.program in CHECKOUTS:
        return True
    program, _, sub = op.program.partition(" ")
    if op.thing is ResourceType.PACKAGE:
        return program in PROJECT_MANAGERS
    return op.thing is ResourceType.REPOSITORY and sub not in KEEPS


def _is_there(command: Command, place: Place) -> bool:
    """Tell whether a command works in the tree: it stands there, or is told to go there."""
    tree = place.facts.guard_tree
    if is_inside(place.cwd.lower(), tree.lower()):
        return True
    return _is_named(command, place, tree, command.words[1:])


def _is_named(command: Command, place: Place, folder: str, given: Sequence[Word]) -> bool:
    """Tell whether a word, or a variable of the command, names a folder or what is in it."""
    assigned = [word for _, word in command.assignments]
    told = [Word(text=text) for text in place.variables.values()]
    return any(
        is_inside(locate(text, place, has_glob=False).path.lower(), folder.lower())
        for text in _paths((*given, *assigned, *told))
    )


def _paths(given: Sequence[Word]) -> Iterator[str]:
    """Yield what may be a path among words: `x`, `--project=x`, `-Cx`."""
    for word in given:
        text = word.text
        if not word.is_known or not text:
            continue
        if text[0] != "-":
            yield text
        elif "=" in text:
            yield text.partition("=")[2]
        elif text[1:2] != "-" and len(text) > 2:
            yield text[2:]
