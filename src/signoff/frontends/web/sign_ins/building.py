"""The inbox's own name, and who is signed in there: new, or those of before a restart."""

from __future__ import annotations

import os
from dataclasses import dataclass

from signoff.frontends.web.origin import WebOrigin, label_of
from signoff.frontends.web.sign_ins.kept import KeptSignIns, SignInFile
from signoff.frontends.web.sign_ins.visitors import Visitors
from signoff.settings import Settings
from signoff.storage.installation import installation_key

FILE = "inbox-sign-ins"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIns:
    """Where browsers reach the inbox, and which are signed in."""

    origin: WebOrigin
    visitors: Visitors


def build_sign_ins(settings: Settings, continuity: str) -> SignIns:
    """Return those of before the restart under the same continuity, else new ones.

    Args:
        continuity: names the port's sockets; "" = they are new, and nothing is kept.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    key = installation_key(settings.key_file)
    file = SignInFile(os.path.join(settings.state_dir, FILE), key, continuity)
    kept = file.read()
    origin = WebOrigin(settings.port, label=label_of(key), kept=kept.secrets if kept else None)

    def keep(visitors: Visitors) -> None:
        file.write(KeptSignIns(secrets=origin.secrets, visitors=visitors.kept()))

    visitors = Visitors(kept=kept.visitors if kept else (), keep=keep)
    return SignIns(origin=origin, visitors=visitors)
