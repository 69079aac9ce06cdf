"""When a passkey is asked for, and whether what a form brings is one.

What is critical takes a passkey of whoever approves it, once they have one. A recovery code counts
as a passkey once. Without either nothing is approved.
"""

from __future__ import annotations

import logging

from signoff.assess.level import Level
from signoff.challenge.pending import PendingRequest
from signoff.frontends.web.forms import FormData
from signoff.frontends.web.passkeys.ceremonies import (
    CREDENTIAL_LIMIT,
    PasskeyCeremonies,
    PasskeyRefused,
)

log = logging.getLogger(__name__)

WANTED = "confirm this with your passkey, or with a recovery code"
WRONG_CODE = "this recovery code is not one of yours, or was used before"


def takes_passkey(passkeys: PasskeyCeremonies, pending: PendingRequest, approver: str) -> bool:
    """Return whether this approver needs a passkey to approve a request: it is critical."""
    return pending.level == Level.CRITICAL and passkeys.is_wanted(approver)


def purpose_of(pending: PendingRequest) -> str:
    """Return the purpose of a proof: the present step of this request."""
    return f"approve {pending.id} {pending.nonce} {pending.digest} {len(pending.answers)}"


def check_presence(
    passkeys: PasskeyCeremonies, form: FormData, *, purpose: str, approver: str
) -> None:
    """Check the passkey or recovery code in a form.

    Raises:
        PasskeyRefused: it has none that is valid for this.
    """
    code = form.text("recovery", limit=100)
    if code:
        if not passkeys.file.take_code(approver, code):
            raise PasskeyRefused(WRONG_CODE)
        log.warning("`%s` used a recovery code", approver)
        return
    credential = form.text("passkey", limit=CREDENTIAL_LIMIT)
    if not credential:
        raise PasskeyRefused(WANTED)
    passkeys.check(credential, purpose=purpose, approver=approver)
