"""WebAuthn ceremonies: adding a passkey, signing in by one, proving presence for one purpose.

Each starts with a challenge that is good once, for two minutes, for one person and one purpose:
a proof given for one request approves no other. The origin must be the inbox's of this start, to
the letter, and the authenticator must have verified its user.

    options = ceremonies.begin(purpose="manage", approver="ada")
    ceremonies.check(credential, purpose="manage", approver="ada")
"""

from __future__ import annotations

import hashlib
import importlib.util
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from signoff.errors import SignoffError
from signoff.frontends.web.origin import WebOrigin
from signoff.frontends.web.passkeys.store import Passkey, PasskeyFile

if TYPE_CHECKING:  # an optional extra
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

GOOD_FOR_S = 120.0
OPEN_LIMIT = 200
CREDENTIAL_LIMIT = 20_000  # characters
NAME_LIMIT = 60
ADD, MANAGE, SIGN_IN = "add", "manage", "sign-in"
REFUSED = "the passkey was not accepted"


class PasskeyRefused(SignoffError):
    """The browser's passkey response is not valid for this."""


class _ClientData(msgspec.Struct):
    challenge: str


class _Signed(msgspec.Struct):
    clientDataJSON: str


class _Credential(msgspec.Struct):
    """The parts of a credential that are read before it is verified."""

    id: str
    response: _Signed


class _Challenge(Struct, frozen=True):
    purpose: str
    approver: str
    made_s: float


