"""One policy for many machines: an admin signs, a server serves, a daemon follows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_daemon import LiveDaemon, served, wait_until
from own_terminal import typed_code

from policy_server import PolicyServer, serving

DENY_LS = "version: 1\nrules:\n  - {name: ls, action: deny, match: {command: {command: ls}}}\n"
ALLOW_ALL = "version: 1\nrules:\n  - {name: all, action: allow}\n"


@pytest.fixture
def server() -> Iterator[PolicyServer]:
    """Return a server without a bundle."""
    with serving() as found:
        yield found


class Admin:
    """Somebody who signs on another machine."""

    def __init__(self, machine: LiveDaemon) -> None:
        self._machine, self.folder = machine, machine.home / "policy"
        (self.folder / "profiles").mkdir(parents=True)
        self.key = machine.signoff("bundle", "key").stdout.strip()

    def signs(self, version: int, rules: str, *options: str) -> str:
        """Return a signed bundle, built of a folder by the commands an admin uses."""
        home = self._machine.home
        (self.folder / "rules.yaml").write_text(rules)
        (self.folder / "settings.yaml").write_text("lines: {destructive.history: deny}\n")
        (self.folder / "profiles" / "pay.yaml").write_text("name: pay\n")
        built, signed = f"{home}/{version}.json", f"{home}/{version}.bundle"
        number = ("--version", str(version))
        for words in (
            ("build", str(self.folder), *number, "-o", built, *options),
            ("sign", built, "-o", signed),
            ("verify", signed, "--key", self.key),
        ):
            done = self._machine.signoff("bundle", *words)
            assert 0 == done.returncode, done.stderr
        return Path(signed).read_text()


@pytest.fixture
def admin(tmp_path: Path) -> Admin:
    """Return an admin with a machine of their own, without a daemon."""
    home = tmp_path / "admin"
    home.mkdir()
    return Admin(LiveDaemon(home=home, port=1))


@pytest.fixture
def node(home: Path, server: PolicyServer, admin: Admin) -> Iterator[LiveDaemon]:
    """Return a node that follows the server."""
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    follows(home, server, admin)
    with served(home) as running:
        yield running


def follows(home: Path, server: PolicyServer, admin: Admin, group: str = "rest") -> None:
    """Write the settings of a node."""
    said = f"url: '{server.address}', keys: ['{admin.key}'], every_s: 1, group: {group}"
    (home / ".config" / "signoff" / "signoff.yaml").write_text(f"bundle: {{{said}}}\n")


def verdict(node: LiveDaemon, command: str = "ls") -> str:
    """Return what the daemon decides."""
    return str(node.act(command).said["verdict"])


def problems(node: LiveDaemon) -> str:
    """Return what the daemon says is wrong."""
    return " ".join(node.request("GET", "/v1/status").said["problems"])


def shown(node: LiveDaemon, *words: str) -> str:
    """Return what a command prints, in one line however it is wrapped."""
    return " ".join(node.signoff(*words).stdout.split())


def test_a_policy_reaches_a_node_and_only_gets_newer(
    node: LiveDaemon, server: PolicyServer, admin: Admin
) -> None:
    """In force at once; forged, older and cut bundles, or none, change nothing and are loud."""
    assert "no bundle has come yet" in shown(node, "status")
    server.text = admin.signs(2, DENY_LS)
    wait_until(lambda: verdict(node) == "deny")
    assert "deny" == verdict(node, "git push --force origin main")
    (node.config / "rules.yaml").write_text(ALLOW_ALL)
    wait_until(lambda: "`all` is left out" in shown(node, "bundle", "status"))
    assert "deny" == verdict(node)
    assert 0 == node.signoff("status").returncode

    good = server.text
    for text, said in (
        (admin.signs(1, ALLOW_ALL), "version 1 is older than 2"),
        (good[:-1], "digest differs"),
        (good.replace(admin.key.split("+")[0], "signoff.bundle/0123456789abcdef"), "known keys"),
    ):
        server.text = text
        wait_until(lambda said=said: said in problems(node))
        status = node.signoff("bundle", "status")
        assert (1, True) == (status.returncode, "version 2 in force" in status.stdout)
        assert said in shown(node, "status")
        assert "deny" == verdict(node)
    server.status = 503
    wait_until(lambda: "status 503" in problems(node))
    assert "deny" == verdict(node)
    assert "status 503" in shown(node, "doctor")

    server.status, server.text = 200, admin.signs(3, ALLOW_ALL)
    wait_until(lambda: verdict(node) == "allow")
    wait_until(lambda: not problems(node))
    assert 0 == node.signoff("bundle", "status").returncode


def test_a_group_gets_a_new_policy_before_all(
    node: LiveDaemon, server: PolicyServer, admin: Admin
) -> None:
    """The others stay on the earlier one, also if they are new."""
    admin.signs(4, ALLOW_ALL)
    rest = f"{admin.folder.parent}/4.bundle"
    server.text = admin.signs(5, DENY_LS, "--group", "canary", "--rest", rest)
    wait_until(lambda: "version 5" in shown(node, "bundle", "status"))
    before = verdict(node)
    follows(node.home, server, admin, group="canary")
    wait_until(lambda: verdict(node) == "deny")

    assert "allow" == before


def test_only_an_admin_at_a_terminal_ends_it(
    node: LiveDaemon, server: PolicyServer, admin: Admin
) -> None:
    """Neither edited settings, nor removed files, nor a command without a person."""
    server.text = admin.signs(6, DENY_LS)
    wait_until(lambda: verdict(node) == "deny")
    still = node.signoff("bundle", "leave")
    (node.config / "signoff.yaml").unlink()
    (node.state / "bundle.json").unlink()
    wait_until(lambda: "no section `bundle` any more" in problems(node))
    alone, wrong = (
        node.signoff("bundle", "leave"),
        typed_code(node, "bundle", "leave", after="machine", typed="AAAAAA"),
    )
    kept = verdict(node)
    status, said = typed_code(node, "bundle", "leave", after="machine")
    wait_until(lambda: verdict(node) != "deny")
    entries = [json.loads(line) for line in node.signoff("audit", "export").stdout.splitlines()]
    acts = [one for one in entries if one.get("kind") == "admin"]
    told = [(one["action_redacted"]["command"], one["approver"]) for one in acts]

    assert (2, True) == (still.returncode, "remove the section" in still.stderr)
    assert (2, 2, "deny") == (alone.returncode, wrong[0], kept)
    assert (0, True) == (status, "judged by its own files alone" in said)
    assert [("bundle.take", "bundle"), ("bundle.leave", "owner")] == told
    assert "bundle.leave" in node.signoff("audit", "tail").stdout
    calls = len(entries) - len(acts)
    assert f"{calls} decisions" in node.signoff("audit", "stats").stdout
    assert 0 == node.signoff("audit", "verify").returncode
