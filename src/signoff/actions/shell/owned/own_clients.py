"""Clients of services, and what says which server each of them talks to.

    CLIENTS["consul"]     `-http-addr` or CONSUL_HTTP_ADDR, at port 8500 unless one is given

What is said here of a program stands in its manual: another variable that sounds alike is not read.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from signoff.actions.vocabulary import words
from signoff.values import replace


class ServiceClient(Struct, frozen=True, kw_only=True):
    """What names the server of a client.

    Args:
        options: options whose value is the address.
        variables: names of environment variables that hold it, where no option does.
        port: where the server listens unless an address says so.
        holds_stores: what it takes away by one name holds many records: topics, queues, streams.
    """

    options: frozenset[str]
    variables: frozenset[str] = frozenset()
    port: str = ""
    holds_stores: bool = False


def _client(options: str, variables: str = "", port: str = "") -> ServiceClient:
    return ServiceClient(options=words(options), variables=words(variables), port=port)


def _stores(options: str, variables: str = "", port: str = "") -> ServiceClient:
    return replace(_client(options, variables, port), holds_stores=True)


_VAULT = _client("-address --address", "VAULT_ADDR BAO_ADDR", "8200")
_KAFKA = _stores("--bootstrap-server", port="9092")
_KAFKA_TOOLS = words(
    "kafka-topics kafka-acls kafka-consumer-groups kafka-configs kafka-delete-records"
    " kafka-reassign-partitions kafka-leader-election kafka-transactions kafka-features"
)
CLIENTS: Mapping[str, ServiceClient] = {
    "consul": _client("-http-addr --http-addr", "CONSUL_HTTP_ADDR", "8500"),
    "nomad": _client("-address --address", "NOMAD_ADDR", "4646"),
    **dict.fromkeys(("vault", "bao", "openbao"), _VAULT),
    "etcdctl": _client("--endpoints", "ETCDCTL_ENDPOINTS", "2379"),
    **{f"{name}{ending}": _KAFKA for name in _KAFKA_TOOLS for ending in ("", ".sh")},
    "cast": _client("--rpc-url -r", "ETH_RPC_URL", "8545"),
    **dict.fromkeys(("temporal", "tctl"), _client("--address", "TEMPORAL_ADDRESS", "7233")),
    "nats": _stores("--server -s", "NATS_URL", "4222"),
    "rabbitmqadmin": _stores("--host -H", port="15672"),
    "pulsar-admin": _stores("--admin-url", port="8080"),
    "influx": _stores("--host", "INFLUX_HOST", "8086"),
    "argocd": _client("--server", "ARGOCD_SERVER", "8080"),
    **dict.fromkeys(("aws", "aws2"), _stores("--endpoint-url", "AWS_ENDPOINT_URL", "4566")),
    **dict.fromkeys(("mc", "mcli"), _stores("", port="9000")),
    **dict.fromkeys(("curl", "curlie", "xh", "http", "https"), _client("")),
}
# What answers at an address of this machine in the place of these services is an emulator.
EMULATED = words("aws aws2")
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
