"""Database clients and servers: the SQL or command they are given is taken apart.

What a client reads from files or standard input is SQL too. Dumps read, restores overwrite,
`dropdb` is a whole database.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import UNKNOWN_MARK, ProgramCall
from signoff.actions.programs.lexicon import is_production, split_name
from signoff.actions.programs.program import Handler
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# Names of files that are loaded while a project is set up or looked at.
DAILY = words(
    "schema structure seed seeds init setup fixtures views functions query queries report"
)
LOSING = words("drop reset clean cleanup truncate wipe delete purge down rollback undo restore")
FIXTURES = words("fixtures fixture seeds testdata test-data")
# What ends the sessions of whoever is connected.
STOPS_OTHERS = lazy_re(r"(?i)\bpg_(?:terminate|cancel)_backend\s*\(|^\s*kill\s+(?:query\s+)?\d")
# Commands of sqlite-utils that look, and that add to a file of the project.
TABLE_READS = words("tables views rows schema triggers indexes search analyze-tables")
TABLE_CODE = ("--convert", "--functions", "--load-extension", "--truncate", "--replace")
TABLE_WRITES = words(
    "insert upsert create-table create-index create-view add-column add-foreign-key enable-fts"
)
# Names of sites that only this machine answers to.
NEAR_SITES = (".localhost", ".local", ".test")
LOOKING = ("select", ".schema", ".tables", ".dump", ".databases", "explain", "pragma table_info")


def environment_of(call: ProgramCall) -> str:
    """Return `production` if the address, host or database is named so, else ""."""
    words = (*call.command.words[1:], *(word for _, word in call.command.assignments))
    # The raw word, too: `$PROD_URL` says it by the variable's name, whatever its value.
    named = any(
        is_production(word.raw) or is_production(word.text) for word in words if not word.has_glob
    )
    return "production" if named else ""


def client(language: str, *options: str, files: str = "", operand: int = -1) -> Handler:
    """Return the handler of a database client.

    Args:
        language: of its statements.
        options: those that take a statement.
        files: those that take a file, separated by blanks.
        operand: index of the operand that is a statement; -1 = none.
    """
    file_options = tuple(files.split())

    def run(call: ProgramCall) -> Iterator[Effect]:
        environment = environment_of(call)
        texts = list(call.values(*options))
        if operand >= 0:
            texts.extend(call.operands[operand:])
        # sqlite3 and duckdb name the database's file before the statements.
        if operand == 1:
            yield from _opened(call, texts)
        yield from () if environment else _stopped(call, texts)
        for text in texts:
            yield statement(call, text, language, environment)
            if not text.is_known and len(text.text.split()) > 1:
                # What stands around the unknown part still says what is done: `DROP DATABASE $d`.
                known = replace(
                    text, text=text.text.replace(UNKNOWN_MARK, "unknown"), is_known=True
                )
                yield statement(call, known, language, environment)
        for word in call.values(*file_options):
            yield from script(call, word, language, environment)
        if not texts and not call.values(*file_options):
            yield from _fed(call, language, environment)

    return run


def file_tables() -> Handler:
    """Return the handler of sqlite-utils: a command on tables of a file, or a statement."""
    statements = client("sql", "-c", operand=1)

    def run(call: ProgramCall) -> Iterator[Effect]:
        named = [word.text for word in call.operands[:1] if word.is_known]
        is_plain = not call.has(*TABLE_CODE)
        if is_plain and named and named[0] in TABLE_READS | TABLE_WRITES:
            verb = Verb.READ if named[0] in TABLE_READS else Verb.WRITE
            yield call.operation(verb, ResourceType.DATABASE, named[0], reach=Reach.PROJECT)
        else:
            yield from statements(call)

    return run


def _stopped(call: ProgramCall, texts: list[Word]) -> Iterator[Effect]:
    """Sessions of others that end on another machine's server; production is told by its name."""
    if any([STOPS_OTHERS.search(text.text) is not None for text in texts]) and _is_far(call):
        yield call.operation(
            Verb.CONTROL, ResourceType.SERVICE, "sessions of others", reach=Reach.REMOTE
        )


def _is_far(call: ProgramCall) -> bool:
    """Tell whether an option or an address names another machine's server."""
    hosts = [word.text for word in call.values("-h", "--host")]
    urls = [word.text for word in call.command.words[1:] if "://" in word.text]
    return any([not is_near_url(f"tcp://{host}") for host in hosts if host[:1] != "/"]) or any(
        [not is_near_url(url) for url in urls]
    )


