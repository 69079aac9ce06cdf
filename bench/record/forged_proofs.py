"""Forge proofs as somebody would who has the log, but not its history: none may be accepted.

Inclusion proofs of entries that are not in the log, and consistency proofs between logs that are
not continuations of each other, made of honest hashes in wrong places, of parts, and at random.
A control accepts a proof by its last hash alone: it must let some through.

    .venv/bin/python -m bench.record forged-proofs --count 60000
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence

from signoff.storage.proof.offline_verifier import root_by
from signoff.storage.proof.tree import (
    MerkleTree,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
)

COUNT = 60_000
SIZES = range(2, 70)


def run(*, is_control: bool, count: int = COUNT) -> int:
    """Forge so many proofs; exit status 1 if one is accepted or an honest one is refused."""
    dice = random.Random(1)
    leaves = [hashlib.sha256(bytes([k])).digest() for k in range(max(SIZES) + 1)]
    accepted = refused = 0
    for _ in range(count):
        size = dice.choice(SIZES)
        forge = _forged_inclusion if dice.random() < 0.5 else _forged_consistency
        is_forged_accepted, is_honest_accepted = forge(leaves[:size], dice, is_control=is_control)
        accepted += is_forged_accepted
        refused += not is_honest_accepted
    print(f"{count} forged proofs, {accepted} accepted; {refused} honest ones refused")
    return 1 if accepted or refused else 0


def tree_of(leaves: Sequence[bytes]) -> MerkleTree:
    """Return the tree over some leaves."""
    tree = MerkleTree()
    tree.extend(leaves)
    return tree


def _forged_inclusion(
    leaves: list[bytes], dice: random.Random, *, is_control: bool
) -> tuple[bool, bool]:
    """Forge a proof that an entry is in the log that is not."""
    size, root = len(leaves), tree_of(leaves).root()
    index = dice.randrange(size)
    honest = list(inclusion_proof(leaves, index))
    leaf = hashlib.sha256(b"another entry").digest()
    if dice.random() < 0.3:  # an entry of the log in a place that is not its own
        leaf = leaves[index - 1]
    proof = _varied(honest, [*leaves, root, leaf], dice)

    def accepts(leaf: bytes, proof: list[bytes]) -> bool:
        if is_control:
            return not proof or proof[-1] in honest
        first = is_included(leaf, proof, index=index, size=size, root=root)
        second = root_by(leaf, proof, index=index, size=size) == root
        return first or second

    return accepts(leaf, proof), accepts(leaves[index], honest)


def _forged_consistency(
    leaves: list[bytes], dice: random.Random, *, is_control: bool
) -> tuple[bool, bool]:
    """Forge a proof that a log continues one that it does not."""
    size = len(leaves)
    old_size = dice.randrange(1, size)
    older, newer = tree_of(leaves[:old_size]), tree_of(leaves)
    honest = list(consistency_proof(older, leaves[old_size:]))
    other = [*leaves[:old_size]]
    other[dice.randrange(old_size)] = dice.randbytes(32)
    seen = tree_of(other)
    known = [*older.peaks, *newer.peaks, *seen.peaks, seen.root(), newer.root(), *leaves]
    proof = _varied(honest, known, dice)

    def accepts(root: bytes, proof: list[bytes]) -> bool:
        if is_control:
            return bool(proof) and proof[-1] in honest
        return is_consistent(proof, old=(old_size, root), new=(size, newer.root()))

    return accepts(seen.root(), proof), accepts(older.root(), honest)


def _varied(honest: list[bytes], known: list[bytes], dice: random.Random) -> list[bytes]:
    """Return an honest proof, changed in one of many ways."""
    ways: list[Callable[[], list[bytes]]] = [
        lambda: honest,
        lambda: honest[::-1],
        lambda: honest[:-1],
        lambda: [*honest, dice.choice(known)],
        lambda: dice.sample(honest, len(honest)),
        lambda: [dice.choice(known) if dice.random() < 0.3 else one for one in honest],
        lambda: dice.choices(known, k=dice.randrange(8)),
        lambda: [one[:31] for one in honest],
    ]
    return dice.choice(ways)()
