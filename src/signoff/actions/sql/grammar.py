"""What the leading word of a statement says, over all common dialects: classes as data.

ANSI, PostgreSQL, MySQL, T-SQL, SQLite, Oracle, Snowflake, BigQuery, ClickHouse, Spark, DuckDB.
A word that is in no class is not understood, and so asked about.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.operation import ResourceType, Trait, Verb

# Statements that only look.
READS = frozenset({
    "SELECT", "VALUES", "VALUE", "TABLE", "SHOW", "DESCRIBE", "DESC", "HELP", "LIST", "LS",
    "EXISTS", "FROM",
    "SUMMARIZE", "CHECK", "CHECKSUM", "FETCH", "PIVOT", "UNPIVOT", "SEL", "TABLESAMPLE",
    "WITH", "REM", "EXPLAIN", "MOVE", "HANDLER", "READTEXT", "VALIDATE",
})  # fmt: skip

# Statements that act on the session or the transaction; blocks that hold other statements.
INERT = frozenset({
    "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "END", "ABORT", "USE", "RESET",
    "DISCARD", "DECLARE", "OPEN", "CLOSE", "DEALLOCATE", "PREPARE", "LISTEN", "UNLISTEN", "NOTIFY",
    "PRINT", "GO", "DELIMITER", "LOCK", "UNLOCK", "CHECKPOINT", "WAITFOR", "RETURN", "RETURNS",
    "THROW", "RAISERROR", "RAISE", "SIGNAL", "RESIGNAL", "GET", "REVERT", "IF", "ELSE", "ELSEIF",
    "ELSIF", "WHILE", "LOOP", "REPEAT", "FOR", "FOREACH", "LEAVE", "ITERATE", "BREAK", "CONTINUE",
    "EXIT", "GOTO", "CASE", "WHEN", "THEN", "PERFORM", "NULL", "ASSERT", "SAVE", "XA", "SYNC",
    "CACHE", "UNCACHE", "LEFT", "UNTIL", "EXCEPTION", "ADD_JAR", "REMARK", "QUIT",
    # cqlsh(1): how the session reads and shows.
    "CONSISTENCY", "SERIAL", "TRACING", "PAGING", "EXPAND", "CLS",
})  # fmt: skip

# Statements that change what is stored, and lose nothing.
WRITES = frozenset({
    "INSERT", "REPLACE", "UPSERT", "COMMENT", "RENAME", "REFRESH", "REINDEX", "VACUUM", "ANALYZE",
    "ANALYSE", "OPTIMIZE", "CLUSTER", "REPAIR", "MSCK", "UNDROP", "CREATE", "BULK", "IMPORT",
    "LOAD", "COPY", "PUT", "SECURITY", "ATTACH", "DETACH", "WRITETEXT", "UPDATETEXT", "ASSOCIATE",
    "FLASHBACK", "RECOVER", "GENERATE", "APPLY", "EXCHANGE", "BACKUP", "DUMP", "MERGE",
})  # fmt: skip

# Statements that change how the server behaves.
CONFIGURES = frozenset({
    "ALTER", "SET", "RECONFIGURE", "DBCC", "INSTALL", "UNINSTALL", "SYSTEM", "FLUSH", "CHANGE",
    "STOP", "PRAGMA", "FORCE", "ENABLE", "DISABLE", "SETUSER", "SUSPEND", "RESUME", "AUDIT",
    "NOAUDIT", "REASSIGN", "ADD", "CLONE", "BINLOG", "UNSET",
})  # fmt: skip

# Kinds of things a DROP, CREATE or ALTER can name (first word).
KINDS = frozenset({
    "TABLE", "DATABASE", "SCHEMA", "VIEW", "INDEX", "MATERIALIZED", "TEMPORARY", "TEMP", "EXTERNAL",
    "FOREIGN", "FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "SEQUENCE", "TYPE", "DOMAIN", "ROLE",
    "USER", "LOGIN", "GROUP", "EXTENSION", "SERVER", "PUBLICATION", "SUBSCRIPTION", "POLICY",
    "RULE", "TABLESPACE", "AGGREGATE", "CAST", "COLLATION", "CONVERSION", "OPERATOR", "TEXT",
    "LANGUAGE",
    "EVENT", "OWNED", "ACCESS", "TRANSFORM", "STATISTICS", "SYNONYM", "PACKAGE", "DICTIONARY",
    "KEYSPACE", "CATALOG", "WAREHOUSE", "STAGE", "STREAM", "TASK", "PIPE", "PARTITION", "COLUMN",
    "CONSTRAINT", "ASSEMBLY", "CERTIFICATE", "CREDENTIAL", "CLUSTERED", "NONCLUSTERED", "UNIQUE",
    "FULLTEXT", "XML", "ROUTINE", "DYNAMIC", "TRANSIENT", "GLOBAL", "LOCAL", "UNLOGGED", "PUBLIC",
    "SYMMETRIC", "ASYMMETRIC", "MASTER", "SECURITY", "WORKLOAD", "RESOURCE", "SERVICE", "QUEUE",
    "PROFILE", "DIRECTORY", "LIBRARY", "JAVA", "CONTEXT", "CONNECTION", "SHARE", "INTEGRATION",
    "BITMAP", "SPATIAL", "VIRTUAL", "MACRO", "SECRET", "NAMED", "QUOTA", "SETTINGS", "ROW",
    "DEFAULT", "LARGE", "SYSTEM", "APPLICATION", "AVAILABILITY", "BROKER", "CONTRACT", "ENDPOINT",
    "MESSAGE", "REMOTE", "ROUTE", "SIGNATURE", "SEARCH", "SENSITIVITY", "SNAPSHOT", "MODEL",
    "LOGFILE", "UNDO", "SPECIFIC", "FILE", "NICKNAME", "WRAPPER", "ALIAS", "BUFFERPOOL", "OR",
})  # fmt: skip

# Dropping one of these drops everything in it.
WHOLE_STORES = frozenset({"DATABASE", "SCHEMA", "KEYSPACE", "CATALOG", "TABLESPACE"})
ACCOUNTS = frozenset({"USER", "ROLE", "LOGIN", "GROUP", "CREDENTIAL", "POLICY", "PROFILE"})
ROUTINES = frozenset({
    "FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "EVENT", "PACKAGE", "RULE", "TASK", "MACRO",
    "EXTENSION", "ASSEMBLY", "LANGUAGE", "LIBRARY", "JAVA", "ROUTINE", "AGGREGATE", "TRANSFORM",
})  # fmt: skip
# Words between CREATE, ALTER or DROP and the kind.
KIND_PREFIXES = frozenset({
    "OR", "REPLACE", "ALTER", "TEMPORARY", "TEMP", "UNLOGGED", "GLOBAL", "LOCAL", "EXTERNAL",
    "FOREIGN", "MATERIALIZED", "UNIQUE", "TRANSIENT", "DYNAMIC", "RECURSIVE", "FORCE",
    "EDITIONABLE",
    "CONSTRAINT", "TRUSTED", "PROCEDURAL", "AGGREGATE", "DEFINER", "PUBLIC", "SECURE", "IF", "NOT",
    "EXISTS", "CONCURRENTLY", "ONLY", "WINDOW", "=",
})  # fmt: skip

# Extensions of PostgreSQL that add types, functions and indexes: they reach nothing outside the
# database and start nothing. All others may be code that reads files, calls hosts or runs later.
DATA_EXTENSIONS = frozenset({
    "postgis", "postgis_raster", "postgis_topology", "postgis_sfcgal", "pgrouting", "h3", "vector",
    "pgcrypto", "uuid-ossp", "hstore", "citext", "pg_trgm", "unaccent", "btree_gin", "btree_gist",
    "ltree", "intarray", "cube", "earthdistance", "fuzzystrmatch", "tablefunc", "isn", "seg",
    "bloom", "dict_int", "dict_xsyn", "tsm_system_rows", "tsm_system_time", "hll", "rum", "pgtap",
    "pg_stat_statements", "pgstattuple", "pg_buffercache", "periods", "semver", "pgmp", "prefix",
})  # fmt: skip

# Code in these languages is no longer held by the database.
UNTRUSTED_LANGUAGES = frozenset({
    "C", "PLPYTHONU", "PLPYTHON2U", "PLPYTHON3U", "PLPERLU", "PLTCLU", "PLSH", "PLJAVAU", "PLR",
    "JAVA", "PYTHON", "EXTERNAL",
})  # fmt: skip

# Leading words whose whole effect is one line of this table: verb, thing, traits, reversible.
Row = tuple[Verb, ResourceType, frozenset[Trait], bool]
_NONE: frozenset[Trait] = frozenset()
SINGLE: Mapping[str, Row] = {
    "GRANT": (Verb.CONFIGURE, ResourceType.ACCOUNT, frozenset({Trait.OPENS_ACCESS}), True),
    "REVOKE": (Verb.CONFIGURE, ResourceType.ACCOUNT, _NONE, True),
    "DENY": (Verb.CONFIGURE, ResourceType.ACCOUNT, _NONE, True),
    "REASSIGN": (Verb.CONFIGURE, ResourceType.ACCOUNT, frozenset({Trait.BULK}), True),
    "PURGE": (Verb.DELETE, ResourceType.DATABASE, frozenset({Trait.SCHEMA_LOSS}), False),
    "RESTORE": (Verb.WRITE, ResourceType.DATABASE, frozenset({Trait.SCHEMA_LOSS}), False),
    "KILL": (Verb.CONTROL, ResourceType.PROCESS, _NONE, True),
    "SHUTDOWN": (Verb.CONTROL, ResourceType.SERVICE, _NONE, True),
    "RESTART": (Verb.CONTROL, ResourceType.SERVICE, _NONE, True),
    "REMOVE": (Verb.DELETE, ResourceType.FILE, _NONE, False),
    "CALL": (Verb.EXECUTE, ResourceType.CODE, _NONE, True),
}

# What may stand between TO or FROM and the name of who is granted something.
GRANTEE_KINDS = frozenset({"ROLE", "USER", "GROUP", "SHARE", "LOGIN"})

# Functions that reach out of the database, by name: verb, thing, traits, reversible, understood.
FunctionRow = tuple[Verb, ResourceType, frozenset[Trait], bool]
_SENDS = frozenset({Trait.SENDS_FILES})
_FILE_READS = (
    "PG_READ_FILE", "PG_READ_BINARY_FILE", "PG_LS_DIR", "PG_STAT_FILE", "PG_READ_SERVER_FILES",
    "LOAD_FILE", "LO_IMPORT", "READFILE", "BFILENAME", "READ_TEXT", "READ_BLOB", "UTL_FILE",
    "XP_DIRTREE", "XP_FILEEXIST", "XP_SUBDIRS", "FILE",
)  # fmt: skip
_FILE_WRITES = ("LO_EXPORT", "WRITEFILE", "PG_FILE_WRITE", "PG_FILE_RENAME", "PG_FILE_SYNC")
_RUNS = (
    "XP_CMDSHELL", "SYS_EXEC", "SYS_EVAL", "SYS_BINEVAL", "SP_OACREATE", "SP_OAMETHOD",
    "LOAD_EXTENSION", "EXECUTABLE", "SP_EXECUTE_EXTERNAL_SCRIPT", "DBMS_SCHEDULER", "RUNJAVA",
    "XP_REGWRITE", "XP_REGDELETEVALUE", "SP_ADD_JOB", "SP_ADD_JOBSTEP", "SP_START_JOB", "SHELL",
    "FTS3_TOKENIZER", "SP_CONFIGURE", "EDIT",
)  # fmt: skip
_SENDING = (
    "DBLINK", "DBLINK_CONNECT", "DBLINK_EXEC", "DBLINK_SEND_QUERY", "UTL_HTTP", "UTL_TCP",
    "UTL_SMTP", "UTL_INADDR", "HTTPURITYPE", "HTTP_POST", "HTTP_PUT", "SP_SEND_DBMAIL",
    "XP_SENDMAIL",
)  # fmt: skip
FUNCTIONS: Mapping[str, FunctionRow] = {
    **dict.fromkeys(_FILE_READS, (Verb.READ, ResourceType.FILE, _NONE, True)),
    **dict.fromkeys(_FILE_WRITES, (Verb.WRITE, ResourceType.FILE, _SENDS, False)),
    **dict.fromkeys(_RUNS, (Verb.EXECUTE, ResourceType.CODE, _NONE, False)),
    **dict.fromkeys(_SENDING, (Verb.NETWORK_OUT, ResourceType.URL, _NONE, True)),
    "PG_TERMINATE_BACKEND": (Verb.CONTROL, ResourceType.PROCESS, _NONE, True),
    "PG_CANCEL_BACKEND": (Verb.CONTROL, ResourceType.PROCESS, _NONE, True),
    "PG_RELOAD_CONF": (Verb.CONFIGURE, ResourceType.DATABASE, frozenset({Trait.GLOBAL}), True),
    "PG_FILE_UNLINK": (Verb.DELETE, ResourceType.FILE, _NONE, False),
    "LO_UNLINK": (Verb.DELETE, ResourceType.DATABASE, frozenset({Trait.SCHEMA_LOSS}), False),
    "PG_DROP_REPLICATION_SLOT": (
        Verb.DELETE,
        ResourceType.DATABASE,
        frozenset({Trait.SCHEMA_LOSS}),
        False,
    ),
    # TimescaleDB and pg_partman: old parts of a table go, now or by a rule.
    "DROP_CHUNKS": (Verb.DELETE, ResourceType.DATABASE, _NONE, False),
    "DROP_PARTITION_TIME": (Verb.DELETE, ResourceType.DATABASE, _NONE, False),
    "DROP_PARTITION_ID": (Verb.DELETE, ResourceType.DATABASE, _NONE, False),
    "ADD_RETENTION_POLICY": (Verb.CONFIGURE, ResourceType.DATABASE, _NONE, False),
    "PG_SLEEP": (Verb.INERT, ResourceType.NOTHING, frozenset({Trait.EXHAUSTS}), True),
    "BENCHMARK": (Verb.INERT, ResourceType.NOTHING, frozenset({Trait.EXHAUSTS}), True),
}
# Functions whose argument is a line for a shell.
SHELL_FUNCTIONS = frozenset({"XP_CMDSHELL", "SYS_EXEC", "SYS_EVAL", "SYS_BINEVAL", "SHELL"})
# Functions that run a text given to them as SQL.
SQL_RUNNERS = frozenset({
    "QUERY_TO_XML", "QUERY_TO_XML_AND_XMLSCHEMA", "DBLINK_EXEC", "DBLINK", "SP_EXECUTESQL", "EVAL",
})  # fmt: skip

# Tables that hold the server's own passwords.
SECRET_TABLES = frozenset({
    "PG_SHADOW", "PG_AUTHID", "PG_USER_MAPPING", "SQL_LOGINS", "SYSLOGINS", "USER$", "DBA_USERS",
    "MYSQL.USER",
})  # fmt: skip

# Words that can begin a statement inside another one: a CTE, a block, T-SQL without semicolons.
EMBEDDED = frozenset({
    "INSERT", "UPDATE", "DELETE", "MERGE", "DROP", "TRUNCATE", "ALTER", "CREATE", "EXEC", "EXECUTE",
    "GRANT", "REVOKE", "DENY", "CALL", "RESTORE", "BACKUP", "SHUTDOWN",
})  # fmt: skip
RISKY = EMBEDDED | FUNCTIONS.keys() | SQL_RUNNERS | SECRET_TABLES - {"MYSQL.USER"} | {
    "INTO", "MYSQL", "PROGRAM", "OUTFILE", "DUMPFILE",
}  # fmt: skip

# What may stand between the leading word and the name of a table.
BEFORE_NAME = frozenset({
    "FROM", "INTO", "ONLY", "LOW_PRIORITY", "QUICK", "IGNORE", "TOP", "OVERWRITE", "TABLE", "OR",
    "DATABASE", "DELAYED", "HIGH_PRIORITY", "REPLACE", "ROLLBACK", "ABORT", "FAIL", "INSERT", "ALL",
})  # fmt: skip