def _plain_path(word: Word) -> Word:
    """Return the file of a database that is named by a URI (`file:app.db?mode=ro`)."""
    if not word.text.startswith("file:"):
        return word
    # SQLite takes URIs (RFC 8089), by which a protected file would have another name.
    path = word.text.removeprefix("file:").partition("?")[0].partition("#")[0]
    host, slash, rest = path.removeprefix("//").partition("/")
    is_local = path.startswith("//") and slash and host in ("", "localhost")
    return replace(word, text=unquote(f"/{rest}" if is_local else path))


def _opened(call: ProgramCall, texts: list[Word]) -> Iterator[Effect]:
    """The file of the database: of the guard's, what is not a look changes it."""
    looks = texts and all(text.text.lstrip().lower().startswith(LOOKING) for text in texts)
    for word in map(_plain_path, call.operands[:1]):
        opened = call.on_file(Verb.READ if looks else Verb.WRITE, word)
        # threats.md T-43: rows written into the guard's store would be approvals.
        if opened.file_kind is FileKind.GUARD:
            yield opened
        # A browser's logins and cookies; and what is printed may come from a fetched file.
        elif opened.file_kind in SECRET_KINDS or (looks and word.text[:1] not in ("", ":")):
            yield call.on_file(Verb.READ, word)


def statement(call: ProgramCall, text: Word, language: str, environment: str) -> Nested:
    """Return a statement from the command line as nested code."""
    return Nested(
        text=text.text,
        language=language,
        carrier=call.name,
        is_known=text.is_known,
        environment=environment,
    )


def script(call: ProgramCall, word: Word, language: str, environment: str) -> Iterator[Effect]:
    """Yield the effects of a file of statements: its text if known."""
    operation = call.on_file(Verb.READ, word)
    yield operation
    fact = call.place.files.get(operation.path)
    if fact is not None and fact.text is not None:
        yield Nested(text=fact.text, language=language, carrier=call.name, environment=environment)
    else:
        yield run_unread(call, word.text)


def run_unread(call: ProgramCall, name: str) -> Operation:
    """Build the Operation of running unread statements on a database of the project.

    The project's own schema, seeds and queries are loaded every day, as their names say.
    """
    at = locate(name, call.place)
    parts = set(split_name(name.rpartition("/")[2].rpartition(".")[0]))
    # A word of loss outweighs: `reset_schema.sql` is not loaded every day.
    # Data that tests load, into a database that is named for tests.
    is_fixture = not FIXTURES.isdisjoint(name.lower().split("/")[:-1]) and _is_for_tests(call)
    is_usual = bool(parts & DAILY) or is_fixture
    is_daily = at.reach is Reach.PROJECT and is_usual and parts.isdisjoint(LOSING)
    return call.operation(
        Verb.EXECUTE,
        ResourceType.DATABASE,
        name,
        reach=Reach.PROJECT,
        traits=() if is_daily and not environment_of(call) else (Trait.SCHEMA_LOSS,),
    )


def _is_for_tests(call: ProgramCall) -> bool:
    """Tell whether the database on this machine is named for tests: `app_test`."""
    named = [
        *call.texts,
        *[word.text for word in call.values("-d", "--dbname", "--database", "-D")],
    ]
    parts = {part for text in named for part in split_name(text)}
    return "test" in parts and not _is_far(call)


def _fed(call: ProgramCall, language: str, environment: str) -> Iterator[Effect]:
    stream = call.command.stdin
    if stream is None:
        yield call.operation(Verb.READ, ResourceType.DATABASE)
    elif stream.text is not None:
        yield Nested(
            text=stream.text, language=language, carrier=call.name, environment=environment
        )
    elif stream.path:
        yield from script(call, Word(text=stream.path), language, environment)
    else:
        yield call.opaque("its statements come on standard input")


CONNECTIONS = ("pg:", "postgresql:", "mysql:", "mssql:", "oci:", "odbc:", "mongodb:", "mongodbv3:")


# GDAL's own names for the standard output and for files in the memory of the process.
_IN_MEMORY = ("/vsistdout/", "/vsistdout_redirect/", "/vsimem/")


def maps(call: ProgramCall) -> Iterator[Effect]:
    """`ogrinfo PG:SETTINGS -sql TEXT`, `ogr2ogr -f FORMAT TO FROM`: maps in files and databases."""
    environment = environment_of(call)
    copies, to = call.name == "ogr2ogr", call.operands[:1]
    reached = [word for word in call.operands if word.text.lower().startswith(CONNECTIONS)]
    for text in call.values("-sql"):
        if text.text[:1] == "@":  # the name of a file of statements
            named = replace(text, text=text.text[1:])
            yield from script(call, named, "psql", environment)
        else:
            yield statement(call, text, "psql", environment)
    for word in to if copies else ():
        if word.text.startswith(_IN_MEMORY):
            continue
        if word not in reached:
            yield call.on_file(Verb.WRITE, word)
            continue
        # `-overwrite` drops a table that is there already.
        is_new = not call.has("-overwrite", "-overwrite_ds")
        yield call.operation(
            Verb.WRITE if is_new else Verb.DELETE,
            ResourceType.DATABASE,
            word.text,
            reach=Reach.PRODUCTION if environment else Reach.PROJECT,
            traits=() if is_new else (Trait.SCHEMA_LOSS,),
            reversible=is_new and not environment,
        )
    if reached and not copies:
        yield call.operation(Verb.READ, ResourceType.DATABASE)


