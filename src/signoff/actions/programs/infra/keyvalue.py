"""Stores that are no SQL: redis, etcd, consul, neo4j, search engines, time series, graph tools.

A read passes, a key set on a development store passes, what empties a store is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.databases import environment_of
from signoff.actions.programs.infra.deeds import (
    BUILD,
    INERT,
    LOGS_IN,
    LOOK,
    RUNS_THERE,
    SECRET_SET,
    SERVES,
    SETS,
    SETS_PROJECT,
    SHOWS_SECRET,
    machine,
    near,
)
from signoff.actions.programs.infra.platforms import remote_statement
from signoff.actions.programs.infra.services import service, service_program
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Handler, Program, program

KEY_VALUE_READS = words(
    "get mget exists ttl pttl type keys scan strlen hget hgetall hmget hkeys hvals hlen lrange "
    "llen smembers scard sismember zrange zscore zcard xrange xlen info ping dbsize config-get "
    "monitor slowlog client-list memory time echo object sscan hscan zscan randomkey help lastsave"
)
KEY_VALUE_LOSES = words("flushall flushdb")


def key_value(call: Call) -> Iterator[Effect]:
    """`redis-cli COMMAND ...`."""
    reach = Reach.PRODUCTION if environment_of(call) else Reach.PROJECT
    name = call.texts[0].lower() if call.operands else ""
    if not name or name in KEY_VALUE_READS:
        yield call.operation(Verb.READ, Thing.DATABASE, name)
    elif name in KEY_VALUE_LOSES:
        yield call.operation(
            Verb.DELETE,
            Thing.DATABASE,
            name,
            traits=(Trait.UNBOUNDED,),
            reach=reach,
            reversible=False,
        )
    elif name in {"config", "shutdown", "debug", "eval", "script", "module", "replicaof", "acl"}:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.DATABASE,
            " ".join(call.texts[:2]),
            traits=(Trait.SCHEMA_LOSS,),
            reach=reach,
        )
    else:
        yield call.operation(Verb.WRITE, Thing.DATABASE, " ".join(call.texts[:2]), reach=reach)


FILLS = near(Verb.WRITE, Thing.DATABASE)
ROWS_GONE = near(Verb.DELETE, Thing.DATABASE, Trait.UNBOUNDED, reversible=False)
WHOLE = near(Verb.DELETE, Thing.DATABASE, Trait.WHOLE_STORE, reversible=False)
ENTRY_GONE = near(Verb.DELETE, Thing.NOTHING, reversible=False)
USERS = machine(Verb.CONFIGURE, Thing.ACCOUNT, reversible=False)
CLUSTER = machine(Verb.CONFIGURE, Thing.DATABASE, reversible=False)
BACKUP = near(Verb.DELETE, Thing.BACKUP, reversible=False)


def _cypher(call: Call) -> Iterator[Effect]:
    """`cypher-shell QUERY`: deleting without a bound empties the graph."""
    text = " ".join(call.texts).lower()
    if "delete" in text or "drop " in text:
        yield call.operation(
            Verb.DELETE,
            Thing.DATABASE,
            text[:80],
            traits=(Trait.UNBOUNDED,) if "where" not in text else (Trait.SCHEMA_LOSS,),
            reach=Reach.PRODUCTION if environment_of(call) else Reach.PROJECT,
            reversible=False,
        )
    elif call.has("-f", "--file") or (call.command.stdin is not None):
        yield call.operation(
            Verb.EXECUTE, Thing.DATABASE, reach=Reach.PROJECT, traits=(Trait.SCHEMA_LOSS,)
        )
    else:
        yield call.operation(Verb.WRITE, Thing.DATABASE, text[:80], reach=Reach.PROJECT)


def _influx(call: Call) -> Iterator[Effect]:
    """`influx -execute QUERY`: the statement is taken apart."""
    for word in call.values("-execute", "--execute"):
        yield Nested(text=word.text, language="sql", carrier=call.name, is_known=word.is_known)
    if call.operands:
        yield from _INFLUX(call)
    elif not call.values("-execute", "--execute"):
        yield call.operation(Verb.READ, Thing.DATABASE)


_INFLUX = service(
    special={
        "query | export | version | inspect | ping": LOOK,
        "config | setup": SETS,
        "auth create | auth list": SHOWS_SECRET,
        "restore": ROWS_GONE,
        "backup": FILLS,
    },
    reach=Reach.REMOTE,
)


def _etcd_delete(call: Call) -> Iterator[Effect]:
    """`etcdctl del KEY`; a prefix that every key has is the whole store."""
    keys = {text for text in call.texts[1:] if not text.startswith("-")}
    ranged = {"--prefix", "--from-key"} & set(call.texts)
    whole = bool(ranged) and keys <= {"", "/", "/registry"}
    yield call.operation(
        Verb.DELETE,
        Thing.CLUSTER,
        " ".join(call.texts[1:3]),
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.PRODUCTION if environment_of(call) else Reach.REMOTE,
        reversible=False,
    )


def _dolt_sql(call: Call) -> Iterator[Effect]:
    """`dolt sql -q QUERY`: the statement is taken apart."""
    texts = call.texts
    for place, text in enumerate(texts):
        if text in {"-q", "--query"} and place + 1 < len(texts):
            word = call.operands[place + 1]
            yield Nested(
                text=word.text, language="mysql", carrier=call.name, is_known=word.is_known
            )
            return
    yield call.operation(Verb.READ, Thing.DATABASE)


def _dolt_config(call: Call) -> Iterator[Effect]:
    """`dolt config --get|--list` shows, all else changes the user's settings."""
    if {"--get", "--list"} & set(call.texts):
        yield call.operation(Verb.READ, Thing.SETTING)
    else:
        reach = Reach.HOME if "--global" in call.texts else Reach.PROJECT
        yield call.operation(Verb.CONFIGURE, Thing.SETTING, reach=reach)


