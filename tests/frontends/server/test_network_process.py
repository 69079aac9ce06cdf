"""The network between nodes and their database: cut, silent, half-open; back by itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.fleet.cut import CuttableLink, LinkMode
from inbox_caller import at_inbox
from live_daemon import LiveDaemon, Reply, served, wait_until
from shared_nodes import asked, home_of

from postgres_server import shared_server

CALL = "git reset --hard"
STATED_S = 1.0  # `busy_timeout_s` of these nodes
SLOW_MACHINE_S = 10.0
LOST_TURN_S = 5.0  # longer than a node holds a request id that it cannot hold on to


def silence(link: CuttableLink) -> None:
    """Hold back everything."""
    link.mode = LinkMode.SILENT


Break = Callable[[CuttableLink], None]
BREAKS: dict[str, Break] = {
    "cut": CuttableLink.cut,
    "silent": silence,
    "half-open": CuttableLink.lose,
}


class Network:
    """Node `a` behind a network of its own, node `b` beside the database."""

    def __init__(self, link: CuttableLink, first: LiveDaemon, second: LiveDaemon) -> None:
        self.link, self.first, self.second = link, first, second

    def mend(self) -> None:
        """Let everything through again: but what was lost stays lost."""
        self.link.mode = LinkMode.OPEN


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    """Give two nodes."""
    server = shared_server()
    url = server.url(server.address().database)
    with CuttableLink(server.port) as link:
        far = url.replace(f":{server.port}/", f":{link.port}/")
        homes = home_of(tmp_path, "a", far), home_of(tmp_path, "b", url)
        settings = homes[0] / ".config" / "signoff" / "signoff.yaml"
        limits = f"limits: {{busy_timeout_s: {STATED_S:g}, "
        settings.write_text(settings.read_text("utf-8").replace("limits: {", limits), "utf-8")
        with served(homes[0]) as first, served(homes[1]) as second:
            yield Network(link, first, second)


def verdict(reply: Reply) -> str:
    """Return what a caller was told."""
    return str(reply.said.get("verdict"))


def told(daemon: LiveDaemon, reply: Reply) -> Reply:
    """Return the answer to an action, waited for where it was only taken in."""
    place = reply.headers.get("location", "")
    return daemon.request("GET", f"{place}?wait=30") if reply.status == 202 else reply


def recorded(daemon: LiveDaemon, verdict: str, text: str) -> int:
    """Return how many entries of all nodes have this verdict on this call."""
    lines = daemon.signoff("audit", "tail", "-n", "1000", "--json").stdout.splitlines()
    found = [json.loads(one) for one in lines]
    return sum(one.get("verdict") == verdict and text in json.dumps(one) for one in found)


@pytest.mark.parametrize("name", BREAKS)
def test_a_node_that_cannot_see_the_database_refuses_in_its_time(
    network: Network, name: str
) -> None:
    """It says why, allows nothing, and decides again by itself; what it allowed is recorded."""
    first = network.first
    for id in [f"before-{n}" for n in range(5)]:  # a machine with much else to do may be late once
        wait_until(lambda id=id: verdict(first.act("git status", id=id)) == "allow")
    BREAKS[name](network.link)

    began_s = time.monotonic()
    replies = [told(first, first.act("git status", id=f"while-{n}")) for n in range(5)]
    took_s = time.monotonic() - began_s
    network.mend()
    wait_until(lambda: verdict(first.act("git log")) == "allow")

    assert {"deny"} == set(map(verdict, replies))
    assert all("the store" in str(one.said.get("reason")) for one in replies), replies
    # Not each one that long: after the first, the node knows.
    assert took_s < 2 * STATED_S + SLOW_MACHINE_S
    assert 5 == recorded(network.second, "allow", "git status")
    assert 0 == network.second.signoff("audit", "verify").returncode


@pytest.mark.parametrize("name", BREAKS)
def test_who_waits_is_answered_once_whatever_the_network_does(network: Network, name: str) -> None:
    """A person answers on the other node meanwhile; the caller asks again with the same id."""
    first, second = network.first, network.second
    first.act(CALL, session_id="s1", id="r1", cwd="/")
    request = asked(second)
    BREAKS[name](network.link)

    assert 303 == at_inbox(second).answer(request, "approve")
    again = first.act(CALL, session_id="s1", id="r1", cwd="/")
    network.mend()

    # Refused, or waiting still: never let through without its entry.
    assert "allow" != again.said.get("verdict")
    wait_until(lambda: verdict(first.act(CALL, session_id="s1", id="r1", cwd="/")) == "allow")
    assert 1 == recorded(second, "allow", CALL)


def test_another_node_takes_over_from_one_that_is_cut_off(network: Network) -> None:
    """Its caller is let through there, once; the first node can give no answer any more."""
    first, second = network.first, network.second
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
    request = asked(second)
    network.link.lose()
    time.sleep(LOST_TURN_S)

    elsewhere = second.act(CALL, session_id="s1", id="r1", cwd="/")
    assert 303 == at_inbox(second).answer(request, "approve")
    answer = told(second, elsewhere)
    network.mend()
    # The approval is used: the first node asks people anew, and its answer comes too late.
    wait_until(lambda: verdict(first.act("git log")) == "allow")
    assert 303 == at_inbox(second).answer(asked(second), "approve")
    late = told(first, waiting)

    assert ["allow", "deny"] == [verdict(answer), verdict(late)]
    assert "taken over" in str(late.said.get("reason"))
