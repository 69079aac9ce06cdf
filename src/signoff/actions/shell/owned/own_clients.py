"""Clients of services, and what says which server each of them talks to.

    CLIENTS["consul"]     `-http-addr` or CONSUL_HTTP_ADDR, at port 8500 unless one is given

What is said here of a program stands in its manual: another variable that sounds alike is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from signoff.actions.shell.command import Command, Word
from signoff.actions.urls import is_near_url, look_at_url
from signoff.actions.vocabulary import words
from signoff.values import replace


class ServiceClient(Struct, frozen=True, kw_only=True):
    """What names the server of a client.

    Args:
        options: options whose value is the address.
        variables: names of environment variables that hold it, where no option does.
        port: where the server listens unless an address says so.
        holds_stores: what it takes away by one name holds many records: topics, queues, streams.
        port_options: options whose value is the port, where it stands apart from the address.
        home: the address without any option, "" where the client then talks to no port.
        is_own_only: True if nothing is milder but on a server that the line started, empty.
        login: the words with which it is told a server for all its calls behind, by an option of
            these or by the word behind them.
    """

    options: frozenset[str]
    variables: frozenset[str] = frozenset()
    port: str = ""
    holds_stores: bool = False
    port_options: frozenset[str] = frozenset()
    home: str = ""
    is_own_only: bool = False
    login: tuple[str, ...] = ()


def _client(options: str, variables: str = "", port: str = "") -> ServiceClient:
    return ServiceClient(options=words(options), variables=words(variables), port=port)


def _stores(options: str, variables: str = "", port: str = "") -> ServiceClient:
    return replace(_client(options, variables, port), holds_stores=True)


def _database(options: str, port_options: str, port: str, home: str = "") -> ServiceClient:
    return ServiceClient(
        options=words(options), port=port, port_options=words(port_options), home=home,
        holds_stores=True, is_own_only=True,
    )  # fmt: skip


MOST_WORDS = 200
# What else names the server in a word, as in `host=db service=a`.
_SETTINGS_OF_SERVERS = words("host hostaddr service server")
# Other parameters of such an address may name another host.
_DATABASE_URL = re.compile(
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|clickhouse)://[^\s?#]{1,300}"
    r"(?:\?sslmode=[\w-]{1,20})?"
)
_VAULT = _client("-address --address", "VAULT_ADDR BAO_ADDR", "8200")
_KAFKA = _stores("--bootstrap-server", port="9092")
_KAFKA_TOOLS = words(
    "kafka-topics kafka-acls kafka-consumer-groups kafka-configs kafka-delete-records"
    " kafka-reassign-partitions kafka-leader-election kafka-transactions kafka-features"
)
_REDIS = _database("-h", "-p", "6379", "127.0.0.1")
_POSTGRES = _database("-h --host", "-p --port", "5432")
_CLICKHOUSE = _database("-h --host", "--port", "9000")
_MYSQL = _database("-h --host", "-P --port", "3306")
CLIENTS: Mapping[str, ServiceClient] = {
    **dict.fromkeys(words("redis-cli valkey-cli keydb-cli iredis"), _REDIS),
    **dict.fromkeys(words("psql pgcli dropdb pg_restore"), _POSTGRES),
    **dict.fromkeys(words("mysql mariadb mysqladmin mycli"), _MYSQL),
    **dict.fromkeys(words("mongosh mongo mongorestore"), _database("--host", "--port", "27017")),
    **dict.fromkeys(words("clickhouse-client clickhouse"), _CLICKHOUSE),
    "consul": _client("-http-addr --http-addr", "CONSUL_HTTP_ADDR", "8500"),
    "nomad": _client("-address --address", "NOMAD_ADDR", "4646"),
    **dict.fromkeys(("vault", "bao", "openbao"), _VAULT),
    "etcdctl": _client("--endpoints", "ETCDCTL_ENDPOINTS", "2379"),
    **{f"{name}{ending}": _KAFKA for name in _KAFKA_TOOLS for ending in ("", ".sh")},
    "cast": _client("--rpc-url -r", "ETH_RPC_URL", "8545"),
    **dict.fromkeys(("temporal", "tctl"), _client("--address", "TEMPORAL_ADDRESS", "7233")),
    "nats": _stores("--server -s", "NATS_URL", "4222"),
    "rabbitmqadmin": _stores("--host -H", port="15672"),
    "rabbitmqctl": _stores("-n --node", "RABBITMQ_NODENAME"),
    "pulsar-admin": _stores("--admin-url", port="8080"),
    "influx": _stores("--host", "INFLUX_HOST", "8086"),
    "mlflow": _client("", "MLFLOW_TRACKING_URI", "5000"),
    "cbt": _client("", "BIGTABLE_EMULATOR_HOST", "8086"),
    "spanner-cli": _client("", "SPANNER_EMULATOR_HOST", "9010"),
    "argocd": _client("--server", "ARGOCD_SERVER", "8080"),
    **dict.fromkeys(
        ("kcadm.sh", "kcadm"), replace(_client("--server"), login=("config", "credentials"))
    ),
    "jf": replace(_client("--url"), login=("config", "add")),
    "influxctl": replace(_client("--host"), login=("config", "create")),
    **dict.fromkeys(("aws", "aws2"), _stores("--endpoint-url", "AWS_ENDPOINT_URL", "4566")),
    **dict.fromkeys(("mc", "mcli"), replace(_stores("", port="9000"), login=("alias", "set"))),
    **dict.fromkeys(("curl", "curlie", "xh", "http", "https"), _client("")),
}
# What answers at an address of this machine in the place of these services is an emulator.
EMULATED = words("aws aws2 cbt spanner-cli")
# Servers for tests that begin empty and keep nothing: the words that make them so, and their ports.
PASSING_SERVERS: Mapping[str, tuple[frozenset[str], str]] = {
    "consul": (words("-dev --dev"), "8500"),
    "nomad": (words("-dev --dev -dev-connect"), "4646"),
    **dict.fromkeys(("vault", "bao", "openbao"), (words("-dev --dev"), "8200")),
    **dict.fromkeys(("anvil", "ganache", "ganache-cli"), (frozenset(), "8545")),
    "geth": (words("--dev"), "8545"),
    "hardhat": (words("node"), "8545"),
    "temporal": (words("start-dev"), "7233"),
    "localstack": (words("start"), "4566"),
    **dict.fromkeys(words("redis-server valkey-server"), (words("--save"), "6379")),
    **dict.fromkeys(("moto_server", "moto"), (frozenset(), "5000")),
}
# What leads a port of this machine to another one.
TUNNELS = words(
    "ssh autossh sshuttle socat chisel frpc ngrok stunnel stunnel4 wstunnel rinetd redir gost"
    " cloud_sql_proxy cloud-sql-proxy alloydb-auth-proxy tsh boundary teleport telepresence kubefwd"
    " iptables nft ncat cloudflared inlets portfwd plink mutagen tailscale"
)
TUNNEL_WORDS = words(
    "port-forward proxy start-iap-tunnel start-session tunnel bastion connect forward"
)
TUNNELLING = words("kubectl oc gcloud aws az flyctl fly heroku railway ibmcloud oci vault consul")
# In any word: a way from a port of this machine to another one, as a container or a task.
LEADING = ("tunnel", "forward", "socat", "proxy", "envoy", "gost", "chisel", "ngrok", "bastion")
# With such a word a server joins others, or hands on what it is told.
JOINING = ("join", "upstream", "replic", "peer", "config", "forward", "relay", "bridge", "-retry")
# Images of the servers, where the name of the client does not tell them.
IMAGES = {
    **dict.fromkeys(("redis-cli", "valkey-cli", "iredis"), ("redis", "valkey")),
    **dict.fromkeys(("psql", "pgcli", "dropdb", "pg_restore"), ("postgres", "postgis")),
    **dict.fromkeys(("mysql", "mysqladmin", "mycli", "mariadb"), ("mysql", "mariadb")),
    **dict.fromkeys(("mongosh", "mongo", "mongorestore"), ("mongo",)),
    **dict.fromkeys(("cast",), ("anvil", "foundry", "ganache", "geth")),
    **dict.fromkeys(("mc", "mcli"), ("minio",)),
    **dict.fromkeys(("bao", "openbao"), ("openbao", "vault")),
    "etcdctl": ("etcd",),
    "tctl": ("temporal",),
    **dict.fromkeys(("rabbitmqadmin", "rabbitmqctl"), ("rabbitmq",)),
}


def values_of(given: Sequence[Word], options: frozenset[str]) -> Iterator[str]:
    """Yield the values of options; ``""`` for one that is not known."""
    for at, word in enumerate(given):
        name, mark, value = word.text.partition("=")
        if name not in options:
            continue
        if not mark:
            word = given[at + 1] if at + 1 < len(given) else Word(text="")
            value = word.text
        yield value if word.is_known else ""


def with_ports(named: list[str], given: Sequence[Word], client: ServiceClient) -> list[str]:
    """Return the address of a client that is given host and port apart, [] if it is not certain."""
    if address := _address_in(named, given, client):
        return [address]
    hosts = named or ([client.home] if client.home else [])
    ports = list(values_of(given, client.port_options)) or [client.port]
    is_url = any(["://" in word.text or not word.is_known for word in given])
    if is_url or len(hosts) != 1 or len(ports) != 1 or not ports[0].isdigit():
        return []
    return [f"{hosts[0]}:{ports[0]}"]


def _address_in(named: list[str], given: Sequence[Word], client: ServiceClient) -> str:
    """The address that a client of a database is given as one word, "" if any other names one."""
    texts = [word.text for word in given]
    urls = [text for text in texts if "://" in text]
    names = {text.partition("=")[0] for text in texts}
    is_other = named or not names.isdisjoint(client.port_options | _SETTINGS_OF_SERVERS)
    if is_other or len(urls) != 1 or not all([word.is_known for word in given]):
        return ""
    return urls[0] if _DATABASE_URL.fullmatch(urls[0]) else ""


def aliases_in(texts: Sequence[str]) -> list[str]:
    """The names before the first slash of the words of `mc` that may lie in a store."""
    plain = [text for text in texts if text[:1] not in "-./~" and "/" in text]
    return [text.partition("/")[0] for text in plain]


def is_address(text: str) -> bool:
    return "://" in text or re.match(r"[\w.-]+:\d{2,5}(?:/|$)", text) is not None


def is_near_server(text: str) -> bool:
    """Tell whether each server of a list stands on this machine; ``""`` is none."""
    _, mark, rest = text.partition("://")
    servers = (re.split(r"[/?#]", rest, maxsplit=1)[0] if mark else text).split(",")
    return all([server != "" and is_near_url(f"http://{server}") for server in servers])


def port_of(server: str) -> int:
    return look_at_url(server if "://" in server else f"http://{server}").port


CONTAINERS = words("docker podman docker-compose podman-compose nerdctl")
_COMPOSES = words("docker podman docker-compose podman-compose")
# Where images of servers keep their data.
_DATA = ("/var", "/data", "/bitnami", "/srv", "/home", "/opt", "/usr", "/db")
_KEEPING = words("-v --volume --mount --volumes-from --net --network --pid --privileged")


def serves(server: Command, client: str) -> bool:
    """Tell whether a command starts the service of a client: by its program or its image."""
    if server.program not in CONTAINERS:
        return True
    if not (CLIENTS[client].options or CLIENTS[client].login):
        # By its address alone: whatever listens there came with the line, if it is no gateway.
        return not any(["://" in word.text for word in server.words])
    names = servers_of(client)
    images = [word.text.partition(":")[0] for word in server.words[2:] if word.text[:1] != "-"]
    return any([name in image.rpartition("/")[2] for image in images for name in names])


def servers_of(client: str) -> list[str]:
    """What the server of a client is called: `kafka` of `kafka-topics.sh`, `etcd` of `etcdctl`."""
    return [client.removesuffix(".sh").partition("-")[0], *IMAGES.get(client, ())]


def ports_of(command: Command) -> list[str]:
    """The ports of a server that a command starts and that begins empty."""
    texts = [word.text for word in command.words[1:MOST_WORDS]]
    if holds_part(command, JOINING) or not all([word.is_known for word in command.words]):
        return []
    if command.program in CONTAINERS:
        return _ports_published(texts) if "run" in texts[:2] else []
    needed, port = PASSING_SERVERS.get(command.program, (frozenset(), ""))
    is_started = command.is_background or "--daemonize" in texts
    if not port or (needed and needed.isdisjoint(texts)) or not is_started:
        return []
    # With any other value the server reads what it kept before.
    if "--save" in needed and [*texts, ""][texts.index("--save") + 1]:
        return []
    given = [found[1] for text in texts for found in re.finditer(r"(?:^|[:=])(\d{4,5})$", text)]
    return given or [port]


def _ports_published(texts: Sequence[str]) -> list[str]:
    """The ports of a new container that keeps nothing: no volume, no folder, no other network."""
    if any([text.partition("=")[0] in _KEEPING for text in texts]):
        return []
    pairs = zip(texts, [*texts[1:], ""], strict=True)
    given = [value for name, value in pairs if name in ("-p", "--publish")]
    given += [text.partition("=")[2] for text in texts if text.startswith("--publish=")]
    return [value.split(":")[-2] for value in given if value.count(":") in (1, 2)]


def is_run_as(one: Command, name: str) -> bool:
    """Tell `docker run --name NAME`."""
    texts = [word.text for word in one.words[1:MOST_WORDS]]
    named = [b for a, b in pairwise(texts) if a == "--name"]
    named += [text.partition("=")[2] for text in texts if text.startswith("--name=")]
    is_run = one.program in CONTAINERS and texts[:1] == ["run"]
    return is_run and name != "" and named == [name]


def keeps_nothing(one: Command) -> bool:
    """Tell a new container without a volume or folder where servers keep what they hold."""
    texts = [word.text for word in one.words[1:MOST_WORDS]]
    if not {"--mount", "--volumes-from", "--privileged"}.isdisjoint(
        [text.partition("=")[0] for text in texts]
    ):
        return False
    mounts = [b for a, b in pairwise(texts) if a in ("-v", "--volume")]
    mounts += [text.partition("=")[2] for text in texts if text.startswith("--volume=")]
    inside = [mount.split(":")[1] if ":" in mount else "" for mount in mounts]
    # Named again, as `-e PGDATA=/pg` does, it may be where the server keeps its data.
    others = [text for text in texts if text not in mounts and not text.startswith("--volume=")]
    return all([path[:1] == "/" and not path.startswith(_DATA) for path in inside]) and not any(
        [path in text for path in inside for text in others]
    )


def is_of_service(parent: Command, client: str) -> bool:
    """Tell `docker compose exec SERVICE ...`, where the service is the server of a client."""
    texts = [word.text for word in parent.words[:12]]
    is_compose = "compose" in texts[1:2] or texts[0].endswith("-compose")
    if parent.program not in _COMPOSES or not is_compose or "exec" not in texts:
        return False
    behind = [text for text in texts[texts.index("exec") + 1 :] if text[:1] != "-"]
    return any([name in service for service in behind[:1] for name in servers_of(client)])


def holds_part(command: Command, parts: tuple[str, ...]) -> bool:
    texts = [word.text.lower() for word in command.words[1:MOST_WORDS]]
    return any([part in text for text in texts for part in parts])