DOLT: Mapping[str, Act | Handler] = {
    "sql": _dolt_sql,
    "init | add | commit | branch | merge | checkout | tag | stash | cherry-pick | remote | "
    "fetch | clone | pull | revert | rebase | schema | table import | table cp | table mv | gc": (
        FILLS
    ),
    "status | log | diff | ls | show | schema show | table export | dump | version | docs | "
    "remote -v | config --list": LOOK,
    "config": _dolt_config,
    "push": Act(Verb.PUBLISH, Thing.REPOSITORY, reach=Reach.REMOTE, reversible=True),
    "reset | table rm | filter-branch": ROWS_GONE,
    "login | creds": LOGS_IN,
    "sql-server": SERVES,
}
CONSUL: Mapping[str, Act | Handler] = {
    "kv get | catalog | members | info | operator raft list-peers | validate | watch | monitor | "
    "config list | config read | intention check | intention list | intention get | rtt | "
    "services export | acl token list | acl policy list | acl policy read | peering list | "
    "snapshot inspect | snapshot save | debug | version | troubleshoot": LOOK,
    "acl token read | keygen | tls cert create | acl bootstrap": SHOWS_SECRET,
    "acl": USERS,
    "agent": SERVES,
    "leave | force-leave | maint | reload | join | keyring | operator | connect": CLUSTER,
    "exec | lock": RUNS_THERE,
    "kv delete | config delete | intention delete | services deregister": Act(
        Verb.DELETE, Thing.CLUSTER, reach=Reach.REMOTE, reversible=False
    ),
    "login": LOGS_IN,
    "logout": INERT,
}

