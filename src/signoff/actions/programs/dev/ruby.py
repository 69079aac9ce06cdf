"""Ruby: gem, bundler, rake, rails and what belongs to them; database tasks by what they lose."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CHANGES_PROJECT,
    FAR_ACCESS,
    FAR_GONE,
    INERT,
    LOGS_IN,
    LOOK,
    RELEASE,
    SERVES,
    SETS_GLOBAL,
    SETS_PROJECT,
    SHOWS_SECRET,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.dev.packages import package_install, package_remove
from signoff.actions.programs.dev.tasks import runs_tasks, task_effects
from signoff.actions.programs.program import Program, program, sub


def console(call: Call) -> Iterator[Effect]:
    """`irb`, `pry`: Ruby that is typed, or that arrives on standard input."""
    stdin = call.command.stdin
    for word in call.values("-e", "--exec"):
        yield Nested(text=word.text, language="ruby", carrier=call.name, is_known=word.is_known)
    if stdin is not None and stdin.text is not None:
        yield Nested(text=stdin.text, language="ruby", carrier=f"{call.name} <stdin>")
    elif stdin is not None and stdin.sources:
        yield call.opaque("runs what arrives on its standard input", Trait.INLINE)
    else:
        yield from call.perform(BUILD)


LOSING_TASKS = (
    "db:drop",
    "db:reset",
    "db:purge",
    "db:migrate:reset",
    "db:schema:load",
    "db:setup",
    "db:truncate_all",
    "db:structure:load",
    "db:seed:replant",
    "db:drop:all",
    "db:purge:all",
    "db:rollback",
    "db:migrate:down",
    "db:migrate:redo",
    "db:system:change",
)


def database_loss(call: Call, what: str, *, environment: str = "", whole: bool = True) -> Effect:
    """Say that a task loses data; in production that is a disaster."""
    production = environment.lower() in {"production", "prod"}
    return call.operation(
        Verb.DELETE,
        Thing.DATABASE,
        what,
        traits=(Trait.SCHEMA_LOSS,) if whole else (Trait.UNBOUNDED,),
        reach=Reach.PRODUCTION if production else Reach.PROJECT,
        reversible=False,
    )


def _environment(call: Call) -> str:
    named = [w.text for n, w in call.command.assignments if n in {"RAILS_ENV", "RACK_ENV"}]
    inline = [t.partition("=")[2] for t in call.texts if t.startswith(("RAILS_ENV=", "RACK_ENV="))]
    given = [w.text for w in call.values("-e", "--environment")]
    return next(iter((*named, *inline, *given)), "")


def _task(call: Call, name: str) -> Iterator[Effect]:
    environment = _environment(call)
    if name in LOSING_TASKS:
        yield database_loss(call, name, environment=environment)
    elif name.startswith("db:"):
        reach = Reach.PRODUCTION if environment == "production" else Reach.PROJECT
        yield call.operation(Verb.WRITE, Thing.DATABASE, name, reach=reach)
    elif name in {"release", "gem:release"}:
        yield from call.perform(RELEASE)
    else:
        yield from task_effects(call, [name])


def _rake(call: Call) -> Iterator[Effect]:
    """`rake task...`, `rails task`: database tasks by what they lose, others by their names."""
    if call.has("-T", "--tasks", "-D", "-P", "-n", "--dry-run", "-W"):
        yield from call.perform(LOOK)
        return
    for text in call.texts:
        if "=" not in text:
            yield from _task(call, text.split("[", 1)[0])
    for code in call.values("-e", "--execute", "-E", "--execute-print"):
        yield Nested(text=code.text, language="ruby", carrier="rake -e", is_known=code.is_known)
    if not call.operands:
        yield from call.perform(BUILD)


def _runner(call: Call) -> Iterator[Effect]:
    """`rails runner 'code'`: a file or Ruby."""
    production = _environment(call) in {"production", "prod"}
    if production:
        yield call.operation(Verb.EXECUTE, Thing.CODE, reach=Reach.PRODUCTION)
    for word in call.operands[:1]:
        if word.text.endswith(".rb"):
            yield call.on_file(Verb.EXECUTE, word)
        else:
            yield Nested(
                text=word.text, language="ruby", carrier="rails runner", is_known=word.is_known
            )


def _deployed(call: Call) -> Iterator[Effect]:
    """`cap production deploy`, `kamal deploy`: what is deployed goes out, also for looking."""
    looking = {"details", "logs", "config", "version", "doctor", "help", "audit", "docs"}
    if (call.operands and call.texts[-1] in looking) or call.has("-T", "-n", "--dry-run"):
        yield from call.perform(LOOK)
    else:
        yield from call.perform(RELEASE)


GEM_INSTALL = sub(
    handler=package_install(always_wide=True, sources="-s --source"),
    values="-v --version -i --install-dir -n --bindir -s --source -P -p --http-proxy --platform",
    harmless="-h --explain",
)
GEM = program(
    "gem",
    subs={
        "install i update": GEM_INSTALL,
        "uninstall": sub(handler=package_remove(always_wide=True), values="-n -i", harmless="-h"),
        "cleanup": sub(handler=package_remove(always_wide=True), harmless="-n --dry-run -d -h"),
        "push": sub(RELEASE, values="--host -k --key --otp"),
        "yank": sub(FAR_GONE, values="-v --version"),
        "owner": sub(FAR_ACCESS, values="-k -a --add -r --remove"),
        "signin signout cert": LOGS_IN,
        "sources": sub(
            LOOK,
            acting={"-a --add -r --remove -c --clear-all -p --prepend": SETS_GLOBAL},
        ),
        "pristine rebuild setup": ADDED_FOR_USER,
        "build unpack fetch generate_index": CHANGES_PROJECT,
        "list search query info which environment env contents dependency specification outdated "
        "stale check help server rdoc ri open lock mirror": LOOK,
        "exec": sub(handler=package_install(always_wide=True)),
    },
    harmless="-v -h",
)
BUNDLE = program(
    "bundle bundler",
    values="--gemfile",
    subs={
        "install update lock package cache pack": sub(
            ADDED,
            values="--path --jobs --gemfile --without --with",
            acting={"--system": ADDED_FOR_USER},
        ),
        "add": sub(
            handler=package_install(sources="--git --github --source"),
            values="-v --version -g --group -s --source --git --branch --ref --github --path",
        ),
        "remove clean": sub(TAKEN_OUT, harmless="--dry-run"),
        "exec": BUILD,
        "config": sub(
            SETS_GLOBAL,
            acting={"--local": SETS_PROJECT},
            subs={
                "get list": LOOK,
                "set unset": sub(SETS_GLOBAL, acting={"--local": SETS_PROJECT}),
            },
        ),
        "init gem binstubs inject pristine doctor": CHANGES_PROJECT,
        "plugin": sub(ADDED, subs={"list": LOOK, "uninstall": TAKEN_OUT}),
        "check list show info outdated open platform env viz version help console licenses": LOOK,
    },
    handler=lambda call: call.perform(ADDED),
    harmless="-v -h",
)
RAILS_GENERATED = sub(CHANGES_PROJECT, harmless="-p --pretend -h")
RAILS = program(
    "rails",
    subs={
        "server s": SERVES,
        "console c dbconsole db": sub(
            BUILD, values="-e --environment", acting={"-s --sandbox": INERT}
        ),
        "runner r": sub(handler=_runner, values="-e --environment"),
        "generate g new plugin destroy d app:update app:template": RAILS_GENERATED,
        "test t test:system test:all routes about stats notes middleware initializers": BUILD,
        "credentials:show credentials:edit encrypted:show secrets:edit secrets:show": SHOWS_SECRET,
        "log:clear tmp:clear assets:clobber tmp:cache:clear assets:clean": BUILT_GONE,
    },
    handler=_rake,
    values="-e --environment -f",
    harmless="-h -v",
)
PROGRAMS: tuple[Program, ...] = (
    GEM,
    BUNDLE,
    RAILS,
    program(
        "rake",
        handler=_rake,
        values="-f --rakefile -I -r --require -R -C -e --execute -E -p --execute-print -j",
        harmless="-H -h -V",
    ),
    program("thor", handler=runs_tasks(first_only=True)),
    program(
        "rbenv chruby rvm frum",
        subs={
            "install reinstall get upgrade update": ADDED_FOR_USER,
            "uninstall remove implode": TAKEN_FROM_USER,
            "global alias docs": SETS_GLOBAL,
            "gemset": sub(CHANGES_PROJECT, subs={"delete empty": TAKEN_FROM_USER}),
            "local shell version versions list use which whence rehash exec init current info "
            "root prefix commands shims completions help do": LOOK,
        },
        handler=lambda call: call.perform(LOOK),
        acting={"--default": SETS_GLOBAL},
    ),
    program(
        "rspec minitest cucumber standardrb brakeman reek",
        BUILD,
        values="-f --format -o --out -e -t --tag -P --pattern -r -I",
        writes="-o --out",
    ),
    program("rubocop", BUILD, values="-c --config -f --format --only", writes="-o --out"),
    program("irb pry", handler=console, values="-I -r -e --exec"),
    program("erb yard yardoc rdoc ri solargraph racc steep srb tapioca", BUILD),
    program("cap mina", handler=_deployed),
    program(
        "jekyll middleman nanoc bridgetown",
        subs={"serve s server": SERVES, "clean": BUILT_GONE},
        handler=runs_tasks(first_only=True),
    ),
    program(
        "foreman overmind hivemind",
        subs={
            "start s": SERVES,
            "run": BUILD,
            "check": LOOK,
            "export": CHANGES_PROJECT,
            "stop kill": SERVES,
        },
    ),
    program(
        "hanami",
        subs={"server": SERVES, "db": sub(handler=_rake)},
        handler=runs_tasks(first_only=True),
    ),
)
