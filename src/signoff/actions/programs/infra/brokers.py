"""Message brokers and queues: kafka, rabbitmq, nats, mosquitto, pulsar, redis queues.

Listing and describing passes; messages, topics and queues live on a service that others use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Act, Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import (
    ACCESS,
    BACKUP_GONE,
    BUILD,
    CHANGE,
    CONTROL,
    GONE,
    LOGS_IN,
    LOOK,
    RUNS_THERE,
    SECRET_SET,
    SENDS,
    SERVES,
    SETS,
    STORE_GONE,
    far,
    machine,
)
from signoff.actions.programs.infra.services import names_production, service_program
from signoff.actions.programs.program import Handler, Program, program

READING = ("--list", "--describe", "--help", "--version", "--verify", "--generate", "--members")
REMOVING = ("--delete", "--delete-offsets", "--remove")


def _topics(call: Call) -> Iterator[Effect]:
    """`kafka-topics`, `kafka-acls`, `kafka-consumer-groups`: an option says what is done."""
    reach = Reach.PRODUCTION if names_production(call) else Reach.REMOTE
    if call.has(*REMOVING):
        yield call.operation(
            Verb.DELETE, Thing.CLOUD, "topics and groups", reach=reach, reversible=False
        )
    elif call.has(*READING) or call.has("--dry-run"):
        yield call.operation(Verb.READ, Thing.CLOUD)
    else:
        thing = Thing.ACCOUNT if "acls" in call.name else Thing.CLOUD
        yield call.operation(Verb.WRITE, thing, reach=reach)


def _kcat(call: Call) -> Iterator[Effect]:
    """`kcat -P` sends messages, `-C` and `-L` read."""
    if call.has("-P"):
        yield call.operation(
            Verb.NETWORK_OUT, Thing.MESSAGE, "a topic", reach=Reach.REMOTE, reversible=False
        )
    else:
        yield call.operation(Verb.READ, Thing.CLOUD)


RABBIT: Mapping[str, Act | Handler] = {
    "status | cluster_status | environment | report | ping | list | show | await_startup | "
    "list_queues | list_exchanges | list_bindings | list_users | list_permissions | list_vhosts | "
    "node_health_check | version | help | export_definitions | check_running | encode | "
    "list_user_permissions | list_connections | list_channels | list_consumers": LOOK,
    "add_user | delete_user | change_password | clear_password | set_user_tags | set_permissions | "
    "clear_permissions | set_topic_permissions | clear_topic_permissions | set_user_limits | "
    "authenticate_user | declare user | declare permission | delete user | delete permission": (
        ACCESS
    ),
    "delete_vhost | delete vhost | reset | force_reset | delete_queue": far(
        Verb.DELETE, Thing.CLOUD
    ),
    "reset | force_reset": STORE_GONE,
    "stop | stop_app | start_app | shutdown | join_cluster | forget_cluster_node | "
    "rotate_logs | close_connection | close_all_connections | sync_queue | trace_on": CONTROL,
    "eval | eval_file": RUNS_THERE,
    "purge_queue | purge queue": GONE,
    "publish | publish message": SENDS,
    "get | get queue": LOOK,
    "enable | disable | enable_feature_flag": machine(Verb.CONFIGURE, Thing.SERVICE),
}
KAFKA_TOOLS = (
    "kafka-topics kafka-acls kafka-consumer-groups kafka-configs kafka-reassign-partitions "
    "kafka-leader-election kafka-streams-application-reset kafka-features kafka-storage "
    "kafka-metadata-quorum kafka-delegation-tokens kafka-log-dirs kafka-transactions"
)

PROGRAMS: tuple[Program, ...] = (
    program(
        f"{KAFKA_TOOLS} {' '.join(f'{name}.sh' for name in KAFKA_TOOLS.split())}",
        handler=_topics,
        values="--bootstrap-server --topic --group --command-config --zookeeper",
        clusters=False,
    ),
    program("kafka-delete-records kafka-delete-records.sh", GONE),
    program(
        "kafka-console-consumer kafka-console-consumer.sh kafka-dump-log kafka-dump-log.sh "
        "kafka-get-offsets kafka-broker-api-versions kafka-verifiable-consumer "
        "kafka-get-offsets.sh kafka-broker-api-versions.sh kafka-consumer-perf-test "
        "zookeeper-shell-get",
        LOOK,
    ),
    program(
        "kafka-console-producer kafka-console-producer.sh kafka-verifiable-producer "
        "kafka-producer-perf-test",
        SENDS,
    ),
    program(
        "kafka-server-start kafka-server-start.sh zookeeper-server-start "
        "zookeeper-server-start.sh kafka-server-stop kafka-server-stop.sh mosquitto "
        "rabbitmq-server nats-server",
        SERVES,
    ),
    program("kcat kafkacat", handler=_kcat, values="-b -t -p -o -F -X -G -s -f -D -K -c"),
    service_program(
        "rabbitmqctl rabbitmqadmin rabbitmq-diagnostics rabbitmq-queues rabbitmq-streams "
        "rabbitmq-upgrade rabbitmq-plugins",
        {**RABBIT, "rebalance | grow | shrink | add_replica | delete_replica": CONTROL},
        values="-n --node -u --username -p --password -V --vhost -H --host -P --port",
    ),
    service_program(
        "nats nsc",
        {
            "context | context ls | context show | ls | info | describe | view": LOOK,
            "context select | context add | context save | context edit": SETS,
            "context rm": SETS,
            "pub | publish | request | req | reply": SENDS,
            "sub | subscribe | stream ls | stream info | stream view | stream report | "
            "stream find | consumer ls | consumer info | consumer report | kv get | kv ls | "
            "kv history | kv watch | server check | server report | server info | server ls | "
            "server ping | rtt | latency | bench | events | account info | object ls | "
            "object info | object get | stream get | cheat | stream backup | schema": LOOK,
            "stream rmm | stream purge | consumer next": GONE,
            "stream delete | stream rm | consumer delete": GONE,
            "generate creds": SECRET_SET,
            "account backup | backup": LOOK,
            "server generate | server run | server passwd": BUILD,
        },
        values="-s --server --user --password --creds --nkey --context",
    ),
    program("mosquitto_ctrl", ACCESS),
    service_program(
        "pulsar-admin pulsarctl pulsar-client rpk confluent ccloud-cli stompctl emqx_ctl "
        "emqx hivemq vernemq vmq-admin activemq artemis zookeepercli zkCli.sh gearadmin "
        "beanstalkd-cli faktory resque sidekiqctl rq-dashboard sqs-cli temporal tctl "
        "cadence conductor zbctl camunda inngest trigger",
        {
            "login": LOGS_IN,
            "produce | topic produce": SENDS,
            "consume | topic consume | topic list | topic describe | cluster info": LOOK,
            "server start-dev | dev | container start | container stop | start | redpanda start": (
                SERVES
            ),
            "local": BUILD,
            "operator namespace delete | namespaces delete | namespace delete": GONE,
            "workflow terminate | workflow reset | workflow cancel": CHANGE,
            "snapshot delete": BACKUP_GONE,
        },
    ),
)
