"""Frameworks' own commands and migration tools: Django, Flask, alembic, prisma, flyway and more.

Migrating a development database forwards is ordinary work; dropping, emptying, resetting and
going back loses data. A production environment named on the line makes each of them worse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BUILD, CONTROL_PROCESS, INSPECT, SERVES_ALL
from signoff.actions.programs.lexicon import is_production, split_name
from signoff.actions.programs.program import Handler
from signoff.actions.vocabulary import words

LOSING = words(
    "flush reset drop downgrade rollback down undo clean wipe truncate purge revert redo fresh "
    "refresh reset_db drop_all delete_all clear undone dropdb dropall"
)
MAKING = words("make new create generate add gen")
LOOKING = words(
    "status show list info check history current heads branches validate plan diff help version "
    "ls showmigrations sqlmigrate sqlflush inspectdb pending describe dry-run sql"
)


def changed_schema(call: ProgramCall, name: str, *, lossy: bool, whole: bool = False) -> Effect:
    """Build the effect of a schema change.

    Args:
        name: what is changed.
        lossy: data is lost.
        whole: a whole database is affected.
    """
    # Production is named by a variable (`RAILS_ENV=production`) or by a word of the line.
    named = [w.text for _, w in call.command.assignments] + [w.text for w in call.command.words]
    production = any(is_production(text) for text in named)
    traits = {Trait.SCHEMA_LOSS} if lossy else set()
    if whole and production:
        traits.add(Trait.WHOLE_STORE)
    return call.operation(
        Verb.DELETE if lossy else Verb.WRITE,
        ResourceType.DATABASE,
        name,
        traits=traits,
        reach=Reach.PRODUCTION if production else Reach.PROJECT,
        reversible=not lossy,
    )


def migrates(*, words_read: int = 3, forcing: str = "") -> Handler:
    """Return the handler of a migration tool, which tells from its words if data is lost.

    Args:
        words_read: number of words that count.
        forcing: option that accepts a loss of data in advance.
    """

    def run(call: ProgramCall) -> Iterator[Effect]:
        names = _without_name(call.texts[:words_read])
        # `rollback-sql`, `updateSQL`: the statements are printed, and nothing else is done.
        if names and names[0].lower().endswith("sql") and names[0].lower() != "sql":
            yield from call.perform(INSPECT)
            return
        parts = {p for text in names for p in (text, *split_name(text))}
        # Of prisma, Laravel and others: they make even a forward migration drop what is there.
        forced = {"--force-reset", "--accept-data-loss", "--drop", "--fresh"}
        # Loss before looks: `migrate reset --status` must not pass for a look.
        if parts & LOSING or any(o.name in {*forced, forcing} for o in call.options):
            yield changed_schema(call, " ".join(names), lossy=True)
        elif parts & LOOKING or not names:
            yield from call.perform(INSPECT)
        else:
            yield changed_schema(call, " ".join(names), lossy=False)

    return run


def _without_name(names: Sequence[str]) -> tuple[str, ...]:
    """Leave out the name that a new migration gets: `migrate:make drop_old`, `new reset_ids`."""
    for at, text in enumerate(names):
        # The name is free text, and only a file is made.
        if not MAKING.isdisjoint(split_name(text)):
            return tuple(names[: at + 1])
    return tuple(names)


def django_migrate(call: ProgramCall) -> Iterator[Effect]:
    """`migrate app zero` and `migrate app 0003` go back; without a target it goes forwards."""
    if call.has("--plan", "--check", "--list"):
        yield from call.perform(INSPECT)
        return
    # Django: `zero` undoes every migration of an app, with its tables, and a migration that is
    # named undoes all that follow it. Which do, only the database knows.
    back = len(call.operands) > 1 or "zero" in call.texts
    yield changed_schema(call, "migrate " + " ".join(call.texts), lossy=back)


LOSING_CHANGES = re.compile(r"\b(?:drop|truncate|modify|change)\b", re.IGNORECASE)


def online_change(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `gh-ost`, `pt-online-schema-change`: nothing happens without `--execute`."""
    alter = call.value("--alter")
    if not call.has("--execute") or call.is_dry("--dry-run", "--noop"):
        yield call.operation(Verb.READ, ResourceType.DATABASE, call.name)
    else:
        lossy = alter is None or not alter.is_known or bool(LOSING_CHANGES.search(alter.text))
        yield changed_schema(call, call.name, lossy=lossy)


def loses(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effect of a schema change that loses data."""
    yield changed_schema(call, call.name, lossy=True)


def django_shell(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `manage.py shell`: Python from `-c` or standard input."""
    for code in call.values("-c", "--command"):
        yield Nested(
            text=code.text, language="python", carrier="manage.py shell", is_known=code.is_known
        )
    stream = call.command.stdin
    if stream is not None and stream.text is not None:
        yield Nested(text=stream.text, language="python", carrier="manage.py shell <stdin>")
    elif stream is not None:
        yield call.opaque("its code comes on standard input", Trait.INLINE)
    else:
        yield from call.perform(BUILD)


def dbshell(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `manage.py dbshell`: SQL behind `--` or on standard input."""
    stream = call.command.stdin
    for value in call.values("-c"):
        yield Nested(text=value.text, language="sql", carrier="dbshell", is_known=value.is_known)
    for before, word in zip(call.operands, call.operands[1:], strict=False):
        # Behind `--` Django hands the words to the database's client, so they are no options
        # here.
        if before.text in {"-c", "-e", "--command"}:
            yield Nested(text=word.text, language="sql", carrier="dbshell", is_known=word.is_known)
    if stream is not None and stream.text is not None:
        yield Nested(text=stream.text, language="sql", carrier="dbshell <stdin>")
    elif stream is not None:
        yield call.opaque("runs SQL from its standard input")
    else:
        yield from call.perform(BUILD)


def served(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a development server; public only if the line says so."""
    told = (
        *call.texts,
        *(w.text for w in call.values("-h", "--host", "--hostname", "-b", "--bind")),
    )
    wide = any(text.startswith(EVERYWHERE) for text in told)
    yield from call.perform(SERVES_ALL if wide else CONTROL_PROCESS)


def task(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of a project's own command, by its name."""
    name = call.texts[0] if call.operands else ""
    if set(split_name(name)) & LOSING and name:
        yield changed_schema(call, name, lossy=True)
    else:
        yield from call.perform(BUILD)


def prisma_execute(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `prisma db execute --file x.sql`: SQL that was not read."""
    for word in call.values("--file"):
        yield call.on_file(Verb.READ, word)
    # What the file drops is unknown, so the worst counts.
    yield changed_schema(call, "db execute", lossy=True)


def sqlx_drop(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `sqlx database drop`: the whole database goes."""
    yield call.operation(
        Verb.DELETE,
        ResourceType.DATABASE,
        "database drop",
        traits=(Trait.WHOLE_STORE,),
        reach=Reach.PROJECT,
        reversible=False,
    )


EVERYWHERE = ("0.0.0.0", "[::]", "::")  # noqa: S104 - to compare with, nothing is bound


def empties(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of emptying a whole database; in production that is a whole store."""
    yield changed_schema(call, call.name, lossy=True, whole=True)
