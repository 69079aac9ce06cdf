"""What one statement does, by its leading word: the visible table of handlers.

A word in no class of `grammar` is not understood. Whatever leads, statements inside it and what
its functions reach are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.sql.bounds import is_bounded, is_bounded_deletion
from signoff.actions.sql.definitions import (
    alter_effects,
    create_effects,
    drop_effects,
    kind_of,
    truncate_effects,
)
from signoff.actions.sql.embedded import own_part, parts
from signoff.actions.sql.grammar import (
    BEFORE_NAME,
    CONFIGURES,
    GRANTEE_KINDS,
    INERT,
    READS,
    RISKY,
    ROUTINES,
    SINGLE,
    SQL_RUNNERS,
    WRITES,
)
from signoff.actions.sql.reach_out import UNLOADS, copy_effects, reaching_effects
from signoff.actions.sql.server import NO_TRAITS, SqlServer, named_tables
from signoff.actions.sql.statement import Statement, is_name, statements
from signoff.values import replace

MAX_TEXT_DEPTH = 3
MAX_CALL = 200  # tokens of a call in which the text to run is looked for
Handler = Callable[[Statement, SqlServer], Iterator[Operation]]

_UNBOUNDED = frozenset({Trait.UNBOUNDED})
_SKIPPED_LEADS = frozenset({"(", "/", "$", ")", "\ufeff", "<"})


def effects_of(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield all effects of one statement."""
    at = 0
    while statement.key(at) in _SKIPPED_LEADS:
        at += 1
    if at:
        statement = statement.part(at)
    if not statement.keys:
        return
    is_bounded_kind = statement.keys[0] in {"DELETE", "UPDATE"}
    yield from _single(own_part(statement) if is_bounded_kind else statement, server)
    if RISKY.isdisjoint(statement.keys) or _holds_a_body(statement):
        return
    yield from reaching_effects(statement, server)
    for part in parts(statement, _first_embedded(statement)):
        yield from _single(part, server)


