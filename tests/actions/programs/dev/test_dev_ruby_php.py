"""gem, bundler, rails, rake, composer, artisan and consoles."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
bundle install
bundle exec rspec
bundle add pg
gem list --local rack
gem build app.gemspec
rails db:migrate
rails generate model User
rails server -p 4000
rake spec
rake -T
rails test
bin/rails routes
composer install
composer require monolog/monolog
composer run-script lint
php artisan migrate
php artisan make:model Post
php artisan cache:clear
php bin/console debug:router
phpunit --filter A
vendor/bin/phpstan analyse
"""
ASKED = """\
gem install rails
gem push app-1.0.gem
gem yank app -v 1.0
gem sources --add https://mirror.example
bundle add x --git https://forge.example/a/b
bundle config set path vendor
rails db:drop
rails db:migrate:reset
bundle exec rake db:drop
rake release
rake db:rollback
rails credentials:show
cap staging deploy
composer global require a/b
composer config -g repo.x composer https://mirror.example
php artisan migrate:fresh
php artisan db:wipe
php bin/console doctrine:schema:drop --force
pecl install redis
"""
REFUSED = """\
RAILS_ENV=production rake db:drop
rails runner 'system("rm -rf /")'
php artisan migrate:fresh --env=production
"""
DOES = {
    "rails db:drop": "delete database project",
    "rails db:migrate": "write database project",
    "gem push app-1.0.gem": "publish package remote",
    "composer require monolog/monolog": "install package project",
    "rails credentials:show": "read credential none",
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
