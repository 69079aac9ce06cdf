"""Detectors that judge a client by numbers and lists given to them."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.assess.detectors.blocklist import blocklist
from signoff.assess.detectors.detector import Detector, Evidence, RequestField
from signoff.assess.detectors.entropy import entropy
from signoff.assess.detectors.rate import brute_force, rate_limit
from signoff.assess.detectors.reputation import recovered, reputation
from signoff.assess.patterns.randomness import bits_per_character

ARGUMENTS = {"path": "/", "client_ip": "203.0.113.7"}
EVIDENCE = Evidence(action=Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=ARGUMENTS))


def from_client(client: str) -> Evidence:
    given = {"path": "/", "client_ip": client}
    return Evidence(action=Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=given))


def severities(detector: Detector, evidence: Evidence = EVIDENCE) -> list[str]:
    return [finding.severity.value for finding in detector.run(evidence)]


@pytest.mark.parametrize("entry", ["203.0.113.7", "203.0.113.0/24"])
def test_listed_client_is_refused(entry: str) -> None:
    """Addresses and networks are both found."""
    assert ["critical"] == severities(blocklist([entry, "agent-7"]))


@pytest.mark.parametrize("entry", ["::ffff:203.0.113.7", "::ffff:203.0.113.0/120", "203.0.113.7"])
@pytest.mark.parametrize("client", ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107"])
def test_an_address_is_listed_in_either_form(entry: str, client: str) -> None:
    """A log of a socket for both families shows IPv4 clients as addresses of IPv6."""
    assert ["critical"] == severities(blocklist([entry]), from_client(client))


@pytest.mark.parametrize("client", ["203.0.114.7", "::ffff:203.0.114.7", "2001:db8::cb00:7107"])
def test_another_address_is_not_listed_by_a_mapped_one(client: str) -> None:
    """Only the addresses of the network are on the list, and none of IPv6."""
    assert [] == severities(blocklist(["::ffff:203.0.113.0/120"]), from_client(client))


def test_unlisted_client_passes() -> None:
    """Who is not on the list is left alone."""
    assert [] == severities(blocklist(["203.0.114.0/24", "203.0.113.70"]))


def test_list_that_changes_is_asked() -> None:
    """A list kept elsewhere is asked for each call."""
    assert ["critical"] == severities(blocklist(has=lambda client: client == "203.0.113.7"))


@pytest.mark.parametrize(("before", "found"), [(2, []), (3, ["critical"]), (0, [])])
def test_rate_limit(before: int, found: list[str]) -> None:
    """After three calls the fourth is refused."""
    assert found == severities(rate_limit(lambda _: before, limit=3))


@pytest.mark.parametrize(("failures", "found"), [(4, []), (5, ["critical"])])
def test_brute_force(failures: int, found: list[str]) -> None:
    """The fifth failure is the last."""
    assert found == severities(brute_force(lambda _: failures, limit=5))


@pytest.mark.parametrize(
    ("standing", "found"),
    [(50.0, []), (49.0, ["medium"]), (19.0, ["critical"]), (float("nan"), ["critical"])],
)
def test_reputation(standing: float, found: list[str]) -> None:
    """A fallen standing is asked about, a lost one refused; so is one that is no number."""
    assert found == severities(reputation(lambda _: standing))


def test_reputation_recovers_by_half() -> None:
    """After two half-lives a quarter of the loss is left."""
    assert 90.0 == recovered(60.0, 20, half_life_s=10)


def test_noise_is_found_and_text_is_not() -> None:
    """A long value of many different characters is noise, a long word is not."""
    noise = "".join(chr(33 + (n * 7919) % 94) for n in range(300))
    for text, found in ((noise, ["low"]), ("abcd" * 100, [])):
        field = RequestField(place="query", name="q", raw=text, forms=(text,))
        evidence = Evidence(action=EVIDENCE.action, fields=(field,))
        assert found == severities(entropy(), evidence)


@pytest.mark.parametrize(("text", "bits"), [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0)])
def test_entropy_in_bits(text: str, bits: float) -> None:
    """Entropy is that of Shannon."""
    assert bits == bits_per_character(text)
