"""The section `oidc` of `signoff.yaml`: people sign in to the inbox at an OpenID provider.

Who may sign in as what is a matter of admins, as the list of approvers is: a changed section holds
once an admin confirms it (`terms_of` is what they confirm).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.challenge.terms.approver import ApproverRole

OidcUrl = Annotated[str, Meta(max_length=500)]
OidcName = Annotated[str, Meta(max_length=200)]
ClaimValues = Annotated[tuple[OidcName, ...], Meta(max_length=50)]


class OidcSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `oidc`: the sign-in provider, and the roles its claims give.

    Args:
        client_secret_file: beside the settings; "" for a public client.
        role_claim: claim with the values that `roles` names; dots lead inside (`realm.roles`).
        groups: approver groups by the values of the same claim.
        fresh_s: seconds since the provider last asked for a password or key, at most.
        session_s: seconds a sign-in lasts.
    """

    issuer: OidcUrl
    client_id: OidcName
    client_secret_file: Annotated[str, Meta(max_length=1_000)] = ""
    scopes: Annotated[tuple[OidcName, ...], Meta(max_length=20)] = ("openid", "profile", "email")
    role_claim: OidcName = "groups"
    roles: Mapping[ApproverRole, ClaimValues]
    groups: Annotated[Mapping[str, ClaimValues], Meta(max_length=50)] = msgspec.field(
        default_factory=dict
    )
    fresh_s: Annotated[int, Meta(ge=30, le=86_400)] = 300
    session_s: Annotated[int, Meta(ge=60, le=43_200)] = 28_800


def terms_of(section: OidcSection | None) -> tuple[str, ...]:
    """Return the parts of the section that an admin must confirm; () without a section."""
    if section is None:
        return ()
    roles = [f"{role.value} = {' | '.join(values)}" for role, values in section.roles.items()]
    # The whole section: what the words leave out must not change unconfirmed either.
    digest = hashlib.sha256(msgspec.json.encode(section)).hexdigest()[:16]
    whom = f"{section.issuer} (client {section.client_id}), by {section.role_claim}"
    return (f"{whom}: {', '.join(roles)} [{digest}]",)
