"""The server a text is meant for: how far it reaches, and Operations made in its name."""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.sql.lexis import STANDARD, Lexis
from signoff.actions.sql.statement import Statement, is_name

NO_TRAITS: frozenset[Trait] = frozenset()
SERVER_PROGRAM = "server program"  # what runs a line in a shell of the database's machine
_PRODUCTION_NAMES = frozenset({"prod", "production", "prd"})
_NOT_TABLES = frozenset({"SELECT", "WHERE", "VALUES", "LATERAL", "ONLY", "UNNEST", "JSON_TABLE"})
_MAX_TABLES = 8
_SHOWS = frozenset({"SHOW", "DESCRIBE", "DESC", "EXPLAIN"})
# `SHOW CREATE USER` prints a hash.
_SECRET_SHOWS = frozenset({"USER", "PASSWORD", "ROLE", "SECRET", "SECRETS", "ANALYZE", "ANALYSE"})
# With these a table may be named that stands behind no FROM.
_JOINING = frozenset({"UNION", "TABLE", "INTERSECT", "EXCEPT", "MINUS"})
_CATALOGUES = (
    "information_schema.", "performance_schema.", "pg_stat_", "pg_locks", "pg_settings", "pg_class",
    "pg_tables", "pg_indexes", "pg_database", "pg_namespace", "pg_catalog.pg_stat_", "system.parts",
    "system.mutations", "system.merges", "system.tables", "system.columns", "system.disks",
)  # fmt: skip


class SqlServer(Struct, frozen=True, kw_only=True):
    """The database a script runs on, with what its Operations have in common."""

    reach: Reach = Reach.PROJECT
    group: int = 0
    program: str = "sql"
    lexis: Lexis = STANDARD
    depth: int = 0  # texts run as SQL inside texts run as SQL

    def effect(  # noqa: PLR0913 - an Operation has that many sides, and this is where they meet
        self,
        verb: Verb,
        does: str,
        statement: Statement,
        *,
        target: str = "",
        thing: ResourceType = ResourceType.DATABASE,
        traits: frozenset[Trait] = NO_TRAITS,
        reversible: bool = True,
    ) -> Operation:
        """Build the Operation of a statement; `does` names it, as `drop table`."""
        return Operation(
            verb=verb,
            thing=thing,
            target=target,
            reach=Reach.NONE if _describes(does, statement) else self._reach(target, thing),
            traits=traits,
            reversible=reversible,
            program=f"{self.program} {does.lower()}",
            source=statement.source,
            group=self.group,
        )

    def opaque(self, why: str, source: str, *, target: str = "", does: str = "") -> Operation:
        """Build the Operation for a statement whose effect is unknown."""
        return Operation(
            verb=Verb.EXECUTE,
            thing=ResourceType.DATABASE,
            target=target,
            reach=self.reach,
            reversible=False,
            understood=False,
            program=f"{self.program} {does}" if does else self.program,
            source=source[:200],
            why=why,
            group=self.group,
        )

    def _reach(self, target: str, thing: ResourceType) -> Reach:
        if thing in {ResourceType.FILE, ResourceType.URL}:
            return Reach.REMOTE
        if self.reach is not Reach.PRODUCTION and "pr" in target.lower():
            words = target.lower().replace("_", " ").replace(".", " ").replace("-", " ").split()
            if not _PRODUCTION_NAMES.isdisjoint(words):
                return Reach.PRODUCTION
        return self.reach


def _describes(does: str, statement: Statement) -> bool:
    """Tell what shows how a server is set up or works, and no row of a table."""
    lead, keys = does.upper(), statement.keys
    if lead in _SHOWS:
        return _SECRET_SHOWS.isdisjoint(keys)
    if lead != "SELECT" or "FROM" not in keys or not _JOINING.isdisjoint(keys):
        return False
    at = keys.index("FROM")
    tables = named_tables(statement)
    is_listed = 0 < len(tables) < _MAX_TABLES and "," not in keys[at:]
    return is_listed and all([table.lower().startswith(_CATALOGUES) for table in tables])


def named_tables(statement: Statement) -> tuple[str, ...]:
    """Return the names after FROM and JOIN in order, without repeats, at most eight."""
    keys, names = statement.keys, dict[str, None]()
    for index, current in enumerate(keys[:-1]):
        if current in {"FROM", "JOIN"}:
            following = keys[index + 1]
            if is_name(following) and following not in _NOT_TABLES:
                names[statement.name(index + 1)] = None
    return tuple(names)[:_MAX_TABLES]
