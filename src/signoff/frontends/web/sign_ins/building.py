"""The inbox's own name, and who is signed in there: new, or those of before a restart."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from signoff.frontends.web.origin import OriginSecrets, PublicOrigin, WebOrigin, label_of
from signoff.frontends.web.sign_ins.sign_in_file import SignInFile, StoredSignIns
from signoff.frontends.web.sign_ins.visitors import Visitors
from signoff.settings import Settings
from signoff.storage.installation import installation_key, this_machine

FILE = "inbox-sign-ins"
PUBLIC_FILE = "public-sign-ins"


OriginT = TypeVar("OriginT", bound=WebOrigin)


class SignIns(Struct, Generic[OriginT], frozen=True, kw_only=True):
    """The inbox's origin, and the browsers signed in there."""

    origin: OriginT
    visitors: Visitors


def build_sign_ins(settings: Settings, continuity: str) -> SignIns[WebOrigin]:
    """Restore sign-ins from before a restart with the same continuity, else start new ones.

    Args:
        continuity: names the port's sockets; "" = they are new, and nothing is kept.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    key = installation_key(settings.key_file)
    file = SignInFile(os.path.join(settings.state_dir, FILE), key, continuity)
    return _restored(file, lambda kept: WebOrigin(settings.port, label=label_of(key), kept=kept))


def build_public_sign_ins(settings: Settings) -> SignIns[PublicOrigin]:
    """Restore the public inbox's sign-ins, which end when the machine restarts.

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """
    # Times are those since the boot, so the boot is part of it; the socket is nobody else's anyway.
    boot = this_machine("").boot_id
    continuity = f"public {settings.inbox_url} {boot}" if boot else ""
    path = os.path.join(settings.state_dir, PUBLIC_FILE)
    file = SignInFile(path, installation_key(settings.key_file), continuity)
    return _restored(file, lambda kept: PublicOrigin(settings.inbox_url, kept=kept))


def _restored(
    file: SignInFile, origin_of: Callable[[OriginSecrets | None], OriginT]
) -> SignIns[OriginT]:
    kept = file.read()
    origin = origin_of(kept.secrets if kept else None)

    def keep(visitors: Visitors) -> None:
        file.write(StoredSignIns(secrets=origin.secrets, visitors=visitors.kept()))

    visitors = Visitors(kept=kept.visitors if kept else (), keep=keep)
    return SignIns(origin=origin, visitors=visitors)
