"""Where the shared store is: the section `store` of signoff.yaml, read and checked.

    store: postgresql://signoff@db.internal/signoff

    store:
      url: postgresql://signoff@db1.internal,db2.internal/signoff
      password_file: store.password      # beside signoff.yaml; or `password_env: NAME`
      tenant: payments                   # the team or project; see docs/operations.md

Nothing is taken from the environment but the one variable that is named: what starts a daemon must
not be able to send its records elsewhere. The URL holds no password.
"""

from __future__ import annotations

import os
import platform
import stat
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from msgspec import Meta, Struct

from signoff.documents.convert import convert
from signoff.documents.node import Node
from signoff.errors import StoreError
from signoff.system.files import CLOEXEC, NONBLOCK, is_own, rights_of_others

SCHEMES = ("postgresql", "postgres")
PORT = 5432
URL_LIMIT = 1_000
NAME_LIMIT = 100
SECRET_LIMIT = 4_096  # bytes
ROOT = 0
FILE = "store.password"
KEY_FILE = "store.key"
OPTIONS = ("host", "tls")
LOCAL = ("localhost", "127.0.0.1", "::1")
Name = Annotated[str, Meta(max_length=NAME_LIMIT)]
# As the tables check it, too (`migrations/0006_tenants.sql`).
TenantName = Annotated[str, Meta(pattern=r"\A([a-z][a-z0-9-]{0,39})?\Z")]
SEPARATOR = "//"  # between a tenant and what is its own in keys that all tenants share


class StoreSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `store`.

    Args:
        password_file, root_certificate, key_file: read against the configuration folder.
        node: what this machine is called in the record; "" = its host name.
        tenant: whose rows this machine reads and writes; "" = the default tenant.
    """

    url: Annotated[str, Meta(max_length=URL_LIMIT)]
    password_file: Annotated[str, Meta(max_length=1_000)] = ""
    password_env: Name = ""
    root_certificate: Annotated[str, Meta(max_length=1_000)] = ""
    key_file: Annotated[str, Meta(max_length=1_000)] = ""
    node: Name = ""
    tenant: TenantName = ""


class StoreAddress(Struct, frozen=True, kw_only=True):
    """A PostgreSQL database that several machines share, and how this one reaches it.

    Args:
        hosts: names or socket folders, each with its port; the first that takes writes is used.
        has_tls: the server proves who it is by a certificate.
        password_file: "" = none; a file that is not there is no password.
        password_variable: name of the environment variable with the password; "" = none.
        key_file: with the key all nodes have; a file that is not there is no key.
        node: what this machine is called in the record.
        tenant: whose rows this machine reads and writes; "" = the default tenant.
    """

    hosts: tuple[tuple[str, int], ...]
    user: str
    database: str
    has_tls: bool = True
    root_certificate: str = ""
    password_file: str = ""
    password_variable: str = ""
    key_file: str = ""
    node: str = ""
    tenant: str = ""

    @property
    def shown(self) -> str:
        """The address for messages, without secrets."""
        hosts = ",".join(f"{host}:{port}" for host, port in self.hosts)
        return f"postgresql://{self.user}@{hosts}/{self.database}"

    @property
    def is_local(self) -> bool:
        """True if the database is on this machine."""
        return all(host in LOCAL or host.startswith("/") for host, _ in self.hosts)

    def scoped(self, key: str) -> str:
        """Return a key with this tenant's prefix, as the tables store it."""
        return f"{self.tenant}{SEPARATOR}{key}" if self.tenant else key

    def unscoped(self, key: str) -> str:
        """Undo `scoped`."""
        return key.removeprefix(f"{self.tenant}{SEPARATOR}") if self.tenant else key

    def password(self) -> str:
        """Return the password, "" if there is none.

        Raises:
            StoreError: the variable is not set, or the file cannot be read.
        """
        if self.password_variable:
            found = os.environ.get(self.password_variable, "")
            if not found:
                raise StoreError(
                    f"`store`: the variable `{self.password_variable}` with the password is not set"
                )
            return found
        return read_secret(self.password_file) if self.password_file else ""


