"""What deploy/ runs, without containers: its settings, its proxy, its Prometheus, its dashboard."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from urllib.request import ProxyHandler, build_opener

import pytest
from bench.ports import free_port
from live_daemon import LiveDaemon, served, wait_until

from postgres_server import PostgresServer, binaries

DEPLOY = Path(__file__).parents[3] / "deploy"
METRIC = re.compile(r"\bsignoff_[a-z_]+")
SUFFIX = re.compile(r"_(bucket|sum|count)$")
LOCAL = build_opener(ProxyHandler({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Two nodes and the proxy before them."""

    nodes: tuple[LiveDaemon, LiveDaemon]
    port: int
    certificate: Path

    def ask(
        self, path: str, command: str = "", *, has_token: bool = True, timeout_s: float = 30
    ) -> tuple[int, bytes]:
        """Send a request through the proxy."""
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        link = http.client.HTTPSConnection(
            "localhost", self.port, context=trusted, timeout=timeout_s
        )
        headers = {"Content-Type": "application/json"}
        if has_token:
            headers["Authorization"] = f"Bearer {self.nodes[0].token}"
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/tmp"}
        with contextlib.closing(link):
            body = json.dumps(call) if command else None
            link.request("POST" if command else "GET", path, body, headers)
            answer = link.getresponse()
            return answer.status, answer.read()


