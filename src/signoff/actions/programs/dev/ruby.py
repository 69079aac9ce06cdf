"""Ruby: gem, bundler, rake, rails and what belongs to them; database tasks by what they lose."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.tasks import task_effects
from signoff.actions.programs.effect_presets import BUILD, INSPECT, PUBLISH_PACKAGE
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.program import Handler


def console(language: str = "ruby") -> Handler:
    """Return the handler of an interactive console: its code is typed or on standard input."""

    def run(call: ProgramCall) -> Iterator[Effect]:
        stdin = call.command.stdin
        for word in call.values("-e", "--exec") if call.name != "rails" else ():
            yield Nested(
                text=word.text, language=language, carrier=call.name, is_known=word.is_known
            )
        if stdin is not None and stdin.text is not None:
            yield Nested(text=stdin.text, language=language, carrier=f"{call.name} <stdin>")
        elif stdin is not None and stdin.sources:
            yield call.opaque("its code comes on standard input", Trait.INLINE)
        else:
            yield from call.perform(BUILD)

    return run


TEST_ENVIRONMENTS = frozenset({"test", "testing"})
# `db:setup` and `db:schema:load` create tables by force, dropping those that exist.
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


def database_loss(call: ProgramCall, what: str, *, environment: str = "") -> Effect:
    """Build the Operation for a task that deletes database content."""
    # `DATABASE_URL=postgres://prod...` reaches production whatever RAILS_ENV says.
    reached = any([is_production(word.text) for _, word in call.command.assignments])
    production = reached or environment.lower() in {"production", "prod"}
    # A test database is filled by each run of the tests.
    if not production and environment.lower() in TEST_ENVIRONMENTS:
        return call.operation(Verb.WRITE, ResourceType.DATABASE, what, reach=Reach.PROJECT)
    return call.operation(
        Verb.DELETE,
        ResourceType.DATABASE,
        what,
        traits=(Trait.SCHEMA_LOSS,),
        reach=Reach.PRODUCTION if production else Reach.PROJECT,
        reversible=False,
    )


def _environment(call: ProgramCall) -> str:
    named = [w.text for n, w in call.command.assignments if n in {"RAILS_ENV", "RACK_ENV"}]
    # rake takes variables behind the task, too.
    inline = [t.partition("=")[2] for t in call.texts if t.startswith(("RAILS_ENV=", "RACK_ENV="))]
    given = [w.text for w in call.values("-e", "--environment")]
    return next(iter((*named, *inline, *given)), "")


def _task(call: ProgramCall, name: str) -> Iterator[Effect]:
    environment = _environment(call)
    if name in LOSING_TASKS:
        yield database_loss(call, name, environment=environment)
    elif name.startswith("db:"):
        reach = Reach.PRODUCTION if environment == "production" else Reach.PROJECT
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, name, reach=reach)
    elif name in {"release", "gem:release"}:
        yield from call.perform(PUBLISH_PACKAGE)
    else:
        yield from task_effects(call, [name])


def rake(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `rake TASK...` and `rails TASK`: database tasks by what they lose."""
    if call.has("-T", "--tasks", "-D", "-P", "-n", "--dry-run", "-W"):
        yield from call.perform(INSPECT)
        return
    for text in call.texts:
        if "=" not in text:
            # `task[arg]`: rake's arguments stand in brackets.
            yield from _task(call, text.split("[", 1)[0])
    for code in call.values("-e", "--execute", "-E", "--execute-print"):
        yield Nested(text=code.text, language="ruby", carrier="rake -e", is_known=code.is_known)
    if not call.operands:
        yield from call.perform(BUILD)


def runner(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `rails runner 'code'`: a file or Ruby."""
    production = _environment(call) in {"production", "prod"}
    if production:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, reach=Reach.PRODUCTION)
    for word in call.operands[:1]:
        # rails runner takes a file or code; only code is taken apart here.
        if word.text.endswith(".rb"):
            yield call.on_file(Verb.EXECUTE, word)
        else:
            yield Nested(
                text=word.text, language="ruby", carrier="rails runner", is_known=word.is_known
            )


def deployed(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `cap production deploy` and `kamal deploy`: publishes the project."""
    looking = {"details", "logs", "config", "version", "doctor", "help", "audit", "docs"}
    if (call.operands and call.texts[-1] in looking) or call.has("-T", "-n", "--dry-run"):
        yield from call.perform(INSPECT)
    else:
        yield from call.perform(PUBLISH_PACKAGE)
