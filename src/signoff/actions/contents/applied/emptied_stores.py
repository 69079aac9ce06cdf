"""Code of databases that empties them: all tables in a loop, whole databases, globals, generations.

FOR r IN SELECT tablename FROM pg_tables LOOP EXECUTE 'DROP TABLE ' || r ...      in a migration
CREATE EVENT e ON SCHEDULE AT '...' DO DROP DATABASE archive                      at its time
 K ^DPT,^LR                                                                       M: whole globals
  DELETE PROD.BACKUP.GDG GENERATIONDATAGROUP PURGE FORCE                          JCL

Partitions chosen by name, schemas of tests, a database that is made again at once and scratch
globals are ordinary.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.contents.applied.emptied_catalogues import emptied_catalogue
from signoff.actions.vocabulary import lazy_re2, words

_READ = 60_000  # characters
_MOST = 60
_CATALOGUE = lazy_re2(
    r"(?i)\b(?:pg_(?:catalog\.)?(?:tables|class|database|namespace)|information_schema\W{1,3}(?:tables|schemata)"
    r"|sys\.(?:tables|objects|databases|schemas)|(?:user|all|dba)_(?:tables|objects|users)|sqlite_master"
    r"|syscat\.tables|sysobjects|sysdatabases|sp_msforeach(?:table|db)|show\s+(?:tables|databases))\b"
)
_RUNS_TEXT = lazy_re2(r"(?i)\b(?:execute|exec|prepare|sp_executesql|sp_msforeach\w+|immediate)\b")
_EMPTIES = lazy_re2(
    r"(?i)['\"(]\s*(?:drop\s+(?:table|schema|database|user)|truncate\s+(?:table\s+)?|delete\s+from)\b"
    r"[^'\"\n]{0,60}(?:%|'|\"|\?|\{|\|\||\+|\$)"
)
# Only some are chosen, by their name.
_CHOSEN = lazy_re2(
    r"(?i)\b(?:table_?name|relname|tablename|object_name|t\.name|name|inhrelid\S*|partition\w*)\s*"
    r"(?:i?like|~\*?|similar\s+to|=|in|<|between)\s*[('\"@:\w]|\bpg_inherits\b|\brelispartition\b"
    r"|\bschema\w*\s*(?:=|like)\s*'(?:test|tmp|temp|staging|scratch|pg_temp)"
)
_NOT_CHOSEN = lazy_re2(r"(?i)\bnot\s+(?:i?like|in|similar)\b|<>|!=")
_RUNS_UNASKED = lazy_re2(
    r"(?i)\bcreate\s+(?:or\s+(?:replace|alter)\s+)?(?:definer\s*=\s*\S+\s+)?(?:procedure|function|event|trigger|proc)\b"
    r"|\bcron\.schedule\b|\bdbms_(?:scheduler|job)\b|\bsp_add_job\w*\b"
)
_MIGRATION = lazy_re2(
    r"(?i)/(?:migrations?|migrate|flyway|liquibase|changelogs?|alembic/versions|initdb\.d|docker-entrypoint-initdb\.d)/"
    r"|/[vr]\d[\w.]*__[^/]*\.sql$|/\d{8,14}_[^/]*\.sql$"
)
_DOWN = lazy_re2(r"(?i)(?:^|[/._-])(?:down|undo|rollback|revert|teardown)(?:[/._-]|$)")
_DATABASE = lazy_re2(r"(?i)\bdrop\s+database\s+(?:if\s+exists\s+)?[\"'`\[]?([\w-]+)")
_TRIAL = lazy_re2(
    r"(?i)(?:^|[_-])(?:tests?|dev|ci|demo|tmp|temp|scratch|local|sandbox|example)(?:[_-]|$)"
)
_KILL = lazy_re2(
    r"(?im)^[^;\n]*?[\s.]k(?:ill)?(?::\S+)?\s+(\(?\^[%a-z][\w.]*(?:\([^()\n]{0,60}\))?(?:\s*,\s*\^[%a-z][\w.]*(?:\([^()\n]{0,60}\))?)*)"
)
_GLOBAL = lazy_re2(r"(?i)\^([%a-z][\w.]*)(\([^()\n]{0,60}\))?")
_SCRATCH = lazy_re2(r"(?i)tmp|temp|utility|scratch|cache|xtmp|idx|index|work|^%|log$")
_SETS = lazy_re2(r"(?i)[\s,.]s(?:et)?(?::\S+)?\s+[^\n]{0,200}?(\^[%a-z][\w.]*\()")
_M_FILES = words("mac int m rou ro rtn mumps mps inc")
_GENERATIONS = lazy_re2(
    r"(?im)^\s+DELETE\s+[\w.#@$*]*(?:BACKUP|BKUP|SICHER|SAVE|ARCHIV|COPY)[\w.#@$*]*[^\n]*\b(?:FORCE|PURGE)\b"
)


def emptied_store(text: str, path: str) -> str:
    """Return the part of a text by which a database or its copies are emptied, "" if none."""
    head = text[:_READ]
    if path.lower().rpartition(".")[2] in _M_FILES:
        return _killed(head)
    generations = _GENERATIONS.search(head)
    if generations is not None:
        return str(generations.group()).strip()
    is_event = _RUNS_UNASKED.search(head) is not None
    if not is_event and not is_migration(path):
        return emptied_catalogue(head, path)
    return emptied_catalogue(head, path) or _loop(head) or next(_dropped(head), "")


def is_migration(path: str) -> bool:
    """Return whether a file is a migration that goes forward, so that every database gets it."""
    return _MIGRATION.search(path) is not None and _DOWN.search(path) is None


def _loop(text: str) -> str:
    """The statement that a loop over all tables or databases runs for each."""
    if _CATALOGUE.search(text) is None or _RUNS_TEXT.search(text) is None:
        return ""
    empties = _EMPTIES.search(text)
    return str(empties.group()) if empties is not None and not _chooses(text) else ""


def _chooses(text: str) -> bool:
    """Whether a condition says by name which tables are meant, not only which are left out."""
    kept = [line for line in text.split("\n") if _NOT_CHOSEN.search(line) is None]
    return _CHOSEN.search("\n".join(kept)) is not None


def _dropped(text: str) -> Iterator[str]:
    said = " ".join(text.lower().split())
    for match in islice(_DATABASE.finditer(text), _MOST):
        name = str(match.group(1)).lower()
        made = f"create database {name}", f"create database if not exists {name}"
        is_made = any([one in said for one in made])
        if _TRIAL.search(name) is None and not is_made and name not in {"if", "format"}:
            yield str(match.group())


def _killed(text: str) -> str:
    """The KILL of whole globals that are neither scratch nor filled again by the same routine."""
    found: list[str] = []
    filled = frozenset(str(m.group(1)).lower() for m in islice(_SETS.finditer(text), 4 * _MOST))
    for match in islice(_KILL.finditer(text), _MOST):
        for one in islice(_GLOBAL.finditer(match.group(1)), _MOST):
            name, within = str(one.group(1)), str(one.group(2) or "")
            is_whole = not within or within[1:-1].isdigit()
            is_own = f"^{name}(".lower() in filled
            if is_whole and not is_own and _SCRATCH.search(name) is None:
                found.append(str(one.group()))
    names = list(dict.fromkeys(found))
    # A routine's own data: names of a site begin with Z (SAC 2.2).
    is_site = all([name.lower().startswith("^z") for name in names])
    return ", ".join(names) if names and not is_site else ""
