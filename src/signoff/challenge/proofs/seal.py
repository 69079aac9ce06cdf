"""The seal: proves that an answer was taken at a desk that holds the approver key.

States are kept in a file the agent's user owns; a row changed there approves nothing, because
what it says is not sealed. The confirmation code is made and checked here as well.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from signoff.assess.verdict import Verdict
from signoff.challenge.pending import Given, PendingRequest, State

ANSWER_PREFIX = b"signoff-answer-v1\0"
GRANT_PREFIX = b"signoff-grant-v1\0"
CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that is read for something else
CODE_LENGTH = 8
# Slow on purpose: who reads the verifier cannot try all codes before the request ends.
SCRYPT_N, SCRYPT_R, SCRYPT_P = 1 << 14, 8, 1


@dataclass(frozen=True, slots=True)
class Seal:
    """Seals and checks with the approver key."""

    key: bytes = field(repr=False)

    def of_answer(self, pending: PendingRequest, given: Given, to: State, edited: bytes) -> str:
        """Return the seal of one answer to one request."""
        return self._mac(
            ANSWER_PREFIX,
            pending.id,
            pending.nonce,
            pending.digest,
            str(given.step),
            given.approver,
            given.channel,
            given.verdict,
            given.proof,
            repr(given.at_s),
            to.value,
            hashlib.sha256(edited).hexdigest(),
        )

    def of_grant(self, *parts: str) -> str:
        """Return the seal of a grant."""
        return self._mac(GRANT_PREFIX, *parts)

    def holds(self, pending: PendingRequest) -> bool:
        """Tell whether every step was approved by somebody else, and each of them at a desk."""
        answers = pending.answers
        if not answers or len(answers) != len(pending.steps):
            return False
        people = {given.approver for given in answers}
        return len(people) == len(answers) and all(
            given.step == step
            and given.verdict == Verdict.ALLOW.value
            and given.proof == pending.steps[step].kind.value
            and self._is_sealed(pending, given, is_last=step == len(answers) - 1)
            for step, given in enumerate(answers)
        )

    def holds_so_far(self, pending: PendingRequest) -> bool:
        """Tell whether the answers that are there were each taken at a desk."""
        return all(self._is_sealed(pending, given, is_last=False) for given in pending.answers)

    def _is_sealed(self, pending: PendingRequest, given: Given, *, is_last: bool) -> bool:
        to = State.APPROVED if is_last else State.PENDING
        expected = self.of_answer(pending, given, to, pending.edited if is_last else b"")
        return hmac.compare_digest(expected, given.seal)

    def _mac(self, prefix: bytes, *parts: str) -> str:
        # Lengths keep the parts apart, whatever they are made of.
        text = b"".join(f"{len(part.encode())}:".encode() + part.encode() for part in parts)
        return hmac.new(self.key, prefix + text, hashlib.sha256).hexdigest()


def new_code() -> str:
    """Return a confirmation code."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def spaced(code: str) -> str:
    """Return a code as people read and type it: in two halves."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}" if len(code) == CODE_LENGTH else code


def verifier_of(code: str, request_id: str) -> str:
    """Return what a code is checked against; the code cannot be told from it in time."""
    raw = hashlib.scrypt(
        code.encode(), salt=request_id.encode(), n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P
    )
    return raw.hex()


def is_code(code: str, pending: PendingRequest) -> bool:
    """Tell whether a code is that of the request; blanks, dashes and case do not count."""
    plain = "".join(char for char in code.upper()[:64] if char in CODE_ALPHABET)
    if len(plain) != CODE_LENGTH or not pending.verifier:
        return False
    return hmac.compare_digest(verifier_of(plain, pending.id), pending.verifier)
