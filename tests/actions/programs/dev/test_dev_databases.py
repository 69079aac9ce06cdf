"""Framework commands and migration tools."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
python manage.py migrate
python manage.py makemigrations --check
python manage.py test
python manage.py runserver
python manage.py showmigrations
flask db upgrade
flask run
alembic upgrade head
alembic revision -m x
alembic history
npx prisma migrate dev
npx prisma generate
knex migrate:latest
flyway info
diesel migration run
sqlx migrate run
uvicorn app:app --reload
typeorm migration:run
"""
ASKED = """\
python manage.py flush
python manage.py migrate blog zero
python manage.py reset_db
python manage.py createsuperuser
flask db downgrade
alembic downgrade -2
npx prisma migrate reset
npx prisma db push --force-reset
knex migrate:rollback
flyway clean
liquibase dropAll
sequelize db:drop
drizzle-kit drop
celery -A app purge
uvicorn app:app --host 0.0.0.0
"""
REFUSED = """\
python manage.py shell -c "import shutil; shutil.rmtree('/')"
sqlx database drop
DJANGO_SETTINGS_MODULE=app.settings.production python manage.py flush
"""
DOES = {
    "python manage.py flush": "delete database project",
    "alembic upgrade head": "write database project",
    "alembic downgrade -2": "delete database project",
}


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_work_passes(line: str, verdict: Callable[[str], str]) -> None:
    """Reading, building and changing the project need no question."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED.splitlines())
def test_consequential_work_is_asked_about(line: str, verdict: Callable[[str], str]) -> None:
    """What reaches beyond the project or loses something is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize("line", REFUSED.splitlines())
def test_disasters_are_refused(line: str, verdict: Callable[[str], str]) -> None:
    """What nobody ever wants is refused alone."""
    assert verdict(line) == "deny"


@pytest.mark.parametrize(("line", "effect"), DOES.items())
def test_effect_is_told(line: str, effect: str, effects: Callable[[str], set[str]]) -> None:
    """A line means its verb, its thing and its reach."""
    assert effect in effects(line)
