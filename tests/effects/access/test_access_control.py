"""Limits, failures, blocklist and reputation over memory, SQLite and a real Valkey (or Redis)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("limits", reason="the extra `limits` is not installed")

from signoff import Action, Pipeline
from signoff.access import AccessControl
from signoff.actions.action import ActionKind, Json
from signoff.asgi import standard, strict
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding
from signoff.effects.access.counting import Counting, Limit, counted_as, read_limit
from signoff.effects.access.sqlite_storage import SqliteStorage
from signoff.errors import BadSettings

SERVER = shutil.which("valkey-server") or shutil.which("redis-server")
ATTACK = "<script>fetch('//e.example')</script>"
ANN, BEN = "203.0.113.7", "203.0.113.8"


class Store:
    """A running server with its folder, which can be started anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.uri = f"valkey://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it, with a log of every change, and wait until it has read its log and answers."""
        words = [str(SERVER), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        words += ["--appendonly", "yes", "--appendfsync", "always", "--dir", str(self.folder)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, env=dict(os.environ))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self._answers():
                return
            time.sleep(0.02)
        raise TimeoutError("the store does not answer")

    def _answers(self) -> bool:
        """Tell whether it has read its log; before, it answers `-LOADING`."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 60) as link:
                link.sendall(b"PING\r\n")
                return link.recv(100).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self) -> None:
        """End it, and wait."""
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if SERVER is None:
        pytest.skip("neither valkey-server nor redis-server is installed")
    made = Store(tmp_path_factory.mktemp("valkey"))
    yield made
    made.stop()


@pytest.fixture(params=["memory", "sqlite", "valkey"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A storage of each kind, empty."""
    if request.param == "valkey":
        uri: str = request.getfixturevalue("store").uri
        Counting(uri)._storage.reset()
        return uri
    return "memory://" if request.param == "memory" else f"sqlite://{tmp_path}/access.db"


def asked(pipeline: Pipeline, client: str = ANN, q: str = "tea") -> str:
    """Send one request through; give what refused it, "" if nothing did."""
    arguments: dict[str, Json] = {
        "method": "GET",
        "path": "/",
        "query": {"q": q},
        "client_ip": client,
    }
    action = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments)
    decision = pipeline.decide(action)
    pipeline.act(decision)
    return "" if decision.is_allowed else decision.threat.results[0].detector


def test_the_one_after_the_last_is_blocked(storage: str) -> None:
    """Three are allowed, the fourth is not, and another client has places of its own."""
    guarded = AccessControl(storage, requests="3/minute").guarding(standard())
    assert ["", "", "", "rate-limit", "rate-limit"] == [asked(guarded) for _ in range(5)]
    assert asked(guarded, BEN) == ""


def test_refusals_do_not_feed_themselves(storage: str) -> None:
    """Whoever tries on in vain is served again once the window has passed."""
    guarded = AccessControl(storage, requests="2/second").guarding(standard())
    start = time.monotonic()
    assert ["", ""] == [asked(guarded), asked(guarded)]
    while time.monotonic() - start < 0.7:
        assert asked(guarded) in ("rate-limit", "")
        time.sleep(0.1)
    time.sleep(max(0.0, 1.2 - (time.monotonic() - start)))
    assert asked(guarded) == ""


def test_who_is_kept_out_takes_no_place(storage: str) -> None:
    """However often it tries; let in again, it has all of its places."""
    access = AccessControl(storage, requests="2/minute")
    guarded = access.guarding(standard())
    access.block(ANN, 60)
    assert {"blocklist"} == {asked(guarded) for _ in range(5)}
    access.unblock(ANN)
    assert ["", "", "rate-limit"] == [asked(guarded) for _ in range(3)]


def test_failures_are_counted_by_status(storage: str) -> None:
    """Two refused logins are allowed; other answers do not count."""
    access = AccessControl(storage, failures="2/minute", failed=(401,))
    guarded = access.guarding(standard())
    login = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments={"client_ip": ANN})
    for status, found in ((200, ""), (401, ""), (404, ""), (401, "brute-force")):
        access.answered(login, status)
        assert found == asked(guarded)
    assert asked(guarded, BEN) == ""


@pytest.mark.parametrize("client", ["198.51.100.9", "::ffff:198.51.100.9", "key-7"])
def test_listed_clients_never_come_in(client: str) -> None:
    """Networks and names; a mapped address is the address."""
    guarded = AccessControl(listed=("198.51.100.0/24", "key-7")).guarding(standard())
    assert ("blocklist", "") == (asked(guarded, client), asked(guarded, BEN))


def test_attacker_stays_out_for_a_while(storage: str) -> None:
    """One blocked attack is enough; being refused by the list adds nothing to it."""
    access = AccessControl(storage, blocked_for_s=1)
    guarded = access.guarding(standard())
    assert ("xss", "blocklist") == (asked(guarded, q=ATTACK), asked(guarded))
    start = time.monotonic()
    while time.monotonic() - start < 1.2:
        asked(guarded)
        time.sleep(0.1)
    assert asked(guarded) == ""
    access.block(ANN, 60)
    assert asked(guarded) == "blocklist"
    access.unblock(ANN)
    assert asked(guarded) == ""