PROGRAMS: tuple[Program, ...] = (
    program(
        "redis-cli valkey-cli keydb-cli dragonfly-cli iredis",
        handler=key_value,
        values="-h -p -a -n -u --user --pass -s -r -i --cacert --cert --key",
    ),
    service_program("consul", CONSUL, thing=Thing.CLUSTER),
    service_program(
        "etcdctl etcdutl",
        {
            "del": _etcd_delete,
            "get | watch | endpoint | member list | alarm list | user list | role list | check | "
            "snapshot status | snapshot save | version | lease list | user get | role get": LOOK,
            "user | role | auth": USERS,
            "defrag | compaction | member | move-leader | alarm disarm | snapshot restore": CLUSTER,
        },
        values="--endpoints --cacert --cert --key --user --password -w --write-out",
        thing=Thing.CLUSTER,
    ),
    program("cypher-shell", handler=_cypher, values="-a -u -p -d -f --file --format -P"),
    service_program(
        "neo4j neo4j-admin",
        {
            "console | start | status | version | server console": SERVES,
            "stop | restart": SERVES,
            "dbms set-initial-password | set-initial-password": SECRET_SET,
            "database import | database dump | database backup | database check": FILLS,
            "database load | database restore | database migrate": ROWS_GONE,
        },
        reach=Reach.PROJECT,
    ),
    program("influx influx_inspect", handler=_influx, values="-execute -host -port -database"),
    service_program(
        "elasticsearch-reset-password elasticsearch-service-tokens "
        "elasticsearch-setup-passwords elasticsearch-create-enrollment-token",
        {"list": LOOK, "useradd | userdel | passwd | roles": USERS, "delete": USERS},
        reach=Reach.SYSTEM,
        change=Verb.CONFIGURE,
        thing=Thing.ACCOUNT,
        bare=Verb.CONFIGURE,
    ),
    service_program(
        "elasticsearch-keystore kibana-keystore logstash-keystore",
        {
            "list | has-passwd": LOOK,
            "show": SHOWS_SECRET,
            "create | add | add-file | passwd | upgrade": SECRET_SET,
            "remove": SECRET_SET,
        },
    ),
    service_program(
        "elasticsearch-plugin kibana-plugin logstash-plugin opensearch-plugin",
        {
            "list": LOOK,
            "install": machine(Verb.INSTALL, Thing.PACKAGE),
            "remove": machine(Verb.DELETE, Thing.PACKAGE),
        },
        reach=Reach.SYSTEM,
    ),
    program("elasticsearch-certutil elasticsearch-certgen elasticsearch-saml-metadata", BUILD),
    program("elasticsearch-syskeygen", SECRET_SET),
    program("elasticsearch-shard elasticsearch-node", CLUSTER),
    service_program("dolt", DOLT, reach=Reach.PROJECT),
    service_program(
        "cockroach yb-admin ysqlsh ycqlsh nodetool scylla rethinkdb surreal arangosh couchbase-cli "
        "cbq tikv-ctl tiup pd-ctl stolonctl patronictl repmgr pgbackrest barman wal-g "
        "xtrabackup mariabackup mydumper myloader orchestrator tarantoolctl tt",
        {
            "start | start-single-node | demo | stop | init | dev | playground | serve": SERVES,
            "status | info | list | ring | tpstats | describecluster | topology | history | gen | "
            "node status | node ls | debug zip | check | verify | backup-list | repair": LOOK,
            "backup | snapshot | flush | compact | build | sql": BUILD,
            "decommission | removenode | drain | assassinate | failover | switchover | reinit | "
            "restart | remove": CLUSTER,
            "node decommission | node drain": CLUSTER,
            "restore | backup-push | backup-fetch | recover": ROWS_GONE,
            "clearsnapshot | expire | delete": BACKUP,
            "cluster destroy | destroy": WHOLE,
        },
        reach=Reach.PROJECT,
        bare=Verb.READ,
    ),
    service_program(
        "sqlmesh meltano airbyte fivetran",
        {
            "run | build | test | compile | debug | deps | docs | seed | snapshot | ls | list | "
            "parse | init | clean | source | show | retry | plan | format | dev | invoke | add | "
            "install | lock | config": BUILD,
            "run-operation": near(Verb.EXECUTE, Thing.DATABASE),
            "clone": FILLS,
            "deploy": RUNS_THERE,
        },
        reach=Reach.PROJECT,
    ),
    service_program(
        "databricks snow snowflake confluent-cloud starburst dremio",
        {
            "configure | auth login | connection add | auth": LOGS_IN,
            "auth token | tokens create | secrets get-secret": SHOWS_SECRET,
            "secrets list-secrets | secrets list-scopes | secrets list-acls": LOOK,
            "fs ls | fs cat | clusters list | jobs list | connection list | connection test | "
            "bundle validate | bundle init | bundle schema | app init": LOOK,
            "clusters permanent-delete": WHOLE,
            "jobs run-now": RUNS_THERE,
            "sql": remote_statement,
            "connection set-default": SETS_PROJECT,
        },
        values="-p --profile -c --connection",
    ),
)
