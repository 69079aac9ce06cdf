"""Databases and backups in memory or temporary folders, named where their program reads them.

export AIRFLOW__DATABASE__SQL_ALCHEMY_CONN=sqlite:////tmp/a/airflow.db; airflow db reset --yes
DATABASE_URL=sqlite:///tmp/t.db dbmate drop
DB_CONNECTION=sqlite DB_DATABASE=:memory: php artisan migrate:fresh
flyway -url=jdbc:h2:mem:try clean
RESTIC_REPOSITORY=/tmp/try restic forget --keep-last 1 --prune
wrangler d1 execute shop --local --persist-to /tmp/d1 --command "DROP TABLE a"
clickhouse-client -q "CREATE DATABASE t" && make it && clickhouse-client -q "DROP DATABASE t"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.line_variables import LineVariables, has_subshell
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# The variable that comes before every setting in a file, from the manuals of the programs.
_VARIABLES: Mapping[str, str] = {
    "airflow": "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN",
    **dict.fromkeys(("diesel", "sqlx", "dbmate", "prisma", "rails", "rake"), "DATABASE_URL"),
    "console": "DATABASE_URL",
    "prefect": "PREFECT_API_DATABASE_CONNECTION_URL",
    "goose": "GOOSE_DBSTRING",
    "artisan": "DB_DATABASE",
    "flyway": "FLYWAY_URL",
    "liquibase": "LIQUIBASE_COMMAND_URL",
    **dict.fromkeys(("restic", "rustic"), "RESTIC_REPOSITORY"),
    "borg": "BORG_REPO",
}
# The option that comes before the variable.
_OPTIONS: Mapping[str, frozenset[str]] = {
    "dbmate": words("--url -u"),
    **dict.fromkeys(("sqlx", "diesel"), words("--database-url -D")),
    "flyway": words("-url"),
    "liquibase": words("--url"),
    "migrate": words("-database --database"),
    "atlas": words("--url -u"),
    **dict.fromkeys(("restic", "rustic", "borg"), words("--repo -r --repository")),
    "wrangler": words("--persist-to"),
}
_IN_FOLDERS = words("restic rustic borg wrangler")
_CLIENTS = frozenset(_VARIABLES) | frozenset(_OPTIONS)
# A file of settings may name another database, and so may an option that is not read here.
_OTHERS = words(
    "--database-url --url -url -u -D --dsn --sql-alchemy-conn --database -database --db --config"
    " -configFiles --configFiles --defaults-file --defaultsFile --env-file --schema -c --remote"
    " --repository-file --repo2 --from-repo --preview"
)
_TEMPORARY = lazy_re(
    r"(?:jdbc:)?sqlite[\w+]{0,20}:(?:/{0,4}(?:var/)?tmp/[\w.-][^\s?#]*|(?://)?/?:memory:)\Z"
    r"|jdbc:(?:h2|hsqldb):mem:[\w;=-]{0,100}\Z|jdbc:derby:memory:[\w;=-]{0,100}\Z"
)
_PRISMA = lazy_re(r"file:/{1,3}(?:var/)?tmp/[\w.-][^\s#]*\Z")
_FOLDER = lazy_re(r"/(?:var/)?tmp/[\w.-][\w./-]{0,200}(?:::[\w.:{}-]{0,100})?\Z")
_LARAVEL = lazy_re(r":memory:\Z|/(?:var/)?tmp/[\w.-][^\s?#]*\Z")
_STORES = frozenset({ResourceType.DATABASE, ResourceType.BACKUP})
# Engines whose database is a file that their first word names, and options without a value.
_ENGINES = words("sqlite3 sqlite duckdb")
_FLAGS = words(
    "bail batch csv json header noheader column line list html markdown table box quote readonly"
    " echo stats jsonlines no-stdin unsigned"
)
_FILE = lazy_re(r"/(?:var/)?tmp/[\w.-][\w./-]{0,200}\Z")
_MAKERS = words("createdb pg_ctl")
_CREATED = ("create database", "create schema", "create keyspace")
_DROPPED = ("drop database", "drop schema", "drop keyspace")
_LENIENT = re.compile(r"(?i)\bIF\s+NOT\s+EXISTS\b|\bOR\s+REPLACE\b")
_SERVERS = words("-h --host -p --port -P -S --socket --service -u --user -U")
_POSTGRES = words("psql pg_restore pgbench pg_prove")
_SERVER = words("-h --host -p --port")
_PORT = words("-p --port")
_OWN_SCHEMAS = words("main temp memory")
_LOSSES = frozenset({Trait.UNBOUNDED, Trait.SCHEMA_LOSS, Trait.BROAD, Trait.BULK})
_NEVER = frozenset({Trait.HIDDEN, Trait.SENDS_SECRET, Trait.READS_SECRET, Trait.REMOTE_CODE})


def in_scratch_databases(
    operations: tuple[Operation, ...], commands: tuple[Command, ...], text: str
) -> tuple[Operation, ...]:
    """Return the operations of a line, with losses in temporary databases as changes of them.

    Args:
        text: the whole line.
    """
    operations = _in_new_databases(_in_scratch_files(operations, commands), commands)
    if stops_at_failure(text):
        operations = _dropped_again(operations, commands)
    clients = {one.index for one in commands if one.program in _CLIENTS}
    if not clients:
        return operations
    variables = LineVariables(commands, has_subshell=has_subshell(text))
    return tuple(
        [
            passing(op)
            if op.group in clients and _is_scratch(commands[op.group], variables)
            else op
            for op in operations
        ]
    )


def _in_scratch_files(
    operations: tuple[Operation, ...], commands: tuple[Command, ...]
) -> tuple[Operation, ...]:
    """Return the operations, with what SQL loses in a database file below `/tmp` as its change."""
    engines = {one.index for one in commands if one.program in _ENGINES and _is_temp_file(one)}
    if not engines or any([one.program in ("ln", "mount") for one in commands]):
        return operations
    joined = {op.group for op in operations if "attach" in f"{op.program} {op.source}".lower()}
    own = engines - joined
    return tuple([_in_file(op) if op.group in own else op for op in operations])


def _in_new_databases(
    operations: tuple[Operation, ...], commands: tuple[Command, ...]
) -> tuple[Operation, ...]:
    """Return the operations, with what is done in a database or server that the line just made."""
    makers = [one for one in commands if one.program in _MAKERS]
    if not makers or not all([word.is_known for one in makers for word in one.words]):
        return operations
    own = {
        one.index
        for one in commands
        if one.program in _POSTGRES and any([_makes_for(maker, one) for maker in makers])
    }
    return tuple([_in_file(op) if op.group in own and _is_here(op) else op for op in operations])


def stops_at_failure(text: str) -> bool:
    """Tell a line in which nothing runs behind a command that failed: `a && b`, `set -e`."""
    if "|" in text or "&" in text.replace("&&", ""):
        return False
    is_set = text.lstrip().startswith(("set -e", "set -o errexit"))
    return is_set or (";" not in text and "\n" not in text.strip() and "&&" in text)


def _dropped_again(
    operations: tuple[Operation, ...], commands: tuple[Command, ...]
) -> tuple[Operation, ...]:
    """Return the operations, with the drop of a database that the line created as a change.

    Creating it fails where there is one of that name.
    """
    if not any([op.program.endswith(_CREATED) for op in operations]):
        return operations
    made, seen = set[tuple[str, ...]](), list[Operation]()
    for op in operations:
        if op.program.endswith(_CREATED) and not _LENIENT.search(op.source):
            made.add(_made_in(op, commands))
        is_drop = op.verb is Verb.DELETE and op.program.endswith(_DROPPED) and _is_here(op)
        is_own = is_drop and _made_in(op, commands) in made
        seen.append(next(in_memory([op])) if is_own else op)
    return tuple(seen)


def _made_in(op: Operation, commands: tuple[Command, ...]) -> tuple[str, ...]:
    """The name of a database with the client and server that it is made or dropped by."""
    command = commands[op.group] if 0 <= op.group < len(commands) else None
    if command is None or not all([word.is_known for word in command.words]) or command.carriers:
        return (str(op.group),)
    urls = [word.text for word in command.words if "://" in word.text or "host=" in word.text]
    kind = op.program.rpartition(" ")[2]
    return (kind, op.target, command.program, *_values(command, _SERVERS), *urls)


def _is_here(op: Operation) -> bool:
    return op.thing is ResourceType.DATABASE and op.reach is Reach.PROJECT


def _makes_for(maker: Command, client: Command) -> bool:
    """Tell whether a command made the database, or the server, that a later client works in."""
    if maker.index > client.index or not all([word.is_known for word in client.words]):
        return False
    given = {word.text for word in client.words[1:]}
    given |= {word.text.partition("=")[2] for word in client.words[1:] if "=" in word.text}
    if maker.program == "createdb":
        name = maker.words[-1].text
        is_same = list(_values(maker, _SERVER)) == list(_values(client, _SERVER))
        return name[:1] != "-" and len(maker.words) > 1 and name in given and is_same
    # A server on a data folder that `initdb` has just made below `/tmp`, at a port of its own.
    port = next(_values(client, _PORT), "")
    told = [word.text for word in maker.words[1:]]
    is_own = any([_FOLDER.match(text) for text in told])
    return port.isdigit() and is_own and any([f"-p {port}" in text for text in told])


def _in_file(op: Operation) -> Operation:
    """Return what is done to a database file; of a file of statements, that it may lose tables."""
    if op.verb is Verb.EXECUTE and op.thing is ResourceType.DATABASE:
        is_kept = not _NEVER.isdisjoint(op.traits) or not op.understood
        return op if is_kept else replace(op, traits=op.traits - _LOSSES)
    return next(in_memory([op]))


def _is_temp_file(command: Command) -> bool:
    """Tell a database in memory or below `/tmp`, with options that read no other file."""
    texts = [word.text for word in command.words[1:]]
    plain = [text for text in texts if text[:1] != "-"]
    flags = texts[: texts.index(plain[0])] if plain else texts
    is_plain = all([text.lstrip("-") in _FLAGS for text in flags])
    is_known = command.words[0].is_known and all([one.is_known for one in command.words[1:2]])
    is_read = not {"-init", "--init", "-cmd", "--cmd", "-f", "-file"}.isdisjoint(texts)
    if not plain or not is_plain or not is_known or is_read or ".." in plain[0]:
        return False
    is_joined = any(["attach" in text.lower() for text in texts])
    return not is_joined and (plain[0] == ":memory:" or _FILE.match(plain[0]) is not None)


def _is_scratch(command: Command, variables: LineVariables) -> bool:
    own = _OPTIONS.get(command.program, frozenset())
    names = {word.text.partition("=")[0] for word in command.words[1:]}
    if not (_OTHERS - own).isdisjoint(names) or not all([w.is_known for w in command.words]):
        return False
    variable = _VARIABLES.get(command.program, "")
    given = list(_values(command, own))
    given = given or (variables.values(variable, command) if variable else [])
    if command.program == "artisan" and not _is_sqlite(command, variables):
        return False
    if command.program == "wrangler" and "--local" not in names:
        return False
    if command.program == "borg":
        given += [word.text for word in command.words[2:] if "::" in word.text or not given]
    return bool(given) and all([_is_temporary(command.program, one) for one in given])


def _is_temporary(program: str, address: str) -> bool:
    if ".." in address:
        return False
    if program in _IN_FOLDERS:
        return _FOLDER.match(address) is not None
    if program == "prisma" and _PRISMA.match(address):
        return True
    return bool((_LARAVEL if program == "artisan" else _TEMPORARY).match(address))


def _is_sqlite(command: Command, variables: LineVariables) -> bool:
    """Tell that Laravel's name of a database is that of a file: by its driver, and no address."""
    drivers = variables.values("DB_CONNECTION", command)
    is_addressed = any([variables.values(one, command) for one in ("DB_URL", "DATABASE_URL")])
    return bool(drivers) and set(drivers) == {"sqlite"} and not is_addressed


