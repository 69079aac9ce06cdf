"""The seal: proves that an answer was taken by the process that asks, or by who knows its code.

States are kept in a file the agent's user owns; a row changed there approves nothing, because
what it says is not sealed. The key is made when a process starts and stays in its memory: no file
holds one, and what was sealed before a restart is asked about again. Another process seals with
the confirmation code of the request, which only the asking process and its cards know. Codes are
made and checked here as well. Nodes that answer for each other have one key, and make the same code
for a request.

    seal = Seal.fresh()
    seal.learn(request_id, code)       answers sealed with this code hold from now on
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from signoff.assess.verdict import Verdict
from signoff.challenge.pending import MOST_WAITING, Given, PendingRequest, RequestState
from signoff.challenge.proofs.ledger import terms_of
from signoff.ids import is_same_secret

ANSWER_PREFIX = "signoff-answer-v2"
USE_PREFIX = "signoff-use-v1"  # asks the daemon to use an answer's seal up
GRANT_PREFIX = "signoff-grant-v2"
KEPT_PREFIX = "signoff-kept-answer-v1"
CODE_PREFIX = "signoff-code-v1"
CODE_SALT = "signoff-code-seal-v1:"
KEY_BYTES = 32  # as long as the SHA-256 it keys
SEALS_KEPT = 10_000  # a use is good for a minute: the oldest of so many are long over
CODED_CHANNEL = "terminal"  # where people type the code
CHANNEL_AT = 5  # among the parts of an answer
CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that is read for something else
CODE_LENGTH = 8  # 40 bits: against a slow hash, and the end of the request
# Slow on purpose: who reads the verifier cannot try all codes before the request ends.
SCRYPT_N, SCRYPT_R, SCRYPT_P = 1 << 14, 8, 1

Elsewhere: TypeAlias = Callable[[str, Sequence[str], str], bool]


@dataclass(frozen=True, slots=True)
class Seal:
    """Makes and checks the keyed hashes that prove an answer was accepted by this process.

    Args:
        elsewhere: asks the daemon whether it made a seal; None in the daemon itself.
        is_coded: True if answers are sealed with the typed confirmation code, not with the key.
        codes_key: makes the code of each request; b"" = codes are random.
    """

    key: bytes = field(repr=False)
    elsewhere: Elsewhere | None = field(default=None, repr=False)
    is_coded: bool = False
    codes_key: bytes = field(default=b"", repr=False)
    _used: OrderedDict[str, None] = field(default_factory=OrderedDict, repr=False, compare=False)
    _using: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)
    _codes: OrderedDict[str, str] = field(default_factory=OrderedDict, repr=False, compare=False)

    @classmethod
    def fresh(cls, elsewhere: Elsewhere | None = None, *, is_coded: bool = False) -> Seal:
        """Return a seal maker with a new random key, kept in this process's memory only."""
        return cls(secrets.token_bytes(KEY_BYTES), elsewhere, is_coded)

    def code_for(self, request_id: str) -> str:
        """Return the confirmation code of a request that is opened here."""
        if not self.codes_key:
            return new_code()
        text = f"{CODE_PREFIX}\0{request_id}".encode()
        made = hmac.new(self.codes_key, text, hashlib.sha256).digest()
        # The alphabet has 32 signs, so each byte gives one of them as often as any other.
        return "".join(CODE_ALPHABET[one % len(CODE_ALPHABET)] for one in made[:CODE_LENGTH])

    @property
    def is_shared(self) -> bool:
        """Whether other nodes have the same key."""
        return bool(self.codes_key)

    def learn(self, request_id: str, code: str) -> None:
        """Accept seals made with the confirmation code of a request that this process opened."""
        self._codes[request_id] = code
        while len(self._codes) > MOST_WAITING:
            self._codes.popitem(last=False)

    def by_code(self, request_id: str, code: str = "") -> Seal | None:
        """Return the seal maker with the code of a request; None if the code is unknown."""
        known = code or self._codes.get(request_id, "")
        if not known and self.codes_key:  # another node opened it
            known = self.code_for(request_id)
        return Seal(_code_key(plain_code(known), request_id)) if known else None

    def for_answer(self, request_id: str, code: str) -> Seal:
        """Return the seal maker for an answer that was given with this code."""
        return (self.by_code(request_id, code) if self.is_coded else None) or self

    def of_answer(
        self, pending: PendingRequest, given: Given, to: RequestState, edited: bytes
    ) -> str:
        """Return the seal of one answer to one request, as hex."""
        return self._mac(ANSWER_PREFIX, _parts(pending, given, to, edited))

    def of_grant(self, *parts: str) -> str:
        """Return the seal over the fields of a grant."""
        return self._mac(GRANT_PREFIX, parts)

    def of_kept_answer(self, *parts: str) -> str:
        """Return the seal over an answer that is kept under a request id."""
        return self._mac(KEPT_PREFIX, parts)

    def made(self, prefix: str, parts: Sequence[str], seal: str) -> bool:
        """Return whether a seal over these parts was made with this key, or by the daemon.

        Args:
            prefix: the kind of seal, which separates hashes of different kinds.
        """
        if is_same_secret(self._mac(prefix, parts), seal):
            return True
        return self.elsewhere is not None and self.elsewhere(prefix, parts, seal)

    def claim(self, pending: PendingRequest) -> bool:
        """Mark the approval of a request as used; False if it was used before.

        The process's own memory decides, whatever the file says.
        """
        last = pending.answers[-1]
        if not self._use_up(last.seal):
            return False
        parts = _parts(pending, last, RequestState.APPROVED, pending.edited)
        if self.elsewhere is None or self._is_own(pending, parts, last.seal):
            return True
        return self.elsewhere(USE_PREFIX, parts, last.seal)

    def _is_own(self, pending: PendingRequest, parts: Sequence[str], seal: str) -> bool:
        """Tell whether a seal was made here, or with a code of a request that was opened here."""
        if is_same_secret(self._mac(ANSWER_PREFIX, parts), seal):
            return True
        coded = self.by_code(pending.id)  # slow on purpose
        return coded is not None and is_same_secret(coded._mac(ANSWER_PREFIX, parts), seal)

    def uses(self, parts: Sequence[str], seal: str) -> bool:
        """Return whether another process may use an approval given here: True once per seal."""
        return self.made(ANSWER_PREFIX, parts, seal) and self._use_up(seal)

    def _use_up(self, seal: str) -> bool:
        """Note that a seal is used; False if it was before, also by another thread just now."""
        with self._using:
            if seal in self._used:
                return False
            self._used[seal] = None
            while len(self._used) > SEALS_KEPT:
                self._used.popitem(last=False)
            return True

    def holds(self, pending: PendingRequest) -> bool:
        """Return whether different people approved every step, each with a valid seal.

        It is slow where a code was typed or the daemon is asked: never call it on an event loop.
        """
        answers = pending.answers
        if not answers or len(answers) != len(pending.steps):
            return False
        people = {given.approver for given in answers}
        return (
            len(people) == len(answers)
            and all(
                given.step == step
                and given.verdict == Verdict.ALLOW.value
                and given.proof == pending.steps[step].kind.value
                for step, given in enumerate(answers)
            )
            and self._are_sealed(pending, has_last=True)
        )

    def holds_so_far(self, pending: PendingRequest) -> bool:
        """Tell whether the seals of all answers so far are valid."""
        return self._are_sealed(pending, has_last=False)

    def _are_sealed(self, pending: PendingRequest, *, has_last: bool) -> bool:
        """Tell whether all answers are sealed; one code is one person, so it seals one of them."""
        codes_used = 0
        for given in pending.answers:
            is_last = has_last and given is pending.answers[-1]
            # Only the last answer makes it approved and carries an edit; those before were sealed
            # without.
            to, edited = (
                (RequestState.APPROVED, pending.edited) if is_last else (RequestState.PENDING, b"")
            )
            parts = _parts(pending, given, to, edited)
            if self.made(ANSWER_PREFIX, parts, given.seal):
                continue
            codes_used += 1
            if given.channel != CODED_CHANNEL or codes_used > 1:
                return False
            coded = self.by_code(pending.id)  # slow on purpose
            if coded is None or not coded.made(ANSWER_PREFIX, parts, given.seal):
                return False
        return True

    def _mac(self, prefix: str, parts: Sequence[str]) -> str:
        # Lengths keep the parts apart, whatever they are made of.
        text = b"".join(f"{len(part.encode())}:".encode() + part.encode() for part in parts)
        return hmac.new(self.key, prefix.encode() + b"\0" + text, hashlib.sha256).hexdigest()


