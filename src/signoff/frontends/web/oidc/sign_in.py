"""Signing in at an OpenID provider: what was begun, who came back, and as what.

Each sign-in belongs to the browser that began it, works once and within ten minutes. What claims
make of somebody holds until the sign-in ends.

    cookie, address = await oidc.begin()
    approver = await oidc.finish(cookie, {"state": ..., "code": ...})
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Approver, ApproverRole, Directory, Identity
from signoff.frontends.web.oidc.provider import OidcFlow, OidcProvider, OidcRefused
from signoff.storage.confirmed.sign_in import OidcSection

CHANNEL = "oidc"
LASTS_S = 600.0
FLOWS_LIMIT = 1_000
GUESTS_LIMIT = 1_000
SUB_LIMIT, NAME_LIMIT, CLAIM_LIMIT = 255, 200, 1_000
RANKS = {role: rank for rank, role in enumerate(ApproverRole)}
WAITS = "signing in at the provider waits for an admin, who confirms it: `signoff confirm`"


class OidcSignIn:
    """Signs people in through a provider.

    Args:
        directory: the approvers; one with the identity `oidc:SUB` is the same person.
        is_confirmed: returns whether an admin has confirmed the section as it is.
    """

    def __init__(
        self,
        section: OidcSection,
        provider: OidcProvider,
        directory: Directory,
        *,
        is_confirmed: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._said, self._provider, self._directory = section, provider, directory
        self._is_confirmed, self._clock = is_confirmed, clock
        self._flows: OrderedDict[bytes, OidcFlow] = OrderedDict()
        self._guests: OrderedDict[str, tuple[Approver, float]] = OrderedDict()

    def guests(self) -> tuple[Approver, ...]:
        """Return signed-in approvers who are in no list of approvers."""
        now_s = self._clock()
        # The section's end is theirs: who was let in by it is out when it is changed.
        known = self._guests.values() if self._is_confirmed() else ()
        return tuple(one for one, until_s in known if now_s < until_s)

    async def begin(self) -> tuple[str, str]:
        """Start a sign-in; return the browser's cookie and the URL to redirect to.

        Raises:
            OidcRefused: it cannot be started.
        """
        self._check_confirmed()
        cookie = secrets.token_urlsafe(32)
        flow = OidcFlow(
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            begun_s=self._clock(),
        )
        address = await self._provider.address(flow)
        self._flows[_digest(cookie, flow.state)] = flow
        while len(self._flows) > FLOWS_LIMIT:
            self._flows.popitem(last=False)
        return cookie, address

    async def finish(self, cookie: str, given: Mapping[str, str]) -> Approver:
        """Return the person who returns from the provider.

        Args:
            cookie: from `begin`.
            given: query fields of the redirect.

        Raises:
            OidcRefused: nobody is signed in.
        """
        self._check_confirmed()
        # By both, and taken out first: a state of another browser finds nothing, and none works
        # twice.
        flow = self._flows.pop(_digest(cookie, given.get("state", "")), None)
        if flow is None or self._clock() - flow.begun_s >= LASTS_S:
            raise OidcRefused("this sign-in is over, or was begun in another browser: begin again")
        if given.get("iss", self._said.issuer) != self._said.issuer:
            raise OidcRefused("another provider answered (`iss`)")
        if "code" not in given:
            raise OidcRefused(f"the provider refused: {given.get('error', 'no code')[:100]}")
        approver = self._approver(await self._provider.claims(given["code"], flow))
        self._guests.pop(approver.id, None)
        self._guests[approver.id] = approver, self._clock() + self._said.session_s
        while len(self._guests) > GUESTS_LIMIT:
            self._guests.popitem(last=False)
        return approver

    def _check_confirmed(self) -> None:
        if not self._is_confirmed():
            raise OidcRefused(WAITS)

    def _approver(self, claims: Mapping[str, Json]) -> Approver:
        sub = claims.get("sub")
        if not isinstance(sub, str) or not 0 < len(sub) <= SUB_LIMIT or not sub.isprintable():
            raise OidcRefused("the token names nobody")
        values = frozenset(_values(claims, self._said.role_claim))
        roles = [role for role, wanted in self._said.roles.items() if values & set(wanted)]
        if not roles:
            raise OidcRefused(f"your claim `{self._said.role_claim}` gives you no role here")
        role = max(roles, key=RANKS.__getitem__)
        identity = Identity(CHANNEL, sub)
        known = self._directory.find(identity)
        if known is not None:
            # One person, however they came in: else they would be two of several approvers.
            if RANKS[role] < RANKS[known.role]:
                raise OidcRefused(f"you are `{known.role}` here, and only `{role}` at the provider")
            return known
        groups = tuple(name for name, one in self._said.groups.items() if values & set(one))
        return Approver(
            id=str(identity),
            name=_name(claims),
            role=role,
            groups=groups,
            identities=(identity,),
        )


def _values(claims: Mapping[str, Json], path: str) -> Iterator[str]:
    """Yield the texts of a claim; a name with dots leads inside unless it is one itself."""
    found: Json = claims.get(path)
    if found is None:
        found = dict(claims)
        for name in path.split("."):
            found = found.get(name) if isinstance(found, dict) else None
    if isinstance(found, str):
        yield found
    for one in found[:CLAIM_LIMIT] if isinstance(found, list) else ():
        if isinstance(one, str):
            yield one


def _name(claims: Mapping[str, Json]) -> str:
    """Return a name to show; it gives no rights."""
    for claim in ("name", "preferred_username", "email"):
        name = claims.get(claim)
        if isinstance(name, str) and name.isprintable():
            return name[:NAME_LIMIT]
    return ""


def _digest(cookie: str, state: str) -> bytes:
    return hashlib.sha256(f"{cookie}\0{state}".encode("utf-8", "replace")).digest()