def read_address(node: Node | None, config_dir: str) -> StoreAddress | None:
    """Read the section `store`, None if there is none.

    Raises:
        BadSettings: it is not valid.
    """
    if node is None:
        return None
    said = convert(node, StoreSection) if node.is_mapping else StoreSection(url=node.text())
    try:
        return address_of(said, config_dir)
    except ValueError as error:
        raise node.refuse(f"store: {error}") from error


def address_of(said: StoreSection, config_dir: str) -> StoreAddress:
    """Parse and check the URL of the section.

    Raises:
        ValueError: it is not valid; the message says why.
    """
    parts = urlsplit(said.url)
    if parts.scheme not in SCHEMES:
        raise ValueError("expected `postgresql://USER@HOST/DATABASE`")
    # From the right, as a user's name may hold an `@`.
    who, _, where = parts.netloc.rpartition("@")
    # A URL ends up in listings, messages and logs.
    if ":" in who:
        raise ValueError("a password does not belong here; put it in `store.password`")
    options = _options(parts.query)
    database = unquote(parts.path.strip("/"))
    hosts = _hosts(options.get("host") or where)
    if not who or not database or not hosts:
        raise ValueError("expected `postgresql://USER@HOST/DATABASE`, all three of them")
    if said.password_env and said.password_file:
        raise ValueError("`password_env` or `password_file`, not both")
    if SEPARATOR in said.node:
        raise ValueError(f"`node` must not contain `{SEPARATOR}`")
    address = StoreAddress(
        hosts=hosts,
        user=unquote(who),
        database=database,
        root_certificate=_path(config_dir, said.root_certificate),
        password_file=_path(config_dir, said.password_file or FILE),
        password_variable=said.password_env,
        key_file=_path(config_dir, said.key_file or KEY_FILE),
        node=said.node or platform.node() or "node",
        tenant=said.tenant,
    )
    has_tls = _has_tls(options.get("tls", ""), address)
    return msgspec.structs.replace(address, has_tls=has_tls)


def _options(query: str) -> Mapping[str, str]:
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name in options:
        if name not in OPTIONS:
            raise ValueError(f"unknown option `{name}` of the URL ({', '.join(OPTIONS)})")
    return options


def _has_tls(said: str, address: StoreAddress) -> bool:
    """Return whether TLS is used: always to other machines, unless the URL says `tls=off`."""
    if said not in ("", "on", "off"):
        raise ValueError("`tls` is `on` or `off`")
    # A socket or loopback cannot be listened to by others, and usually has no certificate.
    return said == "on" or (not said and not address.is_local)


def _hosts(text: str) -> tuple[tuple[str, int], ...]:
    """Read `host:port,host`; a socket's folder may name its port as well: `/run/db:5433`."""
    found: list[tuple[str, int]] = []
    for one in filter(None, text.split(",")):
        host, colon, port = one.rpartition(":")
        if not colon or one.endswith("]"):
            host, port = one, str(PORT)
        if not port.isdecimal() or not 0 < int(port) < 65_536:
            raise ValueError(f"`{port}` is no port")
        found.append((unquote(host).strip("[]"), int(port)))
    return tuple(found)


def _path(config_dir: str, named: str) -> str:
    return os.path.join(config_dir, os.path.expanduser(named)) if named else ""


def read_secret(path: str) -> str:
    """Return the single line of a private file, "" if the file does not exist.

    Raises:
        StoreError: it cannot be read, is too long, or others may read or change it.
    """
    try:
        # A link is followed: orchestrators put secrets behind one.
        handle = os.open(path, os.O_RDONLY | NONBLOCK | CLOEXEC)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StoreError(f"cannot read `{path}`: {error.strerror}") from error
    # Of the open file, not of its name: the name could lead elsewhere by now.
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        raise StoreError(f"`{path}` is no ordinary file")
    with open(handle, "rb") as source:
        # Its owner could put another password there at any time; root can in any case.
        if not (is_own(found) or found.st_uid == ROOT):
            raise StoreError(f"`{path}` belongs to another user: make it your own")
        if rights_of_others(found):
            raise StoreError(f"others may read `{path}`: `chmod 600` it")
        raw = source.read(SECRET_LIMIT + 1)
    if len(raw) > SECRET_LIMIT:
        raise StoreError(f"`{path}` is longer than {SECRET_LIMIT} bytes")
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        # Without the cause: its text shows bytes of the secret.
        raise StoreError(f"`{path}` is no UTF-8 text") from None