def _single(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    lead = statement.keys[0]
    handler = HANDLERS.get(lead)
    if handler is not None:
        yield from handler(statement, server)
    elif lead in SINGLE and not statement.key(1).endswith("ONLY"):  # `RESTORE HEADERONLY`
        verb, thing, traits, reversible = SINGLE[lead]
        target = _target(statement) if verb is not Verb.CONFIGURE else _granted(statement)
        yield server.effect(
            verb, lead, statement, target=target, thing=thing, traits=traits, reversible=reversible
        )
    elif lead in READS or lead in SINGLE:
        yield server.effect(Verb.READ, lead, statement, target=", ".join(named_tables(statement)))
    elif lead in WRITES:
        yield server.effect(Verb.WRITE, lead, statement, target=_target(statement))
    elif lead in CONFIGURES:
        yield server.effect(Verb.CONFIGURE, lead, statement, target=_target(statement))
    elif lead in INERT:
        yield server.effect(Verb.INERT, lead, statement)
    else:
        yield server.opaque("an unknown statement", statement.source)


def _holds_a_body(statement: Statement) -> bool:
    """Say whether this only stores other statements, to run later."""
    return statement.keys[0] in {"CREATE", "ALTER", "REPLACE"} and kind_of(statement)[0] in ROUTINES


def _first_embedded(statement: Statement) -> int:
    """Return where statements inside may begin: behind the words that are this one's own."""
    lead = statement.keys[0]
    if lead in {"GRANT", "REVOKE", "DENY", "AUDIT", "NOAUDIT"}:
        return max(1, statement.find("TO"), statement.find("FROM"))
    if lead == "ALTER" or (lead == "EXPLAIN" and _explains_only(statement)):
        return len(statement.keys)
    return 1


def _target(statement: Statement) -> str:
    at = 1
    while statement.key(at) in BEFORE_NAME:
        at = statement.keys.index(")", at) + 1 if _is_top(statement, at) else at + 1
    return statement.name(at)


def _is_top(statement: Statement, at: int) -> bool:
    """Say whether `TOP (10)` is at `at`."""
    return (
        statement.key(at) == "TOP" and statement.key(at + 1) == "(" and ")" in statement.keys[at:]
    )


def _granted(statement: Statement) -> str:
    """Return who is granted or revoked something."""
    at = max(statement.find("TO"), statement.find("FROM"))
    if at <= 0:
        return _target(statement)
    # `TO ROLE analyst`: a kind before the name, unless it is the name.
    is_kind = statement.key(at + 1) in GRANTEE_KINDS and is_name(statement.key(at + 2))
    return statement.name(at + (2 if is_kind else 1))


def _delete(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    bounded = is_bounded_deletion(statement, _target(statement))
    yield server.effect(
        Verb.DELETE, "delete", statement, target=_target(statement),
        traits=NO_TRAITS if bounded else _UNBOUNDED, reversible=False,
    )  # fmt: skip


def _update(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    if statement.key(1) == "STATISTICS":
        yield server.effect(Verb.WRITE, "update statistics", statement, target=statement.name(2))
        return
    bounded = is_bounded(statement)
    yield server.effect(
        Verb.WRITE, "update", statement, target=_target(statement),
        traits=NO_TRAITS if bounded else _UNBOUNDED, reversible=bounded,
    )  # fmt: skip


def _merge(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """A MERGE is bounded by its ON; one that deletes what no source matches is not."""
    keys = statement.keys
    yield server.effect(Verb.WRITE, "merge", statement, target=_target(statement))
    if "DELETE" in keys:
        by_source = "SOURCE" in keys and keys[keys.index("SOURCE") - 1] == "BY"
        yield server.effect(
            Verb.DELETE, "merge delete", statement, target=_target(statement),
            traits=_UNBOUNDED if by_source else NO_TRAITS, reversible=False,
        )  # fmt: skip


def _insert(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    at = statement.find("FUNCTION", 1)
    if 0 < at <= 3 and statement.keys[at - 1] in {"INTO", "TABLE"}:
        yield from _insert_into_function(statement, at + 1, server)
        return
    overwrites = statement.key(1) == "OVERWRITE"
    traits = frozenset({Trait.SCHEMA_LOSS}) if overwrites else NO_TRAITS
    yield server.effect(
        Verb.WRITE, statement.keys[0], statement, target=_target(statement), traits=traits,
        reversible=not overwrites,
    )  # fmt: skip


# ClickHouse, "Table functions": these write to a file of the server, all others to another machine.
_LOCAL_FUNCTIONS = frozenset({"FILE", "NULL", "VALUES", "INPUT"})


def _insert_into_function(statement: Statement, at: int, server: SqlServer) -> Iterator[Operation]:
    """Yield what `INSERT INTO FUNCTION url(...)` does: rows go where the function writes."""
    name, place = statement.key(at), statement.text(at + 2)
    if name in _LOCAL_FUNCTIONS:
        yield server.effect(
            Verb.WRITE, "insert into function", statement, target=place, thing=ResourceType.FILE
        )
        return
    yield server.effect(
        Verb.NETWORK_OUT, "insert into function", statement, target=place or name.lower(),
        thing=ResourceType.URL, traits=frozenset({Trait.SENDS_FILES}), reversible=False,
    )  # fmt: skip


def _select(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the read, the table it makes by INTO, and the SQL its functions run."""
    yield server.effect(
        Verb.READ, statement.keys[0], statement, target=", ".join(named_tables(statement))
    )
    into = statement.find("INTO")
    following = statement.key(into + 1)
    if into > 0 and is_name(following) and following[0] not in "@_" and following not in {
        "OUTFILE", "DUMPFILE",
    }:  # fmt: skip
        yield server.effect(Verb.WRITE, "select into", statement, target=statement.name(into + 1))
    for at, word in enumerate(statement.keys):
        if word in SQL_RUNNERS and statement.key(at + 1) == "(":
            yield from _texts(statement.part(at, at + MAX_CALL), server)


def _explain(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """EXPLAIN only looks; EXPLAIN ANALYZE runs what it explains."""
    yield server.effect(Verb.READ, "explain", statement)


def _explains_only(statement: Statement) -> bool:
    for at, word in enumerate(statement.keys[:12]):
        if word in {"ANALYZE", "ANALYSE", "PROFILE"}:
            return statement.key(at + 1) in {"FALSE", "OFF", "0"}
    return True


def _execute(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """EXEC of a procedure runs code in the database; EXEC of a text runs that text."""
    if any(word in SQL_RUNNERS or word == "IMMEDIATE" for word in statement.keys[:6]) or (
        statement.key(1) in {"(", "'", "FORMAT", "CONCAT"}
    ):
        yield from _texts(statement, server)
        return
    if server.depth and statement.key(2) != "(":
        # In a block EXECUTE runs a text; a procedure is called by CALL or with its arguments.
        yield server.opaque("runs a text that is not known", statement.source)
        return
    yield server.effect(
        Verb.EXECUTE,
        statement.keys[0],
        statement,
        target=statement.name(1),
        thing=ResourceType.CODE,
    )


def _do(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """A DO block runs now: what is in it counts."""
    yield server.effect(Verb.EXECUTE, "do", statement, thing=ResourceType.CODE)
    languages = {
        statement.key(at + 1) for at, key in enumerate(statement.keys) if key == "LANGUAGE"
    }
    if "'" in statement.keys and languages <= {"PLPGSQL", "SQL"}:
        through_all = _goes_through_all(statement.source)
        for effect in _texts(statement, server):
            is_lost = effect.verb is Verb.DELETE and effect.thing is ResourceType.DATABASE
            more = effect.traits | {Trait.WHOLE_STORE}
            yield replace(effect, traits=more) if through_all and is_lost else effect
    elif languages:
        yield server.opaque("a block in a language that is not SQL", statement.source)


def _goes_through_all(block: str) -> bool:
    """Tell a loop over all that the database lists of itself, with nothing left out by its name."""
    text = block.upper()
    lists = any(
        name in text for name in ("PG_TABLES", "PG_CLASS", "INFORMATION_SCHEMA.", "SYS.TABLES")
    )
    return lists and "LOOP" in text and "LIKE" not in text and " ~" not in text


def _texts(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Read the first text of a statement as SQL, adjoining pieces put together."""
    texts = [index for index, current in enumerate(statement.keys) if current == "'"]
    if not texts or server.depth >= MAX_TEXT_DEPTH:
        yield server.opaque("runs a text that is not known", statement.source)
        return
    at = texts[0]
    text = statement.text(at)
    while statement.key(at + 1) in {"+", "|"}:
        at += 3 if statement.key(at + 1) == "|" else 2
        if statement.key(at) != "'":
            yield server.opaque("runs a text that is only partly known", statement.source)
            break
        text += statement.text(at)
    found, is_closed = statements(text, server.lexis)
    if not is_closed:
        yield server.opaque("runs a text that cannot be read", statement.source)
    inner = replace(server, depth=server.depth + 1)
    for part in found:
        yield from effects_of(part, inner)


def _prepare(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    if "'" in statement.keys and statement.find("FROM") > 0:
        yield from _texts(statement, server)
    else:
        yield server.effect(Verb.INERT, "prepare", statement)


_GLOBAL_SETS = frozenset({"GLOBAL", "PERSIST", "PERSIST_ONLY", "@@GLOBAL", "@@PERSIST"})
_LOGS = frozenset({"SQL_LOG_BIN", "GENERAL_LOG", "SQL_LOG_OFF", "AUDIT_LOG", "LOG_STATEMENT"})


def _set(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """SET changes the session; some forms change the server, an account or who one is."""
    words = frozenset(statement.keys[1:8])
    target = statement.name(1)
    if statement.key(1) == "PASSWORD":
        yield server.effect(Verb.CONFIGURE, "set password", statement, thing=ResourceType.ACCOUNT)
    elif statement.key(1) == "ROLE" or "AUTHORIZATION" in words:
        yield server.effect(Verb.PRIVILEGE, "set role", statement, thing=ResourceType.ACCOUNT)
    elif not _LOGS.isdisjoint(words):
        yield server.effect(
            Verb.CONFIGURE, "set", statement, target=target, thing=ResourceType.PROTECTION,
            traits=frozenset({Trait.BLINDS}),
        )  # fmt: skip
    elif not _GLOBAL_SETS.isdisjoint(words):
        yield server.effect(
            Verb.CONFIGURE, "set global", statement, target=target,
            traits=frozenset({Trait.GLOBAL}),
        )  # fmt: skip
    else:
        yield server.effect(Verb.INERT, "set", statement, target=target)


def _load(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """LOAD DATA brings rows from a file; a bare LOAD brings code into the server."""
    if statement.key(1) not in {"DATA", "XML", "INDEX", "TABLE", "LOCAL"}:
        yield server.opaque("loads code into the server", statement.source)
        return
    if "INFILE" in statement.keys:
        at = statement.keys.index("INFILE")
        yield server.effect(
            Verb.READ,
            "load data",
            statement,
            target=statement.text(at + 1),
            thing=ResourceType.FILE,
        )
    yield server.effect(
        Verb.WRITE, "load data", statement, target=statement.name(_after_into(statement))
    )


def _after_into(statement: Statement) -> int:
    at = statement.find("INTO") + 1
    return at + 1 if statement.key(at) == "TABLE" else at


def _reset(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """RESET MASTER drops the binary logs; any other RESET is the session's own."""
    if statement.key(1) in {"MASTER", "BINARY", "REPLICA", "SLAVE"}:
        yield server.effect(
            Verb.DELETE, "reset master", statement, thing=ResourceType.BACKUP,
            traits=frozenset({Trait.SCHEMA_LOSS}), reversible=False,
        )  # fmt: skip
    else:
        yield server.effect(Verb.INERT, "reset", statement)


def _pragma(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """A PRAGMA with a value sets it; any other asks."""
    name = statement.name(1)
    if "=" not in statement.keys:
        yield server.effect(Verb.READ, "pragma", statement, target=name)
        return
    traits = frozenset({Trait.WEAKENS}) if name.lower() == "writable_schema" else NO_TRAITS
    yield server.effect(Verb.CONFIGURE, "pragma", statement, target=name, traits=traits)


def _vacuum(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    if statement.key(1) == "INTO":
        yield server.effect(
            Verb.WRITE, "vacuum into", statement, target=statement.text(2), thing=ResourceType.FILE,
            traits=frozenset({Trait.SENDS_FILES}),
        )  # fmt: skip
    # Delta Lake: the files that would go are listed.
    is_tried = statement.keys[-2:] == ("DRY", "RUN") or statement.keys[-3:] == ("DRY", "RUN", ";")
    verb = Verb.READ if is_tried else Verb.WRITE
    yield server.effect(verb, "vacuum", statement, target=_target(statement))


_GRAPH_DELETES = frozenset({"DELETE", "REMOVE", "DROP"})
_GRAPH_WRITES = frozenset({"CREATE", "MERGE", "SET", "FOREACH", "LOAD", "CALL"})


def _graph(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """A query of a graph (Cypher): it reads unless a word in it writes or deletes."""
    words = frozenset(statement.keys)
    if words & _GRAPH_DELETES:
        is_whole = "WHERE" not in words and "{" not in statement.source
        yield server.effect(
            Verb.DELETE, "delete", statement, traits=_UNBOUNDED if is_whole else NO_TRAITS,
            reversible=False,
        )  # fmt: skip
    elif words & _GRAPH_WRITES:
        yield server.effect(Verb.WRITE, "match", statement)
    else:
        yield server.effect(Verb.READ, "match", statement)


HANDLERS: Mapping[str, Handler] = {
    "SELECT": _select, "WITH": _select, "VALUES": _select, "TABLE": _select, "FROM": _select,
    "PERFORM": _select, "INSERT": _insert, "REPLACE": _insert, "UPDATE": _update,
    "DELETE": _delete, "MERGE": _merge, "DROP": drop_effects, "TRUNCATE": truncate_effects,
    "CREATE": create_effects, "ALTER": alter_effects, "COPY": copy_effects,
    "EXPLAIN": _explain, "EXEC": _execute, "EXECUTE": _execute, "DO": _do, "PREPARE": _prepare,
    "MATCH": _graph, "OPTIONAL": _graph, "UNWIND": _graph, **UNLOADS,
    "SET": _set, "PRAGMA": _pragma, "LOAD": _load, "RESET": _reset, "VACUUM": _vacuum,
}  # fmt: skip