def node_home(folder: Path, name: str, server: PostgresServer, token: str) -> Path:
    """Make the folders of a node from the settings that are shipped."""
    home = folder / name
    config, state = home / ".config" / "signoff", home / ".local" / "state" / "signoff"
    config.mkdir(parents=True)
    state.mkdir(parents=True, mode=0o700)
    password = folder / "store_password"
    password.touch(mode=0o600)
    key = folder / "store_key"
    if not key.exists():
        key.touch(mode=0o600)
        key.write_text(secrets.token_hex(32))
    text = (DEPLOY / "compose" / f"node-{name}.yaml").read_text(encoding="utf-8")
    for said, here in (
        ("/run/postgresql", f"{server.folder}:{server.port}"),
        ("/run/secrets/store_password", str(password)),
        ("/run/secrets/store_key", str(key)),
    ):
        assert said in text
        text = text.replace(said, here)
    (config / "signoff.yaml").write_text(text)
    shutil.copy(DEPLOY / "compose" / "rules.yaml", config)
    with open(os.open(state / "token", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        file.write(token)
    return home


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Run the fleet."""
    if not binaries() or not shutil.which("haproxy") or not shutil.which("openssl"):
        pytest.skip("no PostgreSQL, HAProxy or OpenSSL (apt-get install postgresql haproxy)")
    folder, server = tmp_path_factory.mktemp("fleet"), PostgresServer()
    token = secrets.token_hex(32)
    server.make()
    with ExitStack() as stack:
        stack.callback(server.remove)
        server.start()
        server.sql("postgres", "CREATE DATABASE signoff")
        first, second = (
            stack.enter_context(served(node_home(folder, name, server, token))) for name in "ab"
        )
        port = stack.enter_context(proxy(folder, (first, second)))
        fleet = Fleet(nodes=(first, second), port=port, certificate=folder / "tls.crt")
        wait_until(lambda: answers(fleet))
        yield fleet


def answers(fleet: Fleet) -> bool:
    """Tell whether both nodes are behind the proxy already."""
    with contextlib.suppress(OSError):
        return fleet.ask("/readyz", has_token=False, timeout_s=2)[0] == 200
    return False


@contextlib.contextmanager
def proxy(folder: Path, nodes: tuple[LiveDaemon, LiveDaemon]) -> Iterator[int]:
    """Run the shipped proxy with a certificate made for now."""
    made = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        " -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout tls.key -out tls.crt"
    )
    subprocess.run(made.split(), cwd=folder, check=True, capture_output=True)
    parts = [(folder / name).read_text() for name in ("tls.crt", "tls.key")]
    (folder / "tls.pem").write_text("".join(parts))
    port = free_port()
    text = (DEPLOY / "compose" / "haproxy.cfg").read_text(encoding="utf-8")
    for said, here in (
        ("/run/secrets/tls_pem", str(folder / "tls.pem")),
        ("4440", str(nodes[0].port)),
        ("4441", str(nodes[1].port)),
        (":8443", f"127.0.0.1:{port}"),
    ):
        assert said in text
        text = text.replace(said, here)
    (folder / "haproxy.cfg").write_text(text)
    process = subprocess.Popen(
        ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def test_calls_reach_the_nodes_over_tls_and_nothing_else_does(fleet: Fleet) -> None:
    """Who has no token is told so by the node; counters and inbox stay inside."""
    status, body = fleet.ask("/v1/actions", "git status")

    assert (200, "allow") == (status, json.loads(body)["verdict"])
    assert 401 == fleet.ask("/v1/actions", "git status", has_token=False)[0]
    for path in ("/metrics", "/v1/status", "/web/", "/openapi.json", "/v1/sessions"):
        assert 404 == fleet.ask(path)[0], path


def queries() -> list[str]:
    """Return every query of the dashboard."""
    board = json.loads((DEPLOY / "dashboards" / "signoff.json").read_text(encoding="utf-8"))
    found = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return [one.replace("$node", ".*") for one in found]


def test_the_dashboard_asks_only_for_what_there_is(fleet: Fleet) -> None:
    """Each metric of a query, and of an alert, is one that a daemon gives, with its labels."""
    fleet.ask("/v1/actions", "ls")
    given = "\n".join(one.request("GET", "/metrics").body.decode() for one in fleet.nodes)
    names = set(re.findall(r"^# TYPE (\S+)", given, re.MULTILINE))
    alerts = (DEPLOY / "compose" / "alerts.yaml").read_text(encoding="utf-8")
    asked = {one for text in (*queries(), alerts) for one in METRIC.findall(text)}

    assert len(asked) > 8
    assert set() == {one for one in asked if one not in names and SUFFIX.sub("", one) not in names}


def test_every_query_of_the_dashboard_is_answered(fleet: Fleet, tmp_path: Path) -> None:
    """By a real Prometheus that reads the nodes as it is set up to."""
    if not shutil.which("prometheus"):
        pytest.skip("no Prometheus (apt-get install prometheus)")
    with prometheus(tmp_path, fleet) as port:

        def result(query: str) -> list[object]:
            address = f"http://127.0.0.1:{port}/api/v1/query?query={quote(query)}"
            with LOCAL.open(address, timeout=30) as answer:
                said = json.loads(answer.read())
            assert said["status"] == "success", query
            return list(said["data"]["result"])

        def is_counting() -> bool:
            fleet.ask("/v1/actions", "ls")
            with contextlib.suppress(OSError):
                return len(result("rate(signoff_store_entries_total[1m]) > 0")) == 2
            return False

        # Of what was never refused there is no series.
        for node in fleet.nodes:
            assert node.request("GET", "/metrics", headers={"Authorization": ""}).status == 401
        wait_until(is_counting)
        wait_until(lambda: [] == [query for query in queries() if not result(query)])


@contextlib.contextmanager
def prometheus(folder: Path, fleet: Fleet) -> Iterator[int]:
    """Run a Prometheus by the shipped file, with the addresses of here."""
    port = free_port()
    (folder / "token").write_text(fleet.nodes[0].token)
    text = (DEPLOY / "compose" / "prometheus.yaml").read_text(encoding="utf-8")
    for said, here in (
        ("/run/secrets/token", str(folder / "token")),
        ("/etc/signoff/alerts.yaml", str(DEPLOY / "compose" / "alerts.yaml")),
        ("127.0.0.1:4440", f"127.0.0.1:{fleet.nodes[0].port}"),
        ("127.0.0.1:4441", f"127.0.0.1:{fleet.nodes[1].port}"),
        ("scrape_interval: 10s", "scrape_interval: 1s"),
    ):
        assert said in text
        text = text.replace(said, here)
    (folder / "prometheus.yaml").write_text(text)
    process = subprocess.Popen(
        [
            "prometheus",
            f"--config.file={folder / 'prometheus.yaml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def test_the_proxy_sends_calls_to_the_node_that_is_left(fleet: Fleet) -> None:
    """One node is stopped as it stands; calls go to it again once it is ready."""
    os.kill(fleet.nodes[0].pid, signal.SIGSTOP)
    try:
        wait_until(lambda: all(answers(fleet) for _ in range(4)))
        found = [json.loads(fleet.ask("/v1/actions", "git status")[1]) for _ in range(20)]
    finally:
        os.kill(fleet.nodes[0].pid, signal.SIGCONT)

    assert ["allow"] * 20 == [one["verdict"] for one in found]
    wait_until(lambda: fleet.nodes[0].request("GET", "/readyz").status == 200)
