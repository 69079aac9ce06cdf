"""A new database whose tables belong to a role that is no superuser, and roles of tenants on it.

tenants = made_tenants("payments", "search")
tenants["payments"]                  the address of a node of this tenant
tenants.default                      that of a node of the default tenant
tenants.sql("payments", "SELECT 1")  as psql does it with the tenant's role
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from made_tables import OWNER as TEMPLATE_OWNER
from made_tables import owned_template
from postgres_server import USER, PostgresServer, shared_server
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.values import replace

OWNER = "owner"


@dataclass(slots=True)
class StoreTenants:
    """Tenants of one database."""

    server: PostgresServer
    default: StoreAddress
    _made: dict[str, StoreAddress] = field(default_factory=dict)

    def __getitem__(self, name: str) -> StoreAddress:
        return self._made[name]

    def add(self, name: str, *, role: str = "") -> StoreAddress:
        """Make a role and let it work for a tenant."""
        role = role or f"{self.default.database}_{name}"
        self.server.sql("postgres", f"CREATE ROLE {role} LOGIN")
        self.as_owner(f"SELECT signoff.add_tenant_role('{name}', '{role}')")
        self._made[name] = replace(self.default, user=role, tenant=name)
        return self._made[name]

    def url(self, name: str) -> str:
        """Return the address of a tenant, "" = the default one, as signoff.yaml says it."""
        address = self[name] if name else self.default
        return self.server.url(address.database).replace(f"//{USER}@", f"//{address.user}@")

    def sql(self, name: str, text: str) -> str:
        """Run SQL with the role of a tenant."""
        return self._run(self[name].user, text)

    def as_owner(self, text: str) -> str:
        """Run SQL as who owns the tables."""
        return self._run(self.default.user, text)

    def as_superuser(self, text: str) -> str:
        """Run SQL that no row-level security binds."""
        return self.server.sql(self.default.database, f"SET search_path = signoff; {text}")

    def _run(self, role: str, text: str) -> str:
        database = self.default.database
        return self.server.sql(database, f"SET search_path = signoff; {text}", user=role)


def owned_database() -> StoreTenants:
    """Make an empty database of a role that is no superuser."""
    server = shared_server()
    address = server.address()
    owner = f"{address.database}_{OWNER}"
    server.sql("postgres", f"CREATE ROLE {owner} LOGIN")
    server.sql("postgres", f"ALTER DATABASE {address.database} OWNER TO {owner}")
    return StoreTenants(server, replace(address, user=owner))


def made_tenants(*names: str) -> StoreTenants:
    """Make a database, its tables, and tenants: as `owned_database`, a node and `add` would."""
    server, template = shared_server(), owned_template()
    database = server.new_name()
    owner = f"{database}_{OWNER}"
    roles = {name: f"{database}_{name}" for name in names}
    server.sql(
        "postgres",
        *(f"CREATE ROLE {role} LOGIN" for role in (owner, *roles.values())),
        f"CREATE DATABASE {database} TEMPLATE {template} OWNER {owner}",
        f"\\connect {database}",
        f"REASSIGN OWNED BY {TEMPLATE_OWNER} TO {owner}",
        f"\\connect {database} {owner}",
        *(f"SELECT signoff.add_tenant_role('{name}', '{role}')" for name, role in roles.items()),
    )
    default = replace(server.address(database=database), user=owner)
    made = {name: replace(default, user=role, tenant=name) for name, role in roles.items()}
    return StoreTenants(server, default, made)


def tenant_link(address: StoreAddress) -> StoreLink:
    """Return the connections of a node, checked as a daemon checks them."""
    return StoreLink(address, prepare=partial(prepare, tenant=address.tenant))
