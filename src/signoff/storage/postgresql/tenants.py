"""Whose rows a node sees: the tenant of the role it connects with, as the database says.

Row-level security keeps tenants apart (`migrations/0006_tenants.sql`). It does not bind superusers
and roles with BYPASSRLS, and who owns the tables can switch it off. So a node of a tenant refuses
to start with such a role, and refuses tables on which it is not in force.

    await check_tenant(db, "payments")
"""

from __future__ import annotations

from signoff.errors import WrongTenant
from signoff.storage.postgresql.link import Db

STATE = """
    SELECT session_user::text AS role, own_tenant() AS tenant, open_tables() AS open,
        beyond_tenants(session_user) AS beyond, has_tenants() AS has_tenants,
        (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) AS is_exempt
    """
# One row a tenant; who is there first makes it.
KEEP_TIME = "INSERT INTO latest_time (seconds) VALUES (0) ON CONFLICT DO NOTHING"


async def check_tenant(db: Db, tenant: str) -> None:
    """Raise unless the database shows this node its tenant's rows and no others.

    Raises:
        WrongTenant: it shows others, or that cannot be determined.
    """
    state = await db.fetchrow(STATE)
    if problem := tenant_problem(state, tenant):
        raise WrongTenant(problem)
    if tenant:
        await db.execute(KEEP_TIME)


def tenant_problem(state: Db, tenant: str) -> str:
    """Return why a node of this tenant must not use its role, "" if it may."""
    role = state["role"]
    if tenant and state["beyond"]:
        return (
            f"`store.tenant` is `{tenant}`, but row-level security does not bind role `{role}`:"
            f" {state['beyond']}"
        )
    if state["tenant"] is None:
        return (
            f"role `{role}` works for no tenant; who owns the tables lets it:"
            f" SELECT signoff.add_tenant_role('{tenant}', '{role}')"
        )
    if state["tenant"] != tenant:
        wanted = f"`store.tenant` is `{tenant}`" if tenant else "there is no `store.tenant`"
        return f"role `{role}` works for {_named(state['tenant'])}, but {wanted}"
    return _leak(state) if tenant or state["has_tenants"] else ""


def _leak(state: Db) -> str:
    """Say why rows of other tenants would be seen, "" if they are not."""
    if state["is_exempt"]:
        return (
            f"role `{state['role']}` is a superuser or has BYPASSRLS and would see the rows of all"
            " tenants: give this node a role without it"
        )
    if state["open"]:
        return (
            f"row-level security is not in force on {state['open']}: find out who changed that;"
            " SELECT signoff.protect_tables() puts it back"
        )
    return ""


def _named(tenant: str) -> str:
    return f"tenant `{tenant}`" if tenant else "the default tenant"
