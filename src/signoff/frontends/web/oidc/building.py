"""The sign-in at a provider, built of the settings; its two addresses.

They are served under `localhost`, as providers know one exact address; the inbox itself is not.
Under a public name they are beside it.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from signoff.challenge.terms.approver import Directory
from signoff.channels.settings_file import read_private
from signoff.errors import BadSettings
from signoff.frontends.web.oidc.provider import OidcProvider
from signoff.frontends.web.oidc.sign_in import OidcSignIn
from signoff.frontends.web.origin import PLAIN
from signoff.settings import Settings
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.sign_in import terms_of

BEGIN, CALLBACK = "/web/oidc/begin", "/web/oidc/callback"


def build_oidc(
    settings: Settings, directory: Directory, in_force: InForce | None, *, redirect: str = ""
) -> OidcSignIn | None:
    """Build the sign-in through the configured provider; None if none is configured.

    Args:
        redirect: where the provider sends browsers back to; "" = the address under `localhost`.

    Raises:
        BadSettings: the client's secret cannot be read, or PyJWT is not installed.
    """
    section = settings.oidc
    if section is None:
        return None
    if find_spec("jwt") is None:
        raise BadSettings("`oidc` needs PyJWT: pip install 'signoff[jwt]'")
    path = section.client_secret_file
    secret = read_private(os.path.join(settings.config_dir, path)) if path else ""
    redirect = redirect or f"http://{PLAIN}:{settings.port}{CALLBACK}"
    terms = terms_of(section)
    return OidcSignIn(
        section,
        OidcProvider(section, secret=secret, redirect=redirect),
        directory,
        is_confirmed=lambda: in_force is not None and in_force.standing.sign_in == terms,
    )
