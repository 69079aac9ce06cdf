"""The section `store`: where the shared database is, and which secrets reach it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from signoff.errors import BadSettings, StoreError
from signoff.settings import Settings, load_settings
from signoff.storage.postgresql.address import StoreAddress

URL = "postgresql://signoff@db.internal/fleet"


def loaded(folder: Path, text: str) -> Settings:
    """Load settings from a text."""
    (folder / "signoff.yaml").write_text(text)
    return load_settings(environment={"SIGNOFF_CONFIG_DIR": str(folder), "HOME": str(folder)})


def store_of(folder: Path, text: str) -> StoreAddress:
    """Return the store that settings name."""
    store = loaded(folder, text).store
    assert store is not None
    return store


def test_without_the_section_everything_stays_in_files(tmp_path: Path) -> None:
    """SQLite is the default."""
    assert loaded(tmp_path, "version: 1\n").store is None


def test_a_url_is_enough(tmp_path: Path) -> None:
    """To another machine the connection has TLS, and the certificate must be right."""
    store = store_of(tmp_path, f"store: {URL}\n")

    assert ((("db.internal", 5432),), "signoff", "fleet") == (
        store.hosts,
        store.user,
        store.database,
    )
    assert (True, False) == (store.has_tls, store.is_local)
    assert store.node


@pytest.mark.parametrize(
    ("url", "hosts", "has_tls"),
    [
        ("postgresql://u@127.0.0.1:6000/d", (("127.0.0.1", 6000),), False),
        ("postgresql://u@[::1]:6000/d", (("::1", 6000),), False),
        ("postgresql://u@a,b:6000/d", (("a", 5432), ("b", 6000)), True),
        ("postgresql://u@/d?host=/run/postgresql", (("/run/postgresql", 5432),), False),
        ("postgresql://u@a/d?tls=off", (("a", 5432),), False),
        ("postgres://u@127.0.0.1/d?tls=on", (("127.0.0.1", 5432),), True),
    ],
)
def test_urls(tmp_path: Path, url: str, hosts: object, has_tls: object) -> None:
    """Several hosts, sockets, and TLS as it is said or needed."""
    store = store_of(tmp_path, f"store: {url}\n")

    assert (hosts, has_tls) == (store.hosts, store.has_tls)


@pytest.mark.parametrize(
    "text",
    [
        "mysql://u@h/d",
        "postgresql://h/d",
        "postgresql://u@h",
        "postgresql://u:secret@h/d",
        "postgresql://u@h:99999/d",
        "postgresql://u@h/d?sslmode=disable",
        "postgresql://u@h/d?tls=perhaps",
        "{url: postgresql://u@h/d, password_env: A, password_file: b}",
        "{url: postgresql://u@h/d, pasword_env: A}",
    ],
)
def test_what_is_refused(tmp_path: Path, text: str) -> None:
    """With its place in the file; a password in a URL would be in backups and in messages."""
    with pytest.raises(BadSettings, match=r"signoff\.yaml:1:\d+: ") as refused:
        loaded(tmp_path, f"store: {text}\n")

    assert "secret" not in str(refused.value).replace("store.password", "")


def test_a_project_cannot_move_the_store(tmp_path: Path) -> None:
    """Its file may only tighten."""
    (tmp_path / ".signoff.yaml").write_text(f"store: {URL}\n")

    with pytest.raises(BadSettings, match="unknown field"):
        load_settings(str(tmp_path), environment={"SIGNOFF_CONFIG_DIR": str(tmp_path)})


def test_the_password_comes_from_one_file_or_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the driver would take from the environment by itself is not used."""
    monkeypatch.setenv("PGPASSWORD", "of somebody else")
    monkeypatch.setenv("FLEET_PASSWORD", "by variable")
    (tmp_path / "store.password").write_text("by file\n")
    (tmp_path / "store.password").chmod(0o600)
    by_file = store_of(tmp_path, f"store: {URL}\n")
    by_variable = store_of(tmp_path, f"store: {{url: '{URL}', password_env: FLEET_PASSWORD}}\n")

    assert ("by file", "by variable") == (by_file.password(), by_variable.password())
    assert "by file" not in repr(by_file) + by_file.shown

    (tmp_path / "store.password").unlink()
    assert "" == by_file.password()


def test_a_secret_that_others_may_read_is_refused(tmp_path: Path) -> None:
    """As is a variable that is not set."""
    (tmp_path / "store.password").write_text("open\n")
    (tmp_path / "store.password").chmod(0o644)

    with pytest.raises(StoreError, match="others may read"):
        store_of(tmp_path, f"store: {URL}\n").password()
    with pytest.raises(StoreError, match="`MISSING_ONE`"):
        store_of(tmp_path, f"store: {{url: '{URL}', password_env: MISSING_ONE}}\n").password()


@pytest.mark.skipif(os.geteuid() != 0, reason="it takes root to give a file away")
def test_a_secret_of_another_user_is_refused(tmp_path: Path) -> None:
    """Its owner could put another password there, and with it another server's trust."""
    file = tmp_path / "store.password"
    file.write_text("theirs\n")
    file.chmod(0o600)
    os.chown(file, 65_534, -1)

    with pytest.raises(StoreError, match="belongs to another user"):
        store_of(tmp_path, f"store: {URL}\n").password()


@pytest.mark.parametrize("kind", ["long", "no text", "folder", "pipe"])
def test_what_is_no_secret_is_refused(tmp_path: Path, kind: str) -> None:
    """And nothing of it is in the message; a pipe keeps nobody waiting."""
    file = tmp_path / "store.password"
    match kind:
        case "long":
            file.write_text("x" * 5_000)
        case "no text":
            file.write_bytes(b"\xff\xfe")
        case "folder":
            file.mkdir()
        case _:
            os.mkfifo(file)
    file.chmod(0o600)

    with pytest.raises(StoreError) as caught:
        store_of(tmp_path, f"store: {URL}\n").password()
    assert "xff" not in str(caught.value)


def test_a_tenant_is_a_short_name(tmp_path: Path) -> None:
    """It is part of keys that all tenants share, so no other text may look like it."""
    store = store_of(tmp_path, f"store: {{url: '{URL}', tenant: team-7, node: a}}\n")
    plain = store_of(tmp_path, f"store: {URL}\n")

    assert ("team-7//a", "a") == (store.scoped("a"), store.unscoped("team-7//a"))
    assert ("", "a", "a") == (plain.tenant, plain.scoped("a"), plain.unscoped("a"))


@pytest.mark.parametrize(
    "said", ["tenant: Team", "tenant: a/b", "tenant: 7", "tenant: a" + 40 * "b", "node: a//b"]
)
def test_names_that_could_be_mistaken_are_refused(tmp_path: Path, said: str) -> None:
    """Nothing is opened with them."""
    with pytest.raises(BadSettings):
        loaded(tmp_path, f"store: {{url: '{URL}', {said}}}\n")
