"""Whose database code works on: the command that runs the code names the environment.

A framework connects by its settings, so neither the code nor the statement says where it lands.

    RAILS_ENV=production rails runner 'Order.delete_all'     deletes in production
    ssh prod-web1 'rails runner "Order.delete_all"'          the same
    RAILS_ENV=test rails runner 'Order.delete_all'           fills the database of tests anew
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from signoff.actions.known.hosts import HostClass
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.chosen import LONGEST, SELECTING, TESTS
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.data_flow.dumps import selects_people
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

PRODUCTION, TEST = "production", "test"
# A place nobody named.
_NOT_NAMED = frozenset({Reach.PROJECT, Reach.REMOTE, Reach.UNKNOWN})
# Options whose value is the place a program works on.
_OPTIONS = words(
    "-a -c -d -D -e -f -H -h -n -t --app --cluster --config --context --database --db --dbname"
    " --dsn --env --environment --host --instance --namespace --profile --project --server"
    " --settings --site --stage --system --target --tenant --url --zone"
)
# What runs its last words elsewhere, and says where by a word of its own.
_MACHINES = words("ssh mosh sshpass autossh heroku fly flyctl kubectl oc docker podman")
_MOST_WORDS = 12
_MOST_PARENTS = 6


def in_environment(
    operations: list[Operation], command: Command, commands: Sequence[Command]
) -> list[Operation]:
    """Return a command's operations on the database that its environment variables name.

    Args:
        commands: the whole line, with the wrappers around the command.
    """
    operations = hand_out_people(operations, [word.text for word in command.words])
    if not any([op.thing is ResourceType.DATABASE for op in operations]):
        return operations
    operations = [_remade(op, command) for op in operations]
    environment = _environment_of(command)
    for _ in range(_MOST_PARENTS):
        if environment or command.parent < 0:
            break
        command = commands[command.parent]
        environment = _environment_of(command)
    return [_moved(op, environment) for op in operations] if environment else operations


_PASSING = words("tmp temp temporary scratch")
_MAKES = lazy_re(
    r"(?i)(?:^|;)\s*(?:create\s+table\s+(?:if\s+not\s+exists\s+)?|\.import\s[^\n;]*\s)(\w+)"
)


def _remade(op: Operation, command: Command) -> Operation:
    """Return the drop of a passing table of a local file as a change, if it is made anew at once.

    sqlite3 x.db 'DROP TABLE IF EXISTS tmp_in' '.import a.csv tmp_in'
    """
    is_drop = op.verb is Verb.DELETE and op.program == "sql drop table"
    if not is_drop or op.reach is not Reach.PROJECT or command.program not in _FILES:
        return op
    made = {name for word in command.words for name in _MAKES.findall(word.text)}
    if op.target not in made or _PASSING.isdisjoint(op.target.lower().split("_")):
        return op
    return replace(op, verb=Verb.WRITE, traits=frozenset(), reversible=True)


_FILES = words("sqlite3 sqlite duckdb")
# What a statement writes outside of its database.
_HANDING = ("insert into function", "copy to", "unload")
_EXTERNAL = lazy_re(r"(?i)\bstage\b[^;]*\burl\s*=\s*'\w+://")


def hand_out_people(operations: Iterable[Operation], texts: Sequence[str]) -> list[Operation]:
    """Mark statements that hand records of people to another host or to a stage outside.

    Args:
        texts: where the stage may be made that a statement names.
    """
    return [
        replace(op, verb=Verb.NETWORK_OUT, traits=op.traits | {Trait.SENDS_SECRET})
        if op.program.endswith(_HANDING)
        and _leaves(op, texts)
        and selects_people(op.source.replace(" . ", "."))
        else op
        for op in operations
    ]


def _leaves(op: Operation, texts: Sequence[str]) -> bool:
    if op.verb is Verb.NETWORK_OUT or "://" in op.target:
        return op.reach is not Reach.LOOPBACK and not _is_inside(op.target)
    if not op.target.startswith("@"):
        return False
    return any([_EXTERNAL.search(text) is not None for text in texts])


def _is_inside(target: str) -> bool:
    return target.startswith("http") and look_at_url(target).host_class is HostClass.PRIVATE


def _moved(op: Operation, environment: str) -> Operation:
    if op.thing is not ResourceType.DATABASE or op.reach not in _NOT_NAMED:
        return op
    if environment == PRODUCTION:
        return replace(op, reach=Reach.PRODUCTION)
    # A database of tests is filled by each run of them.
    is_lost = op.verb is Verb.DELETE and op.reach is Reach.PROJECT
    return replace(op, verb=Verb.WRITE, traits=frozenset(), reversible=True) if is_lost else op


def _environment_of(command: Command) -> str:
    """Return which environment a command is run for, "" if none is named.

    A variable before it, an option and its value, or the machine that runs it name production.
    Tests are named by a variable alone, and only where nothing names production.
    """
    given = command.words[: _MOST_WORDS + 1]
    chosen = [word for name, word in command.assignments if SELECTING.fullmatch(name)]
    named = [word for at, word in enumerate(given[1:]) if _is_selected(given[at], word)]
    places = given[1:] if command.program in _MACHINES else ()
    if any([_is_of_production(word) for word in (*chosen, *named, *places)]):
        return PRODUCTION
    return TEST if any([word.text in TESTS for word in chosen]) else ""


def _is_selected(before: Word, word: Word) -> bool:
    """Tell whether a word is the value of an option that selects: `-e prod`, `--settings=prod`."""
    name, is_joined, _ = word.text.partition("=")
    return before.text in _OPTIONS or (is_joined != "" and name in _OPTIONS)


def _is_of_production(word: Word) -> bool:
    """Tell whether one short word names production, or a variable that is called so."""
    if len(word.text) > LONGEST or " " in word.text:
        return False
    return is_production(word.text) or is_production(word.raw)