def _parts(
    pending: PendingRequest, given: Given, to: RequestState, edited: bytes
) -> tuple[str, ...]:
    """Return everything an answer means."""
    return (
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
        terms_of(pending),
        given.words,
        repr(float(given.took_s)),
        str(int(given.was_fast)),
    )


@lru_cache(maxsize=64)
def _code_key(code: str, request_id: str) -> bytes:
    """Return the key of a code: as slow to guess as its verifier, and not the same."""
    # Another salt than the verifier's, which stands in the file: it must not be the key itself.
    salt = f"{CODE_SALT}{request_id}".encode()
    return hashlib.scrypt(code.encode(), salt=salt, n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P)


def plain_code(code: str) -> str:
    """Return a typed code in upper case, without blanks, dashes and other characters."""
    # Cut first: a text of any length may be handed in as a code (T-58).
    return "".join(char for char in code.upper()[:64] if char in CODE_ALPHABET)


def looks_like_code(text: str) -> bool:
    """Return whether a text has the form of a confirmation code; which request's is not told."""
    plain = plain_code(text)
    return len(plain) == CODE_LENGTH and plain == text.strip().replace("-", "").upper()


def new_code() -> str:
    """Return a new random confirmation code."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def spaced(code: str) -> str:
    """Return a code in two halves with a blank between, as people read and type it."""
    half = CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}" if len(code) == CODE_LENGTH else code


def verifier_of(code: str, request_id: str) -> str:
    """Return the slow, salted hash that a confirmation code is checked against."""
    raw = hashlib.scrypt(
        code.encode(), salt=request_id.encode(), n=SCRYPT_N, r=SCRYPT_R, p=SCRYPT_P
    )
    return raw.hex()


def is_code(code: str, pending: PendingRequest) -> bool:
    """Return whether a code is that of the request; blanks, dashes and case are ignored."""
    plain = plain_code(code)
    # Before the slow hash: what cannot be a code costs nothing.
    if len(plain) != CODE_LENGTH or not pending.verifier:
        return False
    return is_same_secret(verifier_of(plain, pending.id), pending.verifier)
