"""PHP: composer, artisan, symfony's console, pecl, and the checkers of PHP projects."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.ruby import database_loss
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.effect_presets import BUILD, CHANGE_PROJECT, CLEAR_OUTPUT, INSPECT
from signoff.actions.programs.interpreters import run_standard_input

LOSING = (
    "migrate:fresh",
    "migrate:reset",
    "migrate:refresh",
    "migrate:rollback",
    "db:wipe",
    "queue:flush",
    "queue:clear",
    "model:prune",
    "doctrine:database:drop",
    "doctrine:schema:drop",
    "doctrine:fixtures:load",
    "doctrine:migrations:execute",
    # Symfony's console accepts shortened names, part by part.
    "d:d:d",
    "d:s:d",
    "d:f:l",
    "orm:schema-tool:drop",
)
DATABASE_SPACES = frozenset({"migrate", "doctrine", "db", "dbal", "d", "orm"})
REFRESHED = (
    "cache:clear",
    "config:clear",
    "route:clear",
    "view:clear",
    "optimize:clear",
    "event:clear",
    "clear-compiled",
    "cache:pool:clear",
    "c:c",
)


def console(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `artisan name`, `bin/console name`: database commands by what they lose."""
    name = call.texts[0] if call.operands else "list"
    if name == "tinker":
        for code in call.values("--execute"):
            carrier = "artisan tinker"
            yield Nested(text=code.text, language="php", carrier=carrier, is_known=code.is_known)
        if call.command.stdin is not None:
            yield from run_standard_input(call, "php")
        yield from call.perform(BUILD)
    elif call.is_dry("--pretend", "--dry-run"):
        # Before the tables: artisan's `--pretend` prints the SQL and changes nothing.
        yield from call.perform(INSPECT)
    elif name in REFRESHED:
        yield from call.perform(CLEAR_OUTPUT)
    elif name.split(":", 1)[0] in DATABASE_SPACES or name in LOSING:
        yield from _database(call, name)
    elif name.split(":", 1)[0] in {"make", "route", "config", "view", "debug"}:
        # Generators and caches of the framework: files of the project.
        yield from call.perform(CHANGE_PROJECT)
    else:
        yield from task_effects(call, [name])


def _database(call: ProgramCall, name: str) -> Iterator[Effect]:
    """Migrations and rows pass on a development database; dropping and emptying do not."""
    if name in LOSING:
        environment = next((w.text for w in call.values("--env", "-e")), "")
        yield database_loss(call, name, environment=environment)
    elif name in {"doctrine:query:sql", "dbal:run-sql"}:
        # Doctrine's commands that take a statement as their operand.
        for word in call.operands[1:2]:
            yield Nested(text=word.text, language="sql", carrier=name, is_known=word.is_known)
    else:
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, name, reach=Reach.PROJECT)
