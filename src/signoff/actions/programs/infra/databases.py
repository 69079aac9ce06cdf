"""Database clients and servers: the SQL or command they are given is taken apart.

What a client reads from files or standard input is SQL too. Dumps read, restores overwrite,
`dropdb` is a whole database.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import FileKind, Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, inert, local
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import LOCAL_BACKUP_GONE, SERVES, machine
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.program import Handler, Program, program
from signoff.actions.shell.command import Word

LOOKING = ("select", ".schema", ".tables", ".dump", ".databases", "explain", "pragma table_info")
WHOLE_DATABASE = local(Verb.DELETE, Thing.DATABASE, Trait.WHOLE_STORE, reversible=False)
LOOK = Act(Verb.READ, Thing.DATABASE, On.NOTHING, always=True)
DROPPED_USER = local(Verb.DELETE, Thing.ACCOUNT, reversible=False)
MADE_USER = local(Verb.CONFIGURE, Thing.ACCOUNT, reversible=False)
REWRITTEN = local(Verb.DELETE, Thing.DATABASE, Trait.SCHEMA_LOSS, reversible=False)


def environment_of(call: Call) -> str:
    """`production` where the address, host or database is named so."""
    words = (*call.command.words[1:], *(word for _, word in call.command.assignments))
    named = any(is_production(word.raw or word.text) for word in words if not word.has_glob)
    return "production" if named else ""


def client(language: str, *options: str, files: str = "", operand: int = -1) -> Handler:
    """Make the handler of a client: options with statements, options with files, an operand."""
    file_options = tuple(files.split())

    def run(call: Call) -> Iterator[Effect]:
        environment = environment_of(call)
        texts = list(call.values(*options))
        if operand >= 0:
            texts.extend(call.operands[operand:])
        if operand == 1:
            yield from _opened(call, texts)
        for text in texts:
            yield statement(call, text, language, environment)
        for word in call.values(*file_options):
            yield from script(call, word, language, environment)
        if not texts and not call.values(*file_options):
            yield from _fed(call, language, environment)

    return run


def _opened(call: Call, texts: list[Word]) -> Iterator[Effect]:
    """The file of the database, where it is one of the guard's: what is not a look changes it."""
    looks = texts and all(text.text.lstrip().lower().startswith(LOOKING) for text in texts)
    for word in call.operands[:1]:
        opened = call.on_file(Verb.READ if looks else Verb.WRITE, word)
        if opened.file_kind is FileKind.GUARD:
            yield opened


def statement(call: Call, text: Word, language: str, environment: str) -> Nested:
    """One statement given on the command line."""
    return Nested(
        text=text.text,
        language=language,
        carrier=call.name,
        is_known=text.is_known,
        environment=environment,
    )


def script(call: Call, word: Word, language: str, environment: str) -> Iterator[Effect]:
    """A file of statements: its text where it was looked at."""
    operation = call.on_file(Verb.READ, word)
    yield operation
    fact = call.place.files.get(operation.path)
    if fact is not None and fact.text is not None:
        yield Nested(text=fact.text, language=language, carrier=call.name, environment=environment)
    else:
        yield run_unread(call, word.text)


def run_unread(call: Call, name: str) -> Operation:
    """Statements that nobody has read run against a database of the project."""
    return call.operation(
        Verb.EXECUTE, Thing.DATABASE, name, reach=Reach.PROJECT, traits=(Trait.SCHEMA_LOSS,)
    )


def _fed(call: Call, language: str, environment: str) -> Iterator[Effect]:
    stream = call.command.stdin
    if stream is None:
        yield call.operation(Verb.READ, Thing.DATABASE)
    elif stream.text is not None:
        yield Nested(
            text=stream.text, language=language, carrier=call.name, environment=environment
        )
    elif stream.path:
        yield from script(call, Word(text=stream.path), language, environment)
    else:
        yield call.opaque("statements arrive on its standard input")


def restore(call: Call) -> Iterator[Effect]:
    """`pg_restore`, `mongorestore`: with cleaning it drops what is there."""
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
    lossy = call.has("-c", "--clean", "--drop", "-C", "--create")
    yield call.operation(
        Verb.WRITE,
        Thing.DATABASE,
        " ".join(call.texts[:1]),
        traits=(Trait.SCHEMA_LOSS,) if lossy else (),
        reach=Reach.PRODUCTION if environment_of(call) else Reach.PROJECT,
    )


