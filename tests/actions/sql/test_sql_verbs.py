"""What single statements mean."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.sql import lines_run_by, understand_sql

LOSSES = {Trait.UNBOUNDED, Trait.SCHEMA_LOSS, Trait.WHOLE_STORE}


NOTHING: frozenset[Trait] = frozenset()


def losses(text: str, dialect: str = "") -> set[Trait]:
    """Return every kind of loss in a text."""
    return {trait for one in understand_sql(text, dialect=dialect) for trait in one.traits & LOSSES}


def only(text: str) -> Operation:
    """Return the one operation a text means."""
    (one,) = understand_sql(text)
    return one


READS = [
    "SELECT * FROM orders",
    "select a.x, b.y from a join b on a.id = b.id where a.x > 3 order by 1 limit 5",
    "SELECT 'DROP TABLE users' AS sentence",
    "SELECT $$DELETE FROM users$$",
    "SELECT 1 -- DROP TABLE users",
    "SELECT /* TRUNCATE users */ 1",
    'SELECT "delete", "drop" FROM audit_words',
    "SELECT id FROM jobs FOR UPDATE SKIP LOCKED",
    "WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a, b",
    "VALUES (1, 2), (3, 4)",
    "SHOW TABLES",
    "EXPLAIN DELETE FROM users",
    "EXPLAIN (ANALYZE false) DELETE FROM users",
    "(SELECT 1) UNION ALL (SELECT 2)",
    "SELECT count(*) FROM events WHERE action = 'DELETE' AND note LIKE '%drop table%'",
    "PRAGMA table_info(users)",
    "SELECT replace(name, 'a', 'b'), truncate(price, 2) FROM items",
    "SELECT data #> '{a,b}' FROM docs",
    "DESCRIBE users",
    "SELECT updated_at, deleted_at, created_at FROM t",
]


@pytest.mark.parametrize("text", READS)
def test_what_only_looks_only_reads(text: str) -> None:
    """Dangerous words as data, names and functions change nothing about a read."""
    found = understand_sql(text)

    assert {Verb.READ} == {one.verb for one in found}
    assert all(one.understood for one in found)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("INSERT INTO users (a) VALUES (1)", "users"),
        ("insert into shop.users select * from staging", "shop.users"),
        ("UPDATE users SET a = 1 WHERE id = 7", "users"),
        ("REPLACE INTO t VALUES (1)", "t"),
        ("CREATE TABLE IF NOT EXISTS t (a int)", "t"),
        ("CREATE UNIQUE INDEX CONCURRENTLY i ON t (a)", "i"),
        ("ALTER TABLE t ADD COLUMN b int", "t"),
        ("ALTER TABLE IF EXISTS t RENAME TO u", "t"),
        ("ALTER TABLE t DETACH PARTITION t_2015", "t"),
        ("ALTER TABLE t SWITCH PARTITION 2 TO u PARTITION 2", "t"),
        ("ALTER TABLE t SWITCH TO u WITH (TRUNCATE_TARGET = OFF)", "t"),
        ("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a", "t"),
        ("CREATE TABLE t (a int REFERENCES u (id) ON DELETE CASCADE ON UPDATE CASCADE)", "t"),
        ("INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 2", "t"),
        ("INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2", "t"),
    ],
)
def test_what_changes_data_within_bounds_writes_and_loses_nothing(text: str, target: str) -> None:
    """Ordinary changes are writes of the table they name."""
    one = only(text)

    assert (Verb.WRITE, target, True, NOTHING) == (
        one.verb,
        one.target,
        one.understood,
        one.traits & LOSSES,
    )


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE users",
        "drop table if exists a, b cascade",
        "DROP VIEW v",
        "DROP INDEX CONCURRENTLY IF EXISTS i",
        "DROP ROLE bob",
        "DROP TRIGGER t ON users",
        "TRUNCATE users",
        "TRUNCATE TABLE a, b RESTART IDENTITY CASCADE",
        "ALTER TABLE t DROP COLUMN a",
        "ALTER TABLE t DROP PARTITION p1",
        "ALTER TABLE t SWITCH TO u WITH (TRUNCATE_TARGET = ON)",
        "ALTER TABLE t ALTER COLUMN a TYPE int",
        "ALTER TABLE t ALTER COLUMN a SET DATA TYPE text",
        "ALTER TABLE t MODIFY COLUMN a varchar(3)",
        "ALTER TABLE t CHANGE COLUMN a b varchar(3)",
        "ALTER TABLE dbo.t ALTER COLUMN a varchar(3)",
        "CREATE OR REPLACE TABLE t AS SELECT 1",
        "INSERT OVERWRITE TABLE t SELECT * FROM u",
    ],
)
def test_what_drops_or_empties_loses_schema(text: str) -> None:
    """DROP, TRUNCATE and losing ALTERs are told as loss that cannot be undone."""
    assert Trait.SCHEMA_LOSS in losses(text)
    assert not all(one.reversible for one in understand_sql(text))


@pytest.mark.parametrize(
    "text",
    [
        "DROP DATABASE shop",
        "drop schema if exists public cascade",
        "DROP KEYSPACE k",
        "DROP OWNED BY bob",
    ],
)
def test_dropping_a_whole_store_is_told(text: str) -> None:
    """Databases and schemas are more than a table."""
    assert Trait.WHOLE_STORE in losses(text)


@pytest.mark.parametrize(
    "text",
    [
        "GRANT ALL ON t TO bob",
        "GRANT DELETE, UPDATE ON t TO PUBLIC",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA s GRANT SELECT ON TABLES TO x",
    ],
)
def test_grants_open_access_and_change_no_rows(text: str) -> None:
    """The verbs named in a grant are no statements."""
    one = only(text)

    assert (
        one.thing,
        Trait.OPENS_ACCESS in one.traits,
        one.traits & LOSSES,
    ) == (ResourceType.ACCOUNT, True, NOTHING)


@pytest.mark.parametrize(
    "text",
    [
        "CALL cleanup()",
        "EXEC dbo.cleanup @a = 1",
        "EXECUTE prepared_one",
        "DO $$ BEGIN NULL; END $$",
    ],
)
def test_code_run_in_the_database_is_told_as_code(text: str) -> None:
    """Procedures and blocks run code."""
    assert (Verb.EXECUTE, ResourceType.CODE) in {
        (one.verb, one.thing) for one in understand_sql(text)
    }


@pytest.mark.parametrize(
    "text",
    [
        "COPY t FROM PROGRAM 'make data'",
        "EXEC xp_cmdshell 'dir'",
        "SELECT sys_exec('id')",
        "CREATE EXTENSION plpython3u",
        "CREATE FUNCTION f() RETURNS int AS '/tmp/x.so', 'f' LANGUAGE C",
        "CREATE FUNCTION sys_exec RETURNS int SONAME 'lib.so'",
        "LOAD 'auto_explain'",
        "SELECT load_extension('x')",
        "EXEC (@text)",
        "EXECUTE IMMEDIATE some_variable",
        "DO $$ import os $$ LANGUAGE plpython3u",
        "FROBNICATE the_table",
        "make me a sandwich",
        "SELECT 'never closed",
        "SELECT /* never closed",
    ],
)
def test_what_leaves_the_database_or_cannot_be_read_is_not_understood(text: str) -> None:
    """Programs of the server, unknown statements and open quotes are asked about."""
    assert not all(one.understood for one in understand_sql(text))


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("SELECT * INTO OUTFILE '/srv/out.csv' FROM users", "/srv/out.csv"),
        ("SELECT * FROM users INTO DUMPFILE '/srv/out'", "/srv/out"),
        ("COPY users TO '/srv/out.csv'", "/srv/out.csv"),
        ("COPY INTO @stage FROM users", "@stage"),
    ],
)
def test_writing_rows_to_files_sends_them(text: str, target: str) -> None:
    """Rows that leave as a file are told with the file."""
    assert target in {one.target for one in understand_sql(text) if Trait.SENDS_FILES in one.traits}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT load_file('/etc/passwd')",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY t FROM '/etc/passwd'",
    ],
)
def test_reading_files_of_the_server_is_told(text: str) -> None:
    """A file read by a query is a file read."""
    assert (Verb.READ, ResourceType.FILE, "/etc/passwd") in {
        (one.verb, one.thing, one.target) for one in understand_sql(text)
    }


def test_reading_the_servers_passwords_is_reading_a_secret() -> None:
    """Password tables count as credentials."""
    found = understand_sql("SELECT usename, passwd FROM pg_catalog.pg_shadow")

    assert Trait.READS_SECRET in {trait for one in found for trait in one.traits}


@pytest.mark.parametrize(
    ("text", "environment", "reach"),
    [
        ("SELECT 1", "", Reach.PROJECT),
        ("SELECT 1", "production", Reach.PRODUCTION),
        ("DELETE FROM prod.users WHERE id = 1", "", Reach.PRODUCTION),
        ("DROP DATABASE shop_production", "", Reach.PRODUCTION),
        ("DELETE FROM products WHERE id = 1", "", Reach.PROJECT),
    ],
)
def test_production_is_told_by_environment_and_names(
    text: str, environment: str, reach: Reach
) -> None:
    """Whole words of names count, not parts of them."""
    assert {reach} == {one.reach for one in understand_sql(text, environment=environment)}


def test_group_and_program_are_carried() -> None:
    """What the caller says of the call stands in every operation."""
    one = understand_sql("DROP TABLE t", group=3, program="psql")[0]

    assert (one.group, one.program) == (3, "psql drop table")


@pytest.mark.parametrize(
    "text",
    [
        "COPY t FROM PROGRAM 'make data'",
        "COPY (SELECT 1) TO PROGRAM 'make data'",
        "EXEC xp_cmdshell 'make data'",
        "SELECT sys_exec('make data')",
    ],
)
def test_a_shell_line_in_sql_can_be_handed_on(text: str) -> None:
    """Lines for the server's shell are found again in the operations."""
    assert lines_run_by(understand_sql(text)) == ("make data",)


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("SHOW BINARY LOGS", Reach.NONE),
        ("EXPLAIN UPDATE a SET b = 1 WHERE c = 2", Reach.NONE),
        ("SELECT a FROM information_schema.tables WHERE b = 1", Reach.NONE),
        ("SELECT a FROM guests", Reach.PRODUCTION),
        ("SELECT a FROM information_schema.tables, guests", Reach.PRODUCTION),
        ("SELECT a FROM pg_stations", Reach.PRODUCTION),
        ("SELECT pg_read_file('a')", Reach.PRODUCTION),
    ],
)
def test_how_a_server_is_set_up_is_no_data_of_it(text: str, reach: Reach) -> None:
    """Plans, settings and catalogues hold no row of a table."""
    found = understand_sql(text, environment="production")

    assert reach is next(one.reach for one in found if one.thing is ResourceType.DATABASE)


@pytest.mark.parametrize(
    ("name", "later"),
    [("postgis", False), ('"uuid-ossp"', False), ("pg_cron", True), ("file_fdw", True)],
)
def test_an_extension_of_types_and_functions_is_a_change_of_the_schema(
    name: str, *, later: bool
) -> None:
    """Others run by the clock, read files or call hosts."""
    (found,) = understand_sql(f"CREATE EXTENSION IF NOT EXISTS {name}")

    assert later == (Trait.RUNS_LATER in found.traits)
