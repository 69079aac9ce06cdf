"""Databases, brokers, vaults and services: what their lines mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.operation import Verb
from signoff.actions.programs.infra.services import is_dry, path_of
from signoff.actions.programs.lexicon import is_production, lex, read_words

Judged = Callable[[str], str]

ALLOWED = (
    "psql -c 'SELECT 1'",
    "pg_dump app > app.sql",
    "redis-cli GET a",
    "redis-cli SET a 1",
    "etcdctl get a",
    "dolt sql -q 'SELECT 1'",
    "dolt config --list",
    "cypher-shell 'MATCH (n) RETURN n'",
    "nodetool status",
    "kafka-topics --bootstrap-server localhost:9092 --list",
    "rabbitmqctl list_queues",
    "rabbitmqadmin list exchanges",
    "nats stream info ORDERS",
    "kcat -L -b localhost",
    "vault status",
    "vault kv list secret/",
    "vault policy read dev",
    "op item list",
    "doppler projects",
    "stripe listen",
    "jira issue list",
    "wp plugin list",
    "wp db export a.sql",
    "drush status",
    "circleci config validate",
    "sentry-cli releases list",
    "promtool check rules r.yml",
    "amtool alert query",
    "llm 'explain this'",
    "cast-of-nothing --help",
    "balena devices",
    "dnscontrol preview",
    "doppler run -- npm test",
    "consul kv get a",
    "influx -execute 'SHOW DATABASES'",
    "mongosh --eval 'db.users.find({})'",
    "mongosh --eval 'db.users.deleteMany({age: 3})'",
    "doppler secrets --only-names",
    "terraform destroy -h",
)
ASKED = (
    "psql -c 'DELETE FROM users'",
    "redis-cli FLUSHALL",
    "mongosh --eval 'db.users.drop()'",
    "mongosh --eval 'db.users.deleteMany( {} )'",
    "mongosh app wipe.js",
    "influx delete --bucket b --start 1 --stop 2",
    "ansible-galaxy install git+https://git.example/role.git",
    "redis-cli CONFIG SET save ''",
    "etcdctl del a",
    "cypher-shell 'MATCH (n) DETACH DELETE n'",
    "kafka-topics --bootstrap-server b:9092 --delete --topic t",
    "kcat -P -b b -t t",
    "rabbitmqctl clear_permissions -p / ann",
    "rabbitmqctl add_user a b",
    "rabbitmqadmin purge queue name=q",
    "nats stream rm ORDERS",
    "nats pub a b",
    "vault kv get secret/app",
    "vault kv put secret/app a=b",
    "vault auth disable github",
    "vault delete secret/prod/app",
    "op read op://Dev/db/password",
    "bw get password mail",
    "doppler secrets",
    "chamber read app key",
    "infisical export",
    "stripe payouts create --amount 100",
    "jira issue create -s x",
    "wp user create a a@example.com",
    "wp config get DB_PASSWORD",
    "circleci context remove-secret org/o context/prod KEY",
    "sentry-cli sourcemaps upload dist",
    "near send a.near b.near 1",
    "balena push app",
    "dnscontrol push",
    "salloc-of-nothing delete job",
    "dropuser ann",
    "pg_restore --clean -d app a.dump",
)
DENIED = (
    "dropdb app",
    "mysqladmin drop app",
    "mongosh --eval 'db.dropDatabase()'",
    """mongosh --eval 'db["dropDatabase"]()'""",
    "mongosh mongodb://db.prod.example/app --eval 'db.users.drop()'",
    "echo 'db.dropDatabase()' | mongosh app",
    "etcdctl del --prefix ''",
    "influx bucket delete -n b",
    "ansible localhost -m shell -a 'rm -rf ~'",
    "salt '*' cmd.run 'rm -rf ~'",
    "wp db drop --yes",
    "wp site empty --yes",
    "drush sql:drop -y",
    "rabbitmqctl force_reset",
    "vault secrets disable kv/",
    "vault kv metadata delete secret/prod",
    "doppler projects delete shop --yes",
    "neonctl projects delete p",
    "pscale database delete shop main",
    "psql -h db.production.example -c 'DROP TABLE users'",
    "doppler run -- rm -rf ~",
    "doppler run -- rm -rf ~ --dry-run",
)


@pytest.mark.parametrize("line", ALLOWED)
def test_service_reads_pass(line: str, verdict: Judged) -> None:
    """Reading, names of secrets and development data need nobody."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED)
def test_service_changes_are_asked_about(line: str, verdict: Judged) -> None:
    """Values of secrets, messages, money and lost rows are put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize("line", DENIED)
def test_whole_databases_are_refused(line: str, verdict: Judged) -> None:
    """A whole database, project or secrets engine is not given away."""
    assert verdict(line) == "deny"


def test_statements_too_long_to_read_are_asked_about(verdict: Judged) -> None:
    """What was not read to its end is not passed."""
    assert verdict(f"mongosh --eval 'db.a.find();{' ' * 30_000}db.b.find()'") == "ask"


def test_path_ends_at_the_first_option() -> None:
    """Words behind an option are its values, not the command; topics are taken apart."""
    assert ("pg", "backups", "delete") == path_of(("pg:backups:delete", "--app", "x"))


def test_noun_of_the_verb_tells_the_store() -> None:
    """`delete-bucket-policy` deletes a policy, `delete-bucket` a bucket."""
    assert (False, True) == (
        read_words(("s3api", "delete-bucket-policy")).is_store,
        read_words(("s3api", "delete-bucket")).is_store,
    )


def test_grouping_word_gives_way_to_the_verb_behind_it() -> None:
    """`deploy releases list` lists."""
    assert read_words(("deploy", "releases", "list")).verb is Verb.READ


def test_reading_word_does_not_cover_a_deletion() -> None:
    """`logs delete` deletes, whichever word comes first."""
    assert read_words(("logging", "logs", "delete", "list")).verb is Verb.DELETE


def test_path_of_a_file_is_no_noun() -> None:
    """A file that is called like a store makes nothing a store."""
    assert frozenset() == lex(("prune", "backups/repository")).traits


def test_dry_run_can_be_taken_back() -> None:
    """`--dry-run=none` and `--no-dry-run` do what they say."""
    assert (True, False, False) == (
        is_dry(("--dry-run",)),
        is_dry(("--dry-run=none",)),
        is_dry(("--dry-run", "--no-dry-run")),
    )


@pytest.mark.parametrize(
    ("name", "told"), (("shop-prod-2", True), ("ProdDb", True), ("product", False), ("live", True))
)
def test_production_is_a_whole_word(name: str, told: bool) -> None:  # noqa: FBT001 - a table's column
    """Letters inside a word name nothing."""
    assert told == is_production(name)
