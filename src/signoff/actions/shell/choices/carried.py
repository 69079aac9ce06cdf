"""Commands with what earlier calls of the session chose for them, as settings before them.

kubectl config use-context prod-eu; in a later call: helm uninstall web       of prod-eu
ln -sfn prod.py app/settings/local.py; DJANGO_SETTINGS_MODULE=app.settings.local manage.py flush
.env `DATABASE_URL=postgres://db.prod.example/shop`; npx prisma migrate reset
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from signoff.actions.contents.settings.formats import parse_env
from signoff.actions.place import Place
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.choices.remembered import CALLED, FILE, PREFIX, choices_of
from signoff.actions.shell.chosen import CHOICES, CLUSTER_TOOLS, SELECTING
from signoff.actions.shell.command import CHOSEN_CONTEXT, Command, Word
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# Frameworks that read `.env` of their folder by themselves.
_READS_ENV = words(
    "npx npm pnpm yarn bun bunx node prisma sequelize sequelize-cli knex typeorm drizzle-kit rails"
    " rake bundle php artisan python python3 flask alembic django-admin manage.py poetry uv pipenv"
    " mix foreman honcho dotenv docker docker-compose"
)
# Of `.env` only what says where the data are: `NODE_ENV=production` is how one builds.
_SAYS_WHERE = lazy_re(
    r"(?:.*_)?(?:URL|URI|DSN|HOST|DATABASE|SETTINGS_MODULE)|RAILS_ENV|APP_ENV|DJANGO_ENV|FLASK_ENV"
    r"|ENVIRONMENT"
)
# Those a framework reads while one develops; others are for builds and tests.
_ENV_FILES = ("/.env", "/.env.local", "/.env.development", "/.env.development.local", "/.env.dev")
_STORE = lazy_re(
    r"(?:postgres(?:ql)?|mysql2?|mariadb|mongodb(?:\+srv)?|sqlserver|mssql|rediss?|cockroachdb"
    r"|clickhouse|ecto|jdbc:\w+)(?:\+\w+)?://"
)
_LIVE = Word(text="production")


def carry_remembered(commands: tuple[Command, ...], place: Place) -> tuple[Command, ...]:
    """Return the commands with what the session chose before as assignments."""
    facts = place.facts
    has_marks = any([mark.startswith(PREFIX) for mark in facts.created])
    if not has_marks and not any([path.endswith(_ENV_FILES) for path in facts.written]):
        return commands
    chosen = choices_of(facts.created) if has_marks else {}
    return tuple([_with_remembered(command, chosen, place) for command in commands])


def _with_remembered(command: Command, chosen: Mapping[str, str], place: Place) -> Command:
    given = [(name, _real(name, word, command.cwd, chosen)) for name, word in command.assignments]
    own = {name for name, _ in given}
    more = [*_contexts(command, chosen), *_of_env_file(command, chosen, place)]
    given += [(name, word) for name, word in more if name not in own]
    made = tuple(given)
    return command if made == command.assignments else replace(command, assignments=made)


def _contexts(command: Command, chosen: Mapping[str, str]) -> Iterator[tuple[str, Word]]:
    """Yield the context that a tool uses: the one chosen, or the true name of the one it names."""
    program = command.program
    if program in CLUSTER_TOOLS:
        for text in _named_contexts([word.text for word in command.words]):
            if is_production(true := chosen.get(f"{CALLED}{text}", "")):
                yield CHOSEN_CONTEXT, Word(text=true)
                return
    if any([word.text.partition("=")[0] in _CONTEXT_OPTIONS for word in command.words]):
        return
    for name, lead, tools in CHOICES:
        value = chosen.get(f"{name} {lead}", "") if program in tools else ""
        value = chosen.get(f"{CALLED}{value}", value)
        if is_production(value):
            yield CHOSEN_CONTEXT, Word(text=value)
            return


def _named_contexts(texts: Sequence[str]) -> Iterator[str]:
    for text, behind in pairwise([*texts, ""]):
        option, is_joined, value = text.partition("=")
        if option in ("--context", "--kube-context"):
            yield value if is_joined else behind


_CONTEXT_OPTIONS = words("--context --kube-context --kubeconfig --project --subscription --stack")


def _real(name: str, word: Word, folder: str, chosen: Mapping[str, str]) -> Word:
    """Return the file that a setting truly names, where it was linked or copied from another."""
    if not chosen or not word.is_known or SELECTING.fullmatch(name) is None:
        return word
    source = _source_of(word.text, folder, chosen)
    source = source or _source_of(f"{word.text.replace('.', '/')}.py", folder, chosen)
    return replace(word, text=source) if source else word


def _source_of(path: str, folder: str, chosen: Mapping[str, str]) -> str:
    return chosen.get(f"{FILE}{posixpath.normpath(posixpath.join(folder or '/', path))}", "")


def _of_env_file(
    command: Command, chosen: Mapping[str, str], place: Place
) -> Sequence[tuple[str, Word]]:
    """Return what `.env` of the folder says of production, to a framework that reads it."""
    if command.program not in _READS_ENV:
        return ()
    if _source_of(".env", command.cwd, chosen):
        return (("APP_ENV", _LIVE),)
    return [*_live_settings(command.cwd or "/", place)]


def _live_settings(folder: str, place: Place) -> Iterator[tuple[str, Word]]:
    """Yield what the files of variables that the session wrote say of production."""
    for name in _ENV_FILES:
        path = posixpath.normpath(f"{folder}{name}")
        fact = place.files.get(path) if path in place.facts.written else None
        for variable, value in parse_env(fact.text if fact and fact.text else "").items():
            if is_production(value) and _SAYS_WHERE.fullmatch(variable) is not None:
                yield variable, Word(text=value)
            elif is_production(value) and _STORE.match(value) is not None:
                # Settings of the project take the address from a variable of any name.
                yield "DATABASE_URL", Word(text=value)