def _values(command: Command, options: frozenset[str]) -> Iterator[str]:
    texts = [word.text for word in command.words]
    for at, text in enumerate(texts):
        name, mark, value = text.partition("=")
        if name in options:
            yield value if mark else "".join(texts[at + 1 : at + 2])


def in_memory(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield what SQL does to a database in memory: its own tables are gone with it.

    A table of another database, which was attached, is named with that.
    """
    for op in operations:
        schema, mark, _ = op.target.rpartition(".")
        is_own = not mark or schema.lower() in _OWN_SCHEMAS
        is_change = op.verb is Verb.WRITE and _NEVER.isdisjoint(op.traits)
        lost = replace(op, traits=op.traits - _LOSSES) if is_change else passing(op)
        yield lost if is_own and op.thing is ResourceType.DATABASE else op


def passing(op: Operation) -> Operation:
    """Return an operation on a temporary database or backup as a change of it."""
    is_lost = op.thing in _STORES and op.verb in (Verb.DELETE, Verb.CONFIGURE)
    if not is_lost or not _NEVER.isdisjoint(op.traits):
        return op
    reach = Reach.TEMP if op.thing is ResourceType.BACKUP else op.reach
    return replace(op, verb=Verb.WRITE, traits=frozenset(), reversible=True, reach=reach)
