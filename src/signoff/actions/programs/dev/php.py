"""PHP: composer, artisan, symfony's console, pecl, and the checkers of PHP projects."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Effect, Nested, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    LOGS_IN,
    LOOK,
    RELEASE,
    SERVES,
    SETS_GLOBAL,
    SETS_PROJECT,
    TAKEN_FROM_USER,
    TAKEN_OUT,
    Subs,
)
from signoff.actions.programs.dev.packages import package_install
from signoff.actions.programs.dev.ruby import database_loss
from signoff.actions.programs.dev.tasks import runs_tasks, task_effects
from signoff.actions.programs.program import Program, program, sub

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


def _console(call: Call) -> Iterator[Effect]:
    """`artisan name`, `bin/console name`: database commands by what they lose."""
    name = call.texts[0] if call.operands else "list"
    if name == "tinker":
        for code in call.values("--execute"):
            yield Nested(text=code.text, language="php", carrier="artisan tinker")
        yield from call.perform(BUILD)
    elif call.has("--pretend", "--dry-run"):
        yield from call.perform(LOOK)
    elif name in REFRESHED:
        yield from call.perform(BUILT_GONE)
    elif name.split(":", 1)[0] in DATABASE_SPACES or name in LOSING:
        yield from _database(call, name)
    elif name.split(":", 1)[0] in {"make", "route", "config", "view", "debug"}:
        yield from call.perform(CHANGES_PROJECT)
    else:
        yield from task_effects(call, [name])


def _database(call: Call, name: str) -> Iterator[Effect]:
    """Migrations and rows pass on a development database; dropping and emptying do not."""
    if name in LOSING:
        environment = next((w.text for w in call.values("--env", "-e")), "")
        yield database_loss(call, name, environment=environment)
    elif name in {"doctrine:query:sql", "dbal:run-sql"}:
        for word in call.operands[1:2]:
            yield Nested(text=word.text, language="sql", carrier=name, is_known=word.is_known)
    else:
        yield call.operation(Verb.WRITE, Thing.DATABASE, name, reach=Reach.PROJECT)


CONSOLE_VALUES = (
    "--env -e --path --database --class --seeder --host --port --execute --queue --step"
)
REQUIRE = package_install(wide="-g --global", sources="--repository --repository-url")
COMPOSER_SUBS: Subs = {
    "install i update u upgrade reinstall dump-autoload dumpautoload bump": sub(
        ADDED, harmless="--dry-run -h"
    ),
    "require r": sub(handler=REQUIRE, harmless="--dry-run -h"),
    "remove rm uninstall": sub(TAKEN_OUT, harmless="--dry-run -h"),
    "create-project init archive": sub(CHANGES_PROJECT, values="--repository -f -d -s"),
    "config": sub(
        SETS_PROJECT,
        acting={"-g --global": SETS_GLOBAL, "-l --list": LOOK, "--unset": SETS_PROJECT},
    ),
    "clear-cache clearcache cc": CACHE_GONE,
    "self-update selfupdate": ADDED_FOR_USER,
    "run-script run exec": sub(handler=runs_tasks(first_only=True)),
    "show info search outdated validate check-platform-reqs depends why prohibits why-not diagnose "
    "licenses fund status suggests about audit browse home list help completion": LOOK,
}
PROGRAMS: tuple[Program, ...] = (
    program(
        "composer composer.phar",
        values="-d --working-dir",
        subs={
            **COMPOSER_SUBS,
            "global": sub(
                LOOK,
                subs={
                    "require install update create-project": ADDED_FOR_USER,
                    "remove": TAKEN_FROM_USER,
                    "config": SETS_GLOBAL,
                },
            ),
        },
        handler=runs_tasks(first_only=True),
        harmless="-h -V",
    ),
    program(
        "artisan console sail yii yiic craft ace",
        values=CONSOLE_VALUES,
        handler=_console,
        harmless="-h -V",
    ),
    program(
        "laravel lumen",
        subs={"new": CHANGES_PROJECT},
    ),
    program(
        "symfony",
        subs={
            "console": sub(handler=_console, values=CONSOLE_VALUES),
            "composer": sub(subs=COMPOSER_SUBS),
            "server:start server:stop serve local:server:start local:server:stop": SERVES,
            "new local:new check:requirements local:check:requirements php run": BUILD,
            "login": LOGS_IN,
            "deploy cloud:deploy": FAR_CHANGE,
            "self:update self-update": ADDED_FOR_USER,
            "security:check local:check:security server:log server:status open:local": LOOK,
        },
    ),
    program(
        "pecl pear",
        subs={
            "install upgrade upgrade-all update-channels channel-discover": ADDED_FOR_USER,
            "uninstall": TAKEN_FROM_USER,
            "config-set channel-add channel-delete channel-update": SETS_GLOBAL,
            "clear-cache": CACHE_GONE,
            "package build bundle make": CHANGES_PROJECT,
            "list list-all list-upgrades search info remote-info config-show config-get help "
            "version download channel-info": LOOK,
        },
    ),
    program(
        "phar",
        subs={
            "add compress sign": sub(writes(), values="-f -i -x -b -c -a"),
            "delete": sub(CHANGES_PROJECT),
            "pack": sub(BUILD, writes="-f", values="-i -x -s -b"),
            "extract": sub(BUILD),
            "list info tree meta-get stub-get version help": LOOK,
        },
    ),
    program(
        "phpunit paratest pest codecept behat phpspec phpdbg psalm phpstan phan phpmd phpcs phpcpd "
        "phploc phpdox phpmetrics deptrac infection kahlan atoum grumphp phpbench blackfire phpize "
        "phpdoc doctum phpbu robo phing deployer-lint",
        BUILD,
        values="-c --configuration --filter --group --testsuite --standard --report -l --level",
        writes="--log-junit --coverage-clover --coverage-html --report-file",
    ),
    program("phpcbf", writes()),
    program(
        "php-cs-fixer rector pint",
        subs={"fix process": sub(CHANGES_PROJECT, values="--rules --config", harmless="--dry-run")},
        handler=lambda call: call.perform(BUILD),
        harmless="--dry-run --test",
    ),
    program(
        "dep",
        subs={"list help config tree": LOOK, "init": CHANGES_PROJECT},
        handler=lambda call: call.perform(RELEASE),
    ),
    program("psysh", BUILD),
)
