"""The inbox's pages: under the name of this start, and where it is configured under a public one.

The public name takes the service: its socket lies in a folder that nobody else can write to, so no
other program is ever reached in its place (docs/adr/0030). It has links, sign-ins and passkeys of
its own: what the internet can reach voids no code of this machine.

    inbox = build_inbox_sites(parts, settings, directory, is_service=True)
"""

from __future__ import annotations

from msgspec import Struct
from starlette.types import ASGIApp

from signoff.challenge.terms.approver import Directory
from signoff.errors import BadSettings
from signoff.frontends.server.wire.signing_in import PublicAddress
from signoff.frontends.web.link import Links
from signoff.frontends.web.live import Live
from signoff.frontends.web.oidc.building import CALLBACK, build_oidc
from signoff.frontends.web.origin import PublicOrigin
from signoff.frontends.web.passkeys.ceremonies import PasskeyCeremonies
from signoff.frontends.web.people import WebPeople
from signoff.frontends.web.services import InboxServices
from signoff.frontends.web.sign_ins.building import build_public_sign_ins
from signoff.frontends.web.sign_ins.request_links import RequestLinks, request_link
from signoff.frontends.web.site import build_site
from signoff.settings import Settings
from signoff.values import replace

TAKES_SERVICE = (
    "`server.inbox_url` takes the service (`sudo signoff service install`): in place of a daemon of"
    " your own user any program of yours could answer there"
)


class PublicInbox(Struct, frozen=True, kw_only=True):
    """The inbox under its public name."""

    site: ASGIApp
    parts: InboxServices
    origin: PublicOrigin

    def link_for(self, request_id: str, approver: str) -> str:
        """Return a new link that leads an approver to a request, if their passkey lets them in."""
        links = self.parts.request_links
        code = links.make(request_id, approver) if links else ""
        return code and request_link(self.origin.address(), code)


class Inbox(Struct, frozen=True, kw_only=True):
    """The inbox's pages, and the channel that updates them."""

    site: ASGIApp
    live: Live
    parts: InboxServices
    public: PublicInbox | None = None

    @property
    def public_address(self) -> PublicAddress | None:
        """Address of the public inbox, and its sign-in codes; None if there is none."""
        if self.public is None:
            return None
        return PublicAddress(origin=self.public.origin, links=self.public.parts.links)

    def sign_out(self, approver: str) -> int:
        """Sign out the browsers of an approver, "" = of all; return their number."""
        known = [self.parts.visitors, *([self.public.parts.visitors] if self.public else [])]
        return sum(one.end_all(approver) for one in known)


def build_inbox_sites(
    parts: InboxServices, settings: Settings, directory: Directory, *, is_service: bool
) -> Inbox:
    """Build the local inbox, and the public one if a name is configured.

    Raises:
        BadSettings: a public name is configured, and this is not the service.
    """
    if not settings.inbox_url:
        return Inbox(site=build_site(parts), live=parts.live, parts=parts)
    if not is_service:
        raise BadSettings(TAKES_SERVICE)
    signed_in = build_public_sign_ins(settings)
    origin = signed_in.origin
    oidc = build_oidc(
        settings, directory, parts.in_force_changes, redirect=f"{origin.address()}{CALLBACK}"
    )
    guests = [one.guests for one in (parts.oidc, oidc) if one is not None]
    people = WebPeople(directory, lambda: tuple(who for each in guests for who in each()))
    parts = replace(parts, people=people)
    public = replace(
        parts,
        origin=origin,
        links=Links(),
        visitors=signed_in.visitors,
        passkeys=PasskeyCeremonies(parts.passkeys.file, origin, realm=origin.relying_party),
        oidc=oidc,
        request_links=RequestLinks(),
    )
    site = PublicInbox(site=build_site(public), parts=public, origin=origin)
    return Inbox(site=build_site(parts), live=parts.live, parts=parts, public=site)
