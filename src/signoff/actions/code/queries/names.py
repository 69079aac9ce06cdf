"""Which query language a text is in: by names of arguments, tools and servers, or its shape.

language_of(("kql",), ..., text)                         "kql"
language_of(("query",), tool ("splunk",), text)          "spl"
language_of(("query",), (), "T | where a == 1")          "kql"
language_of(("query",), (), "green shoes")               ""
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.vocabulary import lazy_re

# Names of languages, and of products that take one language only.
_LANGUAGES = {
    word: language
    for language, words in (
        ("kql", "kql kusto adx loganalytics"),
        ("spl", "spl splunk"),
        ("graphql", "graphql gql hasura"),
        ("sparql", "sparql fuseki blazegraph graphdb stardog virtuoso"),
        ("cypher", "cypher neo memgraph falkordb"),
        ("flux", "flux"),
        ("query", "promql logql traceql nrql jql esql eql lucene soql sosl wiql metricsql dql"),
        ("query", "prometheus loki tempo mimir thanos victoriametrics"),
        ("sql", "influxql pgsql tsql plsql hiveql"),
        ("psql", "psql"),
        ("mysql", "mysql mariadb"),
        ("sqlite", "sqlite"),
    )
    for word in words.split()
}
# Arguments that hold a query where the tool or server says of which language.
_ARGUMENTS = vocabulary("query queries q search expr expression statement command document text")
# Servers of other things are named so as well: continuous delivery, trackers' own search.
_NOT_OF_SERVERS = vocabulary("flux query esql dql")
# What stands behind a pipe in the Kusto Query Language.
_KQL_SHAPE = lazy_re(
    r"(?is)\s*(?:(?:let\s[^;]{1,400};|//[^\n]*\n|set\s[^;]{1,80};)\s*)*"
    r"(?:union\b[^|]{1,200}|[A-Za-z_]\w*(?:\([^)|]{0,80}\))?)\s*\|\s*"
    r"(?:where|project(?:-\w+)?|summarize|extend|take|limit|top|count|order\s+by|sort\s+by|join"
    r"|distinct|parse|mv-expand|render|make-series|search|lookup|evaluate)\b"
)
_SPL_SHAPE = lazy_re(
    r"(?i)\s*(?:search\s+)?(?:\(\s*)?index\s*=\s*[\w*\"-]|\s*\|\s*(?:tstats|rest)\s"
)
_GRAPHQL_SHAPE = lazy_re(
    r"\s*(?:#[^\n]*\n\s*)*(?:(?:query|mutation|subscription|fragment)\b[^{]{0,2000}\{|\{\s*\w)"
)
_SPARQL_SHAPE = lazy_re(
    r"(?is)\s*(?:(?:prefix\s+[\w.-]*:\s*<[^>]*>|base\s*<[^>]*>|#[^\n]*\n)\s*)*"
    r"(?:select\s+(?:distinct\s+|reduced\s+)?(?:\?|\*\s*(?:where\s*)?\{|\()|ask\s*(?:where\s*)?\{"
    r"|construct\s*(?:where\s*)?\{|describe\s+(?:<|\?|\w*:)"
    r"|insert\s+data\b|insert\s*\{|delete\s+data\b|delete\s+where\s*\{|delete\s*\{|with\s*<"
    r"|(?:drop|clear)\s+(?:silent\s+)?(?:graph\b|all\b|default\b|named\b)|load\s+(?:silent\s+)?<)"
)
_CYPHER_SHAPE = lazy_re(r"(?i)\s*(?:optional\s+)?(?:match|merge|create)\s*(?:\w+\s*=\s*)?\(")
# Databases by the names of tools and servers; what they are given is a statement by its shape.
_DATABASES = vocabulary(
    "pg psql postgres postgresql mysql mariadb sqlite mssql sqlserver sql db database oracle duckdb"
    " clickhouse snowflake bigquery redshift trino presto athena cockroach timescale d1 neon"
    " planetscale turso supabase databricks cassandra scylla cql couchbase"
)
_SQL_SHAPE = lazy_re(
    r"(?is)\s*(?:select\s+\S|with\s+\w+\s*(?:\([^)]*\)\s*)?as\s*\(|explain\s+\w|insert\s+into\s"
    r"|update\s+\S+\s+set\s|delete\s+from\s|merge\s+into\s|show\s+\w|describe\s+\w"
    r"|(?:drop|create|alter|truncate)\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+)?(?:table"
    r"|database|schema|view|materialized|index|user|role|function|procedure|trigger|sequence|type"
    r"|extension|policy|tablespace|system)\b|truncate\s+\w|(?:grant|revoke)\s+\w|vacuum\b|\\)"
)
_SHAPES = (
    ("graphql", _GRAPHQL_SHAPE),
    ("kql", _KQL_SHAPE),
    ("spl", _SPL_SHAPE),
    ("sparql", _SPARQL_SHAPE),
    ("cypher", _CYPHER_SHAPE),
)
_SQL_CLIENTS = frozenset({"sql", "psql", "mysql", "sqlite"})
_GRAPHQL_ARGUMENTS = vocabulary("query mutation document graphql gql operation operations")
QUERY_WORDS = frozenset(_LANGUAGES)
LONGEST = 20_000


def language_of(
    argument: Iterable[str], tool: Sequence[str], server: Sequence[str], text: str
) -> str:
    """Return the query language of an argument's text, "" if it is none that is known."""
    named = _named(argument)
    if named:
        return named
    said = frozenset(argument)
    if _ARGUMENTS.isdisjoint(said) and _GRAPHQL_ARGUMENTS.isdisjoint(said):
        return ""
    of_tool = _named(tool) or _named(word for word in server if word not in _NOT_OF_SERVERS)
    # One word is the name of a query, or of something that such a tool does: `command="ping"`.
    if of_tool and of_tool not in _SQL_CLIENTS:
        return of_tool if " " in text.strip() or of_tool == "query" else ""
    if "command" in said or "statement" in said or of_tool:
        is_store = of_tool or not _DATABASES.isdisjoint((*tool, *server))
        is_statement = is_store and _SQL_SHAPE.match(text[:LONGEST]) is not None
        return (of_tool or "psql") if is_statement else ""
    return shape_of(text)


def shape_of(text: str) -> str:
    """Return the query language that a text's beginning shows, "" if none."""
    head = text[:LONGEST]
    return next((language for language, shape in _SHAPES if shape.match(head) is not None), "")


def _named(words: Iterable[str]) -> str:
    return next((_LANGUAGES[word] for word in words if word in _LANGUAGES), "")
