"""Databases in temporary files, which a line names by the variable that its program reads.

export AIRFLOW__DATABASE__SQL_ALCHEMY_CONN=sqlite:////tmp/a/airflow.db; airflow db reset --yes
DATABASE_URL=sqlite:///tmp/t.db dbmate drop
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.operation import Operation, ResourceType, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.line_variables import LineVariables, has_subshell
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# The variable that comes before every setting in a file, from the manuals of the programs.
_VARIABLES: Mapping[str, str] = {
    "airflow": "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN",
    **dict.fromkeys(("diesel", "sqlx", "dbmate"), "DATABASE_URL"),
    "prefect": "PREFECT_API_DATABASE_CONNECTION_URL",
    "goose": "GOOSE_DBSTRING",
}
_URL_OPTIONS = words("--database-url --url -u -D --dsn --sql-alchemy-conn")
_TEMPORARY = lazy_re(r"sqlite[\w+]{0,20}:(?:/{1,4}(?:var/)?tmp/[\w.-][^\s?#]*|(?://)?/?:memory:)\Z")


def in_scratch_databases(
    operations: tuple[Operation, ...], commands: tuple[Command, ...], text: str
) -> tuple[Operation, ...]:
    """Return the operations of a line, with losses in temporary databases as changes of them.

    Args:
        text: the whole line.
    """
    clients = {one.index for one in commands if one.program in _VARIABLES}
    if not clients:
        return operations
    variables = LineVariables(commands, has_subshell=has_subshell(text))
    return tuple(
        [
            _passing(op)
            if op.group in clients and _is_scratch(commands[op.group], variables)
            else op
            for op in operations
        ]
    )


def _is_scratch(command: Command, variables: LineVariables) -> bool:
    names = [word.text.partition("=")[0] for word in command.words[1:]]
    if not _URL_OPTIONS.isdisjoint(names) or not all([word.is_known for word in command.words]):
        return False
    given = variables.values(_VARIABLES[command.program], command)
    return bool(given) and all([_TEMPORARY.match(one) and ".." not in one for one in given])


def _passing(op: Operation) -> Operation:
    is_lost = op.thing is ResourceType.DATABASE and op.verb in (Verb.DELETE, Verb.CONFIGURE)
    return replace(op, verb=Verb.WRITE, traits=frozenset(), reversible=True) if is_lost else op