def bench(call: ProgramCall) -> Iterator[Effect]:
    """`bench start` of a framework; the timer of that name runs a quoted line: `bench 'x y'`."""
    for word in call.operands:
        if " " in word.text.strip():
            yield Nested(
                text=word.text, language="shell", carrier=call.name, is_known=word.is_known
            )
    live = [name for name in _sites(call) if not name.endswith(NEAR_SITES)]
    if live and not ON_SITE.isdisjoint(call.texts):
        # Whoever uses the site is affected at once.
        yield call.operation(
            Verb.EXECUTE, ResourceType.DATABASE, live[0], reach=Reach.PRODUCTION, reversible=False
        )
        return
    yield call.operation(
        Verb.EXECUTE, ResourceType.CODE, " ".join(call.texts[:2]), reach=Reach.PROJECT,
        reversible=True,
    )  # fmt: skip


# What changes the data of a site, or runs code on it.
ON_SITE = words(
    "migrate execute console mariadb postgres install-app uninstall-app run-patch set-config "
    "set-admin-password add-system-manager disable-user import-doc import-csv data-import "
    "transform-database trim-tables trim-database partial-restore"
)


def _sites(call: ProgramCall) -> list[str]:
    """The sites that `--site` names by the address they are reached at."""
    return [word.text for word in call.values("--site") if "." in word.text]


def site(call: ProgramCall) -> Iterator[Effect]:
    """`bench drop-site NAME`, `--site NAME reinstall`: the database of a site, and its files."""
    given = call.command.words[1:]
    named = [word.text for word in given if "." in word.text and "/" not in word.text]
    every = call.has("--all-sites") or any([word.text == "all" for word in given])
    near = bool(named) and all([name.endswith(NEAR_SITES) for name in named])
    yield call.operation(
        Verb.DELETE,
        ResourceType.DATABASE,
        "all" if every else " ".join(named),
        # A copy is put aside first, unless the call says that none is.
        traits=(Trait.WHOLE_STORE,)
        if call.has("--no-backup") and not near
        else (Trait.SCHEMA_LOSS,),
        reach=Reach.PROJECT if near else Reach.UNKNOWN,
        reversible=False,
    )


def skeema_push(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `skeema push [ENVIRONMENT]`: without a name it is the environment `production`."""
    name = call.texts[0] if call.operands else "production"
    loses = call.has("--allow-unsafe")
    yield call.operation(
        Verb.DELETE if loses else Verb.WRITE,
        ResourceType.DATABASE,
        name,
        traits=(Trait.SCHEMA_LOSS,) if loses else (),
        reach=Reach.PRODUCTION if is_production(name) else Reach.PROJECT,
        reversible=not loses,
    )


def restore(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `pg_restore`, `mongorestore`: with cleaning it drops what is there."""
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
    if _is_no_restore(call):
        # It lists what a dump holds, or writes the statements down: no database is opened.
        texts = [word.text for word in call.command.words]
        files = [word for at, word in enumerate(call.command.words) if texts[at - 1] in _SCRIPTS]
        yield from (call.on_file(Verb.WRITE, word) for word in files)
        yield call.operation(Verb.READ, ResourceType.DATABASE)
        return
    # pg_restore `-c -C` drops the database; `mongorestore --drop` each collection.
    lossy = call.has("-c", "--clean", "--drop", "-C", "--create")
    yield call.operation(
        Verb.WRITE,
        ResourceType.DATABASE,
        " ".join(call.texts[:1]),
        traits=(Trait.SCHEMA_LOSS,) if lossy else (),
        reach=Reach.PRODUCTION if environment_of(call) else Reach.PROJECT,
    )


_SCRIPTS = frozenset({"-f", "--file"})


def _is_no_restore(call: ProgramCall) -> bool:
    """Tell `pg_restore --list`, `pg_restore -f out.sql` without a database, a dry run."""
    names = {word.text.partition("=")[0] for word in call.command.words[1:]}
    if call.name == "mongorestore":
        return not names.isdisjoint({"--dryRun", "--dry-run"})
    if call.name != "pg_restore":
        return False
    is_named = any([name.startswith("-d") or name == "--dbname" for name in names])
    return not names.isdisjoint({"-l", "--list"}) or (not is_named and bool(names & _SCRIPTS))
