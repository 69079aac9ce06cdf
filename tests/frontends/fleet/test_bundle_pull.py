"""Pulling bundles from a real server: what is refused leaves the last good one in force."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from policy_server import PolicyServer, serving
from signed_bundles import ADMIN, OTHER, bundle
from signoff.errors import SignoffError
from signoff.frontends.fleet.bundle_pull import kept_path, pull
from signoff.frontends.fleet.bundle_watch import BundleWatch
from signoff.settings import Settings, load_settings
from signoff.storage.bundles.bundle import BUNDLE_LIMIT


@pytest.fixture
def server() -> Iterator[PolicyServer]:
    """Return a server that serves version 3."""
    with serving() as found:
        found.text = bundle(3)
        yield found


@pytest.fixture
def load(tmp_path: Path, server: PolicyServer) -> Callable[[], Settings]:
    """Return what reads the settings of a node that follows the server."""
    config, state = tmp_path / "config", tmp_path / "state"
    for one in (config, state):
        one.mkdir(mode=0o700)
    section = f"bundle: {{url: '{server.address}', keys: ['{ADMIN.key.text}'], every_s: 1}}\n"
    (config / "signoff.yaml").write_text(section)
    folders = {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": str(state)}
    return lambda: load_settings(environment=folders)


def version(settings: Settings) -> int:
    """Return the version in force."""
    assert settings.bundle is not None
    return settings.bundle.version


def test_a_bundle_is_pulled(load: Callable[[], Settings], server: PolicyServer) -> None:
    """Positive control: the first one, the same again, and a newer one."""
    first = asyncio.run(pull(load()))
    again = asyncio.run(pull(load()))
    server.text = bundle(4)
    newer = asyncio.run(pull(load()))

    assert [(0, 3), (3, 3), (3, 4)] == [(one.before, one.version) for one in (first, again, newer)]
    assert 4 == version(load())


def forged(server: PolicyServer) -> None:
    """Another key signs."""
    server.text = bundle(4, by=OTHER)


def older(server: PolicyServer) -> None:
    """An old bundle is served again."""
    server.text = bundle(2)


def cut(server: PolicyServer) -> None:
    """The connection ends in the middle."""
    server.text, server.cut = bundle(4), 300


def short(server: PolicyServer) -> None:
    """The file on the server is cut."""
    server.text = bundle(4)[:-20]


def changed(server: PolicyServer) -> None:
    """Somebody edits the file on the server."""
    server.text = bundle(4).replace("strict", "balanced")


def failing(server: PolicyServer) -> None:
    """The server is broken."""
    server.text, server.status = bundle(4), 500


def redirecting(server: PolicyServer) -> None:
    """The server sends nodes elsewhere."""
    server.status, server.location = 302, "https://policy.example/other"


def huge(server: PolicyServer) -> None:
    """More than a node reads."""
    server.text = bundle(4) + " " * BUNDLE_LIMIT


def unusable(server: PolicyServer) -> None:
    """Signed, and of no use here."""
    server.text = bundle(4, {"settings.yaml": "pack: stirct\n"})


def unknown_profile(server: PolicyServer) -> None:
    """Signed, and it names what is not there."""
    server.text = bundle(4, {"settings.yaml": "profiles: [nowhere]\n"})


REFUSED = [
    *((forged, "none of the known keys"), (older, "older than 3"), (cut, "no bundle came")),
    *((short, "digest differs"), (changed, "digest differs"), (failing, "status 500")),
    *((redirecting, "status 302"), (huge, "too long"), (unusable, "unknown pack")),
    (unknown_profile, "neither in the bundle nor shipped"),
]


@pytest.mark.parametrize(("happen", "said"), REFUSED)
def test_what_is_refused_leaves_the_last_good_bundle(
    load: Callable[[], Settings],
    server: PolicyServer,
    happen: Callable[[PolicyServer], None],
    said: str,
) -> None:
    """And says why."""
    asyncio.run(pull(load()))
    happen(server)

    with pytest.raises(SignoffError, match=said):
        asyncio.run(pull(load()))
    assert 3 == version(load())


@pytest.mark.parametrize("happen", [forged, short, failing, unusable])
def test_without_a_last_good_one_nothing_is_taken(
    load: Callable[[], Settings], server: PolicyServer, happen: Callable[[PolicyServer], None]
) -> None:
    """The strict pack stands in."""
    happen(server)

    with pytest.raises(SignoffError):
        asyncio.run(pull(load()))
    assert 0 == version(load())


def test_a_daemon_puts_back_what_was_removed_or_made_older(
    load: Callable[[], Settings], server: PolicyServer
) -> None:
    """Its memory knows the version, whatever becomes of the file and of the server."""

    async def nothing(_: object) -> None:
        """Tell nobody."""

    watch, path = BundleWatch(load(), load=load, taken=nothing), Path(kept_path(load()))
    asyncio.run(watch.look())
    older_text, server.text = path.read_text(), bundle(4)
    asyncio.run(pull(load()))
    asyncio.run(watch.look())
    server.status = 500
    seen = []
    for harm in (path.unlink, lambda: path.write_text(older_text), lambda: path.write_text("{")):
        harm()
        asyncio.run(watch.look())
        seen.append(version(load()))

    assert [4, 4, 4] == seen


def test_a_problem_is_told_and_ends(load: Callable[[], Settings], server: PolicyServer) -> None:
    """With the version that stays in force."""

    async def nothing(_: object) -> None:
        """Tell nobody."""

    watch = BundleWatch(load(), load=load, taken=nothing)
    asyncio.run(watch.look())
    good = watch.problems
    forged(server)
    watch._due_s = 0.0
    asyncio.run(watch.look())
    bad = watch.problems
    server.text = bundle(5)
    watch._due_s = 0.0
    asyncio.run(watch.look())

    assert ((), ()) == (good, watch.problems)
    assert "version 3 stays in force" in bad[0]