class PasskeyCeremonies:
    """Runs WebAuthn registrations and authentications.

    Args:
        origin: of the inbox; its `relying_party` is what passkeys are bound to.
        realm: how the file names it; passkeys of another prove nothing here.
    """

    def __init__(
        self,
        file: PasskeyFile,
        origin: WebOrigin,
        *,
        realm: str = "",
        clock: Callable[[], float] = time.monotonic,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self.file, self.realm = file, realm
        self._origin, self._clock, self._now_s = origin, clock, now_s
        self._open: dict[bool, OrderedDict[bytes, _Challenge]] = {
            is_open: OrderedDict() for is_open in (True, False)
        }

    @property
    def is_available(self) -> bool:
        """Whether the library is installed and the inbox has a name that lasts."""
        return bool(self._origin.relying_party) and importlib.util.find_spec("webauthn") is not None

    def is_known(self) -> bool:
        """Return whether anybody has a passkey that is valid here."""
        return self.is_available and any(one.realm == self.realm for one in self.file.all())

    def is_wanted(self, approver: str) -> bool:
        """Return whether this approver needs a passkey for critical calls: they have one."""
        return bool(self.file.of(approver))

    def begin_adding(self, approver: str, name: str) -> str:
        """Return the options for creating a passkey, as JSON for the browser."""
        import webauthn  # noqa: PLC0415 - an optional extra
        from webauthn.helpers.structs import (  # noqa: PLC0415 - see above
            AuthenticatorSelectionCriteria,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        options = webauthn.generate_registration_options(
            rp_id=self._origin.relying_party,
            rp_name="signoff",
            # Authenticators show it before they know their user, so it holds nobody's name
            # (WebAuthn, 14.6.1).
            user_id=hashlib.sha256(b"signoff-user-v1\0" + approver.encode()).digest(),
            user_name=approver,
            user_display_name=name or approver,
            challenge=self._challenge(ADD, approver),
            timeout=int(GOOD_FOR_S * 1000),
            authenticator_selection=AuthenticatorSelectionCriteria(
                # Signing in begins without a name: the authenticator has to know which passkeys
                # are ours.
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            # No authenticator is added twice.
            exclude_credentials=self._known(approver),
        )
        return webauthn.options_to_json(options)

    def finish_adding(self, credential: str, *, approver: str, name: str) -> Passkey:
        """Verify and store a new passkey.

        Args:
            credential: the browser's JSON response.

        Raises:
            PasskeyRefused: it is not valid.
            StoreError: it cannot be stored.
        """
        import webauthn  # noqa: PLC0415 - an optional extra
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415 - see above

        challenge = self._take(credential, ADD, approver)
        try:
            found = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._origin.relying_party,
                expected_origin=self._origin.address(),
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as error:
            raise PasskeyRefused(f"{REFUSED}: {error}") from error
        passkey = Passkey(
            id=webauthn.helpers.bytes_to_base64url(found.credential_id),
            approver=approver,
            name=" ".join(name.split())[:NAME_LIMIT] or "passkey",
            public_key=webauthn.helpers.bytes_to_base64url(found.credential_public_key),
            uses=found.sign_count,
            realm=self.realm,
            added_s=self._now_s(),
        )
        self.file.add(passkey)
        return passkey

    def begin(self, *, purpose: str, approver: str = "") -> str:
        """Return the options for proving presence, as JSON for the browser.

        Args:
            purpose: what the proof will be valid for.
            approver: whose passkeys count, "" = whoever signs in.
        """
        import webauthn  # noqa: PLC0415 - an optional extra
        from webauthn.helpers.structs import (  # noqa: PLC0415 - see above
            UserVerificationRequirement,
        )

        options = webauthn.generate_authentication_options(
            rp_id=self._origin.relying_party,
            challenge=self._challenge(purpose, approver),
            timeout=int(GOOD_FOR_S * 1000),
            allow_credentials=self._known(approver) if approver else None,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return webauthn.options_to_json(options)

    def check(self, credential: str, *, purpose: str, approver: str = "") -> Passkey:
        """Verify a proof of presence and return its passkey.

        Args:
            credential: the browser's JSON response.

        Raises:
            PasskeyRefused: it is wrong, late, used before, or for another purpose or person.
        """
        import webauthn  # noqa: PLC0415 - an optional extra
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415 - see above

        # Used up first: a proof that fails cannot be tried again.
        challenge = self._take(credential, purpose, approver)
        passkey = self.file.find(_read(credential).id)
        is_here = passkey is not None and passkey.realm == self.realm
        if passkey is None or not is_here or (approver and passkey.approver != approver):
            raise PasskeyRefused(f"{REFUSED}: nobody here has it")
        try:
            found = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._origin.relying_party,
                expected_origin=self._origin.address(),
                credential_public_key=webauthn.base64url_to_bytes(passkey.public_key),
                # A counter that does not rise is the sign of a cloned authenticator (WebAuthn,
                # 6.1.1).
                credential_current_sign_count=passkey.uses,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as error:
            raise PasskeyRefused(f"{REFUSED}: {error}") from error
        self.file.used(passkey.id, uses=found.new_sign_count, at_s=self._now_s())
        return passkey

    def _known(self, approver: str) -> list[PublicKeyCredentialDescriptor]:
        import webauthn  # noqa: PLC0415 - an optional extra
        from webauthn.helpers.structs import (  # noqa: PLC0415 - see above
            PublicKeyCredentialDescriptor,
        )

        return [
            PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(one.id))
            for one in self.file.of(approver)
            if one.realm == self.realm
        ]

    def _challenge(self, purpose: str, approver: str) -> bytes:
        """Make a challenge. Those of strangers are counted apart: they push out none of others."""
        open_, challenge = self._open[bool(approver)], secrets.token_bytes(32)
        open_[challenge] = _Challenge(purpose, approver, self._clock())
        while len(open_) > OPEN_LIMIT:
            open_.popitem(last=False)
        return challenge

    def _take(self, credential: str, purpose: str, approver: str) -> bytes:
        """Use up the challenge that a credential answers, and return it."""
        import webauthn  # noqa: PLC0415 - an optional extra

        try:
            said = webauthn.base64url_to_bytes(_read(credential).response.clientDataJSON)
            data = msgspec.json.decode(said, type=_ClientData)
            challenge = webauthn.base64url_to_bytes(data.challenge)
        except ValueError as error:
            raise PasskeyRefused(f"{REFUSED}: it cannot be read") from error
        known = self._open[bool(approver)].pop(challenge, None)
        if known is None or self._clock() - known.made_s >= GOOD_FOR_S:
            raise PasskeyRefused(f"{REFUSED}: it came late, or was used before. Try again")
        if (known.purpose, known.approver) != (purpose, approver):
            raise PasskeyRefused(f"{REFUSED}: it was given for something else")
        return challenge


def _read(credential: str) -> _Credential:
    """Return what a credential says of itself.

    Raises:
        PasskeyRefused: it is none.
    """
    if len(credential) > CREDENTIAL_LIMIT:
        raise PasskeyRefused(f"{REFUSED}: it is too large")
    try:
        return msgspec.json.decode(credential, type=_Credential)
    except (msgspec.DecodeError, RecursionError) as error:
        raise PasskeyRefused(f"{REFUSED}: it cannot be read") from error