CONNECTION = "-h --host -p --port -U --username -u --user -d --dbname -D --database -P --protocol"
PROGRAMS: tuple[Program, ...] = (
    program(
        "psql pgcli cockroach-sql usql edgedb gel",
        handler=client("psql", "-c", "--command", files="-f --file"),
        values=f"{CONNECTION} -c --command -f --file -v --set --variable -o --output -F -R -T",
    ),
    program(
        "mysql mariadb mycli",
        handler=client("mysql", "-e", "--execute"),
        values=f"{CONNECTION} -e --execute --default-character-set -S --socket --ssl-mode",
    ),
    program(
        "sqlite3 sqlite litecli duckdb",
        handler=client("sqlite", "-cmd", "-c", "-s", files="-init", operand=1),
        values="-cmd -init -separator -newline -nullvalue -c -s",
    ),
    program(
        "sqlcmd mssql-cli isql tsql bcp",
        handler=client("sql", "-Q", "-q", files="-i"),
        values="-S -U -P -d -Q -q -i -o -h -s -W -w",
    ),
    program("sqlplus sql", handler=client("sql"), values="-S -L"),
    program(
        "clickhouse clickhouse-client trino presto spark-sql beeline hive impala-shell snowsql "
        "vsql questdb cqlsh scylla-cqlsh",
        handler=client("sql", "-q", "--query", "-e", "--execute", files="-f --file"),
        values=f"{CONNECTION} -q --query -e --execute -f --file",
    ),
    program("dropdb", WHOLE_DATABASE, values=CONNECTION),
    program("dropuser", DROPPED_USER, values=CONNECTION),
    program("createuser", MADE_USER, values=CONNECTION),
    program("pg_resetwal pg_rewind pg_resetxlog", REWRITTEN, values=CONNECTION),
    program(
        "pg_ctl pg_ctlcluster",
        inert(),
        values=f"{CONNECTION} -l -m -o -t",
        subs={
            "init initdb start stop restart reload promote logrotate": SERVES,
            "status": LOOK,
            "kill": machine(Verb.CONTROL, Thing.SERVICE),
        },
    ),
    program("pg_dropcluster", machine(Verb.DELETE, Thing.DATABASE, Trait.WHOLE_STORE)),
    program("pg_lsclusters pg_isready pg_test_fsync pg_test_timing", LOOK),
    program(
        "pg_walsummary pg_verifybackup pg_checksums pg_receivewal pg_recvlogical redis-benchmark "
        "mysqlbinlog mariadb-binlog mariadb-check mariadb-show mariadb-slap bsondump "
        "parquet-tools dbeaver dbeaver-cli",
        LOOK,
        values=CONNECTION,
    ),
    program(
        "mariadb-install-db mysql_install_db mariadb-upgrade mysql_upgrade pg_upgrade "
        "pg_upgradecluster pg_createcluster pg_combinebackup mariadb-tzinfo-to-sql "
        "mysql_tzinfo_to_sql",
        local(Verb.WRITE, Thing.DATABASE, reversible=True),
        values=CONNECTION,
    ),
    program("pg_createsubscriber", REWRITTEN, harmless="-n --dry-run", values=CONNECTION),
    program("mysql_secure_installation mariadb-secure-installation", MADE_USER, values=CONNECTION),
    program("mariadb-import pgloader mongofiles litestream", handler=restore, values=CONNECTION),
    program("sqlite-utils rqlite rsql", handler=client("sql", "-c", operand=1), values="-c"),
    program("pg_archivecleanup", LOCAL_BACKUP_GONE, harmless="-n -V", values="-x"),
    program(
        "createdb initdb pg_basebackup pgbench pg_amcheck vacuumdb "
        "reindexdb clusterdb mysqlcheck mysqlshow mysqlslap mysql_config mysqlimport "
        "pg_config pg_controldata pg_waldump mongostat mongotop mongod mysqld mysqld_safe "
        "postgres redis-server memcached etcd influxd clickhouse-server",
        local(Verb.EXECUTE, Thing.DATABASE, reversible=True),
        values=f"{CONNECTION} -D",
    ),
    program(
        "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport redis-dump influxd-dump",
        LOOK,
        writes="-f --file -r --result-file -o --out",
        values=CONNECTION,
    ),
    program("pg_restore mongorestore mongoimport", handler=restore, values=CONNECTION),
    program(
        "mysqladmin mariadb-admin",
        inert(),
        values=CONNECTION,
        subs={
            "drop": WHOLE_DATABASE,
            "status ping version processlist variables extended-status": LOOK,
            "create flush-privileges flush-tables refresh reload": local(
                Verb.WRITE, Thing.DATABASE, reversible=True
            ),
            "password shutdown kill": local(
                Verb.CONFIGURE, Thing.DATABASE, Trait.SCHEMA_LOSS, reversible=False
            ),
        },
    ),
)
