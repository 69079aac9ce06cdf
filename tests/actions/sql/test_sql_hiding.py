"""Statements that hide: in comments, texts, blocks, other dialects' quotes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.operation import Trait
from signoff.actions.sql import understand_sql

DIALECTS = ["", "postgres", "mysql", "tsql", "sqlite", "oracle", "bigquery", "nonsense"]


def loses_schema(text: str, dialect: str = "") -> bool:
    """Say whether a text loses schema, or says that it was not understood."""
    return any(
        Trait.SCHEMA_LOSS in one.traits or not one.understood
        for one in understand_sql(text, dialect=dialect)
    )


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("SELECT 1; DROP TABLE t", ""),
        ("SELECT 1;;; DROP TABLE t;", ""),
        ("/*!50000 DROP TABLE t */", ""),
        ("/*!50000 DROP TABLE t */", "mysql"),
        ("/*M! DROP TABLE t */", "mariadb"),
        ("SELECT 1 DROP TABLE t", "tsql"),
        ("IF 1 = 1 BEGIN DROP TABLE t END", "tsql"),
        ("DECLARE @a int = 1 DROP TABLE t", "tsql"),
        ("SELECT 1\nGO\nDROP TABLE t", "tsql"),
        ("BEGIN; DROP TABLE t; ROLLBACK;", "postgres"),
        ("EXPLAIN ANALYZE DROP TABLE t", "postgres"),
        ("DO $$ BEGIN DROP TABLE t; END $$", "postgres"),
        ("DO $x$ BEGIN EXECUTE 'DROP TABLE t'; END $x$", "postgres"),
        ("EXEC('DROP TABLE t')", "tsql"),
        ("EXEC sp_executesql N'DROP TABLE t'", "tsql"),
        ("EXECUTE IMMEDIATE 'DROP ' || 'TABLE t'", "oracle"),
        ("PREPARE s FROM 'DROP TABLE t'", "mysql"),
        ("SELECT query_to_xml('DROP TABLE t', true, true, '')", "postgres"),
        ("CREATE PROCEDURE p() BEGIN SELECT 1; END; DROP TABLE t", "mysql"),
        ("CREATE PROCEDURE p() BEGIN SELECT 1; ; DROP TABLE t", "mysql"),
        ("SELECT 'it\\'; DROP TABLE t; --'", "postgres"),
        ("SELECT 'it\\'; DROP TABLE t; --'", ""),
        ("SELECT 1 # '\n; DROP TABLE t #'", "mysql"),
        ("SELECT 1 /* /* */ ; DROP TABLE t; -- */", "mysql"),
        ("SELECT '/*'; DROP TABLE t; -- */'", "postgres"),
        ("SELECT [a]; DROP TABLE [b]", "tsql"),
        ("SELECT 1 AS $$; DROP TABLE t; SELECT 1 AS $$", "mysql"),
        ("SELECT 1 AS $$; DROP TABLE t; SELECT 1 AS $$", ""),
        ("DrOp\tTaBlE\nt", ""),
        ("DROP/**/TABLE/**/t", ""),
        ("\ufeffDROP TABLE t", ""),
        ("(((DROP TABLE t", ""),
    ],
)
def test_a_hidden_drop_is_found(text: str, dialect: str) -> None:
    """Whatever stands around it, the drop counts."""
    assert loses_schema(text, dialect)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("SELECT 'it\\'s; DROP TABLE t'", "mysql"),
        ("SELECT E'it\\'s; DROP TABLE t'", "postgres"),
        ("SELECT 1 /* /* */ ; DROP TABLE t; */", "postgres"),
        ("SELECT 1 # ; DROP TABLE t", "mysql"),
        ("SELECT [a; DROP TABLE t] FROM x", "tsql"),
        ("SELECT q'[it's; DROP TABLE t]' FROM dual", "oracle"),
        ('SELECT """a; DROP TABLE t"""', "bigquery"),
        ("SELECT $a$ ; DROP TABLE t; $a$", "postgres"),
        ("CREATE FUNCTION f() RETURNS void AS $$ DROP TABLE t; $$ LANGUAGE sql", "postgres"),
        ("CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM u; END", "sqlite"),
        ("INSERT INTO notes VALUES ('; DROP TABLE t; --')", ""),
    ],
)
def test_what_a_dialect_quotes_is_data_in_it(text: str, dialect: str) -> None:
    """Where the dialect is known, its own quotes are believed."""
    assert not loses_schema(text, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "piece",
    ["(", "'", '"', "/*", "$a$", "x;", "a.", "'a' ", "--", "DELETE FROM t ", "EXEC('", "(1,'a'),",
     "WHERE (", "NOT ", "a=1 OR ", "CREATE PROCEDURE p BEGIN;", "ALTER TABLE t ALTER ", "[", "\\'"],
)  # fmt: skip
def test_no_input_takes_long(piece: str, dialect: str) -> None:
    """Repeats that make other readers slow are read in a moment, or given up and said so."""
    text = "DELETE FROM t WHERE " + piece * (60_000 // len(piece))
    start = time.process_time()
    found = understand_sql(text, dialect=dialect)

    assert found
    assert time.process_time() - start < 10  # ends; `bench/hostile.py` measures


def test_a_text_beyond_the_limit_is_not_understood() -> None:
    """Nothing is skipped for its length."""
    (one,) = understand_sql("INSERT INTO t VALUES " + "(1)," * 500_000)

    assert not one.understood


def test_an_empty_text_does_nothing_and_says_so() -> None:
    """There is always an operation."""
    assert [one.verb.value for one in understand_sql("  -- only a comment")] == ["inert"]


SQL_PIECES = st.lists(
    st.sampled_from(
        ["SELECT", "DROP", "TABLE", "t", "'", '"', ";", "--", "/*", "*/", "$$", "$a$", "(", ")",
         "WHERE", "1", "=", "\\", "#", "`", "[", "]", "DELETE", "FROM", "UPDATE", "SET", ",", ".",
         "EXEC", "BEGIN", "END", "\n", "CREATE", "FUNCTION", "AS", "OR", "AND", "NOT", "COPY",
         "TO", "PROGRAM", "EXPLAIN", "ANALYZE", "GO", "MERGE", "ALTER", "COLUMN", "LIKE"]
    ),
    max_size=40,
)  # fmt: skip


@given(pieces=SQL_PIECES, glue=st.sampled_from([" ", ""]), dialect=st.sampled_from(DIALECTS))
def test_any_mixture_is_read_without_raising(pieces: list[str], glue: str, dialect: str) -> None:
    """Nonsense gives operations, never an exception."""
    assert understand_sql(glue.join(pieces), dialect=dialect)


@given(text=st.text(max_size=200), dialect=st.sampled_from(DIALECTS))
def test_any_text_is_read_without_raising(text: str, dialect: str) -> None:
    """Any text at all gives operations."""
    assert understand_sql(text, dialect=dialect)
