"""What URLs point at and give away."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.actions.known.hosts import HostClass
from signoff.actions.urls import look_at_url, looks_secret


@pytest.mark.parametrize(
    ("url", "host_class"),
    [
        ("http://169.254.169.254/", HostClass.METADATA),
        ("http://0251.0376.0251.0376/", HostClass.METADATA),
        ("http://0xA9FEA9FE/", HostClass.METADATA),
        ("http://2852039166/", HostClass.METADATA),
        ("http://169.254.43518/", HostClass.METADATA),
        ("http://[::ffff:169.254.169.254]/", HostClass.METADATA),
        ("http://[64:ff9b::a9fe:a9fe]/", HostClass.METADATA),
        ("http://[fd00:ec2::254]/", HostClass.METADATA),
        ("http://metadata.google.internal./", HostClass.METADATA),
        ("http://good.example.org@169.254.169.254/", HostClass.METADATA),
        ("http://good.example.org\\@169.254.169.254/", HostClass.METADATA),
        ("http:/169.254.169.254/", HostClass.METADATA),
        ("http://169.254.169.254.nip.io/", HostClass.METADATA),
        ("http://\uff11\uff16\uff19.254.169.254/", HostClass.METADATA),
        ("http://%31%36%39.254.169.254/", HostClass.METADATA),
        ("http://169.254.1.1/", HostClass.LINK_LOCAL),
        ("http://[fe80::1%25eth0]/", HostClass.LINK_LOCAL),
        ("localhost:8000/x", HostClass.LOOPBACK),
        ("http://localhost./", HostClass.LOOPBACK),
        ("http://127.1/", HostClass.LOOPBACK),
        ("http://0/", HostClass.LOOPBACK),
        ("http://[::1]:80/", HostClass.LOOPBACK),
        ("http://app.10-0-0-1.nip.io/", HostClass.PRIVATE),
        ("http://db:5432/", HostClass.PRIVATE),
        ("http://192.168.1.1/", HostClass.PRIVATE),
        # Each is something else to `ipaddress` on one Python or another.
        ("http://192.0.0.8/", HostClass.PRIVATE),
        ("http://[64:ff9b:1::1]/", HostClass.PRIVATE),
        ("http://[3fff::1]/", HostClass.PRIVATE),
        ("http://192.0.0.9/", HostClass.PUBLIC),
        ("http://[2001:1::1]/", HostClass.PUBLIC),
        ("http://[2001:20::1]/", HostClass.PUBLIC),
        ("https://169.example.org/254", HostClass.PUBLIC),
        ("https://docs.example.org/a@b", HostClass.PUBLIC),
        ("http://$HOST/", HostClass.UNKNOWN),
    ],
)
def test_a_host_has_a_class(url: str, host_class: HostClass) -> None:
    """Every spelling of a host has the class of the host."""
    assert host_class is look_at_url(url).host_class


@pytest.mark.parametrize(
    "url",
    ["https://webhook.site/x", "https://a.b.oast.fun/", "https://x.ngrok-free.app/",
     "https://discord.com/api/webhooks/1/x", "https://api.telegram.org/bot1:x/sendMessage"],
)  # fmt: skip
def test_drops_are_covert(url: str) -> None:
    """Places where anybody may pick something up are told."""
    assert look_at_url(url).is_covert


@pytest.mark.parametrize("url", ["https://discord.com/", "https://notwebhook.site.example.org/"])
def test_ordinary_hosts_are_not_covert(url: str) -> None:
    """A host that only resembles a drop is none."""
    assert not look_at_url(url).is_covert


@pytest.mark.parametrize("host", ["ex\u0430mple.org", "exam\u200bple.org", "\u24d4xample.org"])
def test_a_disguised_host_is_told(host: str) -> None:
    """Look-alike and invisible characters in a host are told."""
    assert look_at_url(f"https://{host}/").is_disguised


def test_a_secret_parameter_is_told() -> None:
    """A value under a secret's name counts, a placeholder does not."""
    told = [look_at_url(f"https://a.example/?token={v}") for v in ("k3jf93kd02", "YOUR_TOKEN")]
    assert [facts.has_secret_like_query for facts in told] == [True, False]


def test_token_shapes_look_secret() -> None:
    """Known token formats are secrets by their shape."""
    assert looks_secret("x=ghp_" + "a1B2" * 9)


def test_words_do_not_look_secret() -> None:
    """Plain words are no secrets."""
    assert not looks_secret("https://example.org/task-list?page=2&sort=key")


@given(st.text(st.characters(), max_size=200))
@example("http://a\ud800.example/")
def test_any_text_is_looked_at(text: str) -> None:
    """Whatever is written, an answer comes: lone surrogates, which have no encoding, included."""
    assert look_at_url(text).host_class in HostClass
    assert not looks_secret(text)
