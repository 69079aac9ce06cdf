"""Frameworks' own commands and migration tools: Django, Flask, alembic, prisma, flyway and more.

Migrating a development database forwards is ordinary work; dropping, emptying, resetting and
going back loses data. A production environment named on the line makes each of them worse.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    BUILD,
    CHANGES_PROJECT,
    FAR_CHANGE,
    LOGS_IN,
    LOOK,
    SERVES,
    SERVES_ALL,
    TAKEN_OUT,
)
from signoff.actions.programs.lexicon import is_production, split_name, words
from signoff.actions.programs.program import Handler, Program, program, sub

LOSING = words(
    "flush reset drop downgrade rollback down undo clean wipe truncate purge revert redo fresh "
    "refresh sqlflush reset_db drop_all delete_all clear undone dropdb dropall"
)
LOOKING = words(
    "status show list info check history current heads branches validate plan diff help version "
    "ls showmigrations sqlmigrate inspectdb pending describe dry-run sql"
)


def changed_schema(call: Call, name: str, *, lossy: bool, whole: bool = False) -> Effect:
    """Say that a schema is changed, and whether data is lost by it."""
    named = [w.text for _, w in call.command.assignments] + [w.text for w in call.command.words]
    production = any(is_production(text) for text in named)
    traits = {Trait.SCHEMA_LOSS} if lossy else set()
    if whole and production:
        traits.add(Trait.WHOLE_STORE)
    return call.operation(
        Verb.DELETE if lossy else Verb.WRITE,
        Thing.DATABASE,
        name,
        traits=traits,
        reach=Reach.PRODUCTION if production else Reach.PROJECT,
        reversible=not lossy,
    )


def migrates(*, words_read: int = 3) -> Handler:
    """Make the handler of a migration tool: its words say whether data is lost."""

    def run(call: Call) -> Iterator[Effect]:
        names = call.texts[:words_read]
        parts = {p for text in names for p in (text, *split_name(text))}
        forced = {"--force-reset", "--accept-data-loss", "--drop", "--fresh"}
        if parts & LOSING or any(o.name in forced for o in call.options):
            yield changed_schema(call, " ".join(names), lossy=True)
        elif parts & LOOKING or not names:
            yield from call.perform(LOOK)
        else:
            yield changed_schema(call, " ".join(names), lossy=False)

    return run


def _django_migrate(call: Call) -> Iterator[Effect]:
    """`migrate app zero` and `migrate app 0003` go back; without a target it goes forwards."""
    if call.has("--plan", "--check", "--list"):
        yield from call.perform(LOOK)
        return
    back = "zero" in call.texts or call.has("--fake-zero")
    yield changed_schema(call, "migrate " + " ".join(call.texts), lossy=back)


def _loses(call: Call) -> Iterator[Effect]:
    yield changed_schema(call, call.name, lossy=True)


def _django_shell(call: Call) -> Iterator[Effect]:
    for code in call.values("-c", "--command"):
        yield Nested(
            text=code.text, language="python", carrier="manage.py shell", is_known=code.is_known
        )
    stream = call.command.stdin
    if stream is not None and stream.text is not None:
        yield Nested(text=stream.text, language="python", carrier="manage.py shell <stdin>")
    elif stream is not None:
        yield call.opaque("runs what arrives on its standard input", Trait.INLINE)
    else:
        yield from call.perform(BUILD)


def _dbshell(call: Call) -> Iterator[Effect]:
    """`manage.py dbshell`: SQL behind `--` or on standard input."""
    stream = call.command.stdin
    for value in call.values("-c"):
        yield Nested(text=value.text, language="sql", carrier="dbshell", is_known=value.is_known)
    for before, word in zip(call.operands, call.operands[1:], strict=False):
        if before.text in {"-c", "-e", "--command"}:
            yield Nested(text=word.text, language="sql", carrier="dbshell", is_known=word.is_known)
    if stream is not None and stream.text is not None:
        yield Nested(text=stream.text, language="sql", carrier="dbshell <stdin>")
    elif stream is not None:
        yield call.opaque("runs SQL from its standard input")
    else:
        yield from call.perform(BUILD)


def served(call: Call) -> Iterator[Effect]:
    """A development server; on every interface only where the line says so."""
    told = (
        *call.texts,
        *(w.text for w in call.values("-h", "--host", "--hostname", "-b", "--bind")),
    )
    wide = any(text.startswith(EVERYWHERE) for text in told)
    yield from call.perform(SERVES_ALL if wide else SERVES)


def _task(call: Call) -> Iterator[Effect]:
    """A command the project made: by its name."""
    name = call.texts[0] if call.operands else ""
    if set(split_name(name)) & LOSING and name:
        yield changed_schema(call, name, lossy=True)
    else:
        yield from call.perform(BUILD)


def _prisma_execute(call: Call) -> Iterator[Effect]:
    """`prisma db execute --file x.sql`: SQL that was not read."""
    for word in call.values("--file"):
        yield call.on_file(Verb.READ, word)
    yield changed_schema(call, "db execute", lossy=True)


def _sqlx_drop(call: Call) -> Iterator[Effect]:
    """`sqlx database drop`: the whole database goes."""
    yield call.operation(
        Verb.DELETE,
        Thing.DATABASE,
        "database drop",
        traits=(Trait.WHOLE_STORE,),
        reach=Reach.PROJECT,
        reversible=False,
    )


EVERYWHERE = ("0.0.0.0", "[::]", "::")  # noqa: S104 - to compare with, nothing is bound
DJANGO_VALUES = "--settings --pythonpath -v --verbosity --database --format -o --output --indent"
DJANGO = program(
    "manage.py django-admin django-admin.py",
    values=DJANGO_VALUES,
    subs={
        "migrate": sub(handler=_django_migrate, values=DJANGO_VALUES),
        "flush sqlflush reset_db reset_schema truncate remove_stale_contenttypes delete_squashed": (
            sub(handler=_loses, values=DJANGO_VALUES)
        ),
        "clearsessions clear_cache clearcache rebuild_index update_index": CHANGES_PROJECT,
        "makemigrations startapp startproject compilemessages makemessages squashmigrations "
        "collectstatic optimizemigration createcachetable": sub(
            CHANGES_PROJECT, values=DJANGO_VALUES, harmless="--dry-run -n --check"
        ),
        "loaddata seed": sub(handler=migrates(), values=DJANGO_VALUES),
        "dumpdata": sub(BUILD, writes="-o --output", values="--format --indent"),
        "createsuperuser changepassword": sub(LOGS_IN),
        "shell shell_plus": sub(handler=_django_shell, values="-c --command -i --interface"),
        "dbshell": sub(handler=_dbshell, values="--database"),
        "runserver runserver_plus testserver": sub(handler=served, values=DJANGO_VALUES),
        "sendtestemail": FAR_CHANGE,
        "check test showmigrations sqlmigrate diffsettings inspectdb findstatic help version "
        "show_urls": BUILD,
    },
    handler=_task,
)


FLASK = program(
    "flask quart",
    values="-A --app -e --env-file",
    subs={
        "run": sub(handler=served, values="-h --host -p --port --cert --key"),
        "shell routes": BUILD,
        "db": sub(handler=migrates(words_read=1), values="-m --message -d --directory --rev-id"),
    },
    handler=_task,
)
MIGRATION_VALUES = (
    "-c --config -n --name -x -m --message --rev-id --url -d --dir --database-url -D --schema "
    "--env -e -p --path --source --database -u --user --password -s -f --file --migrations-dir"
)
PROGRAMS: tuple[Program, ...] = (
    DJANGO,
    FLASK,
    program(
        "alembic",
        values=MIGRATION_VALUES,
        subs={
            "downgrade": sub(handler=_loses, values=MIGRATION_VALUES, harmless="--sql"),
            "upgrade stamp": sub(handler=migrates(), values=MIGRATION_VALUES, harmless="--sql"),
            "revision merge edit init ensure_version": CHANGES_PROJECT,
            "current history heads branches show check list_templates": LOOK,
        },
    ),
    program(
        "prisma",
        values=MIGRATION_VALUES,
        subs={
            "migrate": sub(handler=migrates(words_read=1), values="--name -n --schema"),
            "db": sub(
                handler=migrates(words_read=1),
                values="--schema --url",
                subs={
                    "push": sub(handler=migrates(), flags={"--force-reset": Trait.FORCED}),
                    "pull seed": CHANGES_PROJECT,
                    "execute": sub(handler=_prisma_execute, values="--file --url --schema"),
                },
            ),
            "generate init format validate studio version debug": BUILD,
        },
        harmless="-h -v",
    ),
    program(
        "drizzle-kit",
        subs={
            "push migrate up": sub(handler=migrates()),
            "drop": sub(handler=_loses),
            "generate introspect pull check studio export": BUILD,
        },
    ),
    program(
        "dbmate migrate atlas-migrate flyway liquibase knex sequelize sequelize-cli typeorm "
        "mikro-orm "
        "node-pg-migrate umzug db-migrate diesel sea-orm-cli refinery phinx sqitch yoyo aerich "
        "tern soda rambler graphile-migrate sql-migrate",
        values=MIGRATION_VALUES,
        handler=migrates(),
        harmless="-h",
    ),
    program(
        "sqlx",
        values="-D --database-url --source",
        subs={
            "database db": sub(
                subs={
                    "drop reset": sub(handler=_sqlx_drop, values="-D --database-url"),
                    "create setup": sub(handler=migrates()),
                }
            ),
            "migrate mig": sub(handler=migrates(words_read=1), values="-D --database-url --source"),
            "prepare": CHANGES_PROJECT,
        },
    ),
    program(
        "ember",
        subs={
            "destroy d": TAKEN_OUT,
            "serve s server": sub(handler=served, values="--host --port"),
        },
        handler=lambda call: call.perform(BUILD),
    ),
    program(
        "gunicorn uvicorn hypercorn daphne waitress-serve granian uwsgi",
        handler=served,
        values="-b --bind --host --port -p -w --workers -k -c --config --log-level",
    ),
    program(
        "celery dramatiq rq huey",
        BUILD,
        subs={
            "purge": sub(handler=_loses),
            "worker beat flower inspect status report": BUILD,
        },
        values="-A --app -b --broker",
    ),
    program(
        "airflow",
        subs={
            "db": sub(handler=migrates(words_read=1)),
            "users roles connections variables pools": sub(
                FAR_CHANGE, subs={"list get export": LOOK}
            ),
            "dags tasks": sub(
                BUILD, subs={"delete clear": sub(handler=_loses), "list show state test": LOOK}
            ),
            "webserver scheduler standalone worker": SERVES,
            "info version config cheat-sheet providers plugins": LOOK,
        },
    ),
)