def test_a_failure_of_ours_is_held_against_nobody() -> None:
    """The request is blocked, and the client comes in again."""

    def broken(_: Evidence) -> Iterator[Finding]:
        raise RuntimeError("broken")

    access = AccessControl(blocked_for_s=60, half_life_s=60)
    pipeline = access.guarding(Pipeline(Detector(id="broken", run=broken)))
    assert "broken" == asked(pipeline)
    assert (False, 100.0) == (access.is_blocked(ANN), access.standing(ANN))


def test_standing_falls_and_comes_back(storage: str) -> None:
    """Three attacks cost most of it; half-lives give it back."""
    now = [1_000_000.0]
    counting = Counting(storage, clock=lambda: now[0])
    for _ in range(3):
        counting.lose(ANN, 30, 3_600)
    fallen = counting.standing(ANN, 3_600)
    now[0] += 3 * 3_600
    later = counting.standing(ANN, 3_600)
    assert 0 < fallen < 30
    assert 85 < later < 100
    assert counting.standing(BEN, 3_600) == 100


def test_low_standing_is_refused(storage: str) -> None:
    """A client that attacks goes under the line, and is refused without an attack."""
    guarded = AccessControl(storage, half_life_s=3_600).guarding(strict())
    found = [asked(guarded, q=ATTACK) for _ in range(3)]
    assert found[0] == "xss"
    assert asked(guarded) == "reputation"


def test_refused_request_is_not_read() -> None:
    """A client that is kept out costs no scan."""

    def read(evidence: Evidence) -> Iterator[Finding]:
        raise AssertionError("nothing is to be read")

    access = AccessControl(listed=(ANN,))
    assert "blocklist" == asked(access.guarding(Pipeline(Detector(id="scan", run=read))))


OTHER = """
import sys
from signoff.effects.access.counting import Counting, Limit
counting = Counting(sys.argv[1])
print(sum(counting.take("requests", "203.0.113.7", Limit(50, 60)) for _ in range(40)))
"""


@pytest.mark.parametrize("kind", ["sqlite", "valkey"])
def test_processes_share_their_counts(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two processes at once take fifty places together, not one more; a third finds none."""
    uri = f"sqlite://{tmp_path}/a.db"
    if kind == "valkey":
        uri = request.getfixturevalue("store").uri
        Counting(uri)._storage.reset()
    words = [sys.executable, "-c", OTHER, uri]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(2)]
    taken = [int(one.communicate(timeout=60)[0]) for one in both]
    assert 50 == sum(taken)
    assert not Counting(uri).take("requests", ANN, Limit(50, 60))


def test_counts_outlive_a_restart(store: Store) -> None:
    """What was taken before the store was started anew is taken afterwards."""
    Counting(store.uri)._storage.reset()
    access = AccessControl(store.uri, requests="1/hour")
    assert asked(access.guarding(standard())) == ""
    store.stop()
    refused = asked(access.guarding(standard()), BEN)
    store.start()
    again = AccessControl(store.uri, requests="1/hour").guarding(standard())
    assert ("blocklist", "rate-limit") == (refused, asked(again))


def test_storage_that_fails_blocks(tmp_path: Path) -> None:
    """Nobody comes in uncounted."""
    access = AccessControl(f"sqlite://{tmp_path}/a.db", requests="9/minute")
    guarded = access.guarding(standard())
    assert asked(guarded) == ""
    storage = access._counting._storage
    assert isinstance(storage, SqliteStorage)
    for link in storage._links.values():
        link.close()
    assert asked(guarded) != ""


@pytest.mark.parametrize(
    ("client", "name"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::/64"),
    ],
)
def test_a_subscriber_is_counted_as_one(client: str, name: str) -> None:
    """All addresses of a network of 64 bits are one client."""
    assert name == counted_as(client)


def test_keys_are_not_kept_in_clear_text() -> None:
    """A name that is no address goes by its hash."""
    assert "secret" not in counted_as("key:secret") != counted_as("key:other")


@pytest.mark.parametrize("text", ["", "many", "0/minute", "5/fortnight"])
def test_limit_that_is_none_is_refused(text: str) -> None:
    """A limit says how many in which time."""
    with pytest.raises(BadSettings, match="limit"):
        read_limit(text)


@pytest.mark.parametrize("uri", ["sqlite://relative.db", "nowhere://x", "sqlite:///no/such/a.db"])
def test_storage_that_is_none_is_refused(uri: str) -> None:
    """The message names the storage, without its password."""
    with pytest.raises(BadSettings, match="storage"):
        AccessControl(uri)


def test_sqlite_counters_end(tmp_path: Path) -> None:
    """A counter ends in time, and is gone once it is read."""
    now = [100.0]
    made = SqliteStorage(f"signoff-sqlite://{tmp_path}/a.db", clock=lambda: now[0])
    assert (1, 3, 3) == (made.incr("a", 10), made.incr("a", 10, 2), made.get("a"))
    now[0] += 11
    assert (0, 1, True) == (made.get("a"), made.incr("a", 5), made.check())
    assert made.get_expiry("a") == now[0] + 5
    assert made.reset() == 1


def test_missing_library_is_named() -> None:
    """Without the extra the error says what to install."""
    hidden = "import sys; sys.modules['limits'] = None; import signoff.access"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, check=False)
    assert b"pip install 'signoff[limits]'" in done.stderr
